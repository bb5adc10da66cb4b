//! Nothing that was said, run or written shows in what the adapter answers.

use std::collections::BTreeSet;
use std::fs;

use attend_core::mail::MessageId;
use attend_core::sensor::{HostRequest, Shown};
use serde_json::Value;

use crate::world::{World, transcripts};

/// Fields whose text is somebody's: prompts, answers, commands, contents.
const PRIVATE: [&str; 16] = [
    "content",
    "text",
    "thinking",
    "prompt",
    "lastPrompt",
    "command",
    "description",
    "old_string",
    "new_string",
    "new_source",
    "stdout",
    "stderr",
    "originalFile",
    "aiTitle",
    "customTitle",
    "lines",
];

/// Collects the texts under private fields.
fn private(value: &Value, inside: bool, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if inside => {
            found.insert(text.clone());
        }
        Value::Array(items) => items.iter().for_each(|item| private(item, inside, found)),
        Value::Object(fields) => {
            for (name, field) in fields {
                let names = [
                    "type",
                    "id",
                    "name",
                    "tool_use_id",
                    "file_path",
                    "notebook_path",
                ];
                let inside =
                    !names.contains(&name.as_str()) && (inside || PRIVATE.contains(&name.as_str()));
                private(field, inside, found);
            }
        }
        _ => {}
    }
}

/// Everything that the adapter tells of `world`.
fn told(world: &World) -> String {
    let host = world.named();
    let requests = [
        HostRequest::Session,
        HostRequest::State,
        HostRequest::Context,
        HostRequest::Own,
        HostRequest::Shown(Shown::new([MessageId::new("AAAAA1")])),
    ];
    let answers = requests.map(|request| host.answer(&request).unwrap());
    format!("{answers:?} {host:?} {:?}", host.counts())
}

/// A session that did one of each, with nothing private in it.
fn bare() -> World {
    let world = World::new();
    let compacted = r#"{"type":"system","subtype":"compact_boundary","uuid":"-"}"#;
    let edit = r#"{"type":"tool_use","id":"1","name":"Edit","input":{"file_path":"/w"}}"#;
    let shell = r#"{"type":"tool_use","id":"2","name":"Bash","input":{"command":"-"}}"#;
    let message = format!(r#"{{"content":[{edit},{shell}],"usage":{{"input_tokens":1}}}}"#);
    let at = "2027-01-15T07:00:00Z";
    let answer = format!(r#"{{"type":"assistant","timestamp":"{at}","message":{message}}}"#);
    world.write(format!("{compacted}\n{answer}\n"));
    world
}

#[test]
fn no_text_of_a_transcript_is_told() {
    let frame = told(&bare());
    let mut texts = 0;
    for path in transcripts() {
        let bytes = fs::read(&path).unwrap();
        let mut said = BTreeSet::new();
        for row in bytes.split(|byte| *byte == b'\n') {
            if let Ok(row) = serde_json::from_slice::<Value>(row) {
                private(&row, false, &mut said);
            }
        }
        let world = World::new();
        world.write(&bytes);
        let told = told(&world);
        // The words of the answers themselves are nobody's.
        for text in said.iter().filter(|text| !frame.contains(text.as_str())) {
            assert!(!told.contains(text.as_str()), "{}: {text}", path.display());
            texts += 1;
        }
    }
    assert!(texts > 100, "{texts}");
}

#[test]
fn what_stands_where_a_name_belongs_is_told_only_if_it_is_one() {
    let world = World::new();
    let secret = "my secret: rosebud";
    let usage = r#""usage":{"input_tokens":5}"#;
    world.write(format!(
        "{{\"type\":\"assistant\",\"message\":{{\"id\":\"{secret}\",\"model\":\"{secret}\",{usage}}}}}\n\
         {{\"type\":\"system\",\"subtype\":\"compact_boundary\",\"uuid\":\"{secret}\"}}\n\
         {{\"type\":\"{secret}\"}}\n"
    ));
    let host = world.named();
    let requests = [HostRequest::Session, HostRequest::Context, HostRequest::Own];
    let answers = requests.map(|request| host.answer(&request).unwrap());
    assert!(!format!("{answers:?}").contains("rosebud"));
}
