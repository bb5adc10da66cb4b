//! Beside a host: a process named as the host's is, with a record in a configuration of its own.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::home::{stderr, stdout};
use crate::hosts_fake::{Beside, ONE, SILENCE, TWO, host, in_host};
use crate::live::Live;
use crate::world::World;

#[test]
fn each_host_is_a_session_of_its_own() {
    let world = World::new();
    for session in [ONE, TWO] {
        let output = in_host(&world, session, None, "\"$A\" whoami --json");
        let who: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(who["session_id"], session, "{}", stderr(&output));
        assert_eq!(who["found_by"], "record");
        assert_eq!(
            Path::new(who["root"].as_str().expect("text")).file_name(),
            world.repo().file_name()
        );
    }
}

#[test]
fn a_hook_tells_the_session_that_a_stale_record_does_not() {
    let world = World::new();
    let hook = format!(
        "echo '{{\"hook_event_name\":\"SessionStart\",\"session_id\":\"{TWO}\",\"source\":\"clear\"}}' \
         | \"$A\" hook; \"$A\" whoami"
    );
    let output = in_host(&world, ONE, None, &hook);
    assert!(stdout(&output).contains(TWO), "{output:?}");
    assert!(
        stdout(&output).contains("a hook of the host told it"),
        "{output:?}"
    );
}

#[test]
fn a_record_of_another_process_is_not_believed() {
    let world = World::new();
    // A process before it had the same id, and a hook in it told of a session.
    let stale = format!(
        "mkdir -p \"$ATTEND_HOME/state/hosts\"; \
         printf '{{\"pid\":%s,\"proc_start\":\"1\",\"session_id\":\"{TWO}\"}}' $$ \
         > \"$ATTEND_HOME/state/hosts/$$.json\"; \"$A\" whoami"
    );
    let output = in_host(&world, ONE, None, &stale);
    assert!(
        stdout(&output).contains(&format!("session {ONE} (the host's record")),
        "{output:?}"
    );
    let output = in_host(&world, ONE, Some("1"), &stale);
    assert!(output.stdout.is_empty(), "{output:?}");
    assert!(
        stderr(&output).contains("has not said yet which session this is"),
        "{output:?}"
    );
}

#[test]
fn without_a_host_there_is_no_session() {
    let world = World::new();
    let output = world.home.output(&["whoami", "--json"]);
    let who: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(who["session_id"], serde_json::Value::Null, "{output:?}");
    assert_ne!(who["kind"], "agent", "{output:?}");
}

#[test]
fn a_loop_waits_for_a_host_of_which_only_something_stale_is_known() {
    let world = World::new();
    let mut beside = Beside::start(&world);
    beside.prompt("secret words");
    beside.record_of(&json!({"procStart": "1", "status": "busy"}));
    assert_eq!(beside.live.line_within(SILENCE), None);
    assert!(!beside.state().exists());
    beside.record("busy");
    assert!(beside.live.line().contains(" watches project with "));
    beside.known();
}

#[test]
fn sessions_in_one_directory_are_kept_apart() {
    let world = World::new();
    let mut loops = [ONE, TWO].map(|session| {
        let mut beside = Beside::start(&world);
        beside.session = session;
        beside.prompt("secret words");
        beside
    });
    for (beside, tokens) in loops.iter_mut().zip([172_000, 134_000]) {
        beside.answer(tokens);
        beside.record("busy");
    }
    for (beside, percent) in loops.iter_mut().zip([86, 67]) {
        assert!(beside.live.line().contains(" watches project with "));
        let told = beside.live.line();
        assert!(told.contains(&format!("context at {percent}%")), "{told}");
        beside.known();
    }
    // Whoever lies in neither is no session, however new a transcript is.
    let who = world.home.output(&["whoami"]);
    assert_eq!(who.status.code(), Some(0), "{who:?}");
    assert!(!stdout(&who).contains("session"), "{who:?}");
    let told = world.once();
    assert!(told.lines[0].contains(" (an observer: "), "{told:?}");
    // A third one, of which nothing is known yet, is none of them either.
    let who = host(&world, "\"$A\" whoami").output().expect("it starts");
    assert_eq!(stdout(&who), "");
    assert!(stderr(&who).contains("has not said yet which session this is"));
}

#[test]
fn after_a_new_beginning_the_record_is_stale_and_the_hook_counts() {
    let world = World::new();
    let hook = format!(
        "echo '{{\"hook_event_name\":\"SessionStart\",\"session_id\":\"{TWO}\",\"source\":\"clear\"}}' \
         | \"$A\" hook >/dev/null"
    );
    // One loop begins after it, and one lives across it.
    let after = in_host(&world, ONE, None, &format!("{hook}; \"$A\" run --once"));
    assert!(
        stdout(&after).contains(" watches project with "),
        "{after:?}"
    );
    let sessions = world.beside("attend/state/sessions");
    assert!(sessions.join(TWO).exists() && !sessions.join(ONE).exists());

    let go = world.beside("go");
    let made = Command::new("mkfifo").arg(&go).status();
    assert!(made.expect("mkfifo starts").success());
    let wait = format!("read line < '{}'", go.display());
    let mut command = host(&world, &format!("\"$A\" run & {wait}; {hook}; wait"));
    let mut beside = Beside::of(&world, Live::start(&mut command));
    beside.prompt("secret words");
    beside.answer(20_000);
    beside.record("busy");
    assert!(beside.live.line().contains(" watches project with "));
    beside.known();
    beside.session = TWO;
    beside.prompt("secret words");
    beside.answer(172_000);
    fs::write(&go, "now\n").expect("a pipe");
    let told = beside.live.line();
    assert!(told.contains("context at 86%"), "{told}");
}
