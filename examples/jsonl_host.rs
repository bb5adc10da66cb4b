//! A host of one's own: what an agent program tells of itself in a transcript of JSON lines.
//!
//! The built-in sensors ask a host, and know of no agent program. This one reads
//! `transcript.jsonl` in the directory that it is given, in the words of a program that is made
//! up. Where its last row says 172,000 of 200,000 tokens, and `.claude/attend.yaml` says
//! `sensors: {disclosure: {enabled: false}, git: {enabled: false}}`,
//! `cargo run -p examples --example jsonl_host` prints from there:
//!
//! ```text
//! [attend sensor=context priority=medium] context at 86%
//! ```

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use attend_core::dynamics::Tick;
use attend_core::runtime::Driver;
use attend_core::runtime::config::{Places, Reader};
use attend_core::sensor::{
    ContextUsage, Evidence, Host, HostAnswer, HostRequest, HostState, Identity, Project, Roots,
    SensorError, SessionInfo, WindowBasis,
};
use serde::Deserialize;

/// How much of the transcript one look reads, in bytes; what is older was not seen, and is unknown.
const MOST: u64 = 1 << 20;

/// What is understood of a row. Rows and keys that nobody knows are left out, never an error.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Row {
    /// A session begins.
    Session { id: String, window: u64 },
    /// The person spoke, at a time in seconds since 1970.
    Prompt,
    /// The model answered, with so many tokens before it; the last answer of a turn ends it.
    Answer { at: u64, tokens: u64, ends: bool },
    #[serde(other)]
    Other,
}

/// What was understood so far.
#[derive(Clone, Default)]
struct Known {
    /// How far it was read, in bytes.
    read: u64,
    session: Option<String>,
    window: Option<u64>,
    tokens: Option<u64>,
    state: HostState,
}

impl Known {
    fn take(&mut self, row: Row) {
        match row {
            Row::Session { id, window } => {
                let (session, window) = (Some(id), Some(window));
                let (read, state) = (self.read, HostState::Unprompted);
                *self = Self {
                    read,
                    session,
                    window,
                    state,
                    tokens: None,
                };
            }
            Row::Prompt => self.state = HostState::Busy,
            Row::Answer { at, tokens, ends } => {
                self.tokens = Some(tokens);
                let since = Tick::new(at);
                self.state = if ends {
                    HostState::Idle { since }
                } else {
                    HostState::Busy
                };
            }
            Row::Other => {}
        }
    }
}

/// The host whose transcript lies at `path`.
struct JsonlHost {
    path: PathBuf,
    known: Mutex<Known>,
}

impl JsonlHost {
    fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            known: Mutex::default(),
        }
    }

    /// What is known once the new rows were read. A failed look changes nothing.
    fn look(&self) -> io::Result<Known> {
        let mut kept = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let file = match File::open(&self.path) {
            Ok(file) => file,
            // It has not said anything yet.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Known::default()),
            Err(error) => return Err(error),
        };
        let length = file.metadata()?.len();
        // One that shrank is another one.
        let mut known = if kept.read > length {
            Known::default()
        } else {
            kept.clone()
        };
        let mut skipping = known.read + MOST < length;
        if skipping {
            known = Known {
                read: length - MOST,
                session: known.session,
                window: known.window,
                ..Known::default()
            };
        }
        let mut file = BufReader::new(file);
        file.seek(SeekFrom::Start(known.read))?;
        let mut file = file.take(MOST);
        let mut line = Vec::new();
        while file.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
            known.read += line.len() as u64;
            // A look that begins amid a row has no use for the rest of it.
            if !std::mem::take(&mut skipping)
                && let Ok(row) = serde_json::from_slice(&line)
            {
                known.take(row);
            }
            line.clear();
        }
        *kept = known.clone();
        Ok(known)
    }
}

