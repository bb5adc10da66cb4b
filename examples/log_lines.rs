//! A sensor that is configured: tells of the lines that a log gains and that hold certain words.
//!
//! Its kind has a schema, refuses what makes no sense, and remembers over a restart how far it
//! read. `cargo run -p examples --example log_lines` configures it with two mistakes, puts them
//! right, lets it look at a log in virtual time, and prints:
//!
//! ```text
//! attend.yaml:3:5: sensors.log-lines.wrods: there is no such key; it is ignored; did you mean `words`?
//! attend.yaml:2:15: sensors.log-lines.words: no words: every line would be told
//! [panicked] 3.0 thread 'main' panicked at src/main.rs:3
//! ```

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::PathBuf;

use async_trait::async_trait;
use attend_core::runtime::config::{self, Layer, resolve};
use attend_core::sensor::{
    BuildContext, ConfigError, Event, Magnitude, PollContext, Registry, Schema, Sensor,
    SensorError, SensorSpec, Snapshot,
};
use attend_core::testkit::Harness;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much of a log one look reads, in bytes; the rest is left for the next one.
const MOST: u64 = 64 * 1024;

/// How it is configured. Doc comments are what the schema and the documentation say of a key.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct LogLines {
    /// The log, below the project's root.
    path: PathBuf,
    /// A line that holds any of these words is told.
    words: Vec<String>,
    /// How much such a line matters, from 0 to 100.
    magnitude: f64,
}

impl Default for LogLines {
    fn default() -> Self {
        Self {
            path: "server.log".into(),
            words: vec!["panicked".to_owned(), "ERROR".to_owned()],
            magnitude: 3.0,
        }
    }
}

impl SensorSpec for LogLines {
    const KIND: &'static str = "log-lines";
    const ABOUT: &'static str = "the lines that a log gains and that hold certain words";

    fn check(&self) -> Result<(), ConfigError> {
        if self.words.iter().all(String::is_empty) {
            return Err(ConfigError::at(
                "words",
                "no words: every line would be told",
            ));
        }
        match Magnitude::new(self.magnitude) {
            Some(_) => Ok(()),
            None => Err(ConfigError::at("magnitude", "not from 0 to 100")),
        }
    }

    fn check_project(&self) -> Result<(), ConfigError> {
        // Whoever wrote the project's own file is not the user, and may not look elsewhere.
        let plain = |part| matches!(part, std::path::Component::Normal(_));
        if !self.path.components().all(plain) {
            return Err(ConfigError::at("path", "not below the project's root"));
        }
        Ok(())
    }

    fn build(self, _cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        Ok(Box::new(Log {
            config: self,
            read: None,
        }))
    }

    fn schema() -> Schema {
        Schema::of::<Self>()
    }
}

struct Log {
    config: LogLines,
    /// How far it was read, in bytes; none before the first look.
    read: Option<u64>,
}

impl Log {
    /// The whole lines behind `from`, and where the next look goes on.
    fn gained(file: File, from: u64) -> io::Result<(Vec<String>, u64)> {
        let mut file = BufReader::new(file);
        let mut at = file.seek(SeekFrom::Start(from))?;
        let mut file = file.take(MOST);
        let mut lines = Vec::new();
        let mut line = Vec::new();
        while file.read_until(b'\n', &mut line)? > 0 {
            // Half a line is left for the next look, unless it would fill that one, too.
            if !line.ends_with(b"\n") && line.len() as u64 != MOST {
                break;
            }
            at += line.len() as u64;
            lines.push(String::from_utf8_lossy(line.trim_ascii()).into_owned());
            line.clear();
        }
        Ok((lines, at))
    }
}

#[async_trait]
impl Sensor for Log {
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        let path = cx.roots().work().join(&self.config.path);
        let unread = |error| SensorError::transient(format!("cannot read the log: {error}"));
        let file = match File::open(&path) {
            Ok(file) => file,
            // A log that is yet to begin is empty; one that cannot be read is not.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.read = Some(0);
                return Ok(());
            }
            Err(error) => return Err(unread(error)),
        };
        let length = file.metadata().map_err(unread)?.len();
        // The first look is a baseline. A log that shrank was begun anew.
        let from = self
            .read
            .map_or(length, |read| if read > length { 0 } else { read });
        let (lines, read) = Self::gained(file, from).map_err(unread)?;
        self.read = Some(read);
        for line in lines {
            let word = self.config.words.iter().find(|word| line.contains(*word));
            if let Some(word) = word.cloned() {
                cx.report(Event::new(self.config.magnitude, line).key(word));
            }
        }
        Ok(())
    }

    fn snapshot(&self) -> Option<Snapshot> {
        Snapshot::of(&self.read?).ok()
    }

    fn restore(&mut self, from: &Snapshot) -> Result<(), SensorError> {
        self.read = Some(from.read()?);
        Ok(())
    }
}

