//! Words are kept as they were, and each message has a name of its own.

use std::collections::BTreeSet;

use super::desk::{Check, Desk};
use super::words::{api, draft, refused};
use crate::mail::{Draft, MAX_BODY, MailErrorKind, MessageId, Sender};

pub(super) const CHECKS: &[Check] = &[
    ("words are kept to the byte", exact),
    ("a body of 1 MiB is kept, one byte more is refused", longest),
    ("nothing said is refused", empty),
    ("ids are short, of their alphabet, and never the same", ids),
    (
        "an answer to a message that is not there is refused",
        no_such,
    ),
    ("an answer keeps what it answers", answers),
];

fn exact(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let bodies = [
        "👩‍👩‍👧‍👦 and 🏳️‍🌈",
        "漢字かな交じり文 한국어",
        "one\r\ntwo\r\n",
        "a\0b\0",
        "a | b || c",
        "\u{1b}[31mred\u{1b}[0m \u{7}",
        "\u{202e}txt.exe\u{202c} \u{2066}x\u{2069}",
        "e\u{301} is not \u{e9}",
        "  two spaces before and after  ",
        "'; DROP TABLE message; --",
        "%s %n \\0 \\n",
        "\u{feff}bom \u{fffd} \u{10ffff}",
        "\n",
    ];
    for body in bodies {
        if body.trim().is_empty() {
            continue;
        }
        let seq = desk.sent(&Sender::Program, Draft::new(body)).seq;
        let letters = desk.letters(&sat.reader());
        assert_eq!(letters[0].body, body);
        assert_eq!(desk.entry(sat.seat(), seq).body, body);
        desk.show(&sat.reader());
    }
}

fn longest(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let body = "é".repeat(MAX_BODY / 2);
    let seq = desk.sent(&Sender::Program, Draft::new(body.clone())).seq;
    assert_eq!(desk.entry(sat.seat(), seq).body, body);
    let kind = refused(desk.send(&Sender::Program, Draft::new(body + "x")));
    assert_eq!(kind, MailErrorKind::Invalid);
    assert_eq!(desk.news(&sat.reader()), [seq]);
}

fn empty(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    for body in ["", "  ", "\r\n\t", "\u{200b}\u{200d}", "\u{feff} \u{2060}"] {
        let kind = refused(desk.send(&Sender::Program, Draft::new(body)));
        assert_eq!(kind, MailErrorKind::Invalid);
    }
    assert!(desk.news(&sat.reader()).is_empty());
}

fn ids(desk: &Desk<'_>) {
    let mut ids = BTreeSet::new();
    for _ in 0..300 {
        let id = desk.sent(&Sender::Program, Draft::new("hi")).id;
        assert_eq!(MessageId::parse(id.as_str()).as_ref(), Some(&id));
        assert!(ids.insert(id.clone()), "{id} twice");
    }
}

fn no_such(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let answer = draft("#open hi").re(MessageId::new("ZZZZZZ"));
    assert_eq!(
        refused(desk.send(&Sender::Program, answer)),
        MailErrorKind::UnknownMessage
    );
    assert!(desk.news(&sat.reader()).is_empty());
}

fn answers(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let first = desk.sent(&Sender::Program, draft("#open what?"));
    let second = desk.sent(&sat.sender(), draft("#open that").re(first.id.clone()));
    assert_eq!(desk.entry(sat.seat(), second.seq).re, Some(first.id));
}
