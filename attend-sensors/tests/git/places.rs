//! Where the root may lie: in a part of a work tree, a linked work tree, a submodule.

use std::fs;

use attend_sensors::git::GitConfig;

use super::world::{World, git};

#[test]
fn a_root_inside_a_work_tree_covers_all_of_it() {
    let mut world = World::bare();
    let top = world.beside("");
    git(&top, ["init", "-q", "-b", "main"]);
    git(&top, ["commit", "-q", "--allow-empty", "-m", "base"]);
    world.look().assert_quiet();
    world.write("inside", "");
    fs::write(top.join("outside"), "").unwrap();
    world
        .look()
        .assert_texts(&["2 files newly dirty: outside, project/ (2 dirty in all)"]);
    git(&top, ["checkout", "-q", "-b", "next"]);
    world.look().assert_texts(&["branch changed: main → next"]);
}

#[test]
fn a_linked_work_tree_has_its_own_branch_and_operations() {
    let mut world = World::bare();
    let main = world.beside("main");
    fs::create_dir(&main).unwrap();
    git(&main, ["init", "-q", "-b", "main"]);
    for text in ["one", "two"] {
        fs::write(main.join("a"), text).unwrap();
        git(&main, ["add", "a"]);
        git(&main, ["commit", "-q", "-m", text]);
    }
    git(
        &main,
        [
            "worktree",
            "add",
            "-q",
            "-b",
            "side",
            "../project",
            "HEAD~1",
        ],
    );
    world.look().assert_quiet();

    // What happens in the other work tree is no business of this one.
    fs::write(main.join("dirty"), "").unwrap();
    git(&main, ["checkout", "-q", "-b", "other"]);
    world.look().assert_quiet();

    world.commit("a", "three", "three");
    world
        .look()
        .assert_texts(&["1 new commit on side, newest: \"three\""]);
    world.git_fails(["rebase", "-q", "main"]);
    world
        .look()
        .assert_texts(&["rebase in progress on side", "conflict in 1 file: a"]);
    world.git(["rebase", "--abort"]);
    world
        .look()
        .assert_texts(&["rebase of side ended, HEAD unchanged"]);
}

#[test]
fn a_linked_work_tree_is_watched_where_its_files_are() {
    let mut world = World::watched();
    let main = world.beside("main");
    fs::create_dir(&main).unwrap();
    git(&main, ["init", "-q", "-b", "main"]);
    git(&main, ["commit", "-q", "--allow-empty", "-m", "base"]);
    git(&main, ["worktree", "add", "-q", "-b", "side", "../project"]);
    world.look().assert_quiet();
    let watched = world.harness.watcher().watched();
    let common = main.join(".git");
    for path in [
        world.work(),
        common.join("worktrees/project"),
        common.join("refs/heads"),
        common,
    ] {
        assert!(watched.contains(&path), "{} is not watched", path.display());
    }
    assert!(!watched.contains(&main));
    world.runner.take();
    for other in ["HEAD", "index", "MERGE_HEAD", "refs/heads/main.lock"] {
        assert!(
            world
                .harness
                .watcher()
                .changed(main.join(".git").join(other))
        );
    }
    world.look().assert_quiet();
    assert_eq!(world.runner.take().len(), 0);
    world.git(["commit", "-q", "--allow-empty", "-m", "next"]);
    assert!(
        world
            .harness
            .watcher()
            .changed(main.join(".git/refs/heads/side"))
    );
    world
        .look()
        .assert_texts(&["1 new commit on side, newest: \"next\""]);
}

/// A repository with the submodule `project`, in which the root lies.
fn with_submodule(world: &World) {
    let (top, library) = (world.beside(""), world.beside("library"));
    fs::create_dir(&library).unwrap();
    git(&library, ["init", "-q", "-b", "main"]);
    git(&library, ["commit", "-q", "--allow-empty", "-m", "library"]);
    fs::write(top.join(".gitignore"), "/*/\n!/project/\n").unwrap();
    git(&top, ["init", "-q", "-b", "main"]);
    fs::remove_dir(world.work()).unwrap();
    git(&top, ["submodule", "add", "-q", "./library", "project"]);
    git(&top, ["add", "-A"]);
    git(&top, ["commit", "-q", "-m", "with a submodule"]);
}

