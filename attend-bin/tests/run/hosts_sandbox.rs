//! In a sandbox whose processes do not see their host: the environment and the record must agree.

use std::process::Output;

use serde_json::Value;

use crate::home::{stderr, stdout};
use crate::hosts_fake::{Beside, ONE, TWO, host, in_host};
use crate::live::Live;
use crate::world::World;

/// Runs `attend ARGS` in a sandbox of a host that holds the session ONE, with `environment`, in
/// which `$HOST` is the host's process.
fn sandboxed(world: &World, environment: &str, args: &str) -> Output {
    let script = format!(
        "HOST=$$; unshare --pid --fork --mount-proc env {environment} \
         sh -c '\"$A\" {args}; exit $?'; exit $?"
    );
    in_host(world, ONE, None, &script)
}

/// What the host tells a shell of its own.
fn told(session: &str) -> String {
    format!("CLAUDE_PID=$HOST CLAUDE_CODE_SESSION_ID={session}")
}

#[test]
#[ignore = "needs root"]
fn what_agrees_is_believed() {
    let world = World::new();
    let output = sandboxed(&world, &told(ONE), "whoami --json");
    let who: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(who["session_id"], ONE, "{output:?}");
    assert_eq!(who["found_by"], "environment");
    assert!(who["host_pid"].as_u64().is_some_and(|pid| pid > 1));
    let output = sandboxed(&world, &told(ONE), "run --once");
    assert!(output.status.success(), "{output:?}");
    let said = stdout(&output);
    assert!(
        said.contains(" watches project with context, git, "),
        "{said}"
    );
    assert!(world.beside("attend/state/sessions").join(ONE).exists());
}

#[test]
#[ignore = "needs root"]
fn what_does_not_agree_is_no_session() {
    let world = World::new();
    let half = format!("CLAUDE_CODE_SESSION_ID={ONE}");
    let other = format!("CLAUDE_PID=1 CLAUDE_CODE_SESSION_ID={ONE}");
    for (environment, why) in [
        (
            told(TWO),
            "holds another session than the environment names",
        ),
        (half, "but not the process that holds it"),
        (
            "CLAUDE_PID=$HOST".to_owned(),
            "a process of the host, but no session",
        ),
        (other, "there is no record of process 1,"),
    ] {
        for args in ["whoami", "run", "run --once"] {
            let output = sandboxed(&world, &environment, args);
            if args == "whoami" {
                // It is somebody all the same: a program, and no session.
                assert!(stdout(&output).starts_with("a program"), "{output:?}");
            } else {
                let code = output.status.code();
                assert_eq!(code, Some(1), "{environment} {args}: {output:?}");
                assert_eq!(stdout(&output), "");
            }
            assert!(
                stderr(&output).contains(why),
                "{environment} {args}: {output:?}"
            );
        }
    }
    assert!(!world.beside("attend/state/sessions").exists());
}

#[test]
#[ignore = "needs root"]
fn where_it_sees_its_host_under_another_number_it_is_found_among_its_ancestors() {
    let world = World::new();
    let sandboxed = |args: &str| format!("unshare --pid --fork sh -c '\"$A\" {args}; exit $?'");
    let output = in_host(&world, ONE, None, &sandboxed("whoami --json"));
    let who: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(who["session_id"], ONE, "{output:?}");
    assert_eq!(who["found_by"], "record");
    // Here the number of the host's process is nobody's, or another's: it lives on.
    let live = Live::start(&mut host(&world, &sandboxed("run")));
    let mut beside = Beside::of(&world, live);
    beside.record("busy");
    assert!(beside.live.line().contains(" watches project with "));
    beside.known();
    world.git(["switch", "-q", "-c", "feat/x"]);
    assert!(beside.live.line().contains("branch changed: main → feat/x"));
}

#[test]
#[ignore = "needs root"]
fn without_a_word_of_a_host_it_observes() {
    let world = World::new();
    let output = sandboxed(&world, "", "whoami");
    assert!(stdout(&output).starts_with("a program"), "{output:?}");
    let output = sandboxed(&world, "", "run --once");
    assert!(stdout(&output).contains(" (an observer: "), "{output:?}");
    assert!(!world.beside("attend/state/sessions").exists());
}
