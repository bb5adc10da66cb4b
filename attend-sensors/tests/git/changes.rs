//! Branch, HEAD and dirty files of a repository in which nothing is in progress.

use super::world::World;

#[test]
fn a_clean_tree_is_quiet() {
    let mut world = World::started();
    world.look().assert_quiet();
    world.write("a", "");
    world.look();
    world.look().assert_quiet();
}

#[test]
fn what_is_dirty_at_the_first_look_is_no_news() {
    let mut world = World::bare();
    world.start();
    world.write("a", "");
    world.look().assert_quiet();
    world.write("b", "");
    let polled = world.look();
    assert_eq!(polled.texts(), ["1 file newly dirty: b (2 dirty in all)"]);
    assert_eq!(
        (polled.keys(), polled.magnitudes()),
        (vec!["dirty"], vec![1.5])
    );
}

#[test]
fn another_branch() {
    let mut world = World::started();
    world.git(["checkout", "-q", "-b", "feat/x"]);
    let polled = world.look();
    let event = polled.only_event();
    assert_eq!(event.text(), "branch changed: main → feat/x");
    assert_eq!(
        (polled.keys(), polled.magnitudes()),
        (vec!["branch"], vec![3.0])
    );
    world.commit("a", "", "a");
    world
        .look()
        .assert_texts(&["1 new commit on feat/x, newest: \"a\""]);
    // HEAD moves with the branch: that is one change.
    world.git(["checkout", "-q", "main"]);
    world
        .look()
        .assert_texts(&["branch changed: feat/x → main"]);
    world.git(["branch", "-q", "-m", "trunk"]);
    world.look().assert_texts(&["branch changed: main → trunk"]);
}

#[test]
fn new_commits_add_up_for_a_moment() {
    let mut world = World::started();
    world.commit("a", "", "first");
    let polled = world.look();
    assert_eq!(
        polled.only_event().text(),
        "1 new commit on main, newest: \"first\""
    );
    assert_eq!(
        (polled.keys(), polled.magnitudes()),
        (vec!["head"], vec![2.0])
    );
    world.commit("b", "", "second");
    world.commit("c", "", "the \"third\"\nand a body");
    world
        .look()
        .assert_texts(&["3 new commits on main, newest: \"the \"third\" and a body\""]);
    world.look_after(200).assert_quiet();
    world.git([
        "commit",
        "-q",
        "--allow-empty",
        "--allow-empty-message",
        "-m",
        "",
    ]);
    world.look().assert_texts(&["1 new commit on main"]);
}

#[test]
fn head_that_moved_elsewhere() {
    let mut world = World::started();
    world.commit("a", "", "a");
    world.look();
    let before = world.short("HEAD");
    world.git(["commit", "-q", "--amend", "-m", "better"]);
    let after = world.short("HEAD");
    let text = format!("HEAD of main moved: {before} → {after} (not a descendant)");
    assert_eq!(world.look().only_event().text(), text);
    world.git(["reset", "-q", "--hard", "HEAD~1"]);
    let back = world.short("HEAD");
    let text = format!("HEAD of main moved: {after} → {back} (not a descendant)");
    assert_eq!(world.look().only_event().text(), text);
}

#[test]
fn the_first_commit() {
    let mut world = World::bare();
    world.git(["init", "-q", "-b", "main"]);
    world.look().assert_quiet();
    world.write("a", "");
    world
        .look()
        .assert_texts(&["1 file newly dirty: a (1 dirty in all)"]);
    world.git(["add", "a"]);
    world.look().assert_quiet();
    world.git(["commit", "-q", "-m", "birth"]);
    let polled = world.look();
    polled.assert_texts(&[
        "1 new commit on main, newest: \"birth\"",
        "work tree clean again",
    ]);
    assert_eq!(polled.cleared(), ["dirty"]);
    let before = world.short("HEAD");
    world.git(["update-ref", "-d", "HEAD"]);
    world.look().assert_texts(&[
        &format!("HEAD of main moved: {before} → no commit"),
        "1 file newly dirty: a (1 dirty in all)",
    ]);
}

