//! Whom a message reaches, and that it reaches each of them once.

use super::desk::{Check, Desk};
use super::words::{api, api_fix, draft, reached, web};
use crate::mail::{Draft, Sender};

pub(super) const CHECKS: &[Check] = &[
    (
        "a project is each of its occupied seats, without the sender's own",
        without_the_sender,
    ),
    (
        "a project reaches no seat that is vacant or whose session is dead",
        not_the_vacant,
    ),
    (
        "where only the sender sits, the next session of the project takes it",
        next_session,
    ),
    ("a work tree reaches its own seats only", work_trees),
    (
        "what waits for a work tree is taken by no other",
        work_tree_waits,
    ),
    (
        "what was sent to two work trees reaches whichever comes",
        two_trees_wait,
    ),
    ("whoever is addressed twice is notified once", once),
    ("a letter names its reader, and the rooms", letter_names),
    ("no seat is told of what is another's", isolation),
    ("who sends is decided by the sender, and shown", senders),
    (
        "order is the sequence, whatever the clock on the wall does",
        order,
    ),
];

fn without_the_sender(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api());
    let three = desk.sit("s3", 3, api_fix());
    let receipt = desk.sent(&one.sender(), draft("@api hi"));
    assert_eq!(reached(&receipt), [two.name(), three.name()]);
    assert!(desk.news(&one.reader()).is_empty());
    assert_eq!(desk.news(&two.reader()), [receipt.seq]);
    assert_eq!(desk.news(&three.reader()), [receipt.seq]);
}

fn not_the_vacant(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api());
    let three = desk.sit("s3", 3, api());
    desk.leave_seat(&one);
    desk.around.end(&two.process);
    let receipt = desk.sent(&Sender::Program, draft("@api hi"));
    assert_eq!(reached(&receipt), [three.name()]);
}

fn next_session(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let seq = desk.say_as(&one, "@api hi");
    assert!(desk.news(&one.reader()).is_empty());
    desk.pass(90 * 86_400);
    let sender = desk.sit("s1", 1, api());
    assert!(
        desk.news(&sender.reader()).is_empty(),
        "the sender got its own words"
    );
    let two = desk.sit("s2", 2, api_fix());
    assert_eq!(desk.show(&two.reader()), [(seq, false)]);
    let three = desk.sit("s3", 3, api());
    assert!(desk.news(&three.reader()).is_empty());
}

fn work_trees(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api_fix());
    let receipt = desk.sent(&Sender::Program, Draft::new("hi").to(api_fix()));
    assert_eq!(reached(&receipt), [two.name()]);
    assert!(desk.news(&one.reader()).is_empty());
    assert_eq!(desk.news(&two.reader()), [receipt.seq]);
}

fn work_tree_waits(desk: &Desk<'_>) {
    let seq = desk
        .sent(&Sender::Program, Draft::new("hi").to(api_fix()))
        .seq;
    let one = desk.sit("s1", 1, api());
    assert!(desk.news(&one.reader()).is_empty());
    let two = desk.sit("s2", 2, api_fix());
    assert_eq!(desk.news(&two.reader()), [seq]);

    // What a vacant seat still has for its work tree is not for whoever comes from another.
    desk.leave_seat(&two);
    desk.leave_seat(&one);
    let three = desk.sit("s3", 3, api());
    let four = desk.sit("s4", 4, api());
    assert!(desk.news(&three.reader()).is_empty());
    assert_eq!(
        four.name(),
        two.name(),
        "the lowest vacant seat, where none has the root"
    );
    assert!(desk.news(&four.reader()).is_empty());
    let five = desk.sit("s5", 5, api_fix());
    assert_eq!(desk.news(&five.reader()), [seq]);
}

