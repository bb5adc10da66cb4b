//! Sending: whom an address means, what is a body, and what a refusal leaves behind.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::desk::{Desk, ONE, TWO, alone, id, person, program, user};
use crate::home::{stderr, stdout};
use crate::world::World;

/// The bodies of all messages that a session finds in its ledger, oldest first.
fn bodies(desk: &mut Desk) -> Vec<String> {
    let page = desk.run("attend inbox --json --limit 1000").json();
    let messages = page["messages"].as_array().expect("a list");
    let body = |message: &Value| message["body"].as_str().expect("a body").to_owned();
    messages.iter().map(body).collect()
}

#[test]
fn one_unknown_name_among_three_writes_nothing_and_lists_the_closest() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let seat = desk.seat();
    let typo = seat.replace("-alpha", "-alhpa");
    let said = desk
        .run(&format!("attend send @{seat} @{typo} '#open' hello"))
        .refused();
    assert!(
        said.contains(&format!("nobody is called @{typo}, did you mean @{seat}?")),
        "{said}"
    );
    let said = desk
        .run(&format!("attend send @{seat} '#depoly' hello"))
        .refused();
    assert!(said.contains("#depoly"), "{said}");
    assert!(said.contains("attend focus on depoly"), "{said}");
    assert!(bodies(&mut desk).is_empty());
}

#[test]
fn text_that_looks_like_an_address_is_refused_with_a_hint_and_sent_as_the_hint_says() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let seat = desk.seat();
    let said = desk.run("attend send @dataclass is broken").refused();
    for hint in ["nobody is called @dataclass", "`--`", "`-`", "--to"] {
        assert!(said.contains(hint), "{hint}: {said}");
    }
    assert!(bodies(&mut desk).is_empty());
    for line in [
        "attend send -- @dataclass is broken".to_owned(),
        format!("attend send @{seat} -- @dataclass is broken"),
        format!("attend send \"@{seat} -- @dataclass is broken\""),
        "attend send --broadcast @dataclass is broken".to_owned(),
        format!("attend send --to {seat} @dataclass is broken"),
        format!("attend send --to @{seat} -- @dataclass is broken"),
        "printf '@dataclass is broken' | attend send -".to_owned(),
        format!("printf '@dataclass is broken' | attend send @{seat} -"),
    ] {
        desk.run(&line).ok();
    }
    assert_eq!(bodies(&mut desk), ["@dataclass is broken"; 8]);
    // A flag's address is no text, so that the hint would mislead.
    let said = desk.run("attend send --to dataclass hello").refused();
    assert!(!said.contains("`--`"), "{said}");
    assert!(said.contains("its path"), "{said}");
}

#[test]
fn nothing_to_say_says_that_a_room_has_to_be_quoted() {
    let world = World::new();
    for args in [
        &["send"][..],
        &["send", "@Cleo"],
        &["send", "--broadcast"],
        &["send", " "],
    ] {
        let said = program(&world, args).refused();
        assert!(
            said.contains("quote it: attend send '#deploy'"),
            "{args:?}: {said}"
        );
    }
    assert!(!world.beside("attend/data").exists());
}

#[test]
fn everybody_is_told_with_the_state_of_the_mail() {
    let world = World::new();
    let (mut one, mut two) = (Desk::new(&world, ONE), Desk::new(&world, TWO));
    let (first, second) = (one.seat(), two.seat());
    assert_eq!(two.run("attend focus on deploy").ok(), "joined #deploy\n");
    let line = format!("attend send @{first} @{second}, '#deploy:' '#open' ship it");
    let receipt = one.run(&format!("{line} --json")).json();
    let known = id(&receipt);
    assert_eq!(
        receipt,
        json!({"id": known, "repeated": false, "recipients": [
            {"address": format!("@{first}"), "seat": first, "state": "live, no reader", "members": null},
            {"address": format!("@{second}"), "seat": second, "state": "live, no reader", "members": null},
            {"address": "#deploy", "seat": null, "state": null, "members": 1},
            {"address": "#open", "seat": null, "state": null, "members": 1},
        ]})
    );
    let text = one.run(&line).ok();
    let expected = format!(
        " sent\n  @{first}: live, no reader\n  @{second}: live, no reader\n  #deploy: 1 other member\n  #open: 1 other member\n"
    );
    assert!(text.ends_with(&expected), "{text}");
}

