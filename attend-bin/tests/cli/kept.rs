//! What attend 0.1.0 kept is read by this one: the files of `samples/0.1.0`, which that version
//! wrote in `/home/dev` for a session in the project `web`.

use std::fs;
use std::path::{Path, PathBuf};

use attend_sensors::host::claude_code::{HookRecord, StatusLine};
use attend_sensors::process::WatchRecord;
use rusqlite::Connection;
use serde_json::Value;

use crate::home::{Home, stdout};
use crate::mail::{SESSION, in_host};

/// The user `dev` and the project `web`, as they are called here.
fn here(home: &Home, text: &str) -> String {
    let project = home.project().canonicalize().expect("a project");
    let text = text.replace("/home/dev/web", &project.display().to_string());
    text.replace(
        "/home/dev/config",
        &home.path().join("claude").display().to_string(),
    )
    .replace("/home/dev", &home.path().display().to_string())
}

fn sample(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/samples/0.1.0");
    fs::read_to_string(path.join(name)).expect("a sample")
}

fn put(home: &Home, place: &str, name: &str) -> PathBuf {
    use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
    let path = home.path().join(place);
    let parent = path.parent().expect("a directory");
    let mut private = fs::DirBuilder::new();
    private.recursive(true).mode(0o700);
    private.create(parent).expect("a directory");
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    let mut file = options.open(&path).expect("a file");
    std::io::Write::write_all(&mut file, here(home, &sample(name)).as_bytes()).expect("a file");
    path
}

fn session(place: &str) -> String {
    format!("attend/state/{place}").replace("SESSION", SESSION)
}

/// A home with the mail store of then.
fn with_mail() -> Home {
    let home = Home::new();
    git(&home);
    let sql = put(&home, "attend/data/mail.db", "mail.sql");
    let text = fs::read_to_string(&sql).expect("a sample");
    fs::write(&sql, "").expect("a file");
    let store = Connection::open(&sql).expect("a database");
    store.execute_batch(&text).expect("a store");
    store.close().expect("a database");
    home
}

/// Makes the project a repository, as it was.
fn git(home: &Home) {
    let output = in_host(
        home,
        "git init -q -b feat/x . && git commit -q --allow-empty -m x",
    );
    assert_eq!(stdout(&output), "");
}

fn json(home: &Home, command: &str) -> Value {
    let output = in_host(home, command);
    serde_json::from_str(&stdout(&output)).expect("JSON")
}

