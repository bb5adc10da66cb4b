//! Reminders: words to oneself that become a message when they are due.

use futures::executor::block_on;

use super::desk::{Check, Desk};
use super::later::bodies;
use super::words::{Sat, api, draft, refused, seqs};
use crate::mail::{
    Change, MAX_BODY, MOST_DUE, MailErrorKind, MailboxExt as _, MessageId, Query, Reminder, SeatId,
    SenderKind, State,
};

/// How many of one seat wait at most.
const MOST: u64 = 1_000;

pub(super) const CHECKS: &[Check] = &[
    (
        "a reminder that is due becomes a message of its own id to its seat",
        becomes_a_message,
    ),
    (
        "a reminder is new for who wrote it, and no words of their own",
        new_for_its_author,
    ),
    ("reminders come in order of due, each once", in_order),
    ("a reminder that comes late says so", late),
    ("a reminder that was taken back does not come", taken_back),
    (
        "nobody takes back the reminder of another seat",
        of_another_seat,
    ),
    ("reminders are told, the next one first", told),
    (
        "a reminder needs words, no more than a message may have",
        needs_words,
    ),
    ("a reminder needs a seat that is there", needs_a_seat),
    (
        "a reminder goes to whoever sits on its seat by then",
        handed_over,
    ),
    (
        "a reminder that came while nobody sat there waits",
        waits_on_a_vacant_seat,
    ),
    ("a person is reminded too", person),
    (
        "no key of a message is in a reminder's way",
        no_key_in_its_way,
    ),
    ("of one seat a thousand reminders wait at most", thousand),
];

fn becomes_a_message(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let before = desk.say("#open before");
    desk.show(&sat.reader());
    let id = desk.remind(sat.seat(), 60, "tea");
    let message = Query::Message {
        id: id.clone(),
        seat: None,
    };
    assert_eq!(
        desk.ask(&message),
        crate::mail::Answer::Message(None),
        "it is none yet"
    );
    desk.pass(59);
    assert_eq!(desk.due(sat.seat()), 0);
    assert!(desk.news(&sat.reader()).is_empty());
    desk.pass(1);
    assert!(desk.news(&sat.reader()).is_empty(), "it comes on its own");
    assert_eq!(desk.due(sat.seat()), 1);
    let letters = desk.letters(&sat.reader());
    assert_eq!(bodies(&letters), ["reminder: tea"]);
    let letter = &letters[0];
    assert_eq!(letter.id, id);
    assert!(letter.seq > before);
    assert_eq!(
        (letter.from.as_str(), letter.to.as_str()),
        (sat.name(), "you")
    );
    let entry = desk.entry(sat.seat(), letter.seq);
    assert_eq!(entry.id, id);
    assert_eq!(entry.sent_at, desk.wall());
    assert_eq!(entry.state, Some(State::New));
    assert!(desk.reminders(sat.seat()).is_empty());
}

fn new_for_its_author(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let other = desk.sit("s2", 2, api());
    desk.remind(sat.seat(), 0, "tea");
    assert_eq!(desk.due(sat.seat()), 1);
    let seq = desk.news(&sat.reader())[0];
    assert!(desk.news(&other.reader()).is_empty());
    assert_eq!(desk.state(other.seat(), seq), None);
    assert_eq!(desk.unread(sat.seat()), 1);
    let (counts, _, directed) = desk.many(&sat.reader(), 0);
    assert_eq!((counts.total(), directed.len()), (1, 0));
    // Sitting there again makes it no own words either.
    desk.around.end(&sat.process);
    let back = desk.sit("s1", 3, api());
    assert_eq!(back.seat(), sat.seat());
    assert_eq!(desk.show_tracked(&back.reader()), [(seq, false)]);
    desk.missed(&back.reader(), &[(seq, 1)]);
    let cleared = desk.sit("s1b", 3, api());
    assert_eq!(desk.show(&cleared.reader()), [(seq, true)]);
    assert_eq!(desk.state(back.seat(), seq), Some(State::Printed));
}

