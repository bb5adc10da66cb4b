//! How values stand in columns.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::Row;

use crate::mail::around::Process;
use crate::mail::envelope::{Entry, MessageId, SenderKind, Seq, State};
use crate::mail::mute::Hush;
use crate::mail::seat::{ProjectId, SeatId};

/// The states of a delivery, as they are kept.
pub(super) mod stage {
    pub(in super::super) const NEW: i64 = 0;
    pub(in super::super) const COUNTED: i64 = 1;
    /// Evidence is looked for.
    pub(in super::super) const AWAITED: i64 = 2;
    /// Nobody looks for evidence.
    pub(in super::super) const PRINTED: i64 = 3;
    pub(in super::super) const UNSEEN: i64 = 4;
    pub(in super::super) const SEEN: i64 = 5;
    /// The reader's own words.
    pub(in super::super) const OWN: i64 = 6;
}

/// How a message came to a tray, as it is kept.
pub(super) mod via {
    pub(in super::super) const SEAT: i64 = 0;
    pub(in super::super) const PROJECT: i64 = 1;
    pub(in super::super) const ROOM: i64 = 2;
}

/// What a kept state means for people; none for the reader's own words.
pub(super) fn state(stage: i64) -> Option<State> {
    match stage {
        stage::NEW => Some(State::New),
        stage::COUNTED => Some(State::Counted),
        stage::AWAITED | stage::PRINTED => Some(State::Printed),
        stage::UNSEEN => Some(State::Unseen),
        stage::SEEN => Some(State::Seen),
        _ => None,
    }
}

/// A number for a column. SQLite's are signed; what does not fit does not occur.
pub(super) fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// A number from a column.
pub(super) fn count(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

/// The position in column `column`.
pub(super) fn seq(row: &Row<'_>, column: usize) -> rusqlite::Result<Seq> {
    Ok(Seq::new(count(row.get(column)?)))
}

/// The tray of a seat.
pub(super) fn tray(seat: SeatId) -> i64 {
    number(seat.get())
}

/// The tray of a project.
pub(super) fn project_tray(project: ProjectId) -> i64 {
    -number(project.get())
}

pub(super) fn path_bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_bytes()
}

pub(super) fn path_of(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(OsString::from_vec(bytes))
}

pub(super) fn nanos(time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX)
}

/// A time of day, in nanoseconds since 1970; before that, 0.
pub(super) fn wall_nanos(time: SystemTime) -> i64 {
    nanos(
        time.duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default(),
    )
}

pub(super) fn wall_time(nanos: i64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_nanos(count(nanos))
}

/// Until when something is muted, as it is kept.
pub(super) fn until_nanos(until: Option<SystemTime>) -> i64 {
    until.map_or(-1, wall_nanos)
}

/// Until when something is muted.
pub(super) fn until(kept: i64) -> Option<SystemTime> {
    (kept >= 0).then(|| wall_time(kept))
}

/// What a mute makes of a membership, in two columns.
pub(super) fn hush_columns(hush: Hush) -> (Option<i64>, Option<i64>) {
    match hush {
        Hush::No => (None, None),
        Hush::Until(until) => (Some(until_nanos(until)), None),
        Hush::Over(bound) => (None, Some(number(bound.get()))),
    }
}

/// What a mute makes of a membership.
pub(super) fn hush(quiet: Option<i64>, over: Option<i64>) -> Hush {
    match (quiet, over) {
        (Some(kept), _) => Hush::Until(until(kept)),
        (None, Some(bound)) => Hush::Over(Seq::new(count(bound))),
        (None, None) => Hush::No,
    }
}

/// A process in four columns from `first` on; none where the first is empty.
pub(super) fn process(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<Process>> {
    let Some(pid) = row.get::<_, Option<u32>>(first)? else {
        return Ok(None);
    };
    let (started, boot): (String, String) = (row.get(first + 1)?, row.get(first + 2)?);
    let namespace: i64 = row.get(first + 3)?;
    Ok(Some(Process::new(pid, started, boot, count(namespace))))
}

pub(super) fn kind_number(kind: SenderKind) -> i64 {
    match kind {
        SenderKind::Agent => 0,
        SenderKind::Person => 1,
        SenderKind::Program => 2,
    }
}

fn kind(number: i64) -> SenderKind {
    match number {
        0 => SenderKind::Agent,
        1 => SenderKind::Person,
        _ => SenderKind::Program,
    }
}

/// The columns of [`entry`].
pub(super) const ENTRY: &str = "seq, id, sent_at, sender, kind, addressees, re, body";

/// A message from the columns [`ENTRY`].
pub(super) fn entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    let addressees: String = row.get(5)?;
    Ok(Entry::new(
        seq(row, 0)?,
        MessageId::new(row.get::<_, String>(1)?),
        wall_time(row.get(2)?),
        row.get::<_, String>(3)?,
        kind(row.get(4)?),
        list(&addressees),
        row.get::<_, Option<String>>(6)?.map(MessageId::new),
        row.get::<_, String>(7)?,
    ))
}

/// A list in one column, as JSON: items may hold anything.
pub(super) fn list(text: &str) -> Vec<String> {
    serde_json::from_str(text).unwrap_or_default()
}

/// A list for one column.
pub(super) fn list_text(items: &[String]) -> String {
    serde_json::to_string(items).unwrap_or_default()
}

/// Positions in one column.
pub(super) fn seqs(text: &str) -> Vec<Seq> {
    let numbers = text.split(' ').filter_map(|number| number.parse().ok());
    numbers.map(Seq::new).collect()
}

/// Positions for one column.
pub(super) fn seqs_text(seqs: &[Seq]) -> String {
    let numbers: Vec<String> = seqs.iter().map(|seq| seq.get().to_string()).collect();
    numbers.join(" ")
}

/// Numbers of rooms in one column.
pub(super) fn numbers(text: &str) -> Vec<i64> {
    let numbers = text.split(' ').filter_map(|number| number.parse().ok());
    numbers.collect()
}

/// Numbers of rooms for one column.
pub(super) fn numbers_text(numbers: &[i64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(" ")
}
