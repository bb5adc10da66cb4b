//! Guarded commands and processes that run on: bounded, heard, and gone when they are to be.
#![cfg(all(unix, feature = "runtime", feature = "testkit"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use attend_core::runtime::system::SystemRunner;
use attend_core::sensor::{Child, CommandSpec, ErrorKind, Exit, Runner, Said};
use attend_core::testkit::Harness;
use rustix::process::{Pid, Signal, kill_process};

const PATIENCE: Duration = Duration::from_secs(30);

fn sh(script: &str) -> CommandSpec {
    CommandSpec::new("sh")
        .args(["-c", script])
        .deadline(PATIENCE)
        .keep(64 << 10)
        .keep_of_line(100)
}

/// Asks again and again until something is there.
fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let (_never, pause) = std::sync::mpsc::channel::<()>();
    for _ in 0..PATIENCE.as_millis() / 5 {
        if let Some(found) = look() {
            return found;
        }
        let _ = pause.recv_timeout(Duration::from_millis(5));
    }
    panic!("{what}");
}

/// The process that is written down in `file`.
fn pid_in(file: &Path) -> String {
    eventually("a process", || {
        let text = std::fs::read_to_string(file).ok()?;
        text.strip_suffix('\n').map(str::to_owned)
    })
}

fn is_gone(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    !stat.is_ok_and(|stat| !stat.contains(") Z "))
}

#[track_caller]
fn gone(pid: &str) {
    eventually(&format!("process {pid} still runs"), || {
        is_gone(pid).then_some(())
    });
}

/// Ends a process that must be there still.
#[track_caller]
fn still_runs(pid: &str) {
    assert!(!is_gone(pid), "process {pid} is gone");
    let pid = pid.parse().ok().and_then(Pid::from_raw).unwrap();
    kill_process(pid, Signal::KILL).unwrap();
}

/// A process that runs on, and how often it asked for a look.
struct Stream {
    child: Box<dyn Child>,
    harness: Harness,
}

impl Stream {
    fn of(command: &CommandSpec) -> Self {
        let harness = Harness::new();
        let wake = harness.build_context().wake();
        let child = SystemRunner.start(command, Path::new("/"), &wake);
        let child = child.expect("it starts");
        Self { child, harness }
    }

    /// Waits until it asked for a look that many times in all, and takes what it said.
    fn said(&mut self, wakes: usize) -> Said {
        eventually("it asks for a look", || {
            (self.harness.woken() >= wakes).then_some(())
        });
        self.child.take()
    }

    /// All that it said until its end.
    fn all(&mut self) -> Said {
        let mut all = Said::default();
        eventually("it ends", || {
            let said = self.child.take();
            all.lines.extend(said.lines);
            all.dropped_lines += said.dropped_lines;
            (all.stderr, all.ended) = (said.stderr, said.ended);
            all.ended.map(drop)
        });
        all
    }
}

fn place() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("pid");
    (directory, file)
}

#[tokio::test]
async fn what_a_guarded_command_leaves_running_goes_with_it() {
    let (_directory, file) = place();
    let script = format!(
        "sleep 1000 </dev/null >/dev/null 2>&1 & echo $! >'{}'; echo done",
        file.display()
    );
    let output = SystemRunner
        .run(&sh(&script).guarded(), Path::new("/"))
        .await
        .unwrap();
    assert_eq!(
        (output.exit, &output.stdout[..]),
        (Exit::Code(0), &b"done\n"[..])
    );
    gone(&pid_in(&file));
}

#[tokio::test]
async fn a_guarded_command_that_ignores_signals_is_killed_at_its_deadline() {
    let (_directory, file) = place();
    let script = format!(
        "trap '' TERM HUP INT; echo $$ >'{}'; while :; do sleep 1000; done",
        file.display()
    );
    let command = sh(&script).guarded().deadline(Duration::from_secs(2));
    let error = SystemRunner
        .run(&command, Path::new("/"))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Transient);
    assert!(
        error
            .to_string()
            .contains("was killed: it took longer than 2s")
    );
    gone(&pid_in(&file));
}

/// Starts one that leaves the group and lets go of the pipes, and notes its number in `file`.
fn leaves(file: &Path, before: &str) -> String {
    format!(
        "{before} setsid sh -c 'echo $$ >\"$1\"; exec sleep 1000' sh '{}' </dev/null >/dev/null 2>&1 &\n\
         while ! [ -s '{}' ]; do :; done\n",
        file.display(),
        file.display()
    )
}

#[tokio::test]
async fn a_child_that_left_the_group_goes_with_a_guarded_command_however_that_ends() {
    let (_directory, file) = place();
    for (then, time) in [
        ("echo done", PATIENCE),
        ("sleep 1000", Duration::from_secs(2)),
    ] {
        let script = leaves(&file, "") + then;
        let command = sh(&script).guarded().deadline(time);
        let output = SystemRunner.run(&command, Path::new("/")).await;
        assert_eq!(output.is_ok(), time == PATIENCE, "{output:?}");
        gone(&pid_in(&file));
        std::fs::remove_file(&file).unwrap();
    }
}

