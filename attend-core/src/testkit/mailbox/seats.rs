//! Who gets which seat.

use super::desk::{Check, Desk};
use super::words::{Sat, api, api_fix, draft, name, quiet, web};
use crate::mail::{Answer, Presence, Query, Sender, SenderKind};

pub(super) const CHECKS: &[Check] = &[
    ("who only sends takes no seat", only_sends),
    ("a new seat has no history", no_history),
    ("two sessions in one directory are two seats", two_seats),
    ("sitting down again changes nothing", again),
    ("/clear keeps the seat", clear_keeps),
    ("a resumed session gets its own seat back", resumed),
    (
        "a seat that was one's own is not taken from whoever sits there",
        own_is_taken,
    ),
    (
        "the lowest vacant seat of the same work tree comes first",
        same_root,
    ),
    ("a reused pid is no live session", reused_pid),
    (
        "a process of another namespace is unknown, not dead",
        other_namespace,
    ),
    ("after a reboot nobody sits", reboot),
    (
        "a session that moves to another project leaves its seat",
        moves,
    ),
    ("a person has one seat, whatever the terminal", person),
    ("seats are listed by name, with who sits there", listed),
    (
        "of a seat it is told when the oldest message that is new for it was sent",
        oldest,
    ),
    (
        "the seat of a session is found while it is the session's",
        seat_of,
    ),
    ("a project that nobody came to has no persona", no_project),
];

fn only_sends(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let job = Sender::Session {
        session: "job".into(),
        place: web(),
    };
    let seq = desk.sent(&job, draft("@api hi")).seq;
    desk.say("@api hi");
    assert_eq!(desk.entry(sat.seat(), seq).kind, SenderKind::Agent);
    assert_eq!(desk.seats().len(), 1);
    let receipt = desk.sent(&sat.sender(), draft("@web hi"));
    assert_eq!(desk.seats().len(), 1);
    assert_eq!(receipt.recipients.len(), 1);
}

fn no_history(desk: &Desk<'_>) {
    desk.sit("s1", 1, web());
    desk.say("before");
    desk.say("@web before");
    let sat = desk.sit("s2", 2, api());
    assert!(desk.news(&sat.reader()).is_empty());
    assert_eq!(desk.unread(sat.seat()), 0);
    let arrival = sat
        .seated
        .arrival
        .unwrap_or_else(|| panic!("a new session was not told"));
    assert_eq!((arrival.open, arrival.waiting), (1, 0));
    let seq = desk.say("after");
    assert_eq!(desk.news(&sat.reader()), [seq]);
}

fn two_seats(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api());
    assert_ne!(one.seat(), two.seat());
    assert_eq!(one.persona(), two.persona());
    assert_eq!(one.name(), format!("{}-alpha", one.persona()));
    assert_eq!(two.name(), format!("{}-beta", one.persona()));
    let seq = desk.say(&format!("@{} hi", one.name()));
    assert_eq!(desk.news(&one.reader()), [seq]);
    assert!(desk.news(&two.reader()).is_empty());
}

fn again(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    desk.join(&one, "deploy");
    let seq = desk.say("hi");
    let claim = desk.print(&one.reader(), &[seq]);
    let same = desk.sit("s1", 1, api());
    assert_eq!(
        (same.seat(), same.seated.epoch),
        (one.seat(), one.seated.epoch)
    );
    assert_eq!(same.seated.arrival, None);
    desk.printed(&one.reader(), &claim);
    assert!(desk.news(&same.reader()).is_empty(), "the claim was void");
    assert_eq!(desk.seats().len(), 1);
}

fn clear_keeps(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    desk.sit("s2", 2, api());
    desk.join(&one, "deploy");
    let seq = desk.say("#deploy hi");
    let cleared = desk.sit("s1b", 1, api());
    assert_eq!(
        (cleared.seat(), cleared.seated.epoch),
        (one.seat(), one.seated.epoch)
    );
    assert_eq!(desk.join(&cleared, "deploy"), None, "it left its rooms");
    assert_eq!(desk.news(&cleared.reader()), [seq]);
}