#[test]
fn a_path_is_its_project_and_waits_where_nobody_sits() {
    let world = World::new();
    fs::create_dir_all(world.beside("other/src")).expect("a directory");
    world.git_in(&world.beside("other"), ["init", "-q"]);
    let receipt = program(&world, &["send", "--json", "--to", "../other/src", "hello"]).json();
    let told = &receipt["recipients"][0];
    assert_eq!(
        (&told["seat"], &told["state"]),
        (&Value::Null, &"waiting".into())
    );
    // By its folder it is known from then on, and so is another way to the same place.
    std::os::unix::fs::symlink(world.beside("other"), world.beside("link")).expect("a link");
    let link = world.beside("link");
    let link = link.to_str().expect("UTF-8");
    for to in ["other", "@other", link, "~/other"] {
        let again = program(&world, &["send", "--json", "--to", to, "hello"]).json();
        assert_eq!(again["recipients"][0], *told, "{to}");
    }
    let said = program(&world, &["send", "--to", "../nowhere", "hello"]).refused();
    assert!(
        said.contains("../nowhere") && said.contains("No such file"),
        "{said}"
    );
    let said = program(&world, &["send", "--to", "~nobody/x", "hello"]).refused();
    assert!(said.contains("~nobody/x"), "{said}");
}

#[test]
fn a_key_sends_once() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let seat = desk.seat();
    let line = format!("attend send --key build-7 --json @{seat} the build is done");
    let (first, again) = (desk.run(&line).json(), desk.run(&line).json());
    assert_eq!(first["id"], again["id"]);
    assert_eq!(
        (&first["repeated"], &again["repeated"]),
        (&false.into(), &true.into())
    );
    let said = desk
        .run("attend send --key build-7 something else")
        .refused();
    assert!(said.contains(&id(&first)), "{said}");
    assert_eq!(bodies(&mut desk).len(), 1);
    // Without one, the same words are two messages.
    desk.run("attend send twice").ok();
    desk.run("attend send twice").ok();
    assert_eq!(bodies(&mut desk).len(), 3);
}

#[test]
fn standard_input_is_kept_byte_for_byte_up_to_a_mebibyte() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    desk.seat();
    let input = world.beside("input");
    let send = |bytes: &[u8]| {
        fs::write(&input, bytes).expect("a file");
        let mut command = alone(&world, &["send", "-"]);
        command.stdin(Stdio::from(File::open(&input).expect("a file")));
        command.output().expect("it starts")
    };
    let odd = "#12\tand \u{1b}[2J\r\n[attend sensor=git] x\n\n";
    let long = "x".repeat(1 << 20);
    for text in [odd, &long] {
        let output = send(text.as_bytes());
        assert!(output.status.success(), "{}", stderr(&output));
    }
    assert_eq!(bodies(&mut desk), [odd, &long]);
    for bytes in [[long.as_bytes(), b"x"].concat(), b"caf\xe9".to_vec()] {
        let output = send(&bytes);
        assert_eq!(
            (output.status.code(), stdout(&output)),
            (Some(1), String::new())
        );
        assert!(stderr(&output).contains("1 MiB"), "{}", stderr(&output));
    }
    assert_eq!(send(b"").status.code(), Some(1));
    assert_eq!(bodies(&mut desk).len(), 2);
}

#[test]
fn what_is_no_command_line_is_a_usage_error() {
    let world = World::new();
    for args in [
        &["send", "--to", "a b", "x"][..],
        &["send", "--focus", "1234", "x"],
        &["send", "--re", "ship it", "x"],
        &["send", "--key", "", "x"],
        &["send", "hello", "--nosuch"],
        &["inbox", "--unread", "--room", "deploy"],
        &["inbox", "--before", "some day"],
        &["inbox", "--limit", "0"],
        &["show"],
        &["show", "no id"],
        &["focus", "on", "1234"],
        &["focus"],
    ] {
        let done = program(&world, args);
        assert_eq!(
            (done.code, done.out.as_str()),
            (2, ""),
            "{args:?}: {}",
            done.err
        );
    }
}

