//! Two sessions that edit, and the sensor beside one of them.

use std::fs::{File, FileTimes};
use std::path::{Path, PathBuf};
use std::time::Duration;

use attend_core::sensor::{
    Evidence, HostAnswer, HostProcess, HostRequest, Identity, OwnChanges, OwnEdit, OwnSpan, Peer,
    PeerEdits, Sensor, SessionInfo,
};
use attend_core::testkit::{Harness, Polled};
use attend_sensors::overlap::OverlapConfig;

pub(crate) struct World {
    pub(crate) harness: Harness,
    pub(crate) sensor: Box<dyn Sensor>,
    /// What this session edited.
    pub(crate) own: OwnChanges,
    /// What the others did.
    pub(crate) theirs: Vec<PeerEdits>,
    /// The work trees that the host is asked about.
    pub(crate) near: Vec<PathBuf>,
    config: OverlapConfig,
}

impl World {
    /// Two sessions in one directory, which edited nothing yet.
    pub(crate) fn new() -> Self {
        let (harness, config) = (Harness::new(), OverlapConfig::default());
        info(&harness);
        Self {
            sensor: harness.build(config.clone()).unwrap(),
            own: OwnChanges::default(),
            theirs: vec![PeerEdits::new(peer(1, harness.work()), [])],
            near: vec![harness.work().to_owned()],
            harness,
            config,
        }
    }

    /// The same in a repository, in which nothing was ever committed.
    pub(crate) fn repository() -> Self {
        let world = Self::new();
        world.harness.write(".git/HEAD", "");
        world
    }

    /// An edit of now.
    fn edit_of(&self, path: &str) -> OwnEdit {
        let now = self.harness.now();
        let path = self.harness.work().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        OwnEdit::new(path, OwnSpan::new(now, Some(now)))
    }

    /// A second later this session edits.
    pub(crate) fn edit(&mut self, path: &str) {
        self.harness.advance(Duration::from_secs(1));
        let edit = self.edit_of(path);
        self.own.edits.retain(|known| known.path != edit.path);
        self.own.edits.push(edit);
    }

    /// A second later the other does.
    pub(crate) fn theirs_edit(&mut self, path: &str) {
        self.harness.advance(Duration::from_secs(1));
        let edit = self.edit_of(path);
        let edits = &mut self.theirs[0].edits;
        edits.retain(|known| known.path != edit.path);
        edits.push(edit);
    }

    /// A few seconds later HEAD moves in the work tree whose private directory is `git`.
    pub(crate) fn commit(&mut self, git: &str) {
        self.harness.advance(Duration::from_secs(5));
        let log = self.harness.write(format!("{git}/logs/HEAD"), "a line\n");
        let times = FileTimes::new().set_modified(self.harness.wall());
        let log = File::options().append(true).open(log).unwrap();
        log.set_times(times).unwrap();
        self.harness.advance(Duration::from_secs(5));
    }

    /// A look now.
    pub(crate) fn look(&mut self) -> Polled {
        says(&self.harness, &self.near, &self.own, &self.theirs);
        self.harness.poll(self.sensor.as_mut())
    }

    /// What a look says: `-` before keys that are taken back, and texts.
    pub(crate) fn said(&mut self) -> Vec<String> {
        let polled = self.look();
        assert!(polled.result().is_ok(), "{polled:?}");
        let cleared = polled.cleared().into_iter().map(|key| format!("-{key}"));
        let texts = polled.texts().into_iter().map(str::to_owned);
        cleared.chain(texts).collect()
    }

    /// What the first of the others is called.
    pub(crate) fn name(&self) -> String {
        let work = self.harness.work().file_name().unwrap();
        format!("session {} 00000001", work.to_string_lossy())
    }

    /// What is said of `files`.
    pub(crate) fn both(&self, files: &str) -> String {
        format!("{} and this session both edited {files}", self.name())
    }

    /// Puts a fresh sensor in the place of this one, which remembers what it stored.
    pub(crate) fn restart(&mut self) {
        let snapshot = self.sensor.snapshot().unwrap();
        self.sensor = self.harness.build(self.config.clone()).unwrap();
        self.sensor.restore(&snapshot).unwrap();
    }
}

/// What the host says from now on.
pub(crate) fn says(harness: &Harness, near: &[PathBuf], own: &OwnChanges, theirs: &[PeerEdits]) {
    let theirs = theirs.iter().filter(|theirs| !theirs.edits.is_empty());
    let theirs = HostAnswer::PeerEdits(theirs.cloned().collect());
    let host = harness.host();
    host.answer(HostRequest::PeerEdits(near.to_vec()), Ok(theirs));
    host.answer(HostRequest::Own, Ok(HostAnswer::Own(own.clone())));
}

/// Says which session it is.
pub(crate) fn info(harness: &Harness) {
    let info = SessionInfo::new(Identity::Known {
        id: "own".to_owned(),
        by: Evidence::Record,
    });
    let answer = Ok(HostAnswer::Session(info));
    harness.host().answer(HostRequest::Session, answer);
}

/// The session of a number, which works in `cwd`.
pub(crate) fn peer(number: u32, cwd: &Path) -> Peer {
    let process = HostProcess::new(number);
    let mut peer = Peer::new(format!("{number:08}-0000-4000-8000-000000000000"), process);
    peer.cwd = Some(cwd.to_owned());
    peer
}

/// The key of the session of a number, as taken back.
pub(crate) fn over(number: u32) -> String {
    format!("-overlap:{number:08}-0000-4000-8000-000000000000")
}
