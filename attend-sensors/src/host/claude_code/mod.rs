//! Claude Code: what its files tell of a session, and nothing of what was said in it.
//!
//! [`ClaudeCode`] answers a sensor's questions about the session that attend runs beside. It
//! reads below `Root::Host` (the host's configuration root) and `Root::Proc`, and below
//! `Root::State` what attend's own hook and status-line commands leave there ([`HookRecord`],
//! [`StatusLine`]). It reads no environment: see [`Given`] and [`Windows`].
//!
//! The files' formats are internal to the host and change between versions. What is not known
//! is left out and counted ([`ClaudeCode::counts`]); it fails nothing. Of a transcript only
//! counts, times, states and the names of edited files are kept.
//!
//! | asked | told |
//! |---|---|
//! | `Session` | which session this is, and by what evidence; never a guess |
//! | `State` | busy, idle since when, or before its first prompt |
//! | `Context` | tokens, window, epoch, growth |
//! | `Own` | edited files, shell calls |
//! | `Shown` | which of attend's own messages stand where the model reads them |
//! | `Taught` | where attend's own lines stand there, in tokens |
//! | `Turns` | who spoke, and when |
//! | `Peers` | the other live sessions: where, what they do, how full their context is |
//! | `PeerEdits` | the files that those edited that work near a directory |

mod ancestry;
mod answers;
mod backwards;
mod cached;
mod command;
mod delivered;
mod evidence;
mod finding;
mod folder;
mod following;
mod gone;
mod hook;
mod identity;
mod lenient;
mod lineage;
mod own;
mod peers;
mod process;
mod raw;
mod record;
mod row;
mod said;
mod seen;
mod stamp;
mod statusline;
mod subagents;
mod tail;
mod taught;
mod times;
mod transcript;
mod usage;
mod windows;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use attend_core::sensor::{
    Clock, Host, HostAnswer, HostRequest, HostState, Identity, Root, Roots, SensorError,
    SessionInfo, Shown, Taught,
};

use cached::Cached;
use finding::{Finding, Session};
use following::Following;
use peers::Peers;
use taught::taught_in;
use times::{Steady, Times};
use transcript::Depth;

pub use evidence::seen_in;
pub use folder::{folder_name, folders, is_session_id, transcript};
pub use gone::{kept_sessions, sightings};
pub use hook::HookRecord;
pub use identity::Given;
pub use lineage::{Lineage, lineage};
pub use process::{Liveness, holds_session, liveness};
pub use record::{SessionRecord, SessionStatus};
pub use said::recent_words;
pub use statusline::StatusLine;
pub use tail::Counts;
pub use windows::Windows;

/// The host beside which attend runs.
///
/// Each question is one incremental look: what did not change since the last one costs a few
/// calls of `stat`.
pub struct ClaudeCode {
    times: Times,
    windows: Windows,
    known: Mutex<Known>,
}

struct Known {
    clock: Arc<dyn Clock>,
    finding: Finding,
    following: Option<Following>,
    depth: Depth,
    line: Cached<StatusLine>,
    peers: Peers,
    /// Since when it is idle, and when its turns were.
    idle: Steady,
    turns: Steady,
}

impl ClaudeCode {
    /// A host below `roots`, found by what was `given`. The clock's axis begins now, as that of
    /// a driver that is made at the same time.
    pub fn new(roots: Roots, given: Given, windows: Windows, clock: Arc<dyn Clock>) -> Self {
        Self {
            times: Times::begin(clock.clone()),
            windows,
            known: Mutex::new(Known {
                clock,
                finding: Finding::new(roots, given),
                following: None,
                depth: Depth::Turns,
                line: Cached::new(),
                peers: Peers::default(),
                idle: Steady::default(),
                turns: Steady::default(),
            }),
        }
    }

    /// The same for a process that asks once and needs no more than the size of the context: the
    /// transcript is read back to the last count only.
    ///
    /// Growth, samples, turn and epoch are then told as far as they stand there.
    #[must_use]
    pub fn at_a_glance(mut self) -> Self {
        let known = self.known.get_mut().unwrap_or_else(PoisonError::into_inner);
        known.depth = Depth::Count;
        self
    }

    /// Rows of the session's transcript by what became of them.
    pub fn counts(&self) -> Counts {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let transcript = known.following.as_ref().and_then(Following::transcript);
        transcript
            .map(transcript::Transcript::counts)
            .unwrap_or_default()
    }

