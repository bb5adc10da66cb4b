//! Commands as real processes: what they leave behind, and that nothing outlives its time.
#![cfg(all(unix, feature = "runtime"))]

use std::path::Path;
use std::time::Duration;

use attend_core::runtime::system::SystemRunner;
use attend_core::sensor::{CommandOutput, CommandSpec, ErrorKind, Exit, Runner, SensorError};

const PATIENCE: Duration = Duration::from_secs(20);

fn sh(script: &str) -> CommandSpec {
    CommandSpec::new("sh")
        .args(["-c", script])
        .deadline(PATIENCE)
}

async fn run(command: &CommandSpec) -> Result<CommandOutput, SensorError> {
    SystemRunner.run(command, Path::new("/")).await
}

/// Waits until the process written down in `file` is there.
async fn pid_in(file: &Path) -> String {
    loop {
        match std::fs::read_to_string(file) {
            Ok(pid) if pid.ends_with('\n') => return pid.trim().to_owned(),
            _ => tokio::task::yield_now().await,
        }
    }
}

/// Waits until the process `pid` is gone, or only waits to be buried.
async fn gone(pid: &str) {
    let stat = format!("/proc/{pid}/stat");
    let wait = async {
        while std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z ")) {
            tokio::task::yield_now().await;
        }
    };
    let waited = tokio::time::timeout(PATIENCE, wait).await;
    assert!(waited.is_ok(), "process {pid} still runs");
}

#[tokio::test]
async fn tells_output_errors_and_exit() {
    let output = run(&sh("echo out; echo err >&2; exit 3")).await.unwrap();
    assert_eq!((output.exit, output.success()), (Exit::Code(3), false));
    assert_eq!(
        (&output.stdout[..], &output.stderr[..]),
        (&b"out\n"[..], &b"err\n"[..])
    );
    let output = run(&sh("kill -TERM $$")).await.unwrap();
    assert_eq!(output.exit, Exit::Signal(15));
}

#[tokio::test]
async fn has_no_input_and_a_place_and_an_environment() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().canonicalize().unwrap();
    let command = sh("cat; pwd -P; echo $SAID").cwd(&place).env("SAID", "it");
    let output = run(&command).await.unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        format!("{}\nit\n", place.display())
    );
}

#[tokio::test]
async fn inherits_what_is_not_removed() {
    let script = "echo ${HOME-none} ${PATH-none}";
    let both = sh(script).env_remove("HOME").env_remove("PATH");
    let output = run(&both.env("PATH", "/bin:/usr/bin")).await.unwrap();
    assert_eq!(output.stdout, b"none /bin:/usr/bin\n");
    let output = run(&sh(script)).await.unwrap();
    assert_ne!(output.stdout, b"none /bin:/usr/bin\n");
}

#[tokio::test]
async fn a_missing_program_and_a_missing_place_differ() {
    let error = run(&CommandSpec::new("no-such-program-here"))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert!(
        error.to_string().contains("no-such-program-here"),
        "{error}"
    );
    let error = run(&sh("true").cwd("/no/such/place")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Transient);
    assert!(error.to_string().contains("/no/such/place"), "{error}");
}

#[tokio::test]
async fn a_flood_is_drained_and_bounded() {
    let megabytes = "head -c 10485760 /dev/zero";
    let command = sh(&format!("{megabytes}; {megabytes} >&2")).keep(1_000);
    let output = run(&command).await.unwrap();
    assert!(output.success());
    assert_eq!((output.stdout.len(), output.stderr.len()), (1_000, 1_000));
    assert_eq!(output.dropped, 2 * (10_485_760 - 1_000));
}

#[tokio::test]
async fn the_deadline_kills_children_too() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("pid");
    let script = format!(
        "sh -c 'sleep 1000 & echo $! > {}; wait' & wait",
        file.display()
    );
    // Time enough for the shells to start, also on a busy machine.
    let command = sh(&script).deadline(Duration::from_secs(2));
    let (error, pid) = tokio::join!(run(&command), pid_in(&file));
    let error = error.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Transient);
    assert!(
        error
            .to_string()
            .contains("was killed: it took longer than 2s"),
        "{error}"
    );
    gone(&pid).await;
}

#[tokio::test]
async fn a_child_that_holds_the_pipe_holds_up_nobody() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("pid");
    let script = format!("sleep 1000 & echo $! > {}; echo done", file.display());
    let output = run(&sh(&script)).await.unwrap();
    assert_eq!(
        (output.exit, &output.stdout[..]),
        (Exit::Code(0), &b"done\n"[..])
    );
    gone(&pid_in(&file).await).await;
}

#[tokio::test]
async fn a_child_that_lets_go_of_the_pipe_lives_on() {
    let script = "sleep 1000 >/dev/null 2>&1 & echo $!";
    let output = run(&sh(script)).await.unwrap();
    let pid = String::from_utf8(output.stdout).unwrap().trim().to_owned();
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    assert!(!stat.contains(") Z "), "{stat}");
    run(&CommandSpec::new("kill").args(["-KILL", &pid]))
        .await
        .unwrap();
    gone(&pid).await;
}

#[tokio::test]
async fn a_cancelled_look_takes_its_command_along() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("pid");
    let command = sh(&format!("sleep 1000 & echo $! > {}; wait", file.display()));
    let pid = tokio::select! {
        ended = run(&command) => panic!("ended early: {ended:?}"),
        pid = pid_in(&file) => pid,
    };
    gone(&pid).await;
}

#[test]
fn runs_without_a_runtime_too() {
    let command = sh("echo here");
    let mut run = Box::pin(SystemRunner.run(&command, Path::new("/")));
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    let std::task::Poll::Ready(output) = run.as_mut().poll(&mut cx) else {
        panic!("it did not block");
    };
    assert_eq!(output.unwrap().stdout, b"here\n");
}
