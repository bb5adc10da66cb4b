//! Keys: sending again under one name sends nothing twice.

use super::desk::{Check, Desk};
use super::words::{api, draft, refused, web};
use crate::mail::{MailErrorKind, Sender};

pub(super) const CHECKS: &[Check] = &[
    (
        "the same key, body and address give the same message",
        idempotent,
    ),
    (
        "a key with another body or address is refused, naming the message",
        reused,
    ),
    (
        "keys belong to a session, to a person, and to all programs together",
        spaces,
    ),
    (
        "a key is looked up before the address is resolved",
        before_resolving,
    ),
    ("the same words without a key are two messages", without_key),
];

fn idempotent(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, web());
    let send = || desk.sent(&one.sender(), draft("@web hi").key("k"));
    let first = send();
    desk.show(&two.reader());
    desk.pass(3_600);
    let second = send();
    assert_eq!((&second.id, second.seq), (&first.id, first.seq));
    assert!(second.repeated && !first.repeated);
    assert!(desk.news(&two.reader()).is_empty());
    assert!(desk.say("next") > first.seq);
}

fn reused(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, web());
    let first = desk.sent(&one.sender(), draft("@web hi").key("k"));
    desk.show(&two.reader());
    for other in ["@web hi!", "@api hi", "@web #open hi"] {
        match desk.send(&one.sender(), draft(other).key("k")) {
            Err(error) => {
                assert_eq!(error.kind(), MailErrorKind::KeyReused);
                assert!(error.to_string().contains(first.id.as_str()), "{error}");
            }
            Ok(receipt) => panic!("{other:?} was sent under a used key: {receipt:?}"),
        }
    }
    assert!(desk.news(&two.reader()).is_empty());
}

fn spaces(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, web());
    let (sam, kim) = (desk.person("sam", 50), desk.person("kim", 51));
    let send = |sender: &Sender, body: &str| desk.send(sender, draft(body).key("k"));
    let senders = [
        one.sender(),
        two.sender(),
        sam.sender(),
        kim.sender(),
        Sender::Program,
    ];
    let mut ids = Vec::new();
    for (n, sender) in senders.iter().enumerate() {
        match send(sender, &format!("#open {n}")) {
            Ok(receipt) => ids.push(receipt.id),
            Err(error) => panic!("the key of another was in the way: {error}"),
        }
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 5);
    assert_eq!(
        refused(send(&Sender::Program, "#open x")),
        MailErrorKind::KeyReused
    );
    let job = Sender::Session {
        session: "s1".into(),
        place: api(),
    };
    assert_eq!(refused(send(&job, "#open x")), MailErrorKind::KeyReused);
    let next = desk.sit("s1b", 1, api());
    assert_eq!(next.seat(), one.seat());
    assert!(
        send(&next.sender(), "#open x").is_ok(),
        "keys are a session's, not a seat's"
    );
}

fn before_resolving(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, web());
    let first = desk.sent(&one.sender(), draft("@web hi").key("k"));
    // By now the name means two projects.
    desk.sit(
        "s3",
        3,
        crate::mail::Place::new("/old/web/.git", "/old/web"),
    );
    let second = desk.sent(&one.sender(), draft("@web hi").key("k"));
    assert_eq!(second.id, first.id);
    assert_eq!(desk.news(&two.reader()), [first.seq]);
}

fn without_key(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let (one, two) = (desk.say("hi"), desk.say("hi"));
    assert_eq!(desk.news(&sat.reader()), [one, two]);
}
