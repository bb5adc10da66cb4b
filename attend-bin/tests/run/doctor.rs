//! `attend doctor`: each thing that can be amiss, made so for real, is found with what to do.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::desk::{Desk, Done, ONE, TWO, program};
use crate::doctor_store::database;
use crate::home::{stderr, stdout};
use crate::world::World;

/// What `attend doctor` found.
pub(crate) struct Found(Value);

impl Found {
    /// What `command`, a doctor that prints JSON, found.
    #[track_caller]
    pub(crate) fn by(command: &mut Command) -> Self {
        let output: Output = command.output().expect("it starts");
        let errors = stderr(&output);
        Self::read(output.status.code(), &stdout(&output), &errors)
    }

    #[track_caller]
    fn of(done: &Done) -> Self {
        Self::read(Some(done.code), &done.out, &done.err)
    }

    #[track_caller]
    fn read(code: Option<i32>, out: &str, err: &str) -> Self {
        let report: Value = serde_json::from_str(out).unwrap_or_else(|_| panic!("{out}{err}"));
        assert_eq!(err, "");
        let checks = report["checks"].as_array().expect("a list");
        let findings = checks.iter().filter(|check| check["outcome"] == "finding");
        let count = findings.count();
        assert_eq!(report["findings"], count);
        assert_eq!(code, Some(if count == 0 { 0 } else { 3 }), "{report:#}");
        Self(report)
    }

    /// Holds that the check `name` found something to mend whose text holds `words` and whose
    /// remedy holds `remedy`.
    #[track_caller]
    pub(crate) fn mends(&self, name: &str, words: &str, remedy: &str) {
        let checks = self.0["checks"].as_array().expect("a list").iter();
        let holds = |check: &Value, key: &str, words: &str| {
            check[key].as_str().is_some_and(|text| text.contains(words))
        };
        let mut found =
            checks.filter(|check| check["name"] == name && check["outcome"] == "finding");
        let is_told =
            found.any(|check| holds(check, "text", words) && holds(check, "remedy", remedy));
        assert!(is_told, "{name}: {words}: {remedy}: {:#}", self.0);
    }

    /// Holds that nothing of that name is to be mended.
    #[track_caller]
    pub(crate) fn is_well(&self, name: &str) {
        assert_eq!(self.count(name), 0, "{name}: {:#}", self.0);
    }

    /// How many things of that name are to be mended.
    pub(crate) fn count(&self, name: &str) -> usize {
        let checks = self.0["checks"].as_array().expect("a list").iter();
        let ill = checks.filter(|check| check["name"] == name && check["outcome"] == "finding");
        ill.count()
    }
}

/// The doctor without a host, not started yet.
fn doctor(world: &World) -> Command {
    world.home.attend(&["doctor", "--json"])
}

#[track_caller]
fn inside(desk: &mut Desk) -> Found {
    Found::of(&desk.run("attend doctor --json"))
}

fn data(world: &World) -> std::path::PathBuf {
    world.beside("attend/data")
}

#[test]
fn a_session_that_has_everything_has_nothing_to_mend() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let found = inside(&mut desk);
    found.mends(
        "way-in",
        "nothing brings lines or mail",
        "attend plugin install",
    );
    for name in [
        "home", "store", "watching", "host", "session", "ways", "config", "scripts", "plugin",
    ] {
        found.is_well(name);
    }
    desk.run("attend plugin install").ok();
    let (pid, _delivered) = desk.reader();
    let found = desk.run("attend doctor");
    let text = found.ok();
    assert!(text.ends_with("\nnothing to mend\n"), "{text}");
    let live = format!("live: the Monitor tool (process {pid})");
    assert!(text.contains(&live), "{text}");
    assert!(text.contains(&format!("session   {ONE}, ")), "{text}");
}

#[test]
fn the_way_in_is_told_apart() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let start = json!({"session_id": ONE, "hook_event_name": "SessionStart", "source": "startup"});
    let input = world.beside("start");
    fs::write(&input, start.to_string()).expect("a file");
    desk.run(&format!("attend hook <'{}'", input.display()))
        .ok();
    let text = desk.run("attend doctor").ok();
    assert!(text.contains("live: hooks\n"), "{text}");
    desk.run("export CLAUDE_PLUGIN_ROOT=/x").ok();
    let (pid, _delivered) = desk.reader();
    let text = desk.run("attend doctor").ok();
    let live = format!("live: the plugin's monitor (process {pid}), hooks\n");
    assert!(text.contains(&live), "{text}");
}

