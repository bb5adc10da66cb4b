//! The figures of the page on attention: each is what the engine does, asked of the engine.

use attend_core::attention::{
    Attention, Input, Mute, MuteTarget, Mutes, Reason, SensorProfile, Settings, Step, Verdict,
};
use attend_core::dynamics::{Shape, Tick};
use attend_core::sensor::{Event, HostState, Report, SensorName, Stakes};

use crate::pages::page;

fn name() -> SensorName {
    SensorName::new("sensor").unwrap()
}

fn engine() -> Attention {
    let mut engine = Attention::builder().build();
    let profiles = vec![SensorProfile::new(name())];
    engine.input(Tick::new(0), Input::Sensors(profiles));
    engine
}

fn tell(engine: &mut Attention, now: u64, event: Event) {
    let mut report = Report::new();
    report.event(event).unwrap();
    engine.input(Tick::new(now), Input::Report(name(), report));
}

fn critical(magnitude: f64) -> Event {
    Event::new(magnitude, "context at 95%").stakes(Stakes::at_hand("compaction is near"))
}

/// Writes what there is to write at `now`, and says how many lines of the sensor there were.
fn written(engine: &mut Attention, now: u64) -> usize {
    match engine.step(Tick::new(now)) {
        Step::Write(batch) => {
            engine.ack(Tick::new(now), batch.id());
            batch.to_string().matches("sensor=").count()
        }
        _ => 0,
    }
}

/// What holds the sensor at `now`; none where nothing does.
fn holds(engine: &Attention, now: u64) -> Option<Reason> {
    match engine.verdict(&name(), Tick::new(now)).unwrap() {
        Verdict::Admit => None,
        Verdict::Hold { reason, .. } => Some(reason),
        other => panic!("{other:?}"),
    }
}

/// The smallest whole magnitude that nothing holds, in all, of events of at most `each`.
fn least(host: HostState, each: f64) -> u32 {
    let passes = |sum: &u32| {
        let mut engine = engine();
        engine.input(Tick::new(0), Input::Host(host));
        let mut left = f64::from(*sum);
        while left > 0.0 {
            tell(&mut engine, 1, Event::new(left.min(each), "something"));
            left -= each;
        }
        holds(&engine, 2).is_none()
    };
    (1..100).find(passes).unwrap()
}

/// The page says all of it, and no other figure.
#[test]
fn every_figure_is_that_of_the_engine() {
    let settings = Settings::default();
    let Shape::ActionPotential {
        burst_threshold,
        absolute_refractory,
        ..
    } = *settings.engagement.shape()
    else {
        panic!("{:?}", settings.engagement);
    };
    let (idle, busy) = (
        HostState::Idle {
            since: Tick::new(0),
        },
        HostState::Busy,
    );
    let (governor, own) = (settings.governor, settings.critical);
    let critical_places = own.max_per_window;
    assert_eq!(own.window, governor.window);
    let minutes = settings.aging.lifetime().unwrap().get() / 60;
    let threshold = SensorProfile::new(name()).threshold;
    let told = [
        format!("is dropped after {minutes} minutes |"),
        format!("threshold: {threshold} unless"),
        format!(
            "no event of {}, and less than {} in all. It rides with what leaves next, or leaves alone after {} s",
            least(busy, 100.0),
            least(busy, 1.0),
            settings.footnote_alone.get()
        ),
        format!("within {absolute_refractory} s of being shown; after {burst_threshold} showings"),
        format!(
            "no event of {}, and less than {} in all. Idle for {} s",
            least(idle, 100.0),
            least(idle, 1.0),
            settings.idle_deep.get()
        )
        .replace("3600", "3,600"),
        format!(
            "within {} s of the last, and more than {} in {} s",
            governor.cooldown.get(),
            governor.max_per_window,
            governor.window.get()
        ),
        format!(
            "within {} s of the last notification",
            governor.cooldown.get()
        ),
        format!(
            "in {} s it has {critical_places} place of its own beside the {}; where that is taken it needs one of the {},",
            own.window.get(),
            governor.max_per_window,
            governor.max_per_window
        ),
    ];
    let text = page("attention.md");
    let mut rest = text.clone();
    for words in &told {
        assert!(rest.contains(words.as_str()), "not told: {words}");
        rest = rest.replacen(words.as_str(), "", 1);
    }
    // Of the pictures, which a test beside this one draws.
    for words in ["Here are 20 minutes", "a window of 200,000 tokens"] {
        assert!(rest.contains(words), "not told: {words}");
        rest = rest.replacen(words, "", 1);
    }
    let strange: Vec<&str> = rest
        .lines()
        .filter(|line| line.contains(|c: char| c.is_ascii_digit()))
        .collect();
    assert_eq!(strange, [""; 0], "figures that nothing holds");
}

