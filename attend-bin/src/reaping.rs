//! Reaping: the state of ways goes with the sessions that are gone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use attend_core::mail::{Around as _, Clock as _};
use attend_core::runtime::system::SystemAround;
use attend_core::runtime::{StateDir, StatePlace};
use attend_core::ways::Index;
use attend_sensors::host::claude_code::{HookRecord, holds_session, is_session_id, kept_sessions};
use serde::{Deserialize, Serialize};

use crate::env::Env;
use crate::ledger::{self, WAYS};
use crate::shelf;

/// How many sessions go at once.
const MOST: usize = 50;

/// How many are looked at.
const MOST_LOOKED_AT: usize = 10_000;

/// When it was first seen gone, in the directory of a session.
const GONE: &str = "gone.json";

/// A file larger than this is none of those.
const MOST_BYTES: u64 = 4 << 10;

/// What is on its way out is called like its session, with this behind it.
const LEAVING: &str = ".gone";

/// What went, or would.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Reaped {
    /// The ways of so many sessions.
    pub(crate) sessions: u64,
    /// So many indexes of ways of which no file is left.
    pub(crate) indexes: u64,
    /// There is more to go.
    pub(crate) is_more: bool,
}

/// How to do it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reaping {
    /// How long a session has to be gone.
    pub(crate) apart: Duration,
    /// Nothing is changed and nothing noted.
    pub(crate) dry: bool,
}

#[derive(Serialize, Deserialize)]
struct Noted {
    boot: String,
    /// Since then, in seconds.
    up: u64,
}

/// Notes of which sessions the host keeps nothing any more, and removes what is remembered of the
/// ways of those that were gone before.
///
/// A session is gone when its host can be read, keeps neither a transcript of it nor a record of a
/// process that may still hold it, and no hook told of such a process. Where that was never
/// written down, or cannot be read, it is unknown and stays.
pub(crate) fn reap(reaping: Reaping, env: &Env) -> Reaped {
    if let Some(data) = env.data().filter(|_| !reaping.dry) {
        forget_looks(&data.join("run"));
    }
    let Some(state) = env.state() else {
        return Reaped::default();
    };
    let mut reaped = Reaped {
        indexes: indexes(&state, reaping.dry),
        ..Reaped::default()
    };
    let place = state.clone().join(WAYS);
    // What others may write to is not gone through.
    let Ok(Some(dir)) = StateDir::existing(place.clone()) else {
        return reaped;
    };
    let mut kept = Kept::new(&state);
    let around = SystemAround::new();
    for name in names(dir.path()) {
        if let Some(id) = name.strip_suffix(LEAVING).filter(|id| is_session_id(id)) {
            // It was interrupted.
            if !reaping.dry {
                let _ = fs::remove_dir_all(dir.path().join(format!("{id}{LEAVING}")));
            }
            continue;
        }
        if !is_session_id(&name) {
            continue;
        }
        let session = Session {
            place: place.clone().join(&name),
            name,
        };
        if session.is_due(&mut kept, reaping, &around) {
            if reaped.sessions >= MOST as u64 && !reaping.dry {
                reaped.is_more = true;
                break;
            }
            reaped.sessions += u64::from(reaping.dry || session.go(dir.path()));
        }
    }
    reaped
}

/// What is remembered of the ways of one session.
struct Session {
    name: String,
    place: StatePlace,
}

impl Session {
    /// Whether it was gone for long enough; that it is, or is not, is noted.
    fn is_due(&self, kept: &mut Kept, reaping: Reaping, around: &SystemAround) -> bool {
        let Ok(Some(dir)) = StateDir::existing(self.place.clone()) else {
            return false;
        };
        let Some(host) = ledger::host_of(&dir) else {
            return false;
        };
        let Some(is_kept) = kept.has(&host, &self.name) else {
            return false;
        };
        let noted = dir.kept(GONE, MOST_BYTES).ok().flatten();
        if is_kept {
            if noted.is_some() && !reaping.dry {
                let _ = fs::remove_file(dir.path().join(GONE));
            }
            return false;
        }
        let noted = noted.and_then(|bytes| serde_json::from_slice::<Noted>(&bytes).ok());
        let up = around.boot();
        let boot = around.boot_id();
        if let Some(noted) = noted {
            // Of a machine that has started anew since, at least so long.
            let since = if noted.boot == boot { noted.up } else { 0 };
            return up.saturating_sub(Duration::from_secs(since)) >= reaping.apart;
        }
        let note = Noted {
            boot,
            up: up.as_secs(),
        };
        if !reaping.dry {
            // What cannot be noted is seen for the first time once more.
            let _ = dir.keep(GONE, &serde_json::to_vec(&note).unwrap_or_default());
        }
        false
    }

