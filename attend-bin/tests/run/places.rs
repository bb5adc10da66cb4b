//! The same from wherever the project is: a linked work tree, a subdirectory, a submodule, and
//! before the first commit.

use std::fs;
use std::path::Path;

use crate::home::stdout;
use crate::live::{eventually, left_out};
use crate::world::{Told, World};

#[test]
fn a_linked_work_tree_has_news_of_its_own() {
    let world = World::new();
    let linked = world.beside("linked");
    world.git(["worktree", "add", "-q", "-b", "side", "../linked"]);
    assert_eq!(world.once().lines.len(), 1);
    assert_eq!(world.once_in(&linked).lines.len(), 1);

    world.git_in(&linked, ["switch", "-qc", "side-2"]);
    world.tells_in(&linked, "branch changed: side → side-2");
    assert!(
        world.once().lines.is_empty(),
        "it happened in another work tree"
    );
    world.git(["switch", "-qc", "main-2"]);
    world.tells("branch changed: main → main-2");
    assert!(world.once_in(&linked).lines.is_empty());

    fs::write(linked.join("base"), "other").expect("a file");
    world.tells_in(&linked, "1 file newly dirty: base");
}

#[test]
fn a_subdirectory_is_the_project_that_it_lies_in() {
    let world = World::new();
    fs::create_dir_all(world.repo().join("sub/deeper")).expect("a directory");
    let run = |dir: &str| {
        let mut command = world
            .home
            .attend(&["run", "--once", "--rearm", "--project", dir]);
        Told::by(&mut command)
    };
    let first = run("sub");
    assert!(
        first.lines[0].contains(" watches project with git"),
        "{first:?}"
    );
    world.git(["switch", "-qc", "feat/x"]);
    assert_eq!(run("sub/deeper").count("branch changed: main → feat/x"), 1);
    assert!(run(".").lines.is_empty(), "one project has one memory");
    let mut status = world.home.attend(&["status"]);
    let output = status.current_dir(world.repo().join("sub")).output();
    assert!(stdout(&output.expect("attend starts")).contains("1 reported: 1 shown"));
}

#[test]
fn a_submodule_is_a_project_and_a_part_of_one() {
    let world = World::new();
    let library = world.beside("library");
    world.git(["clone", "-q", ".", "../library"]);
    world.git(["submodule", "--quiet", "add", "../library", "lib"]);
    world.git(["commit", "-qm", "with a submodule"]);
    let inner = world.repo().join("lib");
    assert!(library.is_dir());
    assert_eq!(world.once().lines.len(), 1);
    assert_eq!(world.once_in(&inner).lines.len(), 1);

    world.git_in(&inner, ["switch", "-qc", "fix"]);
    fs::write(inner.join("base"), "fixed").expect("a file");
    world.git_in(&inner, ["commit", "-qam", "fixed"]);
    world.tells_in(&inner, "branch changed: main → fix");
    world.tells("1 file newly dirty: lib");
}

#[test]
fn a_repository_without_a_commit_has_news_from_its_first_one_on() {
    let world = World::new();
    let unborn = world.beside("unborn");
    world.git(["init", "-q", "-b", "trunk", "../unborn"]);
    let first = world.once_in(&unborn);
    assert_eq!(
        (first.lines.len(), first.errors.as_str()),
        (1, ""),
        "{first:?}"
    );
    world.git_in(&unborn, ["commit", "-q", "--allow-empty", "-m", "first"]);
    world.tells_in(&unborn, "1 new commit on trunk, newest: \"first\"");
}

#[test]
fn what_is_no_repository_is_said_once() {
    let world = World::new();
    let plain = world.beside("plain");
    fs::create_dir(&plain).expect("a directory");
    let said = |told: &Told| told.errors.contains("not inside a git work tree");
    let first = world.once_in(&plain);
    assert!(said(&first), "{first:?}");
    assert_eq!(first.lines.len(), 1, "{first:?}");
    let banner = " watches plain with process; no repository there for git (an observer: ";
    assert!(first.lines[0].contains(banner), "{first:?}");
    assert_eq!(world.status_in(&plain).git()["condition"], "unavailable");
    becomes_a_repository(&world, &plain);
}

#[test]
fn a_directory_that_becomes_a_repository_is_noticed() {
    let world = World::new();
    let plain = world.beside("plain");
    fs::create_dir_all(plain.join(".claude")).expect("a directory");
    let quick = "sensors:\n  git: {interval: 1, min_interval: 1}\n";
    fs::write(plain.join(".claude/attend.yaml"), quick).expect("a file");
    let mut live = world.live(&["run", "--project", "../plain"]);
    live.line();
    assert!(live.error().contains("not inside a git work tree"));
    world.git_in(&plain, ["init", "-q", "-b", "main"]);
    eventually("the repository is looked at", || {
        world.status_in(&plain).git()["condition"] == "healthy"
    });
}

#[test]
fn the_root_of_everything_is_called_as_it_is() {
    let world = World::new();
    if Path::new("/.git").exists() {
        return left_out("a banner in /", "/ is a repository here");
    }
    let first = world.once_in(Path::new("/"));
    let banner = " watches / with process; no repository there for git (";
    assert!(first.lines[0].contains(banner), "{first:?}");
}

fn becomes_a_repository(world: &World, plain: &Path) {
    world.git_in(plain, ["init", "-q", "-b", "main"]);
    let told = world.once_in(plain);
    assert_eq!(told.errors, "");
    assert_eq!(world.status_in(plain).git()["condition"], "healthy");
}
