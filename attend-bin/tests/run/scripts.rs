//! Scripts as sensors of a loop that runs: named, heard, tried, and gone with it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::Signal;

use crate::home::{stderr, stdout};
use crate::live::{eventually, left_out};
use crate::world::World;

/// Puts an executable file beside the repository, written by a process of its own: what another
/// test starts meanwhile would hold it open, and what is open for writing cannot be run.
pub(crate) fn program(path: &Path, text: &str) -> PathBuf {
    fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
    let mut writer = Command::new("sh");
    writer.args([
        "-c",
        "printf %s \"$1\" >\"$2.new\" && chmod 755 \"$2.new\" && mv \"$2.new\" \"$2\"",
        "sh",
    ]);
    let written = writer.arg(text).arg(path).status().expect("a shell");
    assert!(written.success(), "a script");
    path.to_owned()
}

/// Waits until the process that is written down in `file` is gone.
#[track_caller]
fn gone(file: &Path) {
    let pid = fs::read_to_string(file).expect("a process");
    let stat = format!("/proc/{}/stat", pid.trim());
    eventually("the process is gone", || {
        !fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "))
    });
}

/// A stream that notes each of its starts, and passes on what is written to a pipe.
const STEADY: &str = "#!/bin/sh\necho started >>starts\nexec tail -n +1 -f said\n";

#[test]
fn a_script_that_is_named_while_attend_runs_is_a_sensor_and_nothing_else_starts_anew() {
    let world = World::new();
    world.write("said", "");
    program(&world.beside("attend/config/steady.sh"), STEADY);
    let steady = "sensors:\n  git: {enabled: false}\n  steady: {script: steady.sh, protocol: stream, min_interval: 1}\n";
    world.write_config(steady);
    let mut live = world.live(&["run"]);
    assert!(live.line().contains("steady"));
    let starts = world.repo().join("starts");
    eventually("it starts", || starts.exists());

    program(
        &world.beside("bin/hello.sh"),
        "#!/bin/sh\nif [ -e hello ]; then\n    echo \"3|hello from $(basename \"$PWD\")\"\n    rm hello\nfi\n",
    );
    world.write("hello", "");
    world.write_config(&format!("{steady}  hello: {{script: ~/bin/hello.sh}}\n"));
    assert_eq!(
        live.line(),
        "[attend sensor=hello priority=medium] hello from project"
    );
    world.write("said", "3|it goes on\n");
    assert_eq!(
        live.line(),
        "[attend sensor=steady priority=medium] it goes on"
    );
    assert_eq!(fs::read_to_string(&starts).expect("a note"), "started\n");
    live.signal(Signal::TERM);
    assert_eq!(live.ended(), (Some(0), Vec::new(), String::new()));
}

#[test]
fn a_stream_in_another_language_is_heard_as_it_happens() {
    if Command::new("python3").arg("--version").output().is_err() {
        left_out("a stream in Python", "python3 is not installed");
        return;
    }
    let world = World::new();
    let fifo = world.beside("go");
    let made = Command::new("mkfifo").arg(&fifo).status();
    assert!(made.is_ok_and(|status| status.success()), "a pipe");
    let text = "import json, sys\nfor line in open(sys.argv[1]):\n    print(json.dumps({'magnitude': 3, 'text': line.strip(), 'key': 'go'}), flush=True)\nimport time\ntime.sleep(1000)\n";
    fs::write(world.beside("go.py"), text).expect("a file");
    world.write_config(
        "sensors:\n  git: {enabled: false}\n  go: {command: [python3, ~/go.py, ~/go], protocol: stream, min_interval: 1}\n",
    );
    let mut live = world.live(&["run"]);
    live.line();
    fs::write(&fifo, "it happened\n").expect("it listens");
    assert_eq!(
        live.line(),
        "[attend sensor=go priority=medium] it happened"
    );
}

#[test]
fn a_trial_tells_what_would_become_of_each_line_and_touches_nothing() {
    let world = World::new();
    let said = "echo kept >>\"$ATTEND_STATE_DIR/x\"; cat \"$ATTEND_STATE_DIR/x\" >&2; echo '3|one'; echo '0.5|two'; echo bad";
    program(&world.beside("a.sh"), &format!("#!/bin/sh\n{said}\n"));
    program(
        &world.beside("b.sh"),
        &format!("#!/bin/sh\n{said}\nexec sleep 1000\n"),
    );
    world
        .write_config("sensors:\n  a: {script: ~/a.sh}\n  b: {script: ~/b.sh, protocol: stream}\n");
    for name in ["a", "b"] {
        for _ in 0..2 {
            let output = world.home.output(&["sensors", "try", name]);
            assert!(output.status.success(), "{}", stderr(&output));
            let text = stdout(&output);
            let parts = [
                "warning: a line does not count, it is neither `magnitude|text` nor a JSON object: bad\n",
                " 3.0  one\n      shown\n",
                " 0.5  two\n",
                &format!("\nIt would print:\n\n[attend sensor={name} priority=medium] one\n"),
            ];
            for part in parts {
                assert!(text.contains(part), "{name}, {part:?}: {text}");
            }
            assert_eq!(text.matches("stderr: kept").count(), 1, "{name}: {text}");
        }
    }
    assert!(!world.beside("attend/state").exists(), "it leaves nothing");
}

