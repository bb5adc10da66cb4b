//! Configuration that changes under a driver that runs: real files, real watches, a real pipe.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "all of this is a test")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use attend_core::runtime::config::{Places, Reader};
use attend_core::runtime::system::Output;
use attend_core::runtime::{Driver, Ended, Handle};
use attend_core::sensor::{
    BuildContext, ConfigError, Event, Profile, Project, Registry, Roots, Sensor, SensorSpec,
    sensor_sync,
};
use serde::{Deserialize, Serialize};

const PATIENCE: Duration = Duration::from_secs(30);

/// Tells at each look, once, what it was configured to tell and how often one of its name was
/// built.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Tells {
    text: String,
}

/// The names of all sensors that were built, in that order. Only one test uses it.
static BUILT: Mutex<Vec<String>> = Mutex::new(Vec::new());

impl SensorSpec for Tells {
    const KIND: &'static str = "tells";
    const ABOUT: &'static str = "what it was told";

    fn build(self, cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        let mut built = BUILT.lock().unwrap();
        built.push(cx.name().to_string());
        Ok(Box::new(sensor_sync(move |cx| {
            cx.report(
                Event::new(5.0, self.text.clone())
                    .key(self.text.clone())
                    .standing(),
            );
            Ok(())
        })))
    }

    fn profile() -> Profile {
        Profile::new(3_600, 1, 2_000, 4)
    }
}

struct Running {
    lines: Receiver<String>,
    notices: Receiver<String>,
    handle: Handle,
    ended: JoinHandle<Ended>,
}

fn run(home: &Path) -> Running {
    let places = Places::new(Some(home.join("config.yaml")), home);
    let paths: Vec<_> = places.paths().map(|(_, path)| path.to_owned()).collect();
    let mut reader = Reader::new(places, Registry::new().with::<Tells>());
    let config = reader.read();
    let (reader_end, writer) = std::io::pipe().unwrap();
    let (hear, notices) = channel();
    let driver = Driver::builder(Roots::new(home), Project::at(home))
        .settings(config.settings.clone())
        .sensors(config.setups(reader.registry()))
        .reread(paths, move || reader.plan())
        .output(Output::to(writer.into()))
        .on_notice(move |notice| hear.send(notice.to_owned()).unwrap())
        .build()
        .unwrap();
    let handle = driver.handle();
    let ended = std::thread::spawn(move || driver.run().unwrap());
    let (send, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(reader_end).lines().map_while(Result::ok) {
            let _ = send.send(line);
        }
    });
    Running {
        lines,
        notices,
        handle,
        ended,
    }
}

impl Running {
    fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("a line")
    }

    fn notice(&self) -> String {
        self.notices.recv_timeout(PATIENCE).expect("a notice")
    }
}

/// Settings under which a line follows a line at once.
const QUICK: &str = "governor: {cooldown: 0, max_per_window: 100}\nengagement: {absolute_refractory: 0, burst_threshold: 100}\n";

#[test]
fn a_file_that_changes_changes_what_it_says_and_nothing_else() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("config.yaml");
    let project = home.path().join(".claude");
    fs::write(&file, "sensors:\n  tells: {text: one}\n").unwrap();
    let running = run(home.path());
    assert_eq!(running.line(), "[attend sensor=tells priority=high] one");

    // With the former settings nothing would leave for 20 s, and nothing of `tells` for 60 s.
    fs::write(&file, format!("{QUICK}sensors:\n  tells: {{text: two}}\n")).unwrap();
    assert_eq!(running.line(), "[attend sensor=tells priority=high] two");

    // The other layer, whose directory is not there yet.
    fs::create_dir(&project).unwrap();
    let text = "sensors:\n  more: {kind: tells, text: three}\n";
    fs::write(project.join("attend.yaml"), text).unwrap();
    assert_eq!(running.line(), "[attend sensor=more priority=high] three");
    let built = BUILT.lock().unwrap().clone();
    assert_eq!(
        built,
        ["tells", "tells", "more"],
        "who is configured as before goes on"
    );

    // What is wrong is said once, and costs itself only. A file takes the place of another one,
    // as editors write it.
    let written = project.join("attend.yaml~");
    fs::write(
        &written,
        format!("{text}  tells: {{textt: x}}\n  less: {{kind: tell}}\n"),
    )
    .unwrap();
    fs::rename(&written, project.join("attend.yaml")).unwrap();
    let notice = running.notice();
    let place = format!(
        "configuration: {}:3:11: sensors.tells.textt: ",
        project.join("attend.yaml").display()
    );
    assert!(notice.starts_with(&place), "{notice}");
    assert!(
        notice.ends_with("did you mean `text`? (and one more: attend config check)"),
        "{notice}"
    );

    fs::remove_file(project.join("attend.yaml")).unwrap();
    fs::write(&file, format!("{QUICK}sensors:\n  tells: {{text: four}}\n")).unwrap();
    let mut lines = vec![running.line()];
    while !lines.last().unwrap().ends_with("four") {
        lines.push(running.line());
    }
    assert!(
        lines.iter().all(|line| !line.contains("three")),
        "{lines:?}"
    );
    running.handle.stop();
    assert_eq!(running.ended.join().unwrap(), Ended::Stopped);
    assert_eq!(
        running.notices.iter().collect::<Vec<_>>(),
        [] as [String; 0]
    );
    assert_eq!(BUILT.lock().unwrap().len(), 4);
}
