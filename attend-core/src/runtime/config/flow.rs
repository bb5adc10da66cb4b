//! Values on one line, as YAML reads them.

use std::fmt::Write as _;

use serde_json::Value as Json;

use crate::yaml::{Content, Mark, Node};

/// `value` in YAML's flow style, texts without quotes where they can do without.
pub(super) fn flow(value: &Json) -> String {
    let mut text = String::new();
    write(&mut text, value);
    text
}

fn write(text: &mut String, value: &Json) {
    match value {
        Json::Null => text.push('~'),
        Json::Bool(_) | Json::Number(_) => _ = write!(text, "{value}"),
        Json::String(word) => write_text(text, word),
        Json::Array(list) => {
            text.push('[');
            for (n, value) in list.iter().enumerate() {
                text.push_str(if n == 0 { "" } else { ", " });
                write(text, value);
            }
            text.push(']');
        }
        Json::Object(map) => {
            text.push('{');
            for (n, (key, value)) in map.iter().enumerate() {
                text.push_str(if n == 0 { "" } else { ", " });
                write_text(text, key);
                text.push_str(": ");
                write(text, value);
            }
            text.push('}');
        }
    }
}

fn write_text(text: &mut String, word: &str) {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '_' | '-');
    let starts = word.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '/');
    let read = Node::plain(Mark { line: 1, column: 1 }, word).content;
    if starts && word.chars().all(is_plain) && matches!(read, Content::Text(_)) {
        text.push_str(word);
    } else {
        // JSON's quotes are YAML's too.
        _ = write!(text, "{}", Json::String(word.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::yaml;

    fn json() -> impl Strategy<Value = Json> {
        let text = prop_oneof!["[a-z0-9./:#-]{0,8}", "\\PC{0,8}"];
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::from),
            any::<i64>().prop_map(Json::from),
            (-1e6..1e6_f64).prop_map(Json::from),
            text.clone().prop_map(Json::from),
        ];
        leaf.prop_recursive(3, 16, 4, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
                prop::collection::btree_map(text.clone(), inner, 0..4)
                    .prop_map(|map| Json::Object(map.into_iter().collect())),
            ]
        })
    }

    #[test]
    fn quotes_stand_where_they_must() {
        let value = json!({"at": 0.4, "glob": "*.rs", "span": "90s", "yes": ["true", "7", "a b", "", "src/lib.rs"]});
        let expected =
            r#"{at: 0.4, glob: "*.rs", span: 90s, yes: ["true", "7", "a b", "", src/lib.rs]}"#;
        assert_eq!(flow(&value), expected);
    }

    proptest! {
        #[test]
        fn what_is_written_reads_as_it_was(value in json()) {
            let text = format!("key: {}\n", flow(&value));
            let read = yaml::parse(&text).map_err(|error| error.text);
            let read = read.map(|document| document.fields[0].value.to_json());
            prop_assert_eq!(read, Ok(value), "{}", text);
        }
    }
}
