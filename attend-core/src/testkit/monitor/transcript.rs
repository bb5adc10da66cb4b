//! Where a notification stands in the transcript of the session that got it.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use super::notification::{Ending, Fate, Notification, Said};
use crate::sensor::HostState;

/// The task under which the host runs the monitor, as the fixtures call it.
const TASK: &str = "bfix00001";

/// What makes transcript rows of notifications, in the form of version 2.1.311.
///
/// The rows chain (`parentUuid`) and have ids of their own. They are data only: whoever wants
/// them in a file writes each with a line end.
///
/// ```
/// use attend_core::sensor::HostState;
/// use attend_core::testkit::{MonitorTranscript, SimulatedMonitor};
///
/// let mut monitor = SimulatedMonitor::new();
/// monitor.write(0, "[attend] a < b\n");
/// monitor.advance(200);
/// let told = monitor.delivered().next().expect("one");
/// let rows = MonitorTranscript::new("5e55", "/home/dev/proj").rows(told, HostState::Busy);
/// let row: serde_json::Value = serde_json::from_str(rows.last().expect("a row"))?;
/// assert_eq!(row["attachment"]["commandMode"], "task-notification");
/// assert_eq!(
///     row["attachment"]["prompt"],
///     "<task-notification>\n<task-id>bfix00001</task-id>\n\
///      <summary>Monitor event: \"attend\"</summary>\n\
///      <event>[attend] a &lt; b</event>\n</task-notification>",
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MonitorTranscript {
    session: String,
    cwd: String,
    description: String,
    epoch: SystemTime,
    parent: Option<String>,
    rows: u64,
}

impl MonitorTranscript {
    /// Rows of the session `session`, which works in `cwd` and calls the monitor `attend`. Its
    /// axis of milliseconds begins at 2026-11-20 10:00:00 UTC.
    pub fn new(session: impl Into<String>, cwd: impl Into<String>) -> Self {
        Self {
            session: session.into(),
            cwd: cwd.into(),
            description: "attend".to_owned(),
            epoch: SystemTime::UNIX_EPOCH + Duration::from_hours(498_658),
            parent: None,
            rows: 0,
        }
    }

    /// The same for a monitor of this description.
    #[must_use]
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// The same with this time of day at 0 milliseconds.
    #[must_use]
    pub fn beginning(mut self, epoch: SystemTime) -> Self {
        self.epoch = epoch;
        self
    }

    /// The same with rows that follow the row `uuid` of somebody else's.
    #[must_use]
    pub fn after(mut self, uuid: impl Into<String>) -> Self {
        self.parent = Some(uuid.into());
        self
    }

    /// The rows in which `notification` appears, without line ends, where the host does `host`
    /// when it is delivered.
    ///
    /// | | rows |
    /// |---|---|
    /// | delivered, host idle or not prompted yet | `queue-operation` `enqueue` and `dequeue`, then `user` |
    /// | delivered, else | `queue-operation` `enqueue` and `remove`, then `attachment` with `queued_command` |
    /// | lost | `queue-operation` `enqueue` |
    /// | suppressed | none |
    pub fn rows(&mut self, notification: &Notification, host: HostState) -> Vec<String> {
        let at = self.epoch + Duration::from_millis(notification.at());
        let (at, frame) = (iso(at), self.frame(notification));
        let mut queued = self.queue("enqueue", &at);
        queued["content"] = frame.as_str().into();
        let rows = match notification.fate() {
            Fate::Suppressed => vec![],
            Fate::Lost => vec![queued],
            Fate::Delivered if host.is_idle() => {
                let taken = self.queue("dequeue", &at);
                let user = json!({
                    "type": "user",
                    "message": {"role": "user", "content": frame},
                    "origin": {"kind": "task-notification"},
                });
                vec![queued, taken, self.row(user, &at)]
            }
            Fate::Delivered => {
                let taken = self.queue("remove", &at);
                let attached = json!({
                    "type": "attachment",
                    "attachment": {
                        "type": "queued_command", "prompt": frame,
                        "commandMode": "task-notification",
                        "origin": {"kind": "task-notification"},
                    },
                });
                vec![queued, taken, self.row(attached, &at)]
            }
        };
        rows.iter().map(Value::to_string).collect()
    }

    fn queue(&self, operation: &str, at: &str) -> Value {
        json!({
            "type": "queue-operation", "operation": operation, "timestamp": at,
            "sessionId": self.session,
        })
    }

    /// A row of the conversation: `row`, and what each of them has.
    fn row(&mut self, mut row: Value, at: &str) -> Value {
        self.rows += 1;
        let uuid = format!("00000000-0000-4000-8000-0a{:010}", self.rows);
        row["parentUuid"] = self.parent.replace(uuid.clone()).into();
        row["uuid"] = uuid.into();
        row["timestamp"] = at.into();
        row["sessionId"] = self.session.as_str().into();
        row["cwd"] = self.cwd.as_str().into();
        row["isSidechain"] = false.into();
        for (name, value) in [
            ("userType", "external"),
            ("entrypoint", "cli"),
            ("version", "2.1.311"),
            ("gitBranch", "main"),
        ] {
            row[name] = value.into();
        }
        row
    }

    /// The text that the agent reads. The host escapes angle brackets of what was printed.
    fn frame(&self, notification: &Notification) -> String {
        let named = &self.description;
        let mut frame = format!("<task-notification>\n<task-id>{TASK}</task-id>\n");
        let _ = if let Said::Ended(ending) = notification.said() {
            let (status, how) = match ending {
                Ending::Completed => ("completed", "stream ended".to_owned()),
                Ending::Failed(code) => ("failed", format!("script failed (exit {code})")),
                Ending::Killed => ("killed", "was stopped".to_owned()),
            };
            writeln!(
                frame,
                "<status>{status}</status>\n<summary>Monitor \"{named}\" {how}</summary>"
            )
        } else {
            let text = notification.text();
            let text = text.replace('<', "&lt;").replace('>', "&gt;");
            writeln!(
                frame,
                "<summary>Monitor event: \"{named}\"</summary>\n<event>{text}</event>"
            )
        };
        frame + "</task-notification>"
    }
}

/// A time of day as transcripts write it: `2026-11-20T10:00:00.000Z`.
fn iso(at: SystemTime) -> String {
    let since = at.duration_since(SystemTime::UNIX_EPOCH);
    let since = since.unwrap_or_default();
    let (seconds, millis) = (since.as_secs(), since.subsec_millis());
    let (days, of_day) = (seconds / 86_400, seconds % 86_400);
    // The proleptic Gregorian calendar in eras of 400 years that begin on 1 March, as in Howard
    // Hinnant's "chrono-compatible low-level date algorithms".
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = (from_march + 2) % 12 + 1;
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}
