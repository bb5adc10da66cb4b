//! Settings beside the shipped ones: one value changed in each.

use attend_core::attention::{Aging, Conditions, Settings};
use attend_core::dynamics::{Curve, Limits, Shape, TickDelta};
use attend_core::sensor::{Magnitude, SensorName};

/// Settings that were tried.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// What is other than in the shipped ones.
    pub name: &'static str,
    change: Change,
}

#[derive(Clone, Copy, Debug)]
enum Change {
    Nothing,
    /// Burst threshold, peak, absolute refractory and half-life of the multiplier.
    Engagement(u32, f64, u64, u64),
    /// Cooldown, how many in a window, and its length.
    Governor(u64, u32, u64),
    /// Neither of the two gates.
    Open,
    /// Half-life of what stays below the threshold.
    Aging(u64),
    /// When a footnote leaves alone.
    FootnoteAlone(u64),
    /// After how long an idle host is woken by critical events only.
    IdleDeep(u64),
    /// The threshold of one sensor.
    Threshold(&'static str, f64),
}

/// What was tried.
pub const VARIANTS: [Variant; 20] = [
    Variant::new("shipped", Change::Nothing),
    Variant::new("burst threshold 1", Change::Engagement(1, 2.25, 60, 395)),
    Variant::new("no refractory", Change::Engagement(3, 1.0, 0, 395)),
    Variant::new("peak 1.5", Change::Engagement(3, 1.5, 60, 395)),
    Variant::new("peak 4", Change::Engagement(3, 4.0, 60, 395)),
    Variant::new(
        "absolute refractory 20 s",
        Change::Engagement(3, 2.25, 20, 395),
    ),
    Variant::new(
        "absolute refractory 300 s",
        Change::Engagement(3, 2.25, 300, 395),
    ),
    Variant::new(
        "multiplier half-life 130 s",
        Change::Engagement(3, 2.25, 60, 130),
    ),
    Variant::new(
        "multiplier half-life 1,200 s",
        Change::Engagement(3, 2.25, 60, 1_200),
    ),
    Variant::new("cooldown 0 s", Change::Governor(0, 3, 120)),
    Variant::new("cooldown 100 s", Change::Governor(100, 3, 120)),
    Variant::new("1 in 120 s", Change::Governor(20, 1, 120)),
    Variant::new("no refractory and no governor", Change::Open),
    Variant::new("aging half-life 300 s", Change::Aging(300)),
    Variant::new("aging half-life 7,200 s", Change::Aging(7_200)),
    Variant::new("footnotes alone after 120 s", Change::FootnoteAlone(120)),
    Variant::new(
        "footnotes alone after 1,800 s",
        Change::FootnoteAlone(1_800),
    ),
    Variant::new("idle host woken for 24 h", Change::IdleDeep(86_400)),
    Variant::new("threshold of process 1", Change::Threshold("process", 1.0)),
    Variant::new("threshold of git 3.5", Change::Threshold("git", 3.5)),
];

impl Variant {
    const fn new(name: &'static str, change: Change) -> Self {
        Self { name, change }
    }

    /// The settings as conditions for a replay.
    ///
    /// # Panics
    ///
    /// Where a variant is no setting.
    pub fn conditions(&self) -> Conditions {
        let mut settings = Settings::default();
        match self.change {
            Change::Nothing => {}
            Change::Engagement(burst, peak, absolute, half_life) => {
                settings.engagement = engagement(burst, peak, absolute, half_life);
            }
            Change::Open => {
                settings.engagement = engagement(1, 1.0, 0, 1);
                settings.governor = limits(0, 1_000, 1);
            }
            Change::Governor(cooldown, most, window) => {
                settings.governor = limits(cooldown, most, window);
            }
            Change::Aging(half_life) => {
                let floor = settings.aging.floor();
                settings.aging = Aging::new(curve(Shape::Exponential { half_life }), floor);
            }
            Change::FootnoteAlone(after) => settings.footnote_alone = TickDelta::new(after),
            Change::IdleDeep(after) => settings.idle_deep = TickDelta::new(after),
            Change::Threshold(sensor, threshold) => {
                let sensor = SensorName::new(sensor).expect("a name");
                let threshold = Magnitude::new(threshold).expect("from 0 to 100");
                return Conditions::new(settings).threshold(sensor, threshold);
            }
        }
        Conditions::new(settings)
    }
}

fn engagement(burst: u32, peak: f64, absolute: u64, half_life: u64) -> Curve {
    curve(Shape::ActionPotential {
        burst_threshold: burst,
        peak_multiplier: peak,
        absolute_refractory: absolute,
        multiplier_half_life: half_life,
    })
}

fn limits(cooldown: u64, most: u32, window: u64) -> Limits {
    let most = most.try_into().expect("one or more");
    Limits::new(TickDelta::new(cooldown), most, TickDelta::new(window))
}

fn curve(shape: Shape) -> Curve {
    Curve::new(shape).expect("a sound curve")
}
