//! What `attend watch` leaves for the sensor: one small file for each command that it runs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use attend_core::sensor::{Exit, SensorError};
use serde::{Deserialize, Serialize};

use super::table::{Member, Table};
use super::tool;

/// How many records are read.
const MOST_RECORDS: usize = 256;

/// How many of them are left when another is written, and for how long.
const KEPT: usize = 200;
const KEPT_FOR: Duration = Duration::from_hours(24);

/// The longest record that is read, in bytes.
const MAX_RECORD: u64 = 16 << 10;

/// A command that `attend watch` runs, or ran.
///
/// ```
/// use attend_sensors::process::WatchRecord;
///
/// let record = WatchRecord::new(4711, "/srv/api", "make", &["test"]);
/// assert_eq!(record.name, "make test");
/// assert_eq!(WatchRecord::parse(record.to_json().as_bytes()), Some(record));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WatchRecord {
    /// The process of `attend watch`.
    pub pid: u32,
    /// When that started: field 22 of its `stat`; none where there is no process table.
    pub start: Option<String>,
    /// The command's program and what it is to do; nothing else of its words.
    pub name: String,
    /// The directory in which it runs.
    #[serde(with = "crate::exact_path")]
    pub cwd: PathBuf,
    /// When it began, in milliseconds since 1970.
    pub began: u64,
    /// The processes above that of `attend watch`, each with its start, the nearest first.
    pub ancestors: Vec<(u32, String)>,
    /// How it ended, once it has.
    pub ended: Option<WatchEnd>,
}

/// The end of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WatchEnd {
    /// How long it ran, in milliseconds.
    pub took: u64,
    /// Its exit code; none where a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
}

impl WatchEnd {
    /// It ended so, after `took`.
    pub fn new(exit: Exit, took: Duration) -> Self {
        let (code, signal) = match exit {
            Exit::Code(code) => (Some(code), None),
            Exit::Signal(signal) => (None, Some(signal)),
            _ => (None, None),
        };
        let took = millis(took);
        Self { took, code, signal }
    }

    /// How it ended, where that is known.
    pub(super) fn exit(self) -> Option<Exit> {
        match (self.code, self.signal) {
            (Some(code), _) => Some(Exit::Code(code)),
            (None, signal) => signal.map(Exit::Signal),
        }
    }
}

impl WatchRecord {
    /// The command that the process `pid` of `attend watch` is about to run in `cwd`.
    pub fn new(pid: u32, cwd: impl Into<PathBuf>, program: &str, args: &[&str]) -> Self {
        Self {
            pid,
            start: None,
            name: tool::command(program, args),
            cwd: cwd.into(),
            began: 0,
            ancestors: Vec::new(),
            ended: None,
        }
    }

    /// The same, begun at `wall`.
    #[must_use]
    pub fn begun(mut self, wall: SystemTime) -> Self {
        let since = wall.duration_since(SystemTime::UNIX_EPOCH);
        self.began = millis(since.unwrap_or_default());
        self
    }

    /// The same with what the process table at `proc` says of its process and those above it.
    #[must_use]
    pub fn found_in(mut self, proc: &Path) -> Self {
        let mut above = Table::new(proc).line(self.pid).into_iter();
        self.start = above.next().map(|own| own.start);
        self.ancestors = above.map(|member| (member.pid, member.start)).collect();
        self
    }

    /// Where records lie, below attend's state directory.
    pub fn directory() -> &'static str {
        "watched"
    }

    /// What its file is called there. Write it whole, by renaming.
    pub fn file_name(&self) -> String {
        format!("{}-{}.json", self.pid, self.began)
    }

    /// The file's content.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads the file's content; none where it is damaged.
    pub fn parse(json: &[u8]) -> Option<Self> {
        serde_json::from_slice(json).ok()
    }

    /// When it began.
    pub(super) fn began(&self) -> SystemTime {
        let began = SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(self.began));
        began.unwrap_or(SystemTime::UNIX_EPOCH)
    }

    /// The process of `attend watch`, where it can be told from others of its number.
    pub(super) fn process(&self) -> Option<Member> {
        let start = self.start.clone()?;
        Some(Member {
            pid: self.pid,
            start,
        })
    }

    /// The processes above it.
    pub(super) fn line(&self) -> Vec<Member> {
        let ancestors = self.ancestors.iter().cloned();
        let members = ancestors.map(|(pid, start)| Member { pid, start });
        self.process().into_iter().chain(members).collect()
    }
}

