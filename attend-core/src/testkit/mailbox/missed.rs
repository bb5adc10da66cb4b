//! Missed: what was printed and not seen is shown again, marked, and not for ever.

use super::desk::{Check, Desk};
use super::words::{Sat, api, by_room, draft, marks, refused};
use crate::mail::{Change, Evidence, MailErrorKind, Seq, Settled, State, Tracking, Wanted};

pub(super) const CHECKS: &[Check] = &[
    (
        "what was missed is new again and marked, and not before",
        is_new_again,
    ),
    (
        "a miss that means another showing changes nothing",
        another_showing,
    ),
    (
        "what one session was shown three times and missed is unseen",
        three_times,
    ),
    (
        "what another session missed is not new again",
        another_session,
    ),
    (
        "a miss needs the seat, and evidence does not",
        needs_the_seat,
    ),
    (
        "what is new again and turns out to be seen is not shown",
        seen_late,
    ),
    (
        "what is claimed again and turns out to be seen is seen",
        seen_while_claimed,
    ),
    (
        "what is shown by its id may be missed while it is claimed",
        missed_while_claimed,
    ),
    (
        "what was missed in a room is new again, and counted once",
        in_a_room,
    ),
    (
        "what was missed, counted and then seen is seen",
        counted_then_seen,
    ),
    (
        "what was missed goes to the session that sits down next, marked",
        handed_over,
    ),
    (
        "what may not have been seen before a new beginning is shown after it, marked",
        new_beginning,
    ),
    (
        "what two sessions missed is unseen for a third",
        missed_by_two,
    ),
    (
        "what two sessions missed is printed to no third on another seat",
        missed_by_two_and_moved,
    ),
    ("what a person missed is new to them again", person),
];

fn is_new_again(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let reader = sat.reader();
    let seq = desk.say("@api hi");
    assert_eq!(desk.show_tracked(&reader), [(seq, false)]);
    assert_eq!(desk.awaited(&reader), [(seq, 1, true)]);
    desk.pass(3_600);
    assert!(desk.news(&reader).is_empty(), "nobody has missed it yet");
    assert_eq!(desk.missed(&reader, &[(seq, 1)]), Tracking::On);
    assert_eq!(desk.state(sat.seat(), seq), Some(State::New));
    assert_eq!(desk.awaited(&reader), [(seq, 1, false)]);
    assert_eq!(desk.unread(sat.seat()), 1);
    assert_eq!(desk.show_tracked(&reader), [(seq, true)]);
    assert_eq!(desk.awaited(&reader), [(seq, 2, true)]);
    assert!(desk.news(&reader).is_empty());
}

fn another_showing(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let reader = sat.reader();
    let seq = desk.say("@api hi");
    assert_eq!(desk.missed(&reader, &[(seq, 0)]), Tracking::On);
    desk.show_tracked(&reader);
    for _ in 0..2 {
        // Found twice, by two that looked at the same time.
        desk.missed(&reader, &[(seq, 1), (seq, 1)]);
    }
    assert_eq!(desk.awaited(&reader), [(seq, 1, false)]);
    assert_eq!(desk.show_tracked(&reader), [(seq, true)]);
    for shown in [0, 1, 3] {
        desk.missed(&reader, &[(seq, shown), (Seq::new(99), 1)]);
        assert_eq!(desk.state(sat.seat(), seq), Some(State::Printed));
        assert_eq!(desk.awaited(&reader), [(seq, 2, true)]);
        assert!(desk.news(&reader).is_empty(), "shown {shown} times");
    }
    // None of these was a miss: it takes ten more to end the looking.
    assert_eq!(desk.miss(&sat, 8), Tracking::On);
}

fn three_times(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let reader = sat.reader();
    let seq = desk.say("@api hi");
    for shown in 1..=3 {
        assert_eq!(desk.show_tracked(&reader), [(seq, shown > 1)]);
        desk.missed(&reader, &[(seq, shown)]);
    }
    let is_left = || {
        assert_eq!(desk.state(sat.seat(), seq), Some(State::Unseen));
        assert!(desk.news(&reader).is_empty(), "it is shown a fourth time");
        assert!(desk.awaited(&reader).is_empty());
        assert_eq!(desk.unread(sat.seat()), 1);
    };
    is_left();
    assert!(desk.print(&reader, &[seq]).is_empty());
    // Whoever asks for it gets it, and if it is missed it is unseen as before.
    let claim = desk.claimed(&reader, Wanted::Unread { most: 9 });
    assert_eq!(marks(&claim), [(seq, true)]);
    desk.printed_tracked(&reader, &claim);
    assert_eq!(desk.unread(sat.seat()), 0);
    desk.missed(&reader, &[(seq, 4)]);
    is_left();
    desk.saw(&reader, &[seq]);
    assert_eq!(desk.state(sat.seat(), seq), Some(State::Seen));
    assert_eq!(desk.unread(sat.seat()), 0);
}

