//! Reminders: at their second, once, over restarts; and waiting for what was sent.

use std::fs;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::json;

use crate::desk::{Desk, ONE, TWO, id, program};
use crate::live::eventually;
use crate::world::World;

/// Starts a loop in the session's process, whose lines go to a file; gives its pid.
fn start(desk: &mut Desk, world: &World) -> String {
    let lines = world.beside("lines");
    let started = desk.run(&format!(
        "attend run >>'{}' 2>/dev/null & echo $!",
        lines.display()
    ));
    // The shell may have something to say of one that was killed.
    let pid = started.out.trim().to_owned();
    eventually("the banner", || told(world).contains("[attend]"));
    pid
}

fn told(world: &World) -> String {
    fs::read_to_string(world.beside("lines")).unwrap_or_default()
}

#[test]
fn a_reminder_comes_at_its_second_and_once() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let pid = start(&mut desk, &world);
    let kept = desk
        .run("attend remind --json 2s 'look at the build'")
        .json();
    let reminder = id(&kept);
    let due: jiff::Timestamp = kept["due"]
        .as_str()
        .expect("a time")
        .parse()
        .expect("a time");
    eventually("the reminder", || told(&world).contains(&reminder));
    let late = SystemTime::from(due).elapsed().expect("it was due");
    assert!(late < Duration::from_secs(2), "{late:?}");
    let text = told(&world);
    let line = text
        .lines()
        .find(|line| line.contains(&reminder))
        .expect("a line");
    assert!(
        line.contains("→ you: reminder: look at the build"),
        "{line}"
    );
    assert!(!line.contains("(again)"), "{line}");
    desk.run(&format!("kill -9 {pid}"));
    fs::remove_file(world.beside("lines")).expect("a file");
    start(&mut desk, &world);
    assert_eq!(desk.run("attend reminders").ok(), "no reminders\n");
    assert!(!told(&world).contains(&reminder), "{}", told(&world));
}

#[test]
fn a_reminder_outlasts_its_loop_and_can_be_taken_back() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let pid = start(&mut desk, &world);
    let first = id(&desk.run("attend remind --json 3s first").json());
    let second = id(&desk.run("attend remind --json 3s second").json());
    desk.run(&format!("kill -9 {pid}"));
    let said = desk.run(&format!("attend reminders cancel {second}")).ok();
    assert_eq!(said, format!("{second} is cancelled\n"));
    let refused = desk
        .run(&format!("attend reminders cancel {second}"))
        .refused();
    assert!(refused.contains("there is no reminder"), "{refused}");
    let listed = desk.run("attend reminders --json").json();
    assert_eq!(listed["reminders"].as_array().map(Vec::len), Some(1));
    assert_eq!(listed["reminders"][0]["id"], first);
    start(&mut desk, &world);
    eventually("the first", || told(&world).contains(&first));
    assert!(!told(&world).contains(&second));
}

#[test]
#[ignore = "takes more than a minute, from when on a reminder calls itself late"]
fn a_reminder_that_came_due_while_the_loop_stood_still_says_how_late_it_is() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let pid = start(&mut desk, &world);
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
    assert!(!told(&world).contains(&id(&kept)));
    desk.run(&format!("kill -CONT {pid}")).ok();
    eventually("the reminder", || told(&world).contains(&id(&kept)));
    let text = told(&world);
    let line = text.lines().find(|line| line.contains(&id(&kept)));
    let line = line.expect("a line");
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
    start(&mut desk, &world);
    let said = program(
        &world,
        &["send", "--json", "--wait", "printed", &to, "there"],
    )
    .json();
    assert_eq!(said["states"], json!({ name.as_str(): "printed" }));
    let room = program(&world, &["send", "--wait", "seen", "--broadcast", "hello"]).refused();
    assert!(room.contains("nothing was sent"), "{room}");
}

#[test]
fn a_sender_is_told_the_truth_about_what_was_seen() {
    let world = World::new();
    let mut desk = Desk::new(&world, TWO);
    let name = desk.seat();
    let folder = world.beside("claude/projects/-repo");
    fs::create_dir_all(&folder).expect("a directory");
    let transcript = folder.join(format!("{TWO}.jsonl"));
    fs::write(&transcript, "").expect("a transcript");
    start(&mut desk, &world);
    let to = format!("@{name}");
    let dropped = program(
        &world,
        &["send", "--wait", "seen", "--timeout", "4s", &to, "dropped"],
    );
    assert!(
        dropped
            .err
            .contains(&format!("not seen within 4s by {name} (printed)")),
        "{}",
        dropped.err
    );
    // What a host does with a line that it was given.
    let wait = ["send", "--json", "--wait", "seen", &to, "taken up"];
    let mut sender = crate::desk::alone(&world, &wait)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("it starts");
    eventually("the line", || told(&world).contains("taken up"));
    let text = told(&world);
    let line = text
        .lines()
        .find(|line| line.contains("taken up"))
        .expect("a line");
    let millis = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("a time")
        .as_millis();
    let row = json!({
        "type": "attachment", "isSidechain": false, "sessionId": TWO, "uuid": millis.to_string(),
        "attachment": {
            "type": "queued_command", "commandMode": "task-notification",
            "prompt": format!(
                "<task-notification>\n<task-id>b1</task-id>\n<summary>Monitor event: \"attend\"</summary>\n\
                 <event>{line}</event>\n</task-notification>"
            ),
        },
    });
    fs::write(&transcript, row.to_string() + "\n").expect("a transcript");
    assert!(sender.wait().expect("it ends").success());
}
