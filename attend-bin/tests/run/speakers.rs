//! Who speaks: decided by the process, never by the environment's word for a person.

use serde_json::Value;

use crate::desk::{Desk, ONE, TWO, alone, person, program, user};
use crate::home::stdout;
use crate::world::World;

#[test]
fn an_agent_is_its_session_on_a_seat_of_its_project() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let who = desk.run("attend whoami --json").json();
    let persona = who["persona"].as_str().expect("a persona");
    assert_eq!(who["seat"], format!("{persona}-alpha"));
    assert_eq!(
        (&who["kind"], &who["session_id"], &who["project"]),
        (&"agent".into(), &ONE.into(), &"project".into())
    );
    let root = world.repo().canonicalize().expect("it is there");
    assert_eq!(who["root"], root.to_str().expect("UTF-8"));
    let text = desk.run("attend whoami").ok();
    assert!(
        text.starts_with(&format!("{persona}-alpha, an agent\n")),
        "{text}"
    );
}

#[test]
fn a_person_is_who_the_system_says_at_a_terminal() {
    let world = World::new();
    let Some(who) = person(&world, "attend whoami --json") else {
        return;
    };
    let who = who.json();
    assert_eq!(
        (&who["seat"], &who["kind"]),
        (&user().into(), &"person".into())
    );
    for none in ["session_id", "project", "root", "persona"] {
        assert_eq!(who.get(none), Some(&Value::Null), "{none}");
    }
    // Nobody is there before they used it.
    let sent = program(&world, &["send", &format!("@{}", user()), "hello"]);
    assert!(sent.refused().contains("nobody is called"));
    let sent = person(&world, "attend send hello")
        .expect("a terminal")
        .ok();
    assert!(sent.contains("#open"), "{sent}");
    program(&world, &["send", &format!("@{}", user()), "hello"]).ok();
}

#[test]
fn an_agent_at_a_terminal_that_unsets_everything_stays_an_agent() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let seat = desk.seat();
    for line in [
        "script -qec 'env -i ATTEND_HOME=\"$ATTEND_HOME\" CLAUDE_CONFIG_DIR=\"$CLAUDE_CONFIG_DIR\" \"$A\" whoami --json >script.out' /dev/null >/dev/null; cat script.out",
        "setsid -w env -u CLAUDE_PID -u CLAUDE_CODE_SESSION_ID \"$A\" whoami --json",
    ] {
        let who = desk.run(line).json();
        assert_eq!(
            (&who["kind"], &who["seat"]),
            (&"agent".into(), &seat.as_str().into()),
            "{line}"
        );
    }
    // Without its records it is no person either: which session it is, is not known.
    let hidden = desk.run("CLAUDE_CONFIG_DIR=/nowhere attend send hello");
    assert!(hidden.refused().contains("has not said yet which session"));
}

#[test]
fn the_environment_can_make_an_agent_where_a_record_agrees_and_never_a_person() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let seat = desk.seat();
    let pid = desk.pid().to_string();
    let asked = |session: &str| {
        let mut command = alone(&world, &["whoami", "--json"]);
        command
            .env("CLAUDE_PID", &pid)
            .env("CLAUDE_CODE_SESSION_ID", session);
        command.output().expect("it starts")
    };
    let agrees: Value = serde_json::from_str(&stdout(&asked(ONE))).expect("JSON");
    assert_eq!(
        (&agrees["kind"], &agrees["seat"]),
        (&"agent".into(), &seat.as_str().into())
    );
    let contradicts: Value = serde_json::from_str(&stdout(&asked(TWO))).expect("JSON");
    assert_eq!(
        (&contradicts["kind"], &contradicts["seat"]),
        (&"program".into(), &Value::Null)
    );
}

#[test]
fn a_program_may_send_and_has_no_mail() {
    let world = World::new();
    let who = program(&world, &["whoami", "--json"]).json();
    assert_eq!(
        (&who["kind"], &who["seat"]),
        (&"program".into(), &Value::Null)
    );
    let mut desk = Desk::new(&world, ONE);
    desk.seat();
    program(&world, &["send", "the build is done"]).ok();
    for args in [
        &["inbox"][..],
        &["inbox", "--unread"],
        &["focus", "on", "deploy"],
        &["reply", "hi"],
    ] {
        program(&world, args).refused();
    }
    let listed = desk.run("attend inbox --json").json();
    assert_eq!(listed["messages"][0]["from_kind"], "program");
}

#[test]
fn the_nearest_host_decides_where_one_runs_in_another() {
    let world = World::new();
    let mut outer = Desk::new(&world, ONE);
    let seat = outer.seat();
    // The inner one has no record yet, so nobody knows its session: it is not the outer one's.
    let nested = "../claude-bin/claude -c '\"$A\" send hello; true'";
    let done = outer.run(nested);
    assert_eq!(done.out, "");
    assert!(
        done.err.contains("has not said yet which session"),
        "{done:?}"
    );
    assert_eq!(outer.seat(), seat);
}

#[test]
fn a_session_whose_directory_is_gone_says_so() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    std::fs::rename(world.repo(), world.beside("moved")).expect("it is there");
    let said = desk.run("attend send hello").refused();
    assert!(
        said.contains("which works in") && said.contains("No such file"),
        "{said}"
    );
}
