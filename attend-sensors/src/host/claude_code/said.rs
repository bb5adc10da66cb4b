//! What was said last in a session: for a moment's comparison, never to be kept or told.

use std::fs::File;
use std::path::Path;

use serde::Deserialize;

use super::backwards::{self, Limits};

/// How far back it is looked for, in bytes.
const NEAR: Limits = Limits {
    history: 0,
    reach: 256 << 10,
    row: 64 << 10,
};

/// How much of it is enough, in bytes.
const ENOUGH: usize = 2_048;

#[derive(Deserialize)]
struct Row {
    #[serde(rename = "type")]
    kind: String,
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    content: Content,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Blocks(Vec<Block>),
}

#[derive(Deserialize)]
struct Block {
    text: Option<String>,
}

/// What a person and the model said last, as the transcript at `path` tells: about 2 KiB, oldest
/// first. What cannot be read is nothing.
pub fn recent_words(path: &Path) -> String {
    let Ok(mut file) = File::open(path) else {
        return String::new();
    };
    let len = file.metadata().map_or(0, |meta| meta.len());
    let (mut said, mut bytes) = (Vec::new(), 0);
    let row = |row: &[u8], _: bool| {
        if bytes >= ENOUGH {
            return true;
        }
        let text = text(row);
        bytes += text.len();
        said.push(text);
        bytes >= ENOUGH
    };
    // What was read before it failed is still what was said.
    let _ = backwards::read(&mut file, len, NEAR, row);
    said.reverse();
    said.retain(|text| !text.is_empty());
    said.join("\n")
}

fn text(row: &[u8]) -> String {
    let Ok(row) = serde_json::from_slice::<Row>(row) else {
        return String::new();
    };
    if row.kind != "user" && row.kind != "assistant" {
        return String::new();
    }
    match row.message.content {
        Content::Text(text) => text,
        Content::Blocks(blocks) => {
            let texts: Vec<String> = blocks.into_iter().filter_map(|block| block.text).collect();
            texts.join("\n")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_the_last_rows_come_in_their_order() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("t.jsonl");
        let long = "x".repeat(ENOUGH);
        let rows = [
            format!(r#"{{"type":"user","message":{{"content":"too old {long}"}}}}"#),
            format!(r#"{{"type":"user","message":{{"content":"{long}"}}}}"#),
            r#"{"type":"system","message":{"content":"none of it"}}"#.to_owned(),
            r#"{"type":"user","message":{"content":[{"type":"tool_result","content":"none"}]}}"#
                .to_owned(),
            r#"{"type":"assistant","message":{"content":[{"type":"text","text":"the linker"}]}}"#
                .to_owned(),
            "no json".to_owned(),
            r#"{"type":"user","message":{"content":"failed again"}}"#.to_owned(),
        ];
        std::fs::write(&path, rows.join("\n") + "\n").expect("a transcript");
        let expected = format!("{long}\nthe linker\nfailed again");
        assert_eq!(recent_words(&path), expected);
        assert_eq!(recent_words(&dir.path().join("none")), "");
    }
}