    /// Which session this is, without a look at its transcript: no paths are named to watch.
    pub fn session(&self) -> SessionInfo {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.look().info(Vec::new())
    }

    /// Answers a question, as [`Host::ask`] does, which needs no waiting here.
    ///
    /// # Errors
    ///
    /// Transient: the session's transcript was there and cannot be read now.
    pub fn answer(&self, request: &HostRequest) -> Result<HostAnswer, SensorError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let session = known.look();
        match request {
            HostRequest::Session => {
                // A transcript that cannot be read names its session all the same.
                let _ = known.follow(&session);
                Ok(HostAnswer::Session(known.info(&session)))
            }
            HostRequest::State => Ok(HostAnswer::State(self.state(&mut known, &session))),
            HostRequest::Context if session.id().is_some() => {
                known.follow(&session)?;
                Ok(HostAnswer::Context(self.context(&mut known)))
            }
            HostRequest::Own if session.id().is_some() => {
                known.follow(&session)?;
                Ok(HostAnswer::Own(self.own(&mut known)))
            }
            HostRequest::Shown(shown) if session.id().is_some() => known.shown(&session, shown),
            HostRequest::Taught(taught) if session.id().is_some() => known.taught(&session, taught),
            HostRequest::Turns if session.id().is_some() => {
                known.follow(&session)?;
                Ok(self.turns(&mut known))
            }
            HostRequest::PeerEdits(near) => {
                let edits = self.peer_edits(&mut known, &session, near)?;
                Ok(edits.map_or(HostAnswer::Unknown, HostAnswer::PeerEdits))
            }
            HostRequest::Peers => {
                let peers = self.peers(&mut known, &session)?;
                Ok(peers.map_or(HostAnswer::Unknown, HostAnswer::Peers))
            }
            _ => Ok(HostAnswer::Unknown),
        }
    }

    fn state(&self, known: &mut Known, session: &Session) -> HostState {
        match &session.identity {
            Identity::Known { .. } => {}
            Identity::Waiting => return HostState::Unprompted,
            _ => return HostState::Unknown,
        }
        let is_gone = session
            .process
            .as_ref()
            .is_some_and(|process| process.alive == Some(false));
        let Some(record) = session.record.as_ref().filter(|_| !is_gone) else {
            return HostState::Unknown;
        };
        match record.status {
            None => HostState::Unknown,
            Some(SessionStatus::Busy | SessionStatus::Shell | SessionStatus::Waiting) => {
                HostState::Busy
            }
            Some(SessionStatus::Idle) => {
                let looked = known.follow(session);
                if looked.is_ok() && !known.is_prompted(record) {
                    return HostState::Unprompted;
                }
                let now = self.times.now();
                let since = record.status_since.or(record.started);
                let ticks = since.map(|since| known.idle.ticks(now, &[since]));
                let since = ticks.and_then(|ticks| ticks.first().copied());
                HostState::Idle {
                    since: since.unwrap_or_else(|| now.tick(now.wall())),
                }
            }
        }
    }
}

impl Known {
    /// Looks who it is now.
    fn look(&mut self) -> Session {
        self.finding.look(&*self.clock)
    }

    /// Looks for what is new in the transcript of `session`.
    fn follow(&mut self, session: &Session) -> Result<(), SensorError> {
        let Some(id) = session.id() else {
            self.following = None;
            return Ok(());
        };
        let Some(projects) = self.finding.projects() else {
            return Ok(());
        };
        let likely = self.likely(session);
        if self
            .following
            .as_ref()
            .is_some_and(|following| following.id() != id)
        {
            self.following = None;
        }
        let following = self
            .following
            .get_or_insert_with(|| Following::new(id.to_owned(), self.depth));
        let status = session.record.as_ref().and_then(|record| record.status);
        let at_work = status != Some(SessionStatus::Idle);
        let looked = following.look(&projects, Some(&likely), at_work, &*self.clock);
        looked.map_err(|error| unreadable(&error))
    }

    /// Which messages the transcript of `session` puts before the model.
    fn shown(&mut self, session: &Session, shown: &Shown) -> Result<HostAnswer, SensorError> {
        self.evidence(session, |path| seen_in(path, shown).map(HostAnswer::Shown))
    }

