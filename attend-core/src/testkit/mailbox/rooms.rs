//! Rooms: joining from now, and leaving without losing what is unread.

use super::desk::{Check, Desk};
use super::words::{api, draft, marks, refused, room, web};
use crate::mail::{Change, MailErrorKind, Settled, State, Wanted};

pub(super) const CHECKS: &[Check] = &[
    (
        "joining makes the room, starts now, and tells how many there were",
        join,
    ),
    ("joining twice changes nothing", join_twice),
    ("what was unread on leaving is still delivered", leave),
    ("what was counted on leaving is still unread", leave_counted),
    (
        "what was claimed and not written before leaving is told of and delivered",
        leave_claimed,
    ),
    (
        "after leaving nothing new comes, after joining again from now",
        rejoin,
    ),
    ("nobody leaves #open", open_stays),
    ("leaving a room one is not in changes nothing", leave_other),
    ("what one says in a room is no news to oneself", own_words),
    (
        "own words do not pass over what waits before them",
        own_words_wait,
    ),
    ("words of another seat of the project are news", not_own),
    (
        "a room without members stays readable and can be posted to",
        empty_room,
    ),
    (
        "listing rooms tells members and posts, and changes nothing",
        listing,
    ),
    (
        "a message on two rooms is left behind in neither",
        two_rooms,
    ),
];

fn join(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, web());
    assert_eq!(desk.join(&one, "deploy"), Some(0));
    desk.say("#deploy one");
    desk.say("#deploy two");
    assert_eq!(desk.join(&two, "Deploy"), Some(2));
    assert!(desk.news(&two.reader()).is_empty());
    let seq = desk.say("#deploy three");
    assert_eq!(desk.news(&two.reader()), [seq]);
    assert_eq!(desk.news(&one.reader()).len(), 3);
}

fn join_twice(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    desk.join(&one, "deploy");
    let seq = desk.say("#deploy one");
    assert_eq!(desk.join(&one, "deploy"), None);
    assert_eq!(desk.join(&one, "open"), None);
    assert_eq!(desk.news(&one.reader()), [seq]);
}

fn leave(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    desk.join(&one, "deploy");
    desk.say("#deploy read");
    desk.show(&one.reader());
    let sent = [desk.say("#deploy one"), desk.say("#deploy two")];
    assert_eq!(desk.leave(&one, "deploy"), Some(2));
    desk.say("#deploy after");
    assert_eq!(desk.news(&one.reader()), sent);
    let (counts, ..) = desk.many(&one.reader(), 1);
    assert_eq!(counts.total(), 2);
    assert_eq!(
        desk.show(&one.reader()),
        [(sent[0], false), (sent[1], false)]
    );
    assert_eq!(desk.unread(one.seat()), 0);
}

fn leave_counted(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    desk.join(&one, "deploy");
    let counted = desk.say("#deploy one");
    let claim = desk.claimed(
        &one.reader(),
        Wanted::Digest {
            print: vec![],
            upto: counted,
        },
    );
    desk.settled(&claim, &Settled::printed(one.reader(), []).counted(true));
    let new = desk.say("#deploy two");
    assert_eq!(desk.leave(&one, "deploy"), Some(2));
    assert_eq!(desk.state(one.seat(), counted), Some(State::Counted));
    assert_eq!(desk.news(&one.reader()), [new]);
    let claim = desk.claimed(&one.reader(), Wanted::Unread { most: 9 });
    assert_eq!(marks(&claim), [(counted, false), (new, false)]);
}

fn leave_claimed(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    desk.join(&one, "deploy");
    let seq = desk.say("#deploy one");
    let claim = desk.print(&one.reader(), &[seq]);
    assert_eq!(desk.leave(&one, "deploy"), Some(1));
    desk.settled(&claim, &Settled::printed(one.reader(), []));
    assert_eq!(desk.show(&one.reader()), [(seq, true)]);
}

fn rejoin(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    desk.join(&one, "deploy");
    let before = desk.say("#deploy before");
    desk.leave(&one, "deploy");
    let between = desk.say("#deploy between");
    assert_eq!(desk.join(&one, "deploy"), Some(2));
    let after = desk.say("#deploy after");
    assert_eq!(desk.news(&one.reader()), [before, after]);
    assert_eq!(desk.state(one.seat(), between), None);
    assert_eq!(desk.show(&one.reader()).len(), 2);
    assert_eq!(desk.leave(&one, "deploy"), Some(0));
}

