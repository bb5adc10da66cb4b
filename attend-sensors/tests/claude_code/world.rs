//! Directories that stand in for the host's, and questions about them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attend_core::sensor::{
    ContextUsage, HostAnswer, HostRequest, HostState, OwnChanges, Root, SensorError, SessionInfo,
};
use attend_core::testkit::{FakeClock, TempRoots};
use attend_sensors::host::claude_code::{ClaudeCode, Given, Windows, folder_name};

/// The session of every fixture.
pub(crate) const ID: &str = "00000000-0000-4000-8000-000000000001";

/// The time of day, in milliseconds, when the clock of a world starts.
pub(crate) const START: u64 = 1_800_000_000_000;

/// attend's own process, its parent shell, and the host above it.
pub(crate) const SELF: u32 = 4_300;
pub(crate) const SHELL: u32 = 4_299;
pub(crate) const HOST: u32 = 4_242;
pub(crate) const HOST_START: &str = "543621664";

pub(crate) struct World {
    pub(crate) roots: TempRoots,
    pub(crate) clock: FakeClock,
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            roots: TempRoots::new(),
            clock: FakeClock::new(),
        }
    }

    /// A world in which attend runs below a host without a record.
    pub(crate) fn below_host() -> Self {
        let world = Self::new();
        world.process(SELF, "attend", SHELL, "9");
        world.process(SHELL, "sh", HOST, "8");
        world.process(HOST, "claude", 1, HOST_START);
        world.process(1, "init", 0, "1");
        world
    }

    pub(crate) fn process(&self, pid: u32, name: &str, parent: u32, start: &str) {
        let line = format!(
            "{pid} ({name}) S {parent} 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 {start} 1 2\n"
        );
        self.roots.file_in(Root::Proc, format!("{pid}/stat"), line);
    }

    pub(crate) fn record(&self, pid: u32, json: &str) {
        self.roots
            .file_in(Root::Host, format!("sessions/{pid}.json"), json);
    }

    pub(crate) fn folder(&self) -> String {
        folder_name(self.roots.roots().work())
    }

    /// Where the session's transcript lies.
    pub(crate) fn transcript(&self) -> PathBuf {
        let below = format!("projects/{}/{ID}.jsonl", self.folder());
        self.roots.path(Root::Host, below)
    }

    pub(crate) fn write(&self, bytes: impl AsRef<[u8]>) -> PathBuf {
        let below = format!("projects/{}/{ID}.jsonl", self.folder());
        self.roots.file_in(Root::Host, below, bytes)
    }

    pub(crate) fn append(&self, bytes: impl AsRef<[u8]>) {
        use std::io::Write as _;
        let mut file = fs::OpenOptions::new()
            .append(true)
            .open(self.transcript())
            .unwrap();
        file.write_all(bytes.as_ref()).unwrap();
    }

    pub(crate) fn host(&self, given: Given) -> ClaudeCode {
        let clock = Arc::new(self.clock.clone());
        ClaudeCode::new(self.roots.roots().clone(), given, Windows::default(), clock)
    }

    /// The host of the session of the fixtures, named by whoever started attend.
    pub(crate) fn named(&self) -> ClaudeCode {
        let mut given = Given::to(SELF);
        given.session = Some(ID.to_owned());
        self.host(given)
    }
}

pub(crate) fn try_context(host: &ClaudeCode) -> Result<ContextUsage, SensorError> {
    match host.answer(&HostRequest::Context)? {
        HostAnswer::Context(usage) => Ok(usage),
        other => panic!("{other:?}"),
    }
}

pub(crate) fn context(host: &ClaudeCode) -> ContextUsage {
    try_context(host).unwrap()
}

pub(crate) fn session(host: &ClaudeCode) -> SessionInfo {
    match host.answer(&HostRequest::Session) {
        Ok(HostAnswer::Session(info)) => info,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn state(host: &ClaudeCode) -> HostState {
    match host.answer(&HostRequest::State) {
        Ok(HostAnswer::State(state)) => state,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn own(host: &ClaudeCode) -> OwnChanges {
    match host.answer(&HostRequest::Own) {
        Ok(HostAnswer::Own(own)) => own,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/claude-code")
}

/// The transcript whose name begins with `number`.
pub(crate) fn fixture(number: &str) -> Vec<u8> {
    let path = transcripts().into_iter().find(|path| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.split('-').next() == Some(number)
    });
    fs::read(path.unwrap_or_else(|| panic!("no fixture {number}"))).unwrap()
}

pub(crate) fn transcripts() -> Vec<PathBuf> {
    let folders = ["transcripts", "constructed/transcripts"].map(|folder| fixtures().join(folder));
    let files = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

/// A row of an answer with `tokens` in the context.
pub(crate) fn answer(id: u32, tokens: u64) -> String {
    let message = format!(
        r#"{{"model":"claude-opus-4-6","id":"msg_{id}","content":[],"usage":{{"input_tokens":{tokens},"output_tokens":1}}}}"#
    );
    format!(
        r#"{{"type":"assistant","timestamp":"2027-01-15T07:00:00Z","message":{message},"requestId":"req_{id}"}}"#
    ) + "\n"
}

/// A row of a prompt.
pub(crate) fn prompt(at: &str) -> String {
    format!(r#"{{"type":"user","timestamp":"{at}","message":{{"role":"user","content":"go on"}}}}"#)
        + "\n"
}
