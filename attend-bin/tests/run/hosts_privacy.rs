//! Nothing that was said in a session leaves the host's own files.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::home::scrub;
use crate::hosts_fake::{Beside, ONE, config, configure, host};
use crate::live::eventually;
use crate::world::World;

/// Stands in every text that is somebody's.
const SECRET: &str = "rosebud-7f3a";

fn secret(what: &str) -> String {
    format!("{what} {SECRET} \u{1f6f7} <b>[attend] {SECRET}</b>")
}

/// Rows of every kind that hold somebody's words.
fn rows() -> Vec<Value> {
    let words = |what: &str| json!(secret(what));
    let text = |what: &str| json!([{"type": "text", "text": secret(what)}]);
    let result = json!({
        "type": "tool_result", "tool_use_id": "t1", "content": text("result"), "is_error": false,
    });
    let calls = json!([
        {"type": "thinking", "thinking": secret("thought"), "signature": secret("signature")},
        {"type": "text", "text": secret("answer")},
        {"type": "tool_use", "id": "t1", "name": "Bash",
         "input": {"command": secret("curl"), "description": secret("why")}},
        {"type": "tool_use", "id": "t2", "name": "Edit",
         "input": {"file_path": "plain.rs", "old_string": secret("old"), "new_string": secret("new")}},
        {"type": "tool_use", "id": "t3", "name": SECRET, "input": {"query": secret("query")}},
    ]);
    let compacted = json!({"trigger": "manual", "preTokens": 9, "summary": secret("summary")});
    vec![
        json!({"type": "user", "message": {"role": "user", "content": secret("prompt")}}),
        json!({"type": "user", "message": {"role": "user", "content": text("prompt")}}),
        json!({"type": "assistant", "message": {"content": calls, "model": secret("model"),
            "id": secret("id"), "usage": {"input_tokens": 4, "service_tier": words("tier")}}}),
        json!({"type": "user", "message": {"content": [result]},
            "toolUseResult": {"stdout": words("out"), "stderr": words("err")}}),
        json!({"type": "summary", "summary": words("summary"), "leafUuid": words("leaf")}),
        json!({"type": "ai-title", "aiTitle": words("title")}),
        json!({"type": "last-prompt", "lastPrompt": words("prompt")}),
        json!({"type": "queue-operation", "operation": "enqueue", "content": words("queued")}),
        json!({"type": "attachment", "attachment": {"type": "queued_command",
            "commandMode": "task-notification", "prompt": words("<task-notification>")}}),
        json!({"type": "attachment", "attachment": {"type": "hook_success",
            "stdout": words("out"), "stderr": words("err")}}),
        json!({"type": "system", "subtype": "compact_boundary", "uuid": words("uuid"),
            "content": words("content"), "compactMetadata": compacted}),
        json!({"type": "prompt_snapshot", "account": words("account"), "text": words("text")}),
        json!({"type": SECRET, "text": words("anything")}),
        json!({"type": "user", "gitBranch": words("branch"), "slug": words("slug"),
            "message": words("no object")}),
    ]
}

/// What hooks and the status line are told.
fn told() -> Vec<(&'static str, String)> {
    let hook = |name: &str| {
        json!({
            "hook_event_name": name, "session_id": ONE, "cwd": secret("/cwd"),
            "transcript_path": secret("/path"), "prompt": secret("prompt"),
            "source": secret("source"), "tool_name": "Bash", "title": secret("title"),
            "tool_input": {"command": secret("command")},
            "tool_response": {"stdout": secret("out")}, "message": secret("message"),
            "custom_instructions": secret("instructions"),
        })
    };
    let names = [
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PreCompact",
        "Stop",
        SECRET,
    ];
    let line = json!({
        "session_id": ONE, "session_name": secret("name"), "cwd": secret("/cwd"),
        "transcript_path": secret("/path"), "version": secret("version"),
        "model": {"id": secret("model"), "display_name": secret("model")},
        "workspace": {"current_dir": secret("/dir"), "project_dir": secret("/dir")},
        "output_style": {"name": secret("style")},
    });
    let mut told: Vec<_> = names.map(|name| ("hook", hook(name).to_string())).into();
    let mut strange = hook("SessionStart");
    strange["session_id"] = json!(secret(ONE));
    told.push(("hook", strange.to_string()));
    told.push(("hook", secret("no JSON")));
    told.push(("statusline", line.to_string()));
    told.push(("statusline", secret("no JSON")));
    told
}