#[test]
fn what_is_critical_is_held_by_mute_condition_and_threshold_like_any_other() {
    let mut engine = engine();
    let mute = Mute::new(MuteTarget::Sensor(name()), None);
    engine.input(Tick::new(0), Input::Mute(Mutes::new(vec![mute])));
    tell(&mut engine, 1, critical(5.0));
    assert_eq!(holds(&engine, 10), Some(Reason::Mute));
    engine.input(Tick::new(10), Input::Mute(Mutes::default()));
    assert_eq!(holds(&engine, 11), None);

    let mut engine = self::engine();
    tell(&mut engine, 1, critical(1.9));
    assert_eq!(holds(&engine, 10), Some(Reason::Threshold));

    let mut engine = self::engine();
    let rebase = Event::new(0.1, "a rebase").key("rebase").standing();
    tell(&mut engine, 1, rebase.inhibits(["tier"]));
    tell(&mut engine, 2, critical(5.0).key("tier"));
    assert_eq!(holds(&engine, 10), Some(Reason::Threshold));
}

#[test]
fn what_is_critical_passes_priority_refractory_and_host_after_one_second() {
    let hosts = [
        HostState::Busy,
        HostState::Unprompted,
        HostState::Idle {
            since: Tick::new(0),
        },
    ];
    let deep = Settings::default().idle_deep.get();
    for host in hosts {
        for now in [10, deep + 10] {
            let mut engine = engine();
            engine.input(Tick::new(0), Input::Host(host));
            // As small as a footnote, and yet none.
            tell(&mut engine, now, critical(2.0));
            assert_eq!(holds(&engine, now), Some(Reason::Gather), "{host:?}");
            assert_eq!(written(&mut engine, now + 1), 1, "{host:?}");
            // Nothing else would leave so soon.
            tell(&mut engine, now + 2, Event::new(9.0, "anything"));
            assert!(holds(&engine, now + 3).is_some(), "{host:?}");
        }
    }
    let mut engine = engine();
    tell(&mut engine, 10, Event::new(3.0, "something"));
    assert_eq!(written(&mut engine, 11), 1);
    tell(&mut engine, 12, critical(2.0));
    assert_eq!(written(&mut engine, 13), 1, "refractory and cooldown");
}

#[test]
fn what_is_critical_has_a_place_of_its_own_and_needs_one_of_the_others_then() {
    let mut engine = engine();
    // Its own, and the three that all share.
    for now in [10, 12, 14, 16] {
        tell(&mut engine, now, critical(5.0));
        assert_eq!(written(&mut engine, now + 1), 1, "{now}");
    }
    tell(&mut engine, 18, critical(5.0));
    assert_eq!(holds(&engine, 19), Some(Reason::Window));
    // Its own becomes free first.
    let window = Settings::default().critical.window.get();
    assert_eq!(holds(&engine, 11 + window - 1), Some(Reason::Window));
    assert_eq!(written(&mut engine, 11 + window), 1);
}
