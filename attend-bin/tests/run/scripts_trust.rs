//! What a project's file would have run, and who may allow it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use rustix::process::Signal;

use crate::desk::{Desk, ONE, person_says, program};
use crate::home::stdout;
use crate::live::{Live, eventually};
use crate::scripts;
use crate::world::World;

const PROJECT: &str = "sensors:\n  git: {enabled: false}\n  check: {script: tools/check.sh, interval: 1, min_interval: 1}\n";

/// A project that brings a script, which notes that it ran.
fn world() -> World {
    let world = World::new();
    script(&world, "one");
    configure(&world, PROJECT);
    world
}

fn script(world: &World, says: &str) {
    let text = format!("#!/bin/sh\n[ -e ran ] || echo '3|{says}'\necho {says} >>ran\n");
    scripts::program(&world.repo().join("tools/check.sh"), &text);
}

fn configure(world: &World, text: &str) {
    fs::create_dir_all(world.repo().join(".claude")).expect("a directory");
    fs::write(world.repo().join(".claude/attend.yaml"), text).expect("a file");
}

fn ran(world: &World) -> PathBuf {
    world.repo().join("ran")
}

fn allow(world: &World) -> Option<String> {
    let done = person_says(world, "attend config trust", "yes\n")?;
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
    Some(done.out)
}

/// Reads lines up to one that holds `words`.
#[track_caller]
fn line_with(live: &mut Live, words: &str) -> String {
    loop {
        let told = live.line();
        if told.contains(words) {
            return told;
        }
    }
}

/// The same on standard error.
#[track_caller]
fn error_with(live: &mut Live, words: &str) -> String {
    loop {
        let told = live.error();
        if told.contains(words) {
            return told;
        }
    }
}

#[test]
fn a_projects_script_runs_once_a_person_allowed_it_and_not_after_a_change() {
    let world = world();
    world.write_config("governor: {cooldown: 0}\nengagement: {absolute_refractory: 0}\n");
    let mut live = world.live(&["run"]);
    let notice = line_with(&mut live, "notice: ");
    error_with(&mut live, "sensors.check: it is not run: ");
    for part in [
        ".claude/attend.yaml:3:3: sensors.check: it is not run: ",
        "nobody allowed it on this machine; a person can allow it, at a terminal: attend config trust",
    ] {
        assert!(notice.contains(part), "{notice}");
    }
    assert!(!ran(&world).exists(), "it ran");
    let Some(out) = allow(&world) else { return };
    for part in [
        "check: not allowed yet\n  at each look:   ",
        "/project/tools/check.sh\n  content counts: ",
        "\n  as configured:  interval: 1, min_interval: 1\n",
        "allowed: check\n",
    ] {
        assert!(out.contains(part), "{out}");
    }
    line_with(&mut live, "sensor=check priority=medium] one");

    // Another content is something else.
    fs::remove_file(ran(&world)).expect("it ran");
    script(&world, "two");
    let notice = error_with(&mut live, "check: it is no longer what was allowed");
    assert!(notice.ends_with("attend config trust"), "{notice}");
    let noted = fs::read_to_string(ran(&world)).unwrap_or_default();
    assert!(!noted.contains("two"), "{noted}");
    let _ = fs::remove_file(ran(&world));
    let out = allow(&world).expect("a terminal");
    assert!(
        out.starts_with("check: no longer what was allowed\n"),
        "{out}"
    );
    line_with(&mut live, "sensor=check priority=medium] two");

    // So is another configuration, a cadence alone included.
    for (from, to) in [
        ("check.sh", "check.sh, deadline: 11"),
        ("interval: 1,", "interval: 2,"),
        ("interval: 1,", "interval: 1, threshold: 1,"),
    ] {
        configure(&world, &PROJECT.replacen(from, to, 1));
        let told = error_with(&mut live, "sensors.check: it is not run: ");
        assert!(told.contains("it is no longer what was allowed"), "{told}");
        configure(&world, PROJECT);
        let _ = fs::remove_file(ran(&world));
        eventually("it runs again as it was allowed", || ran(&world).exists());
    }
    live.signal(Signal::TERM);
    assert_eq!(live.ended().0, Some(0));
}