fn in_order(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    for (seconds, text) in [(30, "third"), (10, "first"), (20, "second"), (90, "last")] {
        desk.remind(sat.seat(), seconds, text);
    }
    desk.pass(30);
    assert_eq!(desk.due(sat.seat()), 3);
    assert_eq!(desk.due(sat.seat()), 0, "by another reader");
    let letters = desk.letters(&sat.reader());
    let all = ["reminder: first", "reminder: second", "reminder: third"];
    assert_eq!(bodies(&letters), all);
    assert!(letters.is_sorted_by(|a, b| a.seq < b.seq));
    desk.show(&sat.reader());
    desk.pass(60);
    assert_eq!(desk.due(sat.seat()), 1);
    assert_eq!(bodies(&desk.letters(&sat.reader())), ["reminder: last"]);
}

fn late(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let comes_after = |seconds: i64| {
        desk.remind(sat.seat(), 100, "tea");
        // Due by the clock on the wall, which may step.
        desk.around.clock().step_wall(100 + seconds);
        assert_eq!(desk.due(sat.seat()), 1);
        let body = desk.letters(&sat.reader())[0].body.clone();
        desk.show(&sat.reader());
        body
    };
    assert_eq!(comes_after(0), "reminder: tea");
    assert_eq!(comes_after(59), "reminder: tea");
    assert_eq!(comes_after(60), "reminder, 1m late: tea");
    assert_eq!(comes_after(7_200), "reminder, 2h late: tea");
    desk.remind(sat.seat(), 100, "tea");
    desk.around.clock().step_wall(-3_600);
    assert_eq!(desk.due(sat.seat()), 0, "it is not due any more");
}

fn taken_back(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let id = desk.remind(sat.seat(), 10, "tea");
    let kept = desk.remind(sat.seat(), 10, "cake");
    assert!(desk.cancel(sat.seat(), &id));
    assert!(!desk.cancel(sat.seat(), &id), "it is not there any more");
    assert!(!desk.cancel(sat.seat(), &MessageId::new("ZZZZZZ")));
    assert_eq!(desk.reminders(sat.seat()), std::slice::from_ref(&kept));
    desk.pass(10);
    assert_eq!(desk.due(sat.seat()), 1);
    assert_eq!(bodies(&desk.letters(&sat.reader())), ["reminder: cake"]);
    assert!(!desk.cancel(sat.seat(), &kept), "it has come");
}

fn of_another_seat(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api());
    let id = desk.remind(one.seat(), 10, "tea");
    assert!(!desk.cancel(two.seat(), &id));
    assert!(desk.reminders(two.seat()).is_empty());
    assert_eq!(desk.glance(&two.reader()).due, None);
    desk.pass(10);
    assert_eq!(desk.due(two.seat()), 0);
    assert_eq!(desk.due(one.seat()), 1);
    assert_eq!(desk.letters(&one.reader()).len(), 1);
    assert!(desk.news(&two.reader()).is_empty());
}

fn told(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let due = || desk.glance(&sat.reader()).due;
    assert_eq!(due(), None);
    let second = Reminder::new(
        desk.remind(sat.seat(), 20, "second"),
        desk.in_seconds(20),
        "second",
    );
    assert_eq!(due(), Some(second.due));
    let first = Reminder::new(
        desk.remind(sat.seat(), 10, "first"),
        desk.in_seconds(10),
        "first",
    );
    assert_eq!(due(), Some(first.due));
    let found = block_on(desk.mailbox.reminders(sat.seat()));
    assert_eq!(found, Ok(vec![first.clone(), second.clone()]));
    assert!(desk.cancel(sat.seat(), &first.id));
    assert_eq!(due(), Some(second.due));
    desk.pass(21);
    assert_eq!(due(), Some(second.due), "nobody has sent it");
    assert_eq!(desk.due(sat.seat()), 1);
    assert_eq!(due(), None);
}

fn needs_words(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let remind = |text: String| {
        let due = desk.in_seconds(1);
        block_on(desk.mailbox.remind(sat.seat(), due, text))
    };
    for text in [String::new(), " \n\t".to_owned(), "x".repeat(MAX_BODY + 1)] {
        assert_eq!(refused(remind(text)), MailErrorKind::Invalid);
    }
    assert!(desk.reminders(sat.seat()).is_empty());
    assert!(remind("x".repeat(MAX_BODY)).is_ok());
    desk.pass(1);
    assert_eq!(desk.due(sat.seat()), 1);
    assert_eq!(desk.letters(&sat.reader()).len(), 1);
}

