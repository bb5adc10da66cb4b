//! Changes of the session's own making: silent, and those of others beside them told.

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use attend_core::dynamics::Tick;
use attend_core::sensor::{
    HostAnswer, HostRequest, HostState, OwnCall, OwnChanges, OwnEdit, OwnSpan,
};

use super::operations::forked;
use super::upstream::{cloned, elsewhere};
use super::world::World;

/// From so many seconds ago until so many seconds ago; none while it goes on.
pub(crate) type Ago = (u64, Option<u64>);

impl World {
    pub(crate) fn span(&self, (from, until): Ago) -> OwnSpan {
        let now = self.harness.now().get();
        OwnSpan::new(
            Tick::new(now - from),
            until.map(|until| Tick::new(now - until)),
        )
    }

    pub(crate) fn did(&self, own: OwnChanges) {
        self.harness.host().set(HostState::Busy);
        let answer = HostAnswer::Own(own);
        self.harness.host().answer(HostRequest::Own, Ok(answer));
    }

    /// The host says that the session ran a shell command, which named version control or not.
    pub(crate) fn called(&self, version_control: bool, ago: Ago) {
        let mut call = OwnCall::new(self.span(ago));
        call.version_control = version_control;
        let mut own = OwnChanges::default();
        own.calls.push(call);
        self.did(own);
    }

    /// The host says that the session edited these files.
    fn edited(&self, paths: &[PathBuf], ago: Ago) {
        let mut own = OwnChanges::default();
        let edits = paths.iter().map(|path| OwnEdit::new(path, self.span(ago)));
        own.edits = edits.collect();
        self.did(own);
    }

    /// What the next look tells, and the one two seconds later.
    fn told(&mut self) -> Vec<String> {
        let mut told: Vec<String> = Vec::new();
        for seconds in [30, 2] {
            let polled = self.look_after(seconds);
            assert!(polled.result().is_ok(), "{polled:?}");
            told.extend(polled.texts().into_iter().map(str::to_owned));
        }
        told
    }
}

