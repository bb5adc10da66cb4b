//! Cleaning up what is remembered of the ways of sessions: only of those that are gone.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::desk::{Desk, Done, ONE, TWO, program};
use crate::hooks::{context, hook, prompt};
use crate::live::eventually;
use crate::world::World;

const NOTHING: &str = "0 trays, 0 messages of projects that are gone\n";

/// A session that was shown a way, and so was a subagent of it.
struct Shown {
    world: World,
    desk: Desk,
}

impl Shown {
    fn new() -> Self {
        let world = World::new();
        let config = world.beside("attend/config");
        fs::create_dir_all(&config).expect("a directory");
        fs::write(config.join("config.yaml"), "cleanup:\n  interval: 1s\n").expect("a file");
        let ways = world.repo().join(".claude/ways");
        fs::create_dir_all(&ways).expect("a directory");
        let way = |trigger: &str| {
            format!("---\nname: w\ndescription: d\ntrigger: {trigger}\n---\nLook first.\n")
        };
        let prompted = way("{ type: UserPromptSubmit, keywords: [fix] }");
        fs::write(ways.join("prompted.md"), prompted).expect("a way");
        let called = way("{ type: PreToolUse, tools: [Bash] }\nscope: subagent");
        fs::write(ways.join("called.md"), called).expect("a way");
        fs::create_dir_all(world.beside("claude/projects/-repo")).expect("a directory");
        fs::write(transcript(&world), "").expect("a transcript");
        let mut desk = Desk::new(&world, ONE);
        let told = context(hook(&mut desk, &world, &prompt()), "UserPromptSubmit");
        assert_eq!(told, "Look first.\n");
        let below = json!({
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"},
            "agent_id": "a1",
        });
        let told = context(hook(&mut desk, &world, &below), "PreToolUse");
        assert_eq!(told, "Look first.\n");
        assert!(state(&world).join("subagents/a1").exists());
        Self { world, desk }
    }

    /// Its process ends, and its transcript goes.
    fn goes(self) -> World {
        drop(self.desk);
        fs::remove_file(transcript(&self.world)).expect("it was there");
        self.world
    }
}

fn transcript(world: &World) -> PathBuf {
    let folder = world.beside("claude/projects/-repo");
    folder.join(format!("{ONE}.jsonl"))
}

fn state(world: &World) -> PathBuf {
    world.beside("attend/state/ways").join(ONE)
}

fn is_noted(world: &World) -> bool {
    state(world).join("gone.json").exists()
}

fn cleanup(world: &World, flags: &[&str]) -> Done {
    let args: Vec<&str> = ["cleanup"].iter().chain(flags).copied().collect();
    program(world, &args)
}

fn counted(world: &World, flags: &[&str]) -> Value {
    let flags: Vec<&str> = flags.iter().chain(&["--json"]).copied().collect();
    cleanup(world, &flags).json()["sessions"].clone()
}

/// Waits until it was gone for long enough, which is asked for without a change.
fn is_due(world: &World) {
    eventually("it is due", || counted(world, &["--dry-run"]) == 1);
}

#[test]
fn what_was_shown_to_a_session_goes_the_second_time_that_nothing_is_left_of_it() {
    let shown = Shown::new();
    assert_eq!(cleanup(&shown.world, &[]).ok(), NOTHING, "it lives");
    let world = shown.goes();
    assert_eq!(
        cleanup(&world, &["--dry-run"]).ok(),
        format!("would go: {NOTHING}")
    );
    assert!(!is_noted(&world));
    assert_eq!(cleanup(&world, &[]).ok(), NOTHING);
    assert!(is_noted(&world));
    is_due(&world);
    let went = "0 trays, 0 messages of projects that are gone; what was shown of ways in 1 session that the host forgot\n";
    let told = cleanup(&world, &["--dry-run"]).ok();
    assert_eq!(told, format!("would go: {went}"));
    assert!(state(&world).join("subagents").exists());
    assert_eq!(cleanup(&world, &[]).ok(), went);
    let ways = world.beside("attend/state/ways");
    assert_eq!(fs::read_dir(ways).expect("it is there").count(), 0);
    assert_eq!(cleanup(&world, &["--all"]).ok(), NOTHING);
}

#[test]
fn a_session_that_may_come_back_keeps_what_it_was_shown() {
    let shown = Shown::new();
    let Shown { world, desk } = shown;
    // Before its first row it has no transcript, and after its end it has one.
    fs::remove_file(transcript(&world)).expect("it was there");
    assert_eq!(counted(&world, &[]), 0);
    assert!(!is_noted(&world), "its process lives");
    drop(desk);
    fs::write(transcript(&world), "").expect("a transcript");
    assert_eq!(counted(&world, &[]), 0);
    assert!(!is_noted(&world), "it can be resumed");
    fs::remove_file(transcript(&world)).expect("it was there");
    cleanup(&world, &[]).ok();
    is_due(&world);
    // What cannot be read is unknown.
    let (projects, aside) = (world.beside("claude/projects"), world.beside("aside"));
    fs::rename(&projects, &aside).expect("it was there");
    assert_eq!(counted(&world, &["--all"]), 0);
    fs::rename(&aside, &projects).expect("it was there");
    assert_eq!(counted(&world, &["--dry-run"]), 1);
    // Another folder has it: it is seen for the first time once more.
    let elsewhere = projects.join("-elsewhere");
    fs::create_dir(&elsewhere).expect("a directory");
    fs::write(elsewhere.join(format!("{ONE}.jsonl")), "").expect("a transcript");
    assert_eq!(counted(&world, &[]), 0);
    fs::remove_dir_all(&elsewhere).expect("it was there");
    assert_eq!(counted(&world, &["--dry-run"]), 0);
    // Of one that does not say which host knows it, nobody knows.
    cleanup(&world, &[]).ok();
    is_due(&world);
    fs::remove_file(state(&world).join("host")).expect("it was there");
    assert_eq!(counted(&world, &["--all"]), 0);
    assert!(state(&world).exists());
}

#[test]
fn a_running_loop_forgets_them_by_itself() {
    let world = Shown::new().goes();
    let mut stays = Desk::new(&world, TWO);
    let lines = world.beside("lines");
    let run = format!("attend run >'{}' 2>&1 & echo", lines.display());
    assert_eq!(stays.run(&run).code, 0);
    eventually("it is cleaned up", || !state(&world).exists());
}

#[test]
fn an_index_goes_with_the_last_of_its_files() {
    let shown = Shown::new();
    let Shown { world, mut desk } = shown;
    let ways = world.repo().join(".claude/ways");
    for n in 0..60 {
        let way = format!(
            "---\nname: w\ndescription: d\ntrigger: {{ type: attend, signals: [s{n}] }}\n---\n"
        );
        fs::write(ways.join(format!("w{n}.md")), way).expect("a way");
    }
    assert_eq!(hook(&mut desk, &world, &prompt()).ok(), "");
    let indexes = || {
        fs::read_dir(world.beside("attend/state/ways-index"))
            .expect("it is there")
            .count()
    };
    assert_eq!(indexes(), 1);
    assert_eq!(cleanup(&world, &[]).ok(), NOTHING);
    fs::remove_dir_all(&ways).expect("it was there");
    let went = "0 trays, 0 messages of projects that are gone; 1 index of ways that are gone\n";
    let told = cleanup(&world, &["--dry-run"]).ok();
    assert_eq!((told, indexes()), (format!("would go: {went}"), 1));
    assert_eq!((cleanup(&world, &[]).ok().as_str(), indexes()), (went, 0));
}
