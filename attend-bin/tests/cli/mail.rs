//! The JSON of the commands for mail.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

use crate::home::{Home, scrub, stderr, stdout};

pub(crate) const SESSION: &str = "00000000-0000-4000-8000-000000000001";

/// Runs a script in a host: a shell of its own name, with a record that the script itself writes.
/// In it, `$A` is `attend`.
pub(crate) fn in_host(home: &Home, script: &str) -> Output {
    let program = home.path().join("claude-bin");
    fs::create_dir_all(&program).expect("a directory");
    let program = program.join("claude");
    if !program.exists() {
        std::os::unix::fs::symlink("/bin/sh", &program).expect("a shell");
    }
    let sessions = home.path().join("claude/sessions");
    fs::create_dir_all(&sessions).expect("a directory");
    let write = format!(
        "started=$(sed 's/.*) //' /proc/$$/stat | cut -d' ' -f20); \
         printf '{{\"pid\":%s,\"procStart\":\"%s\",\"sessionId\":\"{SESSION}\",\"cwd\":\"%s\",\
         \"kind\":\"interactive\"}}' $$ $started \"$PWD\" > '{}/'$$.json",
        sessions.display()
    );
    #[expect(clippy::disallowed_methods, reason = "a test starts a host of its own")]
    let mut command = Command::new(&program);
    scrub(&mut command, home.path());
    command
        .args(["-c", &format!("{write}; {script}\ntrue")])
        .env("A", env!("CARGO_BIN_EXE_attend"))
        .current_dir(home.project());
    let output = command.output().expect("a shell");
    assert_eq!(stderr(&output), "");
    output
}

/// Several documents, with what differs from run to run replaced.
fn settled(home: &Home, output: &Output) -> String {
    let text = stdout(output);
    let documents = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
    let documents: Vec<Value> = documents.collect::<Result<_, _>>().expect("JSON");
    let mut changing: Vec<(String, String)> = Vec::new();
    let root = home.project().canonicalize().expect("it is there");
    changing.push((root.display().to_string(), "ROOT".to_owned()));
    let mut number = 0;
    for document in &documents {
        let messages = document["messages"].as_array();
        for message in messages.into_iter().flatten().chain([document]) {
            if let Some(id) = message["id"].as_str() {
                number += 1;
                changing.push((id.to_owned(), format!("ID{number}")));
            }
            if let Some(sent) = message["sent_at"].as_str() {
                changing.push((sent.to_owned(), "TIME".to_owned()));
            }
        }
        // A persona, and a seat of it.
        if let Some(persona) = document["persona"].as_str() {
            changing.push((format!("\"@{persona}"), "\"@Cleo".to_owned()));
            changing.push((format!("\"{persona}"), "\"Cleo".to_owned()));
        }
        if let Some(pid) = document["host_pid"].as_u64() {
            changing.push((
                format!("\"host_pid\": {pid}"),
                "\"host_pid\": 4242".to_owned(),
            ));
        }
    }
    changing
        .iter()
        .fold(text, |text, (from, to)| text.replace(from, to))
}

#[test]
fn whoami_send_inbox_and_show_print_json() {
    let home = Home::new();
    let output = in_host(
        &home,
        "\"$A\" whoami --json
         \"$A\" focus on deploy >'../joined'
         \"$A\" send --json '#deploy' 'first line
second line'
         \"$A\" send --json --to . hello
         \"$A\" inbox --json
         \"$A\" focus all --json",
    );
    insta::assert_snapshot!("mail-json", settled(&home, &output));
}

#[test]
fn mutes_print_json() {
    let home = Home::new();
    let output = in_host(
        &home,
        "\"$A\" mute --json
         \"$A\" mute --json git
         \"$A\" mute '#open' >'../muted'
         \"$A\" mute --json
         \"$A\" unmute --json git",
    );
    insta::assert_snapshot!("mute-json", stdout(&output));
}

#[test]
fn peers_print_json() {
    let home = Home::new();
    let output = in_host(
        &home,
        "\"$A\" whoami --json; \"$A\" focus on deploy >'../joined'
         \"$A\" peers --json",
    );
    insta::assert_snapshot!("peers-json", settled(&home, &output));
}

#[test]
fn the_documentation_names_every_field() {
    let home = Home::new();
    let output = in_host(
        &home,
        "\"$A\" whoami --json; \"$A\" send --json hello >../sent; cat ../sent
         sed -n 's/.*\"id\": \"\\(.*\\)\",/\\1/p' ../sent >../id; read -r id <../id
         \"$A\" show --json $id; \"$A\" inbox --json; \"$A\" focus all --json; \
         \"$A\" focus on --json deploy; \"$A\" focus off --json deploy; \
         \"$A\" mute git --for 1h --json; \"$A\" remind 1h look --json; \"$A\" reminders --json; \
         \"$A\" peers --json; \"$A\" cleanup --dry-run --json",
    );
    let documentation = include_str!("../../../docs/json.md");
    let text = stdout(&output);
    let fields: Vec<&str> = text
        .lines()
        .filter_map(|line| {
            line.trim()
                .strip_prefix('"')?
                .split_once("\": ")
                .map(|(name, _)| name)
        })
        .collect();
    assert!(fields.len() > 20, "{text}");
    // The name of a room is no name of a field.
    for field in fields.iter().filter(|field| !field.starts_with('#')) {
        let is_named = [
            format!("`{field}`"),
            format!(".{field}`"),
            format!("`{field}[]`"),
        ];
        assert!(
            is_named.iter().any(|name| documentation.contains(name)),
            "`{field}` is not in docs/json.md"
        );
    }
}
