//! One `attend run` beside a host, and the lines that it prints, each at its instant.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::processes::{Host, Place};

/// What a line of a message begins with.
const HEAD: &str = "[attend sensor=messages priority=high] ";

/// How long a line may take before something is wrong.
const PATIENCE: Duration = Duration::from_mins(2);

/// A reader that runs; it is killed where it is dropped.
pub(crate) struct Reading {
    child: Child,
    lines: Receiver<(Instant, String)>,
}

/// A message as it was printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Printed {
    pub(crate) id: String,
    /// It says that it may have been shown before.
    pub(crate) again: bool,
    pub(crate) body: String,
}

impl Printed {
    /// The message that a line shows; none where it shows none.
    pub(crate) fn of(line: &str) -> Option<Self> {
        let rest = line.strip_prefix(HEAD)?;
        let (id, rest) = rest.split_once(' ')?;
        let (_, body) = rest.split_once(": ").filter(|_| id.len() >= 6)?;
        let is_id = id
            .chars()
            .all(|c| c.is_ascii_digit() || c.is_ascii_uppercase());
        is_id.then(|| Self {
            id: id.to_owned(),
            again: rest.starts_with("(again) "),
            body: body.to_owned(),
        })
    }
}

impl Reading {
    /// Starts a reader beside `host`, and waits for its first line.
    pub(crate) fn start(place: &Place, host: &Host) -> Self {
        let mut child = place.attend(Some(host), &["run"]).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (told, lines) = channel();
        thread::spawn(move || {
            for line in out.lines() {
                // Nobody need wait for the rest.
                let _ = told.send((Instant::now(), line.unwrap()));
            }
        });
        let reading = Self { child, lines };
        let (_, banner) = reading.line();
        assert!(banner.contains(" watches "), "{banner}");
        reading
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The next line.
    pub(crate) fn line(&self) -> (Instant, String) {
        self.lines.recv_timeout(PATIENCE).expect("a line in time")
    }

    /// The next message, if one comes within `time`.
    pub(crate) fn message_within(&self, time: Duration) -> Option<(Instant, Printed)> {
        let until = Instant::now() + time;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let (at, line) = self.lines.recv_timeout(left).ok()?;
            if let Some(printed) = Printed::of(&line) {
                return Some((at, printed));
            }
        }
    }

    /// The next message.
    pub(crate) fn message(&self) -> (Instant, Printed) {
        self.message_within(PATIENCE).expect("a message in time")
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A host to which somebody spoke, and the name of the seat of its session.
pub(crate) fn spoken(place: &Place, n: usize) -> (Host, String) {
    let host = place.host(n);
    let project = place.dir.join("project");
    let folder: String = project
        .to_string_lossy()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let folder = place.dir.join("claude/projects").join(folder);
    fs::create_dir_all(&folder).unwrap();
    let row = json!({
        "type": "user", "sessionId": host.session, "cwd": project, "uuid": "row-1",
        "timestamp": "2026-01-01T00:00:00.000Z",
        "message": {"role": "user", "content": "begin"},
    });
    let transcript = folder.join(format!("{}.jsonl", host.session));
    fs::write(transcript, format!("{row}\n")).unwrap();
    let who = place.json(&host, &["whoami", "--json"]);
    let seat = who["seat"].as_str().unwrap().to_owned();
    (host, seat)
}

/// Lets messages follow each other as closely as the host allows, not three seconds apart.
pub(crate) fn without_cooldown(place: &Place) {
    fs::create_dir_all(place.dir.join("config")).unwrap();
    let config = place.dir.join("config/config.yaml");
    fs::write(config, "messages: {cooldown: 0s}\n").unwrap();
}
