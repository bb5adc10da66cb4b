//! Cleaning up: what goes with a project that is gone, and what stays for those that are not.

use std::time::Duration;

use super::desk::{Check, Desk};
use super::words::{Sat, api, by_room, draft, refused, room, web};
use crate::mail::{
    Answer, Change, Changed, Ledger, MailErrorKind, ProjectInfo, Projects, Query, Quiet, Sender,
    Seq, Sightings, State, Sweep, Swept, Wanted,
};

pub(super) const CHECKS: &[Check] = &[
    (
        "a project counts as gone when it was seen gone twice, far enough apart",
        seen_twice,
    ),
    (
        "a project that is unknown, there again, or sat in is not gone",
        not_gone,
    ),
    (
        "the trays of a project that is gone go, and what was only there",
        trays,
    ),
    (
        "what is in a room goes with its sender's project, but not what others have not read",
        rooms,
    ),
    ("what is awaited stays", awaited),
    (
        "what was also sent by name, or shown last, stays",
        named_or_last,
    ),
    (
        "what is counted and numbered in a room is right after messages went",
        numbers,
    ),
    ("threads, words and ids outlast what they lead to", threads),
    (
        "a sweep removes no more than it may, and says that there is more",
        bounded,
    ),
    ("counting what would go changes nothing", dry),
    (
        "a session that comes back to its seat is in the open room",
        comes_back,
    ),
];

const APART: Duration = Duration::from_mins(10);

fn projects(desk: &Desk<'_>) -> Projects {
    match desk.ask(&Query::Projects) {
        Answer::Projects(projects) => projects,
        other => panic!("the projects gave {other:?}"),
    }
}

fn info(desk: &Desk<'_>, of: &Sat) -> ProjectInfo {
    let all = projects(desk).all;
    let found = all
        .into_iter()
        .find(|project| Some(project.id) == of.seated.project);
    found.unwrap_or_else(|| panic!("{} has no project", of.name()))
}

/// A sweep that sees the project of `gone` gone, and no other.
fn sweep_of(gone: &Sat) -> Sweep {
    let seen = Sightings::new(gone.seated.project.into_iter().collect(), Vec::new());
    Sweep::new(seen, APART)
}

#[track_caller]
fn swept(desk: &Desk<'_>, sweep: Sweep) -> Swept {
    match desk.changed(&Change::Sweep(sweep)) {
        Changed::Swept(swept) => swept,
        other => panic!("a sweep gave {other:?}"),
    }
}

/// The session of `who` ends, and its project was seen gone long ago.
fn goes(desk: &Desk<'_>, who: &Sat) {
    desk.leave_seat(who);
    assert_eq!(swept(desk, sweep_of(who)), Swept::default());
    desk.pass(600);
}

/// Something else is the last that was shown to `who`.
fn turn(desk: &Desk<'_>, who: &Sat) {
    let at = desk.say(&format!("@{} something else", who.name()));
    let claim = desk.print(&who.reader(), &[at]);
    desk.printed(&who.reader(), &claim);
}

fn is_there(desk: &Desk<'_>, seat: &Sat, at: Seq) -> bool {
    let (seat, seqs) = (seat.seat(), vec![at]);
    !desk.entries(&Query::Entries { seat, seqs }).is_empty()
}

fn posts(desk: &Desk<'_>, name: &str) -> u64 {
    let rooms = desk.rooms(None);
    let found = rooms.iter().find(|info| info.name == room(name));
    found.map_or(0, |info| info.posts)
}

fn seen_twice(desk: &Desk<'_>) {
    let gone = desk.sit("s1", 1, api());
    let note = desk.say(&format!("@{} ship it", gone.name()));
    desk.leave_seat(&gone);
    assert_eq!(info(desk, &gone).gone, None);
    assert_eq!(projects(desk).swept, None);
    assert_eq!(swept(desk, sweep_of(&gone)), Swept::default());
    desk.pass(599);
    assert_eq!(swept(desk, sweep_of(&gone)), Swept::default());
    assert!(is_there(desk, &gone, note));
    assert_eq!(info(desk, &gone).gone, Some(Duration::from_secs(599)));
    // It is by the clock that never steps.
    desk.around.clock().step_wall(86_400);
    assert_eq!(swept(desk, sweep_of(&gone)), Swept::default());
    desk.pass(1);
    assert_eq!(projects(desk).swept, Some(Duration::from_secs(1)));
    assert_eq!(swept(desk, sweep_of(&gone)), Swept::new(1, 1));
    assert!(!is_there(desk, &gone, note));
    assert_eq!(swept(desk, sweep_of(&gone)), Swept::default());
    // Names are taken for ever.
    assert_eq!(info(desk, &gone).persona, gone.persona());
    assert_eq!(desk.seats()[0].seated.name, gone.name());
    assert_eq!(desk.seats()[0].session, None);
}

