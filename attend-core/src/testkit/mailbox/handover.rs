//! What whoever sits down finds.

use super::desk::{Check, Desk};
use super::words::{Sat, api, api_fix, draft, marks};
use crate::mail::{Draft, Sender, State, Wanted};

pub(super) const CHECKS: &[Check] = &[
    (
        "what was sent by name and nobody saw goes to the next session, whatever its age",
        directed_waits,
    ),
    (
        "what the project was sent and nobody saw leaves a vacant seat for the next session",
        project_moves,
    ),
    (
        "what one session of the project was shown goes to no other",
        project_was_shown,
    ),
    (
        "the mark travels with what moves to another seat",
        mark_travels,
    ),
    (
        "two deliveries of one message that meet keep the mark of either",
        marks_meet,
    ),
    (
        "what a seat was shown in a room and then takes from the project is marked",
        room_mark_stays,
    ),
    (
        "what waits in the project goes to the session after /clear",
        clear_collects,
    ),
    (
        "what moves to another seat stays for whoever is in its room",
        room_keeps,
    ),
    (
        "what was unread on leaving a room stays for the session, whoever takes the project's",
        left_room_keeps,
    ),
    (
        "what was claimed and not written comes marked",
        attempted_stays,
    ),
    (
        "what was printed without anybody looking for evidence is done",
        untracked_is_done,
    ),
    (
        "what awaits evidence goes to one more session, marked, and to no third",
        tracked_twice,
    ),
    ("what was seen stays seen", seen_stays),
    ("a different session is in #open only, from now", rooms_go),
    (
        "a note left to oneself is for the next session, not for oneself",
        note_to_self,
    ),
    ("a note to oneself is new after /clear", note_after_clear),
    (
        "what a person sends to themselves is no news",
        person_to_self,
    ),
    (
        "what was last shown to a seat is forgotten by the next session",
        last_is_forgotten,
    ),
    ("whoever arrives is told how much waits", arrival),
];

/// The session leaves, and another comes.
fn next(desk: &Desk<'_>, sat: &Sat, session: &str, pid: u32) -> Sat {
    desk.leave_seat(sat);
    let next = desk.sit(session, pid, api());
    assert_eq!(next.seat(), sat.seat());
    next
}

fn directed_waits(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    desk.leave_seat(&one);
    let seq = desk.say(&format!("@{} hi", one.name()));
    desk.pass(400 * 86_400);
    desk.say("between");
    let two = desk.sit("s2", 2, api());
    assert_eq!(desk.show(&two.reader()), [(seq, false)]);
}

fn project_moves(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api());
    let seq = desk.say("@api hi");
    desk.leave_seat(&one);
    desk.around.end(&two.process);
    let three = desk.sit("s3", 3, api());
    assert_eq!(three.seat(), one.seat());
    assert_eq!(desk.show(&three.reader()), [(seq, false)]);
    let four = desk.sit("s4", 4, api());
    assert_eq!(four.seat(), two.seat());
    assert!(
        desk.news(&four.reader()).is_empty(),
        "it was taken by two sessions"
    );
    // A seat where somebody sits keeps its own.
    let seq = desk.say("@api again");
    desk.leave_seat(&three);
    let five = desk.sit("s5", 5, api());
    assert_eq!(desk.show(&five.reader()), [(seq, false)]);
    assert_eq!(desk.show(&four.reader()), [(seq, false)]);
}

fn project_was_shown(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api());
    let three = desk.sit("s3", 3, api());
    desk.leave_seat(&three);
    let seq = desk.say("@api hi");
    assert_eq!(desk.show(&one.reader()), [(seq, false)]);
    desk.leave_seat(&two);
    let back = desk.sit("s3", 4, api());
    assert_eq!(back.seat(), three.seat());
    assert!(
        desk.news(&back.reader()).is_empty(),
        "it was shown on the first seat"
    );
    desk.leave_seat(&one);
    let four = desk.sit("s4", 5, api());
    assert_eq!(four.seat(), one.seat());
    assert!(desk.news(&four.reader()).is_empty());
}

