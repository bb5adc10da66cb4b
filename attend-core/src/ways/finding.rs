//! Findings: what is wrong in a way's file, where, and what to write instead.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::yaml::{self, Fault, FaultKind, Mark};

/// Something that is wrong in the file of a way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// The file.
    #[serde(serialize_with = "yaml::shown")]
    pub file: PathBuf,
    /// The line, counted from 1; none where the file as a whole is meant.
    pub line: Option<usize>,
    /// The keys on the way to it, with dots between; empty at the top.
    pub key: String,
    /// What kind of mistake it is.
    pub problem: Problem,
    /// What is wrong, for people.
    pub text: String,
    /// What to write instead.
    pub instead: Option<String>,
}

/// What kind of mistake a [`Finding`] is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Problem {
    /// The file cannot be read, or cannot be a way's.
    Unreadable,
    /// The path makes no id.
    BadId,
    /// There is no frontmatter, or it does not end.
    Frontmatter,
    /// The frontmatter is not YAML.
    Syntax,
    /// A key stands twice.
    DuplicateKey,
    /// Nobody knows this key.
    UnknownKey,
    /// A key of an earlier form of ways.
    Legacy,
    /// A key that has to be there is not.
    Missing,
    /// A value of another type than the key's.
    WrongType,
    /// A value that makes no sense.
    WrongValue,
    /// Two keys of which one has to be chosen.
    Conflict,
    /// There is no guidance below the frontmatter.
    EmptyBody,
}

impl Problem {
    /// Whether the file can be no way: it is skipped when ways are loaded.
    pub fn is_fatal(self) -> bool {
        !matches!(
            self,
            Self::DuplicateKey | Self::UnknownKey | Self::Legacy | Self::Conflict | Self::EmptyBody
        )
    }
}

impl Finding {
    pub(super) fn new(file: &Path, problem: Problem, text: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line: None,
            key: String::new(),
            problem,
            text: text.into(),
            instead: None,
        }
    }

    /// What is wrong with the frontmatter, which begins `above` lines below the top of `file`.
    pub(super) fn of(file: &Path, fault: Fault, above: usize) -> Self {
        let problem = match fault.kind {
            FaultKind::Syntax => Problem::Syntax,
            FaultKind::WrongType => Problem::WrongType,
            FaultKind::DuplicateKey => Problem::DuplicateKey,
        };
        let instead = match problem {
            Problem::Syntax => {
                "put a text that holds `: `, ` #` or a bracket in quotes, and indent with blanks"
            }
            Problem::DuplicateKey => "leave out one of the two",
            _ => "write keys with their values, such as `name: what-it-is-called`",
        };
        Self::new(file, problem, fault.text)
            .at(fault.mark, above)
            .key(fault.key)
            .instead(instead)
    }

    pub(super) fn at(self, mark: Mark, above: usize) -> Self {
        self.line(mark.line + above)
    }

    pub(super) fn line(mut self, line: usize) -> Self {
        self.line = Some(line);
        self
    }

    pub(super) fn key(mut self, key: impl Into<String>) -> Self {
        self.key = key.into();
        self
    }

    pub(super) fn instead(mut self, instead: impl Into<String>) -> Self {
        self.instead = Some(instead.into());
        self
    }
}

/// `path:line: key: what is wrong; write this instead`.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        if !self.key.is_empty() {
            write!(f, " {}:", self.key)?;
        }
        write!(f, " {}", self.text)?;
        match &self.instead {
            Some(instead) => write!(f, "; {instead}"),
            None => Ok(()),
        }
    }
}