#[test]
fn the_mail_of_then_is_all_there_and_goes_on() {
    let home = with_mail();
    let who = json(&home, "\"$A\" whoami --json");
    assert_eq!(who["seat"], "Dara-alpha");
    let all = json(&home, "\"$A\" inbox --json");
    let told = |message: &Value| {
        let part = |name: &str| message[name].as_str().unwrap_or_default().to_owned();
        (
            part("id"),
            part("from"),
            part("to"),
            part("body"),
            part("state"),
        )
    };
    let messages = all["messages"].as_array().expect("messages");
    let bodies: Vec<_> = messages.iter().map(|message| told(message).3).collect();
    assert_eq!(
        bodies,
        [
            "please rebase: \"x\" | ümlaut 👩\u{200d}👩\u{200d}👧",
            "the schema changed",
            "to everybody",
            "unread as yet"
        ]
    );
    assert_eq!(messages[1]["to"][0], "#deploy");
    assert_eq!(messages[0]["state"], "printed");
    let found = json(&home, "\"$A\" inbox --search schema --json");
    assert_eq!(found["messages"].as_array().expect("messages").len(), 1);
    let unread = json(&home, "\"$A\" inbox --unread --json");
    let unread = unread["messages"].as_array().expect("messages");
    assert_eq!(unread.len(), 1);
    assert_eq!(
        (&unread[0]["body"], &unread[0]["again"]),
        (&"unread as yet".into(), &Value::Bool(false))
    );
    let script =
        "\"$A\" mute; \"$A\" reminders; \"$A\" send '#deploy' goes on; \"$A\" inbox --search goes";
    let text = stdout(&in_host(&home, script));
    for part in ["#deploy", "look at the build", " sent\n", "goes on"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_loop_goes_on_from_the_checkpoint_of_then_and_its_journal_is_explained() {
    let home = with_mail();
    put(&home, "attend/config/config.yaml", "user.yaml");
    let made = in_host(
        &home,
        "echo '#!/bin/sh' > ../queue.sh; chmod +x ../queue.sh",
    );
    assert_eq!(stdout(&made), "");
    let kept = session("sessions/SESSION/");
    put(&home, &format!("{kept}checkpoint.json"), "checkpoint.json");
    put(&home, &format!("{kept}journal.1.jsonl"), "journal.jsonl");
    let text = stdout(&in_host(&home, "\"$A\" explain --last 50"));
    for part in [
        "branch changed: main → feat/x",
        "1 file newly dirty: Cargo.lock (1 dirty in all)",
        "sh failed after 0.0 s, exit code 3",
        "the queue has 4 jobs",
        "created Cargo.lock",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = stdout(&in_host(&home, "\"$A\" run --once"));
    assert!(text.contains("unread as yet"), "{text}");
    assert!(!text.contains("checkpoint"), "{text}");
    // The branch was known.
    assert!(!text.contains("branch changed"), "{text}");
}

#[test]
fn a_recording_of_then_replays_to_the_lines_of_then() {
    let home = Home::new();
    let trace = put(&home, "day.trace", "day.trace");
    let output = home.output(&["replay", &trace.display().to_string()]);
    let text = stdout(&output);
    for line in [
        "[attend sensor=git priority=medium] branch changed: main → feat/x\n",
        "[attend sensor=queue priority=medium] the queue has 4 jobs\n",
        "[attend] also: created Cargo.lock\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn guidance_that_was_shown_then_is_known_and_told_in_short() {
    let home = Home::new();
    let kept = session("ways/SESSION/");
    let place = format!("{kept}way-engagement/context-pressure.json");
    put(&home, &place, "way-engagement.json");
    put(&home, &format!("{kept}events.jsonl"), "ways-events.jsonl");
    let project = home.project().canonicalize().expect("a project");
    let folder: String = project.display().to_string();
    let folder = folder.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let folder = home.path().join("claude/projects").join(folder);
    fs::create_dir_all(&folder).expect("a directory");
    let usage = r#"{"input_tokens":53000,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}"#;
    let row = format!(
        r#"{{"type":"assistant","sessionId":"{SESSION}","uuid":"1","timestamp":"2026-01-01T00:00:00.000Z","message":{{"id":"m","role":"assistant","model":"claude-opus-4-6","content":[],"usage":{usage}}}}}"#
    );
    fs::write(folder.join(format!("{SESSION}.jsonl")), row + "\n").expect("a transcript");
    let show = "\"${A%attend}ways\" show attend/context-pressure";
    let text = stdout(&in_host(&home, show));
    assert_eq!(text.lines().count(), 1, "{text}");
    let text = stdout(&in_host(&home, "\"${A%attend}ways\" rethink"));
    assert!(text.contains("context-pressure"), "{text}");
}

#[test]
fn what_was_allowed_then_is_known() {
    let home = Home::new();
    put(&home, "attend/state/trust/allowed.json", "allowed.json");
    put(&home, "project/.claude/attend.yaml", "project.yaml");
    fs::write(home.project().join("lint.sh"), "#!/bin/sh\nexit 0\n").expect("a script");
    let text = stdout(&home.output(&["config", "trust", "--withdraw"]));
    assert!(text.contains("lint"), "{text}");
    let kept = fs::read_to_string(home.path().join("attend/state/trust/allowed.json"));
    assert!(!kept.expect("a file").contains("\"lint\""));
}

#[test]
fn guidance_that_was_due_then_is_given_once() {
    let home = Home::new();
    let kept = session("ways/SESSION/occasions.json");
    put(&home, &kept, "occasions.json");
    let ways = home.path().join("attend/config/ways");
    fs::create_dir_all(&ways).expect("a directory");
    let way = "---\nname: after\ndescription: What to do after a compaction\n\
               trigger: { type: PostCompact }\n---\nLook again at what is open.\n";
    fs::write(ways.join("after.md"), way).expect("a way");
    let prompt = format!(
        "echo '{{\"session_id\":\"{SESSION}\",\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"go on\"}}' | \"$A\" hook; "
    );
    let text = stdout(&in_host(&home, &prompt.repeat(2)));
    assert_eq!(
        text.matches("Look again at what is open.").count(),
        1,
        "{text}"
    );
}

#[test]
fn what_commands_and_hooks_left_then_is_understood() {
    let watched = WatchRecord::parse(sample("watched.json").as_bytes()).expect("a record");
    let ended = watched.ended.map(|end| (end.took, end.code, end.signal));
    assert_eq!(
        (watched.name.as_str(), ended),
        ("sh", Some((1, Some(3), None)))
    );
    assert_eq!(watched.cwd, Path::new("/home/dev/web"));
    assert_eq!(watched.ancestors.len(), 2);
    let line = StatusLine::parse(sample("statusline.json").as_bytes()).expect("a status line");
    assert_eq!(line.session.as_deref(), Some(SESSION));
    assert_eq!((line.window, line.used), (Some(1_000_000), Some(310_000)));
    let held = HookRecord::parse(sample("host.json").as_bytes()).expect("a record");
    let of = (held.pid, held.proc_start.as_str(), held.session_id.as_str());
    assert_eq!(of, (4_242, "77001", SESSION));
}

#[test]
fn a_plugin_of_then_is_known_as_attend_s_and_goes() {
    let home = Home::new();
    let place = "attend/data/plugin/attend-plugin.json";
    let record = put(&home, place, "attend-plugin.json");
    assert!(
        fs::read_to_string(&record)
            .expect("a record")
            .contains("hooks/hooks.json")
    );
    // Its files are those of whatever version this is; what is listed and not there is made.
    let text = stdout(&home.output(&["plugin", "install"]));
    assert!(text.contains("hooks/hooks.json"), "{text}");
    let text = stdout(&home.output(&["plugin", "uninstall"]));
    assert!(!home.path().join("attend/data/plugin").exists(), "{text}");
}

#[test]
fn every_format_of_a_file_has_a_sample_that_a_test_reads() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let Ok(page) = fs::read_to_string(workspace.join("docs/stability.md")) else {
        return; // This package was unpacked alone.
    };
    let rows = page
        .lines()
        .skip_while(|line| !line.starts_with("| file |"));
    let rows = rows.skip(2).take_while(|line| line.starts_with('|'));
    let mut named = Vec::new();
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let samples = cells[4].split('`').skip(1).step_by(2);
        let before = named.len();
        named.extend(samples);
        // What is made anew by each version needs none.
        assert!(named.len() > before || cells[3] == "is made anew", "{row}");
    }
    assert!(named.len() > 12, "{named:?}");
    let here = include_str!("kept.rs");
    let chat = include_str!("../run/chatting.rs");
    for name in &named {
        let quoted = format!("{name}\"");
        assert!(!sample(name).is_empty(), "{name}");
        assert!(
            here.contains(&quoted) || chat.contains(&quoted),
            "nothing reads {name}"
        );
    }
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/samples/0.1.0");
    for entry in fs::read_dir(samples).expect("samples") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_str().expect("a name");
        assert!(named.contains(&name), "{name} is of no format on the page");
    }
}
