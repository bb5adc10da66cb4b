//! Lines that the host drops: what was in them comes back, marked, and not for ever.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use attend_core::sensor::HostState;
use rustix::process::Signal;
use serde_json::json;

use crate::desk::program;
use crate::live::{Live, eventually};
use crate::monitor_pipe::MonitorPipe;
use crate::reader::{Session, Shown, without_cooldown};
use crate::world::World;

/// More than the minute that the host is given to take up what was printed.
const BEYOND: Duration = Duration::from_secs(80);

/// What a hook of the session shows now.
fn hook(world: &World, session: &mut Session<'_>) -> String {
    let event = json!({
        "hook_event_name": "UserPromptSubmit", "prompt": "fix it", "cwd": world.repo(),
        "session_id": session.id, "transcript_path": session.transcript(),
    });
    let input = world.beside("hook-input");
    fs::write(&input, event.to_string()).expect("a file");
    let done = session
        .desk
        .run(&format!("attend hook <'{}'", input.display()));
    done.ok()
}

/// Sends words to the session, and waits until they were seen; what became of it.
fn sent_and_seen(
    world: &World,
    session: &Session<'_>,
    words: &str,
    time: &str,
) -> crate::desk::Done {
    let to = format!("@{}", session.seat);
    let args = ["send", "--wait", "seen", "--timeout", time, &to, words];
    program(world, &args)
}

#[test]
#[ignore = "takes the minute that the host is given to take up what was printed"]
fn what_monitor_suppressed_comes_back_with_the_next_hook_and_a_sender_is_told_the_truth() {
    let world = World::new();
    let mut session = Session::new(&world, 0);
    let (monitor, out) = MonitorPipe::new();
    monitor.transcribe(
        session.transcript(),
        &session.id,
        &world.repo().display().to_string(),
        HostState::Busy,
    );
    let live = Live::start_on(&mut session.attend(&["run"]), out);
    monitor.delivered(1);
    sent_and_seen(&world, &session, "taken up", "30s").ok();
    monitor.suppress_next(1);
    let dropped = sent_and_seen(&world, &session, "dropped", "20s");
    assert_eq!(dropped.code, 1, "{}", dropped.err);
    let told = format!("not seen within 20s by {} (printed)", session.seat);
    assert!(dropped.err.contains(&told), "{}", dropped.err);
    // The loop, which would find out by itself, stands still: a hook does.
    live.signal(Signal::STOP);
    let mut said = String::new();
    eventually("it comes back", || {
        said = hook(&world, &mut session);
        !said.is_empty()
    });
    assert!(said.contains(" (again) program → you: dropped"), "{said}");
    assert!(!said.contains("taken up"), "{said}");
    live.signal(Signal::CONT);
    live.signal(Signal::TERM);
    assert_eq!(live.silent_end().0, Some(0));
    let monitor = monitor.ended();
    assert_eq!(monitor.suppressed().count(), 1);
    let shown = Shown::all(monitor.lines());
    let bodies: Vec<(&str, bool)> = shown
        .iter()
        .map(|shown| (shown.body.as_str(), shown.again))
        .collect();
    assert_eq!(bodies, [("taken up", false)], "the agent got nothing twice");
}

#[test]
#[ignore = "takes the minute that the host is given to take up what was printed, and more"]
fn a_transcript_that_never_shows_a_line_ends_the_repeats_with_a_notice() {
    const SENT: usize = 20;
    let world = World::new();
    without_cooldown(&world);
    let session = Session::new(&world, 0);
    // Rows of a kind that this attend does not know.
    let rows = json!({"type": "of-another-version", "sessionId": session.id, "text": "[attend]"});
    fs::write(session.transcript(), format!("{rows}\n").repeat(40)).expect("a transcript");
    let mut live = session.reader();
    // It looks at the transcript before it prints what is looked for there.
    let first = sent_and_seen(&world, &session, "first", "5s");
    assert_eq!(first.code, 1, "{}", first.err);
    for n in 1..SENT {
        session.told(&format!("number {n}"));
    }
    let mut lines = Vec::new();
    // It is quiet from when on nobody looks for evidence any more.
    lines.extend(std::iter::from_fn(|| live.line_within(BEYOND)));
    session.told("one more");
    lines.extend(std::iter::from_fn(|| live.line_within(BEYOND)));
    let mut marks = BTreeMap::<String, Vec<bool>>::new();
    for shown in Shown::all(&lines) {
        marks.entry(shown.id).or_default().push(shown.again);
    }
    assert_eq!(marks.len(), SENT + 1, "{lines:?}");
    let count = |is_again| {
        marks
            .values()
            .flatten()
            .filter(|again| **again == is_again)
            .count()
    };
    assert_eq!(count(false), SENT + 1, "{marks:?}");
    assert!(count(true) <= 10, "{marks:?}");
    let of_it = |line: &&String| line.contains("do not stand in the transcript");
    assert_eq!(lines.iter().filter(of_it).count(), 1, "{lines:?}");
}
