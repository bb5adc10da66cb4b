//! Settings, sensors and reports as they stand in a trace.

use serde::{Deserialize, Serialize};

use crate::attention::input::SensorProfile;
use crate::attention::settings::{Aging, Settings};
use crate::dynamics::{Curve, Limits, TickDelta};
use crate::sensor::{Absorbed, Item, Key, Magnitude, Observation, Report, SensorName};

/// The engine's settings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(in crate::attention) struct StoredSettings {
    governor: Limits,
    critical: Limits,
    mail_cooldown: TickDelta,
    digest_above: usize,
    engagement: Curve,
    aging: StoredAging,
    footnote_alone: TickDelta,
    tell_age_after: TickDelta,
    idle_deep: TickDelta,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct StoredAging {
    curve: Curve,
    floor: f64,
}

impl From<&Settings> for StoredSettings {
    fn from(settings: &Settings) -> Self {
        Self {
            governor: settings.governor,
            critical: settings.critical,
            mail_cooldown: settings.mail_cooldown,
            digest_above: settings.digest_above,
            engagement: settings.engagement.clone(),
            aging: StoredAging {
                curve: settings.aging.curve().clone(),
                floor: settings.aging.floor(),
            },
            footnote_alone: settings.footnote_alone,
            tell_age_after: settings.tell_age_after,
            idle_deep: settings.idle_deep,
        }
    }
}

impl From<StoredSettings> for Settings {
    fn from(stored: StoredSettings) -> Self {
        Self {
            governor: stored.governor,
            critical: stored.critical,
            mail_cooldown: stored.mail_cooldown,
            digest_above: stored.digest_above,
            engagement: stored.engagement,
            aging: Aging::new(stored.aging.curve, stored.aging.floor),
            footnote_alone: stored.footnote_alone,
            tell_age_after: stored.tell_age_after,
            idle_deep: stored.idle_deep,
        }
    }
}

/// What the engine knows of a sensor.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(in crate::attention) struct StoredSensor {
    name: SensorName,
    threshold: Magnitude,
}

impl From<&SensorProfile> for StoredSensor {
    fn from(profile: &SensorProfile) -> Self {
        Self {
            name: profile.name.clone(),
            threshold: profile.threshold,
        }
    }
}

impl From<StoredSensor> for SensorProfile {
    fn from(stored: StoredSensor) -> Self {
        Self::new(stored.name).threshold(stored.threshold)
    }
}

/// What one look of a sensor found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(in crate::attention) struct StoredReport {
    pub(in crate::attention) sensor: SensorName,
    items: Vec<StoredItem>,
    /// How many events were replaced, cleared and displaced before anybody saw them.
    #[serde(default, skip_serializing_if = "is_nothing")]
    absorbed: [u32; 3],
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredItem {
    Event(Observation),
    Clear(Key),
}

fn is_nothing(absorbed: &[u32; 3]) -> bool {
    *absorbed == [0; 3]
}

impl StoredReport {
    pub(in crate::attention) fn of(sensor: &SensorName, report: &Report) -> Self {
        let item = |item: &Item| match item {
            Item::Event(event) => StoredItem::Event(event.clone()),
            Item::Clear(key) => StoredItem::Clear(key.clone()),
        };
        let Absorbed {
            replaced,
            cleared,
            over_cap,
        } = report.absorbed();
        let count = |count| u32::try_from(count).unwrap_or(u32::MAX);
        Self {
            sensor: sensor.clone(),
            items: report.items().map(item).collect(),
            absorbed: [count(replaced), count(cleared), count(over_cap)],
        }
    }
}

impl From<StoredReport> for Report {
    fn from(stored: StoredReport) -> Self {
        let items = stored.items.into_iter().map(|item| match item {
            StoredItem::Event(event) => Item::Event(event),
            StoredItem::Clear(key) => Item::Clear(key),
        });
        let [replaced, cleared, over_cap] = stored.absorbed.map(u64::from);
        let absorbed = Absorbed {
            replaced,
            cleared,
            over_cap,
        };
        Self::again(items, absorbed)
    }
}
