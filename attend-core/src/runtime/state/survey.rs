//! Reading a journal: what can be understood of it, and what cannot.

use std::io;
use std::path::PathBuf;

use super::dir::StateDir;
use super::error::StateError;
use super::journal::{HEAD, Journal, JournalEntry, MOST_BYTES, MOST_WAITING, name};

/// What stands in a journal.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct JournalSurvey {
    /// What can be understood, oldest first.
    pub entries: Vec<JournalEntry>,
    /// What cannot.
    pub damage: Vec<JournalDamage>,
}

/// A file of a journal that cannot be understood, or not wholly.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct JournalDamage {
    /// The file.
    pub file: PathBuf,
    /// Whether the next loop takes it for no journal and sets it aside: it does not begin as
    /// one, or something else stands in its place.
    pub set_aside: bool,
    /// How many of its lines are no entries; none where it cannot be opened as a file.
    pub lines: Option<u64>,
}

/// One file, read.
struct Part {
    number: Option<u64>,
    entries: Vec<JournalEntry>,
    damage: Option<JournalDamage>,
}

impl Journal {
    /// Reads the journal in `dir`, oldest first. Lines that are no entries are left out.
    ///
    /// # Errors
    ///
    /// Io: a segment is there and cannot be read.
    pub fn read(dir: &StateDir) -> Result<Vec<JournalEntry>, StateError> {
        Self::survey(dir).map(|survey| survey.entries)
    }

    /// Reads the journal in `dir`, oldest first, and says what of it cannot be understood.
    ///
    /// # Errors
    ///
    /// Io: a segment is there, and the system cannot read it.
    pub fn survey(dir: &StateDir) -> Result<JournalSurvey, StateError> {
        let mut parts = [read(dir, 0)?, read(dir, 1)?];
        // One that does not say which it is counts as the older.
        parts.sort_by_key(|part| part.number);
        let mut survey = JournalSurvey::default();
        for part in parts {
            survey.entries.extend(part.entries);
            survey.damage.extend(part.damage);
        }
        Ok(survey)
    }
}

fn read(dir: &StateDir, number: u64) -> Result<Part, StateError> {
    let file = dir.at(&name(number));
    let most = MOST_BYTES + MOST_WAITING as u64 + HEAD;
    let bytes = match dir.0.head(&name(number), most) {
        Ok(bytes) => bytes.unwrap_or_default(),
        Err(error) if is_foreign(&error) => {
            return Ok(Part {
                number: None,
                entries: Vec::new(),
                damage: Some(JournalDamage {
                    file,
                    set_aside: true,
                    lines: None,
                }),
            });
        }
        Err(error) => return Err(StateError::io("read", &file, &error)),
    };
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    // Behind the last line end: nothing, or what is being written now.
    let rest = lines.pop().unwrap_or_default();
    let (mut entries, mut unread) = (Vec::new(), 0);
    for line in lines.into_iter().filter(|line| !line.is_empty()) {
        match serde_json::from_slice(line) {
            Ok(entry) => entries.push(entry),
            Err(_) => unread += 1,
        }
    }
    let first = bytes.split(|byte| *byte == b'\n').next();
    let number = match first.map(serde_json::from_slice) {
        Some(Ok(JournalEntry::Segment { segment, .. })) => Some(segment),
        _ => None,
    };
    let set_aside = number.is_none() && !bytes.is_empty();
    let only_rest = set_aside && entries.is_empty() && unread == 0 && !rest.is_empty();
    let damage = (set_aside || unread > 0).then_some(JournalDamage {
        file,
        set_aside,
        lines: Some(unread + u64::from(only_rest)),
    });
    Ok(Part {
        number,
        entries,
        damage,
    })
}

/// Whether something else than a file of attend's stands there; the system would have named
/// another reason.
fn is_foreign(error: &io::Error) -> bool {
    error.raw_os_error().is_none()
}
