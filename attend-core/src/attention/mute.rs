//! Mutes: what is held back because somebody asked for quiet.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::dynamics::{Tick, TickDelta};
use crate::mail::{Muted, Quiet};
use crate::sensor::{SensorName, Signal};

/// What can be muted on the event lane. Mail addressed to a reader cannot.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum MuteTarget {
    /// Everything that a sensor reports.
    Sensor(SensorName),
    /// Every event that carries a signal.
    Signal(Signal),
}

/// One wish for quiet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Mute {
    /// From what.
    pub target: MuteTarget,
    /// Until when; none until it is taken back.
    pub until: Option<Tick>,
}

impl Mute {
    /// Quiet from `target` until `until`, or until it is taken back.
    pub fn new(target: MuteTarget, until: Option<Tick>) -> Self {
        Self { target, until }
    }
}

/// All mutes there are.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Mutes(Vec<Mute>);

impl Mutes {
    /// These, and no others.
    pub fn new(mutes: Vec<Mute>) -> Self {
        Self(mutes)
    }

    /// What `muted` at a mailbox means on the event lane, where `now` is the tick of the time
    /// `wall`: ticks are seconds.
    ///
    /// A mute that has passed is left out, and so are rooms, which the mailbox itself keeps quiet,
    /// and what no sensor can be called.
    pub fn of_mail(muted: &[Muted], wall: SystemTime, now: Tick) -> Self {
        let mute = |muted: &Muted| {
            let target = match &muted.what {
                Quiet::Sensor(name) => MuteTarget::Sensor(SensorName::new(name).ok()?),
                Quiet::Signal(name) => MuteTarget::Signal(Signal::from(name.as_str())),
                Quiet::Room(_) => return None,
            };
            let until = match muted.until {
                None => None,
                Some(until) => {
                    let left = until.duration_since(wall).ok()?;
                    // It ends with the second in which its time comes.
                    let left = left.as_nanos().div_ceil(1_000_000_000);
                    let left = u64::try_from(left).unwrap_or(u64::MAX);
                    Some(now.after(TickDelta::new(left)))
                }
            };
            Some(Mute::new(target, until))
        };
        Self(muted.iter().filter_map(mute).collect())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an event of `sensor` with `signal` is muted at `now`.
    pub fn holds(&self, sensor: &SensorName, signal: Option<&Signal>, now: Tick) -> bool {
        self.0.iter().any(|mute| {
            let meant = match &mute.target {
                MuteTarget::Sensor(name) => name == sensor,
                MuteTarget::Signal(name) => Some(name) == signal,
            };
            meant && mute.until.is_none_or(|until| now < until)
        })
    }

    /// When the next mute after `now` ends.
    pub fn next_end(&self, now: Tick) -> Option<Tick> {
        self.0
            .iter()
            .filter_map(|mute| mute.until)
            .filter(|until| *until > now)
            .min()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::mail::RoomName;

    #[test]
    fn what_a_mailbox_mutes_is_muted_on_the_event_lane() {
        let wall = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000);
        let at = |seconds: f64| Some(SystemTime::UNIX_EPOCH + Duration::from_secs_f64(seconds));
        let sensor = |name: &str, until| Muted::new(Quiet::Sensor(name.to_owned()), until);
        let kept = [
            sensor("git", at(1_060.5)),
            sensor("old", at(999.0)),
            sensor("No Sensor", None),
            Muted::new(Quiet::Signal("git-conflict".to_owned()), None),
            Muted::new(Quiet::Room(RoomName::open()), None),
        ];
        let mutes = Mutes::of_mail(&kept, wall, Tick::new(50));
        let git = SensorName::new("git").unwrap();
        let until = Some(Tick::new(111));
        assert_eq!(
            mutes,
            Mutes::new(vec![
                Mute::new(MuteTarget::Sensor(git), until),
                Mute::new(MuteTarget::Signal("git-conflict".into()), None),
            ])
        );
    }
}
