//! `unix_socket`: what becomes of lines, good and hostile, and the program.

use std::io::Write;
use std::os::unix::net::UnixStream;
use std::path::Path;

use attend_core::sensor::Sensor;
use attend_core::testkit::{Conformance, Harness, Polled};

use crate::program::{Program, promised};
use crate::unix_socket::chat;

/// A world, the sensor in it, and a client that is connected.
struct Chat {
    harness: Harness,
    sensor: Box<dyn Sensor>,
    client: UnixStream,
}

impl Chat {
    fn new() -> Self {
        let harness = Harness::new();
        let sensor = Box::new(chat(&harness.build_context()).unwrap());
        let client = UnixStream::connect(harness.work().join("chat.sock")).unwrap();
        Self {
            harness,
            sensor,
            client,
        }
    }

    fn look(&mut self) -> Polled {
        self.harness.poll(self.sensor.as_mut())
    }

    /// The first look that finds something.
    fn news(&mut self) -> Polled {
        loop {
            let polled = self.look();
            if !polled.is_quiet() {
                return polled;
            }
            std::thread::yield_now();
        }
    }
}

#[test]
fn a_line_is_an_event_or_mail() {
    let mut chat = Chat::new();
    chat.client.write_all(b"1 Ann joined #deploy\n").unwrap();
    let polled = chat.news();
    assert_eq!(polled.only_event().text(), "Ann joined #deploy");
    assert_eq!(polled.keys(), ["1"]);
    chat.client
        .write_all(b"2 @Tam-alpha, #deploy: Ann asks for the notes\n")
        .unwrap();
    let polled = chat.news();
    let [(key, draft)] = polled.drafts() else {
        panic!("{polled:?}");
    };
    let to: Vec<String> = draft.to.iter().map(ToString::to_string).collect();
    assert_eq!(
        (key.as_str(), to, draft.body.as_str()),
        (
            "2",
            vec!["@Tam-alpha".to_owned(), "#deploy".to_owned()],
            "Ann asks for the notes"
        )
    );
    assert!(chat.harness.woken() >= 2, "each asks for a look");
}

#[test]
fn hostile_lines_cost_themselves_only() {
    let mut chat = Chat::new();
    let mut client = chat.client.try_clone().unwrap();
    let writer = std::thread::spawn(move || {
        client.write_all(b"1 ").unwrap();
        for _ in 0..10 {
            client.write_all(&vec![b'x'; 1 << 20]).unwrap();
        }
        client
            .write_all(b"\n2 \xff\xfe\x1b[2J\nwordless\n\n3 after all\n")
            .unwrap();
    });
    let (mut texts, mut warnings) = (Vec::new(), Vec::new());
    while texts.len() < 3 {
        let polled = chat.news();
        texts.extend(polled.texts().into_iter().map(str::to_owned));
        warnings.extend(polled.warnings().iter().map(ToString::to_string));
    }
    writer.join().unwrap();
    assert!(
        (1_000..=2_048).contains(&texts[0].len()),
        "{}",
        texts[0].len()
    );
    assert!(texts[1].starts_with("\u{fffd}\u{fffd}"), "{texts:?}");
    assert_eq!(texts[2], "after all");
    assert_eq!(warnings, ["no id: wordless\n", "no id: \n"]);
}

#[test]
fn whoever_floods_waits_and_no_look_takes_more_than_its_share() {
    let mut chat = Chat::new();
    let mut client = chat.client.try_clone().unwrap();
    let writer = std::thread::spawn(move || {
        for n in 0..1_000 {
            writeln!(client, "{n} @Tam: words").unwrap();
        }
    });
    let mut posted = Vec::new();
    while posted.len() < 1_000 {
        let polled = chat.look();
        assert!(
            polled.warnings().is_empty() && polled.drafts().len() <= 64,
            "{polled:?}"
        );
        posted.extend(
            polled
                .drafts()
                .iter()
                .map(|(key, _)| key.as_str().to_owned()),
        );
    }
    writer.join().unwrap();
    let all: Vec<String> = (0..1_000).map(|n| n.to_string()).collect();
    assert_eq!(posted, all);
}

#[test]
fn it_keeps_the_contract() {
    Conformance::new().check(|cx| Box::new(chat(cx).unwrap()));
}

#[test]
fn one_that_goes_leaves_the_socket_to_the_next() {
    let here = Chat::new();
    let path = here.harness.work().join("chat.sock");
    drop(here.sensor);
    // Nobody listens there any more, and the file is no obstacle.
    while UnixStream::connect(&path).is_ok() {
        std::thread::yield_now();
    }
    chat(&here.harness.build_context()).unwrap();
}

/// A client of the program in `directory`, once that listens.
fn connect(directory: &Path) -> UnixStream {
    loop {
        match UnixStream::connect(directory.join("chat.sock")) {
            Ok(client) => return client,
            Err(_) => std::thread::yield_now(),
        }
    }
}

/// A line with `SEAT` for the name of the seat and `ID` for the id of a message.
fn without_names(line: &str, seat: &str) -> String {
    let line = line.replace(seat, "SEAT");
    let words = line.split(' ').map(|word| match word.len() {
        6 if word
            .bytes()
            .all(|b| b.is_ascii_digit() || b.is_ascii_uppercase()) =>
        {
            "ID"
        }
        _ => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_program_prints_what_it_says_and_outlives_hostile_clients() {
    let program = Program::start("unix_socket", "");
    let promised = promised("unix_socket");
    let banner = program.line();
    let seat = |banner: &str| {
        let words = banner.strip_prefix("[attend] ");
        words
            .and_then(|words| words.strip_suffix(" listens"))
            .unwrap()
            .to_owned()
    };
    let (here, there) = (seat(&banner), seat(&promised[0]));
    let mut client = connect(program.directory());
    write!(
        client,
        "1 Ann joined #deploy\n2 @{here}: Ann asks for the release notes\n"
    )
    .unwrap();
    for promised in &promised[1..] {
        let told = without_names(&program.line(), &here);
        assert_eq!(told, without_names(promised, &there));
    }

    client.write_all(&vec![b'x'; 10 << 20]).unwrap();
    client
        .write_all(b"\n\xff\xfe\x1b[2J\n3 @nobody-there: x\n")
        .unwrap();
    drop(client);
    let mut client = connect(program.directory());
    writeln!(client, "4 @{here}: still there?").unwrap();
    let is_plain = |line: &String| line.chars().count() <= 500 && !line.contains('\u{1b}');
    loop {
        let line = program.line();
        assert!(is_plain(&line), "{line}");
        if line.ends_with(": still there?") {
            break;
        }
    }
    assert!(program.ends().iter().all(is_plain));
}
