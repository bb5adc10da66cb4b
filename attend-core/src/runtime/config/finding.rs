//! Findings: what is wrong in a configuration file, and where.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::yaml::{self, Fault, FaultKind, Mark};

/// Which of the two files something stands in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Layer {
    /// The user's own, for all projects.
    User,
    /// The project's, which wins where it may say something.
    Project,
}

/// Something that is wrong in a configuration file. It costs what it stands in, and nothing else.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// The file.
    #[serde(serialize_with = "yaml::shown")]
    pub file: PathBuf,
    /// The line, counted from 1; none where the file as a whole is meant.
    pub line: Option<usize>,
    /// The column, in characters, counted from 1.
    pub column: Option<usize>,
    /// The keys on the way to it, with dots between; empty at the top.
    pub key: String,
    /// What kind of mistake it is.
    pub problem: Problem,
    /// What is wrong, for people.
    pub text: String,
    /// The known key that is spelled most alike.
    pub nearest: Option<String>,
}

/// What kind of mistake a [`Finding`] is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Problem {
    /// The file cannot be read.
    Unreadable,
    /// It is not YAML.
    Syntax,
    /// A key occurs twice in one mapping.
    DuplicateKey,
    /// Nobody knows this key.
    UnknownKey,
    /// A value of another type than the key's.
    WrongType,
    /// A value that makes no sense, alone or with the others.
    WrongValue,
    /// There is no such kind of sensor.
    UnknownKind,
    /// A sensor cannot be called so.
    BadName,
    /// Only the user's own file may say this.
    NotAllowed,
    /// It would run what nobody allowed.
    NotTrusted,
    /// Something in the world keeps it from working now.
    World,
}

impl Finding {
    pub(super) fn new(
        file: &Path,
        mark: Option<Mark>,
        problem: Problem,
        text: impl Into<String>,
    ) -> Self {
        Self {
            file: file.to_owned(),
            line: mark.map(|mark| mark.line),
            column: mark.map(|mark| mark.column),
            key: String::new(),
            problem,
            text: text.into(),
            nearest: None,
        }
    }

    /// What is wrong with `file` as YAML.
    pub(super) fn of(file: &Path, fault: Fault) -> Self {
        let problem = match fault.kind {
            FaultKind::Syntax => Problem::Syntax,
            FaultKind::WrongType => Problem::WrongType,
            FaultKind::DuplicateKey => Problem::DuplicateKey,
        };
        Self::new(file, Some(fault.mark), problem, fault.text).key(fault.key)
    }

    pub(super) fn key(mut self, key: impl Into<String>) -> Self {
        self.key = key.into();
        self
    }

    /// Names the one of `known` that is spelled most alike, where one is.
    pub(super) fn nearest<'a>(
        mut self,
        given: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        self.nearest = yaml::nearest(given, known).map(str::to_owned);
        self
    }
}

/// `path:line:column: key: text; did you mean …?`, as editors and terminals understand it.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file.display())?;
        for figure in [self.line, self.column].into_iter().flatten() {
            write!(f, "{figure}:")?;
        }
        if !self.key.is_empty() {
            write!(f, " {}:", self.key)?;
        }
        write!(f, " {}", self.text)?;
        match &self.nearest {
            Some(nearest) => write!(f, "; did you mean `{nearest}`?"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_key_is_named_where_one_is_near() {
        let known = ["cooldown", "max_per_window", "window"];
        for (given, nearest) in [
            ("cooldwon", Some("cooldown")),
            ("cool_down", Some("cooldown")),
            ("windows", Some("window")),
            ("max_per_windw", Some("max_per_window")),
            ("colour", None),
            ("x", None),
            ("", None),
        ] {
            let finding =
                Finding::new(Path::new("f"), None, Problem::UnknownKey, "").nearest(given, known);
            assert_eq!(finding.nearest.as_deref(), nearest, "{given}");
        }
    }
}