#[test]
fn a_root_inside_a_submodule_covers_the_submodule() {
    let mut world = World::bare();
    with_submodule(&world);
    world.look().assert_quiet();
    fs::write(world.beside("unrelated"), "").unwrap();
    world.look().assert_quiet();
    world.commit("a", "", "inside");
    world.look().assert_texts(&[
        "1 new commit on main, newest: \"inside\"",
        "1 commit ahead of origin/main",
    ]);
}

#[test]
fn a_changed_submodule_is_a_dirty_file_of_the_repository_around_it() {
    let mut world = World::watched();
    world.start();
    let library = world.beside("library");
    fs::create_dir(&library).unwrap();
    git(&library, ["init", "-q", "-b", "main"]);
    git(&library, ["commit", "-q", "--allow-empty", "-m", "library"]);
    fs::create_dir(library.join("deep")).unwrap();
    fs::write(library.join("deep/file"), "").unwrap();
    git(&library, ["add", "-A"]);
    git(&library, ["commit", "-q", "-m", "file"]);
    world.git(["submodule", "add", "-q", "../library", "vendor/lib"]);
    world.git(["commit", "-q", "-m", "with a submodule"]);
    world.look().assert_quiet();

    // Its files and its git directory are watched too.
    world.write("vendor/lib/deep/file", "changed");
    assert!(
        world
            .harness
            .watcher()
            .changed(world.work().join("vendor/lib/deep/file"))
    );
    world
        .look()
        .assert_texts(&["1 file newly dirty: vendor/lib (1 dirty in all)"]);
    let sub = world.work().join("vendor/lib");
    git(&sub, ["commit", "-q", "-a", "-m", "changed"]);
    assert!(
        world
            .harness
            .watcher()
            .changed(world.work().join(".git/modules/vendor/lib/index"))
    );
    world.look().assert_quiet();
    git(&sub, ["checkout", "-q", "--detach", "HEAD~1"]);
    assert!(
        world
            .harness
            .watcher()
            .changed(world.work().join(".git/modules/vendor/lib/HEAD"))
    );
    world.look().assert_texts(&["work tree clean again"]);
}

#[test]
fn another_repository_inside_is_one_entry_and_not_watched() {
    let mut world = World::watched();
    world.start();
    world.write("nested/deep/file", "");
    git(&world.work().join("nested"), ["init", "-q"]);
    world.look().assert_quiet();
    let watched = world.harness.watcher().watched();
    assert!(
        !watched
            .iter()
            .any(|path| path.ends_with("nested") || path.ends_with("deep"))
    );
    assert!(watched.contains(&world.work()));
}

#[test]
fn a_directory_whose_name_has_a_line_break() {
    let mut world = World::bare();
    let odd = world.beside("odd\nname");
    fs::create_dir(&odd).unwrap();
    git(&odd, ["init", "-q", "-b", "main"]);
    git(&odd, ["commit", "-q", "--allow-empty", "-m", "base"]);
    git(&odd, ["worktree", "add", "-q", "../project", "-b", "side"]);
    world.look().assert_quiet();
    world.git(["checkout", "-q", "-b", "next"]);
    world.look().assert_texts(&["branch changed: side → next"]);
}

#[test]
fn a_repository_that_appears_later() {
    let mut world = World::bare();
    world.look().error();
    world.start();
    world.look().assert_quiet();
    world.write("a", "");
    world
        .look()
        .assert_texts(&["1 file newly dirty: a (1 dirty in all)"]);
}

#[test]
fn a_symbolic_link_to_the_root_is_the_same_repository() {
    let mut world = World::started();
    let snapshot = world.sensor.snapshot().unwrap();
    let link = world.beside("link");
    std::os::unix::fs::symlink(world.work(), &link).unwrap();
    let mut again = world
        .harness
        .build(GitConfig::default().by_interval())
        .unwrap();
    again.restore(&snapshot).unwrap();
    world.harness.poll(again.as_mut()).assert_quiet();
}
