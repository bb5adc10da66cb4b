//! On what a way may fire at an event of the host.

use attend_core::ways::{Haystack, Occasion, SourceOfStart, ToolEvent};
use serde_json::{Map, Value};

/// The keys under which tools name the file that they are about.
const FILES: [&str; 3] = ["file_path", "notebook_path", "path"];

/// What happened, as far as ways ask for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Happening {
    Prompt(String),
    Tool {
        event: ToolEvent,
        tool: String,
        command: Option<String>,
        file: Option<String>,
    },
    Start(SourceOfStart),
    Compacted,
    Stop,
    /// Nothing on which a way fires by itself.
    Other,
}

impl Happening {
    /// What `object`, the host's JSON of the event `name`, tells.
    pub(super) fn of(name: &str, object: &Map<String, Value>) -> Self {
        let text = |key: &str| object.get(key).and_then(Value::as_str);
        let input = |key: &str| {
            let value = object.get("tool_input").and_then(|input| input.get(key));
            value.and_then(Value::as_str).map(str::to_owned)
        };
        let tool = |event: ToolEvent| Self::Tool {
            event,
            tool: text("tool_name").unwrap_or_default().to_owned(),
            command: input("command"),
            file: FILES.into_iter().find_map(input),
        };
        match name {
            "UserPromptSubmit" => Self::Prompt(text("prompt").unwrap_or_default().to_owned()),
            "PreToolUse" => tool(ToolEvent::PreToolUse),
            "PostToolUse" => tool(ToolEvent::PostToolUse),
            "PostToolUseFailure" => tool(ToolEvent::PostToolUseFailure),
            "SessionStart" => {
                let source = text("source").and_then(SourceOfStart::of);
                source.map_or(Self::Other, Self::Start)
            }
            "PostCompact" => Self::Compacted,
            "Stop" => Self::Stop,
            _ => Self::Other,
        }
    }

    /// The text of it in which ways look for something.
    pub(super) fn text(&self) -> Haystack<'_> {
        Haystack::new(match self {
            Self::Prompt(text) => text,
            Self::Tool { command, .. } => command.as_deref().unwrap_or_default(),
            _ => "",
        })
    }

    /// The occasion that it is by itself, with its [text](Self::text).
    pub(super) fn occasion<'a>(&'a self, text: &'a Haystack<'a>) -> Option<Occasion<'a>> {
        Some(match self {
            Self::Prompt(_) => Occasion::Prompt(text),
            Self::Tool {
                event,
                tool,
                command,
                file,
            } => Occasion::Tool {
                event: *event,
                tool,
                command: command.as_ref().map(|_| text),
                file: file.as_deref(),
            },
            Self::Start(source) => Occasion::Start(*source),
            Self::Stop => Occasion::Stop { goes_on: false },
            Self::Compacted | Self::Other => return None,
        })
    }

    /// Whether the context was compacted just now, and nothing was put before the model since.
    pub(super) fn is_compaction(&self) -> bool {
        matches!(self, Self::Compacted | Self::Start(SourceOfStart::Compact))
    }
}
