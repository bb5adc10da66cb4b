//! The host's records of its processes: `sessions/<pid>.json`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Deserialize;

use super::folder::is_session_id;
use super::lenient::{Object, Plain};
use super::stamp::Millis;
use crate::beginning::beginning;

/// The longest record that is read, in bytes.
const MAX_RECORD: u64 = 64 << 10;

/// How many records are read at once.
const MAX_RECORDS: usize = 1_024;

/// What the host wrote of one of its processes. It is left behind by a crash: see
/// [`liveness`](super::liveness).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SessionRecord {
    /// The process.
    pub pid: u32,
    /// When it started: field 22 of its `stat`. Older versions did not say.
    pub proc_start: Option<String>,
    /// Its session. Many versions keep the former one here after `/clear`.
    pub session: Option<String>,
    /// Where it works.
    pub cwd: Option<PathBuf>,
    /// When the process began, in milliseconds since 1970.
    pub started: Option<Millis>,
    /// What it does; a program that drives the host is told nothing of it.
    pub status: Option<SessionStatus>,
    /// Since when, in milliseconds since 1970.
    pub status_since: Option<Millis>,
    /// What a person calls it.
    pub name: Option<String>,
    /// Whether a person sits at it.
    pub interactive: bool,
    /// Whether a program drives it, by the host's SDK.
    pub driven: bool,
    /// The version of the host, such as `2.1.331`.
    pub version: Option<String>,
    /// The namespace of `pid`, such as `pid:[4026531836]`.
    pub namespace: Option<String>,
}

/// What a process of the host does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SessionStatus {
    /// It waits for a prompt.
    Idle,
    /// It works on a turn.
    Busy,
    /// Its person runs a shell command.
    Shell,
    /// It waits for an answer, such as a permission.
    Waiting,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Raw<'a> {
    #[serde(borrow)]
    pid: Plain<'a>,
    proc_start: Plain<'a>,
    session_id: Plain<'a>,
    cwd: Plain<'a>,
    started_at: Plain<'a>,
    updated_at: Plain<'a>,
    status: Plain<'a>,
    status_updated_at: Plain<'a>,
    name: Plain<'a>,
    kind: Plain<'a>,
    entrypoint: Plain<'a>,
    version: Plain<'a>,
    pid_domain: Plain<'a>,
}

impl SessionRecord {
    /// Reads a record; none where it is no JSON object, or names no process.
    pub fn parse(json: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(json).ok()?;
        let raw = serde_json::from_str::<Object<Raw<'_>>>(text).ok()?.value;
        let kept = |plain: &Plain<'_>| plain.text().map(str::to_owned);
        let entrypoint = raw.entrypoint.text().unwrap_or_default();
        let driven = entrypoint.starts_with("sdk-");
        let domain = raw.pid_domain.text().unwrap_or_default();
        let namespace = domain.find("pid:[").and_then(|at| domain.get(at..));
        Some(Self {
            pid: u32::try_from(raw.pid.number()?).ok()?,
            proc_start: match &raw.proc_start {
                Plain::Number(start) => Some(start.to_string()),
                other => kept(other),
            },
            session: kept(&raw.session_id).filter(|id| is_session_id(id)),
            cwd: kept(&raw.cwd).map(PathBuf::from),
            started: raw.started_at.number(),
            status: match raw.status.text() {
                Some("idle") => Some(SessionStatus::Idle),
                Some("busy") => Some(SessionStatus::Busy),
                Some("shell") => Some(SessionStatus::Shell),
                Some("waiting") => Some(SessionStatus::Waiting),
                _ => None,
            },
            status_since: raw.status_updated_at.number().or(raw.updated_at.number()),
            name: kept(&raw.name),
            interactive: raw.kind.text() == Some("interactive") && !driven,
            driven,
            version: kept(&raw.version),
            namespace: namespace.map(str::to_owned),
        })
    }

    /// How long the process has been busy without a pause at the time of day `now`: nothing while
    /// it is idle, its person runs a shell command, or it waits for an answer, since nothing that
    /// was printed reaches the model then.
    ///
    /// None where it is not known. Whether the process still lives is another question: see
    /// [`liveness`](super::liveness).
    pub fn active_for(&self, now: SystemTime) -> Option<Duration> {
        match self.status? {
            SessionStatus::Busy => {
                let now = now.duration_since(UNIX_EPOCH).unwrap_or_default();
                let since = Duration::from_millis(self.status_since?);
                Some(now.saturating_sub(since))
            }
            SessionStatus::Idle | SessionStatus::Shell | SessionStatus::Waiting => {
                Some(Duration::ZERO)
            }
        }
    }

    /// Where the record of `pid` lies below the host's configuration root.
    pub fn path(host: &Path, pid: u32) -> PathBuf {
        host.join("sessions").join(format!("{pid}.json"))
    }

    /// Reads the record of `pid`.
    pub fn read(host: &Path, pid: u32) -> Option<Self> {
        let json = read_small(&Self::path(host, pid), MAX_RECORD)?;
        Self::parse(&json).filter(|record| record.pid == pid)
    }

    /// Reads every record below the host's configuration root, in the order of their pids. What
    /// cannot be read is left out; nothing else in the directory is opened.
    ///
    /// # Errors
    ///
    /// The directory cannot be listed. One that is not there holds no record.
    pub fn all(host: &Path) -> std::io::Result<Vec<Self>> {
        let pids = match pids(host) {
            Ok(pids) => pids,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        Ok(pids
            .into_iter()
            .filter_map(|pid| Self::read(host, pid))
            .collect())
    }
}

/// The processes that have a record below the host's configuration root, in order. Nothing is
/// opened.
pub(super) fn pids(host: &Path) -> std::io::Result<Vec<u32>> {
    let entries = fs::read_dir(host.join("sessions"))?;
    let mut pids: Vec<u32> = entries
        .filter_map(|entry| {
            entry
                .ok()?
                .file_name()
                .to_str()?
                .strip_suffix(".json")?
                .parse()
                .ok()
        })
        .collect();
    pids.sort_unstable();
    pids.truncate(MAX_RECORDS);
    Ok(pids)
}

/// Reads a regular file that is no longer than `most` bytes.
pub(super) fn read_small(path: &Path, most: u64) -> Option<Vec<u8>> {
    let bytes = beginning(path, most + 1).ok()?;
    (bytes.len() as u64 <= most).then_some(bytes)
}
