//! Every fact about a repository is told: by a line, in a footnote, or as what is held back.

use std::thread;

use crate::world::World;

#[test]
fn a_clean_tree_is_no_news() {
    let world = World::new();
    let first = world.once();
    assert_eq!(first.lines.len(), 1, "{first:?}");
    assert!(first.lines[0].starts_with("[attend] attend "), "{first:?}");
    assert_eq!(first.errors, "");
    let status = world.status();
    assert_eq!(status.git()["condition"], "healthy");
    assert_eq!(status.count("reported"), 0);
    let again = world.once();
    assert_eq!(
        (again.lines.len(), again.errors.as_str()),
        (0, ""),
        "{again:?}"
    );
}

#[test]
fn what_changes_in_a_repository_is_told() {
    let cases: [fn(); 6] = [branch, commits, dirty, rebase, upstream, ahead];
    thread::scope(|scope| {
        for case in cases {
            scope.spawn(case);
        }
    });
}

fn branch() {
    let world = World::known();
    world.git(["switch", "-qc", "feat/x"]);
    let told = world.tells("branch changed: main → feat/x");
    assert_eq!(
        told.lines,
        ["[attend sensor=git priority=medium] branch changed: main → feat/x"]
    );
    world.git(["switch", "-q", "main"]);
    world.tells("branch changed: feat/x → main");
}

fn commits() {
    let world = World::known();
    world.commit("one");
    world.tells("1 new commit on main, newest: \"one\"");
    world.commit("two");
    world.commit("three");
    world.tells("3 new commits on main, newest: \"three\"");
}

fn dirty() {
    let world = World::known();
    world.write("base", "other");
    world.tells("1 file newly dirty: base");
    for n in 0..29 {
        world.write(format!("new-{n:02}"), "new");
    }
    let told = world.tells("30 files newly dirty: base, new-00, new-01");
    assert_eq!(
        told.count("30 files newly dirty"),
        1,
        "it is worth a line: {told:?}"
    );
    world.git(["clean", "-qf"]);
    world.git(["checkout", "-q", "--", "base"]);
    world.tells("work tree clean again");
}

fn rebase() {
    let world = World::new();
    world.git(["switch", "-qc", "feat/x"]);
    world.commit("own");
    world.write("base", "ours");
    world.git(["commit", "-qam", "ours"]);
    world.git(["switch", "-q", "main"]);
    world.write("base", "theirs");
    world.git(["commit", "-qam", "theirs"]);
    world.git(["switch", "-q", "feat/x"]);
    world.once();

    assert!(
        !world
            .try_git(&world.repo(), ["rebase", "-q", "main"])
            .status
            .success()
    );
    let told = world.once();
    assert_eq!(told.count("conflict in 1 file: base"), 1, "{told:?}");
    assert_eq!(told.count("rebase in progress on feat/x"), 1, "{told:?}");
    assert!(world.once().lines.is_empty(), "what stands is told once");

    world.write("base", "both");
    world.git(["add", "base"]);
    world.git(["rebase", "--continue"]);
    world.tells("rebase of feat/x finished: 2 commits, HEAD now ");
    assert!(!world.repo().join(".git/rebase-merge").exists());
}

/// A bare repository beside the project, which follows it.
fn with_remote() -> World {
    let world = World::new();
    world.git(["init", "-q", "--bare", "-b", "main", "../remote.git"]);
    world.git(["remote", "add", "origin", "../remote.git"]);
    world.git(["push", "-qu", "origin", "main"]);
    world.once();
    world
}

fn upstream() {
    let world = with_remote();
    let other = world.beside("other");
    world.git(["clone", "-q", "../remote.git", "../other"]);
    for name in ["one", "two"] {
        world.git_in(&other, ["commit", "-q", "--allow-empty", "-m", name]);
    }
    world.git_in(&other, ["push", "-q"]);
    assert!(world.once().lines.is_empty(), "nobody fetched");
    world.git(["fetch", "-q"]);
    world.tells("origin/main moved: 2 commits to pull");
}

fn ahead() {
    let world = with_remote();
    world.commit("one");
    world.tells("1 commit ahead of origin/main");
    world.git(["push", "-q"]);
    world.once();
    assert!(
        !world
            .status()
            .held()
            .iter()
            .any(|text| text.contains("ahead"))
    );
}
