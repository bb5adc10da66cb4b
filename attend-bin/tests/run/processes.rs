//! Builds beside a running attend: what others start, and what `attend watch` runs.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;

use crate::home::{scrub, stderr, stdout};
use crate::live::{Live, eventually};
use crate::world::World;

/// A loop that looks often, and at builds alone.
fn world() -> World {
    let world = World::new();
    world.configure_user(
        "engagement: {absolute_refractory: 0s, peak_multiplier: 1}\n\
         governor: {cooldown: 0s, max_per_window: 100}\n\
         sensors:\n  git: {enabled: false}\n  process: {interval: 1, min_interval: 1, threshold: 0.5}\n",
    );
    world
}

/// What a loop told: in lines, and as what it holds back.
struct Told<'a> {
    world: &'a World,
    live: Live,
    lines: Vec<String>,
}

impl Told<'_> {
    /// Waits until it told what begins and ends so.
    #[track_caller]
    fn eventually(&mut self, begins: &str, ends: &str) {
        eventually(&format!("{begins} … {ends}"), || {
            while let Some(line) = self.live.line_within(Duration::ZERO) {
                self.lines.push(line);
            }
            let held = self.process()["held"].take();
            let held = held.as_array().into_iter().flatten();
            let held = held.filter_map(|event| event["text"].as_str());
            let lines = self.lines.iter().map(String::as_str);
            let mut told = held.chain(lines);
            told.any(|text| {
                let at = text.find(begins);
                at.is_some_and(|at| text.split_at(at).1.contains(ends))
            })
        });
    }

    /// The line that names a command.
    #[track_caller]
    fn live_line(&mut self) -> String {
        let mut lines = self.lines.iter();
        match lines.find(|line| line.contains('`')) {
            Some(line) => line.clone(),
            None => self.live.line(),
        }
    }

    /// What `attend status` says of the sensor.
    fn process(&self) -> Value {
        let status = self.world.status();
        let mut sensors = status.0["sensors"].as_array().into_iter().flatten();
        let process = sensors.find(|sensor| sensor["name"] == "process");
        process.cloned().expect("the sensor")
    }
}

fn start(world: &World) -> Told<'_> {
    let mut live = world.live(&["run"]);
    assert!(live.line().contains("watches project with process"));
    eventually("it looked", || {
        let checkpoint = world.checkpoint().unwrap_or(Value::Null);
        !checkpoint["snapshots"]["process"].is_null()
    });
    let lines = Vec::new();
    Told { world, live, lines }
}

/// A shell that is called `make`.
fn make(world: &World) -> PathBuf {
    let bin = world.beside("bin");
    fs::create_dir_all(&bin).expect("a directory");
    let make = bin.join("make");
    if !make.exists() {
        symlink("/bin/sh", &make).expect("a link");
    }
    make
}

/// It runs `script` in the project once its input ends.
fn builds(world: &World, script: &str) -> Child {
    let mut command = Command::new(make(world));
    scrub(&mut command, world.home.path());
    command.args(["-c", &format!("read line; {script}")]);
    command.current_dir(world.repo()).stdin(Stdio::piped());
    command.spawn().expect("it starts")
}

fn let_end(mut child: Child) {
    drop(child.stdin.take());
    child.wait().expect("it ends");
}

/// Whether this kernel tells how a process of others ended.
fn tells_codes() -> bool {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit());
    let mut number = || numbers.next().and_then(|text| text.parse::<u32>().ok());
    (number(), number()) >= (Some(6), Some(15))
}

#[test]
fn what_others_build_is_told_of_with_its_code_where_the_kernel_tells_it() {
    let world = world();
    let mut told = start(&world);
    for (script, how, code) in [
        ("exit 3", "make failed after ", ", exit code 3"),
        ("exit 0", "make finished after ", ", exit code 0"),
        ("kill -KILL $$", "make was ended by signal 9 after ", " s"),
    ] {
        let make = builds(&world, script);
        told.eventually("make started", "");
        let_end(make);
        if tells_codes() {
            told.eventually(how, code);
        } else {
            told.eventually("make ended after ", ", exit code unknown");
        }
    }
}

