//! Rebase, merge, cherry-pick, revert, am and bisect: in progress, and how they ended.

use attend_core::sensor::Key;

use super::world::World;

/// `main` and `side` each one commit ahead of the base, in conflict over `a`, on `side`.
pub(crate) fn forked() -> World {
    let mut world = World::bare();
    world.start();
    world.git(["checkout", "-q", "-b", "side"]);
    world.commit("a", "side", "side a");
    world.commit("b", "side", "side b");
    world.git(["checkout", "-q", "main"]);
    world.commit("a", "main", "main a");
    world.git(["checkout", "-q", "side"]);
    world.look().assert_quiet();
    world
}

const RELEASED: [&str; 6] = ["branch", "head", "dirty", "clean", "ahead", "operation"];

#[test]
fn a_rebase_with_a_conflict() {
    let mut world = forked();
    world.git_fails(["rebase", "-q", "main"]);
    let polled = world.look();
    polled.assert_texts(&["rebase in progress on side", "conflict in 1 file: a"]);
    let inhibits: Vec<&str> = polled.events()[0]
        .inhibits()
        .iter()
        .map(Key::as_str)
        .collect();
    assert_eq!(
        inhibits,
        ["branch", "head", "dirty", "clean", "ahead", "detached"]
    );

    // What happens inside it is no news, over a restart either.
    world.write("a", "both");
    world.write("c", "");
    world.look().assert_quiet();
    world.restart();
    world.look().assert_quiet();
    world.git(["add", "a"]);
    assert_eq!(world.look().cleared(), ["conflict"]);

    world.git(["rebase", "--continue"]);
    let polled = world.look();
    let head = world.short("HEAD");
    let text = format!("rebase of side finished: 2 commits, HEAD now {head}");
    polled.assert_texts(&[&text]);
    assert_eq!(
        (polled.keys(), polled.magnitudes()),
        (vec!["head"], vec![2.0])
    );
    assert_eq!(polled.cleared(), RELEASED);
    world.look().assert_quiet();
}

#[test]
fn a_rebase_that_is_given_up() {
    let mut world = forked();
    world.git_fails(["rebase", "-q", "main"]);
    world.look();
    world.git(["rebase", "--abort"]);
    let polled = world.look();
    polled.assert_texts(&["rebase of side ended, HEAD unchanged"]);
    assert_eq!(
        polled.cleared(),
        [
            "branch",
            "head",
            "dirty",
            "clean",
            "ahead",
            "operation",
            "conflict"
        ]
    );
    world.look().assert_quiet();
}

#[test]
fn a_rebase_that_is_left_half_way() {
    let mut world = forked();
    world.git_fails(["rebase", "-q", "main"]);
    world.look();
    world.git(["rebase", "--quit"]);
    world.git(["reset", "-q", "--hard"]);
    let head = world.short("HEAD");
    let polled = world.look();
    polled.assert_texts(&[
        &format!("rebase of side ended, HEAD now {head} (detached)"),
        &format!("HEAD detached at {head} (was side)"),
    ]);
    world.git(["checkout", "-q", "side"]);
    assert_eq!(world.look().cleared(), ["detached"]);
}

#[test]
fn a_rebase_of_a_detached_head_leaves_it_standing() {
    let mut world = forked();
    world.git(["checkout", "-q", "--detach"]);
    world.look();
    world.git_fails(["rebase", "-q", "main"]);
    world.look().assert_texts(&[
        "rebase in progress on a detached HEAD",
        "conflict in 1 file: a",
    ]);
    world.git(["rebase", "--abort"]);
    let polled = world.look();
    polled.assert_texts(&["rebase of a detached HEAD ended, HEAD unchanged"]);
    assert!(!polled.cleared().contains(&"detached"));
}

#[test]
fn the_apply_backend_is_a_rebase_too() {
    let mut world = forked();
    world.git_fails(["rebase", "-q", "--apply", "main"]);
    world
        .look()
        .assert_texts(&["rebase in progress on side", "conflict in 1 file: a"]);
    world.git(["rebase", "--abort"]);
    world
        .look()
        .assert_texts(&["rebase of side ended, HEAD unchanged"]);
}

