//! What the session does to its repository itself is no news to it; what a peer does is.

use std::fs;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::home::stdout;
use crate::hosts_fake::{Beside, configure};
use crate::live::eventually;
use crate::world::World;

/// One kind of change: what is there before, what makes it, and what of it is told to others.
struct Case {
    name: &'static str,
    before: fn(&World),
    change: fn(&World),
    told: &'static str,
    /// Whether that is a line at once, and not held until something else is said.
    wakes: bool,
}

/// Everything is looked at often, so that nobody waits.
const OFTEN: &str = "sensors:\n  git: {interval: 1, min_interval: 1}\n";

fn nothing(_: &World) {}

/// `main` and `side`, in conflict over `a`, on `side`.
fn forked(world: &World) {
    world.git(["switch", "-q", "-c", "side"]);
    world.write("a", "side");
    world.git(["add", "a"]);
    world.git(["commit", "-q", "-m", "side"]);
    world.git(["switch", "-q", "main"]);
    world.commit("a");
    world.git(["switch", "-q", "side"]);
}

fn fails(world: &World, args: &[&str]) {
    let output = world.try_git(&world.repo(), args);
    assert!(!output.status.success(), "{}", stdout(&output));
}

fn rebasing(world: &World) {
    forked(world);
    fails(world, &["rebase", "-q", "main"]);
}

/// A clone whose upstream is one commit ahead of what it knows.
fn behind(world: &World) {
    let origin = world.beside("origin.git");
    let origin = origin.to_str().expect("a path");
    world.git(["clone", "-q", "--bare", ".", origin]);
    world.git(["remote", "add", "origin", origin]);
    world.git(["fetch", "-q", "origin"]);
    world.git(["branch", "-q", "--set-upstream-to=origin/main"]);
    let other = world.beside("elsewhere");
    world.git(["clone", "-q", origin, other.to_str().expect("a path")]);
    world.git_in(&other, ["commit", "-q", "--allow-empty", "-m", "theirs"]);
    world.git_in(&other, ["push", "-q", "origin", "main"]);
}

fn dirty(world: &World) {
    world.write("base", "changed\n");
}

const CASES: [Case; 12] = [
    Case {
        name: "a commit",
        before: nothing,
        change: |world| world.commit("more"),
        told: "1 new commit on main, newest: \"more\"",
        wakes: false,
    },
    Case {
        name: "another branch",
        before: nothing,
        change: |world| drop(world.git(["switch", "-q", "-c", "feat/x"])),
        told: "branch changed: main → feat/x",
        wakes: true,
    },
    Case {
        name: "a detached HEAD",
        before: nothing,
        change: |world| drop(world.git(["switch", "-q", "--detach"])),
        told: "HEAD detached at ",
        wakes: true,
    },
    Case {
        name: "many dirty files",
        before: nothing,
        change: |world| (0..25).for_each(|n| world.write(format!("f{n}"), "")),
        told: "25 files newly dirty: ",
        wakes: true,
    },
    Case {
        name: "staged files",
        before: nothing,
        change: |world| {
            (0..5).for_each(|n| world.write(format!("f{n}"), ""));
            world.git(["add", "."]);
        },
        told: "5 files newly dirty: ",
        wakes: false,
    },
    Case {
        name: "a stash",
        before: dirty,
        change: |world| drop(world.git(["stash", "-q"])),
        told: "work tree clean again",
        wakes: false,
    },
    Case {
        name: "the return of a stash",
        before: |world| {
            dirty(world);
            world.git(["stash", "-q"]);
        },
        change: |world| drop(world.git(["stash", "pop", "-q"])),
        told: "1 file newly dirty: base",
        wakes: false,
    },
    Case {
        name: "a rebase with a conflict",
        before: forked,
        change: |world| fails(world, &["rebase", "-q", "main"]),
        told: "rebase in progress on side",
        wakes: true,
    },
    Case {
        name: "the end of a rebase",
        before: rebasing,
        change: |world| drop(world.git(["rebase", "--skip"])),
        told: "rebase of side finished",
        wakes: false,
    },
    Case {
        name: "a merge with a conflict",
        before: forked,
        change: |world| fails(world, &["merge", "-q", "main"]),
        told: "merge in progress on side",
        wakes: true,
    },
    Case {
        name: "a fetch",
        before: behind,
        change: |world| drop(world.git(["fetch", "-q"])),
        told: "origin/main moved: 1 commit to pull",
        wakes: false,
    },
    Case {
        name: "a commit ahead of the upstream",
        before: behind,
        change: |world| world.commit("more"),
        told: "1 commit ahead of origin/main",
        wakes: false,
    },
];

