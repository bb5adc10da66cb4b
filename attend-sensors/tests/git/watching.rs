//! With a watch: what is watched, what a change costs, and what happens where there is no watch.

use std::path::PathBuf;

use attend_core::sensor::{ErrorKind, SensorError};

use super::world::World;

/// A watched repository with an ignored directory and an ignored file, already looked at.
fn watched() -> World {
    let mut world = World::watched();
    world.start();
    world.commit(".gitignore", "target/\n*.log\n", "ignore");
    world.commit("src/deep/lib.rs", "", "source");
    world.write("target/debug/x", "");
    world.write("app.log", "");
    world.look().assert_quiet();
    world.runner.take();
    world
}

impl World {
    /// Lets the watch see a change, which it must be able to see.
    fn touched(&self, path: &str) {
        let seen = self.harness.watcher().changed(self.work().join(path));
        assert!(seen, "{path} is not watched");
    }

    /// Looks, and says how many commands that took.
    fn cost(&mut self) -> usize {
        self.look_after(5).assert_quiet();
        self.runner.take().len()
    }
}

#[test]
fn nothing_changed_runs_nothing() {
    let mut world = watched();
    for _ in 0..20 {
        assert_eq!(world.cost(), 0);
    }
    world.look_after(600).assert_quiet();
    assert_eq!(world.runner.take().len(), 1, "the safety look");
    assert_eq!(world.cost(), 0);
}

#[test]
fn what_is_watched() {
    let world = watched();
    let watched = world.harness.watcher().watched();
    let at = |path: &str| world.work().join(path);
    let seen: Vec<PathBuf> = [
        "src",
        "src/deep",
        ".git",
        ".git/refs",
        ".git/refs/heads",
        ".git/info",
    ]
    .into_iter()
    .map(at)
    .collect();
    for path in [vec![world.work()], seen].concat() {
        assert!(watched.contains(&path), "{} is not watched", path.display());
    }
    for path in [
        "target",
        "target/debug",
        ".git/objects",
        ".git/logs",
        ".git/hooks",
    ] {
        assert!(!watched.contains(&at(path)), "{path} is watched");
    }
}

#[test]
fn a_change_costs_one_status() {
    let mut world = watched();
    world.write("src/deep/lib.rs", "changed");
    world.touched("src/deep/lib.rs");
    assert_eq!(world.harness.woken(), 1);
    world
        .look()
        .assert_texts(&["1 file newly dirty: src/deep/lib.rs (1 dirty in all)"]);
    assert_eq!(world.runner.take().len(), 1);
    world.commit("src/deep/lib.rs", "changed", "change");
    for path in [".git/index", ".git/refs/heads/main", ".git/COMMIT_EDITMSG"] {
        world.touched(path);
    }
    world.look().assert_texts(&[
        "1 new commit on main, newest: \"change\"",
        "work tree clean again",
    ]);
    assert_eq!(world.runner.take().len(), 3);
    assert_eq!(world.cost(), 0);
}

#[test]
fn churn_that_means_nothing_costs_nothing() {
    let mut world = watched();
    for path in [
        ".git/index.lock",
        ".git/HEAD.lock",
        ".git/refs/heads/main.lock",
        ".git/COMMIT_EDITMSG",
        ".git/FETCH_HEAD",
        ".git/ORIG_HEAD",
        ".git/gc.pid",
        "app.log",
    ] {
        world.touched(path);
        assert_eq!(world.cost(), 0, "{path}");
    }
}

#[test]
fn a_file_that_is_ignored_no_longer_counts_again() {
    let mut world = watched();
    world.git(["add", "-f", "app.log"]);
    world.touched(".git/index");
    world
        .look()
        .assert_texts(&["1 file newly dirty: app.log (1 dirty in all)"]);
    world.git(["commit", "-q", "-m", "log"]);
    world.touched(".git/index");
    world.look();
    world.write("app.log", "changed");
    world.touched("app.log");
    world
        .look_after(200)
        .assert_texts(&["1 file newly dirty: app.log (1 dirty in all)"]);
}

