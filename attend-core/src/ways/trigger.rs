//! Triggers: on what a way fires, in the words of the host's events.

use crate::sensor::Signal;

use super::haystack::Haystack;
use super::pattern::{FileGlob, Pattern};

/// On what a way fires.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Trigger {
    /// When somebody asks for the guidance of one of these signals; never by a hook.
    Attend {
        /// At least one.
        signals: Vec<Signal>,
    },
    /// A prompt that matches.
    UserPromptSubmit(Prompts),
    /// A call of a tool that matches.
    Tool(ToolEvent, Calls),
    /// A session starts, or goes on.
    SessionStart {
        /// From what; from anything where there are none.
        sources: Vec<SourceOfStart>,
    },
    /// After a compaction, once.
    PostCompact,
    /// The end of a response, at most once in a turn.
    Stop,
    /// The share of the context that is used rises to this.
    ContextThreshold {
        /// A share above 0 and at most 1.
        above: f64,
    },
}

/// Which event of a tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ToolEvent {
    /// Before it runs.
    PreToolUse,
    /// After it succeeded.
    PostToolUse,
    /// After it failed.
    PostToolUseFailure,
}

/// What a session starts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SourceOfStart {
    /// The start of the program.
    Startup,
    /// A session that is taken up again.
    Resume,
    /// `/clear`.
    Clear,
    /// A compaction.
    Compact,
    /// A copy of another session.
    Fork,
}

/// Which prompts: the pattern occurs, or one of the keywords stands there as words.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Prompts {
    pub(super) pattern: Option<Pattern>,
    pub(super) keywords: Vec<String>,
}

/// Which calls of tools: each list that holds something has to hold a match.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Calls {
    pub(super) tools: Vec<String>,
    pub(super) commands: Vec<Pattern>,
    pub(super) files: Vec<FileGlob>,
}

/// Something that happens in a session.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Occasion<'a> {
    /// Somebody asks for the guidance of this signal.
    Asked(&'a str),
    /// This prompt was given.
    Prompt(&'a Haystack<'a>),
    /// A tool was called.
    Tool {
        /// Which event.
        event: ToolEvent,
        /// The name of the tool.
        tool: &'a str,
        /// The command, where it runs one.
        command: Option<&'a Haystack<'a>>,
        /// The file, where it is about one.
        file: Option<&'a str>,
    },
    /// The session starts from this.
    Start(SourceOfStart),
    /// The context was compacted.
    Compacted,
    /// A response ended.
    Stop {
        /// Whether it goes on because of a hook.
        goes_on: bool,
    },
    /// The used share of the context, before and now.
    Share {
        /// Before.
        before: f64,
        /// Now.
        now: f64,
    },
}

impl Trigger {
    /// The names of the types, as they stand in a file.
    pub const TYPES: [&'static str; 9] = [
        "attend",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "SessionStart",
        "PostCompact",
        "Stop",
        "context-threshold",
    ];

    /// The name of its type.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Attend { .. } => "attend",
            Self::UserPromptSubmit(_) => "UserPromptSubmit",
            Self::Tool(event, _) => event.name(),
            Self::SessionStart { .. } => "SessionStart",
            Self::PostCompact => "PostCompact",
            Self::Stop => "Stop",
            Self::ContextThreshold { .. } => "context-threshold",
        }
    }

    /// The signals whose guidance it is.
    pub fn signals(&self) -> &[Signal] {
        match self {
            Self::Attend { signals } => signals,
            _ => &[],
        }
    }

    /// Whether it fires on `occasion`.
    ///
    /// ```
    /// use attend_core::sensor::Signal;
    /// use attend_core::ways::{Haystack, Occasion, Trigger};
    ///
    /// let trigger = Trigger::Attend { signals: vec![Signal::from("build-failed")] };
    /// assert!(trigger.fires_on(&Occasion::Asked("build-failed")));
    /// assert!(!trigger.fires_on(&Occasion::Prompt(&Haystack::new("build-failed"))));
    /// ```
    pub fn fires_on(&self, occasion: &Occasion<'_>) -> bool {
        match (self, occasion) {
            (Self::Attend { signals }, Occasion::Asked(asked)) => {
                signals.iter().any(|signal| signal.as_str() == *asked)
            }
            (Self::UserPromptSubmit(prompts), Occasion::Prompt(text)) => prompts.take(text),
            (
                Self::Tool(mine, calls),
                Occasion::Tool {
                    event,
                    tool,
                    command,
                    file,
                },
            ) => mine == event && calls.take(tool, *command, *file),
            (Self::SessionStart { sources }, Occasion::Start(source)) => {
                sources.is_empty() || sources.contains(source)
            }
            (Self::PostCompact, Occasion::Compacted)
            | (Self::Stop, Occasion::Stop { goes_on: false }) => true,
            (Self::ContextThreshold { above }, Occasion::Share { before, now }) => {
                before < above && now >= above
            }
            _ => false,
        }
    }
}

impl ToolEvent {
    /// Its name, as the host says it.
    pub fn name(self) -> &'static str {
        match self {
            Self::PreToolUse => "PreToolUse",
            Self::PostToolUse => "PostToolUse",
            Self::PostToolUseFailure => "PostToolUseFailure",
        }
    }

    pub(super) fn of(name: &str) -> Option<Self> {
        let all = [
            Self::PreToolUse,
            Self::PostToolUse,
            Self::PostToolUseFailure,
        ];
        all.into_iter().find(|event| event.name() == name)
    }
}

impl SourceOfStart {
    /// The names, as the host says them.
    pub const NAMES: [&'static str; 5] = ["startup", "resume", "clear", "compact", "fork"];

    /// The one that the host calls `name`.
    pub fn of(name: &str) -> Option<Self> {
        Some(match name {
            "startup" => Self::Startup,
            "resume" => Self::Resume,
            "clear" => Self::Clear,
            "compact" => Self::Compact,
            "fork" => Self::Fork,
            _ => return None,
        })
    }
}

impl Prompts {
    fn take(&self, text: &Haystack<'_>) -> bool {
        let by_pattern = self.pattern.as_ref().is_some_and(|p| p.occurs_in(text));
        by_pattern || self.keywords.iter().any(|word| text.has_words(word))
    }
}

impl Calls {
    fn take(&self, tool: &str, command: Option<&Haystack<'_>>, file: Option<&str>) -> bool {
        let by_tool = || self.tools.is_empty() || self.tools.iter().any(|name| name == tool);
        let by_command = || {
            let occurs = |text| self.commands.iter().any(|one| one.occurs_in(text));
            self.commands.is_empty() || command.is_some_and(occurs)
        };
        let by_file = || {
            let takes = |path| self.files.iter().any(|glob| glob.takes(path));
            self.files.is_empty() || file.is_some_and(takes)
        };
        by_tool() && by_command() && by_file()
    }
}