/// What git says of the repository, and the sensor remembers.
#[derive(PartialEq, Eq, Debug)]
struct Standing {
    head: String,
    branch: String,
    upstream: String,
    dirty: u64,
    in_progress: bool,
}

impl Standing {
    fn of(world: &World) -> Self {
        let asked = |args: &[&str]| {
            let output = world.try_git(&world.repo(), args);
            let said = if output.status.success() {
                stdout(&output)
            } else {
                String::new()
            };
            said.trim().to_owned()
        };
        let status = world.git(["status", "--porcelain"]);
        let git_dir = world.repo().join(".git");
        let in_progress = ["rebase-merge", "MERGE_HEAD"].map(|name| git_dir.join(name).exists());
        Self {
            head: asked(&["rev-parse", "HEAD"]),
            branch: asked(&["symbolic-ref", "-q", "--short", "HEAD"]),
            upstream: asked(&["rev-parse", "-q", "--verify", "@{u}"]),
            dirty: status.lines().count() as u64,
            in_progress: in_progress.contains(&true),
        }
    }

    fn remembered(beside: &Beside<'_>) -> Option<Self> {
        let known = &beside.remembers("git")["known"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Some(Self {
            head: text(known.get("head")?),
            branch: text(&known["branch"]),
            upstream: text(&known["upstream"]["oid"]),
            dirty: known["dirty"]["total"].as_u64()?,
            in_progress: !known["operation"].is_null(),
        })
    }
}

/// A session that works in `world`, whose repository is known as it is.
fn working(world: &World) -> Beside<'_> {
    configure(world, OFTEN);
    let mut beside = Beside::start(world);
    beside.prompt("secret words");
    beside.record("busy");
    let banner = beside.live.line();
    assert!(banner.contains(" watches project "), "{banner}");
    caught_up(&beside);
    beside
}

/// Waits until the sensor took everything in.
#[track_caller]
fn caught_up(beside: &Beside<'_>) {
    let standing = Standing::of(beside.world);
    eventually("the repository is known as it is", || {
        Standing::remembered(beside).as_ref() == Some(&standing)
    });
}

fn reported(beside: &Beside<'_>) -> u64 {
    let reported = &beside.engine("git")["tally"]["reported"];
    reported.as_u64().expect("a count")
}

/// Each case at the same time, since most of it is waiting.
fn each(test: fn(&Case)) {
    thread::scope(|scope| {
        let run = |case| scope.spawn(move || test(case));
        let tests: Vec<_> = CASES.iter().map(|case| (case.name, run(case))).collect();
        for (name, test) in tests {
            assert!(test.join().is_ok(), "{name}");
        }
    });
}

#[test]
fn what_the_session_does_itself_is_silent() {
    each(|case| {
        let world = World::new();
        (case.before)(&world);
        let mut beside = working(&world);
        let before = reported(&beside);
        let call = beside.shell("cd . && git do-as-it-is-told");
        (case.change)(&world);
        beside.shell_ends(&call);
        caught_up(&beside);
        assert_eq!(reported(&beside), before, "{}", beside.engine("git"));
    });
}

#[test]
fn what_a_peer_does_during_an_unrelated_call_is_told() {
    each(|case| {
        let world = World::new();
        (case.before)(&world);
        let mut beside = working(&world);
        // Its own call of git is long over.
        let call = beside.shell_ago(Duration::from_mins(10), "git status");
        beside.shell_ended(Duration::from_mins(9), &call);
        beside.shell("cargo build");
        (case.change)(&world);
        if case.wakes {
            while !beside.live.line().contains(case.told) {}
        } else {
            eventually(case.name, || beside.holds("git", case.told));
        }
        let texts = fs::read_to_string(beside.state().join("checkpoint.json"));
        assert!(!texts.expect("a checkpoint").contains("secret"));
    });
}