fn open_stays(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let change = Change::Leave {
        seat: one.seat(),
        room: room("open"),
    };
    assert_eq!(refused(desk.change(&change)), MailErrorKind::Invalid);
    let seq = desk.say("#open hi");
    assert_eq!(desk.news(&one.reader()), [seq]);
}

fn leave_other(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, web());
    desk.join(&one, "deploy");
    let seq = desk.say("#deploy hi");
    assert_eq!(desk.leave(&two, "deploy"), None);
    assert_eq!(desk.news(&one.reader()), [seq]);
    assert_eq!(desk.unread(two.seat()), 0);
}

fn own_words(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let seq = desk.say_as(&one, "#open mine");
    assert!(desk.news(&one.reader()).is_empty());
    assert_eq!(
        (desk.unread(one.seat()), desk.state(one.seat(), seq)),
        (0, None)
    );
    desk.join(&one, "deploy");
    let later = desk.say_as(&one, "#deploy #open mine");
    assert!(desk.news(&one.reader()).is_empty());
    assert_eq!(desk.state(one.seat(), later), None);
}

fn own_words_wait(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let first = desk.say("#open one");
    desk.say_as(&one, "#open mine");
    let third = desk.say("#open three");
    assert_eq!(desk.news(&one.reader()), [first, third]);
    let claim = desk.claimed(
        &one.reader(),
        Wanted::Digest {
            print: vec![],
            upto: third,
        },
    );
    assert_eq!(
        claim.counts.as_ref().map(crate::mail::Counts::total),
        Some(2)
    );
    desk.printed(&one.reader(), &claim);
    desk.say_as(&one, "#open mine again");
    assert_eq!(desk.unread(one.seat()), 2);
    let claim = desk.claimed(&one.reader(), Wanted::Unread { most: 9 });
    assert_eq!(marks(&claim), [(first, false), (third, false)]);
}

fn not_own(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api());
    let seq = desk.say_as(&one, "#open hi");
    assert_eq!(desk.show(&two.reader()), [(seq, false)]);
}

fn empty_room(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    desk.join(&one, "deploy");
    desk.leave(&one, "deploy");
    let seq = desk.say("#deploy to nobody");
    assert!(desk.news(&one.reader()).is_empty());
    let mut ledger = crate::mail::Ledger::new(one.seat(), 9);
    ledger.room = Some(room("deploy"));
    let page = desk.page(&ledger);
    assert_eq!(
        page.entries
            .iter()
            .map(|entry| entry.seq)
            .collect::<Vec<_>>(),
        [seq]
    );
}

fn listing(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, web());
    desk.join(&one, "deploy");
    desk.join(&two, "deploy");
    desk.join(&two, "art");
    desk.sent(&two.sender(), draft("#deploy hi"));
    desk.pass(400 * 86_400);
    desk.around.end(&two.process);
    for _ in 0..2 {
        let rooms = desk.rooms(Some(one.seat()));
        let told: Vec<_> = rooms
            .iter()
            .map(|room| {
                (
                    room.name.as_str(),
                    room.members.len(),
                    room.posts,
                    room.joined,
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("art", 1, 0, false),
                ("deploy", 2, 1, true),
                ("open", 2, 0, true)
            ]
        );
        let mut names = vec![one.name().to_owned(), two.name().to_owned()];
        names.sort();
        assert_eq!(rooms[1].members, names);
        assert!(desk.rooms(None).iter().all(|room| !room.joined));
    }
    assert_eq!(desk.news(&one.reader()).len(), 1);
}

fn two_rooms(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    desk.join(&one, "art");
    desk.join(&one, "deploy");
    let seq = desk.say("#art #deploy hi");
    assert_eq!(desk.leave(&one, "art"), Some(1));
    assert_eq!(desk.news(&one.reader()), [seq]);
    assert_eq!(desk.unread(one.seat()), 1);
    assert_eq!(desk.show(&one.reader()), [(seq, false)]);
    assert_eq!(desk.leave(&one, "deploy"), Some(0));
    assert!(desk.news(&one.reader()).is_empty());
}
