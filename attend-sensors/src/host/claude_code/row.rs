//! Reads one row of a transcript: the few facts that matter, and nothing of what was said.

use std::borrow::Cow;
use std::path::PathBuf;

use attend_core::sensor::Cause;

use super::raw::{Attachment, Block, Content, Id, Opening, Raw, Tokens};
use super::stamp::{self, Millis};

/// What a row says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Row {
    /// When it says it was written. Rows do not stand in the order of their times.
    pub(super) at: Option<Millis>,
    /// Whether it belongs to a subagent.
    pub(super) side: bool,
    pub(super) kind: Kind,
}

/// What kinds of row matter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The model answered.
    Answer {
        /// None where the row's counts are of no use.
        usage: Option<Usage>,
        calls: Vec<Call>,
    },
    /// Tool calls came to their end.
    Results(Vec<Done>),
    /// A turn began.
    Turn(Turn),
    /// The person stopped the turn.
    Interrupted,
    /// The context was compacted.
    Compacted(Boundary),
    /// Something in the background ended.
    TaskEnded(Id),
}

/// What an answer cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Usage {
    /// The answer; each of its blocks has a row that repeats the counts. None where it has no name.
    pub(super) answer: Option<Id>,
    /// What stood before the model.
    pub(super) tokens: u64,
    pub(super) model: Option<String>,
    /// Whether the turn ended with it.
    pub(super) ends_turn: bool,
}

/// A tool call that began.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Call {
    pub(super) id: Id,
    pub(super) tool: Tool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Tool {
    Edit(PathBuf),
    Shell {
        version_control: bool,
        background: bool,
    },
}

/// A tool call that came to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Done {
    pub(super) id: Id,
    pub(super) failed: bool,
    /// The background task in which it goes on.
    pub(super) task: Option<Id>,
}

/// The beginning of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Turn {
    /// How many prompts of a person came before; none where the host does not say.
    pub(super) index: Option<u64>,
    /// Whether a person began it, as far as the row tells.
    pub(super) by_person: bool,
    /// What began it, as far as the row tells.
    pub(super) cause: Cause,
    /// The background task whose end began it.
    pub(super) ended: Option<Id>,
}

/// Where the context was compacted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Boundary {
    pub(super) name: Option<String>,
    pub(super) automatic: bool,
    pub(super) before: Option<u64>,
}

/// What came of reading a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Parsed {
    Row(Row),
    /// Nothing that matters.
    Nothing,
    /// A kind of row that is not known.
    Unknown,
    /// Not a JSON object.
    Unreadable,
}

/// Types of rows that are known and of no use here.
const OF_NO_USE: [&str; 30] = [
    "queue-operation",
    "last-prompt",
    "mode",
    "permission-mode",
    "atis-latch",
    "file-history-snapshot",
    "ai-title",
    "custom-title",
    "agent-name",
    "agent-color",
    "agent-setting",
    "summary",
    "progress",
    "relocated",
    "cost-state",
    "prompt_snapshot",
    "tag",
    "pr-link",
    "worktree-state",
    "content-replacement",
    "task-summary",
    "session-name",
    "bridge-session",
    "speculation-accept",
    "marble-origami-commit",
    "marble-origami-snapshot",
    "attribution-snapshot",
    "started",
    "result",
    "frame-link",
];

/// Reads one row, without its line end.
pub(super) fn parse(row: &[u8]) -> Parsed {
    if row.trim_ascii().is_empty() {
        return Parsed::Nothing;
    }
    let Some(text) = object(row) else {
        return Parsed::Unreadable;
    };
    serde_json::from_str::<Raw<'_>>(&text).map_or(Parsed::Unreadable, understand)
}

/// The text of a row, if it begins as a JSON object.
pub(super) fn object(row: &[u8]) -> Option<Cow<'_, str>> {
    // A crash of the system can leave zeros before what was written next.
    let row = row.trim_ascii();
    let zeros = row.iter().take_while(|byte| **byte == 0).count();
    let row = row.get(zeros..)?.trim_ascii();
    row.starts_with(b"{").then(|| String::from_utf8_lossy(row))
}

fn understand(raw: Raw<'_>) -> Parsed {
    let at = raw.timestamp.text().and_then(stamp::parse);
    let side = raw.is_sidechain.is_true();
    let kind = match raw.kind.text() {
        Some("assistant") => Some(answer(raw)),
        Some("user") => user(raw),
        Some("system") => (raw.subtype.text() == Some("compact_boundary")).then(|| compacted(&raw)),
        Some("attachment") => attached(&raw.attachment.value),
        Some(kind) if OF_NO_USE.contains(&kind) => None,
        _ => return Parsed::Unknown,
    };
    kind.map_or(Parsed::Nothing, |kind| Parsed::Row(Row { at, side, kind }))
}

fn answer(raw: Raw<'_>) -> Kind {
    let message = raw.message.value;
    let made_up = raw.is_api_error.is_true() || message.model.text() == Some("<synthetic>");
    let tokens = if made_up {
        0
    } else {
        in_context(&message.usage.value)
    };
    let request = raw.request_id.text();
    let usage = (tokens > 0).then(|| Usage {
        answer: message.id.text().map(|id| Id::of((id, request))),
        tokens,
        model: message
            .model
            .text()
            .filter(|model| is_name(model))
            .map(str::to_owned),
        ends_turn: message.stop_reason.text() == Some("end_turn"),
    });
    let cwd = raw.cwd;
    let calls = message.content.blocks.into_iter();
    let calls = calls.filter_map(|block| call(block, cwd.text())).collect();
    Kind::Answer { usage, calls }
}

