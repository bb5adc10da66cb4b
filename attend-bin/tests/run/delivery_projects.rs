//! Readers in several projects: each is shown what was said to it, once, and by whom.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::desk::{id, person, program, user};
use crate::hosts_fake::SILENCE;
use crate::reader::{Session, next};
use crate::world::World;

#[test]
fn two_projects_are_told_by_their_names_and_a_third_is_not() {
    let world = World::new();
    let sessions: Vec<Session<'_>> = ["one", "two", "three"]
        .iter()
        .enumerate()
        .map(|(n, name)| {
            let dir = world.beside(name);
            std::fs::create_dir(&dir).expect("a directory");
            world.git_in(&dir, ["init", "-q", "-b", "main"]);
            Session::in_dir(&world, &dir, n)
        })
        .collect();
    let personas: Vec<&str> = sessions
        .iter()
        .map(|one| one.seat.split_once('-').expect("an ordinal").0)
        .collect();
    assert!(
        personas[0] != personas[1] && personas[1] != personas[2],
        "{personas:?}"
    );
    let mut readers: Vec<_> = sessions.iter().map(Session::reader).collect();

    let text = format!("@{} @{} ship it", personas[0], personas[1]);
    let two = id(&program(&world, &["send", "--json", &text]).json());
    for (reader, live) in readers.iter_mut().take(2).enumerate() {
        let shown = next(live);
        let other = &sessions[1 - reader].seat;
        assert_eq!(
            (shown.id, shown.again, shown.body.as_str()),
            (two.clone(), false, "ship it")
        );
        assert!(
            shown.letterhead.starts_with("program → you, @"),
            "{}",
            shown.letterhead
        );
        let persona = other.split_once('-').expect("an ordinal").0;
        assert!(shown.letterhead.contains(persona), "{}", shown.letterhead);
        // How to answer, once.
        assert!(live.line().contains("to answer: "));
    }
    for live in &mut readers {
        assert_eq!(live.line_within(SILENCE), None);
    }

    let open = id(&program(&world, &["send", "--json", "#open hello all"]).json());
    for live in &mut readers {
        let shown = next(live);
        assert_eq!(
            (shown.id, shown.letterhead.as_str(), shown.body.as_str()),
            (open.clone(), "program → #open", "hello all")
        );
    }
    for (live, told) in readers.iter_mut().zip([true, true, false]) {
        let all = [&two, &open];
        live.assert_told(if told { &all } else { &all[1..] });
    }
    let line = format!("attend send --json @{} well done", personas[2]);
    let Some(done) = person(&world, &line) else {
        return;
    };
    let third = id(&done.json());
    // The third was told first of all what was said in the room.
    let shown = next(&mut readers[2]);
    assert_eq!(
        (shown.letterhead, shown.body.as_str()),
        (format!("{} (person) → you", user()), "well done")
    );
    readers[2].assert_told(&[open, third]);
    for live in &mut readers[..2] {
        assert_eq!(live.line_within(SILENCE), None);
    }
}

#[test]
fn the_status_of_a_loop_tells_who_has_mail_there() {
    let world = World::new();
    let mut session = Session::new(&world, 0);
    let live = session.reader();
    let told = |session: &mut Session<'_>| session.desk.run("attend status").ok();
    let seat = session.seat.clone();
    let mail = format!("mail: {seat}: listening, 0 unread\n");
    let text = told(&mut session);
    assert!(text.contains(&mail), "{text}");
    let lanes = "events: 0 held; 0 of 3 notifications within 2m, the next one may leave now; the host is busy\n\
                 messages: the next one may leave now\nline budget: ";
    assert!(text.contains(lanes), "{text}");
    live.signal(Signal::TERM);
    assert_eq!(live.ended().0, Some(0));
    session.told("for later");
    let status = session.desk.run("attend status --json").json();
    let seats = json!([{"name": seat, "reader": "live, no reader", "unread": 1}]);
    assert_eq!(status["seats"], seats, "{status}");
    assert_eq!(status["mail_off"], Value::Null, "it does not run");
    let events = json!({"host": "busy", "held": 0, "taken": 0, "most": 3, "window": 120});
    let lanes = json!({"events": events, "messages": {"ready_in": 0}});
    assert_eq!(status["lanes"], lanes, "{status}");
    assert_eq!(status["budget"]["most"], 8, "{status}");
}

#[test]
fn the_status_tells_what_an_event_cost() {
    let world = World::known();
    world.git(["switch", "-qc", "feat/x"]);
    world.tells("branch changed: main → feat/x");
    let status = world.status().0;
    assert_eq!(status["lanes"]["events"]["taken"], 1, "{status}");
    assert!(status["governor_ready_in"].as_u64() > Some(0), "{status}");
    let writes = status["budget"]["writes"].as_u64().expect("a number");
    assert!((5..=8).contains(&writes), "{status}");
}
