//! Patterns: what prompts, commands and files are compared with.

use std::sync::OnceLock;

use globset::{Glob, GlobMatcher};
use regex::{Regex, RegexBuilder};
use thiserror::Error;

use super::haystack::Haystack;
use super::needed::{Needed, fold};

/// How large a pattern may get when it is built, in bytes: a hook builds those of which a text may
/// hold something, and the host waits for it.
const MOST_BUILT: usize = 1 << 20;

/// A regular expression, checked when it is made and built when it is first needed: most
/// commands need none of those in hundreds of files, and most texts lack what it needs.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    needed: Needed,
    built: OnceLock<Option<Regex>>,
}

/// A pattern of paths such as `src/**/*.rs`, checked when it is made.
#[derive(Clone, Debug)]
pub struct FileGlob {
    glob: Glob,
    needed: Needed,
    built: OnceLock<GlobMatcher>,
}

/// A text that is no pattern.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{text}` {why}")]
pub struct PatternError {
    text: String,
    why: String,
}

impl Pattern {
    /// Checks `text`.
    ///
    /// # Errors
    ///
    /// It is no regular expression.
    pub fn new(text: &str) -> Result<Self, PatternError> {
        let parsed = regex_syntax::parse(text).map_err(|error| PatternError {
            text: text.to_owned(),
            why: match error {
                regex_syntax::Error::Parse(error) => {
                    format!("is no regular expression: {}", error.kind())
                }
                regex_syntax::Error::Translate(error) => {
                    format!("is no regular expression: {}", error.kind())
                }
                _ => "is no regular expression".to_owned(),
            },
        })?;
        Ok(Self {
            text: text.to_owned(),
            needed: Needed::of(&parsed),
            built: OnceLock::new(),
        })
    }

    /// Whether it occurs in `text`. One that is too large to build occurs nowhere.
    pub fn occurs_in(&self, text: &Haystack<'_>) -> bool {
        if !self.needed.may_be_in(text.folded()) {
            return false;
        }
        let built = self.built.get_or_init(|| self.regex().ok());
        built
            .as_ref()
            .is_some_and(|regex| regex.is_match(text.text()))
    }

    /// What a text needs in which it occurs.
    pub(super) fn needed(&self) -> &Needed {
        &self.needed
    }

    /// Builds it now.
    ///
    /// # Errors
    ///
    /// It is too large to build.
    pub fn build(&self) -> Result<(), PatternError> {
        self.regex().map(drop).map_err(|_| PatternError {
            text: self.text.clone(),
            why: "is too large to build".to_owned(),
        })
    }

    fn regex(&self) -> Result<Regex, regex::Error> {
        RegexBuilder::new(&self.text).size_limit(MOST_BUILT).build()
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FileGlob {
    /// Checks `text`.
    ///
    /// # Errors
    ///
    /// It is no pattern of paths.
    pub fn new(text: &str) -> Result<Self, PatternError> {
        let glob = Glob::new(text).map_err(|error| PatternError {
            text: text.to_owned(),
            why: format!("is no pattern of files: {}", error.kind()),
        })?;
        Ok(Self {
            glob,
            needed: Needed::of_glob(text),
            built: OnceLock::new(),
        })
    }

    /// What a path needs that it takes.
    pub(super) fn needed(&self) -> &Needed {
        &self.needed
    }

    /// Whether `path` is one of those it stands for: the whole path, or its end after a `/`.
    pub fn takes(&self, path: &str) -> bool {
        if !self.needed.may_be_in(&fold(path)) {
            return false;
        }
        let matcher = self.built.get_or_init(|| self.glob.compile_matcher());
        let ends = path
            .match_indices('/')
            .filter_map(|(at, _)| path.get(at + 1..));
        matcher.is_match(path) || ends.into_iter().any(|end| matcher.is_match(end))
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        self.glob.glob()
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl PartialEq for FileGlob {
    fn eq(&self, other: &Self) -> bool {
        self.glob == other.glob
    }
}