/// Runs `attend ARGS` in a host of its own, which tells it `input`.
fn attend(world: &World, args: &str, input: &str) -> Output {
    let mut command = host(world, &format!("\"$A\" {args}"));
    command.stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // One that has no use for it need not read it.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

/// Everything in the files below `directory`, and their names.
fn all_below(directory: &Path, found: &mut Vec<u8>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        found.extend(path.as_os_str().as_encoded_bytes());
        if path.is_dir() {
            all_below(&path, found);
        } else {
            found.extend(fs::read(&path).expect("a file"));
        }
    }
}

fn holds(bytes: &[u8], words: &str) -> bool {
    String::from_utf8_lossy(bytes).contains(words)
}

#[test]
fn nothing_that_was_said_is_told_or_kept() {
    let world = World::new();
    configure(&world, "sensors:\n  git: {interval: 1, min_interval: 1}\n");
    let mut beside = Beside::start(&world);
    for row in rows() {
        beside.row_ago(Duration::from_hours(3), &row);
    }
    let key = beside.record_path().with_extension("key");
    beside.record_of(&json!({
        "status": "busy", "name": secret("name"), "waitingFor": secret("permission"),
        "messagingSocketPath": secret("/socket"), "version": secret("version"),
        "peerProtocol": secret("peers"),
    }));
    fs::write(key, secret("key")).expect("a file");
    fs::write(config(&world).join("history.jsonl"), secret("history")).expect("a file");

    let mut said = Vec::new();
    said.push(beside.live.line());
    beside.known();
    for row in rows() {
        beside.row_ago(Duration::from_hours(2), &row);
    }
    // Its own commit, which its transcript tells of, is silent: the transcript is read.
    let call = beside.shell(&secret("git commit -m"));
    world.commit("harmless");
    beside.shell_ends(&call);
    let head = world.git(["rev-parse", "HEAD"]);
    eventually("the commit is known", || {
        beside.remembers("git")["known"]["head"] == head.trim()
    });
    assert_eq!(beside.engine("git")["tally"]["reported"], 0);
    beside.answer_ago(Duration::from_hours(1), 172_000);
    said.push(beside.live.line());
    assert!(
        said[1].contains("] context at 86% — compaction at about 95%. Use `ways show "),
        "{said:?}"
    );

    let mut outputs = Vec::new();
    for (command, input) in told() {
        outputs.push(attend(&world, command, &input));
    }
    for args in [
        "status",
        "status --json",
        "explain",
        "explain --json",
        "sensors --verbose",
        "whoami",
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_attend"));
        scrub(&mut command, world.home.path());
        command
            .args(args.split(' '))
            .current_dir(world.repo())
            .env("CLAUDE_CONFIG_DIR", config(&world))
            .env("CLAUDE_PID", beside.live.pid().to_string())
            .env("CLAUDE_CODE_SESSION_ID", ONE);
        let output = command.output().expect("it starts");
        assert!(output.status.success(), "{args}: {output:?}");
        outputs.push(output);
    }
    beside.live.signal(Signal::KILL);
    let (_, rest, errors) = beside.live.ended();
    said.extend(rest);
    said.push(errors);

    let mut found = said.join("\n").into_bytes();
    for output in outputs {
        found.extend(output.stdout);
        found.extend(output.stderr);
    }
    all_below(&world.beside("attend"), &mut found);
    assert!(holds(&found, ONE) && holds(&found, "context at 86%"));
    let found = String::from_utf8_lossy(&found);
    for word in [SECRET, "rosebud", "7f3a", "\u{1f6f7}", "\\ud83d"] {
        let line = found.lines().find(|line| line.contains(word));
        assert_eq!(line, None, "{word}");
    }
}
