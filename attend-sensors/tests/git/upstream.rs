//! The upstream of a branch: fetched, moved by force, pushed to, pulled from.

use super::world::{World, git};

/// A clone of a bare repository beside it, which `elsewhere` is a clone of too.
pub(crate) fn cloned() -> World {
    cloned_in(World::bare())
}

fn cloned_in(mut world: World) -> World {
    world.start();
    let bare = world.beside("origin.git");
    let bare = bare.to_str().unwrap();
    world.git(["clone", "-q", "--bare", ".", bare]);
    world.git(["remote", "add", "origin", bare]);
    world.git(["fetch", "-q", "origin"]);
    world.look().assert_quiet();
    world.git(["branch", "-q", "--set-upstream-to=origin/main"]);
    world.look().assert_quiet();
    world.git(["clone", "-q", bare, "../elsewhere"]);
    world
}

/// Commits and pushes in the other clone.
pub(crate) fn elsewhere(world: &World, commits: usize) {
    let dir = world.beside("elsewhere");
    for _ in 0..commits {
        git(&dir, ["commit", "-q", "--allow-empty", "-m", "elsewhere"]);
    }
    git(&dir, ["push", "-q", "-f", "origin", "main"]);
}

#[test]
fn a_fetch_that_brings_something() {
    let mut world = cloned();
    elsewhere(&world, 3);
    world.look().assert_quiet();
    world.git(["fetch", "-q"]);
    let polled = world.look();
    assert_eq!(
        polled.only_event().text(),
        "origin/main moved: 3 commits to pull"
    );
    assert_eq!(
        (polled.keys(), polled.magnitudes()),
        (vec!["upstream"], vec![2.5])
    );
    world.look().assert_quiet();
    elsewhere(&world, 1);
    world.git(["fetch", "-q"]);
    world
        .look()
        .assert_texts(&["origin/main moved: 4 commits to pull"]);

    world.git(["merge", "-q", "--ff-only", "origin/main"]);
    let polled = world.look();
    polled.assert_texts(&["4 new commits on main, newest: \"elsewhere\""]);
    assert_eq!(polled.cleared(), ["upstream"]);
}

#[test]
fn a_watched_branch_that_differs_from_its_upstream_is_read() {
    let mut world = cloned_in(World::watched());
    world.restart_watched();
    world.look().assert_quiet();
    elsewhere(&world, 1);
    world.git(["fetch", "-q"]);
    world.commit("own", "own\n", "own");
    world.restart_watched();
    world.look().assert_texts(&[
        "1 new commit on main, newest: \"own\"",
        "1 commit ahead of origin/main",
        "origin/main moved: 1 commit to pull",
    ]);
}

#[test]
fn a_pull_is_new_commits() {
    let mut world = cloned();
    elsewhere(&world, 2);
    world.git(["pull", "-q", "--ff-only"]);
    world
        .look()
        .assert_texts(&["2 new commits on main, newest: \"elsewhere\""]);
}

#[test]
fn an_upstream_that_was_moved_by_force() {
    let mut world = cloned();
    elsewhere(&world, 1);
    world.git(["pull", "-q", "--ff-only"]);
    world.look();
    let before = world.short("origin/main");
    git(
        &world.beside("elsewhere"),
        ["reset", "-q", "--hard", "HEAD~1"],
    );
    git(
        &world.beside("elsewhere"),
        ["commit", "-q", "--allow-empty", "-m", "other"],
    );
    elsewhere(&world, 0);
    world.git(["fetch", "-q"]);
    let after = world.short("origin/main");
    let text = format!("origin/main was force-moved: {before} → {after} (1 commit to pull)");
    world
        .look()
        .assert_texts(&["1 commit ahead of origin/main", &text]);
    git(
        &world.beside("elsewhere"),
        ["reset", "-q", "--hard", "HEAD~1"],
    );
    elsewhere(&world, 0);
    world.git(["fetch", "-q"]);
    let back = world.short("origin/main");
    world
        .look()
        .assert_texts(&[&format!("origin/main was moved back: {after} → {back}")]);
}

#[test]
fn ahead_until_it_is_pushed() {
    let mut world = cloned();
    world.commit("a", "", "a");
    let polled = world.look();
    polled.assert_texts(&[
        "1 new commit on main, newest: \"a\"",
        "1 commit ahead of origin/main",
    ]);
    assert_eq!(polled.keys(), ["head", "ahead"]);
    assert_eq!(polled.magnitudes(), [2.0, 1.0]);
    world.commit("b", "", "b");
    let polled = world.look();
    polled.assert_texts(&[
        "2 new commits on main, newest: \"b\"",
        "2 commits ahead of origin/main",
    ]);
    world.git(["push", "-q", "origin", "main"]);
    let polled = world.look();
    assert_eq!((polled.texts(), polled.cleared()), (vec![], vec!["ahead"]));
    world.look().assert_quiet();
    // Pushed by force what was pushed before: that is this clone's own doing too.
    world.git(["commit", "-q", "--amend", "-m", "better"]);
    world.git(["push", "-q", "-f", "origin", "main"]);
    let polled = world.look();
    assert_eq!(polled.keys(), ["head"]);
}

#[test]
fn setting_and_losing_an_upstream_is_no_news() {
    let mut world = cloned();
    world.commit("a", "", "a");
    world.look();
    world.git(["branch", "-q", "--unset-upstream"]);
    let polled = world.look();
    assert_eq!((polled.texts(), polled.cleared()), (vec![], vec!["ahead"]));
    world.git(["branch", "-q", "--set-upstream-to=origin/main"]);
    world.look().assert_quiet();
    world.git(["update-ref", "-d", "refs/remotes/origin/main"]);
    let polled = world.look();
    assert_eq!((polled.texts(), polled.cleared()), (vec![], vec!["ahead"]));
    elsewhere(&world, 1);
    world.git(["fetch", "-q"]);
    world.look().assert_quiet();
}

#[test]
fn another_branch_has_another_upstream() {
    let mut world = cloned();
    world.commit("a", "", "a");
    world.look();
    world.git(["checkout", "-q", "-b", "side", "--track", "origin/main"]);
    let polled = world.look();
    polled.assert_texts(&["branch changed: main → side"]);
    assert_eq!(polled.cleared(), ["ahead"]);
    world.git(["checkout", "-q", "main"]);
    world.look().assert_texts(&["branch changed: side → main"]);
}

#[test]
fn an_upstream_may_be_a_local_branch() {
    let mut world = World::bare();
    world.start();
    world.git(["branch", "base"]);
    world.git(["branch", "-q", "--set-upstream-to=base"]);
    world.look().assert_quiet();
    let tree = world.git(["rev-parse", "HEAD^{tree}"]);
    let commit = world.git(["commit-tree", "-p", "base", "-m", "x", &tree]);
    world.git(["update-ref", "refs/heads/base", &commit]);
    world.look().assert_texts(&["base moved: 1 commit to pull"]);
}

#[test]
fn a_fetch_during_a_rebase_is_told_when_it_is_over() {
    let mut world = cloned();
    world.commit("base", "here", "here");
    world.git(["checkout", "-q", "-b", "side", "HEAD~1"]);
    world.commit("base", "there", "there");
    world.git(["checkout", "-q", "main"]);
    world.look();
    world.git_fails(["rebase", "-q", "side"]);
    world.look();
    elsewhere(&world, 2);
    world.git(["fetch", "-q"]);
    world.look().assert_quiet();
    world.git(["rebase", "--abort"]);
    world.look().assert_texts(&[
        "rebase of main ended, HEAD unchanged",
        "origin/main moved: 2 commits to pull",
    ]);
}