fn two_trees_wait(desk: &Desk<'_>) {
    let both = Draft::new("hi").to(api()).to(api_fix());
    for place in [api(), api_fix()] {
        let desk = desk.another();
        let seq = desk.sent(&Sender::Program, both.clone()).seq;
        let sat = desk.sit("s1", 1, place);
        assert_eq!(desk.show(&sat.reader()), [(seq, false)]);
    }
}

fn once(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    desk.join(&sat, "deploy");
    let text = format!("@{} @{} @api #deploy #open hi", sat.name(), sat.persona());
    let seq = desk.say(&text);
    assert_eq!(desk.news(&sat.reader()), [seq]);
    assert_eq!(desk.unread(sat.seat()), 1);
    let (counts, _, _) = desk.many(&sat.reader(), 0);
    assert_eq!((counts.total(), counts.directed()), (1, 1));
    assert_eq!(desk.show(&sat.reader()), [(seq, false)]);
    assert!(desk.news(&sat.reader()).is_empty());
    assert_eq!(desk.unread(sat.seat()), 0);
}

fn letter_names(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, web());
    desk.join(&one, "deploy");
    desk.join(&two, "deploy");
    let text = format!("#deploy @{} ship it", one.name());
    let seq = desk.say_as(&two, &text);
    let letter = desk.letters(&one.reader()).remove(0);
    assert_eq!((letter.seq, letter.to.as_str()), (seq, "you, #deploy"));
    assert_eq!(
        (letter.from.as_str(), letter.body.as_str()),
        (two.name(), "ship it")
    );
    let three = desk.person("sam", 50);
    desk.join(&three, "deploy");
    desk.say_as(&two, &text);
    let letter = desk.letters(&three.reader()).remove(0);
    assert_eq!(letter.to, format!("#deploy, @{}", one.name()));
}

fn isolation(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api());
    let three = desk.sit("s3", 3, web());
    let seq = desk.say(&format!("@{} hi", one.name()));
    for other in [&two, &three] {
        assert!(desk.news(&other.reader()).is_empty());
        assert_eq!(desk.state(other.seat(), seq), None);
        let claim = desk.print(&other.reader(), &[seq]);
        assert!(claim.is_empty(), "another's message was granted: {claim:?}");
        let id = desk.entry(other.seat(), seq).id;
        let claim = desk.claimed(&other.reader(), crate::mail::Wanted::Show(id));
        assert!(
            claim.granted.is_empty(),
            "another's message was granted: {claim:?}"
        );
    }
    assert_eq!(desk.show(&one.reader()), [(seq, false)]);
}

fn senders(desk: &Desk<'_>) {
    use crate::mail::SenderKind::{Agent, Person, Program};
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, web());
    let sam = desk.person("sam", 50);
    let job = Sender::Session {
        session: "job".into(),
        place: web(),
    };
    let to = draft(&format!("@{} I am sam", one.name()));
    for sender in [two.sender(), sam.sender(), job, Sender::Program] {
        desk.sent(&sender, to.clone());
    }
    let letters = desk.letters(&one.reader());
    let from: Vec<_> = letters
        .iter()
        .map(|letter| (letter.from.as_str(), letter.kind))
        .collect();
    assert_eq!(
        from[..3],
        [(two.name(), Agent), ("sam", Person), (two.persona(), Agent)]
    );
    assert_eq!(from[3].1, Program);
}

fn order(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let mut sent = Vec::new();
    for step in [0, -3_600, -365 * 86_400, 2 * 365 * 86_400, -1] {
        desk.around.clock().step_wall(step);
        sent.push(desk.say("hi"));
        sent.push(desk.say(&format!("@{} hi", sat.name())));
    }
    assert!(sent.is_sorted_by(|a, b| a < b), "{sent:?}");
    assert_eq!(desk.news(&sat.reader()), sent);
    let mut backwards = sent.clone();
    backwards.reverse();
    let claim = desk.print(&sat.reader(), &backwards);
    let granted: Vec<_> = claim.granted.iter().map(|granted| granted.seq).collect();
    assert_eq!(granted, sent);
}
