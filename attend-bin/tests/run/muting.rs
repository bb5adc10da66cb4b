//! Muting: what is held back, for how long, and how it is told afterwards.

use serde_json::json;

use crate::desk::{Desk, ONE, TWO, person, program};
use crate::live::eventually;
use crate::world::World;

#[test]
fn mutes_are_set_listed_and_taken_back() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    assert_eq!(desk.run("attend mute").ok(), "nothing is muted\n");
    assert_eq!(desk.run("attend unmute").ok(), "nothing is muted\n");
    assert_eq!(
        desk.run("attend mute git --for 90m").ok(),
        "muted git for 90m\n"
    );
    assert_eq!(
        desk.run("attend mute context-pressure").ok(),
        "muted signal context-pressure until: attend unmute context-pressure\n"
    );
    let said = desk.run("attend mute '#open' --for 1h").ok();
    assert!(said.starts_with("muted #open for 1h; "), "{said}");
    assert!(said.contains("in one line"), "{said}");
    let listed = desk.run("attend mute").ok();
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(lines.len(), 3, "{listed}");
    assert!(lines[0].starts_with("git for 1h more"), "{listed}");
    assert!(lines[1].starts_with("#open for "), "{listed}");
    assert_eq!(
        lines[2],
        "signal context-pressure until: attend unmute context-pressure"
    );
    let listed = desk.run("attend mute --json").json();
    assert_eq!(listed["mutes"][1]["kind"], "room");
    assert_eq!(listed["mutes"][1]["name"], "open");
    assert!(listed["mutes"][1]["until"].is_string(), "{listed}");
    assert_eq!(
        listed["mutes"][2],
        json!({"kind": "signal", "name": "context-pressure", "until": null, "left": null})
    );
    assert_eq!(desk.run("attend unmute git").ok(), "unmuted git\n");
    assert_eq!(desk.run("attend unmute git").ok(), "git is not muted\n");
    assert_eq!(
        desk.run("attend unmute").ok(),
        "unmuted #open, signal context-pressure\n"
    );
    assert_eq!(desk.run("attend mute").ok(), "nothing is muted\n");
}

#[test]
fn a_mute_ends_at_its_time() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let refused = desk.run("attend mute git --for 0s").refused();
    assert!(refused.contains("for how long"), "{refused}");
    desk.run("attend mute git --for 1s").ok();
    eventually("the mute has ended", || {
        desk.run("attend mute").ok() == "nothing is muted\n"
    });
}

#[test]
fn what_cannot_be_muted_is_refused_with_what_may_have_been_meant() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    desk.run("attend focus on deploy").ok();
    for (line, hints) in [
        (
            "attend mute gti",
            &["no sensor and no signal gti", "did you mean git?"][..],
        ),
        (
            "attend mute context-pressur",
            &["did you mean context-pressure?"],
        ),
        ("attend mute deploy", &["did you mean '#deploy'?"]),
        (
            "attend mute '#depoly'",
            &["you are not in #depoly", "did you mean #deploy?"],
        ),
        ("attend mute '#nowhere'", &["you are not in #nowhere"]),
        ("attend mute messages", &["mail to you"]),
        (
            "attend mute dataclass",
            &["sensors: context, disclosure, ", "context-pressure, "],
        ),
        ("attend unmute gti", &["did you mean git?"]),
    ] {
        let said = desk.run(line).refused();
        for hint in hints {
            assert!(said.contains(hint), "{line}: {hint}: {said}");
        }
    }
    for line in ["attend mute '#'", "attend mute ''", "attend mute --for 1h"] {
        assert_eq!(desk.run(line).code, 2, "{line}");
    }
    for (line, hint) in [
        ("attend mute git 1h", "--for 1h"),
        ("attend focus deploy", "attend focus on deploy"),
        ("attend focus '#deploy'", "attend focus on deploy"),
        ("attend remind", "attend remind 20m 'look at the build'"),
    ] {
        let told = desk.run(line);
        assert_eq!((told.code, &*told.out), (2, ""), "{line}");
        assert!(told.err.contains(hint), "{line}: {}", told.err);
    }
    let said = desk.run("attend show ZZZZZZ").refused();
    assert!(said.contains("`attend inbox` lists"), "{said}");
    let said = program(&world, &["mute", "git"]).refused();
    assert!(said.contains("neither a session of an agent"), "{said}");
    assert_eq!(desk.run("attend mute").ok(), "nothing is muted\n");
}

#[test]
fn a_muted_room_is_unread_and_its_names_are_heard() {
    let world = World::new();
    let (mut one, mut two) = (Desk::new(&world, ONE), Desk::new(&world, TWO));
    let seat = one.seat();
    one.run("attend focus on deploy").ok();
    two.run("attend focus on deploy").ok();
    one.run("attend mute '#deploy'").ok();
    two.run("attend send '#deploy' not now").ok();
    two.run(&format!("attend send @{seat} '#deploy' but this"))
        .ok();
    let unread = one.run("attend inbox --unread").ok();
    assert!(unread.contains("→ #deploy: not now"), "{unread}");
    assert!(unread.contains("→ you, #deploy: but this"), "{unread}");
    two.run("attend send '#deploy' later").ok();
    assert_eq!(
        one.run("attend focus off deploy").ok(),
        "left #deploy, which was muted; 1 unread message: attend inbox --unread\n"
    );
    assert_eq!(one.run("attend mute").ok(), "nothing is muted\n");
}

#[test]
fn mutes_belong_to_the_seat_and_outlast_its_session() {
    let world = World::new();
    let mut first = Desk::new(&world, ONE);
    let seat = first.seat();
    first.run("attend mute git --for 1h").ok();
    let muted = first.run("attend mute --json").json();
    drop(first);
    let mut other = Desk::new(&world, TWO);
    assert_eq!(other.seat(), seat);
    let found = other.run("attend mute --json").json();
    assert_eq!(found["mutes"][0]["until"], muted["mutes"][0]["until"]);
}

#[test]
fn a_person_mutes_too() {
    let world = World::new();
    let Some(done) = person(&world, "attend mute context-pressure && attend mute --json") else {
        return;
    };
    assert!(done.ok().contains("\"context-pressure\""));
}

#[test]
fn who_is_called_by_their_project_is_you_and_a_project_of_the_same_name_is_not() {
    let world = World::new();
    let (mut one, mut two) = (Desk::new(&world, ONE), Desk::new(&world, TWO));
    let (first, second) = (one.seat(), two.seat());
    let persona = first.trim_end_matches("-alpha").to_owned();
    two.run(&format!("attend send @{persona} @{second} hello"))
        .ok();
    let shown = one.run("attend inbox --unread").ok();
    assert!(
        shown.contains(&format!("→ you, @{second}: hello")),
        "{shown}"
    );
    one.run(&format!("attend send @{persona} back")).ok();
    let id = two.run("attend inbox --json").json();
    let id = id["messages"][1]["id"].as_str().expect("an id").to_owned();
    let shown = two.run(&format!("attend show {id}")).ok();
    assert!(shown.contains("→ you:"), "{shown}");
}
