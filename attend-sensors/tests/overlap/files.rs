//! Which files two sessions both edited.

use std::time::Duration;

use attend_core::sensor::{OwnEdit, OwnSpan, PeerEdits};

use super::world::{World, over, peer};

#[test]
fn a_file_that_both_edited_is_told_once_until_it_is_over() {
    let mut world = World::repository();
    world.edit("src/a.rs");
    world.look().assert_quiet();
    world.theirs_edit("src/b.rs");
    world.look().assert_quiet();
    world.theirs_edit("src/a.rs");
    let polled = world.look();
    let event = polled.only_event();
    assert_eq!(event.text(), world.both("src/a.rs"));
    assert_eq!(polled.magnitudes(), [4.0]);
    assert!(event.is_standing());
    assert_eq!(event.signal().unwrap().as_str(), "peer-conflict");
    assert_eq!(format!("-{}", event.key().unwrap()), over(1));
    for _ in 0..3 {
        world.theirs_edit("src/a.rs");
        world.edit("src/a.rs");
        world.look().assert_quiet();
    }
    world.restart();
    world.look().assert_quiet();
    world.commit(".git");
    assert_eq!(world.said(), [over(1)]);
    world.look().assert_quiet();
}

#[test]
fn either_may_be_first() {
    let mut world = World::new();
    world.theirs_edit("a");
    world.edit("a");
    assert_eq!(world.said(), [world.both("a")]);
}

#[test]
fn a_further_file_is_told_anew_with_all_of_them_and_one_less_is_not() {
    let mut world = World::new();
    for file in ["c", "a"] {
        world.edit(file);
        world.theirs_edit(file);
    }
    assert_eq!(world.said(), [world.both("a and c")]);
    for (file, said) in [
        ("b", "a, b and c"),
        ("d", "a, b, c and 1 more file"),
        ("e", "a, b, c and 2 more files"),
    ] {
        world.edit(file);
        world.theirs_edit(file);
        assert_eq!(world.said(), [over(1), world.both(said)]);
    }
    world.own.edits.retain(|edit| !edit.path.ends_with("e"));
    let polled = world.look();
    assert!(polled.cleared().is_empty(), "{polled:?}");
    polled.assert_texts(&[&world.both("a, b, c and 1 more file")]);
}

#[test]
fn what_is_still_asked_for_or_copied_from_another_session_is_no_edit() {
    let mut world = World::new();
    world.edit("a");
    world.theirs_edit("a");
    let edit = &mut world.theirs[0].edits[0];
    edit.span.until = None;
    world.look().assert_quiet();
    world.theirs[0].edits[0] = world.own.edits[0].clone();
    world.theirs[0].edits[0].call = Some(7);
    world.own.edits[0].call = Some(7);
    world.look().assert_quiet();
    world.theirs_edit("a");
    assert_eq!(world.said(), [world.both("a")]);
}

#[test]
fn edits_that_are_old_or_committed_do_not_nag() {
    let mut world = World::repository();
    world.edit("a");
    world.commit(".git");
    world.theirs_edit("a");
    world.look().assert_quiet();
    world.edit("a");
    assert_eq!(world.said(), [world.both("a")]);
    let nearly = Duration::from_hours(8) - Duration::from_secs(1);
    world.harness.advance(nearly);
    world.look().assert_quiet();
    world.harness.advance(Duration::from_secs(1));
    assert_eq!(world.said(), [over(1)]);
}

#[test]
fn a_session_that_ends_ends_it() {
    let mut world = World::new();
    let mut second = PeerEdits::new(peer(2, world.harness.work()), []);
    second.peer.name = Some("the parser".to_owned());
    world.theirs.push(second);
    world.edit("a");
    world.theirs_edit("a");
    let mut edit = world.theirs[0].edits[0].clone();
    edit.span = OwnSpan::new(world.harness.now(), Some(world.harness.now()));
    world.theirs[1].edits.push(edit);
    assert_eq!(
        world.said(),
        [
            world.both("a"),
            "session the parser and this session both edited a".to_owned()
        ]
    );
    world.theirs.remove(0);
    assert_eq!(world.said(), [over(1)]);
    world.theirs.clear();
    assert_eq!(world.said(), [over(2)]);
}

#[test]
fn files_outside_of_the_project_are_told_by_their_whole_paths() {
    let mut world = World::repository();
    let outside = world.harness.work().parent().unwrap().to_owned();
    world.edit("../notes");
    world.theirs_edit("../notes");
    let notes = outside.canonicalize().unwrap().join("notes");
    let expected = world.both(&notes.to_string_lossy());
    let said = world.said();
    // A long path loses its beginning.
    let ends = said[0].ends_with("/notes") && expected.ends_with("/notes");
    assert!(said.len() == 1 && ends, "{said:?}");
}

#[test]
fn however_many_files_there_are_a_line_is_short_and_the_memory_small() {
    let mut world = World::new();
    let now = world.harness.now();
    let long = format!("{}/{}", "d".repeat(100), "f".repeat(100));
    for number in 0..2_000 {
        let path = world.harness.work().join(format!("{long}{number}"));
        let span = |ago| {
            let at = attend_core::dynamics::Tick::new(now.get() - ago);
            OwnSpan::new(at, Some(at))
        };
        world.own.edits.push(OwnEdit::new(&path, span(2)));
        world.theirs[0].edits.push(OwnEdit::new(&path, span(1)));
    }
    let said = world.said();
    assert!(said.len() == 1 && said[0].len() < 450, "{said:?}");
    assert!(said[0].ends_with(" and 253 more files"), "{said:?}");
    let snapshot = format!("{:?}", world.sensor.snapshot());
    assert!(snapshot.len() < 100_000, "{}", snapshot.len());
    world.look().assert_quiet();
}