/// The tokens that stood before the model: written output is not among them.
fn in_context(tokens: &Tokens<'_>) -> u64 {
    let by_age = &tokens.cache_creation.value;
    let ephemeral = by_age
        .five_minutes
        .number()
        .unwrap_or(0)
        .saturating_add(by_age.hour.number().unwrap_or(0));
    let created = tokens.created.number().unwrap_or(0).max(ephemeral);
    let input = tokens.input.number().unwrap_or(0);
    input
        .saturating_add(tokens.read.number().unwrap_or(0))
        .saturating_add(created)
}

fn call(block: Block<'_>, cwd: Option<&str>) -> Option<Call> {
    if block.kind.text() != Some("tool_use") {
        return None;
    }
    let input = block.input.value;
    let tool = match block.name.text()? {
        "Edit" | "Write" | "MultiEdit" => Tool::Edit(path(input.file_path.text()?, cwd)?),
        "NotebookEdit" => Tool::Edit(path(input.notebook_path.text()?, cwd)?),
        "Bash" => Tool::Shell {
            version_control: super::command::names_version_control(
                input.command.text().unwrap_or_default(),
            ),
            background: input.background.is_true(),
        },
        _ => return None,
    };
    Some(Call {
        id: Id::of(block.id.text()?),
        tool,
    })
}

/// The longest path that is kept, in bytes: what Linux opens.
const MAX_PATH: usize = 4_096;

fn path(text: &str, cwd: Option<&str>) -> Option<PathBuf> {
    let path = PathBuf::from(cwd.unwrap_or_default()).join(text);
    let length = path.as_os_str().len();
    (!text.is_empty() && length <= MAX_PATH).then_some(path)
}

fn user(raw: Raw<'_>) -> Option<Kind> {
    let Content { opening, blocks } = raw.message.value.content;
    let outcome = raw.outcome;
    let results: Vec<Done> = blocks
        .iter()
        .filter(|block| block.kind.text() == Some("tool_result"))
        .filter_map(|block| {
            Some(Done {
                id: Id::of(block.tool_use_id.text()?),
                failed: block.is_error.is_true() || outcome.is_text,
                task: outcome.value.task.text().map(Id::of),
            })
        })
        .collect();
    if !results.is_empty() {
        return Some(Kind::Results(results));
    }
    let origin = raw.origin.value.kind.text();
    let opening = opening.or_else(|| blocks.iter().find_map(|block| block.text))?;
    match opening {
        Opening::Interruption => Some(Kind::Interrupted),
        Opening::Local => None,
        _ if raw.is_meta.is_true() || raw.is_summary.is_true() => None,
        _ => Some(Kind::Turn(Turn {
            index: raw.turn_position.value.prompt_index.number(),
            by_person: origin.is_none_or(|origin| origin == "human"),
            cause: cause(origin, raw.turn_origin.text(), opening),
            ended: match opening {
                Opening::TaskEnd(task) if origin == Some("task-notification") => Some(task),
                _ => None,
            },
        })),
    }
}

fn cause(origin: Option<&str>, turn: Option<&str>, opening: Opening) -> Cause {
    match (origin, turn, opening) {
        (Some("human" | "peer"), ..) => Cause::Words,
        (_, _, Opening::Notice) => Cause::Notice,
        (_, _, Opening::TaskEnd(_)) | (_, Some("scheduled"), _) => Cause::Work,
        // A message that a monitor printed.
        (None | Some("task-notification"), ..) => Cause::Words,
        _ => Cause::Work,
    }
}

fn compacted(raw: &Raw<'_>) -> Kind {
    let data = &raw.compaction.value;
    Kind::Compacted(Boundary {
        name: raw
            .uuid
            .text()
            .filter(|name| is_name(name))
            .map(str::to_owned),
        automatic: data.trigger.text() == Some("auto"),
        before: data.before.number(),
    })
}

fn attached(attachment: &Attachment<'_>) -> Option<Kind> {
    let queued = attachment.kind.text() == Some("queued_command");
    let notified = attachment.mode.text() == Some("task-notification");
    match attachment.prompt {
        Some(Opening::TaskEnd(task)) if queued && notified => Some(Kind::TaskEnded(task)),
        _ => None,
    }
}

/// Whether `text` is short and plain enough to be the name of something and no prose.
pub(super) fn is_name(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.:@[]/".contains(c);
    !text.is_empty() && text.len() <= 96 && text.chars().all(plain)
}

/// Whether the row `bytes` can be one that [settles the context](Row::settles_context): a test
/// that is ten times as fast as reading it.
pub(super) fn may_settle_context(bytes: &[u8]) -> bool {
    let holds = |word: &str| memchr::memmem::find(bytes, word.as_bytes()).is_some();
    holds("\"usage\"") || holds("compact_boundary")
}

impl Row {
    /// Whether it tells how large the context is, or that this is unknown.
    pub(super) fn settles_context(&self) -> bool {
        !self.side
            && matches!(
                &self.kind,
                Kind::Answer { usage: Some(_), .. } | Kind::Compacted(_)
            )
    }
}