#[test]
fn a_build_of_many_children_is_one_start_and_one_result() {
    let world = world();
    let mut told = start(&world);
    // Each child is a tool by itself, and seen while it runs.
    let script = format!(
        "for n in 1 2 3 4 5 6 7 8 9 10; do '{}' -c 'sleep 2' & done; wait; exit 2",
        make(&world).display()
    );
    let child = builds(&world, &script);
    told.eventually("make started", "");
    let_end(child);
    let how = if tells_codes() { "failed" } else { "ended" };
    told.eventually(&format!("make {how} after "), "");
    assert_eq!(told.process()["reported"], 2, "{}", told.process());
}

#[test]
fn a_real_make_is_told_of() {
    let found = Command::new("make").arg("--version").output();
    if !found.is_ok_and(|output| output.status.success()) {
        return crate::live::left_out("a real make", "needs make");
    }
    let world = world();
    world.write("Makefile", "all:\n\t@read line; exit 1\n");
    let mut told = start(&world);
    let mut command = Command::new("make");
    scrub(&mut command, world.home.path());
    command.args(["-s", "all"]).current_dir(world.repo());
    let command = command.stdin(Stdio::piped()).stderr(Stdio::null());
    let make = command.spawn().expect("it starts");
    told.eventually("make all started", "");
    let_end(make);
    let code = if tells_codes() { "2" } else { "unknown" };
    told.eventually("make all ", &format!(", exit code {code}"));
}

#[test]
fn a_watched_command_is_told_of_once_with_a_command_that_runs() {
    let world = world();
    let mut told = start(&world);
    let watch = |script: &str| {
        let output = world.home.output(&["watch", "--", "sh", "-c", script]);
        output.status.code()
    };
    assert_eq!(watch("exit 7"), Some(7));
    told.eventually("sh failed after 0.", " s, exit code 7");
    runs(&world, &told.live_line(), "build-failed");
    assert_eq!(watch("exit 0"), Some(0));
    told.eventually("sh finished after 0.", " s, exit code 0");
    runs(
        &world,
        "`ways show attend/build-complete`",
        "build-complete",
    );
    assert_eq!(told.process()["reported"], 2, "{}", told.process());

    // A restart tells what ended meanwhile, and nothing again.
    told.live.signal(Signal::TERM);
    assert_eq!(told.live.ended().0, Some(0));
    assert_eq!(watch("kill -9 $$"), Some(137));
    let live = world.live(&["run", "--rearm"]);
    let mut told = Told {
        world: &world,
        live,
        lines: Vec::new(),
    };
    told.eventually("sh was ended by signal 9 after ", "");
    assert!(!told.lines.iter().any(|line| line.contains("exit code 7")));
}

/// Runs the command that `line` names, which shows the way called `name`.
fn runs(world: &World, line: &str, name: &str) {
    let command = line.split('`').nth(1).expect("a command");
    let mut words = command.split(' ');
    assert_eq!(words.next(), Some("ways"), "{line}");
    let mut ways = Command::new(env!("CARGO_BIN_EXE_ways"));
    scrub(&mut ways, world.home.path());
    let output = ways.args(words).current_dir(world.repo()).output();
    let output = output.expect("it starts");
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        command.ends_with(name) && stdout(&output).contains("build"),
        "{command}"
    );
}

#[test]
fn a_watched_command_that_runs_is_started_once_and_its_children_are_part_of_it() {
    let world = world();
    let mut told = start(&world);
    let mut command = world.home.attend(&["watch", "--"]);
    command.arg(make(&world)).args(["-c", "read line; exit 4"]);
    let mut watched = command.stdin(Stdio::piped()).spawn().expect("it starts");
    told.eventually("make started", "");
    writeln!(watched.stdin.take().expect("a pipe")).expect("a reader");
    assert_eq!(watched.wait().expect("it ends").code(), Some(4));
    told.eventually("make failed after ", ", exit code 4");
    assert_eq!(told.process()["reported"], 2, "{}", told.process());
}