/// All records below attend's state directory, the newest [`MOST_RECORDS`] of them, in the order
/// in which they began. One that cannot be read is left out.
pub(super) fn all(state: &Path) -> Result<Vec<WatchRecord>, SensorError> {
    let directory = state.join(WatchRecord::directory());
    let names = match listed(&directory) {
        Ok(names) => names,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => {
            let directory = directory.display();
            let what = format!("cannot list {directory}: {error}");
            return Err(SensorError::transient(what));
        }
    };
    let newest = names.len().saturating_sub(MOST_RECORDS);
    let newest = names.get(newest..).unwrap_or_default();
    Ok(newest.iter().filter_map(|(_, path)| read(path)).collect())
}

/// The files of records in `directory` that may go at `wall`: those of commands that ended long
/// ago, and the oldest of too many.
pub fn surplus(directory: &Path, wall: SystemTime) -> Vec<PathBuf> {
    let names = listed(directory).unwrap_or_default();
    let too_many = names.len().saturating_sub(KEPT);
    let is_old = |began: u64, path: &Path| {
        let since = wall.duration_since(SystemTime::UNIX_EPOCH);
        let age = millis(since.unwrap_or_default()).saturating_sub(began);
        age >= millis(KEPT_FOR) && read(path).is_none_or(|record| record.ended.is_some())
    };
    let names = names.into_iter().enumerate();
    let may_go = names.filter(|(at, (began, path))| *at < too_many || is_old(*began, path));
    may_go.map(|(_, (_, path))| path).collect()
}

/// The files of records in `directory`, each with when it began, the oldest first.
fn listed(directory: &Path) -> io::Result<Vec<(u64, PathBuf)>> {
    let entries = fs::read_dir(directory)?;
    let mut names: Vec<(u64, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name();
            let (_, began) = name.to_str()?.strip_suffix(".json")?.split_once('-')?;
            Some((began.parse().ok()?, entry.path()))
        })
        .collect();
    names.sort();
    Ok(names)
}

fn read(path: &Path) -> Option<WatchRecord> {
    let found = fs::symlink_metadata(path).ok()?;
    if !found.is_file() || found.len() > MAX_RECORD {
        return None;
    }
    let record = WatchRecord::parse(&fs::read(path).ok()?)?;
    let is_called = path.file_name().and_then(|name| name.to_str());
    (is_called == Some(record.file_name().as_str())).then_some(record)
}

fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt;

    use super::*;

    #[test]
    fn a_directory_that_is_no_text_comes_back() {
        let odd: PathBuf = std::ffi::OsString::from_vec(b"/srv/caf\xe9".to_vec()).into();
        let record = WatchRecord::new(1, odd, "make", &[]);
        assert_eq!(
            WatchRecord::parse(record.to_json().as_bytes()),
            Some(record)
        );
    }

    #[test]
    fn records_of_long_ago_and_too_many_go() {
        let state = tempfile::tempdir().unwrap();
        let now = SystemTime::UNIX_EPOCH + Duration::from_hours(100);
        let write = |pid: u32, hours: u64, ended: bool| {
            let began = now - Duration::from_hours(hours);
            let mut record = WatchRecord::new(pid, "/srv", "make", &[]).begun(began);
            record.ended = ended.then(|| WatchEnd::new(Exit::Code(0), Duration::ZERO));
            let path = state.path().join(record.file_name());
            fs::write(&path, record.to_json()).unwrap();
            path
        };
        let old = write(1, 24, true);
        write(2, 23, true);
        // It may yet end.
        write(3, 50, false);
        assert_eq!(surplus(state.path(), now), [old]);
        for pid in 10..10 + 200 {
            write(pid, 1, true);
        }
        assert_eq!(surplus(state.path(), now).len(), 3);
        assert!(surplus(&state.path().join("none"), now).is_empty());
    }

    #[test]
    fn what_is_no_record_is_left_out() {
        let state = tempfile::tempdir().unwrap();
        assert_eq!(all(state.path()).unwrap(), []);
        let directory = state.path().join("watched");
        fs::create_dir(&directory).unwrap();
        let mut records = Vec::new();
        for (pid, began) in [(9, 2), (4, 1), (7, 30)] {
            let began = SystemTime::UNIX_EPOCH + Duration::from_millis(began);
            let record = WatchRecord::new(pid, "/srv", "make", &[]).begun(began);
            fs::write(directory.join(record.file_name()), record.to_json()).unwrap();
            records.push(record);
        }
        records.sort_by_key(|record| record.began);
        for (name, text) in [
            ("8-4.json", "{"),
            ("8-5.json.new", "{}"),
            ("lock", ""),
            // One that says it is another.
            ("8-6.json", records[0].to_json().as_str()),
        ] {
            fs::write(directory.join(name), text).unwrap();
        }
        fs::write(directory.join("8-7.json"), "x".repeat(20 << 10)).unwrap();
        fs::create_dir(directory.join("8-8.json")).unwrap();
        assert_eq!(all(state.path()).unwrap(), records);
    }
}
