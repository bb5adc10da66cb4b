//! What a look that found nothing saves the next process: as long as nothing is written to the
//! store, it need not be opened.
//!
//! A note tells who looked, and the files of the store as they were before that. Whatever comes
//! for a seat is written to them first. A note that is missing, damaged or doubtful costs a look.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::lock::{Home, look_name};
use crate::mail::around::Around;
use crate::mail::claim::{News, Waiting};
use crate::mail::seat::{SeatId, Sitter};

/// A file that was written so shortly before may have been written again without a trace: the
/// coarsest steps in which file systems keep time are of two seconds.
const SETTLED: Duration = Duration::from_secs(3);

/// A note takes less, in bytes.
const MOST: u64 = 16 << 10;

/// The form of what is noted.
const FORM: &str = concat!("1/", env!("CARGO_PKG_VERSION"));

/// The database and its log: device, number and size, and when they were written. That their owner
/// is set anew, as SQLite does for root, says nothing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Marks([Option<Mark>; 2]);

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Mark(u64, u64, u64, (i64, i64));

#[derive(PartialEq, Debug, Serialize, Deserialize)]
struct Note {
    form: String,
    sitter: String,
    seat: i64,
    marks: Marks,
}

impl Marks {
    /// The files of the store at `store` as they are now.
    pub(super) fn of(store: &Path) -> Self {
        let mut log = store.as_os_str().to_owned();
        log.push("-wal");
        let mark = |path: &Path| {
            let found = fs::metadata(path).ok()?;
            Some(Mark(
                found.dev(),
                found.ino(),
                found.len(),
                (found.mtime(), found.mtime_nsec()),
            ))
        };
        Self([mark(store), mark(&PathBuf::from(log))])
    }

    /// Whether none of them was written shortly before `now`.
    fn are_settled(&self, now: SystemTime) -> bool {
        let now = now.duration_since(UNIX_EPOCH).unwrap_or_default();
        let is_old = |seconds: i64| {
            let at = u64::try_from(seconds).unwrap_or(0);
            Duration::from_secs(at).saturating_add(SETTLED) <= now
        };
        let mut marks = self.0.iter().flatten();
        self.0[0].is_some() && marks.all(|mark| is_old(mark.3.0))
    }
}

/// Whether nothing can come of what was found but by a write.
pub(super) fn is_still(news: &News) -> bool {
    let is_empty = matches!(&news.waiting, Waiting::Few(letters) if letters.is_empty());
    is_empty && news.muted.is_empty() && news.due.is_none() && !news.is_awaited
}

/// Notes that nothing waited for `sitter` on `seat` when the store was at `marks`.
pub(super) fn note(
    home: &Home,
    (sitter, seat): (&Sitter, SeatId),
    marks: &Marks,
    around: &dyn Around,
) {
    let Some(name) = name(sitter).filter(|_| marks.are_settled(around.wall())) else {
        return;
    };
    let note = Note {
        form: FORM.to_owned(),
        sitter: words(sitter),
        seat: super::row::tray(seat),
        marks: marks.clone(),
    };
    // Half of a note is none.
    if let (Ok(json), Ok(mut file)) = (serde_json::to_vec(&note), home.write_beside(&name)) {
        let _ = file.write_all(&json);
    }
}

/// Whether the store in `dir` is as it was when it was noted that nothing waits for `sitter`. Then
/// somebody has looked at the seat.
pub(super) fn holds(dir: &Path, sitter: &Sitter, around: &dyn Around) -> bool {
    let seat = || {
        let name = name(sitter)?;
        let home = Home::existing(dir).ok()??;
        let mut json = Vec::new();
        let file = home.read_beside(&name).ok()?;
        file.take(MOST).read_to_end(&mut json).ok()?;
        let note: Note = serde_json::from_slice(&json).ok()?;
        let is_it = note.form == FORM && note.sitter == words(sitter);
        let holds = is_it && note.marks == Marks::of(&home.store());
        holds.then(|| home.stamp(&look_name(note.seat), around.wall()))
    };
    seat().is_some()
}

/// What the note of a session is called: each process holds one.
fn name(sitter: &Sitter) -> Option<String> {
    match sitter {
        Sitter::Session { process, .. } => Some(format!("{}.still", process.pid)),
        Sitter::Person(_) => None,
    }
}

/// Who it is and where, in every detail.
fn words(sitter: &Sitter) -> String {
    format!("{sitter:?}")
}