fn another_session(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api());
    let seq = desk.say("@api hi");
    desk.show_tracked(&one.reader());
    desk.show_tracked(&two.reader());
    desk.missed(&two.reader(), &[]);
    let other = two.seated.reader("s1", two.process.clone());
    assert!(desk.awaited(&other).is_empty());
    desk.missed(&other, &[(seq, 1)]);
    assert_eq!(desk.state(two.seat(), seq), Some(State::Printed));
    desk.missed(&one.reader(), &[(seq, 1)]);
    assert_eq!(desk.state(one.seat(), seq), Some(State::New));
    assert_eq!(desk.state(two.seat(), seq), Some(State::Printed));
    assert_eq!(desk.show(&one.reader()), [(seq, true)]);
}

fn needs_the_seat(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let sent = [1, 2].map(|_| desk.say(&format!("@{} hi", one.name())));
    desk.show_tracked(&one.reader());
    let missing = |seq| Evidence::new(one.reader(), Some(7)).missing([(seq, 1)]);
    let is_refused = |seq| {
        let change = Change::Evidence(missing(seq).seen([seq]));
        assert_eq!(refused(desk.change(&change)), MailErrorKind::Displaced);
        assert_ne!(desk.state(one.seat(), seq), Some(State::Seen));
        assert_eq!(desk.awaiting(&one.reader()).read, None, "half of it");
    };
    desk.around.end(&one.process);
    is_refused(sent[0]);
    desk.saw(&one.reader(), &sent[..1]);
    assert_eq!(desk.state(one.seat(), sent[0]), Some(State::Seen));
    let two = desk.sit("s2", 2, api());
    assert_eq!(two.seat(), one.seat());
    is_refused(sent[1]);
    assert_eq!(desk.news(&two.reader()), [sent[1]]);
    desk.saw(&one.reader(), &sent[1..]);
    assert_eq!(desk.state(two.seat(), sent[1]), Some(State::Seen));
    assert!(desk.news(&two.reader()).is_empty(), "it was seen before");
}

fn seen_late(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let reader = sat.reader();
    let seq = desk.say("@api hi");
    desk.show_tracked(&reader);
    desk.missed(&reader, &[(seq, 1)]);
    assert_eq!(desk.news(&reader), [seq]);
    desk.saw(&reader, &[seq]);
    assert!(desk.print(&reader, &[seq]).is_empty());
    assert!(desk.news(&reader).is_empty());
    assert!(desk.awaited(&reader).is_empty());
    assert_eq!(desk.state(sat.seat(), seq), Some(State::Seen));
    desk.missed(&reader, &[(seq, 1)]);
    assert_eq!(desk.state(sat.seat(), seq), Some(State::Seen));
}

fn seen_while_claimed(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let reader = sat.reader();
    for is_written in [false, true] {
        let seq = desk.say("@api hi");
        desk.show_tracked(&reader);
        desk.missed(&reader, &[(seq, 1)]);
        let claim = desk.print(&reader, &[seq]);
        assert_eq!(marks(&claim), [(seq, true)]);
        desk.saw(&reader, &[seq]);
        assert_eq!(desk.state(sat.seat(), seq), Some(State::Seen));
        if is_written {
            desk.printed_tracked(&reader, &claim);
        } else {
            desk.settled(&claim, &Settled::printed(reader.clone(), []));
        }
        assert_eq!(desk.state(sat.seat(), seq), Some(State::Seen));
        assert!(desk.awaited(&reader).is_empty());
        desk.pass(31);
        assert!(desk.news(&reader).is_empty());
    }
}

fn missed_while_claimed(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let reader = sat.reader();
    let seq = desk.say("@api hi");
    desk.show_tracked(&reader);
    let id = desk.entry(sat.seat(), seq).id;
    let claim = desk.claimed(&reader, Wanted::Show(id));
    desk.missed(&reader, &[(seq, 1)]);
    assert!(desk.news(&reader).is_empty(), "somebody is showing it");
    desk.printed_tracked(&reader, &claim);
    assert!(desk.news(&reader).is_empty());
    assert_eq!(desk.awaited(&reader), [(seq, 2, true)]);
}

fn in_a_room(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let reader = sat.reader();
    desk.join(&sat, "deploy");
    desk.join(&sat, "art");
    let seq = desk.say("#deploy #art one");
    assert_eq!(desk.show_tracked(&reader), [(seq, false)]);
    let others = [desk.say("#deploy two"), desk.say("#art three")];
    let both = [("#art".to_owned(), 1), ("#deploy".to_owned(), 1)];
    assert_eq!(by_room(&desk.many(&reader, 1).0), both);
    desk.missed(&reader, &[(seq, 1)]);
    assert_eq!(desk.news(&reader), [seq, others[0], others[1]]);
    let (counts, upto, directed) = desk.many(&reader, 1);
    let all = [("#art".to_owned(), 2), ("#deploy".to_owned(), 1)];
    assert_eq!(by_room(&counts), all);
    assert!(directed.is_empty());
    let told = desk.digest(&reader, upto);
    assert_eq!(told.as_ref().map(by_room), Some(all.to_vec()));
    assert!(desk.news(&reader).is_empty());
    assert_eq!(desk.state(sat.seat(), seq), Some(State::Counted));
    assert_eq!(desk.unread(sat.seat()), 3);
    let claim = desk.claimed(&reader, Wanted::Unread { most: 9 });
    let expected = [(seq, true), (others[0], false), (others[1], false)];
    assert_eq!(marks(&claim), expected);
}

