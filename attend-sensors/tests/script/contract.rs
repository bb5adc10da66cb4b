//! The contract of sensors.

use std::sync::{Arc, Mutex};

use attend_core::sensor::{CommandOutput, Lane, SensorSpec};
use attend_core::testkit::{Conformance, Harness, ScriptedStream};
use attend_sensors::script::ScriptConfig;

use super::world::{config, reviews};

#[test]
fn it_keeps_the_contract_at_each_look() {
    let output = CommandOutput::exited(0, "\n").with_stderr("looked\n");
    let harness = Harness::new().answer(reviews(), output);
    Conformance::new().harness(harness).check_kind(&config());
}

#[test]
fn it_keeps_the_contract_where_the_script_fails() {
    let harness = Harness::new().answer(reviews(), CommandOutput::exited(64, "9|x\n"));
    Conformance::new().harness(harness).check_kind(&config());
}

#[test]
fn it_keeps_the_contract_as_a_stream() {
    let harness = Harness::new();
    let stream: Arc<Mutex<ScriptedStream>> =
        Arc::new(Mutex::new(harness.script().runs_on(reviews())));
    Conformance::new()
        .harness(harness)
        .change(move |_| {
            let stream = stream.lock().unwrap();
            stream.say("2|one");
            stream.say("no line");
            stream.say(r#"{"magnitude":3,"text":"two","key":"k"}"#);
        })
        .check_kind(&config().streaming());
}

#[test]
fn it_is_built_in_and_never_there_by_itself() {
    let registry = attend_sensors::built_in();
    let script = registry.get("script").unwrap();
    let profile = script.profile();
    assert_eq!(
        (profile.interval.as_secs(), profile.min_interval.as_secs()),
        (60, 5)
    );
    assert_eq!((profile.threshold.get(), profile.decay_threshold), (2.0, 4));
    let declares = script.declares();
    assert_eq!(declares.lanes, [Lane::Event]);
    assert!(declares.runs_commands && !declares.by_itself && !declares.needs_host);
    assert_eq!(declares.implied_by, ["script", "command"]);
}

#[test]
fn what_makes_no_sense_is_refused_with_its_key() {
    let refused = |json: serde_json::Value| {
        let config: ScriptConfig = serde_json::from_value(json).unwrap();
        config.check().unwrap_err().to_string()
    };
    for (json, why) in [
        (
            serde_json::json!({}),
            "there is nothing to run: give it a `script` or a `command`",
        ),
        (
            serde_json::json!({"script": "a", "command": ["b"]}),
            "`command`: it takes the place of `script`: give one of them",
        ),
        (
            serde_json::json!({"script": ""}),
            "`script`: it names nothing to run",
        ),
        (
            serde_json::json!({"command": [""]}),
            "`command`: it names nothing to run",
        ),
        (
            serde_json::json!({"script": "a", "deadline": 61}),
            "`deadline`: must be from 1 to 60 seconds",
        ),
    ] {
        assert_eq!(refused(json), why);
    }
    let why = refused(serde_json::json!({"script": "$CONFIG/a"}));
    assert!(
        why.starts_with("`script`: nothing stands for the beginning of $CONFIG/a"),
        "{why}"
    );
}