#[async_trait]
impl Host for JsonlHost {
    async fn ask(&self, request: &HostRequest) -> Result<HostAnswer, SensorError> {
        let known = self.look().map_err(|error| {
            SensorError::transient(format!("cannot read the agent's transcript: {error}"))
        })?;
        Ok(match request {
            HostRequest::State => HostAnswer::State(known.state),
            HostRequest::Session => HostAnswer::Session(self.session(&known)),
            HostRequest::Context => match known.window {
                Some(window) => {
                    let mut usage = ContextUsage::new(window, WindowBasis::Exact);
                    usage.tokens = known.tokens;
                    usage.epoch = known.session;
                    HostAnswer::Context(usage)
                }
                None => HostAnswer::Unknown,
            },
            // What a host does not know it says so of: nothing is guessed, nothing reported.
            _ => HostAnswer::Unknown,
        })
    }
}

impl JsonlHost {
    fn session(&self, known: &Known) -> SessionInfo {
        let by = Evidence::Record;
        let mut info = SessionInfo::new(match known.session.clone() {
            Some(id) => Identity::Known { id, by },
            None => Identity::Waiting,
        });
        // A sensor that asks for it is woken when the transcript grows.
        info.watch = vec![self.path.clone()];
        info
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = std::fs::canonicalize(".")?;
    let mut reader = Reader::new(Places::new(None, &root), attend_sensors::built_in());
    let config = reader.read();
    let host = JsonlHost::new(root.join("transcript.jsonl"));
    let driver = Driver::builder(Roots::new(&root), Project::at(&root)).host(Arc::new(host));
    driver.sensors(reader.setups(&config)).build()?.once()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use attend_core::testkit::Harness;
    use attend_sensors::context::ContextConfig;
    use futures::executor::block_on;

    const SESSION: &str = "{\"type\":\"session\",\"id\":\"s1\",\"window\":200000,\"new\":[1]}\n";

    /// A host over a transcript that says `text`.
    fn host(harness: &Harness, text: &str) -> Arc<JsonlHost> {
        Arc::new(JsonlHost::new(harness.write("transcript.jsonl", text)))
    }

    fn state(host: &JsonlHost) -> HostAnswer {
        block_on(host.ask(&HostRequest::State)).unwrap()
    }

    #[test]
    fn its_state_follows_the_rows() {
        let harness = Harness::new();
        let host = host(&harness, SESSION);
        assert_eq!(state(&host), HostAnswer::State(HostState::Unprompted));
        let mut text = SESSION.to_owned() + "{\"type\":\"prompt\"}\n";
        harness.write("transcript.jsonl", &text);
        assert_eq!(state(&host), HostAnswer::State(HostState::Busy));

        // Nonsense is left out, and half a row is left for the next look.
        text += "nonsense\n{\"type\":\"mood\"}\n{\"type\":\"answer\",\"at\":90,\"tok";
        harness.write("transcript.jsonl", &text);
        assert_eq!(state(&host), HostAnswer::State(HostState::Busy));
        text += "ens\":172000,\"ends\":true}\n";
        harness.write("transcript.jsonl", &text);
        let since = Tick::new(90);
        assert_eq!(state(&host), HostAnswer::State(HostState::Idle { since }));
    }

    #[test]
    fn a_sensor_that_comes_with_attend_understands_it() {
        let harness = Harness::new();
        let text = SESSION.to_owned()
            + "{\"type\":\"answer\",\"at\":90,\"tokens\":172000,\"ends\":false}\n";
        let host = host(&harness, &text);
        let mut harness = harness.host_adapter(host);
        let mut sensor = harness.build(ContextConfig::default()).unwrap();
        harness
            .poll(sensor.as_mut())
            .assert_texts(&["context at 86%"]);
    }

    #[test]
    fn what_it_does_not_know_is_unknown_and_what_it_cannot_read_an_error() {
        let harness = Harness::new();
        let host = host(&harness, SESSION);
        let answer = block_on(host.ask(&HostRequest::Peers)).unwrap();
        assert_eq!(answer, HostAnswer::Unknown);
        harness.remove("transcript.jsonl");
        assert_eq!(state(&host), HostAnswer::State(HostState::Unknown));
        harness.write("transcript.jsonl/in-its-place", "");
        assert!(block_on(host.ask(&HostRequest::State)).is_err());
    }
}