fn counted_then_seen(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let reader = sat.reader();
    let seq = desk.say("#open one");
    desk.show_tracked(&reader);
    desk.missed(&reader, &[(seq, 1)]);
    let (_, upto, _) = desk.many(&reader, 0);
    desk.digest(&reader, upto);
    assert_eq!(desk.state(sat.seat(), seq), Some(State::Counted));
    desk.missed(&reader, &[(seq, 1)]);
    assert_eq!(desk.state(sat.seat(), seq), Some(State::Counted));
    desk.saw(&reader, &[seq]);
    assert_eq!(desk.state(sat.seat(), seq), Some(State::Seen));
    assert_eq!(desk.unread(sat.seat()), 0);
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
    let by_name = desk.say(&format!("@{} hi", one.name()));
    let by_room = desk.say("#open hi");
    desk.show_tracked(&one.reader());
    desk.missed(&one.reader(), &[(by_name, 1), (by_room, 1)]);
    let two = next(desk, &one, "s2", 2);
    assert!(desk.awaited(&two.reader()).is_empty(), "the other's");
    assert_eq!(desk.show_tracked(&two.reader()), [(by_name, true)]);
    assert_eq!(desk.awaited(&two.reader()), [(by_name, 1, true)]);
    assert_eq!(desk.unread(two.seat()), 0);
}

fn missed_by_two(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let seq = desk.say(&format!("@{} hi", one.name()));
    desk.show_tracked(&one.reader());
    desk.missed(&one.reader(), &[(seq, 1)]);
    let two = next(desk, &one, "s2", 2);
    desk.show_tracked(&two.reader());
    desk.missed(&two.reader(), &[(seq, 1)]);
    assert_eq!(desk.news(&two.reader()), [seq]);
    let three = next(desk, &two, "s3", 3);
    assert!(desk.news(&three.reader()).is_empty(), "printed to a third");
    assert_eq!(desk.state(three.seat(), seq), Some(State::Unseen));
    assert_eq!(desk.unread(three.seat()), 1);
    let claim = desk.claimed(&three.reader(), Wanted::Unread { most: 9 });
    assert_eq!(marks(&claim), [(seq, true)]);
}

fn missed_by_two_and_moved(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let seq = desk.sent(&one.sender(), draft(&format!("@{} hi", one.persona())));
    // Nobody else sat there: it waits for the project.
    let two = desk.sit("s2", 2, api());
    assert_eq!(desk.show_tracked(&two.reader()), [(seq.seq, false)]);
    desk.missed(&two.reader(), &[(seq.seq, 1)]);
    let three = next(desk, &two, "s3", 3);
    assert_eq!(desk.show_tracked(&three.reader()), [(seq.seq, true)]);
    desk.missed(&three.reader(), &[(seq.seq, 1)]);
    desk.leave_seat(&three);
    let cleared = desk.sit("s1b", 1, api());
    assert_eq!(cleared.seat(), one.seat());
    assert!(desk.news(&cleared.reader()).is_empty(), "to a third");
    let back = desk.sit("s4", 4, api());
    assert_eq!(back.seat(), three.seat());
    assert_eq!(desk.state(back.seat(), seq.seq), Some(State::Unseen));
}

fn person(desk: &Desk<'_>) {
    let sam = desk.person("sam", 50);
    let seq = desk.say("@sam hi");
    assert_eq!(desk.show_tracked(&sam.reader()), [(seq, false)]);
    let other = desk.person("sam", 51);
    assert_eq!(desk.awaited(&other.reader()), [(seq, 1, true)]);
    desk.missed(&other.reader(), &[(seq, 1)]);
    assert_eq!(desk.show_tracked(&sam.reader()), [(seq, true)]);
    desk.saw(&sam.reader(), &[seq]);
    assert_eq!(desk.state(sam.seat(), seq), Some(State::Seen));
}

fn new_beginning(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent = [desk.say("@api dropped"), desk.say("@api seen")];
    desk.show_tracked(&sat.reader());
    desk.saw(&sat.reader(), &sent[1..]);
    let cleared = desk.sit("s1b", 1, api());
    assert_eq!(desk.show_tracked(&cleared.reader()), [(sent[0], true)]);
    let third = desk.sit("s1c", 1, api());
    assert!(desk.news(&third.reader()).is_empty());
    assert_eq!(desk.state(third.seat(), sent[0]), Some(State::Unseen));
}
