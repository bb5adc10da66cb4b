//! What is said of a build, and how much it matters.

use std::time::Duration;

use attend_core::sensor::{Declares, Event};

use super::known::{Build, End, How};

const STARTED: f64 = 1.0;
const FINISHED: f64 = 2.5;
const FINISHED_LONG: f64 = 3.0;
const FINISHED_AS_USUAL: f64 = 1.5;
const FAILED: f64 = 3.5;
const UNUSUAL: f64 = 2.0;

/// A build that ran for so long was waited for.
const LONG: Duration = Duration::from_secs(30);

const COMPLETE: &str = "build-complete";
const BROKEN: &str = "build-failed";

pub(super) fn declares() -> Declares {
    Declares::default()
        .signal(COMPLETE, "for what to do after a build")
        .signal(BROKEN, "for what to look at first")
}

pub(super) fn started(build: &Build) -> Event {
    Event::new(STARTED, format!("{} started", build.name)).key(build.key())
}

pub(super) fn ended(build: &Build, end: &End) -> Event {
    let (name, took) = (&build.name, span(end.took));
    let done = if end.took >= LONG {
        FINISHED_LONG
    } else {
        FINISHED
    };
    let event = match end.how {
        How::Code(0) => {
            Event::new(done, format!("{name} finished after {took}, exit code 0")).signal(COMPLETE)
        }
        How::Code(code) => {
            let text = format!("{name} failed after {took}, exit code {code}");
            Event::new(FAILED, text).signal(BROKEN)
        }
        How::Signal(signal) => {
            let text = format!("{name} was ended by signal {signal} after {took}");
            Event::new(FAILED, text).signal(BROKEN)
        }
        // Neither guidance fits what nobody knows.
        How::Unknown => {
            let text = format!("{name} ended after {took}, exit code unknown");
            Event::new(done, text)
        }
        How::Unseen => {
            let text = format!("{name} ended while attend did not run, exit code unknown");
            Event::new(FINISHED, text)
        }
    };
    event.key(build.key())
}

/// What is said of one that ended well, as those of its name do: the last of them stands for those
/// before it. None where it did not.
pub(super) fn ended_as_usual(build: &Build, end: &End) -> Option<Event> {
    (end.how == How::Code(0)).then(|| {
        let took = span(end.took);
        let text = format!("{} finished after {took}, exit code 0", build.name);
        let weight = if end.took >= LONG {
            FINISHED_LONG
        } else {
            FINISHED_AS_USUAL
        };
        let event = Event::new(weight, text).signal(COMPLETE);
        event.key(format!("usual:{}", build.name))
    })
}

pub(super) fn unusual(build: &Build, so_far: Duration, longest: Duration) -> Event {
    let (name, so_far, longest) = (&build.name, span(so_far), span(longest));
    let text = format!("{name} runs unusually long: {so_far} by now, {longest} at most before");
    Event::new(UNUSUAL, text).key(build.key())
}

/// A span for people: `0.4 s`, `42 s`, `2 min 5 s`, `1 h 3 min`.
fn span(span: Duration) -> String {
    let seconds = span.as_secs();
    match (seconds / 3_600, seconds / 60 % 60, seconds % 60) {
        (0, 0, 0) => format!("0.{} s", span.subsec_millis() / 100),
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, 0) => format!("{minutes} min"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_told_as_people_do() {
        for (millis, said) in [
            (0, "0.0 s"),
            (430, "0.4 s"),
            (1_999, "1 s"),
            (42_000, "42 s"),
            (120_000, "2 min"),
            (125_000, "2 min 5 s"),
            (3_780_000, "1 h 3 min"),
        ] {
            assert_eq!(span(Duration::from_millis(millis)), said);
        }
    }
}
