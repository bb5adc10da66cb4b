//! The ledger: pages of what was said, which show nothing as read.

use super::desk::{Check, Desk};
use super::words::{Sat, api, refused, room, web};
use crate::mail::{Before, Ledger, MailErrorKind, MessageId, Page, Query, Seq, State};

pub(super) const CHECKS: &[Check] = &[
    (
        "the newest page comes first, oldest first inside, and names the one before",
        pages,
    ),
    ("a page ends before a message, or before a time", before),
    ("pages are skipped", skipped),
    (
        "a ledger holds what was to a seat, in its rooms, and its own",
        whose,
    ),
    (
        "a ledger of one room, whether the seat is in it or not",
        of_room,
    ),
    (
        "a ledger of what came from one seat, persona or person",
        of_sender,
    ),
    (
        "a ledger of words, and of beginnings of three letters or more",
        of_words,
    ),
    ("a page marks nothing, and tells the state", marks_nothing),
    (
        "a page of an unknown room, message or seat is refused",
        unknown,
    ),
];

fn positions(page: &Page) -> Vec<Seq> {
    page.entries.iter().map(|entry| entry.seq).collect()
}

fn ledger(sat: &Sat, limit: usize) -> Ledger {
    Ledger::new(sat.seat(), limit)
}

fn pages(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent: Vec<Seq> = (0..7).map(|_| desk.say("hi")).collect();
    let mut wanted = ledger(&sat, 3);
    let mut expected = [&sent[4..], &sent[1..4], &sent[..1]].into_iter();
    loop {
        let page = desk.page(&wanted);
        let Some(expected) = expected.next() else {
            panic!("there are more pages than messages: {page:?}");
        };
        assert_eq!(positions(&page), expected);
        match page.next {
            Some(id) => wanted.before = Some(Before::Id(id)),
            None => break,
        }
    }
    assert_eq!(expected.next(), None);
    assert_eq!(desk.page(&ledger(&sat, 7)).next, None);
}

fn before(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let first = desk.say("one");
    desk.pass(60);
    let time = desk.wall();
    let second = desk.say("two");
    desk.pass(60);
    let third = desk.say("three");
    let mut wanted = ledger(&sat, 9);
    wanted.before = Some(Before::Time(time));
    assert_eq!(positions(&desk.page(&wanted)), [first]);
    wanted.before = Some(Before::Id(desk.entry(sat.seat(), third).id));
    assert_eq!(positions(&desk.page(&wanted)), [first, second]);
    assert_eq!(desk.entry(sat.seat(), second).sent_at, time);
}

fn skipped(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent: Vec<Seq> = (0..5).map(|_| desk.say("hi")).collect();
    let mut wanted = ledger(&sat, 2);
    wanted.skip = 1;
    let page = desk.page(&wanted);
    assert_eq!(positions(&page), sent[1..3]);
    assert_eq!(page.next, Some(desk.entry(sat.seat(), sent[1]).id));
    wanted.skip = 2;
    assert_eq!(positions(&desk.page(&wanted)), sent[..1]);
    wanted.skip = 3;
    assert_eq!(desk.page(&wanted), Page::default());
}

fn whose(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, web());
    desk.join(&two, "art");
    let to_one = desk.say("@api hi");
    let own = desk.say_as(&one, "@web hi");
    let open = desk.say("#open hi");
    let art = desk.say("#art hi");
    assert_eq!(positions(&desk.page(&ledger(&one, 9))), [to_one, own, open]);
    assert_eq!(positions(&desk.page(&ledger(&two, 9))), [own, open, art]);
    let page = desk.page(&ledger(&one, 9));
    assert_eq!(page.entries[1].to, [format!("@{}", two.persona())]);
    assert_eq!(page.entries[1].from, one.name());
    let states: Vec<_> = page.entries.iter().map(|entry| entry.state).collect();
    assert_eq!(states, [Some(State::New), None, Some(State::New)]);
}

