//! A session in which nobody speaks, and one in which nobody reflects.

use std::fs::{File, FileTimes};
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::home::{scrub, stderr, stdout};
use crate::hosts_fake::{Beside, ONE, SILENCE, config, configure, millis};
use crate::live::eventually;
use crate::world::World;

/// It looks at each second, and nothing else does.
const ALONE: &str = "governor: {cooldown: 1s}\nengagement: {absolute_refractory: 1s}\nsensors:\n  idle: {interval: 1, min_interval: 1}\n  \
    git: {enabled: false}\n  context: {enabled: false}\n";

fn minutes(minutes: u64) -> Duration {
    Duration::from_mins(minutes)
}

/// A session that edited a file an hour ago, in a repository in which nothing was committed since,
/// and has waited for so long.
fn waiting(world: &World, waits: Duration) -> Beside<'_> {
    let log = world.repo().join(".git/logs/HEAD");
    let log = File::options().append(true).open(log).expect("a log");
    let before = SystemTime::now() - minutes(120);
    let times = FileTimes::new().set_modified(before);
    log.set_times(times).expect("a time");
    let mut beside = Beside::start(world);
    let prompt = json!({"type": "user", "message": {"role": "user", "content": "secret words"}});
    beside.row_ago(minutes(61), &prompt);
    beside.edited_ago(minutes(60), &world.repo().join("base"));
    beside.answer_ago(minutes(60), 20_000);
    since(&beside, waits);
    beside
}

/// The host waits since so long ago.
fn since(beside: &Beside<'_>, waits: Duration) {
    beside.record_of(&json!({"status": "idle", "statusUpdatedAt": millis(waits)}));
}

#[test]
fn an_idle_session_with_open_work_is_woken_once() {
    let world = World::new();
    configure(&world, ALONE);
    let mut beside = waiting(&world, minutes(51));
    let said = "nobody spoke for 51 minutes; 1 file edited and not committed";
    // The banner waits with it: nobody is woken for that.
    let lines = [beside.live.line(), beside.live.line()];
    assert!(lines[0].contains(" with idle, overlap, peers"), "{lines:?}");
    assert_eq!(
        lines[1],
        format!("[attend sensor=idle priority=high] {said}")
    );
    assert_eq!(beside.live.line_within(SILENCE), None);
    // The agent answers the line, and waits again.
    let event = format!(
        "<task-notification>\n<summary>Monitor event: \"attend\"</summary>\n<event>{}</event>\n</task-notification>",
        lines[1]
    );
    let origin = json!({"kind": "task-notification"});
    beside.row(&json!({"type": "user", "origin": origin, "message": {"content": event}}));
    beside.record("busy");
    eventually("it is taken back", || {
        beside.remembers("idle")["silence"]["holds"] == Value::Bool(false)
    });
    since(&beside, minutes(51));
    assert_eq!(beside.live.line_within(SILENCE), None);
    // Somebody speaks, and then nobody.
    beside.prompt("secret words");
    beside.record("busy");
    eventually("somebody spoke", || {
        beside.remembers("idle")["silence"]["told"] == 0
    });
    since(&beside, minutes(52));
    assert_eq!(
        beside.live.line(),
        "[attend sensor=idle priority=high] nobody spoke for 52 minutes; 1 file edited and not committed"
    );
}

#[test]
fn nobody_is_woken_for_ten_minutes_nor_where_everything_is_committed() {
    let world = World::new();
    configure(&world, ALONE);
    let mut beside = waiting(&world, minutes(11));
    eventually("it is told, and rides with nothing", || {
        beside.holds("idle", "nobody spoke for 11 minutes")
    });
    world.commit("base2");
    eventually("the work is done", || !beside.holds("idle", "nobody spoke"));
    since(&beside, minutes(58));
    assert_eq!(beside.live.line_within(SILENCE), None);
}

/// Runs `ways` in the session.
fn ways(world: &World, args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ways"));
    scrub(&mut command, world.home.path());
    command
        .args(args)
        .args(["--session", ONE])
        .env("CLAUDE_CONFIG_DIR", config(world))
        .current_dir(world.repo());
    let output = command.output().expect("ways starts");
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

#[test]
fn overdue_reflection_names_a_command_that_ends_it() {
    let world = World::new();
    configure(&world, ALONE);
    let mut beside = Beside::start(&world);
    beside.prompt("secret words");
    beside.answer(20_000);
    beside.record("busy");
    assert!(beside.live.line().contains(" with idle, overlap, peers"));
    assert_eq!(beside.live.line_within(SILENCE), None);
    beside.answer(74_000);
    let line = beside.live.line();
    assert_eq!(
        line,
        "[attend sensor=idle priority=medium] no reflection for 27% of the context window. Use `ways \
         show attend/reflection-overdue` for reflection guidance."
    );
    let command = line.split('`').nth(1).expect("a command");
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let body = ways(&world, &words);
    assert!(body.contains("Take one short turn"), "{body}");
    eventually("it is no longer overdue", || {
        let remembered = beside.remembers("idle");
        !remembered.is_null() && remembered["overdue"].is_null()
    });
    beside.answer(120_000);
    assert_eq!(beside.live.line_within(SILENCE), None);
    beside.answer(124_000);
    eventually("it is overdue again", || {
        !beside.remembers("idle")["overdue"].is_null()
    });
}
