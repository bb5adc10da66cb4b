//! What a row of a transcript put before the model: the texts in which attend's lines may stand.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::lenient::{Object, Plain, otherwise};
use super::raw::Origin;
use super::row;

/// What every line of a sensor begins with, and what every line of a message begins with. The host
/// escapes none of it.
const ANY: &str = "[attend sensor=";
pub(super) const HEAD: &str = "[attend sensor=messages";

/// The way by which a text came before the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Notification,
    Hook,
    Command,
}

/// Shows to `message` what may be the id of a message: each word that follows the head at the
/// beginning of a line that `row` delivered. Of a row that is none, nothing.
pub(super) fn messages(row: &[u8], mut message: impl FnMut(&str)) {
    texts(row, |_, text| {
        text.split('\n').filter_map(id).for_each(&mut message);
    });
}

/// Shows to `line` what follows the head of `sensor` at the beginning of a line that `row`
/// delivered as a notification.
pub(super) fn notified(row: &[u8], sensor: &str, mut line: impl FnMut(&str)) {
    texts(row, |way, text| {
        if way == Way::Notification {
            let said = |line| behind(line, sensor);
            text.split('\n').filter_map(said).for_each(&mut line);
        }
    });
}

/// Shows to `text` what `row` put before the model and lines of attend's may stand in.
fn texts(row: &[u8], mut text: impl FnMut(Way, &str)) {
    let Some(object) = row::object(row) else {
        return;
    };
    let Ok(raw) = serde_json::from_str::<Raw<'_>>(&object) else {
        return;
    };
    if raw.is_sidechain.is_true() {
        return;
    }
    match raw.kind.text() {
        Some("user") => {
            let said = raw.message.value.content;
            let results = said.results.iter();
            results.for_each(|result| text(Way::Command, result));
            if raw.origin.value.kind.text() == Some(NOTIFICATION) {
                let events = said.texts.iter().filter_map(|text| self::events(text));
                events.for_each(|event| text(Way::Notification, event));
            }
        }
        Some("attachment") => {
            let attachment = raw.attachment.value;
            match attachment.kind.text() {
                Some("queued_command") if attachment.mode.text() == Some(NOTIFICATION) => {
                    let events = attachment.prompt.texts.iter();
                    let events = events.filter_map(|text| self::events(text));
                    events.for_each(|event| text(Way::Notification, event));
                }
                Some("hook_additional_context") => {
                    let texts = attachment.content.texts.iter();
                    texts.for_each(|said| text(Way::Hook, said));
                }
                Some("hook_success") if attachment.is_told() => {
                    let stdout = attachment.stdout.text().into_iter();
                    stdout.for_each(|said| text(Way::Hook, said));
                }
                _ => {}
            }
        }
        _ => {}
    }
}

/// What the host calls the events of a monitor.
const NOTIFICATION: &str = "task-notification";

/// The id of the message that a line shows.
fn id(line: &str) -> Option<&str> {
    let text = behind(line, "messages")?;
    let (id, rest) = text.split_once(' ').unwrap_or((text, ""));
    // A digest begins with a number, which may look like an id.
    let is_number = id.chars().all(|c| c.is_ascii_digit());
    (!is_number || rest.contains(" → ")).then_some(id)
}

/// What stands behind the head of a line of `sensor`.
fn behind<'l>(line: &'l str, sensor: &str) -> Option<&'l str> {
    let rest = line.strip_prefix(ANY)?.strip_prefix(sensor)?;
    let (attributes, text) = rest.split_once(']')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || " =-_.".contains(c);
    let is_head = attributes.is_empty() || attributes.starts_with(' ');
    if !is_head || !attributes.chars().all(plain) {
        return None;
    }
    text.strip_prefix(' ')
}

/// What the events of a notification say.
fn events(text: &str) -> Option<&str> {
    let (before, after) = text.split_once("<event>")?;
    // A monitor is described in the agent's own words, and they may name the tag.
    let inside = if before.contains("<summary>") && !before.contains("</summary>") {
        let (_, frame) = after.split_once("</summary>")?;
        frame.split_once("<event>")?.1
    } else {
        after
    };
    // What an event says may name its end.
    Some(
        inside
            .rsplit_once("</event>")
            .map_or(inside, |(inside, _)| inside),
    )
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Raw<'a> {
    #[serde(borrow, rename = "type")]
    kind: Plain<'a>,
    is_sidechain: Plain<'a>,
    origin: Object<Origin<'a>>,
    message: Object<Message<'a>>,
    attachment: Object<Attachment<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Message<'a> {
    #[serde(borrow)]
    content: Said<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Attachment<'a> {
    #[serde(borrow, rename = "type")]
    kind: Plain<'a>,
    #[serde(rename = "commandMode")]
    mode: Plain<'a>,
    prompt: Said<'a>,
    content: Said<'a>,
    hook_event: Plain<'a>,
    stdout: Plain<'a>,
    exit_code: Plain<'a>,
}

impl Attachment<'_> {
    /// Whether the host puts before the model what this hook wrote to its standard output.
    fn is_told(&self) -> bool {
        let told = ["SessionStart", "UserPromptSubmit"];
        let event = self.hook_event.text();
        event.is_some_and(|event| told.contains(&event))
            && self.exit_code.number().is_none_or(|code| code == 0)
    }
}

/// A text, or a list of texts and blocks. Only texts that hold a head are kept, so that what is
/// kept is never more than the row.
#[derive(Default)]
struct Said<'a> {
    texts: Vec<Cow<'a, str>>,
    /// Texts in results of tools.
    results: Vec<Cow<'a, str>>,
}

impl<'a> Said<'a> {
    fn of(text: Cow<'a, str>) -> Self {
        let holds = memchr::memmem::find(text.as_bytes(), ANY.as_bytes()).is_some();
        Self {
            texts: holds.then_some(text).into_iter().collect(),
            results: Vec::new(),
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Said<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(SaidVisitor(PhantomData))
    }
}

struct SaidVisitor<'a>(PhantomData<&'a ()>);

impl<'de: 'a, 'a> Visitor<'de> for SaidVisitor<'a> {
    type Value = Said<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Said::of(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Said::of(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut said = Said::default();
        while let Some(Piece(piece)) = seq.next_element()? {
            said.texts.extend(piece.texts);
            said.results.extend(piece.results);
        }
        Ok(said)
    }

    otherwise!(bool, u64, i64, f64, unit, map);
}

/// One of a list: a text, a block of text, or the result of a tool.
#[derive(Default)]
struct Piece<'a>(Said<'a>);

#[derive(Deserialize, Default)]
#[serde(default)]
struct Block<'a> {
    #[serde(borrow, rename = "type")]
    kind: Plain<'a>,
    text: Said<'a>,
    content: Said<'a>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Piece<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(PieceVisitor(PhantomData))
    }
}

struct PieceVisitor<'a>(PhantomData<&'a ()>);

impl<'de: 'a, 'a> Visitor<'de> for PieceVisitor<'a> {
    type Value = Piece<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Piece(Said::of(Cow::Borrowed(text))))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Piece(Said::of(Cow::Owned(text.to_owned()))))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let block = Block::deserialize(MapAccessDeserializer::new(map))?;
        let mut said = Said::default();
        match block.kind.text() {
            Some("text") => said.texts = block.text.texts,
            Some("tool_result") => said.results = block.content.texts,
            _ => {}
        }
        Ok(Piece(said))
    }

    otherwise!(bool, u64, i64, f64, unit, seq);
}
