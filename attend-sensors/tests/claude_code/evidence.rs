//! Which messages were seen, by the transcript and by nothing else.

use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;

use attend_core::mail::MessageId;
use attend_core::sensor::{HostAnswer, HostRequest, Root, Seen, Shown};
use attend_sensors::host::claude_code::{Given, seen_in};
use serde_json::{Value, json};

use crate::world::{ID, SELF, World, fixture};

/// Every id that stands in the fixture, delivered or not.
const IDS: [&str; 10] = [
    "AAAAA1", "BBBBB2", "CCCCC3", "DDDDD4", "EEEEE5", "FFFFF6", "GGGGG7", "HHHHH8", "JJJJJ9",
    "KKKKK0",
];

fn shown(ids: &[&str]) -> Shown {
    Shown::new(ids.iter().map(|id| MessageId::new(*id)))
}

fn ids(seen: &Seen) -> Vec<&str> {
    seen.ids.iter().map(MessageId::as_str).collect()
}

fn line(id: &str) -> String {
    format!("[attend sensor=messages priority=high] {id} Tam-alpha → you: hello")
}

/// A row that delivers `text` by a hook.
fn hooked(text: &str) -> Value {
    json!({"type": "attachment", "attachment": {"type": "hook_additional_context", "content": [text]}})
}

fn notified(event: &str) -> Value {
    let text = format!(
        "<task-notification>\n<task-id>b1</task-id>\n<summary>Monitor event: \"attend\"</summary>\n<event>{event}</event>\n</task-notification>"
    );
    json!({"type": "user", "message": {"content": text}, "origin": {"kind": "task-notification"}})
}

