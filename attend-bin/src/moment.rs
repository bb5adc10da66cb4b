//! Times of day: as somebody types them, and as messages are dated.

use std::time::{Duration, SystemTime};

use attend_core::attention::Local;
use attend_core::dynamics::Tick;
use attend_core::mail::{Before, MessageId, age};
use attend_core::runtime::config::Span;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// A point in the past, as somebody typed it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Moment {
    /// When a message was sent.
    Message(MessageId),
    /// So long ago.
    Ago(Duration),
    /// At this time everywhere.
    At(Timestamp),
    /// At this time on the clock on the wall here.
    Local(DateTime),
    /// At this time of today.
    Today(Time),
}

impl Moment {
    /// Reads an id, a span, or a time.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if let Some(id) = MessageId::parse(text) {
            return Some(Self::Message(id));
        }
        let is_span = text.ends_with(['s', 'm', 'h', 'd']);
        if is_span && let Ok(span) = text.parse::<Span>() {
            return Some(Self::Ago(span.into()));
        }
        if let Ok(at) = text.parse::<Timestamp>() {
            return Some(Self::At(at));
        }
        if let Ok(at) = text.parse::<DateTime>() {
            return Some(Self::Local(at));
        }
        if let Ok(date) = text.parse::<Date>() {
            return Some(Self::Local(date.at(0, 0, 0, 0)));
        }
        // A bare number is no time of day.
        let time = text.parse::<Time>().ok().filter(|_| text.contains(':'));
        time.map(Self::Today)
    }

    /// Where a page ends that has only what came before, as seen at `now` in `zone`.
    pub(crate) fn before(&self, now: SystemTime, zone: &TimeZone) -> Option<Before> {
        let local = |at: DateTime| Some(at.to_zoned(zone.clone()).ok()?.timestamp());
        let at = match self {
            Self::Message(id) => return Some(Before::Id(id.clone())),
            Self::Ago(ago) => return now.checked_sub(*ago).map(Before::Time),
            Self::At(at) => *at,
            Self::Local(at) => local(*at)?,
            Self::Today(time) => local(zoned(now, zone)?.date().to_datetime(*time))?,
        };
        Some(Before::Time(at.into()))
    }

    /// When something is to happen, as seen at `now` in `zone`: a time of today that has passed is
    /// one of tomorrow. None for what names no time to come.
    pub(crate) fn after(&self, now: SystemTime, zone: &TimeZone) -> Option<SystemTime> {
        let local = |at: DateTime| Some(at.to_zoned(zone.clone()).ok()?.timestamp());
        let at: SystemTime = match self {
            Self::Message(_) | Self::Ago(_) => return None,
            Self::At(at) => (*at).into(),
            Self::Local(at) => local(*at)?.into(),
            Self::Today(time) => {
                let today = zoned(now, zone)?.date();
                let at: SystemTime = local(today.to_datetime(*time))?.into();
                if at > now {
                    at
                } else {
                    local(today.tomorrow().ok()?.to_datetime(*time))?.into()
                }
            }
        };
        (at > now).then_some(at)
    }
}

fn zoned(time: SystemTime, zone: &TimeZone) -> Option<Zoned> {
    Some(Timestamp::try_from(time).ok()?.to_zoned(zone.clone()))
}

/// A time for programs: RFC 3339, to the millisecond, at UTC.
pub(crate) fn stamp(time: SystemTime) -> String {
    let time = Timestamp::try_from(time).unwrap_or_default();
    format!("{time:.3}")
}

/// A tick for people, which counts seconds since 1970.
pub(crate) fn local(tick: Tick, zone: &TimeZone) -> Local {
    let second = i64::try_from(tick.get()).unwrap_or(i64::MAX);
    let at = Timestamp::from_second(second).unwrap_or_default();
    let at = at.to_zoned(zone.clone());
    let (hour, minute, second) = (at.hour(), at.minute(), at.second());
    Local {
        day: at.strftime("%b %-d").to_string(),
        second: u32::try_from(i32::from(hour) * 3_600 + i32::from(minute) * 60 + i32::from(second))
            .unwrap_or_default(),
    }
}

