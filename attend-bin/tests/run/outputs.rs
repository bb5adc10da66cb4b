//! Every kind of standard output: slow, a file, a socket, a terminal, full, or none at all.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};

use rustix::process::Signal;

use crate::home::{scrub, stderr, stdout};
use crate::live::{Live, left_out};
use crate::world::World;

const BANNER: &str = "[attend] attend ";

#[test]
fn a_reader_that_is_slow_gets_it_when_it_reads() {
    let world = World::new();
    let (mut reader, writer) = io::pipe().expect("a pipe");
    let filled = fill(&writer);
    let live = Live::start_on(&mut world.noting_command(&["run"]), writer.into());
    // It looks although nobody takes what it says.
    world.looked(1);
    let mut read = vec![0; filled];
    reader.read_exact(&mut read).expect("the pipe was full");
    let mut start = vec![0; BANNER.len()];
    reader.read_exact(&mut start).expect("the banner follows");
    assert_eq!(start, BANNER.as_bytes());
    live.signal(Signal::TERM);
    assert_eq!(live.silent_end(), (Some(0), String::new()));
}

#[test]
fn a_reader_that_never_reads_holds_up_no_end() {
    let world = World::known();
    world.git(["switch", "-qc", "feat/x"]);
    let (reader, writer) = io::pipe().expect("a pipe");
    fill(&writer);
    let live = Live::start_on(&mut world.noting_command(&["run"]), writer.into());
    world.looked(1);
    live.signal(Signal::TERM);
    assert_eq!(live.silent_end(), (Some(0), String::new()));
    drop(reader);
    // Neither the banner nor the change was said: both are, now.
    let told = world.once();
    assert_eq!(told.count(BANNER), 1, "{told:?}");
    assert_eq!(told.count("branch changed: main → feat/x"), 1, "{told:?}");
}

#[test]
fn a_reader_that_was_gone_before_anything_was_said_was_told_nothing() {
    let world = World::new();
    let (reader, writer) = io::pipe().expect("a pipe");
    drop(reader);
    let live = Live::start_on(&mut world.home.attend(&["run"]), writer.into());
    assert_eq!(live.silent_end(), (Some(0), String::new()));
    assert_eq!(world.once().count(BANNER), 1);
}

/// Fills a pipe, and tells with how much.
pub(crate) fn fill(mut pipe: &io::PipeWriter) -> usize {
    rustix::io::ioctl_fionbio(pipe, true).expect("it need not block");
    let mut filled = 0;
    while let Ok(written) = pipe.write(&[b'x'; 4_096]) {
        filled += written;
    }
    rustix::io::ioctl_fionbio(pipe, false).expect("it may block");
    filled
}

#[test]
fn a_file_gets_every_line() {
    let world = World::known();
    world.git(["switch", "-qc", "feat/x"]);
    let path = world.beside("lines");
    fs::write(&path, "before\n").expect("a file");
    let file = File::options().append(true).open(&path).expect("a file");
    let live = Live::start_on(&mut world.home.attend(&["run", "--once"]), file.into());
    assert_eq!(live.silent_end(), (Some(0), String::new()));
    let lines = fs::read_to_string(&path).expect("a file");
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(
        lines[1].starts_with(BANNER) && lines[2].contains("branch changed"),
        "{lines:?}"
    );
}

#[test]
fn nowhere_is_a_place_to_write_to() {
    let world = World::new();
    let live = Live::start_on(&mut world.noting_command(&["run"]), Stdio::null());
    world.looked(1);
    live.signal(Signal::TERM);
    assert_eq!(live.silent_end(), (Some(0), String::new()));
}

#[test]
fn a_socket_is_read_and_its_end_is_noticed() {
    let world = World::new();
    let (mut here, there) = UnixStream::pair().expect("sockets");
    let out = Stdio::from(OwnedFd::from(there));
    let live = Live::start_on(&mut world.home.attend(&["run"]), out);
    let mut start = vec![0; BANNER.len()];
    here.read_exact(&mut start).expect("a banner");
    assert_eq!(start, BANNER.as_bytes());
    here.shutdown(Shutdown::Both).expect("it is open");
    drop(here);
    assert_eq!(live.silent_end(), (Some(0), String::new()));
}

#[test]
fn a_terminal_gets_the_same_lines() {
    let world = World::known();
    world.git(["switch", "-qc", "feat/x"]);
    let mut script = Command::new("script");
    scrub(&mut script, world.home.path());
    let run = concat!(env!("CARGO_BIN_EXE_attend"), " run --once");
    script
        .args(["-qec", run, "/dev/null"])
        .current_dir(world.repo());
    let Ok(output) = script.stdin(Stdio::null()).output() else {
        return left_out("a terminal", "there is no `script`");
    };
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let lines: Vec<&str> = text
        .lines()
        .map(|line| line.trim_end_matches('\r'))
        .collect();
    assert_eq!(lines.len(), 2, "{text:?}");
    assert!(lines[0].starts_with(BANNER), "{text:?}");
    assert!(
        lines[1].ends_with("branch changed: main → feat/x"),
        "{text:?}"
    );
    assert!(!text.contains('\x1b'), "{text:?}");
}

#[test]
fn a_stdout_that_is_closed_from_the_start_is_refused() {
    let world = World::known();
    world.git(["switch", "-qc", "feat/x"]);
    let run = "cannot use standard output: it is closed";
    for (command, closed, said) in [
        ("run --rearm --once", ">&-", run),
        ("run --once", "<&- >&-", run),
        ("run --once", ">&-", run),
        ("run --once", "<&- >&- 2>&-", ""),
        (
            "status",
            ">&-",
            "cannot write to standard output: it is closed",
        ),
    ] {
        let mut shell = Command::new("sh");
        scrub(&mut shell, world.home.path());
        let script = format!("exec {} {command} {closed}", env!("CARGO_BIN_EXE_attend"));
        let output = shell
            .args(["-c", &script])
            .current_dir(world.repo())
            .output();
        let output = output.expect("a shell");
        let errors = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{script}: {errors}");
        assert!(errors.contains(said), "{script}: {errors}");
        assert_eq!(errors.is_empty(), said.is_empty(), "{script}: {errors}");
    }
    // Nothing was taken for told.
    assert_eq!(world.once().count("branch changed: main → feat/x"), 1);
    // What others open for reading and writing, and then hand on, is a place like any.
    let null = File::options().read(true).write(true).open("/dev/null");
    let live = Live::start_on(
        &mut world.home.attend(&["run", "--once"]),
        null.expect("nowhere").into(),
    );
    assert_eq!(live.silent_end(), (Some(0), String::new()));
}

#[test]
fn a_stdout_that_is_full_is_named_and_what_was_not_said_is_kept() {
    let world = World::known();
    world.git(["switch", "-qc", "feat/x"]);
    let Ok(full) = File::options().write(true).open("/dev/full") else {
        return left_out("a full standard output", "there is no /dev/full");
    };
    let live = Live::start_on(&mut world.home.attend(&["run", "--rearm"]), full.into());
    let (code, errors) = live.silent_end();
    assert_eq!(code, Some(1));
    assert_eq!(
        errors,
        "attend: cannot write: No space left on device (os error 28)\n"
    );
    assert_eq!(world.once().count("branch changed: main → feat/x"), 1);
}
