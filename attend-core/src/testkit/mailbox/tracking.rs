//! Whether evidence is looked for: what is awaited, and when nobody looks any more.

use std::time::Duration;

use futures::executor::block_on;

use super::desk::{Check, Desk};
use super::words::{Sat, api, refused};
use crate::mail::{
    Around as _, Evidence, MOST_MISSED, MailErrorKind, MailboxExt as _, SeatId, State, Tracking,
};

pub(super) const CHECKS: &[Check] = &[
    (
        "what is awaited is told by id, how often and how long ago",
        awaited,
    ),
    (
        "how long ago it was shown is not known of another boot",
        another_boot,
    ),
    (
        "how far the record was read is kept for each session",
        read_so_far,
    ),
    ("ten misses in a row end the looking", ten_misses),
    (
        "where nobody looks any more, printed is the end",
        printed_is_the_end,
    ),
    (
        "what is claimed while the looking ends is done too",
        claimed_at_the_end,
    ),
    (
        "something that was seen starts the count of misses anew",
        seen_between,
    ),
    (
        "what was missed before something that was seen is not in a row",
        seen_after,
    ),
    (
        "a session that comes anew is looked after, whatever its predecessor was",
        new_session,
    ),
    (
        "evidence of a session that nobody looks after takes nothing from the next",
        takes_nothing,
    ),
];

fn awaited(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let reader = sat.reader();
    assert!(desk.awaiting(&reader).is_tracked);
    let first = desk.say("@api one");
    desk.show_tracked(&reader);
    desk.pass(5);
    let second = desk.say("#open two");
    let own = desk.say_as(&sat, "#open mine");
    desk.show_tracked(&reader);
    desk.pass(2);
    let found = desk.awaiting(&reader).messages;
    let told: Vec<_> = found
        .iter()
        .map(|one| (one.seq, one.id.clone(), one.shown, one.age, one.is_open))
        .collect();
    let id = |seq| desk.entry(sat.seat(), seq).id;
    let ago = |seconds| Some(Duration::from_secs(seconds));
    assert_eq!(
        told,
        [
            (first, id(first), 1, ago(7), true),
            (second, id(second), 1, ago(2), true),
        ]
    );
    assert_eq!(desk.state(sat.seat(), own), None);
    desk.missed(&reader, &[(first, 1)]);
    desk.pass(3);
    desk.show_tracked(&reader);
    desk.around.clock().step_wall(86_400);
    let found = desk.awaiting(&reader).messages;
    let ages: Vec<_> = found.iter().map(|one| (one.shown, one.age)).collect();
    assert_eq!(ages, [(2, ago(0)), (1, ago(5))]);
    let mut nobody = reader.clone();
    nobody.seat = SeatId::new(99);
    let refusal = refused(block_on(desk.mailbox.awaited(&nobody)));
    assert_eq!(refusal, MailErrorKind::UnknownSeat);
}

fn another_boot(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let seq = desk.say("@api one");
    desk.show_tracked(&sat.reader());
    let boot = desk.around.boot_id();
    desk.around.reboot();
    assert_ne!(desk.around.boot_id(), boot);
    let back = desk.sit("s1", 2, api());
    let found = desk.awaiting(&back.reader()).messages;
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].seq, found[0].age), (seq, None));
    assert!(found[0].is_open);
    desk.missed(&back.reader(), &[(seq, 1)]);
    assert_eq!(desk.show_tracked(&back.reader()), [(seq, true)]);
    let found = desk.awaiting(&back.reader()).messages;
    assert_eq!(found[0].age, Some(Duration::ZERO));
}

fn read_so_far(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let read = |sat: &Sat| desk.awaiting(&sat.reader()).read;
    let tell = |sat: &Sat, read| desk.found(Evidence::new(sat.reader(), read));
    assert_eq!(read(&one), None);
    assert_eq!(tell(&one, Some(100)), Tracking::On);
    assert_eq!(read(&one), Some(100));
    tell(&one, None);
    assert_eq!(read(&one), Some(100), "none keeps what was");
    let other = desk.sit("s2", 2, api());
    let cleared = desk.sit("s1b", 1, api());
    assert_eq!((read(&other), read(&cleared)), (None, None));
    tell(&cleared, Some(7));
    assert_eq!((read(&one), read(&cleared)), (Some(100), Some(7)));
    // A record that was cut is read from its beginning.
    tell(&one, Some(0));
    assert_eq!(read(&one), Some(0));
    desk.leave_seat(&cleared);
    let back = desk.sit("s1b", 3, api());
    assert_eq!(read(&back), Some(7));
}

fn ten_misses(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let reader = sat.reader();
    assert_eq!(desk.miss(&sat, MOST_MISSED as usize - 1), Tracking::On);
    assert!(desk.awaiting(&reader).is_tracked);
    assert_eq!(desk.miss(&sat, 1), Tracking::Ended);
    assert!(!desk.awaiting(&reader).is_tracked);
    assert_eq!(desk.missed(&reader, &[]), Tracking::Off);
    let last = desk.say("@api hi");
    desk.show_tracked(&reader);
    assert_eq!(desk.missed(&reader, &[(last, 1)]), Tracking::Off);
}

