//! Which builds are the session's own, in the foreground: it sees them by itself.
//!
//! A build below the host's process belongs to the call for which the host started the shell
//! above it: the last one that was asked for before that shell began. It is news where that call
//! went on in the background, and where the build outlived its call. Where nothing is known of
//! such a call it is none: what a host runs beside its calls, such as hooks, is its own business.

use attend_core::dynamics::{Tick, TickDelta};
use attend_core::sensor::{HostAnswer, HostRequest, OwnChanges, PollContext};

use super::known::{Build, Stage};

/// Times of calls and of processes are whole ticks, each cut off.
const BLUR: u64 = 1;

/// A transcript is written late by less than so many ticks.
const LATE: u64 = 2;

/// A host that cannot say is waited for no longer than so many ticks.
const LONGEST: u64 = 60;

/// What the host says of the session's own calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Said {
    /// It does not know the question.
    Nothing,
    /// It cannot say now.
    NotNow,
    /// This, and whether it has written down all that it did.
    Calls(OwnChanges, bool),
}

/// Whether what came of a build is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// It is news.
    News,
    /// The session knows.
    Own,
    /// The host may yet say otherwise.
    NotYet,
}

/// Asks the host what the session did itself.
pub(super) async fn said(cx: &PollContext) -> Said {
    match cx.host().ask(&HostRequest::Own).await {
        Ok(HostAnswer::Own(changes)) => {
            let state = cx.host().ask(&HostRequest::State).await;
            let idle = matches!(state, Ok(HostAnswer::State(state)) if state.is_idle());
            Said::Calls(changes, idle)
        }
        Ok(_) => Said::Nothing,
        Err(_) => Said::NotNow,
    }
}

/// Whether the stage that `build` is at is news at `now`.
pub(super) fn judge(build: &Build, said: &Said, now: Tick) -> Verdict {
    let Some(shell) = build.below_host else {
        return Verdict::News;
    };
    let (found, at) = match build.stage {
        Stage::Began { found } => (found, now),
        Stage::Ended(end) => (end.found, end.at),
        Stage::Runs { .. } => return Verdict::Own,
    };
    let waited = now.since(found).get();
    let (changes, settled) = match said {
        Said::Calls(changes, settled) => (changes, *settled),
        Said::NotNow if waited < LONGEST => return Verdict::NotYet,
        Said::NotNow | Said::Nothing => return Verdict::Own,
    };
    if waited < LATE && !settled {
        return Verdict::NotYet;
    }
    let blur = TickDelta::new(BLUR);
    let calls = changes.calls.iter();
    let before = calls.filter(|call| call.span.from <= shell.after(blur));
    let call = before.max_by_key(|call| call.span.from);
    match call {
        Some(call) if call.background => Verdict::News,
        Some(call) if call.span.until.is_some_and(|until| until.after(blur) < at) => Verdict::News,
        _ => Verdict::Own,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use attend_core::sensor::{OwnCall, OwnSpan};

    use super::super::known::{End, How};
    use super::super::table::Member;
    use super::*;

    const SHELL: u64 = 100;

    fn build(stage: Stage) -> Build {
        Build {
            process: Member {
                pid: 7,
                start: "1".to_owned(),
            },
            name: "make".to_owned(),
            group: 7,
            began: Tick::new(SHELL),
            below_host: Some(Tick::new(SHELL)),
            record: None,
            stage,
        }
    }

    fn began() -> Build {
        build(Stage::Began {
            found: Tick::new(SHELL),
        })
    }

    fn ended(at: u64) -> Build {
        build(Stage::Ended(End {
            found: Tick::new(at),
            at: Tick::new(at),
            took: Duration::from_secs(at - SHELL),
            how: How::Code(0),
        }))
    }

    /// What is known of calls, each from and until when, and whether in the background.
    fn calls(calls: &[(u64, Option<u64>, bool)]) -> Said {
        let mut changes = OwnChanges::default();
        for (from, until, background) in calls {
            let span = OwnSpan::new(Tick::new(*from), until.map(Tick::new));
            let mut call = OwnCall::new(span);
            call.background = *background;
            changes.calls.push(call);
        }
        Said::Calls(changes, false)
    }

    fn verdict(build: &Build, said: &Said, now: u64) -> Verdict {
        judge(build, said, Tick::new(now))
    }

    #[test]
    fn what_the_session_waits_for_is_its_own_and_the_rest_is_news() {
        let foreground = calls(&[(99, None, false)]);
        let background = calls(&[(99, None, true)]);
        assert_eq!(verdict(&began(), &foreground, 102), Verdict::Own);
        assert_eq!(verdict(&began(), &background, 102), Verdict::News);
        // The transcript is written late.
        assert_eq!(verdict(&began(), &foreground, 101), Verdict::NotYet);
        assert_eq!(verdict(&began(), &background, 101), Verdict::NotYet);
        assert_eq!(verdict(&ended(150), &foreground, 152), Verdict::Own);
        // It went on when its call was over.
        let over = calls(&[(99, Some(120), false)]);
        assert_eq!(verdict(&ended(119), &over, 140), Verdict::Own);
        assert_eq!(verdict(&ended(150), &over, 152), Verdict::News);
        let mut elsewhere = began();
        elsewhere.below_host = None;
        assert_eq!(verdict(&elsewhere, &foreground, 100), Verdict::News);
    }

    #[test]
    fn it_belongs_to_the_call_that_started_its_shell() {
        let said = calls(&[(50, None, true), (99, None, false), (130, None, true)]);
        assert_eq!(verdict(&began(), &said, 140), Verdict::Own);
        let said = calls(&[(50, None, false), (101, None, true), (130, None, false)]);
        assert_eq!(verdict(&began(), &said, 140), Verdict::News);
    }

    #[test]
    fn what_no_call_explains_is_the_hosts_own_business() {
        assert_eq!(verdict(&began(), &calls(&[]), 102), Verdict::Own);
        assert_eq!(verdict(&began(), &Said::Nothing, 100), Verdict::Own);
        assert_eq!(verdict(&began(), &Said::NotNow, 159), Verdict::NotYet);
        assert_eq!(verdict(&began(), &Said::NotNow, 160), Verdict::Own);
    }

    #[test]
    fn a_host_that_waits_for_its_person_has_written_it_all_down() {
        let Said::Calls(changes, _) = calls(&[(99, None, true)]) else {
            unreachable!()
        };
        let said = Said::Calls(changes, true);
        assert_eq!(verdict(&began(), &said, 100), Verdict::News);
    }
}
