//! A home of its own for each test: nothing is read from, or written to, that of the user.

#![expect(
    clippy::disallowed_methods,
    reason = "a test starts the program in an environment of its own"
)]

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A directory that holds a project and everything that attend keeps.
pub(crate) struct Home(TempDir);

impl Home {
    pub(crate) fn new() -> Self {
        let home = Self(tempfile::tempdir().expect("a temporary directory"));
        std::fs::create_dir(home.project()).expect("a project");
        home
    }

    pub(crate) fn project(&self) -> std::path::PathBuf {
        self.0.path().join("project")
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// `attend` with these arguments, in the project, with a scrubbed environment.
    pub(crate) fn attend(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_attend"));
        command.args(args).current_dir(self.project());
        scrub(&mut command, self.path());
        command
    }

    pub(crate) fn output(&self, args: &[&str]) -> Output {
        self.attend(args).output().expect("attend starts")
    }
}

/// Leaves a command nothing of the environment but what it needs to be found and to be alone.
pub(crate) fn scrub(command: &mut Command, home: &Path) {
    let path = std::env::var_os("PATH").unwrap_or_default();
    command
        .env_clear()
        .env("PATH", path)
        .env("HOME", home)
        .env("ATTEND_HOME", home.join("attend"))
        .env("CLAUDE_CONFIG_DIR", home.join("claude"))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_NAME", "A")
        .env("GIT_AUTHOR_EMAIL", "a@example.org")
        .env("GIT_COMMITTER_NAME", "A")
        .env("GIT_COMMITTER_EMAIL", "a@example.org");
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("attend writes UTF-8")
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("attend writes UTF-8")
}