fn not_gone(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let note = desk.say(&format!("@{} ship it", one.name()));
    goes(desk, &one);
    let nothing = Sweep::new(Sightings::default(), APART);
    assert_eq!(swept(desk, nothing), Swept::default(), "unknown");
    let project = one.seated.project;
    let there = Sightings::new(Vec::new(), project.into_iter().collect());
    assert_eq!(swept(desk, Sweep::new(there, APART)), Swept::default());
    assert_eq!(swept(desk, sweep_of(&one)), Swept::default(), "there again");
    desk.pass(600);
    let again = desk.sit("s2", 2, api());
    assert_eq!(
        swept(desk, sweep_of(&one)),
        Swept::default(),
        "it was sat in"
    );
    desk.pass(600);
    assert_eq!(swept(desk, sweep_of(&one).all(true)), Swept::default());
    assert!(is_there(desk, &one, note), "somebody sits there");
    desk.leave_seat(&again);
    assert_eq!(swept(desk, sweep_of(&one)), Swept::new(1, 1));
}

fn trays(desk: &Desk<'_>) {
    let (gone, stays) = (desk.sit("s1", 1, api()), desk.sit("s2", 2, web()));
    let alone = desk.say_as(&stays, &format!("@{} for you alone", gone.name()));
    let both = desk.say(&format!("@{} @{} for two", gone.name(), stays.name()));
    let open = desk.say("for all");
    desk.join(&gone, "deploy");
    desk.mute(&gone, Quiet::Sensor("git".to_owned()), None);
    let (seat, due, text) = (gone.seat(), desk.wall() + APART, "later".to_owned());
    desk.changed(&Change::Remind { seat, due, text });
    desk.show(&gone.reader());
    desk.leave_seat(&gone);
    let project = desk.say(&format!("@{} whoever comes", gone.persona()));
    swept(desk, sweep_of(&gone));
    desk.pass(600);
    let unread = desk.unread(stays.seat());
    assert_eq!(swept(desk, sweep_of(&gone)), Swept::new(2, 2));
    for (at, stays_there) in [(alone, false), (both, true), (open, true), (project, false)] {
        assert_eq!(is_there(desk, &stays, at), stays_there, "{at:?}");
    }
    assert_eq!(desk.unread(stays.seat()), unread);
    assert_eq!(desk.unread(gone.seat()), 0);
    assert_eq!(desk.mutes(gone.seat()), []);
    assert_eq!(
        desk.changed(&Change::Due(gone.seat())),
        Changed::Reminded(0)
    );
    let rooms = desk.rooms(None);
    let members: Vec<&String> = rooms.iter().flat_map(|room| &room.members).collect();
    assert_eq!(members, [stays.name()]);
    let of = |session: &str| Query::SeatOf {
        session: session.to_owned(),
    };
    assert_eq!(desk.ask(&of("s1")), Answer::Seat(None));
    assert!(matches!(desk.ask(&of("s2")), Answer::Seat(Some(_))));
}