/// How one kind of change comes about: what is there before, and what makes it.
type Case = (&'static str, fn() -> World, fn(&World));

fn ahead() -> World {
    let mut world = cloned();
    elsewhere(&world, 3);
    world.look().assert_quiet();
    world
}

fn dirty() -> World {
    let mut world = World::started();
    world.write("base", "changed\n");
    world.look();
    world
}

fn in_conflict() -> World {
    let mut world = forked();
    world.git_fails(["rebase", "-q", "main"]);
    world.look();
    world
}

const CASES: [Case; 15] = [
    ("a branch", World::started, |world| {
        world.git(["checkout", "-q", "-b", "feat/x"]);
    }),
    ("a detached HEAD", World::started, |world| {
        world.git(["checkout", "-q", "--detach"]);
    }),
    ("a commit", World::started, |world| {
        world.commit("a", "", "a");
    }),
    ("an amended commit", World::started, |world| {
        world.git(["commit", "-q", "--amend", "-m", "better"]);
    }),
    ("a dirty file", World::started, |world| world.write("a", "")),
    ("many dirty files", World::started, |world| {
        (0..30).for_each(|n| world.write(&format!("f{n}"), ""));
    }),
    ("files of a commit that was undone", forked, |world| {
        world.git(["reset", "-q", "HEAD~1"]);
    }),
    ("a clean tree", dirty, |world| {
        world.git(["checkout", "-q", "--", "base"]);
    }),
    ("a commit ahead of the upstream", cloned, |world| {
        world.commit("a", "", "a");
    }),
    ("a fetch", ahead, |world| {
        world.git(["fetch", "-q"]);
    }),
    ("a pull", ahead, |world| {
        world.git(["pull", "-q", "--ff-only"]);
    }),
    ("a rebase with a conflict", forked, |world| {
        world.git_fails(["rebase", "-q", "main"]);
    }),
    ("a merge with a conflict", forked, |world| {
        world.git_fails(["merge", "-q", "main"]);
    }),
    ("the end of a rebase", in_conflict, |world| {
        world.git(["rebase", "--abort"]);
    }),
    (
        "a rebase that is skipped to its end",
        in_conflict,
        |world| {
            world.git(["rebase", "--skip"]);
        },
    ),
];

#[test]
fn what_it_did_itself_is_silent() {
    for (name, before, change) in CASES {
        for ago in [(40, None), (10, Some(5))] {
            let mut world = before();
            change(&world);
            world.harness.advance(Duration::from_secs(30));
            world.called(true, ago);
            assert_eq!(world.look_after(0).texts(), [""; 0], "{name} {ago:?}");
            // It is what the next look is compared with.
            world.called(false, (500, None));
            assert_eq!(world.told(), [""; 0], "{name} {ago:?}");
        }
    }
}

#[test]
fn what_others_did_is_told_all_the_same() {
    for (name, before, change) in CASES {
        let mut world = before();
        change(&world);
        let expected = world.told();
        assert!(!expected.is_empty(), "{name}");
        // An unrelated command runs; one that named version control is over.
        let mut world = before();
        change(&world);
        let mut own = OwnChanges::default();
        for (version_control, ago) in [(true, (100, Some(1))), (false, (100, None))] {
            let mut call = OwnCall::new(world.span(ago));
            call.version_control = version_control;
            own.calls.push(call);
        }
        world.did(own);
        // Commits differ from one world to the next, in nothing but their times.
        assert_eq!(blind(&world.told()), blind(&expected), "{name}");
    }
}

/// Texts without the names of commits.
fn blind(texts: &[String]) -> Vec<String> {
    let is_name = |word: &str| word.len() == 7 && word.chars().all(|c| c.is_ascii_hexdigit());
    let blind = |text: &String| {
        let words = text
            .split(' ')
            .map(|word| if is_name(word) { "…" } else { word });
        words.collect::<Vec<_>>().join(" ")
    };
    texts.iter().map(blind).collect()
}

#[test]
fn its_own_files_are_silent_and_those_of_others_are_told() {
    let mut world = World::started();
    for name in ["mine", "theirs", "sub/mine"] {
        world.write(name, "");
    }
    world.git(["add", "-N", "."]);
    let mine = [world.work().join("mine"), PathBuf::from("sub/mine")];
    world.harness.advance(Duration::from_secs(10));
    world.edited(&mine, (5, Some(4)));
    assert_eq!(
        world.told(),
        ["1 file newly dirty: theirs (3 dirty in all)"]
    );
    world.look().assert_quiet();

    // An edit that still runs counts; one that was over before does not.
    world.write("running", "");
    world.write("old", "");
    let [running, old] = ["running", "old"].map(|name| world.work().join(name));
    let (now, past) = (world.span((3, None)), world.span((9_000, Some(8_000))));
    let mut own = OwnChanges::default();
    own.edits = vec![OwnEdit::new(running, now), OwnEdit::new(old, past)];
    world.did(own);
    assert_eq!(
        world.told(),
        ["2 files newly dirty: old, theirs (5 dirty in all)"]
    );
}

#[test]
fn undoing_its_own_edit_is_silent() {
    let mut world = dirty();
    world.write("base", "base\n");
    world.edited(&[world.work().join("base")], (0, None));
    assert_eq!(world.told(), [""; 0]);
    world.write("base", "changed\n");
    world.look_after(30);
    world.write("base", "base\n");
    world.edited(&[], (0, None));
    assert_eq!(world.told(), ["work tree clean again"]);
}

#[test]
fn a_new_directory_is_its_own_if_all_its_files_are() {
    let mut world = World::started();
    let mine = ["new/a", "new/deep/b", "other/a"].map(|name| world.harness.write(name, ""));
    world.write("other/theirs", "");
    world.edited(&mine, (0, None));
    assert_eq!(
        world.told(),
        ["1 file newly dirty: other/ (2 dirty in all)"]
    );
}

#[test]
fn a_path_through_a_link_is_the_same_file() {
    let mut world = World::started();
    let link = world.beside("link");
    std::os::unix::fs::symlink(world.work(), &link).unwrap();
    world.write("a", "");
    world.edited(&[link.join("a")], (0, None));
    assert_eq!(world.told(), [""; 0]);
}

#[test]
fn a_time_outside_its_calls_tells_that_it_was_somebody_else() {
    let mut world = World::started();
    world.commit("a", "", "theirs");
    world.write("b", "");
    world.write("c", "");
    // Half a minute ago the session asked for its status, for two seconds.
    world.harness.advance(Duration::from_secs(30));
    world.called(true, (25, Some(23)));
    let wall = |ago| world.harness.wall() - Duration::from_secs(ago);
    for (name, ago) in [("b", 24), ("c", 10)] {
        let file = File::options().append(true).open(world.work().join(name));
        file.unwrap().set_modified(wall(ago)).unwrap();
    }
    let log = world.work().join(".git/logs/HEAD");
    let moved = wall(10)
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap()
        .as_secs();
    let entries = fs::read_to_string(&log).unwrap();
    let entries = format!("{entries}0 0 Somebody <s@example.org> {moved} +0000\tcommit: theirs\n");
    fs::write(log, entries).unwrap();
    let told = [world.look_after(0), world.look_after(2)];
    told[0].assert_quiet();
    told[1].assert_texts(&[
        "1 new commit on main, newest: \"theirs\"",
        "1 file newly dirty: c (2 dirty in all)",
    ]);
}

#[test]
fn a_look_that_is_due_to_nothing_narrows_the_span() {
    let mut world = World::watched();
    world.start();
    world.look().assert_quiet();
    world.look().assert_quiet();
    // Its own command was over when it was certain that nothing had changed.
    world.called(true, (20, Some(10)));
    world.commit("a", "", "a");
    world
        .harness
        .watcher()
        .changed(world.work().join(".git/refs/heads/main"));
    assert_eq!(world.told(), ["1 new commit on main, newest: \"a\""]);
}

#[test]
fn over_a_restart_the_span_begins_with_the_last_change() {
    let mut world = World::started();
    world.called(true, (10, Some(5)));
    world.look_after(600).assert_quiet();
    world.restart();
    world.commit("a", "", "a");
    world.called(true, (400, Some(300)));
    world.look();
    let texts = world.look_after(2);
    assert_eq!(texts.texts(), [""; 0]);
    world.commit("b", "", "b");
    world.restart();
    assert_eq!(world.told(), ["1 new commit on main, newest: \"b\""]);
}

#[test]
fn a_conflict_of_its_own_that_somebody_else_changes_is_told() {
    let mut world = forked();
    world.git_fails(["rebase", "-q", "main"]);
    world.called(true, (0, None));
    assert_eq!(world.told(), [""; 0]);
    world.called(false, (0, None));
    world.git(["add", "a"]);
    world.look_after(30);
    world.git(["rebase", "--continue"]);
    let polled = world.told();
    assert_eq!(polled.len(), 1, "{polled:?}");
    assert!(
        polled[0].starts_with("rebase of side finished: "),
        "{polled:?}"
    );
}

#[test]
fn what_others_were_told_of_is_taken_back_by_its_own_doing() {
    let mut world = forked();
    world.git_fails(["rebase", "-q", "main"]);
    world.look();
    world.git(["rebase", "--abort"]);
    world.called(true, (0, None));
    let polled = world.look();
    assert_eq!(polled.texts(), [""; 0]);
    let cleared = polled.cleared();
    assert!(
        cleared.contains(&"operation") && cleared.contains(&"conflict"),
        "{polled:?}"
    );

    world.did(OwnChanges::default());
    world.git(["checkout", "-q", "--detach"]);
    let (_, polled) = (world.look(), world.look_after(2));
    assert_eq!(polled.keys(), ["detached"]);
    world.git(["checkout", "-q", "side"]);
    world.called(true, (0, None));
    assert_eq!(world.look().cleared(), ["branch", "detached"]);
}
