//! Every git command that is run: what it is told, so that it changes nothing, and how it fails.
//!
//! No command takes a lock, asks anybody, fetches, pages, or runs a hook or a file-system
//! monitor. What remains is what `git status` itself does with the configuration of the user
//! and the repository: a clean filter (such as git-lfs) runs on a file whose time or size
//! changed, and a status runs in each submodule.

use std::path::{Path, PathBuf};
use std::time::Duration;

use attend_core::sensor::{CommandOutput, CommandSpec, PollContext, SensorError};

use super::name::{Name, Oid, path};
use super::parse::{self, Status};
use super::questions::{Answers, Questions, Range, Spread};

/// How long one command may take; a cold status of a large tree takes seconds.
const DEADLINE: Duration = Duration::from_secs(20);

/// How much of a status is kept: more than 100,000 dirty files.
const KEEP: usize = 16 << 20;

/// How much of git's own words an error repeats, in characters.
const QUOTED: usize = 300;

/// Variables that would lead git to another repository, or make it write a trace.
const REMOVED: [&str; 18] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_GRAFT_FILE",
    "GIT_REPLACE_REF_BASE",
    "GIT_EXTERNAL_DIFF",
    "GIT_TRACE",
    "GIT_TRACE_SETUP",
    "GIT_TRACE2",
    "GIT_TRACE2_EVENT",
    "GIT_TRACE2_PERF",
];

/// Where a repository lies, as git says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// The top of the work tree.
    pub(super) top: PathBuf,
    /// The git directory of this work tree.
    pub(super) git_dir: PathBuf,
    /// The git directory that all work trees share.
    pub(super) common_dir: PathBuf,
}

/// A git command in the work directory.
fn git() -> CommandSpec {
    let command = CommandSpec::new("git")
        .args([
            "--no-pager",
            "--no-optional-locks",
            "-c",
            "core.fsmonitor=false",
        ])
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "")
        .env("LC_ALL", "C")
        .deadline(DEADLINE);
    REMOVED.into_iter().fold(command, CommandSpec::env_remove)
}

/// A git command for the work tree at `top`, and for no repository above it.
fn git_at(top: &Path) -> CommandSpec {
    let command = git().arg("-C").arg(top);
    match top.parent() {
        Some(above) => command.env("GIT_CEILING_DIRECTORIES", above),
        None => command,
    }
}

/// Finds the repository around the work directory.
pub(super) async fn place(cx: &PollContext) -> Result<Place, SensorError> {
    let ask = |what: &[&str]| git().arg("rev-parse").args(what.iter().copied());
    let wanted = ["--show-toplevel", "--absolute-git-dir", "--git-common-dir"];
    let output = cx.run(&ask(&wanted)).await?;
    if !output.success() {
        return Err(failed(cx.roots().work(), "rev-parse", &output));
    }
    let lines = output.stdout.split(|byte| *byte == b'\n');
    let mut paths: Vec<PathBuf> = lines.map(path).collect();
    if paths.len() != wanted.len() + 1 {
        // A directory whose name has a line break: ask one by one.
        paths.clear();
        for one in wanted {
            let output = cx.run(&ask(&[one])).await?;
            paths.push(path(output.stdout.strip_suffix(b"\n").unwrap_or_default()));
        }
    }
    let work = cx.roots().work();
    match paths.as_slice() {
        [top, git_dir, common_dir, ..] if top.is_absolute() && git_dir.is_absolute() => Ok(Place {
            top: top.clone(),
            git_dir: git_dir.clone(),
            common_dir: absolute(work, common_dir, git_dir),
        }),
        _ => Err(SensorError::transient(
            "git rev-parse printed something unexpected",
        )),
    }
}

/// Older versions of git print the common directory relative to where they run.
fn absolute(work: &Path, common_dir: &Path, git_dir: &Path) -> PathBuf {
    let common_dir = work.join(common_dir);
    common_dir
        .canonicalize()
        .unwrap_or_else(|_| git_dir.to_owned())
}

/// One `git status`; with the ignored paths where they are asked for.
pub(super) async fn status(
    cx: &PollContext,
    top: &Path,
    ignored: bool,
) -> Result<Status, SensorError> {
    let command = git_at(top)
        .args(["status", "--porcelain=v2", "--branch", "-z"])
        .args(["--untracked-files=normal", "--ahead-behind"])
        .args(ignored.then_some("--ignored=matching"))
        .keep(KEEP);
    read_status(top, &cx.run(&command).await?)
}

/// The ignored paths below `top`, with as little as possible of the rest.
pub(super) async fn ignored(cx: &PollContext, top: &Path) -> Result<Vec<Name>, SensorError> {
    let command = git_at(top)
        .args(["status", "--porcelain=v2", "--branch", "-z"])
        .args([
            "--untracked-files=normal",
            "--no-ahead-behind",
            "--no-renames",
        ])
        .args(["--ignore-submodules=all", "--ignored=matching"])
        .keep(KEEP);
    Ok(read_status(top, &cx.run(&command).await?)?.ignored)
}