fn needs_a_seat(desk: &Desk<'_>) {
    let seat = SeatId::new(99);
    let (due, text) = (desk.in_seconds(1), "tea".to_owned());
    let id = MessageId::new("ZZZZZZ");
    for change in [
        Change::Remind { seat, due, text },
        Change::Cancel { seat, id },
        Change::Due(seat),
    ] {
        let refusal = refused(desk.change(&change));
        assert_eq!(refusal, MailErrorKind::UnknownSeat, "{change:?}");
    }
    let refusal = refused(block_on(desk.mailbox.reminders(seat)));
    assert_eq!(refusal, MailErrorKind::UnknownSeat);
}

/// The session on a seat ends, and another takes it.
fn next(desk: &Desk<'_>, sat: &Sat, session: &str, pid: u32) -> Sat {
    desk.leave_seat(sat);
    let next = desk.sit(session, pid, api());
    assert_eq!(next.seat(), sat.seat());
    next
}

fn handed_over(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let id = desk.remind(one.seat(), 10, "tea");
    let two = next(desk, &one, "s2", 2);
    assert_eq!(desk.reminders(two.seat()), std::slice::from_ref(&id));
    desk.pass(10);
    assert_eq!(desk.due(two.seat()), 1);
    let letters = desk.letters(&two.reader());
    assert_eq!((letters.len(), &letters[0].id), (1, &id));
    assert_eq!(desk.show(&two.reader()), [(letters[0].seq, false)]);
}

fn waits_on_a_vacant_seat(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    desk.remind(one.seat(), 10, "tea");
    desk.pass(10);
    desk.leave_seat(&one);
    assert_eq!(desk.due(one.seat()), 1);
    let two = desk.sit("s2", 2, api());
    assert_eq!(two.seated.arrival.map(|found| found.waiting), Some(1));
    let seqs = seqs(&desk.letters(&two.reader()));
    assert_eq!(seqs.len(), 1);
    let back = next(desk, &two, "s1", 3);
    assert_eq!(desk.show(&back.reader()), [(seqs[0], false)]);
}

fn person(desk: &Desk<'_>) {
    let sam = desk.person("sam", 50);
    let id = desk.remind(sam.seat(), 10, "tea");
    assert_eq!(desk.glance(&sam.reader()).due, Some(desk.in_seconds(10)));
    desk.pass(10);
    assert_eq!(desk.due(sam.seat()), 1);
    let other = desk.person("sam", 51);
    let letters = desk.letters(&other.reader());
    assert_eq!((letters.len(), &letters[0].id), (1, &id));
    assert_eq!(letters[0].kind, SenderKind::Person);
    assert_eq!(desk.show(&sam.reader()), [(letters[0].seq, false)]);
}

fn no_key_in_its_way(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sam = desk.person("sam", 50);
    for who in [&sat, &sam] {
        let id = desk.remind(who.seat(), 10, "tea");
        let key = format!("remind:{id}");
        let sent = desk.sent(&who.sender(), draft("#open hi").key(key.as_str()));
        desk.pass(10);
        assert_eq!(desk.due(who.seat()), 1);
        let letters = desk.letters(&who.reader());
        assert!(letters.iter().any(|letter| letter.id == id));
        let again = desk.sent(&who.sender(), draft("#open hi").key(key.as_str()));
        assert!(again.repeated);
        assert_eq!(again.id, sent.id);
    }
}

fn thousand(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api());
    let ids: Vec<MessageId> = (0..MOST)
        .map(|n| desk.remind(one.seat(), 10 + n, "tea"))
        .collect();
    let seat = one.seat();
    let (due, text) = (desk.in_seconds(1), "one more".to_owned());
    let more = Change::Remind { seat, due, text };
    assert_eq!(refused(desk.change(&more)), MailErrorKind::Invalid);
    assert_eq!(desk.reminders(seat), ids);
    desk.remind(two.seat(), 10, "of another seat");
    assert!(desk.cancel(seat, &ids[0]));
    desk.changed(&more);
    desk.pass(10 + MOST);
    // Some at a time, until none is left.
    let mut came = 0;
    loop {
        let some = desk.due(seat);
        assert!(some <= MOST_DUE as u64, "{some} at once");
        came += some;
        if some == 0 {
            break;
        }
    }
    assert_eq!(came, MOST);
    assert_eq!(desk.unread(seat), MOST);
}