fn rooms(desk: &Desk<'_>) {
    let (gone, stays) = (desk.sit("s1", 1, api()), desk.sit("s2", 2, web()));
    let user = desk.person("sam", 3);
    let read = desk.say_as(&gone, "read by all");
    let program = desk.say("from a program");
    for reader in [stays.reader(), user.reader()] {
        desk.show(&reader);
    }
    let other = Sender::Session {
        session: "job".to_owned(),
        place: api(),
    };
    let job = desk.sent(&other, draft("from a job")).seq;
    let unread = desk.say_as(&gone, "read by nobody");
    desk.show(&user.reader());
    turn(desk, &user);
    turn(desk, &stays);
    let counted = desk.say_as(&gone, "counted");
    let (_, upto, _) = desk.many(&stays.reader(), 0);
    desk.digest(&stays.reader(), upto);
    assert_eq!(desk.state(stays.seat(), counted), Some(State::Counted));
    goes(desk, &gone);
    let unread_before = (desk.unread(stays.seat()), desk.unread(user.seat()));
    assert_eq!(swept(desk, sweep_of(&gone)), Swept::new(1, 1));
    for (at, stays_there) in [(read, false), (program, true), (job, true), (unread, true)] {
        assert_eq!(is_there(desk, &stays, at), stays_there, "{at:?}");
    }
    assert!(is_there(desk, &stays, counted));
    let unread_now = (desk.unread(stays.seat()), desk.unread(user.seat()));
    assert_eq!(unread_now, unread_before);
    assert_eq!(swept(desk, sweep_of(&gone).all(true)), Swept::new(3, 0));
    assert!(is_there(desk, &stays, program), "it has no project");
    assert_eq!(
        (desk.unread(stays.seat()), desk.unread(user.seat())),
        (0, 0)
    );
    assert_eq!(posts(desk, "open"), 1);
}

fn awaited(desk: &Desk<'_>) {
    let (gone, stays) = (desk.sit("s1", 1, api()), desk.sit("s2", 2, web()));
    let at = desk.say_as(&gone, "hello");
    desk.show_tracked(&stays.reader());
    turn(desk, &stays);
    goes(desk, &gone);
    assert_eq!(swept(desk, sweep_of(&gone)), Swept::new(0, 1));
    assert!(is_there(desk, &stays, at));
    desk.saw(&stays.reader(), &[at]);
    assert_eq!(swept(desk, sweep_of(&gone)), Swept::new(1, 0));
}

fn named_or_last(desk: &Desk<'_>) {
    let (gone, stays) = (desk.sit("s1", 1, api()), desk.sit("s2", 2, web()));
    let named = desk.say_as(&gone, &format!("@{} #open for you", stays.name()));
    desk.show(&stays.reader());
    let last = desk.say_as(&gone, "shown last");
    desk.show(&stays.reader());
    goes(desk, &gone);
    assert_eq!(swept(desk, sweep_of(&gone).all(true)), Swept::new(0, 1));
    assert_eq!(desk.entries(&Query::LastShown(stays.seat())).len(), 1);
    desk.say("another");
    desk.show(&stays.reader());
    assert_eq!(swept(desk, sweep_of(&gone).all(true)), Swept::new(1, 0));
    assert!(is_there(desk, &stays, named));
    assert!(!is_there(desk, &stays, last));
}

fn numbers(desk: &Desk<'_>) {
    let gone = desk.sit("s1", 1, api());
    let (stays, slow) = (desk.sit("s2", 2, web()), desk.sit("s3", 3, web()));
    desk.join(&stays, "deploy");
    desk.join(&slow, "deploy");
    for n in 0..12 {
        let by = if n % 3 == 1 { &stays } else { &gone };
        let text = format!(
            "{} number {n}",
            ["#open", "#deploy", "#open #deploy"][n % 3]
        );
        desk.say_as(by, &text);
        if n == 6 {
            desk.show(&stays.reader());
            desk.claimed(&slow.reader(), Wanted::Unread { most: 2 });
        }
    }
    turn(desk, &stays);
    goes(desk, &gone);
    desk.around.end(&slow.process);
    let slow = desk.sit("s3", 4, web());
    let counts = |who: &Sat| by_room(&desk.many(&who.reader(), 0).0);
    let before = [counts(&stays), counts(&slow)];
    let unread = [desk.unread(stays.seat()), desk.unread(slow.seat())];
    swept(desk, sweep_of(&gone));
    assert_eq!([counts(&stays), counts(&slow)], before);
    swept(desk, sweep_of(&gone).all(true));
    // What its sender had not read counts for the other seat only.
    assert_eq!(posts(desk, "open"), 0);
    assert_eq!(posts(desk, "deploy"), 4);
    assert_eq!(desk.unread(stays.seat()), 0, "of {unread:?}");
    assert_eq!(
        desk.unread(slow.seat()),
        desk.news(&slow.reader()).len() as u64
    );
    for text in ["#open more", "#deploy more", "#open #deploy more"] {
        desk.say(text);
    }
    let two = |n: u64, m: u64| vec![("#deploy".to_owned(), n), ("#open".to_owned(), m)];
    assert_eq!(counts(&stays), two(2, 1));
    let rest = desk.news(&slow.reader()).len() as u64;
    assert_eq!(counts(&slow), two(rest - 1, 1));
    assert_eq!(posts(desk, "deploy"), 6);
    assert_eq!(desk.join(&gone_again(desk), "deploy"), Some(6));
}

