//! Patterns of paths: literal names, globs of one name, and `**` for any depth.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Component, Path};

use globset::{GlobBuilder, GlobMatcher};
use serde::{Deserialize, Serialize};

/// Bytes that a pattern may take: it is the key of an event.
const MAX_PATTERN: usize = 400;

/// A path, or a glob of paths: `Cargo.lock`, `src/**/*.rs`, `~/notes/`, `/etc/hosts`.
///
/// What begins with neither `/` nor `~/` lies in the project. `*`, `?`, `[…]` and `{…,…}` match
/// within one name, `**` any number of directories. A name at the end that is a directory, and
/// anything that ends in `/`, stands for all files below it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern {
    text: String,
    start: Start,
    track: Track,
}

/// Where a pattern begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Start {
    Project,
    Home,
    Top,
}

/// The names on the way to what is meant.
#[derive(Clone, Debug)]
pub(super) struct Track {
    parts: Vec<Part>,
    /// How many parts are enough for a file: the rest stands for what lies below a directory.
    early: Option<usize>,
}

#[derive(Clone, Debug)]
enum Part {
    Literal(OsString),
    Glob(NameGlob),
    Any,
    /// Any number of directories.
    Deep,
}

/// A glob of one name: `*~`, `node_modules`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NameGlob(GlobMatcher);

/// A place on a track.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    at: usize,
    /// Whether it was reached by a name that stands in the pattern.
    pub(super) named: bool,
}

