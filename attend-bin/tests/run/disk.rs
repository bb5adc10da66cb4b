//! Where nothing can be written: the loop goes on, and says once what is not remembered.

use std::fs::{self, DirBuilder};
use std::io::Write;
use std::os::fd::AsRawFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::Signal;

use crate::home::scrub;
use crate::live::{Live, eventually, left_out};
use crate::world::World;

const CHANGE: &str = "branch changed: main → feat/x";

#[test]
fn a_home_that_is_no_directory_costs_the_memory_only() {
    let world = World::new();
    let file = world.beside("file");
    fs::write(&file, "").expect("a file");
    for variable in ["ATTEND_HOME", "HOME", "XDG_STATE_HOME"] {
        let mut command = world.home.attend(&["run"]);
        command.env_remove("ATTEND_HOME").env(variable, &file);
        goes_on(
            &world,
            Live::start(&mut command),
            &file.display().to_string(),
        );
    }
    let mut command = world.home.attend(&["run"]);
    command.env_remove("ATTEND_HOME").env_remove("HOME");
    goes_on(
        &world,
        Live::start(&mut command),
        "neither ATTEND_HOME nor HOME names a directory",
    );
}

#[test]
fn a_home_that_cannot_be_written_costs_the_memory_only() {
    let world = World::new();
    let home = world.home.path().join("attend");
    let mut command = if rustix::process::geteuid().is_root() {
        match on_a_disk(&world, "ro") {
            Some(command) => command,
            None => return left_out("a read-only home, as root", "needs unshare"),
        }
    } else {
        DirBuilder::new()
            .mode(0o500)
            .create(&home)
            .expect("a directory");
        world.home.attend(&["run"])
    };
    goes_on(
        &world,
        Live::start(&mut command),
        &home.display().to_string(),
    );
}

/// It says `why` nothing is remembered and what to do, once on stderr and once beside the
/// banner, and runs until it is ended.
#[track_caller]
fn goes_on(world: &World, mut live: Live, why: &str) {
    assert!(live.line().contains(" watches project "), "{why}");
    let notice = live.line();
    let error = live.error();
    for said in [&notice, &error] {
        assert!(
            said.contains("nothing is remembered over a restart: "),
            "{said}"
        );
        assert!(said.contains(why), "{why}: {said}");
        assert!(
            said.contains("set ATTEND_HOME to a directory of your own"),
            "{said}"
        );
    }
    assert!(world.repo().is_dir());
    live.signal(Signal::TERM);
    let (code, lines, errors) = live.ended();
    assert_eq!(
        (code, lines.len(), errors.as_str()),
        (Some(0), 0, ""),
        "{why}"
    );
}

#[test]
fn a_disk_that_is_full_costs_the_memory_only() {
    let world = World::new();
    let Some(mut command) = on_a_disk(&world, "rw") else {
        return left_out("a full disk", "needs root and unshare");
    };
    let mut live = Live::start(&mut command);
    live.line();
    world.looked(1);
    // The disk is there for this process only.
    let disk = PathBuf::from(format!("/proc/{}/root", live.pid()));
    let home = world.home.path().join("attend");
    let disk = disk.join(home.strip_prefix("/").expect("a whole path"));
    let state = disk.join("state/observers");
    assert!(state.is_dir(), "the loop keeps its state there");
    let filler = disk.join("filler");
    fill(&filler);

    world.git(["switch", "-qc", "feat/x"]);
    assert!(live.line().contains(CHANGE));
    let mut errors = vec![live.error()];
    while !errors.concat().contains("a restart would begin afresh: ") {
        errors.push(live.error());
    }
    assert!(
        errors
            .iter()
            .all(|error| error.contains("No space left on device")),
        "{errors:?}"
    );

    let notices = || {
        let mut status = world.home.attend(&["status", "--json"]);
        let output = status
            .env("ATTEND_HOME", &disk)
            .output()
            .expect("it starts");
        let status: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        status["notices"].to_string()
    };
    // Once there is room again, everything is written with the next change, and nothing is said
    // any more of what is no longer so.
    fs::remove_file(&filler).expect("the filler");
    world.write("base", "touched");
    eventually("it is written", || {
        let notices = notices();
        notices.starts_with('[') && !notices.contains("No space left")
    });
    let kept = fs::read_dir(&state)
        .expect("state")
        .flatten()
        .next()
        .expect("of a project");
    let kept = fs::File::open(kept.path()).expect("a directory");
    live.signal(Signal::TERM);
    let (code, _, rest) = live.ended();
    assert_eq!(code, Some(0));
    let errors = errors.join("\n") + &rest;
    for said in ["a restart would begin afresh", "`attend explain` has gaps"] {
        assert!(errors.matches(said).count() <= 1, "{errors}");
    }
    let checkpoint = format!("/proc/self/fd/{}/checkpoint.json", kept.as_raw_fd());
    let checkpoint = fs::read_to_string(checkpoint).expect("a checkpoint");
    assert!(checkpoint.contains("\"branch\":\"feat/x\""), "{checkpoint}");
}

