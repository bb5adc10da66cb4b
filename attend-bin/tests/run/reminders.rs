//! Reminders: at their second, once, over restarts; and waiting for what was sent.

use std::fs;
use std::time::{Duration, Instant, SystemTime};

use serde_json::json;

use crate::desk::{Desk, ONE, id, program};
use crate::live::{PATIENCE, eventually};
use crate::reader::Session;
use crate::world::World;

#[test]
fn a_reminder_comes_at_its_second_and_once() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let (pid, mut first) = desk.reader();
    let kept = desk
        .run("attend remind --json 2s 'look at the build'")
        .json();
    let reminder = id(&kept);
    let due: jiff::Timestamp = kept["due"]
        .as_str()
        .expect("a time")
        .parse()
        .expect("a time");
    let line = first.line_within(PATIENCE).expect("the reminder");
    let late = SystemTime::from(due).elapsed().expect("it was due");
    assert!(late < Duration::from_secs(2), "{late:?}");
    assert!(line.contains(&reminder), "{line}");
    assert!(
        line.contains("→ you: reminder: look at the build"),
        "{line}"
    );
    assert!(!line.contains("(again)"), "{line}");
    first.assert_told(&[&reminder]);
    desk.run(&format!("kill -9 {pid}"));
    let (_, second) = desk.reader();
    assert_eq!(desk.run("attend reminders").ok(), "no reminders\n");
    second.assert_told::<&str>(&[]);
}

#[test]
fn a_reminder_outlasts_its_loop_and_can_be_taken_back() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let (pid, before) = desk.reader();
    let first = id(&desk.run("attend remind --json 3s first").json());
    let second = id(&desk.run("attend remind --json 3s second").json());
    desk.run(&format!("kill -9 {pid}"));
    before.assert_told::<&str>(&[]);
    let said = desk.run(&format!("attend reminders cancel {second}")).ok();
    assert_eq!(said, format!("{second} is cancelled\n"));
    let refused = desk
        .run(&format!("attend reminders cancel {second}"))
        .refused();
    assert!(refused.contains("there is no reminder"), "{refused}");
    let listed = desk.run("attend reminders --json").json();
    assert_eq!(listed["reminders"].as_array().map(Vec::len), Some(1));
    assert_eq!(listed["reminders"][0]["id"], first);
    let (_, after) = desk.reader();
    after.assert_told(&[first]);
}

#[test]
#[ignore = "takes more than a minute, from when on a reminder calls itself late"]
fn a_reminder_that_came_due_while_the_loop_stood_still_says_how_late_it_is() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let (pid, mut reader) = desk.reader();
    let kept = desk.run("attend remind --json 1s 'look'").json();
    desk.run(&format!("kill -STOP {pid}")).ok();
    // Nobody reads what is sent to it meanwhile, for as long as it is waited for.
    let seat = format!("@{}", desk.seat());
    let wait = [
        "send",
        "--wait",
        "printed",
        "--timeout",
        "63s",
        &seat,
        "meanwhile",
    ];
    assert_eq!(program(&world, &wait).code, 1);
    assert!(!reader.lines().iter().any(|line| line.contains(&id(&kept))));
    desk.run(&format!("kill -CONT {pid}")).ok();
    let mut lines = std::iter::from_fn(|| reader.line_within(PATIENCE));
    let line = lines.find(|line| line.contains(&id(&kept)));
    let line = line.expect("the reminder");
    assert!(line.ends_with(" → you: reminder, 1m late: look"), "{line}");
}

#[test]
fn a_hook_brings_what_is_due_where_no_loop_runs() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    desk.seat();
    let reminder = id(&desk.run("attend remind --json 1s look").json());
    let input = world.beside("hook-input");
    let event = json!({"session_id": ONE, "hook_event_name": "UserPromptSubmit"});
    fs::write(&input, event.to_string()).expect("a file");
    let mut said = String::new();
    eventually("the reminder", || {
        said = desk
            .run(&format!("attend hook <'{}'", input.display()))
            .ok();
        !said.is_empty()
    });
    assert!(said.contains(&reminder), "{said}");
}

#[test]
fn a_reminder_names_a_time_to_come_and_something_to_say() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    for (line, why) in [
        ("attend remind soon look", "the first word says in how long"),
        ("attend remind 10m", "there is nothing to be reminded of"),
        ("attend remind --at 2001-01-01 look", "no time to come"),
        ("attend remind --at 2h look", "no time to come"),
    ] {
        let said = desk.run(line).refused();
        assert!(said.contains(why), "{line}: {said}");
    }
    let said = desk.run("attend remind in 10m look").ok();
    assert!(said.contains(" comes "), "{said}");
    let none = program(&world, &["remind", "10m", "look"]).refused();
    assert!(none.contains("no mail"), "{none}");
}

#[test]
fn a_sender_waits_until_it_was_printed() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let name = desk.seat();
    let to = format!("@{name}");
    let start_of = Instant::now();
    let said = program(
        &world,
        &[
            "send",
            "--wait",
            "printed",
            "--timeout",
            "1s",
            &to,
            "anybody there",
        ],
    );
    assert_eq!(said.code, 1);
    assert!(start_of.elapsed() >= Duration::from_secs(1));
    let why = format!("not printed within 1s by {name} (new)");
    assert!(said.err.contains(&why), "{}", said.err);
    assert!(said.out.contains(" sent\n"), "{}", said.out);
    let unread = id(&desk.run("attend inbox --json").json()["messages"][0]);
    let (_, delivered) = desk.reader();
    let said = program(
        &world,
        &["send", "--json", "--wait", "printed", &to, "there"],
    )
    .json();
    delivered.assert_told(&[unread, id(&said)]);
    assert_eq!(said["states"], json!({ name.as_str(): "printed" }));
    let room = program(&world, &["send", "--wait", "seen", "--broadcast", "hello"]).refused();
    assert!(room.contains("nothing was sent"), "{room}");
}

#[test]
fn a_sender_is_told_the_truth_about_what_was_seen() {
    let world = World::new();
    let session = Session::new(&world, 0);
    let mut live = session.reader();
    live.delivered().excuse();
    session.transcribe(live.delivered().monitor());
    let to = format!("@{}", session.seat);
    live.delivered().monitor().lose_next();
    let lost = program(
        &world,
        &["send", "--wait", "seen", "--timeout", "4s", &to, "lost"],
    );
    assert_eq!(lost.code, 1);
    let why = format!("not seen within 4s by {} (printed)", session.seat);
    assert!(lost.err.contains(&why), "{}", lost.err);
    let taken = program(
        &world,
        &["send", "--json", "--wait", "seen", &to, "taken up"],
    )
    .json();
    assert_eq!(taken["states"], json!({ session.seat.as_str(): "seen" }));
    live.assert_told(&[id(&taken)]);
}
