//! Looks: what else a loop learns by them, and that a look is noticed by others.

use std::time::Duration;

use super::desk::{Check, Desk};
use super::words::{Sat, api, by_room, draft, quiet, refused};
use crate::mail::{
    Change, Clock as _, MailErrorKind, Presence, Query, Reader, Recipient, SeatId, Sender, Waiting,
    Wanted,
};

pub(super) const CHECKS: &[Check] = &[
    ("a look tells how long the oldest has waited", oldest),
    (
        "what was sent before the machine started is as old as its start",
        oldest_of_another_boot,
    ),
    (
        "a look tells whether a loop reads there, and lives",
        is_read,
    ),
    ("a look tells whether anything awaits evidence", is_awaited),
    (
        "where a hook looked the seat listens for two minutes",
        listens_shortly,
    ),
    (
        "who looked at a seat where nobody sits makes nobody listen",
        nobody_listens,
    ),
    (
        "a loop that looks again finds what was sent meanwhile",
        finds_messages,
    ),
    (
        "a loop that looks again finds what a claim let go",
        finds_claims,
    ),
    (
        "a loop that looks again finds what a mute held back",
        finds_mutes,
    ),
    (
        "a loop that looks again finds what was missed, and what was seen",
        finds_evidence,
    ),
    ("a loop that looks again finds reminders", finds_reminders),
    (
        "a loop that looks again finds rooms that were joined",
        finds_rooms,
    ),
    (
        "a loop whose session has ended looks at nothing",
        finds_the_end,
    ),
    (
        "a loop whose seat is another's looks at nothing",
        finds_another,
    ),
];

fn oldest(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let reader = sat.reader();
    let oldest = || desk.glance(&reader).oldest.map(|age| age.as_secs());
    assert_eq!(oldest(), None);
    desk.pass(100);
    desk.say("#open one");
    desk.pass(3);
    desk.say("@api two");
    desk.say_as(&sat, "#open mine");
    desk.pass(2);
    desk.around.clock().step_wall(-86_400);
    assert_eq!(oldest(), Some(5));
    for _ in 0..10 {
        desk.say("@api #open many");
    }
    assert!(matches!(desk.glance(&reader).waiting, Waiting::Many { .. }));
    assert_eq!(oldest(), Some(5));
    let (_, upto, _) = desk.many(&reader, 8);
    desk.digest(&reader, upto);
    assert_eq!(oldest(), Some(2), "what was counted waits no more");
    desk.show(&reader);
    assert_eq!(oldest(), None);
}

fn oldest_of_another_boot(desk: &Desk<'_>) {
    let sam = desk.person("sam", 50);
    desk.say("@sam one");
    desk.around.reboot();
    desk.around.clock().set_boot(Duration::from_secs(20));
    let oldest = || desk.glance(&sam.reader()).oldest.map(|age| age.as_secs());
    assert_eq!(oldest(), Some(20));
    desk.pass(7);
    assert_eq!(oldest(), Some(27));
    desk.show(&sam.reader());
    desk.say("@sam two");
    desk.pass(1);
    assert_eq!(oldest(), Some(1));
}

/// The loop of a seat.
fn run(desk: &Desk<'_>, sat: &Sat) -> Reader {
    let run = sat.read_by(desk.process(10));
    desk.changed(&Change::Register(run.clone()));
    run
}

fn is_read(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let other = desk.sit("s2", 2, api());
    let is_read = |sat: &Sat| desk.glance(&sat.reader()).is_read;
    assert!(!is_read(&sat));
    let run = run(desk, &sat);
    assert!(is_read(&sat));
    assert!(desk.glance(&run).is_read);
    assert!(!is_read(&other));
    desk.around.end(&run.process);
    assert!(!is_read(&sat));
    let sam = desk.person("sam", 50);
    assert!(!is_read(&sam));
}

