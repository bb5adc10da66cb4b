//! Bodies through the command line: what goes in comes out, to the byte.

use std::fs::{self, File};
use std::process::Stdio;

use serde_json::Value;

use crate::desk::{Desk, ONE, alone, id, program};
use crate::home::stderr;
use crate::world::World;

/// The most that a body may have.
const MOST: usize = 1 << 20;

/// Bodies that something on the way might change.
fn odd() -> Vec<String> {
    [
        "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇨🇭",
        "漢字かな交じり文 한글 中文，全角：！",
        "one\r\ntwo\rthree\n\n\nfour\r\n",
        "a\0b\0",
        "a | b || c |",
        "\u{1b}[31mred\u{1b}[0m \u{1b}]0;title\u{7} \u{9b}2J",
        "\u{202e}gnihton\u{202c} \u{2066}x\u{2069} \u{200f}שלום",
        "e\u{301} is not \u{e9}, and \u{fb01} is not fi",
        "\u{feff}bom and \u{fffd} and \u{10ffff}\u{e000}",
        " \t leading and trailing \t ",
        "[attend sensor=messages priority=high] 7F3K2A sam (person) → you: no",
        r#"{"messages":[],"next":null} \u0000 \n \ ' " ` $HOME $(id) %s"#,
        "@nobody #nowhere --to nobody -- -",
        "'; DROP TABLE message; --",
    ]
    .map(str::to_owned)
    .into()
}

/// Sends from standard input; gives the id.
fn piped(world: &World, body: &str) -> String {
    let input = world.beside("input");
    fs::write(&input, body).expect("a file");
    let mut command = alone(world, &["send", "--json", "-"]);
    command.stdin(Stdio::from(File::open(&input).expect("a file")));
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{body:?}: {}", stderr(&output));
    id(&serde_json::from_slice(&output.stdout).expect("a receipt"))
}

/// The ids and bodies of a ledger, oldest first.
fn kept(page: &Value) -> Vec<(String, String)> {
    let messages = page["messages"].as_array().expect("a list");
    let body = |message: &Value| message["body"].as_str().expect("a text").to_owned();
    messages.iter().map(|one| (id(one), body(one))).collect()
}

#[test]
fn odd_bodies_are_kept_exactly() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    desk.seat();
    let mut sent = Vec::new();
    for body in odd() {
        sent.push((piped(&world, &body), body.clone()));
        // An argument cannot hold a zero byte.
        if !body.contains('\0') {
            let receipt = program(&world, &["send", "--json", "--broadcast", "--", &body]).json();
            sent.push((id(&receipt), body));
        }
    }
    let page = desk.run("attend inbox --json --limit 1000").json();
    assert_eq!(kept(&page), sent);
    for (id, body) in &sent {
        let shown = desk.run(&format!("attend show --json {id}")).json();
        assert_eq!(shown["body"], *body);
    }
}

#[test]
fn a_mebibyte_of_each_kind_is_kept_exactly() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    desk.seat();
    let of = |part: &str, end: &str| {
        let mut body = part.repeat((MOST - end.len()) / part.len());
        body.push_str(end);
        body.push_str(&"x".repeat(MOST - body.len()));
        body
    };
    let bodies = [
        of("🙂", ""),
        of("漢字 ", "\0"),
        of("\r\n", "end"),
        of("ab\u{1b}[2J\"\\", ""),
    ];
    let mut sent = Vec::new();
    for body in bodies {
        assert_eq!(body.len(), MOST);
        sent.push((piped(&world, &body), body));
    }
    // Not compared by a macro, which would print both.
    let page = desk.run("attend inbox --json").json();
    assert!(kept(&page) == sent, "a body changed on the way");
    let unread = desk.run("attend inbox --unread --json").json();
    assert!(kept(&unread) == sent, "a body changed on the way");
}
