//! Two sessions that edit the same file.

use serde_json::json;

use crate::home::stdout;
use crate::hosts_fake::{Beside, SILENCE, TWO, configure};
use crate::live::eventually;
use crate::world::World;

/// It looks at each second, and nothing else speaks.
const ALONE: &str = "governor: {cooldown: 1s}\nsensors:\n  overlap: {interval: 1, min_interval: 1}\n  \
    git: {enabled: false}\n  context: {enabled: false}\n  peers: {enabled: false}\n";

/// The line about `files` of the other, which works at `place`.
fn line(place: &str, files: &str) -> String {
    format!(
        "[attend sensor=overlap priority=medium] session project 00000000{place} and this session \
         both edited {files}. Use `ways show attend/peer-conflict` for how to settle it."
    )
}

/// Two sessions at work, in which nothing was edited yet.
fn two(world: &World) -> [Beside<'_>; 2] {
    let mut one = Beside::start(world);
    let mut two = Beside::start(world);
    two.session = TWO;
    for beside in [&mut one, &mut two] {
        beside.prompt("secret words");
        beside.answer(20_000);
        beside.record("busy");
        assert!(beside.live.line().contains(" with overlap"));
    }
    [one, two]
}

/// Whether nothing is edited by both, as far as the sensor beside `beside` knows.
fn is_over(beside: &Beside<'_>) -> bool {
    beside.remembers("overlap") == json!([])
}

#[test]
fn both_are_told_who_edits_the_same_file_and_how_to_settle_it() {
    let world = World::new();
    configure(&world, ALONE);
    let [mut one, mut two] = two(&world);
    one.edits(&world.repo().join("base"));
    two.edits(&world.repo().join("other"));
    assert_eq!(one.live.line_within(SILENCE), None);
    two.edits(&world.repo().join("base"));
    for beside in [&mut one, &mut two] {
        assert_eq!(beside.live.line(), line("", "base"));
    }
    let mut show = crate::hosts_fake::host(&world, "\"${A%attend}ways\" show attend/peer-conflict");
    let output = show.output().expect("it starts");
    let guidance = stdout(&output);
    assert!(
        guidance.contains("Stop writing to those files"),
        "{guidance}"
    );
    // What one of them commits is no longer in the way of either.
    eventually("it stands", || !is_over(&one) && !is_over(&two));
    world.commit("third");
    eventually("it is over", || is_over(&one) && is_over(&two));
    assert_eq!(one.live.line_within(SILENCE), None);
}

#[test]
fn a_linked_work_tree_has_the_same_files_and_whoever_ends_leaves_them() {
    let world = World::new();
    configure(&world, ALONE);
    let fix = world.beside("fix");
    let path = fix.to_str().expect("a path");
    world.git(["worktree", "add", "-q", "-b", "fix", path]);
    let [mut one, mut two] = two(&world);
    two.record_of(&json!({"status": "busy", "cwd": fix}));
    one.edits(&world.repo().join("base"));
    two.edits(&fix.join("base"));
    assert_eq!(one.live.line(), line(" (in the work tree fix)", "base"));
    eventually("it stands", || !is_over(&one));
    drop(two);
    eventually("it is over", || is_over(&one));
}
