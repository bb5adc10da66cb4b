//! Where lines that attend taught stand, by the transcript and by nothing else.

use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};

use attend_core::sensor::{HostAnswer, HostRequest, SensorName, Taught};
use attend_sensors::host::claude_code::{ClaudeCode, Given};
use serde_json::{Value, json};

use crate::world::{SELF, World, answer};

const LINES: [&str; 2] = ["reheat: one", "reheat: two"];

fn request(sensor: &str) -> HostRequest {
    let lines = LINES.map(str::to_owned);
    HostRequest::Taught(Taught::new(SensorName::new(sensor).unwrap(), lines))
}

fn ask(host: &ClaudeCode) -> [Option<u64>; 2] {
    match host.answer(&request("disclosure")) {
        Ok(HostAnswer::Taught(found)) => found.try_into().unwrap(),
        other => panic!("{other:?}"),
    }
}

/// Where the lines stand in a transcript of these rows.
fn stand(rows: &[String]) -> [Option<u64>; 2] {
    let world = World::new();
    world.write(rows.concat());
    ask(&world.named())
}

fn line(text: &str) -> String {
    format!("[attend sensor=disclosure priority=high] {text}")
}

fn frame(event: &str) -> String {
    format!(
        "<task-notification>\n<task-id>b1</task-id>\n<summary>Monitor event: \"attend\"</summary>\n<event>{event}</event>\n</task-notification>"
    )
}

fn row(value: &Value) -> String {
    format!("{value}\n")
}

/// A notification to a session that was idle.
fn notified(event: &str) -> String {
    row(
        &json!({"type": "user", "message": {"content": frame(event)}, "origin": {"kind": "task-notification"}}),
    )
}

/// The same to one that was busy.
fn queued(event: &str) -> String {
    row(
        &json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": frame(event), "commandMode": "task-notification"}}),
    )
}

fn compacted(id: u32) -> String {
    row(
        &json!({"type": "system", "subtype": "compact_boundary", "uuid": format!("c-{id}"), "compactMetadata": {"trigger": "auto", "preTokens": 1}}),
    )
}

#[test]
fn a_line_stands_where_the_last_answer_before_it_was() {
    let one = line(LINES[0]);
    let two = line(LINES[1]);
    let both = format!("{one}\n{}\n{two}", line("something else"));
    for delivered in [notified, queued] {
        assert_eq!(
            stand(&[answer(1, 10_000), delivered(&both), answer(2, 12_000)]),
            [Some(10_000); 2]
        );
        let rows = [
            answer(1, 10_000),
            delivered(&both),
            answer(2, 50_000),
            delivered(&one),
            answer(3, 60_000),
        ];
        assert_eq!(stand(&rows), [Some(50_000), Some(10_000)], "the last time");
        let rows = [answer(1, 10_000), delivered(&one)];
        assert_eq!(stand(&rows), [Some(10_000), None]);
    }
    // Nothing was answered before it: it stands no further on than the next answer.
    assert_eq!(
        stand(&[notified(&both), answer(1, 9_000)]),
        [Some(9_000); 2]
    );
    assert_eq!(stand(&[notified(&both)]), [None; 2]);
    assert_eq!(stand(&[]), [None; 2]);
}

#[test]
fn a_line_that_was_late_says_so() {
    let rows = [answer(1, 10_000), notified(&line("reheat: one (12m ago)"))];
    assert_eq!(stand(&rows), [Some(10_000), None]);
    let rows = [answer(1, 10_000), notified(&line("reheat: one-sided"))];
    assert_eq!(stand(&rows), [None; 2]);
}

#[test]
fn what_a_compaction_or_a_fall_left_behind_does_not_stand() {
    let both = format!("{}\n{}", line(LINES[0]), line(LINES[1]));
    let taught = [answer(1, 10_000), notified(&both), answer(2, 50_000)].concat();
    let rows = [taught.clone(), compacted(1), answer(3, 60_000)];
    assert_eq!(stand(&rows), [None; 2]);
    assert_eq!(stand(&[taught.clone(), compacted(1)]), [None; 2]);
    let again = [
        taught.clone(),
        compacted(1),
        notified(&line(LINES[1])),
        answer(3, 20_000),
    ];
    assert_eq!(stand(&again), [None, Some(20_000)]);
    // The count fell below where it stood, and has risen since.
    let fell = [taught.clone(), answer(3, 9_999), answer(4, 60_000)];
    assert_eq!(stand(&fell), [None; 2]);
    assert_eq!(stand(&[taught, answer(3, 10_000)]), [Some(10_000); 2]);
}