/// Somebody who comes later.
fn gone_again(desk: &Desk<'_>) -> Sat {
    desk.sit("s9", 9, api())
}

fn threads(desk: &Desk<'_>) {
    let (gone, stays) = (desk.sit("s1", 1, api()), desk.sit("s2", 2, web()));
    let asked = desk.say_as(&gone, "which branch is green");
    let id = desk.entry(stays.seat(), asked).id;
    desk.show(&stays.reader());
    let mut answer = draft("main");
    answer.re = Some(id.clone());
    let answer = desk.sent(&stays.sender(), answer).seq;
    desk.say("another");
    desk.show(&stays.reader());
    let mut search = Ledger::new(stays.seat(), 10);
    search.words = Some("branch".to_owned());
    assert_eq!(desk.page(&search).entries.len(), 1);
    goes(desk, &gone);
    assert_eq!(swept(desk, sweep_of(&gone)).messages, 1);
    assert_eq!(desk.page(&search).entries, []);
    let whole = desk.whole(stays.seat(), answer);
    assert_eq!(
        (whole.entry.re, whole.thread),
        (Some(id.clone()), Vec::new())
    );
    let seat = Some(stays.seat());
    let lost = id.clone();
    assert_eq!(
        desk.ask(&Query::Message { id: lost, seat }),
        Answer::Message(None)
    );
    let mut late = draft("still main");
    late.re = Some(id);
    let late = desk.send(&stays.sender(), late);
    assert_eq!(refused(late), MailErrorKind::UnknownMessage);
    // A position is never used twice.
    assert!(desk.say("more") > answer);
}

fn bounded(desk: &Desk<'_>) {
    let gone = desk.sit("s1", 1, api());
    for n in 0..5 {
        desk.say(&format!("@{} number {n}", gone.name()));
        desk.say_as(&gone, &format!("number {n}"));
    }
    let last = desk.say(&format!("@{} last", gone.name()));
    goes(desk, &gone);
    let all = swept(desk, sweep_of(&gone).dry(true));
    assert_eq!(all, Swept::new(11, 1));
    let mut rounds = Vec::new();
    loop {
        let one = swept(desk, sweep_of(&gone).most(4));
        rounds.push((one.messages, one.trays));
        if !one.is_more {
            break;
        }
    }
    assert_eq!(rounds, [(4, 0), (4, 1), (3, 0)]);
    // The next one comes behind all that was there.
    let later = desk.sit("s2", 2, web());
    let next = desk.say("hello");
    assert!(next > last);
    assert_eq!(desk.news(&later.reader()), [next]);
}

fn dry(desk: &Desk<'_>) {
    let gone = desk.sit("s1", 1, api());
    let at = desk.say(&format!("@{} ship it", gone.name()));
    desk.leave_seat(&gone);
    let counted = swept(desk, sweep_of(&gone).dry(true));
    assert_eq!(counted, Swept::default());
    assert_eq!(info(desk, &gone).gone, None, "nothing is noted");
    assert_eq!(projects(desk).swept, None);
    swept(desk, sweep_of(&gone));
    desk.pass(600);
    let counted = swept(desk, sweep_of(&gone).dry(true).most(0));
    assert_eq!(counted, Swept::new(1, 1));
    assert!(is_there(desk, &gone, at));
    assert_eq!(swept(desk, sweep_of(&gone)), counted);
}

fn comes_back(desk: &Desk<'_>) {
    let gone = desk.sit("s1", 1, api());
    desk.say(&format!("@{} ship it", gone.name()));
    goes(desk, &gone);
    swept(desk, sweep_of(&gone));
    let back = desk.sit("s1", 2, api());
    assert_eq!(back.name(), gone.name());
    assert_eq!(info(desk, &back).gone, None);
    assert_eq!(desk.news(&back.reader()), []);
    let at = desk.say("welcome");
    assert_eq!(desk.news(&back.reader()), [at]);
}
