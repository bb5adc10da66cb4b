//! Sessions whose readers are started and ended apart from their hosts, and messages as readers print them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use attend_core::sensor::HostState;
use attend_sensors::host::claude_code::folder_name;
use serde_json::json;

use crate::desk::{Desk, Done, id, program};
use crate::home::scrub;
use crate::live::Live;
use crate::monitor_pipe::MonitorPipe;
use crate::world::World;

/// What a line of a message begins with.
pub(crate) const HEAD: &str = "[attend sensor=messages priority=high] ";

/// A message as a line shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shown {
    pub(crate) id: String,
    /// It says that it may have been shown before.
    pub(crate) again: bool,
    /// Who wrote to whom.
    pub(crate) letterhead: String,
    pub(crate) body: String,
}

impl Shown {
    /// None where the line shows no message.
    pub(crate) fn of(line: &str) -> Option<Self> {
        let (id, rest) = line.strip_prefix(HEAD)?.split_once(' ')?;
        let is_id = id.len() >= 6
            && id
                .chars()
                .all(|c| c.is_ascii_digit() || c.is_ascii_uppercase());
        let (again, rest) = match rest.strip_prefix("(again) ") {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let (letterhead, body) = rest.split_once(": ").filter(|_| is_id)?;
        Some(Self {
            id: id.to_owned(),
            again,
            letterhead: letterhead.to_owned(),
            body: body.to_owned(),
        })
    }

    /// All messages that these lines show.
    pub(crate) fn all<S: AsRef<str>>(lines: impl IntoIterator<Item = S>) -> Vec<Self> {
        let shown = |line: S| Self::of(line.as_ref());
        lines.into_iter().filter_map(shown).collect()
    }
}

/// A session of a host that lives on, to which somebody spoke.
pub(crate) struct Session<'w> {
    world: &'w World,
    dir: PathBuf,
    id: String,
    pub(crate) desk: Desk,
    pub(crate) seat: String,
}

impl<'w> Session<'w> {
    /// Session `n` in the project. It has a seat already, and no reader.
    pub(crate) fn new(world: &'w World, n: usize) -> Self {
        Self::in_dir(world, &world.repo(), n)
    }

    /// The same in the project at `dir`.
    pub(crate) fn in_dir(world: &'w World, dir: &Path, n: usize) -> Self {
        let session = format!("00000000-0000-4000-8000-{:012}", n + 1);
        let folder = world.beside("claude/projects").join(folder_name(dir));
        fs::create_dir_all(&folder).expect("a directory");
        let row = json!({
            "type": "user", "sessionId": session, "cwd": dir, "uuid": "row-1",
            "timestamp": "2026-01-01T00:00:00.000Z",
            "message": {"role": "user", "content": "begin"},
        });
        let transcript = folder.join(format!("{session}.jsonl"));
        fs::write(transcript, format!("{row}\n")).expect("a transcript");
        let mut desk = Desk::in_dir(world, dir.to_owned(), &session);
        let seat = desk.seat();
        Self {
            world,
            dir: dir.to_owned(),
            id: session,
            desk,
            seat,
        }
    }

    /// `attend` with these arguments, as this session's.
    pub(crate) fn attend(&self, args: &[&str]) -> Command {
        let mut command = self.command(env!("CARGO_BIN_EXE_attend"));
        command.args(args);
        command
    }

    /// Any program as this session's.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        scrub(&mut command, self.world.home.path());
        command
            .current_dir(&self.dir)
            .env("A", env!("CARGO_BIN_EXE_attend"))
            .env("CLAUDE_PID", self.desk.pid().to_string())
            .env("CLAUDE_CODE_SESSION_ID", &self.id);
        command
    }

    /// Its reader under Monitor, past the banner.
    pub(crate) fn reader(&self) -> Live {
        let mut live = Live::monitored(&mut self.attend(&["run"]));
        let banner = live.line();
        let told = format!(" as {} watches ", self.seat);
        assert!(banner.contains(&told), "{banner}");
        live
    }

    /// Where its transcript lies.
    pub(crate) fn transcript(&self) -> PathBuf {
        let folder = self.world.beside("claude/projects");
        folder
            .join(folder_name(&self.dir))
            .join(format!("{}.jsonl", self.id))
    }

    /// From now on what `monitor` delivers stands in its transcript, as its host is at work.
    pub(crate) fn transcribe(&self, monitor: &MonitorPipe) {
        let cwd = self.dir.display().to_string();
        monitor.transcribe(self.transcript(), &self.id, &cwd, HostState::Busy);
    }

    /// What a hook of it prints on `event`, in which it calls itself.
    pub(crate) fn hook(&mut self, event: &str) -> Done {
        let input = self.world.beside(&format!("hook-{}", self.id));
        let event = json!({
            "session_id": self.id, "transcript_path": self.transcript(), "cwd": self.dir,
            "hook_event_name": event,
        });
        fs::write(&input, event.to_string()).expect("a file");
        self.desk
            .run(&format!("attend hook <'{}'", input.display()))
    }

    /// A program sends it these words; gives the id.
    pub(crate) fn told(&self, words: &str) -> String {
        id(&program(self.world, &["send", "--json", "--to", &self.seat, words]).json())
    }
}

/// The next message that a reader shows.
#[track_caller]
pub(crate) fn next(live: &mut Live) -> Shown {
    loop {
        if let Some(shown) = Shown::of(&live.line()) {
            return shown;
        }
    }
}

/// Lets messages follow each other as closely as the host allows, not three seconds apart.
pub(crate) fn without_cooldown(world: &World) {
    world.configure_user("messages: {cooldown: 0s}\n");
}