impl Pattern {
    /// The pattern written `text`.
    ///
    /// # Errors
    ///
    /// What is wrong with it, for people.
    pub fn new(text: &str) -> Result<Self, String> {
        let wrong = |why: &str| Err(format!("`{text}` {why}"));
        if text.len() > MAX_PATTERN {
            return Err(format!("a path takes at most {MAX_PATTERN} bytes"));
        }
        if text.contains('\0') {
            return wrong("holds a character that no path can hold");
        }
        let (start, rest) = if let Some(rest) = text.strip_prefix("~/") {
            (Start::Home, rest)
        } else if text.starts_with('~') {
            return wrong("begins with `~`, which stands for your own home only: write `~/`");
        } else if let Some(rest) = text.strip_prefix('/') {
            (Start::Top, rest)
        } else {
            (Start::Project, text)
        };
        let mut parts = Vec::new();
        for name in rest.split('/').filter(|name| !matches!(*name, "" | ".")) {
            match name {
                ".." => {
                    return wrong("leads out by `..`: write the path from `/` or `~/` on");
                }
                "**" if matches!(parts.last(), Some(Part::Deep)) => {}
                "**" => parts.push(Part::Deep),
                name if is_glob(name) => parts.push(Part::Glob(NameGlob::new(name)?)),
                name => parts.push(Part::Literal(name.into())),
            }
        }
        let mut early = None;
        match parts.last() {
            None => return wrong("names no file: `**` stands for all of them"),
            Some(Part::Deep) => parts.push(Part::Any),
            Some(last) => {
                let is_named = matches!(last, Part::Literal(_));
                early = (is_named && !rest.ends_with('/')).then_some(parts.len());
                if is_named || rest.ends_with('/') {
                    parts.extend([Part::Deep, Part::Any]);
                }
            }
        }
        Ok(Self {
            text: text.to_owned(),
            start,
            track: Track { parts, early },
        })
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Where it begins.
    pub(super) fn start(&self) -> Start {
        self.start
    }

    /// The track from the project's directory on, or from `/` on; none where it begins in a
    /// home and there is none.
    pub(super) fn track(&self, home: Option<&Path>) -> Option<Track> {
        let mut track = self.track.clone();
        if self.start == Start::Home {
            let names = home?.components().filter_map(|part| match part {
                Component::Normal(name) => Some(Part::Literal(name.to_owned())),
                _ => None,
            });
            let mut parts: Vec<Part> = names.collect();
            track.early = track.early.map(|early| early + parts.len());
            parts.append(&mut track.parts);
            track.parts = parts;
        }
        Some(track)
    }
}

/// Whether some character of `name` is more than itself.
fn is_glob(name: &str) -> bool {
    name.contains(['*', '?', '[', ']', '{', '}'])
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Pattern {}

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::new(&text)
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> Self {
        pattern.text
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Track {
    /// Where every track begins.
    pub(super) fn begin() -> Place {
        Place { at: 0, named: true }
    }

    /// Where the entry `name` of a directory that stands at `places` leads. Wildcards do not
    /// look at what is `skipped`.
    pub(super) fn next(&self, places: &[Place], name: &OsStr, skipped: bool) -> Vec<Place> {
        let mut next = Vec::new();
        for (at, part) in self.open(places) {
            let (at, named) = match part {
                Part::Literal(literal) if literal == name => (at + 1, true),
                Part::Glob(glob) if !skipped && glob.matches(name) => (at + 1, false),
                Part::Any if !skipped => (at + 1, false),
                Part::Deep if !skipped => (at, false),
                _ => continue,
            };
            next.push(Place { at, named });
        }
        next.sort_unstable();
        next.dedup();
        next
    }

    /// Whether a file at `place` is meant.
    pub(super) fn accepts(&self, place: Place) -> bool {
        place.at == self.parts.len() || self.early == Some(place.at)
    }

    /// Whether something below `place` may be meant.
    pub(super) fn goes_on(&self, place: Place) -> bool {
        place.at < self.parts.len()
    }

    /// The only names that lead on from `places`; none where any may.
    pub(super) fn names(&self, places: &[Place]) -> Option<Vec<&OsStr>> {
        let names = self.open(places).into_iter().map(|(_, part)| match part {
            Part::Literal(name) => Some(name.as_os_str()),
            _ => None,
        });
        names.collect()
    }

    /// The parts that may come next; no directory at all is some number of them.
    fn open(&self, places: &[Place]) -> Vec<(usize, &Part)> {
        let mut open: Vec<usize> = places.iter().map(|place| place.at).collect();
        let deep = |at: &usize| matches!(self.parts.get(*at), Some(Part::Deep));
        let more: Vec<usize> = open.iter().filter(|at| deep(at)).map(|at| at + 1).collect();
        open.extend(more);
        open.sort_unstable();
        open.dedup();
        let part = |at: usize| Some((at, self.parts.get(at)?));
        open.into_iter().filter_map(part).collect()
    }
}

impl NameGlob {
    /// The glob written `text`.
    ///
    /// # Errors
    ///
    /// What is wrong with it, for people.
    pub fn new(text: &str) -> Result<Self, String> {
        if text.is_empty() || text.contains('/') {
            return Err(format!("`{text}` is no name: a name holds no `/`"));
        }
        let glob = GlobBuilder::new(text).literal_separator(true).build();
        let glob = glob.map_err(|error| format!("`{text}` is no glob: {}", error.kind()))?;
        Ok(Self(glob.compile_matcher()))
    }

    /// Whether `name` is one of those that are meant.
    pub(super) fn matches(&self, name: &OsStr) -> bool {
        self.0.is_match(name)
    }

    /// The glob as it was written.
    pub fn as_str(&self) -> &str {
        self.0.glob().glob()
    }
}

impl PartialEq for NameGlob {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for NameGlob {}

impl TryFrom<String> for NameGlob {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::new(&text)
    }
}

impl From<NameGlob> for String {
    fn from(glob: NameGlob) -> Self {
        glob.as_str().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the file at `path` is meant by `pattern`.
    fn means(pattern: &str, path: &str) -> bool {
        let track = Pattern::new(pattern)
            .unwrap()
            .track(Some(Path::new("/h")))
            .unwrap();
        let mut places = vec![Track::begin()];
        for name in path.split('/') {
            places = track.next(&places, OsStr::new(name), name == "skipped");
        }
        places.iter().any(|place| track.accepts(*place))
    }

    #[test]
    fn patterns_mean_what_people_expect() {
        for (pattern, meant, not_meant) in [
            ("a", &["a", "a/b", "a/b/c"][..], &["b", "b/a"][..]),
            ("./a//b", &["a/b", "a/b/c"], &["a", "a/c"]),
            ("a/", &["a/b", "a/b/c"], &["a"]),
            ("*.rs", &["a.rs", ".rs"], &["a/b.rs", "a.rs/b"]),
            ("*/", &["a/b", "a/b/c"], &["a"]),
            ("**/*.rs", &["a.rs", "a/b.rs", "a/b/c.rs"], &["a.txt"]),
            ("src/**", &["src/a", "src/a/b"], &["src", "a/src"]),
            ("**", &["a", "a/b"], &[]),
            ("**/**/a", &["a", "b/a", "b/c/a/d"], &["b"]),
            ("a/**/z", &["a/z", "a/b/c/z", "a/z/y"], &["z", "b/a/z"]),
            ("{a,b}/?[0-9]", &["a/x1", "b/y2"], &["c/x1", "a/xx"]),
            ("~/n", &["h/n", "h/n/m"], &["n"]),
            ("/etc/*", &["etc/hosts"], &["etc/a/b"]),
            ("*", &["a"], &["skipped"]),
            ("**/a", &["b/a"], &["skipped/a"]),
            ("skipped/a", &["skipped/a"], &[]),
        ] {
            for path in meant {
                assert!(means(pattern, path), "{pattern} {path}");
            }
            for path in not_meant {
                assert!(!means(pattern, path), "{pattern} {path}");
            }
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (text, why) in [
            ("", "`` names no file: `**` stands for all of them"),
            (".", "`.` names no file: `**` stands for all of them"),
            (
                "a/../b",
                "`a/../b` leads out by `..`: write the path from `/` or `~/` on",
            ),
            (
                "~sam/x",
                "`~sam/x` begins with `~`, which stands for your own home only: write `~/`",
            ),
            (
                "src/[a",
                "`[a` is no glob: unclosed character class; missing ']'",
            ),
            ("a\0", "`a\0` holds a character that no path can hold"),
        ] {
            assert_eq!(Pattern::new(text).unwrap_err(), why);
        }
        assert!(Pattern::new(&"a".repeat(401)).is_err());
        assert!(NameGlob::new("a/b").is_err() && NameGlob::new("").is_err());
    }

    #[test]
    fn only_names_are_looked_up_where_nothing_else_can_match() {
        let track = |text| Pattern::new(text).unwrap().track(None).unwrap();
        let begin = [Track::begin()];
        assert_eq!(track("a/b").names(&begin), Some(vec![OsStr::new("a")]));
        assert_eq!(track("*/b").names(&begin), None);
        assert_eq!(track("**/b").names(&begin), None);
    }
}