#[test]
fn whoever_quotes_a_line_proves_nothing() {
    let one = line(LINES[0]);
    let mut aside = serde_json::from_str::<Value>(&notified(&one)).unwrap();
    aside["isSidechain"] = json!(true);
    let said = |content: Value| row(&json!({"type": "user", "message": {"content": content}}));
    let mut rows = vec![
        said(json!(one)),
        said(json!(frame(&one))),
        said(json!([{"type": "tool_result", "tool_use_id": "t", "content": one}])),
        row(&json!({"type": "assistant", "message": {"content": [{"type": "text", "text": one}]}})),
        row(
            &json!({"type": "attachment", "attachment": {"type": "hook_additional_context", "content": [one]}}),
        ),
        row(
            &json!({"type": "attachment", "attachment": {"type": "hook_success", "hookEvent": "SessionStart", "stdout": one, "exitCode": 0}}),
        ),
        row(
            &json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": frame(&one), "commandMode": "prompt"}}),
        ),
        row(&json!({"type": "queue-operation", "operation": "enqueue", "content": frame(&one)})),
        row(&aside),
    ];
    let events = [
        format!("[attend sensor=messages priority=high] 7F3K2A Tam-alpha → you: {one}"),
        format!("[attend sensor=messages priority=high] {}", LINES[0]),
        format!("[attend sensor=disclosures priority=high] {}", LINES[0]),
        format!("[attend sensor=disclosure (quoted)] {}", LINES[0]),
        format!("[attend] also: {}", LINES[0]),
        format!(" {one}"),
        format!("> {one}"),
        LINES[0].to_owned(),
    ];
    rows.extend(events.iter().map(|event| notified(event)));
    for row in rows {
        assert_eq!(
            stand(&[answer(1, 10_000), row.clone(), answer(2, 12_000)]),
            [None; 2],
            "{row}"
        );
    }
}

#[test]
fn lines_are_those_of_the_sensor_that_is_named() {
    let world = World::new();
    let line = format!("[attend sensor=teacher priority=high] {}", LINES[0]);
    world.write(answer(1, 10_000) + &notified(&line));
    let host = world.named();
    assert_eq!(ask(&host), [None; 2]);
    let found = host.answer(&request("teacher"));
    assert_eq!(found, Ok(HostAnswer::Taught(vec![Some(10_000), None])));
}

#[test]
fn what_is_damaged_or_long_is_passed_over_and_stops_nothing() {
    let one = notified(&line(LINES[0]));
    let long = notified(&(line(LINES[1]) + &" (".repeat(1 << 19)));
    let damaged = format!(
        "{{\"type\":\"user\",\"message\":{}\n[1]\n\0\n",
        line(LINES[1])
    );
    let torn = one.trim_end().get(..60).unwrap().to_owned();
    let rows = [
        answer(1, 10_000),
        one,
        long,
        damaged,
        answer(2, 12_000),
        torn,
    ];
    assert_eq!(stand(&rows), [Some(10_000), None]);
}

#[test]
fn of_an_enormous_file_only_the_end_is_read() {
    let world = World::new();
    let both = format!("{}\n{}", line(LINES[0]), line(LINES[1]));
    let path = world.write(answer(1, 10_000) + &notified(&both));
    let mut file = OpenOptions::new().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start(3 << 30)).unwrap();
    let end = answer(2, 20_000) + &notified(&line(LINES[0])) + &answer(3, 30_000);
    write!(file, "\n{end}").unwrap();
    assert_eq!(ask(&world.named()), [Some(20_000), None]);
}

#[test]
fn without_a_transcript_nothing_is_known() {
    let world = World::new();
    let host = world.host(Given::to(SELF));
    assert_eq!(host.answer(&request("disclosure")), Ok(HostAnswer::Unknown));
    let host = world.named();
    assert_eq!(host.answer(&request("disclosure")), Ok(HostAnswer::Unknown));
    let path = world.write(answer(1, 10_000) + &notified(&line(LINES[0])));
    assert_eq!(ask(&host), [Some(10_000), None]);
    std::fs::remove_file(path).unwrap();
    assert!(host.answer(&request("disclosure")).is_err());
}