#[test]
fn a_detached_head_stands() {
    let mut world = World::started();
    world.commit("a", "", "a");
    world.look();
    world.git(["checkout", "-q", "--detach"]);
    let here = world.short("HEAD");
    let polled = world.look();
    let event = polled.only_event();
    assert_eq!(event.text(), format!("HEAD detached at {here} (was main)"));
    assert!(event.is_standing());
    assert_eq!(event.inhibits(), ["branch".into()]);
    assert_eq!(
        (polled.keys(), polled.magnitudes()),
        (vec!["detached"], vec![3.0])
    );
    world.look().assert_quiet();

    world.git(["checkout", "-q", "HEAD~1"]);
    let there = world.short("HEAD");
    world.look().assert_texts(&[
        &format!("HEAD moved: {here} → {there} (detached)"),
        &format!("HEAD detached at {there} (was main)"),
    ]);

    world.git(["checkout", "-q", "main"]);
    let polled = world.look();
    polled.assert_texts(&[&format!("branch changed: detached at {there} → main")]);
    assert_eq!(polled.cleared(), ["detached"]);
}

#[test]
fn a_detached_head_is_told_at_the_first_look() {
    let mut world = World::bare();
    world.start();
    world.git(["checkout", "-q", "--detach"]);
    let text = format!("HEAD detached at {}", world.short("HEAD"));
    assert_eq!(world.look().only_event().text(), text);
    world.git(["checkout", "-q", "main"]);
    assert_eq!(world.look().cleared(), ["detached"]);
}

#[test]
fn many_files_at_once_are_one_event() {
    let mut world = World::started();
    for n in 0..200 {
        world.write(&format!("f{n:03}"), "");
    }
    let polled = world.look();
    polled
        .assert_texts(&["200 files newly dirty: f000, f001, f002 and 197 more (200 dirty in all)"]);
    assert_eq!(polled.magnitudes(), [3.0]);
}

#[test]
fn a_burst_adds_up_and_slow_editing_does_not() {
    let mut world = World::started();
    for (name, magnitude) in [("a", 1.5), ("b", 1.5), ("c", 1.5), ("d", 1.5)] {
        world.write(name, "");
        assert_eq!(world.look_after(20).magnitudes(), [magnitude]);
    }
    world.write("e", "");
    let polled = world.look_after(20);
    polled.assert_texts(&["5 files newly dirty: a, b, c and 2 more (5 dirty in all)"]);
    assert_eq!(polled.magnitudes(), [2.0]);
    world.write("f", "");
    let polled = world.look_after(119);
    polled.assert_texts(&["2 files newly dirty: e, f (6 dirty in all)"]);
    world.write("g", "");
    world
        .look_after(120)
        .assert_texts(&["1 file newly dirty: g (7 dirty in all)"]);
}

#[test]
fn clean_again_and_dirty_again() {
    let mut world = World::started();
    world.write("base", "changed\n");
    world.look();
    world.git(["checkout", "-q", "--", "base"]);
    let polled = world.look();
    polled.assert_texts(&["work tree clean again"]);
    assert_eq!(
        (polled.keys(), polled.magnitudes()),
        (vec!["clean"], vec![1.0])
    );
    assert_eq!(polled.cleared(), ["dirty"]);
    world.look().assert_quiet();
    world.write("base", "again\n");
    let polled = world.look();
    polled.assert_texts(&["1 file newly dirty: base (1 dirty in all)"]);
    assert_eq!(polled.cleared(), ["clean"]);
}

#[test]
fn a_burst_that_is_gone_is_taken_back() {
    let mut world = World::started();
    world.write("old", "");
    world.look();
    world.write("new", "");
    world.look_after(200);
    world.harness.remove("new");
    let polled = world.look();
    assert_eq!((polled.texts(), polled.cleared()), (vec![], vec!["dirty"]));
}

#[test]
fn a_file_lost_by_the_index_and_kept_by_the_tree_is_one_file() {
    let mut world = World::started();
    world.git(["rm", "-q", "--cached", "base"]);
    world
        .look()
        .assert_texts(&["1 file newly dirty: base (1 dirty in all)"]);
    world.write("b", "");
    world
        .look()
        .assert_texts(&["2 files newly dirty: b, base (2 dirty in all)"]);
}

#[test]
fn a_restart_tells_what_happened_meanwhile_and_nothing_else() {
    let mut world = World::started();
    world.write("a", "");
    world.look();
    world.restart();
    world.look().assert_quiet();
    world.git(["checkout", "-q", "-b", "next"]);
    world.write("b", "");
    world.restart();
    world.look().assert_texts(&[
        "branch changed: main → next",
        "2 files newly dirty: a, b (2 dirty in all)",
    ]);
}

#[test]
fn another_repository_in_its_place_is_a_new_baseline() {
    let world = World::started();
    let before = world.sensor.snapshot().unwrap();
    let mut other = World::started();
    other.git(["checkout", "-q", "-b", "other"]);
    other.restart();
    other.sensor.restore(&before).unwrap();
    other.look().assert_quiet();
}