fn resumed(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api());
    desk.join(&two, "deploy");
    desk.leave_seat(&one);
    desk.leave_seat(&two);
    let seq = desk.say("#deploy hi");
    let back = desk.sit("s2", 3, api());
    assert_eq!(back.seat(), two.seat());
    assert!(back.seated.epoch > two.seated.epoch);
    assert_eq!(
        back.seated.arrival, None,
        "it was told of #open as if it were new"
    );
    assert_eq!(desk.join(&back, "deploy"), None, "it lost its rooms");
    assert_eq!(desk.news(&back.reader()), [seq]);
}

fn own_is_taken(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    desk.leave_seat(&one);
    let two = desk.sit("s2", 2, api());
    assert_eq!(two.seat(), one.seat());
    let back = desk.sit("s1", 3, api());
    assert_ne!(back.seat(), two.seat());
    let same_session = desk.sit("s1", 4, api());
    assert_ne!(
        same_session.seat(),
        back.seat(),
        "two processes share a seat"
    );
}

fn same_root(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api_fix());
    let three = desk.sit("s3", 3, api_fix());
    for sat in [&one, &two, &three] {
        desk.leave_seat(sat);
    }
    let four = desk.sit("s4", 4, api_fix());
    assert_eq!(four.seat(), two.seat());
    assert_eq!(four.seated.root.as_deref(), Some(api_fix().root.as_path()));
    assert_eq!(desk.sit("s5", 5, api_fix()).seat(), three.seat());
    assert_eq!(desk.sit("s6", 6, api_fix()).seat(), one.seat());
    assert_eq!(desk.seats().len(), 3);
}

fn reused_pid(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    desk.around.end(&one.process);
    let mut reused = one.process.clone();
    reused.started = "later".into();
    let two = desk.sit_as("s2", reused, api());
    assert_eq!(
        two.seat(),
        one.seat(),
        "the seat of a dead session is vacant"
    );
    assert!(two.seated.epoch > one.seated.epoch);
    assert!(
        two.seated.arrival.is_some(),
        "the pid was taken for the session before"
    );
}

fn other_namespace(desk: &Desk<'_>) {
    let one = desk.sit_as("s1", desk.around.stranger(1), api());
    let two = desk.sit("s2", 1, api());
    assert_ne!(one.seat(), two.seat());
    let seq = desk.say(&format!("@{} hi", one.name()));
    assert_eq!(desk.news(&one.reader()), [seq]);
    let claim = desk.print(&one.reader(), &[seq]);
    desk.pass(29);
    assert!(
        desk.news(&one.reader()).is_empty(),
        "its claim was taken for a dead one's"
    );
    desk.pass(1);
    assert_eq!(desk.news(&one.reader()), [seq]);
    assert_eq!(claim.granted.len(), 1);
}

fn reboot(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    desk.around.reboot();
    assert!(
        desk.seats()
            .iter()
            .all(|seat| seat.presence == Presence::Waiting)
    );
    let two = desk.sit("s2", 1, api());
    assert_eq!(two.seat(), one.seat());
    assert!(two.seated.epoch > one.seated.epoch);
}

fn moves(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let waits = desk.say(&format!("@{} hi", one.name()));
    let moved = desk.sit("s1", 1, web());
    assert_ne!((moved.seat(), moved.persona()), (one.seat(), one.persona()));
    assert!(
        desk.look(&one.reader(), 8).is_err(),
        "it still reads its former seat"
    );
    assert!(desk.news(&moved.reader()).is_empty());
    let next = desk.sit("s2", 2, api());
    assert_eq!(next.seat(), one.seat(), "the seat is not vacant");
    assert_eq!(desk.news(&next.reader()), [waits]);
    assert_eq!(
        desk.sent(&moved.sender(), draft("@api hi"))
            .recipients
            .len(),
        1
    );
}