    /// Where the transcript of `session` puts lines before the model.
    fn taught(&mut self, session: &Session, taught: &Taught) -> Result<HostAnswer, SensorError> {
        self.evidence(session, |path| {
            taught_in(path, taught).map(HostAnswer::Taught)
        })
    }

    /// What `find` finds in the transcript of `session`.
    fn evidence(
        &mut self,
        session: &Session,
        find: impl FnOnce(&Path) -> io::Result<HostAnswer>,
    ) -> Result<HostAnswer, SensorError> {
        // A transcript that was there and is not now is missed when it is opened.
        let _ = self.follow(session);
        let transcript = self.following.as_ref().and_then(Following::transcript);
        // One that never could be read is as none.
        let Some(transcript) = transcript.filter(|transcript| transcript.counts().restarts > 0)
        else {
            return Ok(HostAnswer::Unknown);
        };
        find(transcript.path()).map_err(|error| unreadable(&error))
    }

    /// The folder in which the transcript of `session` most likely lies.
    fn likely(&self, session: &Session) -> String {
        self.finding.given().folder.clone().unwrap_or_else(|| {
            let record = session.record.as_ref();
            let cwd = record.and_then(|record| record.cwd.as_deref());
            folder_name(cwd.unwrap_or(self.finding.roots().work()))
        })
    }

    /// Whether a turn began since the process of `record` did. A session that was resumed and
    /// not spoken to is as one that is new.
    fn is_prompted(&self, record: &SessionRecord) -> bool {
        let transcript = self.following.as_ref().and_then(Following::transcript);
        transcript.is_some_and(|transcript| {
            let meter = transcript.meter();
            match meter.active {
                _ if meter.timeless => true,
                Some(active) => record.started.is_none_or(|started| active >= started),
                None => !meter.complete,
            }
        })
    }

    /// What the host told of its window, by the status line of the session that is followed.
    fn said(&mut self) -> Option<&StatusLine> {
        let id = self.following.as_ref()?.id();
        let path = StatusLine::path(self.finding.roots().get(Root::State)?, id)?;
        let line = self.line.at(&path, &*self.clock, StatusLine::parse)?;
        line.session
            .as_deref()
            .is_none_or(|session| session == id)
            .then_some(line)
    }

    /// What is told of `session`.
    fn info(&self, session: &Session) -> SessionInfo {
        let mut info = session.info(self.watched(session));
        let records = self.finding.roots().get(Root::Host);
        let records = records.map(|host| host.join("sessions"));
        info.watch_peers
            .extend(records.filter(|path| path.exists()));
        info
    }

    /// Paths whose change may change an answer.
    fn watched(&self, session: &Session) -> Vec<PathBuf> {
        let roots = self.finding.roots();
        let host = roots.get(Root::Host);
        let state = roots.get(Root::State);
        let pid = session.process.as_ref().map(|process| process.pid);
        let transcript = self.following.as_ref().and_then(Following::transcript);
        let transcript = transcript.map(|transcript| transcript.path().to_owned());
        // Where something will appear, as much of the way there as there is.
        let way = |path: PathBuf, up| {
            let way = path.ancestors().take(up).find(|path| path.exists());
            way.map(Path::to_owned)
        };
        let appears = || {
            let folder = self.finding.projects()?.join(self.likely(session));
            way(folder, 3)
        };
        let paths = [
            transcript.or_else(appears),
            host.zip(pid)
                .map(|(host, pid)| SessionRecord::path(host, pid)),
            host.filter(|_| session.record.is_none())
                .map(|host| host.join("sessions")),
            state
                .zip(pid)
                .and_then(|(state, pid)| way(HookRecord::path(state, pid), 3)),
            state
                .zip(session.id())
                .and_then(|(state, id)| StatusLine::path(state, id)),
        ];
        paths
            .into_iter()
            .flatten()
            .filter(|path| path.exists())
            .collect()
    }
}

fn unreadable(error: &io::Error) -> SensorError {
    SensorError::transient(format!("cannot read the session's transcript: {error}"))
}

#[async_trait]
impl Host for ClaudeCode {
    async fn ask(&self, request: &HostRequest) -> Result<HostAnswer, SensorError> {
        self.answer(request)
    }
}

impl fmt::Debug for ClaudeCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClaudeCode")
            .field("windows", &self.windows)
            .finish_non_exhaustive()
    }
}