#[test]
fn a_home_that_is_missing_or_no_directory_is_found() {
    let world = World::new();
    let mut command = doctor(&world);
    command.env_remove("ATTEND_HOME").env_remove("HOME");
    Found::by(&mut command).mends("home", "neither ATTEND_HOME nor HOME", "set ATTEND_HOME");
    let file = world.beside("file");
    fs::write(&file, "").expect("a file");
    let found = Found::by(doctor(&world).env("ATTEND_HOME", &file));
    let (state, mail) = (file.join("state"), file.join("data"));
    let said = format!(": state in {}, mail in {}", state.display(), mail.display());
    found.mends("home", &said, "set ATTEND_HOME to a directory of your own");
    found.mends("home", "nothing can be written", "allow writing there");
    // It only looks.
    let home = world.beside("nowhere");
    Found::by(doctor(&world).env("ATTEND_HOME", &home)).is_well("home");
    assert!(!home.exists());
}

#[test]
fn a_store_that_is_damaged_or_anothers_or_newer_is_found() {
    let world = World::new();
    fs::create_dir_all(data(&world)).expect("a directory");
    let store = data(&world).join("mail.db");
    let remedy = "move it and the files beside it";
    fs::write(
        &store,
        "no store at all, and long enough to be looked at. ".repeat(40),
    )
    .expect("a file");
    Found::by(&mut doctor(&world)).mends("store", "the mail store is damaged", remedy);
    for version in [0, 7] {
        fs::write(&store, database(version, 0)).expect("a file");
        let said = "the database of another program";
        Found::by(&mut doctor(&world)).mends("store", said, remedy);
        // Nobody writes into it, either.
        let refused = program(&world, &["send", "#open", "hello"]).refused();
        assert!(refused.contains(said), "{refused}");
        assert_eq!(fs::read(&store).expect("a file"), database(version, 0));
    }
    fs::write(&store, database(2_000, 0x6174_7464)).expect("a file");
    let found = Found::by(&mut doctor(&world));
    found.mends(
        "versions",
        "of version 2, and this attend knows 1",
        "bring this attend up to date",
    );
    fs::remove_file(&store).expect("a file");
    std::os::unix::fs::symlink("/etc/hostname", &store).expect("a link");
    Found::by(&mut doctor(&world)).mends("store", "it is a symbolic link", "move away");
}

#[test]
fn a_missing_host_and_a_session_that_nobody_knows_are_found() {
    let world = World::new();
    let found = Found::by(&mut doctor(&world));
    found.mends("host", "there is no ", "start Claude Code once");
    // One thing is to be mended, and said once.
    found.is_well("session");
    fs::create_dir_all(world.beside("claude")).expect("a directory");
    let found = Found::by(&mut doctor(&world));
    found.mends(
        "host",
        "no host is above this process",
        "type `! attend doctor`",
    );
    let mut desk = Desk::start(&world);
    let found = inside(&mut desk);
    found.is_well("host");
    found.mends("session", "has not said yet", "after the first prompt");
}

/// Lets the record of the host say that it is of that version.
fn versioned(world: &World, desk: &Desk, version: &str) {
    let path = world.beside(&format!("claude/sessions/{}.json", desk.pid()));
    let text = fs::read_to_string(&path).expect("a record");
    let mut record: Value = serde_json::from_str(&text).expect("JSON");
    record["version"] = version.into();
    fs::write(&path, record.to_string()).expect("a record");
}

#[test]
fn an_old_host_is_found() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    for (version, is_old) in [
        ("2.1.331", false),
        ("2.1.310", false),
        ("2.1.300", true),
        ("2.0.999", true),
    ] {
        versioned(&world, &desk, version);
        let found = inside(&mut desk);
        if is_old {
            found.mends(
                "versions",
                &format!("Claude Code {version} is old"),
                "claude update",
            );
        } else {
            found.is_well("versions");
        }
    }
    desk.run("export DISABLE_TELEMETRY=1").ok();
    let found = inside(&mut desk);
    found.mends(
        "versions",
        "has no Monitor while DISABLE_TELEMETRY is set",
        "claude update",
    );
}

