//! Files of earlier versions: what they hold is read as it was written.
//!
//! The samples are never written anew: a format that changes gets another sample beside them.

use std::fs;
use std::time::{Duration, UNIX_EPOCH};

use attend_core::attention::{Attention, Input, SensorProfile, Settings, Trace, TraceLog};
use attend_core::dynamics::Tick;
use attend_core::runtime::{Saved, StateDir};
use attend_core::sensor::{Event, Report, SensorName, Snapshot};

/// An engine that holds one event.
fn engine() -> Attention {
    let git = SensorName::new("git").expect("a name");
    let mut engine = Attention::builder().build();
    let profile = SensorProfile::new(git.clone());
    engine.input(Tick::new(1), Input::Sensors(vec![profile]));
    let mut report = Report::new();
    let event = Event::new(1.0, "upstream moved");
    report.event(event).expect("it fits");
    engine.input(Tick::new(1), Input::Report(git, report));
    engine
}

fn saved() -> Saved {
    let wall = UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    let mut saved = Saved::new(wall, engine().checkpoint());
    let git = SensorName::new("git").expect("a name");
    let known = Snapshot::of(&("main", 3)).expect("it fits");
    saved.snapshots.insert(git, known);
    saved.banner = Some("attend 0.1.0".to_owned());
    saved
}

fn traced() -> Vec<u8> {
    let mut engine = Attention::builder().build();
    let now = Tick::new(10);
    let mut log = TraceLog::begin(now, &Settings::default(), None);
    let banner = Input::Banner("hello".to_owned());
    log.input(now, &banner);
    engine.input(now, banner);
    log.step(now, &engine.step(now));
    log.take()
}

#[test]
fn a_checkpoint_of_version_1_is_read_as_it_was_written() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = StateDir::open(directory.path().join("state")).expect("a state");
    let sample = include_bytes!("samples/checkpoint-1.json");
    fs::write(dir.path().join("checkpoint.json"), sample).expect("a checkpoint");
    let read = Saved::load(&dir).expect("it can be read");
    assert_eq!(read.notice, None);
    assert_eq!(read.saved, Some(saved()));
}

#[test]
fn a_trace_of_version_1_is_replayed_to_the_same_lines() {
    let trace = Trace::read(include_bytes!("samples/trace-1.trace")).expect("it can be read");
    assert_eq!((trace.version(), trace.start()), ("0.1.0", Tick::new(10)));
    assert!(!trace.is_cut_short());
    let replayed = trace.replay().expect("it can be replayed");
    assert_eq!(replayed.to_string(), "[attend] hello\n");
}

#[test]
#[ignore = "writes samples where there are none"]
fn samples_are_made_where_there_are_none() {
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/samples");
    let checkpoint = serde_json::to_vec(&saved()).expect("JSON");
    for (name, bytes) in [
        ("checkpoint-1.json", checkpoint),
        ("trace-1.trace", traced()),
    ] {
        let path = samples.join(name);
        if fs::metadata(&path).map_or(0, |file| file.len()) == 0 {
            fs::write(path, bytes).expect("a sample");
        }
    }
}
