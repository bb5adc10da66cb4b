//! A repository in a home of its own, and what attend says of it.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::home::{Home, scrub, stderr, stdout};
use crate::live::{Live, eventually};

/// A home with the repository `project`, on `main` with one commit.
pub(crate) struct World {
    pub(crate) home: Home,
}

/// What one run said.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) lines: Vec<String>,
    pub(crate) errors: String,
}

impl World {
    pub(crate) fn new() -> Self {
        let world = Self { home: Home::new() };
        world.configure_user("");
        world.git(["init", "-q", "-b", "main"]);
        world.commit("base");
        world
    }

    /// The same, once looked at: what changes from now on is news.
    pub(crate) fn known() -> Self {
        let world = Self::new();
        let first = world.once();
        assert_eq!(first.lines.len(), 1, "{first:?}");
        world
    }

    /// Writes the user's configuration, in which nothing is taught, and nobody told to reflect
    /// unless it says so: that would be lines at every beginning beside a host.
    pub(crate) fn configure_user(&self, text: &str) {
        let mut untaught = "  disclosure: {enabled: false}\n".to_owned();
        if !text.contains("  idle: ") {
            untaught.push_str("  idle: {enabled: false}\n");
        }
        let text = match text.split_once("sensors:\n") {
            Some((before, after)) => format!("{before}sensors:\n{untaught}{after}"),
            None => format!("{text}sensors:\n{untaught}"),
        };
        self.write_config(&text);
    }

    /// The same, as it stands.
    pub(crate) fn write_config(&self, text: &str) {
        let config = self.beside("attend/config");
        fs::create_dir_all(&config).expect("a directory");
        fs::write(config.join("config.yaml"), text).expect("a file");
    }

    pub(crate) fn repo(&self) -> PathBuf {
        self.home.project()
    }