fn of_room(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, web());
    desk.join(&two, "art");
    let art = desk.say("#art #open hi");
    desk.say("#open hi");
    let mut wanted = ledger(&one, 9);
    wanted.room = Some(room("art"));
    assert_eq!(positions(&desk.page(&wanted)), [art]);
}

fn of_sender(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, web());
    let three = desk.sit("s3", 3, web());
    let sam = desk.person("sam", 50);
    let sent: Vec<Seq> = [&two, &three, &sam, &one]
        .iter()
        .map(|sat| desk.say_as(sat, "#open hi"))
        .collect();
    let from = |name: &str| {
        let mut wanted = ledger(&one, 9);
        wanted.from = Some(name.to_owned());
        positions(&desk.page(&wanted))
    };
    assert_eq!(from(two.name()), sent[..1]);
    assert_eq!(from(&two.persona().to_uppercase()), sent[..2]);
    assert_eq!(from("@Sam"), sent[2..3]);
    assert_eq!(from(one.name()), sent[3..]);
    assert!(from("nobody").is_empty());
}

fn of_words(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let bodies = [
        "Deploy the API now",
        "the deployment: done",
        "api",
        "a deplorable (state)",
    ];
    let sent: Vec<Seq> = bodies.iter().map(|body| desk.say(body)).collect();
    let words = |words: &str| {
        let mut wanted = ledger(&sat, 9);
        wanted.words = Some(words.to_owned());
        positions(&desk.page(&wanted))
    };
    assert_eq!(words("deploy"), sent[..2]);
    assert_eq!(words("DEPLOY api"), sent[..1]);
    assert_eq!(words("depl"), [sent[0], sent[1], sent[3]]);
    assert_eq!(
        words("ap"),
        [],
        "two letters are a word, not the beginning of one"
    );
    assert_eq!(words("api"), [sent[0], sent[2]]);
    assert_eq!(words("a"), sent[3..]);
    assert_eq!(words("state \" ( * OR"), []);
    assert_eq!(words("state \" ( *"), sent[3..]);
    assert!(words("ploy").is_empty());
    let mut wanted = ledger(&sat, 1);
    wanted.words = Some("deploy".into());
    let page = desk.page(&wanted);
    assert_eq!(positions(&page), [sent[1]]);
    assert_eq!(page.next, Some(desk.entry(sat.seat(), sent[1]).id));
}

fn marks_nothing(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let seq = desk.say("@api hi");
    for _ in 0..2 {
        assert_eq!(
            desk.page(&ledger(&sat, 9)).entries[0].state,
            Some(State::New)
        );
    }
    assert_eq!(desk.unread(sat.seat()), 1);
    assert_eq!(desk.show(&sat.reader()), [(seq, false)]);
    assert_eq!(
        desk.page(&ledger(&sat, 9)).entries[0].state,
        Some(State::Printed)
    );
}

fn unknown(desk: &Desk<'_>) {
    use futures::executor::block_on;
    let sat = desk.sit("s1", 1, api());
    let ask =
        |ledger: &Ledger| refused(block_on(desk.mailbox.read(&Query::Ledger(ledger.clone()))));
    let mut wanted = ledger(&sat, 9);
    wanted.room = Some(room("nowhere"));
    assert_eq!(ask(&wanted), MailErrorKind::UnknownRoom);
    desk.join(&sat, "deploy");
    wanted.room = Some(room("depoly"));
    match block_on(desk.mailbox.read(&Query::Ledger(wanted.clone()))) {
        Err(error) => {
            let words = "there is no room #depoly, did you mean #deploy?";
            assert_eq!(error.to_string(), words);
        }
        Ok(page) => panic!("an unknown room gave {page:?}"),
    }
    wanted.room = None;
    wanted.before = Some(Before::Id(MessageId::new("ZZZZZZ")));
    assert_eq!(ask(&wanted), MailErrorKind::UnknownMessage);
    let nobody = Ledger::new(crate::mail::SeatId::new(99), 9);
    assert_eq!(ask(&nobody), MailErrorKind::UnknownSeat);
}