#[test]
fn a_rebase_is_told_at_the_first_look() {
    let mut world = forked();
    world.git_fails(["rebase", "-q", "main"]);
    world.sensor = world
        .harness
        .build(attend_sensors::git::GitConfig::default())
        .unwrap();
    world
        .look()
        .assert_texts(&["rebase in progress on side", "conflict in 1 file: a"]);
    world.git(["rebase", "--abort"]);
    world.harness.watcher().lost();
    world
        .look()
        .assert_texts(&["rebase of side ended, HEAD unchanged"]);
}

#[test]
fn a_rebase_between_two_looks_is_a_moved_head() {
    let mut world = forked();
    world.git(["reset", "-q", "--hard", "HEAD~2"]);
    world.commit("c", "", "c");
    world.look();
    let before = world.short("HEAD");
    world.git(["rebase", "-q", "main"]);
    let after = world.short("HEAD");
    let text = format!("HEAD of side moved: {before} → {after} (not a descendant)");
    world.look().assert_texts(&[&text]);
}

#[test]
fn a_cherry_pick() {
    let mut world = forked();
    world.git(["checkout", "-q", "main"]);
    world.look();
    world.git_fails(["cherry-pick", "side~1", "side"]);
    world
        .look()
        .assert_texts(&["cherry-pick in progress on main", "conflict in 1 file: a"]);
    world.git(["add", "a"]);
    world.git(["cherry-pick", "--continue"]);
    let polled = world.look();
    let head = world.short("HEAD");
    polled.assert_texts(&[&format!(
        "cherry-pick on main finished: 2 commits, HEAD now {head}"
    )]);
    world.look().assert_quiet();
}

#[test]
fn a_cherry_pick_that_is_given_up() {
    let mut world = forked();
    world.git(["checkout", "-q", "main"]);
    world.look();
    world.git_fails(["cherry-pick", "side~1"]);
    world.look();
    world.git(["cherry-pick", "--abort"]);
    world
        .look()
        .assert_texts(&["cherry-pick on main ended, HEAD unchanged"]);
}

#[test]
fn a_revert() {
    let mut world = forked();
    world.commit("a", "later", "later");
    world.look();
    world.git_fails(["revert", "--no-edit", "HEAD~2"]);
    world
        .look()
        .assert_texts(&["revert in progress on side", "conflict in 1 file: a"]);
    world.git(["revert", "--abort"]);
    world
        .look()
        .assert_texts(&["revert on side ended, HEAD unchanged"]);
}

#[test]
fn patches_that_do_not_apply() {
    let mut world = forked();
    world.git(["checkout", "-q", "main"]);
    world.git(["format-patch", "-q", "-o", "../patches", "main..side"]);
    world.look();
    world.git_fails(["am", "-q", "../patches/0001-side-a.patch"]);
    world.look().assert_texts(&["am in progress on main"]);
    world.git(["am", "--abort"]);
    world
        .look()
        .assert_texts(&["am on main ended, HEAD unchanged"]);
}

#[test]
fn a_bisection() {
    let mut world = World::bare();
    world.start();
    for n in 0..6 {
        world.commit("a", &n.to_string(), "a");
    }
    world.look().assert_quiet();
    world.git(["bisect", "start", "-q", "HEAD", "HEAD~6"]);
    world.look().assert_texts(&["bisect in progress on main"]);
    world.git(["bisect", "good"]);
    world.look().assert_quiet();
    world.git(["bisect", "reset"]);
    world
        .look()
        .assert_texts(&["bisect on main ended, HEAD unchanged"]);
    world.look().assert_quiet();
}

#[test]
fn one_operation_after_another() {
    let mut world = forked();
    world.git_fails(["rebase", "-q", "main"]);
    world.look();
    world.git(["rebase", "--abort"]);
    world.git_fails(["merge", "-q", "main"]);
    let polled = world.look();
    polled.assert_texts(&["merge in progress on side"]);
    assert_eq!(polled.cleared(), RELEASED);
}

#[test]
fn what_changed_before_an_operation_is_kept_and_held_back_by_it() {
    let mut world = forked();
    world.write("z", "");
    world
        .look()
        .assert_texts(&["1 file newly dirty: z (1 dirty in all)"]);
    world.git_fails(["merge", "-q", "main"]);
    world.write("y", "");
    let polled = world.look();
    polled.assert_texts(&["merge in progress on side", "conflict in 1 file: a"]);
    assert_eq!(polled.cleared(), Vec::<&str>::new());
}