#[test]
fn an_ignored_directory_with_a_known_file_is_watched() {
    let mut world = watched();
    world.git(["add", "-f", "target/debug/x"]);
    world.touched(".git/index");
    world.look();
    world.look();
    world.write("target/debug/x", "changed");
    world.touched("target/debug/x");
}

#[test]
fn new_directories_and_new_rules_are_followed() {
    let mut world = watched();
    world.write("new/a", "");
    assert!(
        world
            .harness
            .watcher()
            .restructured(world.work().join("new"))
    );
    world
        .look()
        .assert_texts(&["1 file newly dirty: new/ (1 dirty in all)"]);
    world.touched("new/a");
    world.write(".gitignore", "target/\n*.log\nnew/\n");
    world.touched(".gitignore");
    world
        .look_after(200)
        .assert_texts(&["1 file newly dirty: .gitignore (1 dirty in all)"]);
    assert!(!world.harness.watcher().changed(world.work().join("new/a")));
    world.harness.watcher().lost();
    world.look_after(5).assert_quiet();
    assert_eq!(
        world.runner.take().len(),
        6,
        "each time the ignored paths, then a status"
    );
}

#[test]
fn an_operation_and_a_fetch_are_seen() {
    let mut world = watched();
    world.git(["bisect", "start", "-q"]);
    world.touched(".git/BISECT_LOG");
    world.look().assert_texts(&["bisect in progress on main"]);
    world.git(["bisect", "reset"]);
    world.touched(".git/BISECT_LOG");
    world
        .look()
        .assert_texts(&["bisect on main ended, HEAD unchanged"]);
    let tree = world.git(["rev-parse", "HEAD^{tree}"]);
    let commit = world.git(["commit-tree", "-p", "HEAD", "-m", "x", &tree]);
    world.git(["branch", "-q", "base"]);
    world.git(["branch", "-q", "--set-upstream-to=base"]);
    world.touched(".git/config");
    world.look().assert_quiet();
    world.git(["update-ref", "refs/heads/base", &commit]);
    world.touched(".git/refs/heads/base");
    world.look().assert_texts(&["base moved: 1 commit to pull"]);
    // Moved by force: the counts stay, only the commit is another.
    let other = world.git(["commit-tree", "-p", "HEAD", "-m", "y", &tree]);
    world.git(["update-ref", "refs/heads/base", &other]);
    world.touched(".git/refs/heads/base");
    let (from, to) = (world.short(&commit), world.short(&other));
    let text = format!("base was force-moved: {from} → {to} (1 commit to pull)");
    world.look().assert_texts(&[&text]);
}

#[test]
fn a_refused_watch_is_said_once_and_tried_again() {
    let mut world = World::watched();
    world.start();
    world
        .harness
        .watcher()
        .refuse(SensorError::unavailable("fs.inotify.max_user_watches = 8"));
    let polled = world.look();
    let [warning] = polled.warnings() else {
        panic!("{polled:?}")
    };
    assert_eq!(warning.kind(), ErrorKind::Unavailable);
    assert_eq!(
        warning.to_string(),
        "the work tree is looked at by interval and not watched: fs.inotify.max_user_watches = 8"
    );
    for _ in 0..30 {
        world.look().assert_quiet();
    }
    world.write("a", "");
    world
        .look()
        .assert_texts(&["1 file newly dirty: a (1 dirty in all)"]);
    world.harness.watcher().allow();
    world.look_after(600).assert_quiet();
    world.runner.take();
    assert_eq!(world.cost(), 0);
}

#[test]
fn no_watcher_at_all_is_said_once() {
    let mut world = World::bare();
    world.start();
    world.harness.watcher().refuse(SensorError::unavailable(
        "fs.inotify.max_user_instances = 128",
    ));
    world.sensor = world
        .harness
        .build(attend_sensors::git::GitConfig::default())
        .unwrap();
    let polled = world.look();
    assert_eq!(polled.warnings().len(), 1, "{polled:?}");
    world.look().assert_quiet();
}