    /// Removes it, unless somebody is at it; whether it is gone.
    fn go(&self, ways: &Path) -> bool {
        let Ok(Some(dir)) = StateDir::existing(self.place.clone()) else {
            return false;
        };
        let Ok(_held) = dir.lock() else {
            return false;
        };
        // From here on it is nobody's, whatever becomes of this process.
        let leaving = ways.join(format!("{}{LEAVING}", self.name));
        let _ = fs::remove_dir_all(&leaving);
        fs::rename(ways.join(&self.name), &leaving).is_ok() && fs::remove_dir_all(&leaving).is_ok()
    }
}

/// Which sessions hosts keep something of, read once for each host.
struct Kept {
    /// Those of which hooks told that a process holds them.
    told: Vec<HookRecord>,
    hosts: BTreeMap<PathBuf, Option<BTreeSet<String>>>,
}

impl Kept {
    fn new(state: &StatePlace) -> Self {
        let place = state.clone().join("hosts");
        let dir = StateDir::existing(place).ok().flatten();
        let told = dir.iter().flat_map(|dir| {
            let records = names(dir.path()).into_iter();
            records.filter_map(|name| HookRecord::parse(&dir.kept(&name, MOST_BYTES).ok()??))
        });
        Self {
            told: told.collect(),
            hosts: BTreeMap::new(),
        }
    }

    /// Whether the host below `host`, or a process that lives, has something of the session `id`;
    /// none where that is not known.
    fn has(&mut self, host: &Path, id: &str) -> Option<bool> {
        let proc = Path::new("/proc");
        let is_it =
            |told: &&HookRecord| told.session_id == id || told.previous.as_deref() == Some(id);
        let mut told = self.told.iter().filter(is_it);
        if told.any(|told| holds_session(proc, told)) {
            return Some(true);
        }
        let read = || kept_sessions(host, proc).ok();
        let kept = self.hosts.entry(host.to_owned()).or_insert_with(read);
        kept.as_ref().map(|kept| kept.contains(id))
    }
}

/// Removes indexes of ways of which no file is left: they only save time. Gives how many.
fn indexes(state: &StatePlace, dry: bool) -> u64 {
    let place = state.clone().join(shelf::INDEXES);
    let Ok(Some(dir)) = StateDir::existing(place) else {
        return 0;
    };
    let mut gone = 0;
    for name in names(dir.path()) {
        let bytes = dir.kept(&name, shelf::MOST).ok().flatten();
        let is_left = |path: &str| !matches!(Path::new(path).try_exists(), Ok(false));
        // One that cannot be understood is of no use to anybody.
        let index = bytes.and_then(|bytes| Index::of(&bytes));
        if index.is_some_and(|index| index.paths().any(is_left)) {
            continue;
        }
        let is_gone = dry || fs::remove_file(dir.path().join(&name)).is_ok();
        gone += u64::from(is_gone);
    }
    gone
}

/// Removes what was noted of looks by processes that ended. It only saves a look.
fn forget_looks(run: &Path) {
    for name in names(run) {
        let pid = name.strip_suffix(".still").map(str::parse::<u32>);
        if let Some(Ok(pid)) = pid
            && matches!(Path::new(&format!("/proc/{pid}")).try_exists(), Ok(false))
        {
            let _ = fs::remove_file(run.join(name));
        }
    }
}

/// What lies in a directory, within bounds, in order.
fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.take(MOST_LOOKED_AT).collect();
    names.sort_unstable();
    names
}