#[test]
fn an_answer_goes_to_the_sender_and_to_the_rooms() {
    let world = World::new();
    let (mut one, mut two) = (Desk::new(&world, ONE), Desk::new(&world, TWO));
    let (first, second) = (one.seat(), two.seat());
    let said = two.run("attend reply on it").refused();
    assert!(said.contains("nothing was shown"), "{said}");
    let asked = id(&one
        .run(&format!("attend send --json @{second} '#open' who can"))
        .json());
    two.run("attend inbox --unread").ok();
    let receipt = two.run("attend reply --json @this is all text").json();
    let to = |receipt: &Value| {
        let all = receipt["recipients"].as_array().expect("a list");
        let to = all
            .iter()
            .map(|one| one["address"].as_str().expect("text").to_owned());
        to.collect::<Vec<_>>()
    };
    assert_eq!(to(&receipt), [format!("@{first}"), "#open".to_owned()]);
    let answer = id(&receipt);

    // Several at once: which one has to be said.
    let other = id(&one
        .run(&format!("attend send --json @{second} another"))
        .json());
    let third = id(&one
        .run(&format!("attend send --json @{second} a third"))
        .json());
    two.run("attend inbox --unread").ok();
    let said = two.run("attend reply yes").refused();
    for id in [&other, &third] {
        assert!(said.contains(&format!("{id} from {first}")), "{said}");
    }
    two.run(&format!("attend reply --re {} yes", other.to_lowercase()))
        .ok();

    // One level: an answer to the answer belongs to what was asked, and all show one thread.
    let later = id(&one
        .run(&format!("attend reply --json --re {answer} -- thanks"))
        .json());
    let thread = one.run(&format!("attend show --json {asked}")).json();
    let ids: Vec<&str> = thread["thread"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|message| message["id"].as_str().expect("an id"))
        .collect();
    assert_eq!(ids, [&answer, &later]);
    let said = two.run("attend reply --re 000000 yes").refused();
    assert!(said.contains("no message 000000"), "{said}");
}

#[test]
fn a_person_and_an_agent_write_to_each_other() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let seat = desk.seat();
    let Some(asked) = person(&world, &format!("attend send @{seat} what is up")) else {
        return;
    };
    asked.ok();
    let unread = desk.run("attend inbox --unread").ok();
    assert!(
        unread.contains(&format!("{} (person) → you: what is up", user())),
        "{unread}"
    );
    desk.run("attend reply all is well").ok();
    let unread = person(&world, "attend inbox --unread")
        .expect("a terminal")
        .ok();
    assert!(
        unread.contains(&format!(" {seat} → you: all is well")),
        "{unread}"
    );
}

#[test]
fn a_receipt_that_cannot_be_written_says_that_the_message_was_sent() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let said = desk.run("attend send hello >/dev/full").refused();
    assert!(
        said.contains(" was sent; cannot write to standard output"),
        "{said}"
    );
    assert_eq!(bodies(&mut desk), ["hello"]);
}

#[test]
fn the_store_lies_where_the_environment_says_and_is_private() {
    let world = World::new();
    let send = |places: &[(&str, &str)]| {
        let mut command = alone(&world, &["send", "hello"]);
        command.env_remove("ATTEND_HOME");
        for (name, place) in places {
            command.env(name, world.beside(place));
        }
        let output = command.output().expect("it starts");
        assert!(output.status.success(), "{}", stderr(&output));
    };
    for (places, store) in [
        (&[][..], ".local/share/attend"),
        (&[("XDG_DATA_HOME", "xdg")], "xdg/attend"),
        (
            &[("XDG_DATA_HOME", "no"), ("ATTEND_HOME", "all")],
            "all/data",
        ),
    ] {
        send(places);
        let store = world.beside(store);
        let mode = |path| {
            fs::metadata(path)
                .expect("it is there")
                .permissions()
                .mode()
        };
        assert_eq!(mode(store.clone()) & 0o777, 0o700, "{store:?}");
        assert_eq!(mode(store.join("mail.db")) & 0o777, 0o600, "{store:?}");
    }
    assert!(!world.beside("no").exists());
}