fn printed_is_the_end(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let reader = sat.reader();
    let awaited = desk.say("#open in a room");
    desk.show_tracked(&reader);
    assert_eq!(desk.miss(&sat, MOST_MISSED as usize), Tracking::Ended);
    let is_done = |seq| {
        assert_eq!(desk.state(sat.seat(), seq), Some(State::Printed));
        assert!(desk.news(&reader).is_empty(), "something is repeated");
        assert!(desk.awaited(&reader).is_empty());
        assert!(!desk.glance(&reader).is_awaited);
        assert_eq!(desk.unread(sat.seat()), 0);
    };
    is_done(awaited);
    let last = desk.say(&format!("@{} last", sat.name()));
    assert_eq!(desk.show_tracked(&reader), [(last, false)]);
    is_done(last);
    desk.leave_seat(&sat);
    let next = desk.sit("s2", 2, api());
    assert_eq!(next.seat(), sat.seat());
    assert!(desk.news(&next.reader()).is_empty());
}

fn claimed_at_the_end(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let reader = sat.reader();
    assert_eq!(desk.miss(&sat, MOST_MISSED as usize - 1), Tracking::On);
    let new = desk.say("@api never shown");
    let claim = desk.print(&reader, &desk.news(&reader));
    assert_eq!(claim.granted.len(), MOST_MISSED as usize);
    let seq = claim.granted[0].seq;
    // One of them is shown by its id, and missed.
    let other = sat.read_by(desk.process(10));
    let id = desk.entry(sat.seat(), seq).id;
    let shown = desk.claimed(&other, crate::mail::Wanted::Show(id));
    desk.printed_tracked(&other, &shown);
    assert_eq!(desk.missed(&reader, &[(seq, 2)]), Tracking::Ended);
    // Whoever claimed the others dies: only what was never shown is left.
    desk.pass(31);
    assert_eq!(desk.show_tracked(&reader), [(new, true)]);
    assert!(desk.awaited(&reader).is_empty());
}

fn seen_between(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let most = MOST_MISSED as usize;
    assert_eq!(desk.miss(&sat, most - 1), Tracking::On);
    let seq = desk.news(&sat.reader())[0];
    desk.saw(&sat.reader(), &[seq]);
    assert_eq!(desk.miss(&sat, most - 1), Tracking::On);
    // What was seen already is no news.
    desk.saw(&sat.reader(), &[seq]);
    assert_eq!(desk.miss(&sat, 1), Tracking::Ended);
}

fn seen_after(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let reader = sat.reader();
    let sent: Vec<_> = (0..12).map(|_| desk.say("@api hi")).collect();
    desk.show_tracked(&reader);
    let missing = |from: usize| sent[from..].iter().map(|seq| (*seq, 1));
    // The first but the last: one after them was seen.
    let found = Evidence::new(reader.clone(), None).seen([sent[10]]);
    let before = missing(0).take(10).chain(missing(11));
    assert_eq!(desk.found(found.missing(before)), Tracking::On);
    // One stands behind it, and nine more make ten.
    assert_eq!(desk.miss(&sat, 8), Tracking::On);
    assert_eq!(desk.miss(&sat, 1), Tracking::Ended);
}

fn new_session(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    assert_eq!(desk.miss(&one, MOST_MISSED as usize), Tracking::Ended);
    let cleared = desk.sit("s1b", 1, api());
    assert!(desk.awaiting(&cleared.reader()).is_tracked);
    assert_eq!(desk.miss(&cleared, 1), Tracking::On);
    desk.leave_seat(&cleared);
    let two = desk.sit("s2", 2, api());
    assert!(desk.awaiting(&two.reader()).is_tracked);
    assert_eq!(desk.miss(&two, MOST_MISSED as usize), Tracking::Ended);
    desk.leave_seat(&two);
    let back = desk.sit("s1", 3, api());
    assert!(!desk.awaiting(&back.reader()).is_tracked, "it is the same");
}

fn takes_nothing(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let seq = desk.say(&format!("@{} hi", one.name()));
    for shown in 1..=3 {
        desk.show_tracked(&one.reader());
        desk.missed(&one.reader(), &[(seq, shown)]);
    }
    assert_eq!(desk.miss(&one, MOST_MISSED as usize - 3), Tracking::Ended);
    assert_eq!(desk.state(one.seat(), seq), Some(State::Unseen));
    desk.leave_seat(&one);
    let two = desk.sit("s2", 2, api());
    assert_eq!(desk.news(&two.reader()), [seq]);
    let late = Evidence::new(one.reader(), Some(9));
    assert_eq!(desk.found(late), Tracking::Off);
    assert_eq!(desk.show(&two.reader()), [(seq, true)]);
}
