//! A session that somebody names: there has to be something of it.

use std::fs;
use std::process::Command;

use serde_json::json;

use crate::home::{scrub, stderr, stdout};
use crate::world::World;

const ONE: &str = "00000000-0000-4000-8000-00000000000a";

impl World {
    /// Runs `attend` with these arguments and a configuration of the host's. Gives its exit code
    /// and what it said on stderr.
    fn beside_config(&self, args: &[&str]) -> (Option<i32>, String) {
        let mut command = self.home.attend(args);
        let config = self.beside("claude-config");
        let output = command.env("CLAUDE_CONFIG_DIR", config).output();
        let output = output.expect("it starts");
        (output.status.code(), stderr(&output))
    }

    /// Runs `attend` with these arguments, where its project is gone.
    fn beside_gone(&self, args: &[&str]) -> (Option<i32>, String) {
        let output = self.home.attend(args).current_dir("/").output();
        let output = output.expect("it starts");
        (output.status.code(), stderr(&output))
    }

    /// Puts a file into that configuration.
    fn configures(&self, path: &str, text: &str) {
        let path = self.beside("claude-config").join(path);
        let above = path.parent().expect("a directory");
        fs::create_dir_all(above).expect("a directory");
        fs::write(path, text).expect("a file");
    }
}

#[test]
fn a_session_of_which_there_is_no_trace_is_refused() {
    let world = World::new();
    for args in [
        &["run", "--once", "--session", ONE][..],
        &["whoami", "--session", ONE],
    ] {
        let (code, said) = world.beside_config(args);
        assert_eq!(code, Some(1), "{args:?}: {said}");
        let expected = format!("no record and no transcript of the host names the session {ONE} (");
        assert!(said.contains(&expected), "{args:?}: {said}");
        assert!(said.contains("claude-config"), "{args:?}: {said}");
    }
    for kept in ["attend/state", "attend/data"] {
        assert!(!world.beside(kept).exists(), "nothing is kept for it");
    }
}

#[test]
fn a_transcript_or_a_record_is_a_trace() {
    for (path, text) in [
        (format!("projects/-anywhere/{ONE}.jsonl"), String::new()),
        (
            "sessions/1.json".to_owned(),
            json!({"pid": 1, "sessionId": ONE, "procStart": "7"}).to_string(),
        ),
    ] {
        let world = World::new();
        world.configures(&path, &text);
        let (code, said) = world.beside_config(&["run", "--once", "--session", ONE]);
        assert_eq!((code, said.as_str()), (Some(0), ""), "{path}");
        let state = world.beside("attend/state/sessions").join(ONE);
        assert!(state.is_dir(), "{path}");
    }
}

#[test]
fn below_a_host_a_session_may_be_younger_than_its_traces() {
    let world = World::new();
    let program = world.beside("claude");
    if !program.exists() {
        std::os::unix::fs::symlink("/bin/sh", &program).expect("a shell");
    }
    let mut host = Command::new(&program);
    scrub(&mut host, world.home.path());
    // A second command keeps the shell from giving its own process away.
    let script = format!("\"$A\" run --once --session {ONE} && true");
    host.args(["-c", &script])
        .current_dir(world.repo())
        .env("A", env!("CARGO_BIN_EXE_attend"))
        .env("CLAUDE_CONFIG_DIR", world.beside("claude-config"));
    let output = host.output().expect("it starts");
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    let expected = format!("names the session {ONE} yet; the host above this process");
    assert!(said.contains(&expected), "{said}");
}

#[test]
fn a_session_and_a_project_that_are_gone_can_be_asked_about() {
    let world = World::new();
    world.configures(&format!("projects/-anywhere/{ONE}.jsonl"), "");
    let run = ["run", "--once", "--session", ONE];
    assert_eq!(world.beside_config(&run).0, Some(0));
    world.once();
    let tells = |args: &[&str], words: &str| {
        let output = world.home.attend(args).current_dir("/").output();
        let output = output.expect("it starts");
        let (said, error) = (stdout(&output), stderr(&output));
        assert_eq!(output.status.code(), Some(0), "{args:?}: {error}");
        assert!(said.contains(words), "{args:?}: {said}");
    };
    let named = format!("attend does not run for session {ONE}, as of ");
    tells(&["status", "--session", ONE], &named);
    tells(&["explain", "--session", ONE], "");
    let repo = world.repo();
    let whole = repo.canonicalize().expect("it is there");
    fs::remove_dir_all(&repo).expect("a directory");
    let named = format!("attend does not run for {}, as of ", whole.display());
    let repo = repo.to_str().expect("a name");
    tells(&["status", "--project", repo], &named);
    tells(&["explain", "--project", repo], "");

    let never = "00000000-0000-4000-8000-00000000000b";
    let (code, said) = world.beside_gone(&["status", "--session", never]);
    assert_eq!(code, Some(1), "{said}");
    let expected = format!("attend never ran beside the session {never}; ");
    assert!(said.contains(&expected), "{said}");
    let (code, said) = world.beside_gone(&["status", "--session", "../x"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("is no id of one"), "{said}");
    let (code, said) = world.beside_gone(&["status", "--project", "/nowhere/at/all"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("attend never ran for /nowhere/at/all"),
        "{said}"
    );
}
