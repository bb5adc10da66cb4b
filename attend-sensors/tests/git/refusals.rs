//! What is no repository, cannot be read, or must not be run; and what a look must not disturb.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::thread;

use attend_core::sensor::ErrorKind;

use super::world::{World, git, run_git};

#[test]
fn no_repository_is_said_and_looked_for_again() {
    let mut world = World::bare();
    let polled = world.look();
    let error = polled.error();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    let said = error.to_string();
    assert!(
        said.starts_with("not inside a git work tree: there is no repository at /"),
        "{said}"
    );
    assert!(world.sensor.snapshot().is_none());
}

#[test]
fn a_repository_that_appears_is_noticed_and_until_then_no_command_runs() {
    let mut world = World::watched();
    assert_eq!(world.look().error().kind(), ErrorKind::Unavailable);
    assert_eq!(world.runner.take().len(), 1);
    let work = world.work();
    assert_eq!(world.harness.watcher().watched(), vec![world.work()]);
    // Other files come and go.
    world.write("notes", "");
    assert!(world.harness.watcher().changed(work.join("notes")));
    assert_eq!(world.look().error().kind(), ErrorKind::Unavailable);
    assert_eq!(world.runner.take().len(), 0);
    // Half of a repository is none yet, and its other half is waited for.
    fs::create_dir(work.join(".git")).unwrap();
    assert!(world.harness.watcher().restructured(work.join(".git")));
    assert_eq!(world.look().error().kind(), ErrorKind::Unavailable);
    assert_eq!(world.runner.take().len(), 1);
    world.git(["init", "-q", "-b", "main"]);
    assert!(world.harness.watcher().changed(work.join(".git/HEAD")));
    world.look().assert_quiet();
    world.commit("a", "", "first");
    assert!(world.harness.watcher().changed(work.join(".git/index")));
    world
        .look()
        .assert_texts(&["1 new commit on main, newest: \"first\""]);
}

#[test]
fn what_no_watch_shows_is_asked_for_now_and_then() {
    let mut world = World::bare();
    assert_eq!(world.look().error().kind(), ErrorKind::Unavailable);
    let above = world.work().parent().unwrap().to_owned();
    git(&above, ["init", "-q", "-b", "main"]);
    assert_eq!(world.look().error().kind(), ErrorKind::Unavailable);
    assert_eq!(world.runner.take().len(), 1);
    world.look_after(600).assert_quiet();
}

#[test]
fn a_bare_repository_has_no_work_tree() {
    let mut world = World::bare();
    world.git(["init", "-q", "--bare"]);
    let polled = world.look();
    assert_eq!(polled.error().kind(), ErrorKind::Unavailable);
    let said = polled.error().to_string();
    assert!(said.starts_with("not inside a git work tree: "), "{said}");
    assert!(said.contains("bare repository"), "{said}");
}

#[test]
fn no_git_program() {
    let mut world = World::started();
    world.runner.inherit("PATH", "/nonexistent");
    let polled = world.look();
    assert_eq!(polled.error().kind(), ErrorKind::Unavailable);
}

#[test]
fn a_repository_of_somebody_else() {
    let mut world = World::started();
    world.runner.inherit("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
    let polled = world.look();
    let said = polled.error().to_string();
    assert_eq!(polled.error().kind(), ErrorKind::Unavailable);
    assert!(said.contains("dubious ownership"), "{said}");
    assert!(
        said.contains("git config --global --add safe.directory /"),
        "{said}"
    );
}

#[test]
fn a_look_that_failed_changes_nothing() {
    let mut world = World::started();
    world.write("a", "");
    world.look();
    let index = world.work().join(".git/index");
    let good = fs::read(&index).unwrap();
    fs::write(&index, "garbage").unwrap();
    world.write("b", "");
    let polled = world.look();
    assert_eq!(polled.error().kind(), ErrorKind::Transient);
    assert!(
        polled.error().to_string().contains("git status failed"),
        "{polled:?}"
    );
    fs::write(&index, good).unwrap();
    world
        .look()
        .assert_texts(&["2 files newly dirty: a, b (2 dirty in all)"]);
}

#[test]
fn a_commit_that_is_gone_is_not_called_an_ancestor_or_not() {
    let mut world = World::started();
    let before = world.short("HEAD");
    fs::remove_dir_all(world.work().join(".git")).unwrap();
    world.start();
    world.git(["commit", "-q", "--amend", "-m", "another base"]);
    world.git(["reflog", "expire", "--expire=now", "--all"]);
    world.git(["gc", "-q", "--prune=now"]);
    let after = world.short("HEAD");
    world
        .look()
        .assert_texts(&[&format!("HEAD of main moved: {before} → {after}")]);
}

#[test]
fn a_repository_that_went_away_is_not_taken_for_the_one_above() {
    let mut world = World::started();
    let top = world.beside("");
    git(&top, ["init", "-q", "-b", "above"]);
    world.look().assert_quiet();
    fs::rename(world.work().join(".git"), world.beside("kept")).unwrap();
    assert_eq!(world.look().error().kind(), ErrorKind::Unavailable);
    fs::rename(world.beside("kept"), world.work().join(".git")).unwrap();
    world.look().assert_quiet();
}

#[test]
fn nothing_that_a_configuration_names_is_run_and_nothing_written() {
    let mut world = World::started();
    let proof = world.beside("proof");
    let script = world.beside("script");
    let text = format!("#!/bin/sh\ntouch '{}'\ncat\n", proof.display());
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let script = script.to_str().unwrap();
    for key in [
        "core.fsmonitor",
        "diff.external",
        "core.pager",
        "diff.x.textconv",
    ] {
        world.git(["config", key, script]);
    }
    world.write(".gitattributes", "* diff=x\n");
    let hooks = world.work().join(".git/hooks");
    fs::create_dir_all(&hooks).unwrap();
    for hook in [
        "post-index-change",
        "post-checkout",
        "reference-transaction",
    ] {
        fs::copy(script, hooks.join(hook)).unwrap();
    }
    // Same size, other time: a status that takes locks would now write the index anew.
    let index = fs::read(world.work().join(".git/index")).unwrap();
    world.write("base", "esab\n");
    world.write("base", "base\n");
    world
        .look()
        .assert_texts(&["1 file newly dirty: .gitattributes (1 dirty in all)"]);
    assert!(!proof.exists());
    assert_eq!(fs::read(world.work().join(".git/index")).unwrap(), index);
}

#[test]
fn a_lock_of_somebody_else_is_no_obstacle() {
    let mut world = World::started();
    let lock = world.work().join(".git/index.lock");
    fs::write(&lock, "").unwrap();
    world.write("a", "");
    world
        .look()
        .assert_texts(&["1 file newly dirty: a (1 dirty in all)"]);
    assert!(lock.exists());
}

#[test]
fn commits_beside_looks_never_meet_a_lock() {
    let mut world = World::started();
    let work = world.work();
    let commits = thread::spawn(move || {
        for n in 0..50 {
            fs::write(work.join("base"), format!("{n}\n")).unwrap();
            for args in [&["add", "base"][..], &["commit", "-q", "-m", "next"]] {
                let output = run_git(&work, args);
                let said = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "git {args:?}: {said}");
            }
        }
    });
    let mut looks = 0;
    while !commits.is_finished() {
        let polled = world.look_after(1);
        assert!(polled.result().is_ok(), "{polled:?}");
        looks += 1;
    }
    commits.join().unwrap();
    assert!(looks > 1, "only {looks} looks");
    world.look();
    world.look().assert_quiet();
}
