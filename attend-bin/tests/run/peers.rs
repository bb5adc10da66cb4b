//! Sessions beside each other: what one is told of another, and what `attend peers` says of both.

use serde_json::Value;

use crate::home::{stderr, stdout};
use crate::hosts_fake::{Beside, TWO, config, configure};
use crate::live::eventually;
use crate::world::World;

/// What `attend peers` prints, asked from outside every session.
fn listed(world: &World, args: &[&str]) -> String {
    let words = [&["peers"], args].concat();
    let mut command = world.home.attend(&words);
    command.env("CLAUDE_CONFIG_DIR", config(world));
    let output = command.output().expect("attend starts");
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    stdout(&output)
}

/// The seat of a session.
fn seat(world: &World, session: &str) -> Value {
    let listed = listed(world, &["--json"]);
    let listing: Value = serde_json::from_str(&listed).expect("one JSON document");
    let mut seats = listing["seats"].as_array().expect("a list").iter();
    let seat = seats.find(|seat| seat["session_id"] == session);
    seat.cloned().unwrap_or_default()
}

#[test]
fn one_session_sees_another_appear_and_go_and_both_are_listed() {
    let world = World::new();
    configure(
        &world,
        "governor: {cooldown: 1s}\nsensors:\n  git: {enabled: false}\n  peers: {min_interval: 1s}\n",
    );
    assert_eq!(
        listed(&world, &[]),
        "nobody sits anywhere yet: `attend whoami` in a session takes a seat\n"
    );
    let mut one = Beside::start(&world);
    one.prompt("secret words");
    one.answer(42_000);
    one.record("busy");
    assert!(
        one.live
            .line()
            .ends_with(" with context, overlap, peers, process")
    );
    eventually("who is there is known", || {
        !one.remembers("peers").is_null()
    });

    let mut two = Beside::start(&world);
    two.session = TWO;
    two.prompt("secret words");
    two.answer(20_000);
    two.record("waiting");
    assert_eq!(
        one.live.line(),
        "[attend sensor=peers priority=medium] session project 00000000 appeared in this project"
    );
    assert!(
        two.live
            .line()
            .ends_with(" with context, overlap, peers, process")
    );
    eventually("both are read to", || {
        [one.session, two.session].map(|session| seat(&world, session)["reader"].clone())
            == ["listening", "listening"]
    });
    for (session, state, percent) in [(one.session, "busy", 21), (two.session, "waiting", 10)] {
        let seat = seat(&world, session);
        assert_eq!(
            (&seat["state"], &seat["context"]),
            (&state.into(), &percent.into())
        );
        assert_eq!(
            (&seat["kind"], &seat["you"]),
            (&"agent".into(), &false.into())
        );
        assert_eq!(seat["project"], "project");
        assert_eq!(seat["rooms"][0], "open");
    }
    let text = listed(&world, &[]);
    assert_eq!(text.lines().count(), 2, "{text}");
    for (session, does) in [
        (one.session, "busy, context at 21%"),
        (two.session, "waits for an answer, context at 10%"),
    ] {
        let name = seat(&world, session)["name"].take();
        let name = name.as_str().expect("a name");
        let line = text.lines().find(|line| line.starts_with(name));
        let facts = format!("  an agent in project, {does}, listening, in #open");
        assert!(line.is_some_and(|line| line.ends_with(&facts)), "{text}");
    }

    // It is killed, which leaves its record behind. That alone is no reason to interrupt.
    drop(two);
    eventually("it is missed", || {
        one.holds("peers", "session project 00000000 is gone")
    });
    eventually("nobody sits there", || {
        let seat = seat(&world, TWO);
        seat["state"] == "gone" && seat["reader"] == "waiting"
    });
    // Whoever can answer stands first, whatever the names.
    let text = listed(&world, &[]);
    let (here, gone) = text.split_once("\n\n").expect("two parts");
    assert!(
        here.contains(", listening, ") && gone.contains(", gone"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 3, "{text}");
}

#[test]
fn what_waits_for_a_seat_is_told_with_its_age() {
    let world = World::new();
    let mut desk = crate::desk::Desk::new(&world, crate::desk::ONE);
    let name = desk.seat();
    let own = desk.run("attend peers").ok();
    assert!(
        own.starts_with(&format!("{name}  you, an agent in project, busy, ")),
        "{own}"
    );
    crate::desk::program(&world, &["send", &format!("@{name}"), "hello"]).ok();
    let listing = desk.run("attend peers --json").json();
    let seat = &listing["seats"][0];
    assert!(
        seat["oldest"]
            .as_str()
            .is_some_and(|sent| sent.ends_with('Z')),
        "{seat}"
    );
    assert!(
        seat["oldest_age"].as_u64().is_some_and(|age| age < 60),
        "{seat}"
    );
    assert!(
        desk.run("attend peers")
            .ok()
            .contains(", oldest new message ")
    );
    desk.run("attend inbox --unread").ok();
    let listing = desk.run("attend peers --json").json();
    assert_eq!(listing["seats"][0]["oldest"], Value::Null);
}
