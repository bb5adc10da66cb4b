//! Nodes: YAML as a tree in which everything knows where it stands.

use serde_json::{Map, Number, Value as Json};

/// Where something stands in a text, counted from 1; columns in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// One value of a file.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Node {
    pub(crate) mark: Mark,
    pub(crate) content: Content,
}

/// What a value is.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Content {
    /// Neither text, nor list, nor mapping.
    Plain(Json),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A mapping, in the order of the file; each key occurs once.
    Mapping(Vec<Field>),
}

/// One key of a mapping, with its value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Field {
    pub(crate) key: String,
    pub(crate) mark: Mark,
    pub(crate) value: Node,
}

impl Node {
    /// The value of a scalar that was written without quotes: YAML's core schema.
    pub(crate) fn plain(mark: Mark, text: &str) -> Self {
        let content = match text {
            "" | "~" | "null" | "Null" | "NULL" => Content::Plain(Json::Null),
            "true" | "True" | "TRUE" => Content::Plain(Json::Bool(true)),
            "false" | "False" | "FALSE" => Content::Plain(Json::Bool(false)),
            _ => number(text).map_or_else(
                || Content::Text(text.to_owned()),
                |number| Content::Plain(Json::Number(number)),
            ),
        };
        Self { mark, content }
    }

    pub(crate) fn is_null(&self) -> bool {
        self.content == Content::Plain(Json::Null)
    }

    /// Its keys, where it is a mapping; none at all, where nothing stands there.
    pub(crate) fn fields(&self) -> Option<&[Field]> {
        match &self.content {
            Content::Mapping(fields) => Some(fields),
            _ if self.is_null() => Some(&[]),
            _ => None,
        }
    }

    /// What it is, for people.
    pub(crate) fn what(&self) -> &'static str {
        match &self.content {
            Content::Plain(Json::Null) => "nothing",
            Content::Plain(Json::Bool(_)) => "a yes or no",
            Content::Plain(_) => "a number",
            Content::Text(_) => "a text",
            Content::List(_) => "a list",
            Content::Mapping(_) => "a mapping",
        }
    }

    /// The same without positions.
    pub(crate) fn to_json(&self) -> Json {
        match &self.content {
            Content::Plain(json) => json.clone(),
            Content::Text(text) => Json::String(text.clone()),
            Content::List(nodes) => nodes.iter().map(Self::to_json).collect(),
            Content::Mapping(fields) => Json::Object(to_map(fields.iter())),
        }
    }
}

/// Keys with their values, without positions.
pub(crate) fn to_map<'a>(fields: impl IntoIterator<Item = &'a Field>) -> Map<String, Json> {
    let fields = fields.into_iter();
    fields
        .map(|field| (field.key.clone(), field.value.to_json()))
        .collect()
}

/// Where the value at `way` below `fields` stands, or the last one on the way to it that is
/// there; a key counts as the place of its value.
#[cfg(feature = "config")]
pub(crate) fn mark_at(fields: &[Field], way: &[String]) -> Option<Mark> {
    let (first, rest) = way.split_first()?;
    let field = fields.iter().find(|field| field.key == *first)?;
    let deeper = match &field.value.content {
        Content::Mapping(fields) => mark_at(fields, rest),
        Content::List(nodes) => rest.split_first().and_then(|(place, rest)| {
            let node = nodes.get(place.parse::<usize>().ok()?)?;
            let below = node.fields().and_then(|fields| mark_at(fields, rest));
            Some(below.unwrap_or(node.mark))
        }),
        _ => None,
    };
    Some(deeper.unwrap_or(field.mark))
}

/// An integer or a finite number in the notations of YAML's core schema.
fn number(text: &str) -> Option<Number> {
    let radix = |prefix: &str, radix| {
        let digits = text.strip_prefix(prefix)?;
        let digits = digits
            .strip_prefix(|c: char| c.is_digit(radix))
            .map(|_| digits)?;
        u64::from_str_radix(digits, radix).ok()
    };
    if let Some(number) = radix("0x", 16).or_else(|| radix("0o", 8)) {
        return Some(number.into());
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let starts = unsigned.strip_prefix('.').unwrap_or(unsigned);
    if !starts.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        let whole = text.strip_prefix('+').unwrap_or(text);
        let positive = whole.parse::<u64>().ok().map(Number::from);
        return positive
            .or_else(|| whole.parse::<i64>().ok().map(Number::from))
            .or_else(|| Number::from_f64(text.parse().ok()?));
    }
    Number::from_f64(text.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn scalars_are_what_the_core_schema_says() {
        let mark = Mark { line: 1, column: 1 };
        for (text, value) in [
            ("", json!(null)),
            ("~", json!(null)),
            ("null", json!(null)),
            ("true", json!(true)),
            ("FALSE", json!(false)),
            ("yes", json!("yes")),
            ("0", json!(0)),
            ("007", json!(7)),
            ("+12", json!(12)),
            ("-3", json!(-3)),
            ("0x1F", json!(31)),
            ("0o17", json!(15)),
            ("0x", json!("0x")),
            ("0x+1", json!("0x+1")),
            ("1.5", json!(1.5)),
            (".5", json!(0.5)),
            ("1e3", json!(1000.0)),
            ("1e999", json!("1e999")),
            (".inf", json!(".inf")),
            ("inf", json!("inf")),
            ("nan", json!("nan")),
            ("-", json!("-")),
            ("90s", json!("90s")),
            ("1:30", json!("1:30")),
            ("1_000", json!("1_000")),
        ] {
            assert_eq!(Node::plain(mark, text).to_json(), value, "{text}");
        }
    }
}