fn person(desk: &Desk<'_>) {
    let one = desk.person("sam", 50);
    let two = desk.person("Sam", 51);
    assert_eq!(
        (one.seat(), one.seated.epoch),
        (two.seat(), two.seated.epoch)
    );
    assert_eq!(one.seated.project, None);
    let seq = desk.say("@sam hi");
    desk.around.end(&one.process);
    assert_eq!(desk.news(&two.reader()), [seq]);
    match desk.ask(&Query::SeatOfPerson(name("SAM"))) {
        Answer::Seat(Some(seated)) => assert_eq!(seated.seat, one.seat()),
        other => panic!("the seat of a person gave {other:?}"),
    }
    assert_eq!(
        desk.ask(&Query::SeatOfPerson(name("kim"))),
        Answer::Seat(None)
    );
}

fn listed(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api());
    let sam = desk.person("sam", 50);
    desk.join(&two, "deploy");
    desk.leave_seat(&one);
    let seats = desk.seats();
    let names: Vec<_> = seats.iter().map(|seat| seat.seated.name.as_str()).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    assert_eq!(names, sorted);
    let find = |sat: &super::words::Sat| {
        let found = seats.iter().find(|seat| seat.seated.seat == sat.seat());
        found.unwrap_or_else(|| panic!("{} is not listed", sat.name()))
    };
    assert_eq!(find(&one).presence, Presence::Waiting);
    assert_eq!(find(&two).presence, Presence::NoReader);
    assert_eq!(find(&two).session.as_deref(), Some("s2"));
    assert_eq!(find(&two).kind, SenderKind::Agent);
    let rooms: Vec<_> = find(&two).rooms.iter().map(ToString::to_string).collect();
    assert_eq!(rooms, ["#deploy", "#open"]);
    assert_eq!(
        (find(&sam).kind, &find(&sam).session),
        (SenderKind::Person, &None)
    );
}

fn oldest(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, web());
    let told = |sat: &Sat| {
        let seats = desk.seats();
        let found = seats.iter().find(|seat| seat.seated.seat == sat.seat());
        found.and_then(|seat| seat.oldest)
    };
    assert_eq!(told(&one), None, "nothing was said yet");
    let first = desk.wall();
    let open = desk.say("to everybody");
    desk.pass(10);
    let second = desk.wall();
    let named = desk.say(&format!("@{} hi", one.name()));
    desk.pass(10);
    desk.say("to everybody again");
    assert_eq!((told(&one), told(&two)), (Some(first), Some(first)));
    let claim = desk.print(&one.reader(), &[open]);
    assert_eq!(told(&one), Some(second), "somebody holds the oldest");
    desk.printed(&one.reader(), &claim);
    desk.mute(&two, quiet("open"), None);
    assert_eq!(told(&one), Some(second));
    assert_eq!(told(&two), None, "what is said in a muted room is not new");
    let claim = desk.print(&one.reader(), &[named]);
    desk.printed(&one.reader(), &claim);
    desk.show(&one.reader());
    assert_eq!(told(&one), None, "all of it was shown");
}

fn seat_of(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let seat_of = |session: &str| {
        let session = session.to_owned();
        match desk.ask(&Query::SeatOf { session }) {
            Answer::Seat(seated) => seated.map(|seated| seated.seat),
            other => panic!("the seat of a session gave {other:?}"),
        }
    };
    assert_eq!(seat_of("s1"), Some(one.seat()));
    desk.sit("s1b", 1, api());
    assert_eq!((seat_of("s1"), seat_of("s1b")), (None, Some(one.seat())));
    assert_eq!(seat_of("never"), None);
}

fn no_project(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let persona = Answer::Project(Some(one.persona().to_owned()));
    assert_eq!(desk.ask(&Query::Project(api_fix())), persona);
    assert_eq!(desk.ask(&Query::Project(web())), Answer::Project(None));
}