#[test]
fn how_a_script_fares_is_told_with_its_errors() {
    let world = World::new();
    program(
        &world.beside("a.sh"),
        "#!/bin/sh\necho '1|x'\necho 'no token' >&2\nexit 3\n",
    );
    world.write_config("sensors:\n  git: {enabled: false}\n  a: {script: ~/a.sh}\n");
    let told = world.once();
    assert!(
        told.errors
            .contains("a: the script ended with exit code 3: no token"),
        "{told:?}"
    );
    let text = stdout(&world.home.output(&["sensors", "--verbose"]));
    for part in [
        "a script sensor, healthy, looked ",
        "warning: the script ended with exit code 3: no token\n",
        "  stderr: no token\n",
    ] {
        assert!(text.contains(part), "{part:?}: {text}");
    }
}

#[test]
fn nothing_is_left_when_attend_ends_or_is_killed() {
    for signal in [Signal::TERM, Signal::KILL] {
        let world = World::new();
        let hangs = |name: &str| {
            let text = format!(
                "#!/bin/sh\ntrap '' TERM HUP INT\nsleep 1000 & echo $! >{name}.child\nsetsid sh -c 'echo $$ >{name}.apart; exec sleep 1000' </dev/null >/dev/null 2>&1 &\necho $$ >{name}.pid\nwhile :; do wait; done\n"
            );
            program(&world.beside(&format!("{name}.sh")), &text);
        };
        hangs("lines");
        hangs("stream");
        world.write_config(
            "sensors:\n  git: {enabled: false}\n  lines: {script: ~/lines.sh, deadline: 60}\n  stream: {script: ~/stream.sh, protocol: stream}\n",
        );
        let mut live = world.live(&["run"]);
        live.line();
        let files = ["pid", "child", "apart"];
        let files = files.map(|what| ["lines", "stream"].map(|name| format!("{name}.{what}")));
        let files = files
            .concat()
            .into_iter()
            .map(|name| world.repo().join(name));
        let files: Vec<PathBuf> = files.collect();
        eventually("both run", || {
            files
                .iter()
                .all(|file| fs::read_to_string(file).is_ok_and(|pid| pid.ends_with('\n')))
        });
        live.signal(signal);
        let (code, _, _) = live.ended();
        assert_eq!(code, (signal == Signal::TERM).then_some(0));
        for file in &files {
            gone(file);
        }
    }
}

#[test]
fn a_script_that_hangs_holds_nobody_up() {
    let world = World::new();
    program(&world.beside("hangs.sh"), "#!/bin/sh\nexec sleep 1000\n");
    program(
        &world.beside("works.sh"),
        "#!/bin/sh\n[ ! -e go ] || echo '3|it works'\n",
    );
    world.write_config(
        "sensors:\n  git: {enabled: false}\n  hangs: {script: ~/hangs.sh, deadline: 60}\n  works: {script: ~/works.sh, interval: 1, min_interval: 1}\n",
    );
    let mut live = world.live(&["run"]);
    live.line();
    world.write("go", "");
    assert_eq!(
        live.line(),
        "[attend sensor=works priority=medium] it works"
    );
}

#[test]
fn the_example_does_what_it_says() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/large-files.sh");
    let Ok(text) = fs::read_to_string(&example) else {
        return; // This package was unpacked alone.
    };
    let world = World::new();
    world.write("small.txt", "small");
    fs::create_dir(world.repo().join("data")).expect("a directory");
    let dump = fs::File::create(world.repo().join("data/dump.sql"));
    dump.and_then(|dump| dump.set_len(3 << 20)).expect("a dump");
    let script = example.display();
    world.write_config(&format!("sensors:\n  large-files: {{script: {script}}}\n"));
    let output = world.home.output(&["sensors", "try", "large-files"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let comment: String = text
        .lines()
        .take_while(|line| line.starts_with('#'))
        .map(|line| line.trim_start_matches('#').to_owned() + "\n")
        .collect();
    for line in stdout(&output).lines().filter(|line| !line.is_empty()) {
        assert!(comment.contains(&format!("{line}\n")), "{line}");
    }
    // Each is told once.
    let told = world.once();
    assert_eq!(told.count("data/dump.sql takes 3072 KiB"), 1, "{told:?}");
    assert_eq!(world.once().count("dump.sql"), 0);
}
