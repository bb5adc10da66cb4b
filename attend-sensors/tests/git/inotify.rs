//! With the system's own watcher: what git really does to files is seen, and a look causes none of it.

use std::fs;
use std::sync::Arc;

use attend_core::runtime::system::{SystemRunner, SystemWatcher};
use attend_core::sensor::{Changes, Watch, Watcher};
use attend_core::testkit::Harness;
use attend_sensors::git::GitConfig;

use super::world::{World, git, run_git};

/// A watched repository, and a real watch on the paths that the sensor watches.
struct Real {
    world: World,
    watch: Box<dyn Watch>,
}

impl Real {
    fn new() -> Self {
        let world = World::watched();
        world.start();
        world.commit(".gitignore", "target/\n", "ignore");
        world.commit("src/lib.rs", "", "source");
        let watch = SystemWatcher::new();
        let watch = watch.open(world.harness.build_context().wake()).unwrap();
        let mut real = Self { world, watch };
        real.look();
        real.look();
        real
    }

    /// Passes on what the system saw, looks, and watches what the sensor watches now.
    /// How many commands that took, and what was said.
    fn look(&mut self) -> (usize, Vec<String>) {
        let Changes {
            paths,
            structure,
            lost,
            ..
        } = self.watch.take();
        let watcher = self.world.harness.watcher().clone();
        for path in paths {
            if structure {
                watcher.restructured(path);
            } else {
                watcher.changed(path);
            }
        }
        if lost {
            watcher.lost();
        }
        self.world.runner.take();
        let polled = self.world.look_after(5);
        assert!(polled.result().is_ok(), "{polled:?}");
        self.watch.clear();
        for path in watcher.watched() {
            self.watch.add(&path).unwrap();
        }
        let texts = polled.texts().into_iter().map(str::to_owned);
        (self.world.runner.take().len(), texts.collect())
    }

    fn assert_idle(&mut self) {
        for _ in 0..3 {
            assert_eq!(self.look(), (0, vec![]));
        }
    }
}

#[test]
fn a_look_does_not_wake_itself() {
    let mut real = Real::new();
    real.assert_idle();
    // A time that differs would be refreshed by a status that takes locks.
    real.world.write("src/lib.rs", "x");
    real.world.write("src/lib.rs", "");
    assert_eq!(real.look().0, 1);
    real.assert_idle();
}

#[test]
fn what_git_does_is_seen() {
    let mut real = Real::new();
    real.world.write("src/lib.rs", "//! A.\n");
    let text = "1 file newly dirty: src/lib.rs (1 dirty in all)";
    assert_eq!(real.look().1, [text]);
    real.world.git(["commit", "-q", "-a", "-m", "a"]);
    assert_eq!(
        real.look().1,
        [
            "1 new commit on main, newest: \"a\"",
            "work tree clean again"
        ]
    );
    real.assert_idle();

    real.world.git(["checkout", "-q", "-b", "feat/x"]);
    assert_eq!(real.look().1, ["branch changed: main → feat/x"]);
    real.world.git(["commit", "-q", "--allow-empty", "-m", "b"]);
    assert_eq!(real.look().1, ["1 new commit on feat/x, newest: \"b\""]);
    real.world.git(["pack-refs", "--all"]);
    assert_eq!(real.look().1, Vec::<String>::new());
    real.world
        .git(["update-ref", "refs/heads/feat/x", "HEAD~1"]);
    let said = real.look().1;
    assert!(said[0].starts_with("HEAD of feat/x moved: "), "{said:?}");
    real.assert_idle();
}

#[test]
fn new_and_ignored_directories_are_seen_or_not() {
    let mut real = Real::new();
    real.world.write("target/debug/x", "");
    assert_eq!(real.look().1, Vec::<String>::new());
    for n in 0..100 {
        real.world.write(&format!("target/debug/{n}"), "");
        real.world.write(&format!("target/d{n}/x"), "");
    }
    real.assert_idle();
    real.world.write("src/new/deep/mod.rs", "");
    assert_eq!(
        real.look().1,
        ["1 file newly dirty: src/new/ (1 dirty in all)"]
    );
    real.world.git(["add", "-A"]);
    real.look();
    real.world.write("src/new/deep/mod.rs", "changed");
    assert_eq!(real.look().0, 1);
    fs::remove_dir_all(real.world.work().join("src/new")).unwrap();
    real.world.git(["reset", "-q"]);
    assert_eq!(real.look().1, ["work tree clean again"]);
    real.assert_idle();
}

#[test]
fn operations_and_fetches_are_seen() {
    let mut real = Real::new();
    real.world.git(["checkout", "-q", "-b", "side"]);
    real.world.commit("src/lib.rs", "side", "side");
    real.world.git(["checkout", "-q", "main"]);
    real.world.commit("src/lib.rs", "main", "main");
    real.look();
    real.world.git_fails(["rebase", "-q", "side"]);
    assert_eq!(
        real.look().1,
        [
            "rebase in progress on main",
            "conflict in 1 file: src/lib.rs"
        ]
    );
    real.world.git(["rebase", "--abort"]);
    assert_eq!(real.look().1, ["rebase of main ended, HEAD unchanged"]);
    real.assert_idle();

    let bare = real.world.beside("origin.git");
    real.world
        .git(["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    real.world
        .git(["remote", "add", "origin", bare.to_str().unwrap()]);
    real.world.git(["fetch", "-q", "origin"]);
    real.world
        .git(["branch", "-q", "--set-upstream-to=origin/main"]);
    assert_eq!(real.look().1, Vec::<String>::new());
    let tree = git(&bare, ["rev-parse", "main^{tree}"]);
    let commit = git(&bare, ["commit-tree", "-p", "main", "-m", "theirs", &tree]);
    git(&bare, ["update-ref", "refs/heads/main", &commit]);
    real.world.git(["fetch", "-q"]);
    assert_eq!(real.look().1, ["origin/main moved: 1 commit to pull"]);
    real.assert_idle();
}

#[test]
fn reftables_are_seen_where_git_has_them() {
    let mut world = World::watched();
    let init = ["init", "-q", "-b", "main", "--ref-format=reftable"];
    if !run_git(&world.work(), &init).status.success() {
        eprintln!("left out: this git has no reftables");
        return;
    }
    world.commit("a", "", "a");
    let watch = SystemWatcher::new();
    let watch = watch.open(world.harness.build_context().wake()).unwrap();
    world.look().assert_quiet();
    let mut real = Real { world, watch };
    real.look();
    real.world.git(["commit", "-q", "--allow-empty", "-m", "b"]);
    assert_eq!(real.look().1, ["1 new commit on main, newest: \"b\""]);
    real.world.git(["checkout", "-q", "-b", "next"]);
    assert_eq!(real.look().1, ["branch changed: main → next"]);
    real.assert_idle();
}

#[test]
fn the_systems_own_runner_will_do() {
    let mut harness = Harness::new().runner(Arc::new(SystemRunner));
    git(harness.work(), ["init", "-q", "-b", "main"]);
    let mut sensor = harness.build(GitConfig::default().by_interval()).unwrap();
    harness.poll(sensor.as_mut()).assert_quiet();
    harness.write("a", "");
    let polled = harness.poll(sensor.as_mut());
    polled.assert_texts(&["1 file newly dirty: a (1 dirty in all)"]);
}