#[test]
fn what_is_allowed_is_private_and_can_be_shown_and_withdrawn() {
    let world = world();
    let show = || world.home.output(&["config", "trust", "--show"]);
    assert!(stdout(&show()).starts_with("check: not allowed yet\n"));
    if allow(&world).is_none() {
        return;
    }
    let file = world.beside("attend/state/trust/allowed.json");
    let mode = |path: &std::path::Path| {
        fs::metadata(path)
            .expect("it is there")
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!(mode(&file), 0o600);
    assert_eq!(mode(file.parent().expect("a directory")), 0o700);
    assert!(stdout(&show()).starts_with("check: allowed\n"));
    // What may run may also rest; what was allowed at rest may not run.
    let off = PROJECT.replace("check.sh,", "check.sh, enabled: false,");
    configure(&world, &off);
    assert!(stdout(&show()).starts_with("check: allowed\n"));
    world.home.output(&["config", "trust", "--withdraw"]);
    allow(&world).expect("a terminal");
    configure(&world, PROJECT);
    assert!(stdout(&show()).starts_with("check: no longer what was allowed\n"));
    allow(&world).expect("a terminal");

    // Nothing is asked where all is allowed.
    let out = stdout(&world.home.output(&["config", "trust"]));
    assert!(out.starts_with("check: allowed\n"), "{out}");
    let out = stdout(&world.home.output(&["config", "trust", "--withdraw"]));
    assert_eq!(out, "withdrawn: check\n");
    assert!(stdout(&show()).starts_with("check: not allowed yet\n"));

    // What is damaged allows nothing, and says what to do.
    fs::write(&file, "{").expect("a file");
    let output = world.home.output(&["config", "check"]);
    assert!(
        stdout(&output).contains("allowed.json is damaged"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn nobody_but_a_person_who_says_yes_can_allow_it() {
    let world = world();
    let mut desk = Desk::new(&world, ONE);
    for line in [
        "attend config trust",
        "echo yes | attend config trust",
        "script -qec 'env -i ATTEND_HOME=\"$ATTEND_HOME\" CLAUDE_CONFIG_DIR=\"$CLAUDE_CONFIG_DIR\" \"$A\" config trust' /dev/null >script.out 2>&1 <<<yes || { cat script.out >&2; false; }",
        "echo yes | setsid -w env -u CLAUDE_PID -u CLAUDE_CODE_SESSION_ID \"$A\" config trust",
    ] {
        let line = line.replace("<<<yes", "</dev/null");
        let done = desk.run(&line);
        assert_eq!(done.code, 1, "{line}: {} {}", done.out, done.err);
        assert!(
            done.err.contains("only a person can allow this"),
            "{line}: {}",
            done.err
        );
    }
    let refused = program(&world, &["config", "trust"]).refused();
    assert!(
        refused.contains("and this is no terminal; there: attend config trust --project '"),
        "{refused}"
    );
    for (answer, line) in [
        ("no\n", "attend config trust"),
        ("", "attend config trust"),
        (
            "yes\n",
            "CLAUDE_CODE_SESSION_ID=00000000-0000-4000-8000-000000000009 attend config trust",
        ),
    ] {
        let Some(done) = person_says(&world, line, answer) else {
            return;
        };
        assert_eq!(done.code, 1, "{line}: {} {}", done.out, done.err);
    }
    // What was wiped from the environment stands in that of an ancestor; one that lost its
    // ancestors has what it began with.
    let clean = "env -i HOME=\"$HOME\" ATTEND_HOME=\"$ATTEND_HOME\" \"$A\" config trust";
    let line = format!("CLAUDECODE=1 sh -c '{clean}; exit $?'");
    let done = person_says(&world, &line, "yes\n").expect("a terminal");
    assert_eq!(done.code, 1, "{} {}", done.out, done.err);
    assert!(
        done.err.contains("and this is below process "),
        "{}",
        done.err
    );
    let said = world.beside("orphan.out");
    let line = format!(
        "CLAUDECODE=1 setsid -f script -qec '{clean} </dev/null' '{}' </dev/null >/dev/null 2>&1",
        said.display()
    );
    assert_eq!(desk.run(&line).code, 0);
    eventually("it is refused", || {
        let told = fs::read_to_string(&said).unwrap_or_default();
        told.contains("and this is below process ")
    });
    assert!(!world.beside("attend/state/trust/allowed.json").exists());
    world.once();
    assert!(!ran(&world).exists(), "it ran");
}

#[test]
fn what_a_project_changes_of_the_users_own_script_needs_to_be_allowed_too() {
    let world = world();
    scripts::program(&world.beside("mine.sh"), "#!/bin/sh\necho '3|mine'\n");
    world.write_config("sensors:\n  git: {enabled: false}\n  check: {script: ~/mine.sh}\n");
    let told = world.once();
    assert_eq!(
        told.count("sensor=check priority=medium] mine"),
        1,
        "{told:?}"
    );
    assert!(!ran(&world).exists(), "it ran");
    eventually("it is told", || {
        told.errors.contains("sensors.check: it is not run")
    });
}