#[test]
fn broken_ways_and_mistakes_and_scripts_that_nobody_allowed_are_found() {
    let world = World::new();
    let found = Found::by(&mut doctor(&world));
    for name in ["ways", "config", "scripts"] {
        found.is_well(name);
    }
    let ways = world.repo().join(".claude/ways");
    fs::create_dir_all(&ways).expect("a directory");
    fs::write(ways.join("x.md"), "---\nname: x\ntriger: 1\n---\nbody\n").expect("a file");
    let settings = "sensors:\n  gti: {enabled: false}\n  mine: {script: ./look.sh}\n";
    fs::write(world.repo().join(".claude/attend.yaml"), settings).expect("a file");
    fs::write(world.repo().join("look.sh"), "#!/bin/sh\n").expect("a file");
    let found = Found::by(&mut doctor(&world));
    found.mends("ways", "x.md:", "ways lint");
    found.mends("config", "attend.yaml:2", "attend config check");
    found.mends(
        "scripts",
        "1 script of this project not allowed",
        "attend config trust",
    );
}

#[test]
fn a_file_system_that_tells_of_no_changes_is_found() {
    let world = World::new();
    let found = Found::by(doctor(&world).args(["--project", "/proc"]));
    found.mends(
        "watching",
        "(proc) does not tell of all changes",
        "a local file system",
    );
    let found = Found::by(doctor(&world).args(["--project", "/no/such/place"]));
    found.mends("project", "/no/such/place", "--project DIR");
}

#[test]
fn a_sensor_that_fails_is_found() {
    let world = World::new();
    world.configure_user("sensors:\n  mine: {command: [/no/such/program]}\n");
    let output = world.home.output(&["run", "--once"]);
    assert!(output.status.success(), "{}", stderr(&output));
    Found::by(&mut doctor(&world)).mends("sensors", "mine is ", "attend sensors --verbose");
}

#[test]
fn a_plugin_of_another_attend_and_one_of_somebody_else_are_found() {
    let world = World::new();
    let found = Found::by(&mut doctor(&world));
    found.is_well("plugin");
    world.home.output(&["plugin", "install"]);
    let dir = data(&world).join("plugin");
    fs::remove_file(dir.join("hooks/hooks.json")).expect("a file");
    let found = Found::by(&mut doctor(&world));
    found.mends(
        "plugin",
        "of another attend, or not whole",
        "attend plugin install",
    );
    fs::write(dir.join("hooks/hooks.json"), "{}").expect("a file");
    let found = Found::by(&mut doctor(&world));
    found.mends(
        "plugin",
        "hooks/hooks.json is not as attend wrote it",
        "move it away",
    );
}

/// A hook of the session `session` for a prompt, with a transcript that holds nothing.
fn prompted(world: &World, desk: &mut Desk, session: &str) -> String {
    let folder = world.beside("claude/projects/-repo");
    fs::create_dir_all(&folder).expect("a directory");
    let transcript: &Path = &folder.join(format!("{session}.jsonl"));
    fs::write(transcript, "").expect("a transcript");
    let event = json!({
        "session_id": session, "hook_event_name": "UserPromptSubmit", "prompt": "go on",
        "transcript_path": transcript, "cwd": world.repo(),
    });
    let input = world.beside("prompt");
    fs::write(&input, event.to_string()).expect("a file");
    desk.run(&format!("attend hook <'{}'", input.display()))
        .ok()
}

#[test]
fn what_was_shown_and_never_seen_is_found() {
    const THREE: &str = "00000000-0000-4000-8000-000000000003";
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let name = desk.seat();
    program(&world, &["send", &format!("@{name}"), "ship it"]).ok();
    assert!(prompted(&world, &mut desk, ONE).contains("ship it"));
    inside(&mut desk).is_well("mail");
    drop(desk);
    let mut desk = Desk::new(&world, TWO);
    assert!(prompted(&world, &mut desk, TWO).contains("(again)"));
    drop(desk);
    let mut desk = Desk::new(&world, THREE);
    assert_eq!(prompted(&world, &mut desk, THREE), "");
    inside(&mut desk).mends("mail", "shown and never seen", "attend inbox --unread");
}
