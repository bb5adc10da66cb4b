//! Marks of reflection: where the log of ways says that guidance for it was shown in full.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Deserialize;

/// The signals whose guidance is reflection.
const SIGNALS: [&str; 2] = ["context-pressure", "reflection-overdue"];

/// The events that are a full showing.
const SHOWINGS: [&str; 2] = ["way_fired", "way_redisclosed"];

/// How much of the end of a log is read: some hundred showings.
const MAX_LOG: u64 = 64 << 10;

/// The last full showing of guidance for reflection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mark {
    /// The span in which the context only grows, where it is known.
    pub(super) epoch: Option<String>,
    /// The tokens before the model then.
    pub(super) tokens: u64,
    /// When, in seconds since 1970.
    pub(super) at: u64,
}

/// The log of one session, read again where it changed.
#[derive(Debug, Default)]
pub(super) struct Marks {
    path: PathBuf,
    seen: Option<(u64, u64, Option<SystemTime>)>,
    last: Option<Mark>,
}

#[derive(Deserialize)]
struct Showing {
    event: String,
    at: u64,
    way: String,
    #[serde(default)]
    epoch: Option<String>,
    tokens: u64,
    /// Older versions did not say: then the ways that come with attend are told by their names.
    #[serde(default)]
    signals: Vec<String>,
}

impl Marks {
    /// The last mark of the session `id`, whose log lies below `state`.
    ///
    /// # Errors
    ///
    /// The log is there and cannot be read now; what it said before stands.
    pub(super) fn last(&mut self, state: &Path, id: &str) -> io::Result<Option<&Mark>> {
        let path = state.join("ways").join(id).join("events.jsonl");
        if self.path != path {
            *self = Self::default();
            self.path = path;
        }
        let found = match fs::metadata(&self.path) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(self.last.as_ref()),
            Err(error) => return Err(error),
        };
        let seen = Some((found.ino(), found.len(), found.modified().ok()));
        if found.is_file() && self.seen != seen {
            let before = self.path.with_extension("jsonl.old");
            let last = match mark_in(&self.path)? {
                Some(mark) => Some(mark),
                // The log was begun anew.
                None => mark_in(&before).unwrap_or_default(),
            };
            self.last = last.or(self.last.take());
            self.seen = seen;
        }
        Ok(self.last.as_ref())
    }
}

/// The last mark near the end of the log at `path`.
fn mark_in(path: &Path) -> io::Result<Option<Mark>> {
    // What is no file, such as a pipe, may never end.
    if !fs::metadata(path).is_ok_and(|found: Metadata| found.is_file()) {
        return Ok(None);
    }
    let mut file = File::open(path)?;
    let from = file.metadata()?.len().saturating_sub(MAX_LOG);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(MAX_LOG).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).lines().rev().find_map(mark))
}

/// What one line of the log says; none where it is no mark, or makes no sense.
fn mark(line: &str) -> Option<Mark> {
    let shown: Showing = serde_json::from_str(line).ok()?;
    let is_one = |name: &String| SIGNALS.contains(&name.as_str());
    let handles =
        shown.signals.iter().any(is_one) || shown.signals.is_empty() && is_one(&shown.way);
    let counts = handles && SHOWINGS.contains(&shown.event.as_str());
    counts.then_some(Mark {
        epoch: shown.epoch,
        tokens: shown.tokens,
        at: shown.at,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(way: &str, tokens: u64, more: &str) -> String {
        format!(
            "{{\"event\":\"way_fired\",\"at\":7,\"way\":\"{way}\",\"epoch\":\"e\",\"tokens\":{tokens},\"fires\":1{more}}}\n"
        )
    }

    #[test]
    fn the_last_full_showing_of_guidance_for_reflection_counts() {
        let state = tempfile::tempdir().unwrap();
        let log = state.path().join("ways/s/events.jsonl");
        fs::create_dir_all(log.parent().unwrap()).unwrap();
        let mut marks = Marks::default();
        let mut said = |text: Option<&str>| {
            if let Some(text) = text {
                fs::write(&log, text).unwrap();
            }
            let last = marks.last(state.path(), "s").unwrap();
            last.map(|mark| mark.tokens)
        };
        assert_eq!(said(None), None);
        let other = line("build-failed", 9, r#","signals":["build-failed"]"#);
        assert_eq!(said(Some(&other)), None);
        let own = line("mine", 10, r#","signals":["x","context-pressure"]"#);
        assert_eq!(said(Some(&format!("{own}{other}"))), Some(10));
        let old = line("reflection-overdue", 20, "");
        assert_eq!(said(Some(&format!("{own}no JSON\n{old}{other}"))), Some(20));
        let replaced = line("context-pressure", 30, r#","signals":["stop"]"#);
        assert_eq!(said(Some(&format!("{own}{old}{replaced}"))), Some(20));
        // It was begun anew, and what was in it is gone for good.
        assert_eq!(said(Some(&other)), Some(20));
    }

    #[test]
    fn a_log_that_was_begun_anew_goes_on_from_the_old_one() {
        let state = tempfile::tempdir().unwrap();
        let folder = state.path().join("ways/s");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("events.jsonl"), line("build-failed", 9, "")).unwrap();
        let old = line("context-pressure", 5, "") + &line("build-failed", 7, "");
        fs::write(folder.join("events.jsonl.old"), old).unwrap();
        let mut marks = Marks::default();
        let last = marks.last(state.path(), "s").unwrap();
        assert_eq!(last.map(|mark| mark.tokens), Some(5));
    }
}