/// What somebody who writes `text` as a configuration file is told of it.
fn mistakes(text: &str) -> Vec<String> {
    let file = config::File {
        layer: Layer::User,
        path: "attend.yaml".into(),
        bytes: text.into(),
    };
    let config = resolve(&[file], &Registry::new().with::<LogLines>());
    config.findings.iter().map(ToString::to_string).collect()
}

fn main() -> Result<(), ConfigError> {
    for text in [
        "sensors:\n  log-lines:\n    wrods: [ERROR]\n",
        "sensors:\n  log-lines: {words: []}\n",
    ] {
        for mistake in mistakes(text) {
            println!("{mistake}");
        }
    }

    let mut harness = Harness::new().file("server.log", "it starts\n");
    let mut sensor = harness.build(LogLines::default())?;
    harness.poll(sensor.as_mut());
    harness.write(
        "server.log",
        "it starts\nit runs\nthread 'main' panicked at src/main.rs:3\n",
    );
    for event in harness.poll(sensor.as_mut()).events() {
        let key = event.key().map_or("", |key| key.as_str());
        println!("[{key}] {:.1} {}", event.magnitude().get(), event.text());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use attend_core::testkit::Conformance;

    #[test]
    fn a_log_is_read_on_from_where_the_last_look_ended() {
        let mut harness = Harness::new().file("server.log", "ERROR: old\n");
        let mut sensor = harness.build(LogLines::default()).unwrap();
        harness.poll(sensor.as_mut()).assert_quiet();
        harness.write("server.log", "ERROR: old\nfine\nERROR: ha");
        harness.poll(sensor.as_mut()).assert_quiet();
        harness.write("server.log", "ERROR: old\nfine\nERROR: half\n");
        harness.poll(sensor.as_mut()).assert_texts(&["ERROR: half"]);

        let known = sensor.snapshot().unwrap();
        let mut again = harness.build(LogLines::default()).unwrap();
        again.restore(&known).unwrap();
        harness.poll(again.as_mut()).assert_quiet();
        harness.write("server.log", "ERROR: anew\n");
        harness.poll(again.as_mut()).assert_texts(&["ERROR: anew"]);
    }

    #[test]
    fn a_line_without_an_end_stops_nothing() {
        let mut harness = Harness::new();
        let mut sensor = harness.build(LogLines::default()).unwrap();
        harness.poll(sensor.as_mut()).assert_quiet();
        let long = "x".repeat(200_000);
        harness.write("server.log", format!("{long}\nERROR: behind it\n"));
        let told = std::iter::repeat_with(|| harness.poll(sensor.as_mut())).take(5);
        let told: Vec<String> = told
            .flat_map(|polled| {
                polled
                    .texts()
                    .into_iter()
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(told, ["ERROR: behind it"]);
    }

    #[test]
    fn a_project_may_not_look_elsewhere() {
        let at = |path: &str| LogLines {
            path: path.into(),
            ..LogLines::default()
        };
        assert!(at("logs/a.log").check_project().is_ok());
        for path in ["/var/log/syslog", "../other/a.log"] {
            assert_eq!(
                at(path).check_project().unwrap_err().key(),
                Some("path"),
                "{path}"
            );
        }
    }

    #[test]
    fn the_schema_knows_each_key() {
        let text = config::page(
            Registry::new().with::<LogLines>().get("log-lines").unwrap(),
            "",
        );
        for key in ["path", "words", "magnitude"] {
            assert!(text.contains(&format!("`{key}`")), "{text}");
        }
    }

    #[test]
    fn it_keeps_the_contract() {
        let harness = Harness::new().file("server.log", "it starts\n");
        Conformance::new()
            .harness(harness)
            .change(|harness| drop(harness.write("server.log", "it starts\nERROR: x\n")))
            .check_kind(&LogLines::default());
    }
}