/// A time for people: `2026-11-30 14:30 (2h ago)`.
pub(crate) fn told(time: SystemTime, now: SystemTime, zone: &TimeZone) -> String {
    let at = zoned(time, zone).map(|at| at.strftime("%Y-%m-%d %H:%M").to_string());
    format!("{} ({})", at.unwrap_or_default(), ago(time, now))
}

/// A time to come, for people: `in 9m, at 14:30`.
pub(crate) fn to_come(time: SystemTime, now: SystemTime, zone: &TimeZone) -> String {
    let wait = age(time.duration_since(now).unwrap_or_default());
    let is_today = zoned(time, zone).map(|at| at.date()) == zoned(now, zone).map(|at| at.date());
    let form = if is_today {
        "%H:%M:%S"
    } else {
        "%Y-%m-%d %H:%M:%S"
    };
    let at = zoned(time, zone).map(|at| at.strftime(form).to_string());
    format!("in {wait}, at {}", at.unwrap_or_default())
}

/// How long ago it was, for people.
pub(crate) fn ago(time: SystemTime, now: SystemTime) -> String {
    let ago = age(now.duration_since(time).unwrap_or_default());
    format!("{ago} ago")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> SystemTime {
        text.parse::<Timestamp>().unwrap().into()
    }

    #[test]
    fn a_moment_is_an_id_a_span_or_a_time() {
        let now = at("2026-11-30T15:00:00Z");
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        for (typed, meant) in [
            ("2h", "2026-11-30T13:00:00Z"),
            ("90s", "2026-11-30T14:58:30Z"),
            ("2026-11-30T14:30:00Z", "2026-11-30T14:30:00Z"),
            ("2026-11-30T14:30:00+02:00", "2026-11-30T12:30:00Z"),
            ("2026-11-30T14:30", "2026-11-30T12:30:00Z"),
            ("2026-11-30 14:30", "2026-11-30T12:30:00Z"),
            ("2026-11-30", "2026-11-29T22:00:00Z"),
            ("14:30", "2026-11-30T12:30:00Z"),
        ] {
            let before = Moment::parse(typed).unwrap().before(now, &zone);
            assert_eq!(before, Some(Before::Time(at(meant))), "{typed}");
        }
        let id = Moment::parse("7f3k2a").unwrap().before(now, &zone);
        assert_eq!(id, Some(Before::Id(MessageId::new("7F3K2A"))));
        for odd in ["", "some day", "12", "1.5h", "25:00", "2026-13-01"] {
            assert_eq!(Moment::parse(odd), None, "{odd}");
        }
    }

    #[test]
    fn what_is_to_come_is_later_than_now() {
        let now = at("2026-11-30T15:00:00Z");
        let after = |typed: &str| Moment::parse(typed).unwrap().after(now, &TimeZone::UTC);
        assert_eq!(after("15:30"), Some(at("2026-11-30T15:30:00Z")));
        assert_eq!(after("14:30"), Some(at("2026-12-01T14:30:00Z")));
        assert_eq!(after("2026-11-30 16:00"), Some(at("2026-11-30T16:00:00Z")));
        assert_eq!(after("2026-11-30 14:00"), None);
        assert_eq!(after("2h"), None);
        assert_eq!(after("7F3K2A"), None);
        let told = |typed: &str| to_come(after(typed).unwrap(), now, &TimeZone::UTC);
        assert_eq!(told("15:30"), "in 30m, at 15:30:00");
        assert_eq!(told("14:30"), "in 23h, at 2026-12-01 14:30:00");
    }

    #[test]
    fn times_are_told_to_programs_and_to_people() {
        let (then, now) = (
            at("2026-11-30T12:59:59.987654Z"),
            at("2026-11-30T15:00:00Z"),
        );
        assert_eq!(stamp(then), "2026-11-30T12:59:59.987Z");
        assert_eq!(told(then, now, &TimeZone::UTC), "2026-11-30 12:59 (2h ago)");
        // The clock on the wall may have been set back since.
        assert_eq!(ago(now, then), "0s ago");
    }
}
