//! Mutes under a running loop: what is held back, what is not, and what is told when they end.

use std::time::Duration;

use crate::desk::program;
use crate::hosts_fake::SILENCE;
use crate::reader::{Session, next, without_cooldown};
use crate::world::World;

fn say(world: &World, words: &str) {
    program(world, &["send", words]).ok();
}

#[test]
fn a_muted_room_is_counted_in_one_line_when_its_time_is_over() {
    let world = World::new();
    without_cooldown(&world);
    let mut session = Session::new(&world, 0);
    session.desk.run("attend focus on deploy").ok();
    let mut live = session.reader();
    say(&world, "#deploy before");
    assert_eq!(next(&mut live).body, "before");
    session.desk.run("attend mute '#deploy' --for 3s").ok();
    for n in 0..3 {
        say(&world, &format!("#deploy number {n}"));
    }
    let id = session.told("you are needed");
    let shown = next(&mut live);
    assert_eq!((shown.id, &*shown.body), (id, "you are needed"));
    let mut told = live.line();
    if told.contains("to answer") {
        told = live.line();
    }
    assert!(told.contains("3 new messages: 3 on #deploy"), "{told}");
    say(&world, "#deploy after");
    assert_eq!(next(&mut live).body, "after");
    let unread = session.desk.run("attend inbox --unread").ok();
    assert_eq!(unread.matches("number ").count(), 3, "{unread}");
}

#[test]
fn mutes_hold_in_a_running_loop_over_its_restart_and_until_they_are_taken_back() {
    let world = World::new();
    without_cooldown(&world);
    let mut session = Session::new(&world, 0);
    session.desk.run("attend focus on deploy").ok();
    let mut live = session.reader();
    session.desk.run("attend mute git").ok();
    session.desk.run("attend mute '#deploy'").ok();
    world.git(["switch", "-qc", "quiet"]);
    say(&world, "#deploy unheard");
    assert_eq!(live.line_within(SILENCE), None, "both are muted");
    drop(live);
    let mut live = session.reader();
    assert_eq!(live.line_within(SILENCE), None, "after a restart, too");
    session.desk.run("attend unmute").ok();
    let mut told = Vec::new();
    while let Some(line) = live.line_within(Duration::from_secs(30)) {
        told.push(line);
        let has = |words: &str| told.iter().any(|line| line.contains(words));
        if has("branch changed: main → quiet") && has("1 new message: 1 on #deploy") {
            return;
        }
    }
    panic!("{told:?}");
}
