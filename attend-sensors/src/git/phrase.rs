//! The words of every event, in one place.

use super::name::{Oid, shown};
use super::operation::{Operation, OperationKind};
use super::parse::Status;
use super::questions::Spread;

const DETACHED: &str = "a detached HEAD";

/// `1 commit`, `2 commits`.
fn counted(count: u64, one: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {one}{plural}")
}

fn short(oid: Option<&Oid>) -> &str {
    oid.map_or("no commit", Oid::short)
}

pub(super) fn branch(before: Option<&str>, head: Option<&Oid>, after: &str) -> String {
    let before = before.map_or_else(|| format!("detached at {}", short(head)), shown);
    format!("branch changed: {before} → {}", shown(after))
}

pub(super) fn detached(head: Option<&Oid>, was: Option<&str>) -> String {
    let was = was.map(|was| format!(" (was {})", shown(was)));
    format!(
        "HEAD detached at {}{}",
        short(head),
        was.unwrap_or_default()
    )
}

pub(super) fn commits(count: u64, branch: &str, subject: Option<&str>) -> String {
    let newest = subject.map(|subject| format!(", newest: \"{}\"", shown(subject)));
    let commits = counted(count, "new commit");
    format!(
        "{commits} on {}{}",
        shown(branch),
        newest.unwrap_or_default()
    )
}

pub(super) fn moved(
    branch: &str,
    before: Option<&Oid>,
    after: Option<&Oid>,
    spread: Option<Spread>,
) -> String {
    let apart = if spread.is_some() {
        " (not a descendant)"
    } else {
        ""
    };
    let (before, after) = (short(before), short(after));
    format!("HEAD of {} moved: {before} → {after}{apart}", shown(branch))
}

pub(super) fn moved_detached(before: Option<&Oid>, after: Option<&Oid>) -> String {
    format!(
        "HEAD moved: {} → {} (detached)",
        short(before),
        short(after)
    )
}

pub(super) fn ahead(count: u64, upstream: &str) -> String {
    format!("{} ahead of {}", counted(count, "commit"), shown(upstream))
}

/// None where the upstream holds nothing that is new here, as after a push.
pub(super) fn upstream(
    name: &str,
    from: &Oid,
    to: &Oid,
    spread: Option<Spread>,
    behind: u64,
    pushed: bool,
) -> Option<String> {
    let name = shown(name);
    let (from, to) = (from.short(), to.short());
    let to_pull = counted(behind, "commit");
    match spread {
        Some(Spread { lost: 0, .. }) if behind > 0 => {
            Some(format!("{name} moved: {to_pull} to pull"))
        }
        Some(_) if behind > 0 => Some(format!(
            "{name} was force-moved: {from} → {to} ({to_pull} to pull)"
        )),
        Some(Spread {
            lost: 1..,
            gained: 0,
        }) if !pushed => Some(format!("{name} was moved back: {from} → {to}")),
        None if behind > 0 => Some(format!("{name} moved: {from} → {to} ({to_pull} to pull)")),
        _ => None,
    }
}

pub(super) fn conflicts(count: usize, files: &str) -> String {
    match count {
        1 => format!("conflict in 1 file: {files}"),
        _ => format!("conflicts in {count} files: {files}"),
    }
}

pub(super) fn in_progress(operation: &Operation) -> String {
    let branch = operation
        .branch
        .as_deref()
        .map_or(DETACHED.to_owned(), shown);
    format!("{} in progress on {branch}", operation.kind.name())
}

/// How an operation ended, told from where HEAD is now.
pub(super) fn ended(operation: &Operation, status: &Status, brought: Option<Spread>) -> String {
    let kind = operation.kind.name();
    let preposition = if operation.kind == OperationKind::Rebase {
        "of"
    } else {
        "on"
    };
    let branch = operation
        .branch
        .as_deref()
        .map_or(DETACHED.to_owned(), shown);
    let what = format!("{kind} {preposition} {branch}");
    let back = status.branch == operation.branch;
    let now_on = match &status.branch {
        _ if back => String::new(),
        Some(branch) => format!(" on {}", shown(branch)),
        None => " (detached)".to_owned(),
    };
    if back && operation.from.is_some() && operation.from == status.head {
        return format!("{what} ended, HEAD unchanged");
    }
    let head = short(status.head.as_ref());
    match brought {
        Some(Spread { lost: 0, gained }) if back => {
            format!(
                "{what} finished: {}, HEAD now {head}",
                counted(gained, "commit")
            )
        }
        _ => format!("{what} ended, HEAD now {head}{now_on}"),
    }
}