fn result(content: &Value) -> Value {
    json!({"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "t", "content": content}]}})
}

/// What of `A1B2C3` and `D4E5F6` is seen in a transcript of `rows`.
fn seen(rows: &[Value]) -> Vec<String> {
    let world = World::new();
    let rows: Vec<String> = rows.iter().map(Value::to_string).collect();
    let path = world.write(rows.join("\n") + "\n");
    let seen = seen_in(&path, &shown(&["A1B2C3", "D4E5F6"])).unwrap();
    assert!(seen.complete);
    ids(&seen).into_iter().map(str::to_owned).collect()
}

#[test]
fn only_what_was_delivered_is_seen() {
    let world = World::new();
    world.write(fixture("40"));
    let delivered = [
        "AAAAA1", "BBBBB2", "CCCCC3", "DDDDD4", "EEEEE5", "FFFFF6", "HHHHH8",
    ];
    let answer = world.named().answer(&HostRequest::Shown(shown(&IDS)));
    let Ok(HostAnswer::Shown(all)) = answer else {
        panic!("{answer:?}")
    };
    assert_eq!((ids(&all), all.complete), (delivered.to_vec(), true));
    let some = seen_in(&world.transcript(), &shown(&["GGGGG7", "FFFFF6", "BBBBB2"])).unwrap();
    assert_eq!(
        (ids(&some), some.upto),
        (vec!["BBBBB2", "FFFFF6"], all.upto)
    );
}

#[test]
fn each_form_of_a_delivered_line_is_evidence() {
    let head = line("A1B2C3");
    let plain = "[attend sensor=messages] A1B2C3 Tam-alpha → you: hello".to_owned();
    let again =
        "[attend sensor=messages priority=high] A1B2C3 (again) (2/3) sam → you: x".to_owned();
    let escaped = format!("{head} &lt;b&gt; \"quoted\" \u{2028} \\n");
    let alone = "[attend sensor=messages priority=high] A1B2C3".to_owned();
    let second = format!("{}\n{head}", line("ZZZZZZ"));
    for text in [head.clone(), plain, again, escaped, alone, second] {
        let frame = notified(&text)["message"]["content"].clone();
        let blocks = json!([{"type": "text", "text": frame}]);
        let queued = |prompt: &Value| json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": prompt, "commandMode": "task-notification"}});
        let printed = |event: &str| json!({"type": "attachment", "attachment": {"type": "hook_success", "hookEvent": event, "stdout": text, "exitCode": 0}});
        for row in [
            notified(&text),
            json!({"type": "user", "message": {"content": blocks}, "origin": {"kind": "task-notification"}}),
            queued(&frame),
            queued(&blocks),
            hooked(&text),
            printed("SessionStart"),
            printed("UserPromptSubmit"),
            result(&json!(text)),
            result(&json!([{"type": "image", "source": {}}, {"type": "text", "text": text}])),
        ] {
            assert_eq!(seen(std::slice::from_ref(&row)), ["A1B2C3"], "{row}");
        }
    }
    // What an event says may look like the frame.
    let text = format!("{}</event></task-notification>\n{head}", line("ZZZZZZ"));
    assert_eq!(seen(&[notified(&text)]), ["A1B2C3"]);
}

#[test]
fn what_only_names_a_message_is_no_evidence() {
    let head = line("A1B2C3");
    let frame = notified(&head)["message"]["content"].clone();
    let row = |kind: &str, content: &Value| json!({"type": kind, "message": {"content": content}});
    let mut aside = hooked(&head);
    aside["isSidechain"] = json!(true);
    let mut unnamed = notified("nothing");
    unnamed["message"]["content"] = json!(format!(
        "<summary>\"<event>{head}\"</summary>\n<event>x</event>\n{head}"
    ));
    let rows = [
        json!({"type": "queue-operation", "operation": "enqueue", "content": frame}),
        row("user", &frame),
        row("user", &json!([{"type": "text", "text": head}])),
        row(
            "assistant",
            &json!([{"type": "text", "text": head}, {"type": "tool_result", "content": head}]),
        ),
        json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": frame, "commandMode": "prompt"}}),
        json!({"type": "attachment", "attachment": {"type": "hook_success", "hookEvent": "PostToolUse", "stdout": head, "exitCode": 0}}),
        json!({"type": "attachment", "attachment": {"type": "hook_success", "hookEvent": "SessionStart", "stdout": head, "exitCode": 1}}),
        json!({"type": "attachment", "attachment": {"type": "hook_success", "hookEvent": "SessionStart", "stderr": head, "content": head}}),
        json!({"type": "another day's", "attachment": {"type": "hook_additional_context", "content": [head]}}),
        json!({"type": "user", "toolUseResult": {"stdout": head}, "message": {"content": [{"type": "tool_result", "content": [{"type": "tool_result", "content": head}]}]}}),
        aside,
        unnamed,
    ];
    for row in rows {
        assert_eq!(seen(std::slice::from_ref(&row)), [""; 0], "{row}");
    }
    for text in [
        format!(" {head}"),
        format!("> {head}"),
        format!("did you get {head}"),
        format!("\r{head}"),
        "A1B2C3 Tam-alpha → you: hello".to_owned(),
        "[attend sensor=messages priority=high] a1b2c3 Tam-alpha → you: x".to_owned(),
        "[attend sensor=messages priority=high] A1B2C3D Tam-alpha → you: x".to_owned(),
        "[attend sensor=messages priority=high]  A1B2C3 Tam-alpha → you: x".to_owned(),
        "[attend sensor=messages priority=high]A1B2C3 Tam-alpha → you: x".to_owned(),
        "[attend sensor=messages priority=high] Tam-alpha → you: A1B2C3 ".to_owned(),
        "[attend sensor=messages (quoted)] A1B2C3 Tam-alpha → you: x".to_owned(),
        "[attend sensor=messagesx] A1B2C3 Tam-alpha → you: x".to_owned(),
        "[attend sensor=git priority=high] A1B2C3 Tam-alpha → you: x".to_owned(),
    ] {
        for row in [notified(&text), hooked(&text), result(&json!(text))] {
            assert_eq!(seen(std::slice::from_ref(&row)), [""; 0], "{row}");
        }
    }
}

#[test]
fn a_number_of_messages_is_no_id() {
    let world = World::new();
    let digest = "[attend sensor=messages priority=high] 123456 new messages: 123456 on #open";
    let path = world.write(format!("{}\n", hooked(digest)));
    assert_eq!(seen_in(&path, &shown(&["123456"])).unwrap().ids, []);
    world.append(format!("{}\n", hooked(&line("123456"))));
    let found = seen_in(&path, &shown(&["123456"])).unwrap();
    assert_eq!(ids(&found), ["123456"]);
}

#[test]
fn a_look_goes_on_where_the_last_one_ended() {
    let world = World::new();
    let path = world.write(format!("{}\n", hooked(&line("A1B2C3"))));
    let wanted = || shown(&["A1B2C3", "D4E5F6"]);
    let first = seen_in(&path, &wanted()).unwrap();
    assert_eq!(ids(&first), ["A1B2C3"]);
    let row = format!("{}\n", hooked(&line("D4E5F6")));
    let (begin, end) = row.split_at(70);
    world.append(begin);
    let torn = seen_in(&path, &wanted().after(Some(first.upto))).unwrap();
    assert_eq!(
        (torn.ids.len(), torn.upto, torn.complete),
        (0, first.upto, true)
    );
    world.append(end);
    let next = seen_in(&path, &wanted().after(Some(torn.upto))).unwrap();
    assert_eq!(
        ids(&next),
        ["D4E5F6"],
        "what was read once is not read again"
    );
    assert!(i64::try_from(next.upto).is_ok());
    let last = seen_in(&path, &wanted().after(Some(next.upto))).unwrap();
    assert_eq!((last.ids.len(), last.upto), (0, next.upto));
    // Wherever it is moved.
    let elsewhere = path.with_extension("moved");
    fs::rename(&path, &elsewhere).unwrap();
    let moved = seen_in(&elsewhere, &wanted().after(Some(first.upto))).unwrap();
    assert_eq!(ids(&moved), ["D4E5F6"]);
}

#[test]
fn another_file_is_begun_anew() {
    let world = World::new();
    let row = |id: &str| format!("{}\n", hooked(&line(id)));
    let path = world.write(row("A1B2C3") + &row("ZZZZZZ").repeat(3));
    let from = seen_in(&path, &shown(&["D4E5F6"])).unwrap().upto;
    for rows in [
        row("D4E5F6"),
        row("D4E5F6") + &row("YYYYYY").repeat(3),
        row("D4E5F6") + &row("YYYYYY").repeat(9),
        row("D4E5F6") + &"x".repeat(5_000),
    ] {
        let path = world.write(rows);
        let found = seen_in(&path, &shown(&["D4E5F6"]).after(Some(from))).unwrap();
        assert_eq!(ids(&found), ["D4E5F6"]);
    }
    for odd in [1, 7, u64::MAX, 1 << 40, i64::MAX.unsigned_abs()] {
        let found = seen_in(&path, &shown(&["D4E5F6"]).after(Some(odd))).unwrap();
        assert_eq!(ids(&found), ["D4E5F6"], "{odd}");
    }
}

/// A transcript with a hole of `hole` bytes between two messages, and where the first one ends.
fn hollow(world: &World, hole: u64) -> (PathBuf, u64) {
    let path = world.write(format!("{}\n", hooked(&line("A1B2C3"))));
    let from = seen_in(&path, &shown(&["A1B2C3"])).unwrap().upto;
    let mut file = OpenOptions::new().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start(hole)).unwrap();
    let end = hooked(&line("D4E5F6"));
    write!(file, "\n{end}\n{{\"torn").unwrap();
    (path, from)
}

#[test]
fn of_an_enormous_file_only_the_end_is_read() {
    let world = World::new();
    let (path, _) = hollow(&world, 3 << 30);
    let found = seen_in(&path, &shown(&["A1B2C3", "D4E5F6"])).unwrap();
    assert_eq!((ids(&found), found.complete), (vec!["D4E5F6"], true));
}

#[test]
fn what_is_more_than_a_look_reads_is_read_in_several() {
    let world = World::new();
    let (path, from) = hollow(&world, 40 << 20);
    let wanted = || shown(&["A1B2C3", "D4E5F6"]);
    let at_once = seen_in(&path, &wanted()).unwrap();
    let mut next = seen_in(&path, &wanted().after(Some(from))).unwrap();
    let mut looks = 1;
    while !next.complete {
        assert_eq!(next.ids, []);
        next = seen_in(&path, &wanted().after(Some(next.upto))).unwrap();
        looks += 1;
    }
    assert_eq!((ids(&next), next.upto), (vec!["D4E5F6"], at_once.upto));
    assert_eq!(looks, 11);
}

#[test]
fn a_look_that_begins_within_a_row_does_not_take_its_rest_for_one() {
    let world = World::new();
    let row = format!("{}\n", hooked(&line("A1B2C3")));
    let rest = "\n".repeat((4 << 20) - row.len());
    let path = world.write(format!("not a row {row}{rest}"));
    assert_eq!(seen_in(&path, &shown(&["A1B2C3"])).unwrap().ids, []);
    world.write(format!("not a row\n{row}{rest}"));
    let found = seen_in(&path, &shown(&["A1B2C3"])).unwrap();
    assert_eq!(ids(&found), ["A1B2C3"]);
}

#[test]
fn long_rows_are_passed_over_and_stop_nothing() {
    let world = World::new();
    let long = |length: usize| format!("{}\n", hooked(&(line("A1B2C3") + &"x".repeat(length))));
    let row = format!("{}\n", hooked(&line("D4E5F6")));
    let wanted = || shown(&["A1B2C3", "D4E5F6"]);
    let path = world.write(long(300_000) + &row);
    assert_eq!(
        ids(&seen_in(&path, &wanted()).unwrap()),
        ["A1B2C3", "D4E5F6"]
    );
    for length in [1 << 20, 2 << 20] {
        world.write(long(length) + &row);
        assert_eq!(ids(&seen_in(&path, &wanted()).unwrap()), ["D4E5F6"]);
    }
    // One that grows from look to look, beyond what one look reads.
    world.write("");
    let mut from = seen_in(&path, &wanted()).unwrap().upto;
    for piece in (long(8 << 20) + &row).as_bytes().chunks(900_000) {
        world.append(piece);
        let grown = seen_in(&path, &wanted().after(Some(from))).unwrap();
        assert!(grown.complete);
        if !grown.ids.is_empty() {
            assert_eq!(ids(&grown), ["D4E5F6"]);
            return;
        }
        from = grown.upto;
    }
    panic!("it was not found behind the long row");
}

#[test]
fn what_is_damaged_is_passed_over() {
    let world = World::new();
    let head = line("A1B2C3");
    let damaged = [
        head.clone(),
        format!("{{\"type\":\"user\",\"message\":\"{head}\""),
        format!("[\"{head}\"]"),
        format!("{{\"type\":[\"{head}\"],\"attachment\":\"{head}\",\"message\":7}}"),
        format!(
            "{{\"type\":\"attachment\",\"attachment\":{{\"type\":\"hook_additional_context\",\"content\":{{\"a\":\"{head}\"}}}}}}"
        ),
        "[".repeat(10_000) + &head,
        format!(
            "{{\"type\":\"user\",\"message\":{{\"content\":{}\"{head}\"{}}}}}",
            "[".repeat(500),
            "]".repeat(500)
        ),
    ];
    let mut bytes = damaged.join("\n").into_bytes();
    bytes.extend(b"\n\0\0\0");
    bytes.extend(
        hooked(&(line("D4E5F6") + "~"))
            .to_string()
            .replace('~', "\u{fffd}")
            .bytes(),
    );
    bytes.extend(b"\n\xff\xfe[attend sensor=messages");
    let path = world.write(&bytes);
    let found = seen_in(&path, &shown(&["A1B2C3", "D4E5F6"])).unwrap();
    assert_eq!(ids(&found), ["D4E5F6"]);
}

#[test]
fn without_a_transcript_nothing_is_known() {
    let world = World::new();
    let ask = |host: &attend_sensors::host::claude_code::ClaudeCode| {
        host.answer(&HostRequest::Shown(shown(&IDS)))
    };
    assert_eq!(ask(&world.host(Given::to(SELF))), Ok(HostAnswer::Unknown));
    let host = world.named();
    assert_eq!(ask(&host), Ok(HostAnswer::Unknown));
    assert!(seen_in(&world.transcript(), &shown(&IDS)).is_err());
    assert!(seen_in(world.roots.roots().work(), &shown(&IDS)).is_err());
    let path = world.write(fixture("40"));
    assert!(matches!(ask(&host), Ok(HostAnswer::Shown(_))));
    let elsewhere = world
        .roots
        .path(Root::Host, format!("projects/-elsewhere/{ID}.jsonl"));
    fs::create_dir_all(elsewhere.parent().unwrap()).unwrap();
    fs::rename(&path, &elsewhere).unwrap();
    assert!(matches!(ask(&host), Ok(HostAnswer::Shown(_))), "it moved");
    fs::remove_file(&elsewhere).unwrap();
    assert!(ask(&host).is_err(), "it was there, and may be there again");
}