fn mark_travels(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api());
    let seq = desk.say("@api hi");
    assert_eq!(marks(&desk.print(&two.reader(), &[seq])), [(seq, false)]);
    assert_eq!(desk.show(&one.reader()), [(seq, false)]);
    let alone = desk.say_as(&one, "@api for you");
    assert_eq!(
        marks(&desk.print(&two.reader(), &[alone])),
        [(alone, false)]
    );
    desk.leave_seat(&one);
    desk.leave_seat(&two);
    let three = desk.sit("s3", 3, api());
    assert_eq!(three.seat(), one.seat());
    assert_eq!(desk.show(&three.reader()), [(alone, true)]);
}

fn marks_meet(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api());
    let seq = desk.say("@api hi");
    // The second may have seen it; both leave, and whoever sits on the first takes it from there.
    assert_eq!(marks(&desk.print(&two.reader(), &[seq])), [(seq, false)]);
    desk.leave_seat(&one);
    desk.leave_seat(&two);
    let three = desk.sit("s3", 3, api());
    desk.leave_seat(&three);
    // It comes back to the second seat with the session that sat there.
    let back = desk.sit("s2", 4, api());
    assert_eq!(back.seat(), two.seat());
    assert_eq!(desk.show(&back.reader()), [(seq, true)]);
}

fn room_mark_stays(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api());
    desk.around.end(&one.process);
    let seq = desk.say("@api #open hi");
    // The room's, since it was not there when the project was delivered to.
    let back = desk.sit("s1", 3, api());
    assert_eq!(back.seat(), one.seat());
    assert_eq!(marks(&desk.print(&back.reader(), &[seq])), [(seq, false)]);
    let next = next(desk, &back, "s4", 4);
    assert!(desk.news(&next.reader()).is_empty());
    assert_eq!(desk.state(next.seat(), seq), None);
    desk.leave_seat(&next);
    desk.leave_seat(&two);
    let last = desk.sit("s5", 5, api());
    assert_eq!(last.seat(), one.seat());
    assert_eq!(desk.show(&last.reader()), [(seq, true)]);
}

fn clear_collects(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let seq = desk.say_as(&one, "@api for whoever comes");
    desk.sit("s1", 1, api());
    assert!(desk.news(&one.reader()).is_empty());
    let cleared = desk.sit("s1b", 1, api());
    assert_eq!(desk.news(&cleared.reader()), [seq]);
}

fn room_keeps(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let seq = desk.sent(&Sender::Program, draft("#open hi").to(api())).seq;
    assert_eq!(marks(&desk.print(&one.reader(), &[seq])), [(seq, false)]);
    desk.leave_seat(&one);
    // The same session goes on in another work tree: it is still in the room.
    let moved = desk.sit("s1", 2, api_fix());
    assert_eq!(moved.seat(), one.seat());
    assert_eq!(desk.show(&moved.reader()), [(seq, true)]);
    let home = desk.sit("s2", 3, api());
    assert_eq!(desk.show(&home.reader()), [(seq, true)]);
}

fn left_room_keeps(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api());
    desk.join(&one, "deploy");
    let seq = desk.say_as(&two, "@api #deploy hi");
    assert_eq!(desk.leave(&one, "deploy"), Some(1));
    desk.leave_seat(&one);
    // The project's part of it goes to the session that comes next, on the other seat.
    let cleared = desk.sit("s2b", 2, api());
    assert_eq!(desk.show(&cleared.reader()), [(seq, false)]);
    let back = desk.sit("s1", 3, api());
    assert_eq!(back.seat(), one.seat());
    assert_eq!(desk.show(&back.reader()), [(seq, false)]);
}

fn attempted_stays(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let seq = desk.say(&format!("@{} hi", one.name()));
    desk.print(&one.reader(), &[seq]);
    let two = next(desk, &one, "s2", 2);
    assert_eq!(desk.show(&two.reader()), [(seq, true)]);
}

fn untracked_is_done(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let seq = desk.say(&format!("@{} hi", one.name()));
    desk.show(&one.reader());
    let two = next(desk, &one, "s2", 2);
    assert!(desk.news(&two.reader()).is_empty());
    assert_eq!(desk.unread(two.seat()), 0);
    assert_eq!(desk.state(two.seat(), seq), Some(State::Printed));
}

