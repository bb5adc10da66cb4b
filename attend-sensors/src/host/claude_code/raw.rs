//! The fields of a transcript's rows that are looked at; every other is skipped unread.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::marker::PhantomData;

use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::lenient::{Object, Plain, otherwise};

/// How many blocks of one message are looked at.
const MAX_BLOCKS: usize = 256;

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Raw<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Plain<'a>,
    pub(super) subtype: Plain<'a>,
    pub(super) timestamp: Plain<'a>,
    pub(super) is_sidechain: Plain<'a>,
    pub(super) is_meta: Plain<'a>,
    #[serde(rename = "isApiErrorMessage")]
    pub(super) is_api_error: Plain<'a>,
    #[serde(rename = "isCompactSummary")]
    pub(super) is_summary: Plain<'a>,
    pub(super) request_id: Plain<'a>,
    pub(super) uuid: Plain<'a>,
    pub(super) cwd: Plain<'a>,
    pub(super) origin: Object<Origin<'a>>,
    pub(super) turn_origin: Plain<'a>,
    pub(super) turn_position: Object<Position<'a>>,
    #[serde(rename = "compactMetadata")]
    pub(super) compaction: Object<Compaction<'a>>,
    pub(super) message: Object<Message<'a>>,
    #[serde(rename = "toolUseResult")]
    pub(super) outcome: Object<Outcome<'a>>,
    pub(super) attachment: Object<Attachment<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Origin<'a> {
    #[serde(borrow)]
    pub(super) kind: Plain<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Position<'a> {
    #[serde(borrow)]
    pub(super) prompt_index: Plain<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Compaction<'a> {
    #[serde(borrow)]
    pub(super) trigger: Plain<'a>,
    #[serde(rename = "preTokens")]
    pub(super) before: Plain<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    pub(super) id: Plain<'a>,
    pub(super) model: Plain<'a>,
    pub(super) stop_reason: Plain<'a>,
    pub(super) usage: Object<Tokens<'a>>,
    pub(super) content: Content<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Tokens<'a> {
    #[serde(borrow, rename = "input_tokens")]
    pub(super) input: Plain<'a>,
    #[serde(rename = "cache_read_input_tokens")]
    pub(super) read: Plain<'a>,
    #[serde(rename = "cache_creation_input_tokens")]
    pub(super) created: Plain<'a>,
    pub(super) cache_creation: Object<ByAge<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct ByAge<'a> {
    #[serde(borrow, rename = "ephemeral_5m_input_tokens")]
    pub(super) five_minutes: Plain<'a>,
    #[serde(rename = "ephemeral_1h_input_tokens")]
    pub(super) hour: Plain<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Block<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Plain<'a>,
    pub(super) id: Plain<'a>,
    pub(super) name: Plain<'a>,
    pub(super) input: Object<Input<'a>>,
    pub(super) tool_use_id: Plain<'a>,
    pub(super) is_error: Plain<'a>,
    #[serde(deserialize_with = "opening")]
    pub(super) text: Option<Opening>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Input<'a> {
    #[serde(borrow)]
    pub(super) file_path: Plain<'a>,
    pub(super) notebook_path: Plain<'a>,
    pub(super) command: Plain<'a>,
    #[serde(rename = "run_in_background")]
    pub(super) background: Plain<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Attachment<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Plain<'a>,
    #[serde(rename = "commandMode")]
    pub(super) mode: Plain<'a>,
    #[serde(deserialize_with = "opening")]
    pub(super) prompt: Option<Opening>,
}

/// A name in the transcript, kept only to be compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Id(u64);

impl Id {
    pub(super) fn number(self) -> u64 {
        self.0
    }

    pub(super) fn of(name: impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        Self(hasher.finish())
    }
}

/// What a message says: one text, of which only its kind is kept, or blocks.
#[derive(Default)]
pub(super) struct Content<'a> {
    pub(super) opening: Option<Opening>,
    pub(super) blocks: Vec<Block<'a>>,
}

/// What a text turns out to be by the way it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opening {
    /// A prompt, or whatever else.
    Words,
    /// A command that the host answered itself.
    Local,
    /// The person stopped the turn.
    Interruption,
    /// Something in the background ended.
    TaskEnd(Id),
    /// What a monitor printed, and no message in it.
    Notice,
}

impl Opening {
    fn of(text: &str) -> Self {
        const LOCAL: [&str; 3] = ["<local-command", "<command-name>", "<bash-"];
        let text = text.trim_start();
        if text.starts_with("[Request interrupted by user") {
            Self::Interruption
        } else if LOCAL.iter().any(|tag| text.starts_with(tag)) {
            Self::Local
        } else {
            let ended = ended_task(text).map(Self::TaskEnd);
            let notice = || is_notice(text).then_some(Self::Notice);
            ended.or_else(notice).unwrap_or(Self::Words)
        }
    }
}

/// The task whose end a notification tells. What an event says, or a person, tells none.
fn ended_task(text: &str) -> Option<Id> {
    let frame = text.strip_prefix("<task-notification>")?;
    let frame = frame
        .split_once("<event>")
        .map_or(frame, |(frame, _)| frame);
    let (frame, _) = frame.split_once("<summary>").unwrap_or((frame, ""));
    let (_, rest) = frame.split_once("<task-id>")?;
    let (task, _) = rest.split_once("</task-id>")?;
    frame.contains("<status>").then(|| Id::of(task))
}

/// Whether it is what a monitor printed, unless there is a message of somebody's in it.
fn is_notice(text: &str) -> bool {
    const MAIL: &str = "[attend sensor=messages ";
    let frame = text.strip_prefix("<task-notification>");
    let event = frame.and_then(|frame| frame.split_once("<event>"));
    event.is_some_and(|(_, event)| !event.lines().any(|line| line.starts_with(MAIL)))
}

fn opening<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Opening>, D::Error> {
    let text = Plain::deserialize(from)?;
    Ok(text.text().map(Opening::of))
}

impl<'de: 'a, 'a> Deserialize<'de> for Content<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(ContentVisitor(PhantomData))
    }
}

struct ContentVisitor<'a>(PhantomData<&'a ()>);

impl<'de: 'a, 'a> Visitor<'de> for ContentVisitor<'a> {
    type Value = Content<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Content {
            opening: Some(Opening::of(text)),
            blocks: Vec::new(),
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut blocks = Vec::new();
        while blocks.len() < MAX_BLOCKS {
            let Some(block) = seq.next_element::<Object<Block<'a>>>()? else {
                break;
            };
            blocks.push(block.value);
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Content {
            opening: None,
            blocks,
        })
    }

    otherwise!(bool, u64, i64, f64, unit, map);
}

/// How a tool call went.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Outcome<'a> {
    #[serde(borrow, rename = "backgroundTaskId")]
    pub(super) task: Plain<'a>,
}