#[tokio::test]
async fn what_left_the_group_without_an_environment_is_on_its_own() {
    let (_directory, file) = place();
    let command = sh(&leaves(&file, "env -i")).guarded();
    let output = SystemRunner.run(&command, Path::new("/")).await;
    assert_eq!(output.unwrap().exit, Exit::Code(0));
    still_runs(&pid_in(&file));
}

#[tokio::test]
async fn a_command_that_is_not_guarded_may_leave_something_running() {
    let (_directory, file) = place();
    let command = sh(&leaves(&file, ""));
    let output = SystemRunner.run(&command, Path::new("/")).await;
    assert_eq!(output.unwrap().exit, Exit::Code(0));
    still_runs(&pid_in(&file));
}

#[tokio::test]
async fn the_bounds_of_lines_and_errors_hold() {
    let script = "head -c 10485760 /dev/zero; echo; echo after; seq 200000 >&2; echo last >&2";
    let command = sh(script).guarded().keep_last_errors();
    let output = SystemRunner.run(&command, Path::new("/")).await.unwrap();
    assert_eq!(output.stdout.len(), 100 + 1 + 6);
    assert!(output.stdout.ends_with(b"\nafter\n"));
    assert_eq!((output.stderr.len(), output.dropped_lines), (64 << 10, 0));
    assert!(output.stderr.ends_with(b"200000\nlast\n"));
}

#[test]
fn lines_are_heard_as_they_come_and_so_is_the_end() {
    let (directory, file) = place();
    let go = directory.path().join("go");
    #[expect(clippy::disallowed_methods, reason = "a test prepares its place")]
    let made = std::process::Command::new("mkfifo").arg(&go).status();
    assert!(made.is_ok_and(|status| status.success()));
    let script = format!(
        "echo $$ >'{}'; echo one; read _ <'{go}'; echo two; echo why >&2; printf three; exit 7",
        file.display(),
        go = go.display()
    );
    let mut stream = Stream::of(&sh(&script));
    let said = stream.said(1);
    assert_eq!((said.lines, said.ended), (vec![b"one".to_vec()], None));

    std::fs::write(&go, "\n").unwrap();
    let rest = stream.all();
    assert_eq!(rest.lines, [b"two".to_vec(), b"three".to_vec()]);
    assert_eq!(
        (rest.ended, &rest.stderr[..]),
        (Some(Exit::Code(7)), &b"why\n"[..])
    );
    gone(&pid_in(&file));
}

#[test]
fn a_flood_is_bounded_and_counted() {
    let script = "head -c 10485760 /dev/zero; echo; seq 200000";
    let said = Stream::of(&sh(script)).all();
    assert_eq!(said.ended, Some(Exit::Code(0)));
    assert_eq!(said.lines[0], vec![0; 100]);
    assert_eq!(said.lines.len() as u64 + said.dropped_lines, 200_001);

    // While nobody takes them, 200 are kept.
    let mut stream = Stream::of(&sh("seq 1000; exec sleep 1000"));
    let mut last = stream.said(1);
    eventually("all are counted", || {
        let more = stream.child.take();
        assert!(more.lines.len() <= 200);
        last.lines.extend(more.lines);
        last.dropped_lines += more.dropped_lines;
        (last.lines.len() as u64 + last.dropped_lines == 1_000).then_some(())
    });
}

#[test]
fn one_that_is_dropped_is_gone_with_all_that_it_started() {
    let (directory, file) = place();
    let (other, apart) = (
        directory.path().join("other"),
        directory.path().join("apart"),
    );
    let script = format!(
        "{}trap '' TERM; (trap '' TERM; echo $(exec sh -c 'echo $PPID') >'{}'; sleep 1000) & echo $$ >'{}'; wait",
        leaves(&apart, ""),
        other.display(),
        file.display()
    );
    let stream = Stream::of(&sh(&script));
    let pids = [pid_in(&file), pid_in(&other), pid_in(&apart)];
    assert!(pids.iter().all(|pid| !is_gone(pid)));
    drop(stream);
    for pid in &pids {
        gone(pid);
    }
}

#[test]
fn the_end_is_heard_though_a_child_holds_the_pipes() {
    let (_directory, file) = place();
    let script = format!(
        "sleep 1000 & echo $! >'{}'; echo up; exit 3",
        file.display()
    );
    let said = Stream::of(&sh(&script)).all();
    assert_eq!(
        (said.lines, said.ended),
        (vec![b"up".to_vec()], Some(Exit::Code(3)))
    );
    gone(&pid_in(&file));
}

#[test]
fn a_missing_program_is_said() {
    let wake = Harness::new().build_context().wake();
    let command = CommandSpec::new("no-such-program-here");
    let Err(error) = SystemRunner.start(&command, Path::new("/"), &wake) else {
        panic!("it started");
    };
    assert_eq!(error.kind(), ErrorKind::Unavailable);
}