fn tracked_twice(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let seq = desk.say(&format!("@{} hi", one.name()));
    assert_eq!(desk.show_tracked(&one.reader()), [(seq, false)]);
    assert_eq!(desk.unread(one.seat()), 0);
    let two = next(desk, &one, "s2", 2);
    assert_eq!(desk.state(two.seat(), seq), Some(State::New));
    assert_eq!(desk.show_tracked(&two.reader()), [(seq, true)]);
    let three = next(desk, &two, "s3", 3);
    assert!(
        desk.news(&three.reader()).is_empty(),
        "it was printed to a third"
    );
    assert_eq!(desk.state(three.seat(), seq), Some(State::Unseen));
    assert_eq!(desk.unread(three.seat()), 1);
    let claim = desk.claimed(&three.reader(), Wanted::Unread { most: 9 });
    assert_eq!(marks(&claim), [(seq, true)]);
    desk.printed(&three.reader(), &claim);
    assert_eq!(desk.unread(three.seat()), 0);
}

fn seen_stays(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let seq = desk.say(&format!("@{} hi", one.name()));
    desk.show_tracked(&one.reader());
    desk.saw(&one.reader(), &[seq]);
    let two = next(desk, &one, "s2", 2);
    assert!(desk.news(&two.reader()).is_empty());
    assert_eq!(desk.state(two.seat(), seq), Some(State::Seen));
}

fn rooms_go(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    desk.join(&one, "deploy");
    desk.say("#deploy hi");
    desk.say("#open hi");
    let claimed = desk.say("#open claimed");
    desk.print(&one.reader(), &[claimed]);
    let two = next(desk, &one, "s2", 2);
    assert!(desk.news(&two.reader()).is_empty());
    assert_eq!(desk.unread(two.seat()), 0);
    assert_eq!(desk.state(two.seat(), claimed), None);
    desk.say("#deploy to nobody");
    let seq = desk.say("#open now");
    assert_eq!(desk.news(&two.reader()), [seq]);
    assert_eq!(desk.join(&two, "deploy"), Some(2), "it stayed in the room");
}

fn note_to_self(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let seq = desk.say_as(&one, &format!("@{} remember", one.name()));
    assert!(desk.news(&one.reader()).is_empty());
    assert_eq!(desk.unread(one.seat()), 0);
    let back = next(desk, &one, "s1", 2);
    assert!(
        desk.news(&back.reader()).is_empty(),
        "its own words came back"
    );
    let two = next(desk, &back, "s2", 3);
    assert_eq!(desk.news(&two.reader()), [seq]);
    let back = next(desk, &two, "s1", 4);
    assert!(
        desk.news(&back.reader()).is_empty(),
        "its own words came back by another session"
    );
    let three = next(desk, &back, "s3", 5);
    assert_eq!(desk.show(&three.reader()), [(seq, false)]);
}

fn note_after_clear(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let seq = desk.say_as(&one, &format!("@{} remember", one.name()));
    let own = desk.say_as(&one, "#open mine");
    let cleared = desk.sit("s1b", 1, api());
    assert_eq!(desk.show(&cleared.reader()), [(seq, false)]);
    assert_eq!(
        desk.state(cleared.seat(), own),
        None,
        "own words in a room are by tenure"
    );
}

fn person_to_self(desk: &Desk<'_>) {
    let sam = desk.person("sam", 50);
    let seq = desk.say_as(&sam, "@sam remember");
    let other = desk.person("sam", 51);
    assert!(desk.news(&other.reader()).is_empty());
    assert_eq!(desk.state(sam.seat(), seq), None);
}

fn last_is_forgotten(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    desk.say("hi");
    desk.show(&one.reader());
    let two = next(desk, &one, "s2", 2);
    let last = desk.entries(&crate::mail::Query::LastShown(two.seat()));
    assert!(last.is_empty(), "{last:?}");
}

fn arrival(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    desk.say("#open one");
    desk.say("#open two");
    desk.leave_seat(&one);
    desk.say(&format!("@{} hi", one.name()));
    desk.sent(&Sender::Program, Draft::new("hi").to(api()));
    desk.sent(&Sender::Program, Draft::new("hi").to(api_fix()));
    let two = desk.sit("s2", 2, api());
    let found = two
        .seated
        .arrival
        .unwrap_or_else(|| panic!("it was not told what waits"));
    assert_eq!((found.open, found.waiting), (2, 2));
}