fn is_awaited(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let run = run(desk, &sat);
    let is_awaited = || {
        assert_eq!(
            desk.glance(&run).is_awaited,
            desk.glance(&sat.reader()).is_awaited
        );
        desk.glance(&run).is_awaited
    };
    assert!(!is_awaited());
    let seq = desk.say("#open one");
    assert!(!is_awaited());
    desk.show_tracked(&run);
    assert!(is_awaited());
    let cleared = desk.sit("s1b", 1, api());
    assert!(!desk.glance(&cleared.reader()).is_awaited);
    desk.sit("s1", 1, api());
    desk.missed(&run, &[(seq, 1)]);
    assert!(is_awaited(), "it may yet be seen");
    desk.saw(&run, &[seq]);
    assert!(!is_awaited());
    desk.say("#open two");
    desk.show(&run);
    assert!(!is_awaited(), "nobody looks for it");
}

/// How soon a seat notices, as whoever writes there is told, and as everybody is.
fn presence(desk: &Desk<'_>, sat: &Sat) -> Presence {
    let text = format!("@{} hi", sat.name());
    let receipt = desk.sent(&Sender::Program, draft(&text));
    let seats = desk.seats();
    let found = seats.iter().find(|info| info.seated.seat == sat.seat());
    match (receipt.recipients.as_slice(), found) {
        ([Recipient::Tray { presence, .. }], Some(info)) => {
            assert_eq!(info.presence, *presence);
            *presence
        }
        other => panic!("one seat gave {other:?}"),
    }
}

fn listens_shortly(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let other = desk.sit("s2", 2, api());
    assert_eq!(presence(desk, &sat), Presence::NoReader);
    desk.changed(&Change::Looked(sat.seat()));
    assert_eq!(presence(desk, &sat), Presence::Listening);
    assert_eq!(presence(desk, &other), Presence::NoReader);
    desk.pass(119);
    assert_eq!(presence(desk, &sat), Presence::Listening);
    desk.pass(1);
    assert_eq!(presence(desk, &sat), Presence::NoReader);
    desk.changed(&Change::Looked(sat.seat()));
    assert_eq!(presence(desk, &sat), Presence::Listening);
    // By the clock on the wall: what lies ahead of it says nothing.
    desk.around.clock().step_wall(-1);
    assert_eq!(presence(desk, &sat), Presence::NoReader);
    desk.around.clock().step_wall(1);
    assert_eq!(presence(desk, &sat), Presence::Listening);
    desk.around.clock().step_wall(3_600);
    assert_eq!(presence(desk, &sat), Presence::NoReader);
}

fn nobody_listens(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    desk.changed(&Change::Looked(sat.seat()));
    desk.around.end(&sat.process);
    assert_eq!(presence(desk, &sat), Presence::Waiting);
    let refusal = refused(desk.change(&Change::Looked(SeatId::new(99))));
    assert_eq!(refusal, MailErrorKind::UnknownSeat);
    let sam = desk.person("sam", 50);
    desk.changed(&Change::Looked(sam.seat()));
    assert_eq!(presence(desk, &sam), Presence::Waiting);
}

/// The loop of a seat, which has looked twice for nothing.
fn idle(desk: &Desk<'_>, sat: &Sat) -> Reader {
    let run = run(desk, sat);
    for _ in 0..2 {
        let news = desk.glance(&run);
        assert_eq!(news.waiting, Waiting::Few(Vec::new()));
    }
    run
}

fn finds_messages(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let run = idle(desk, &sat);
    for text in ["@api one", "#open two"] {
        let seq = desk.say(text);
        assert_eq!(desk.news(&run), [seq]);
        assert_eq!(desk.show(&run), [(seq, false)]);
        assert!(desk.news(&run).is_empty());
    }
}

fn finds_claims(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let run = idle(desk, &sat);
    let seq = desk.say("@api one");
    let hook = sat.read_by(desk.process(11));
    desk.print(&hook, &[seq]);
    assert!(desk.news(&run).is_empty());
    desk.pass(30);
    assert_eq!(desk.news(&run), [seq]);
    desk.print(&hook, &[seq]);
    assert!(desk.news(&run).is_empty());
    desk.around.end(&hook.process);
    assert_eq!(desk.news(&run), [seq]);
}