#[test]
fn a_disk_that_is_full_costs_the_recording_only() {
    let world = World::new();
    let Some(mut command) = on_a_disk(&world, "rw") else {
        return left_out("a recording on a full disk", "needs root and unshare");
    };
    let home = world.home.path().join("attend");
    let settings = world.repo().join(".claude");
    fs::create_dir(&settings).expect("a directory");
    let mut live = Live::start(command.env("RECORD", "--record ../attend/day.trace"));
    live.line();
    world.looked(1);
    let disk = PathBuf::from(format!("/proc/{}/root", live.pid()));
    let disk = disk.join(home.strip_prefix("/").expect("a whole path"));
    fill(&disk.join("filler"));
    // Many plans need more room than is left in what the file already has of the disk.
    let mut errors: Vec<String> = Vec::new();
    for n in 0..8 {
        let mistake = format!("wrong{n}");
        fs::write(settings.join("attend.yaml"), format!("{mistake}: 1\n")).expect("a file");
        while !errors.last().is_some_and(|error| error.contains(&mistake)) {
            errors.push(live.error());
        }
    }
    while !errors
        .concat()
        .contains("the recording to ../attend/day.trace ended: ")
    {
        errors.push(live.error());
    }
    let trace = disk.join("day.trace").display().to_string();
    let output = world.home.output(&["replay", &trace]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains(" watches project "), "{text}");
    world.git(["switch", "-qc", "feat/x"]);
    while !live.line().contains(CHANGE) {}
    live.signal(Signal::TERM);
    let (code, _, rest) = live.ended();
    assert_eq!(code, Some(0));
    let errors = errors.join("\n") + &rest;
    assert_eq!(errors.matches("the recording to").count(), 1, "{errors}");
}

/// Writes until nothing more fits.
fn fill(path: &Path) {
    let mut filler = fs::File::create(path).expect("a file");
    for size in [4_096, 1] {
        while filler.write_all(&vec![b'x'; size]).is_ok() {}
    }
}

/// `attend run` with a home that is a disk of 1 MiB of its own, mounted with `options` for
/// this process only; none where that is not possible here.
fn on_a_disk(world: &World, options: &str) -> Option<Command> {
    let home = world.home.path().join("attend");
    fs::create_dir_all(&home).expect("a directory");
    let mount = format!("mount -t tmpfs -o size=1m,mode=700,{options} none \"$ATTEND_HOME\"");
    let shell = |script: &str| {
        let mut command = Command::new("unshare");
        scrub(&mut command, world.home.path());
        command
            .args(["-m", "sh", "-ec", script])
            .current_dir(world.repo());
        command
    };
    let works = shell(&mount)
        .output()
        .is_ok_and(|output| output.status.success());
    let noting = world.noting_command(&["run"]);
    let mut command = shell(&format!("{mount}\nexec \"$ATTEND\" run $RECORD"));
    command.env("ATTEND", env!("CARGO_BIN_EXE_attend"));
    command.env("RECORD", "");
    for (name, value) in noting.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    works.then_some(command)
}