    /// A path beside the repository.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub(crate) fn write(&self, name: impl AsRef<Path>, text: &str) {
        fs::write(self.repo().join(name), text).expect("a file of the project");
    }

    /// Commits the file that is called as `name`, with `name` in it and as the subject.
    pub(crate) fn commit(&self, name: &str) {
        self.write(name, name);
        self.git(["add", "--", name]);
        self.git(["commit", "-q", "-m", name]);
    }

    /// Runs git in the repository, where it must succeed.
    pub(crate) fn git<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> String {
        self.git_in(&self.repo(), args)
    }

    /// Runs git in `dir`, where it must succeed.
    pub(crate) fn git_in<S: AsRef<OsStr>>(
        &self,
        dir: &Path,
        args: impl IntoIterator<Item = S>,
    ) -> String {
        let output = self.try_git(dir, args);
        assert!(output.status.success(), "git: {}", stderr(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Runs git in `dir`.
    pub(crate) fn try_git<S: AsRef<OsStr>>(
        &self,
        dir: &Path,
        args: impl IntoIterator<Item = S>,
    ) -> Output {
        let mut command = Command::new("git");
        scrub(&mut command, self.home.path());
        command
            .env("GIT_EDITOR", "true")
            .args(["-c", "protocol.file.allow=always"])
            .args(args)
            .current_dir(dir)
            .stdin(Stdio::null());
        command.output().expect("git starts")
    }

    /// Starts `attend` with these arguments in the repository.
    pub(crate) fn live(&self, args: &[&str]) -> Live {
        Live::start(&mut self.home.attend(args))
    }

    /// `attend` with these arguments, for which `git` is a shell script that may call
    /// `real_git`.
    pub(crate) fn with_git(&self, args: &[&str], script: &str) -> Command {
        let bin = self.beside("bin");
        fs::create_dir_all(&bin).expect("a directory");
        let git = bin.join("git");
        let text =
            format!("#!/bin/sh\nreal_git() {{ PATH=\"$REAL_PATH\" git \"$@\"; }}\n{script}\n");
        // Written by a process of its own: one that any other test starts meanwhile would keep the
        // file open for a moment, and a program that is open for writing cannot be run.
        let mut writer = Command::new("sh");
        writer.args(["-c", "printf %s \"$1\" > \"$2\" && chmod 755 \"$2\"", "sh"]);
        let written = writer.arg(text).arg(&git).status().expect("a shell");
        assert!(written.success(), "a script");
        let mut command = self.home.attend(args);
        let real = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths([bin].into_iter().chain(std::env::split_paths(&real)));
        command
            .env("PATH", path.expect("a path"))
            .env("REAL_PATH", real);
        command
    }

    /// Starts `attend`, which leaves a note whenever a look read the work tree.
    pub(crate) fn noting(&self, args: &[&str]) -> Live {
        Live::start(&mut self.noting_command(args))
    }

    /// The same, not started yet.
    pub(crate) fn noting_command(&self, args: &[&str]) -> Command {
        let notes = self.beside("looks");
        let script = format!(
            "real_git \"$@\"; code=$?\n\
             case \"$*\" in *' --ahead-behind'*) echo >>'{}';; esac\n\
             exit $code",
            notes.display()
        );
        self.with_git(args, &script)
    }

    /// Waits until that many looks read the work tree. What changes from now on, the next one
    /// sees.
    #[track_caller]
    pub(crate) fn looked(&self, times: u64) {
        let notes = self.beside("looks");
        eventually("it looks", || {
            fs::metadata(&notes).is_ok_and(|notes| notes.len() >= times)
        });
    }

    /// `attend run --once --rearm`: what is due of what changed.
    pub(crate) fn once(&self) -> Told {
        self.once_in(&self.repo())
    }

    /// The same for the project at `dir`.
    pub(crate) fn once_in(&self, dir: &Path) -> Told {
        Told::by(
            self.home
                .attend(&["run", "--once", "--rearm", "--project"])
                .arg(dir),
        )
    }

    /// `attend status --json`.
    pub(crate) fn status(&self) -> Status {
        self.status_in(&self.repo())
    }

    /// The same for the project at `dir`.
    pub(crate) fn status_in(&self, dir: &Path) -> Status {
        let mut command = self.home.attend(&["status", "--json", "--project"]);
        let output = command.arg(dir).output().expect("attend starts");
        assert!(output.status.success(), "{}", stderr(&output));
        Status(serde_json::from_slice(&output.stdout).expect("one JSON document"))
    }

    /// The directory in which the loop of this project keeps its state.
    pub(crate) fn state(&self) -> PathBuf {
        let observers = self.home.path().join("attend/state/observers");
        let mut found = fs::read_dir(observers).expect("a directory of state");
        found
            .next()
            .expect("the state of a project")
            .expect("its name")
            .path()
    }

    /// The checkpoint, where there is a whole one.
    pub(crate) fn checkpoint(&self) -> Option<Value> {
        let bytes = fs::read(self.state().join("checkpoint.json")).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Looks once, and holds that something was told of what holds `words`: by a line, in a
    /// footnote, or as what is held back. Returns what was printed.
    #[track_caller]
    pub(crate) fn tells(&self, words: &str) -> Told {
        self.tells_in(&self.repo(), words)
    }

    #[track_caller]
    pub(crate) fn tells_in(&self, dir: &Path, words: &str) -> Told {
        let told = self.once_in(dir);
        let held = self.status_in(dir).held();
        let texts = told.lines.iter().chain(&held);
        let is_told = texts.into_iter().any(|text| text.contains(words));
        assert!(is_told, "{words:?}: {told:?}, held: {held:?}");
        assert_eq!(told.errors, "", "{told:?}");
        told
    }
}

impl Told {
    /// Runs `command`, which must succeed, to its end.
    pub(crate) fn by(command: &mut Command) -> Self {
        let output = command.stdin(Stdio::null()).output().expect("it starts");
        let errors = stderr(&output);
        assert!(output.status.success(), "{:?}: {errors}", output.status);
        Self {
            lines: stdout(&output).lines().map(str::to_owned).collect(),
            errors,
        }
    }

    /// How many lines hold `words`.
    pub(crate) fn count(&self, words: &str) -> usize {
        self.lines
            .iter()
            .filter(|line| line.contains(words))
            .count()
    }
}

/// What `attend status --json` printed.
pub(crate) struct Status(pub(crate) Value);

impl Status {
    pub(crate) fn git(&self) -> &Value {
        &self.0["sensors"][0]
    }

    /// The texts of what the git sensor holds.
    pub(crate) fn held(&self) -> Vec<String> {
        let held = self.git()["held"].as_array().expect("a list of events");
        let text = |event: &Value| event["text"].as_str().expect("a text").to_owned();
        held.iter().map(text).collect()
    }

    /// One of the git sensor's counts.
    pub(crate) fn count(&self, name: &str) -> u64 {
        self.git()[name].as_u64().expect("a count")
    }

    /// Every event went somewhere.
    #[track_caller]
    pub(crate) fn assert_adds_up(&self) {
        let ends = [
            "shown",
            "footnoted",
            "aged_out",
            "replaced",
            "cleared",
            "repeated",
            "over_cap",
        ];
        let ended: u64 = ends.iter().map(|name| self.count(name)).sum();
        let held = self.held().len() as u64;
        assert_eq!(self.count("reported"), ended + held, "{}", self.0);
    }
}
