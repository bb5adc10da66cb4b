//! Where a notification stands in the transcript, row by row.

use std::time::{Duration, SystemTime};

use attend_core::dynamics::Tick;
use attend_core::sensor::HostState;
use attend_core::testkit::monitor::Ending;
use attend_core::testkit::{MonitorTranscript, SimulatedMonitor};
use serde_json::{Value, json};

const IDLE: HostState = HostState::Idle {
    since: Tick::new(0),
};

/// The rows of all that `monitor` had to say.
fn rows(monitor: &SimulatedMonitor, host: HostState) -> Vec<Value> {
    let mut transcript = MonitorTranscript::new("5e55", "/home/dev/proj").after("before");
    let told = monitor.notifications().iter();
    told.flat_map(|told| transcript.rows(told, host))
        .map(|row| {
            assert!(!row.contains('\n'));
            serde_json::from_str(&row).unwrap()
        })
        .collect()
}

fn one(text: &str) -> SimulatedMonitor {
    let mut monitor = SimulatedMonitor::new();
    monitor.write(0, format!("{text}\n"));
    monitor.advance(200);
    monitor
}

fn frame(event: &str) -> String {
    format!(
        "<task-notification>\n<task-id>bfix00001</task-id>\n\
         <summary>Monitor event: \"attend\"</summary>\n<event>{event}</event>\n</task-notification>"
    )
}

const AT: &str = "2026-11-20T10:00:00.200Z";

fn queued(operation: &str) -> Value {
    json!({"type": "queue-operation", "operation": operation, "timestamp": AT, "sessionId": "5e55"})
}

fn row(more: Value) -> Value {
    let mut row = json!({
        "parentUuid": "before", "isSidechain": false,
        "uuid": "00000000-0000-4000-8000-0a0000000001", "timestamp": AT,
        "userType": "external", "entrypoint": "cli", "cwd": "/home/dev/proj",
        "sessionId": "5e55", "version": "2.1.311", "gitBranch": "main",
    });
    let Value::Object(more) = more else {
        unreachable!()
    };
    row.as_object_mut().unwrap().extend(more);
    row
}

#[test]
fn an_idle_session_gets_a_turn() {
    for host in [IDLE, HostState::Unprompted] {
        let frame = frame("[attend] a\n[attend] b");
        let mut enqueued = queued("enqueue");
        enqueued["content"] = frame.as_str().into();
        let user = json!({
            "type": "user", "message": {"role": "user", "content": frame},
            "origin": {"kind": "task-notification"},
        });
        assert_eq!(
            rows(&one("[attend] a\n[attend] b"), host),
            [enqueued, queued("dequeue"), row(user)]
        );
    }
}

#[test]
fn a_busy_session_gets_an_attachment() {
    for host in [HostState::Busy, HostState::Unknown] {
        let frame = frame("[attend] a");
        let mut enqueued = queued("enqueue");
        enqueued["content"] = frame.as_str().into();
        let attached = json!({"type": "attachment", "attachment": {
            "type": "queued_command", "prompt": frame, "commandMode": "task-notification",
            "origin": {"kind": "task-notification"},
        }});
        assert_eq!(
            rows(&one("[attend] a"), host),
            [enqueued, queued("remove"), row(attached)]
        );
    }
}

#[test]
fn rows_chain() {
    let mut monitor = one("a");
    monitor.write(1_000, "b\n");
    monitor.advance(2_000);
    let rows = rows(&monitor, HostState::Busy);
    assert_eq!(rows[5]["parentUuid"], rows[2]["uuid"]);
    assert_ne!(rows[5]["uuid"], rows[2]["uuid"]);
    assert!(rows[4].get("uuid").is_none());
}

#[test]
fn brackets_pass_and_angle_brackets_are_escaped() {
    let rows = rows(&one("[x] </event><event> & y"), HostState::Busy);
    assert_eq!(
        rows[2]["attachment"]["prompt"],
        frame("[x] &lt;/event&gt;&lt;event&gt; & y")
    );
}

#[test]
fn what_was_suppressed_leaves_no_row_but_the_notice() {
    let mut monitor = SimulatedMonitor::new();
    monitor.suppress_next(1);
    monitor.write(0, "a\n");
    monitor.advance(200);
    assert_eq!(rows(&monitor, IDLE), [Value::Null; 0]);
    monitor.write(1_000, "b\n");
    monitor.advance(1_200);
    let contents: Vec<Value> = rows(&monitor, IDLE)
        .iter()
        .filter(|row| row["type"] == "user")
        .map(|row| row["message"]["content"].clone())
        .collect();
    assert_eq!(
        contents,
        [
            frame("[1 events suppressed — output rate too high]"),
            frame("b")
        ]
    );
}

#[test]
fn what_was_lost_was_queued_and_nothing_else() {
    let mut monitor = SimulatedMonitor::new();
    monitor.lose_next(1);
    monitor.write(0, "a\n");
    monitor.advance(200);
    let rows = rows(&monitor, IDLE);
    assert_eq!((rows.len(), &rows[0]["operation"]), (1, &json!("enqueue")));
    assert_eq!(rows[0]["content"], frame("a"));
}

#[test]
fn an_end_has_a_status_and_no_event() {
    for (ending, said) in [
        (
            Ending::Completed,
            "<status>completed</status>\n<summary>Monitor \"ci watch\" stream ended</summary>",
        ),
        (
            Ending::Failed(2),
            "<status>failed</status>\n<summary>Monitor \"ci watch\" script failed (exit 2)</summary>",
        ),
    ] {
        let mut monitor = SimulatedMonitor::new();
        monitor.end(0, ending);
        let mut transcript = MonitorTranscript::new("5e55", "/home/dev").described("ci watch");
        let rows = transcript.rows(&monitor.notifications()[0], IDLE);
        let row: Value = serde_json::from_str(&rows[2]).unwrap();
        let frame = format!(
            "<task-notification>\n<task-id>bfix00001</task-id>\n{said}\n</task-notification>"
        );
        assert_eq!(row["message"]["content"], frame);
        assert_eq!(row["parentUuid"], Value::Null);
    }
}

#[test]
fn times_of_day_are_those_of_the_calendar() {
    for (seconds, millis, said) in [
        (0, 0, "1970-01-01T00:00:00.000Z"),
        (951_782_399, 999, "2000-02-28T23:59:59.999Z"),
        (951_782_400, 0, "2000-02-29T00:00:00.000Z"),
        (951_868_800, 1, "2000-03-01T00:00:00.001Z"),
        (1_709_164_800, 0, "2024-02-29T00:00:00.000Z"),
        (1_798_761_599, 0, "2026-12-31T23:59:59.000Z"),
        (1_798_761_600, 0, "2027-01-01T00:00:00.000Z"),
        (4_107_542_400, 0, "2100-03-01T00:00:00.000Z"),
    ] {
        let mut monitor = SimulatedMonitor::new();
        monitor.end(millis, Ending::Completed);
        let epoch = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let mut transcript = MonitorTranscript::new("5e55", "/home/dev").beginning(epoch);
        let rows = transcript.rows(&monitor.notifications()[0], IDLE);
        let row: Value = serde_json::from_str(&rows[0]).unwrap();
        assert_eq!(row["timestamp"], said);
    }
}