fn finds_mutes(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let run = idle(desk, &sat);
    desk.mute(&sat, quiet("open"), Some(10));
    assert_eq!(desk.glance(&run).muted, desk.mutes(sat.seat()));
    desk.say("#open one");
    assert!(desk.news(&run).is_empty());
    desk.pass(9);
    assert!(desk.news(&run).is_empty());
    desk.pass(1);
    let counted = [("#open".to_owned(), 1)];
    assert_eq!(by_room(&desk.many(&run, 8).0), counted);
    assert!(desk.glance(&run).muted.is_empty());
}

fn finds_evidence(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let run = idle(desk, &sat);
    let seq = desk.say("@api one");
    desk.show_tracked(&run);
    for _ in 0..2 {
        assert!(desk.glance(&run).is_awaited);
    }
    desk.missed(&run, &[(seq, 1)]);
    assert_eq!(desk.news(&run), [seq]);
    desk.show_tracked(&run);
    assert!(desk.glance(&run).is_awaited);
    desk.saw(&run, &[seq]);
    assert!(!desk.glance(&run).is_awaited);
}

fn finds_reminders(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let run = idle(desk, &sat);
    let due = desk.in_seconds(10);
    let id = desk.remind(sat.seat(), 10, "tea");
    assert_eq!(desk.glance(&run).due, Some(due));
    assert!(desk.cancel(sat.seat(), &id));
    assert_eq!(desk.glance(&run).due, None);
    desk.remind(sat.seat(), 10, "tea");
    desk.pass(10);
    assert_eq!(desk.glance(&run).due, Some(due));
    assert_eq!(desk.due(sat.seat()), 1);
    assert_eq!(desk.glance(&run).due, None);
    assert_eq!(desk.news(&run).len(), 1);
}

fn finds_rooms(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    desk.person("sam", 50);
    let run = idle(desk, &sat);
    desk.join(&sat, "deploy");
    assert!(desk.news(&run).is_empty());
    let seq = desk.say("#deploy one");
    assert_eq!(desk.news(&run), [seq]);
    desk.leave(&sat, "deploy");
    assert_eq!(desk.news(&run), [seq]);
    let claim = desk.claimed(&run, Wanted::Print(vec![seq]));
    desk.printed(&run, &claim);
    desk.say("#deploy two");
    assert!(desk.news(&run).is_empty());
}

fn looks_at_nothing(desk: &Desk<'_>, run: &Reader) {
    for _ in 0..2 {
        let refusal = refused(desk.look(run, 8));
        assert_eq!(refusal, MailErrorKind::Displaced);
    }
}

fn finds_the_end(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let run = idle(desk, &sat);
    desk.around.end(&sat.process);
    looks_at_nothing(desk, &run);
    let sat = desk.sit("s1", 3, api());
    let run = idle(desk, &sat);
    desk.changed(&Change::Stand(sat.reader()));
    looks_at_nothing(desk, &run);
    let boot = desk.around.boot();
    let sat = desk.sit("s1", 4, api());
    let run = idle(desk, &sat);
    desk.around.reboot();
    assert_eq!(desk.around.boot(), boot);
    looks_at_nothing(desk, &run);
}

fn finds_another(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let run = idle(desk, &sat);
    desk.around.end(&sat.process);
    let back = desk.sit("s1", 2, api());
    assert_eq!(back.seat(), sat.seat());
    looks_at_nothing(desk, &run);
    let seated = match desk.ask(&Query::SeatOf {
        session: "s1".to_owned(),
    }) {
        crate::mail::Answer::Seat(seated) => seated,
        other => panic!("a seat gave {other:?}"),
    };
    assert_eq!(seated.map(|seated| seated.epoch), Some(back.seated.epoch));
    desk.around.end(&run.process);
    let run = back.read_by(desk.process(12));
    desk.changed(&Change::Register(run.clone()));
    assert!(desk.news(&run).is_empty());
}