fn read_status(top: &Path, output: &CommandOutput) -> Result<Status, SensorError> {
    if !output.success() {
        return Err(failed(top, "status", output));
    }
    if output.dropped > 0 {
        return Err(SensorError::transient(format!(
            "git status printed more than {} MiB",
            KEEP >> 20
        )));
    }
    parse::status(&output.stdout)
        .map_err(|error| SensorError::transient(format!("cannot read git status: {error}")))
}

/// The work trees of the submodules that `.gitmodules` names below `top`.
pub(super) async fn submodules(cx: &PollContext, top: &Path) -> Vec<PathBuf> {
    let file = top.join(".gitmodules");
    if !file.is_file() {
        return Vec::new();
    }
    let command = git_at(top)
        .args(["config", "-z", "--file"])
        .arg(file)
        .args(["--get-regexp", r"^submodule\..*\.path$"]);
    let Ok(output) = cx.run(&command).await else {
        return Vec::new();
    };
    let entries = output.stdout.split(|byte| *byte == 0);
    let paths = entries.filter_map(|entry| entry.splitn(2, |byte| *byte == b'\n').nth(1));
    paths
        .map(|below| top.join(path(below)))
        .filter(|sub| sub.starts_with(top))
        .collect()
}

/// The commit of the upstream of the branch that is checked out, where git can tell.
pub(super) async fn upstream(cx: &PollContext, top: &Path) -> Option<Oid> {
    let wanted = ["rev-parse", "--verify", "--quiet", "@{upstream}^{commit}"];
    let output = cx.run(&git_at(top).args(wanted)).await.ok()?;
    Oid::line(&output.stdout).filter(|_| output.success())
}

/// Asks what has to be asked; what git cannot answer, for example because a commit is gone,
/// stays unanswered.
pub(super) async fn answers(cx: &PollContext, top: &Path, asked: &Questions) -> Answers {
    let head = spread(cx, top, asked.head.as_ref()).await;
    Answers {
        head,
        subject: match (&asked.head, head) {
            (Some(range), Some(Spread { lost: 0, .. })) => subject(cx, top, &range.right).await,
            _ => None,
        },
        burst: spread(cx, top, asked.burst.as_ref()).await,
        upstream: spread(cx, top, asked.upstream.as_ref()).await,
        gap: spread(cx, top, asked.gap.as_ref()).await,
        ended: spread(cx, top, asked.ended.as_ref()).await,
    }
}

async fn spread(cx: &PollContext, top: &Path, range: Option<&Range>) -> Option<Spread> {
    let Range { left, right } = range?;
    let right = right.as_str();
    let range = match left {
        Some(left) => format!("{}...{right}", left.as_str()),
        None => right.to_owned(),
    };
    let command = git_at(top).args(["rev-list", "--left-right", "--count", &range, "--"]);
    let output = cx.run(&command).await.ok().filter(CommandOutput::success)?;
    let (lost, gained) = parse::left_right(&output.stdout)?;
    // Without a left side all commits are counted there.
    Some(match left {
        Some(_) => Spread { lost, gained },
        None => Spread {
            lost: 0,
            gained: lost + gained,
        },
    })
}

async fn subject(cx: &PollContext, top: &Path, oid: &Oid) -> Option<String> {
    let command = git_at(top)
        .args([
            "rev-list",
            "--max-count=1",
            "--encoding=UTF-8",
            "--format=%s",
        ])
        .args([oid.as_str(), "--"]);
    let output = cx.run(&command).await.ok().filter(CommandOutput::success)?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines()
        .nth(1)
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
}

/// What a git command that failed means for the sensor.
fn failed(at: &Path, what: &str, output: &CommandOutput) -> SensorError {
    let said = String::from_utf8_lossy(&output.stderr);
    let at = at.display();
    if said.contains("not a git repository") {
        return SensorError::unavailable(format!(
            "not inside a git work tree: there is no repository at {at} or above"
        ));
    }
    if said.contains("must be run in a work tree") {
        return SensorError::unavailable(format!(
            "not inside a git work tree: {at} is a bare repository or lies in a git directory"
        ));
    }
    let line = |wanted: &str| {
        said.lines()
            .map(str::trim)
            .find(|line| line.contains(wanted))
    };
    let first = line("fatal: ")
        .or(said.lines().next())
        .unwrap_or("it says nothing");
    let first: String = first.chars().take(QUOTED).collect();
    if said.contains("dubious ownership") {
        let advice = line("safe.directory").unwrap_or("git config --global --add safe.directory");
        let advice: String = advice.chars().take(QUOTED).collect();
        return SensorError::unavailable(format!(
            "git refuses this repository: {first}; if it can be trusted: {advice}"
        ));
    }
    SensorError::transient(format!(
        "git {what} failed at {at} ({:?}): {first}",
        output.exit
    ))
}
