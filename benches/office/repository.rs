//! A repository that exists in memory, and what `git` says of it.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use attend_core::sensor::{CommandOutput, CommandSpec, Runner, SensorError};

/// What is said by those who work at a desk: `git`, and a script.
#[derive(Clone, Debug, Default)]
pub(super) struct Shell(Arc<Mutex<Said>>);

#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) git: Repository,
    /// What the script prints at its next look.
    pub(super) script: String,
    /// Whether it prints the same at each look.
    pub(super) repeats: bool,
}

impl Shell {
    pub(super) fn said(&self) -> MutexGuard<'_, Said> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Runner for Shell {
    async fn run(&self, command: &CommandSpec, cwd: &Path) -> Result<CommandOutput, SensorError> {
        let mut said = self.said();
        if command.program() == "git" {
            let args = command.arguments().iter().map(|arg| arg.to_string_lossy());
            let args: Vec<String> = args.map(std::borrow::Cow::into_owned).collect();
            return Ok(said.git.answer(&args, cwd));
        }
        let text = if said.repeats {
            said.script.clone()
        } else {
            std::mem::take(&mut said.script)
        };
        Ok(CommandOutput::exited(0, text))
    }
}

/// Commits in one line of descent for each branch, and a work tree.
#[derive(Debug)]
pub(super) struct Repository {
    /// Of each commit its parent and its subject; its number is its place.
    commits: Vec<(Option<usize>, String)>,
    pub(super) head: usize,
    pub(super) branch: Option<String>,
    /// Where the upstream stands.
    pub(super) upstream: usize,
    pub(super) dirty: BTreeSet<String>,
    pub(super) unmerged: BTreeSet<String>,
}

impl Default for Repository {
    fn default() -> Self {
        Self {
            commits: vec![(None, "first".to_owned())],
            head: 0,
            branch: Some("main".to_owned()),
            upstream: 0,
            dirty: BTreeSet::new(),
            unmerged: BTreeSet::new(),
        }
    }
}

impl Repository {
    /// A commit on `parent`.
    pub(super) fn commit(&mut self, parent: usize, subject: &str) -> usize {
        self.commits.push((Some(parent), subject.to_owned()));
        self.commits.len() - 1
    }

    /// A commit and all before it.
    fn line(&self, commit: usize) -> BTreeSet<usize> {
        let parent = |at: &usize| self.commits.get(*at).and_then(|(parent, _)| *parent);
        std::iter::successors(Some(commit), parent).collect()
    }

    /// How many commits only the one has, and only the other.
    fn apart(&self, left: usize, right: usize) -> (usize, usize) {
        let (left, right) = (self.line(left), self.line(right));
        let only = |a: &BTreeSet<usize>, b: &BTreeSet<usize>| a.difference(b).count();
        (only(&left, &right), only(&right, &left))
    }

    fn answer(&self, args: &[String], cwd: &Path) -> CommandOutput {
        let has = |word: &str| args.iter().any(|arg| arg == word);
        let text = if has("--show-toplevel") {
            let git = git_dir(cwd);
            format!("{}\n{}\n.git\n", cwd.display(), git.display())
        } else if has("@{upstream}^{commit}") {
            format!("{}\n", oid(self.upstream))
        } else if has("status") {
            self.status()
        } else if has("--left-right") {
            let range = args.iter().rev().nth(1).map_or("", String::as_str);
            let (left, right) = range.split_once("...").unwrap_or(("", range));
            let (lost, gained) = self.apart(number(left), number(right));
            format!("{lost}\t{gained}\n")
        } else if has("--max-count=1") {
            let wanted = args.iter().rev().nth(1).map_or("", String::as_str);
            let subject = self.commits.get(number(wanted));
            let subject = subject.map_or("", |(_, subject)| subject.as_str());
            format!("commit {wanted}\n{subject}\n")
        } else {
            return CommandOutput::exited(1, "");
        };
        CommandOutput::exited(0, text)
    }

    fn status(&self) -> String {
        let mut text = format!("# branch.oid {}\0", oid(self.head));
        let branch = self.branch.as_deref().unwrap_or("(detached)");
        let _ = write!(text, "# branch.head {branch}\0");
        if self.branch.as_deref() == Some("main") {
            let (ahead, behind) = self.apart(self.head, self.upstream);
            let _ = write!(text, "# branch.upstream origin/main\0");
            let _ = write!(text, "# branch.ab +{ahead} -{behind}\0");
        }
        let (zero, mode) = (oid(0), "100644 100644 100644");
        for file in &self.dirty {
            let _ = write!(text, "1 .M N... {mode} {zero} {zero} {file}\0");
        }
        for file in &self.unmerged {
            let _ = write!(
                text,
                "u UU N... {mode} 100644 {zero} {zero} {zero} {file}\0"
            );
        }
        text
    }
}

/// The name of a commit.
pub(super) fn oid(number: usize) -> String {
    // Spread, so that the beginning that is told tells them apart.
    let spread = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    format!("{spread:016x}{number:024x}")
}

fn number(oid: &str) -> usize {
    let end = oid.get(16..).unwrap_or_default();
    usize::from_str_radix(end, 16).unwrap_or_default()
}

/// Where the repository of the work tree at `top` keeps what is its own.
pub(super) fn git_dir(top: &Path) -> PathBuf {
    top.join(OsStr::new(".git"))
}
