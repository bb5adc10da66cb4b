//! What others do: the person at a terminal of their own, colleagues, builds, and a script.

use std::fs;
use std::os::unix::fs::symlink;

use attend_core::mail::{Letter, MessageId, Seq};
use attend_core::sensor::{ContextUsage, Exit, HostProcess, Peer, PeerState, Root, WindowBasis};

use super::desk::{Office, WINDOW};

impl Office {
    /// Somebody else makes these files dirty.
    pub fn touch(&mut self, paths: impl IntoIterator<Item = String>) {
        self.shell.said().git.dirty.extend(paths);
        self.stir(&["git"]);
    }

    /// So many files become dirty below a directory, under names that nobody used yet.
    pub fn touch_many(&mut self, directory: &str, count: u64) {
        let number = self.dice.below(1_000_000);
        let names = (0..count).map(|file| format!("{directory}/{number:06}_{file:02}.rs"));
        self.touch(names.collect::<Vec<_>>());
    }

    /// Somebody else commits, or reverts, what is dirty.
    pub fn others_commit(&mut self, subject: &str) {
        self.add_commit(subject, true);
    }

    /// Somebody else reverts all that is dirty.
    pub fn clean(&mut self) {
        self.shell.said().git.dirty.clear();
        self.stir(&["git"]);
    }

    /// Somebody else checks out a branch.
    pub fn switch(&mut self, branch: &str) {
        let mut said = self.shell.said();
        said.git.branch = Some(branch.to_owned());
        let head = said.git.head;
        drop(said);
        self.log_head(head, head);
        self.stir(&["git"]);
    }

    /// Somebody fetches: the upstream has so many commits more.
    pub fn fetch(&mut self, commits: u64) {
        let mut said = self.shell.said();
        for _ in 0..commits {
            let upstream = said.git.upstream;
            said.git.upstream = said.git.commit(upstream, "from upstream");
        }
        drop(said);
        self.stir(&["git"]);
    }

    /// Somebody else begins a merge that stops with conflicts.
    pub fn conflict(&mut self, files: &[&str]) {
        self.harness.write(".git/MERGE_HEAD", "x\n");
        let files = files.iter().map(|file| (*file).to_owned());
        self.shell.said().git.unmerged.extend(files);
        self.stir(&["git"]);
    }

    /// And ends it.
    pub fn resolve(&mut self) {
        self.harness.remove(".git/MERGE_HEAD");
        self.shell.said().git.unmerged.clear();
        self.add_commit("merge", true);
    }

    /// A file of the project changes that the `files` sensor was told to look at.
    ///
    /// # Panics
    ///
    /// Where the file cannot be written.
    pub fn write(&mut self, path: &str) {
        let path = self.harness.write(path, self.now.to_string());
        let times = fs::FileTimes::new().set_modified(self.harness.wall());
        let file = fs::File::options().append(true).open(path);
        file.and_then(|file| file.set_times(times))
            .expect("a file of the office");
        self.stir(&["files"]);
        for seconds in [2, 4] {
            self.later(seconds, |office| office.stir(&["files"]));
        }
    }

    /// A build of this project begins beside the agent, and ends after `seconds`.
    ///
    /// # Panics
    ///
    /// Where the file system refuses.
    pub fn build(&mut self, words: &'static [&'static str], seconds: u64, code: i32) {
        self.pids += 1;
        let pid = self.pids;
        self.put_process(pid, 1, words);
        self.stir(&["process"]);
        for later in [1, 2] {
            self.later(later, |office| office.stir(&["process"]));
        }
        self.later(seconds.max(4), move |office| {
            let path = office.harness.path(Root::Proc, pid.to_string());
            fs::remove_dir_all(path).expect("a process of the office");
            office.harness.watcher().ended(pid, Some(Exit::Code(code)));
            office.stir(&["process"]);
        });
    }

    pub(super) fn put_process(&self, pid: u32, parent: u32, words: &[&str]) {
        let kept = words.first().copied().unwrap_or_default();
        let start = self.up() * 100;
        let line = format!(
            "{pid} ({kept}) S {parent} {pid} 1 0 -1 4 1 2 3 4 5 6 7 8 20 0 1 0 {start} 1 2 3\n"
        );
        let text: String = words.iter().flat_map(|word| [*word, "\0"]).collect();
        let roots = self.harness.roots();
        roots.file_in(Root::Proc, format!("{pid}/stat"), line);
        roots.file_in(Root::Proc, format!("{pid}/cmdline"), text);
        let cwd = roots.path(Root::Proc, format!("{pid}/cwd"));
        symlink(self.harness.work(), cwd).expect("a process of the office");
    }

    /// The script says `text` at its next look, or at every look from now on.
    pub fn script(&mut self, text: &str, repeats: bool) {
        let mut said = self.shell.said();
        text.clone_into(&mut said.script);
        said.repeats = repeats;
    }

    /// A session called `name` begins, on this project or on another.
    pub fn arrives(&mut self, name: &'static str, here: bool) {
        self.pids += 1;
        let mut process = HostProcess::new(self.pids);
        process.started = Some(self.now.to_string());
        let mut peer = Peer::new(format!("{name}-{}", self.pids), process);
        peer.name = Some(name.to_owned());
        let work = self.harness.work();
        let other = self.harness.path(Root::Home, "billing");
        peer.cwd = Some(if here { work.to_owned() } else { other });
        peer.state = PeerState::Idle;
        self.peers.insert(name, peer);
        self.stir(&["peers", "overlap"]);
    }

    /// It is over.
    pub fn leaves(&mut self, name: &'static str) {
        self.peers.remove(name);
        self.theirs.remove(name);
        self.stir(&["peers", "overlap"]);
    }

    /// It is in another state.
    pub fn does(&mut self, name: &'static str, state: PeerState) {
        if let Some(peer) = self.peers.get_mut(name) {
            peer.state = state;
        }
        self.stir(&["peers"]);
    }

    /// Its context is so full, in percent.
    pub fn fills(&mut self, name: &'static str, percent: u64) {
        if let Some(peer) = self.peers.get_mut(name) {
            let mut usage = ContextUsage::new(WINDOW, WindowBasis::Model);
            usage.tokens = Some(WINDOW * percent / 100);
            peer.context = Some(usage);
        }
        self.stir(&["peers"]);
    }

    /// It edits a file.
    pub fn peer_edits(&mut self, name: &'static str, path: &str) {
        let edit = self.edit_of(path);
        let edits = self.theirs.entry(name).or_default();
        edits.retain(|known| known.path != edit.path);
        edits.push(edit);
        self.shell.said().git.dirty.insert(path.to_owned());
        self.stir(&["git", "overlap"]);
    }

    /// A colleague writes to this session.
    pub fn letter(&mut self, from: &'static str, body: &str) {
        let seq = self.letters.len() as u64 + 1;
        let id = MessageId::new(format!("M{seq:05}"));
        let letter = Letter::new(Seq::new(seq), id, from, "you", body);
        self.letters.push((self.tick(), letter));
    }
}
