//! Seats: one for each live session, kept over a new session id, and none for who reads no mail.

use crate::desk::{Desk, ONE, TWO, id, program};
use crate::world::World;

#[test]
fn two_sessions_in_one_directory_have_two_seats() {
    let world = World::new();
    let (mut one, mut two) = (Desk::new(&world, ONE), Desk::new(&world, TWO));
    let (first, second) = (one.seat(), two.seat());
    assert!(
        first.ends_with("-alpha") && second.ends_with("-beta"),
        "{first}, {second}"
    );
    assert_eq!((one.seat(), two.seat()), (first.clone(), second.clone()));
    let receipt = one
        .run(&format!("attend send --json @{second} are you there"))
        .json();
    assert_eq!(receipt["recipients"][0]["state"], "live, no reader");
    let unread = two.run("attend inbox --unread").ok();
    assert!(
        unread.contains(&format!("{} {first} → you: are you there", id(&receipt))),
        "{unread}"
    );
    assert_eq!(one.run("attend inbox --unread").ok(), "nothing is unread\n");
}

#[test]
fn a_new_session_in_the_same_process_keeps_the_seat() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let seat = desk.seat();
    desk.record(&world, TWO, "interactive");
    let who = desk.run("attend whoami --json").json();
    assert_eq!(
        (&who["seat"], &who["session_id"]),
        (&seat.as_str().into(), &TWO.into())
    );
}

#[test]
fn a_vacant_seat_is_taken_again() {
    let world = World::new();
    let seat = Desk::new(&world, ONE).seat();
    assert_eq!(Desk::new(&world, TWO).seat(), seat);
}

#[test]
fn a_session_that_comes_back_finds_what_was_left_for_its_project() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let seat = desk.seat();
    drop(desk);
    let receipt = program(&world, &["send", "--json", "--to", ".", "hello"]).json();
    assert_eq!(receipt["recipients"][0]["state"], "waiting");
    let mut desk = Desk::new(&world, ONE);
    let listed = desk.run("attend inbox --json").json();
    let first = &listed["messages"][0];
    assert_eq!(
        (&first["id"], &first["state"]),
        (&receipt["id"], &"new".into())
    );
    assert_eq!(desk.seat(), seat);
}

#[test]
fn linked_work_trees_are_one_project() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let persona = desk.run("attend whoami --json").json()["persona"].clone();
    world.git(["worktree", "add", "-q", "../fix"]);
    let receipt = desk
        .run("attend send --json --to ../fix 'for the other tree'")
        .json();
    let told = &receipt["recipients"][0];
    assert_eq!(
        told["address"],
        format!("@{}", persona.as_str().expect("a name"))
    );
    assert_eq!(
        (&told["seat"], &told["state"]),
        (&serde_json::Value::Null, &"waiting".into())
    );
}

#[test]
fn a_headless_session_sends_by_the_name_of_its_project_and_takes_nothing() {
    let world = World::new();
    let (mut desk, mut job) = (Desk::new(&world, ONE), Desk::headless(&world, TWO));
    let seat = desk.seat();
    let who = job.run("attend whoami --json").json();
    assert_eq!(
        (&who["seat"], &who["kind"]),
        (&serde_json::Value::Null, &"agent".into())
    );
    job.run(&format!("attend send @{seat} the job is done"))
        .ok();
    for line in ["attend inbox", "attend inbox --unread", "attend focus list"] {
        assert!(job.run(line).refused().contains("has no seat"), "{line}");
    }
    let unread = desk.run("attend inbox --unread").ok();
    let persona = who["persona"].as_str().expect("a persona");
    assert!(
        unread.contains(&format!(" {persona} → you: the job is done")),
        "{unread}"
    );
}

#[test]
#[ignore = "needs root: it makes a pid namespace and mounts /proc in it"]
fn a_sandbox_with_pids_of_its_own_is_the_same_session() {
    let world = World::new();
    let (mut desk, mut other) = (Desk::new(&world, ONE), Desk::new(&world, TWO));
    let boxed = format!(
        "CLAUDE_PID={} CLAUDE_CODE_SESSION_ID={ONE} unshare -pf --mount-proc \"$A\"",
        desk.pid()
    );
    // Sat down from inside first, then seen from outside, and from inside again.
    let inside = desk.run(&format!("{boxed} whoami --json")).json();
    let seat = inside["seat"].as_str().expect("a seat").to_owned();
    assert_eq!(inside["found_by"], "environment");
    assert_eq!(desk.seat(), seat);
    assert_eq!(
        desk.run(&format!("{boxed} whoami --json")).json()["seat"],
        seat
    );

    let reader = other.seat();
    assert_ne!(reader, seat);
    desk.run(&format!("{boxed} send @{reader} from inside"))
        .ok();
    let unread = other.run("attend inbox --unread").ok();
    assert!(
        unread.contains(&format!("{seat} → you: from inside")),
        "{unread}"
    );
    other.run(&format!("attend send @{seat} to inside")).ok();
    let unread = desk.run(&format!("{boxed} inbox --unread")).ok();
    assert!(unread.contains("→ you: to inside"), "{unread}");
}
