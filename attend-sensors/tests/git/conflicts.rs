//! Conflicts, with and without an operation around them.

use super::world::World;

/// A repository in which `side` and `main` changed the same files in different ways.
fn forked(names: &[&str]) -> World {
    let mut world = World::bare();
    world.start();
    for branch in ["side", "main"] {
        world.git(["checkout", "-q", "-B", branch, "main"]);
        if branch == "main" {
            world.git(["reset", "-q", "--hard", "side~1"]);
        }
        for name in names {
            world.write(name, branch);
        }
        world.git(["add", "-A"]);
        world.git(["commit", "-q", "-m", branch]);
    }
    world.look().assert_quiet();
    world
}

#[test]
fn a_conflict_stands_until_none_is_left() {
    let mut world = forked(&["a", "b", "c", "d"]);
    world.git_fails(["merge", "-q", "side"]);
    let polled = world.look();
    polled.assert_texts(&[
        "merge in progress on main",
        "conflicts in 4 files: a, b, c and 1 more",
    ]);
    assert_eq!(polled.keys(), ["operation", "conflict"]);
    assert_eq!(polled.magnitudes(), [3.0, 4.0]);
    assert!(polled.events().iter().all(|event| event.is_standing()));
    world.look().assert_quiet();

    world.git(["add", "a", "b"]);
    world.look().assert_texts(&["conflicts in 2 files: c, d"]);
    world.git(["add", "c"]);
    let polled = world.look();
    assert_eq!(polled.only_event().text(), "conflict in 1 file: d");
    world.git(["add", "d"]);
    let polled = world.look();
    assert_eq!(
        (polled.texts(), polled.cleared()),
        (vec![], vec!["conflict"])
    );

    world.git(["commit", "-q", "-m", "merged"]);
    let polled = world.look();
    let head = world.short("HEAD");
    polled.assert_texts(&[&format!(
        "merge on main finished: 2 commits, HEAD now {head}"
    )]);
    assert_eq!(
        (polled.keys(), polled.magnitudes()),
        (vec!["head"], vec![2.0])
    );
    let cleared = ["branch", "head", "dirty", "clean", "ahead", "operation"];
    assert_eq!(polled.cleared(), cleared);
    world.look().assert_quiet();
}

#[test]
fn a_conflict_is_told_at_the_first_look() {
    let world = forked(&["a"]);
    world.git_fails(["merge", "-q", "side"]);
    let mut fresh = world
        .harness
        .build(attend_sensors::git::GitConfig::default())
        .unwrap();
    let mut world = world;
    let polled = world.harness.poll(fresh.as_mut());
    polled.assert_texts(&["merge in progress on main", "conflict in 1 file: a"]);
    // What is dirty then is no news, not even when the merge is over.
    world.git(["merge", "--abort"]);
    world.harness.watcher().lost();
    let polled = world.harness.poll(fresh.as_mut());
    polled.assert_texts(&["merge on main ended, HEAD unchanged"]);
    assert!(polled.cleared().contains(&"conflict"));
}

#[test]
fn a_conflict_without_an_operation() {
    let mut world = forked(&["a"]);
    world.write("a", "stashed");
    world.git(["stash", "-q"]);
    world.commit("a", "committed", "c");
    world.look();
    world.git_fails(["stash", "pop", "-q"]);
    let polled = world.look();
    polled.assert_texts(&["conflict in 1 file: a"]);
    world.git(["checkout", "-q", "--ours", "a"]);
    world.git(["reset", "-q"]);
    world.look().assert_texts(&["work tree clean again"]);
}

#[test]
fn another_conflict_is_news_again() {
    let mut world = World::bare();
    world.start();
    world.commit("a", "0", "0");
    world.commit("b", "0", "0");
    world.git(["checkout", "-q", "-b", "side"]);
    world.commit("a", "side", "side a");
    world.commit("b", "side", "side b");
    world.git(["checkout", "-q", "main"]);
    world.commit("a", "main", "main a");
    world.commit("b", "main", "main b");
    world.git(["checkout", "-q", "side"]);
    world.look().assert_quiet();
    world.git_fails(["rebase", "-q", "main"]);
    world
        .look()
        .assert_texts(&["rebase in progress on side", "conflict in 1 file: a"]);
    world.git(["add", "a"]);
    world.git_fails(["rebase", "--continue"]);
    let polled = world.look();
    polled.assert_texts(&["conflict in 1 file: b"]);
    assert_eq!(polled.cleared(), ["conflict"]);
}
