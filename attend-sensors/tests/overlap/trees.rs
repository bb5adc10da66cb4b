//! Linked work trees: one file is the same file in all of them.

use std::os::unix::fs::symlink;

use super::world::{World, over, peer};

/// A repository with a linked work tree `fix` inside of it, in which the other session works.
fn linked() -> World {
    let mut world = World::repository();
    let private = ".git/worktrees/fix";
    world
        .harness
        .write(format!("{private}/commondir"), "../..\n");
    world
        .harness
        .write(format!("{private}/gitdir"), "../../../fix/.git\n");
    world
        .harness
        .write("fix/.git", "gitdir: ../.git/worktrees/fix\n");
    let fix = world.harness.work().join("fix");
    world.theirs[0].peer = peer(1, &fix);
    world.near.push(fix.canonicalize().unwrap());
    world
}

fn both(world: &World, files: &str) -> String {
    let name = world.name();
    format!("{name} (in the work tree fix) and this session both edited {files}")
}

#[test]
fn a_file_of_another_work_tree_is_the_same_file() {
    let mut world = linked();
    world.edit("src/a.rs");
    world.theirs_edit("fix/src/b.rs");
    world.look().assert_quiet();
    world.theirs_edit("fix/src/a.rs");
    let expected = both(&world, "src/a.rs");
    assert_eq!(world.said(), [expected]);
    world.look().assert_quiet();
}

#[test]
fn it_is_over_when_either_commits_in_its_own_work_tree() {
    for git in [".git", ".git/worktrees/fix"] {
        let mut world = linked();
        world.edit("a");
        world.theirs_edit("fix/a");
        assert_eq!(world.said().len(), 1);
        world.commit(git);
        assert_eq!(world.said(), [over(1)], "{git}");
        // Whoever committed may edit it again.
        if git == ".git" {
            world.edit("a");
        } else {
            world.theirs_edit("fix/a");
        }
        assert_eq!(world.said(), [both(&world, "a")], "{git}");
    }
}

#[test]
fn the_same_name_in_another_repository_is_another_file() {
    let mut world = World::repository();
    world.harness.write("dep/.git/HEAD", "");
    world.edit("a");
    world.theirs_edit("dep/a");
    world.look().assert_quiet();
    world.edit("dep/a");
    let said = world.said();
    assert!(said.len() == 1 && said[0].ends_with("/dep/a"), "{said:?}");
}

#[test]
fn one_file_by_two_paths_is_one() {
    let mut world = World::repository();
    world.edit("src/a.rs");
    symlink("src", world.harness.work().join("link")).unwrap();
    world.theirs_edit("link/a.rs");
    assert_eq!(world.said(), [world.both("src/a.rs")]);
}
