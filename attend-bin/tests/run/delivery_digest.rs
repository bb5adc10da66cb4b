//! Many messages at once: what is counted, what is shown in full, and that all of it is found.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use attend_core::attention::units;
use attend_core::mail::{Draft, Mailbox, Sender, SqliteMailbox, Submission};
use attend_core::runtime::system::SystemAround;
use attend_core::testkit::monitor::Notification;
use futures::executor::block_on;

use crate::desk::{id, program};
use crate::live::{Live, eventually};
use crate::reader::{HEAD, Session, Shown, without_cooldown};
use crate::world::World;

/// What a notification and a line of it may have at most, in UTF-16 units.
const NOTIFICATION: usize = 3_000;
const LINE: usize = 480;

/// A reader of this session under Monitor, and the lines of the first notification that shows
/// mail, without the banner.
fn reading(session: &Session<'_>) -> (Live, Vec<String>) {
    let mut live = session.reader();
    let lines = live.delivered().notification();
    (live, lines)
}

fn post(world: &World, words: &str) -> String {
    id(&program(world, &["send", "--json", words]).json())
}

/// The number of seconds in `0s`.
fn seconds(age: &str) -> u64 {
    let number = age.strip_suffix('s').expect("seconds");
    number.parse().expect("a number")
}

#[test]
fn nine_are_counted_by_origin_and_what_is_directed_stands_below() {
    let world = World::new();
    let mut session = Session::new(&world, 0);
    session.desk.run("attend focus on deploy").ok();
    let begun = Instant::now();
    let counted: Vec<String> = (0..7)
        .map(|n| {
            post(
                &world,
                &format!("{} room {n}", ["#open", "#deploy"][n % 3 / 2]),
            )
        })
        .collect();
    let directed = [session.told("first to you"), session.told("second to you")];
    let (_live, lines) = reading(&session);
    let most = begun.elapsed().as_secs();
    let digest = lines[0].strip_prefix(HEAD).expect("a line of messages");
    let told = "9 new messages: 2 to you (below), 2 on #deploy, 5 on #open (newest ";
    let (newest, rest) = digest
        .strip_prefix(told)
        .and_then(|rest| rest.split_once(" ago, over "))
        .unwrap_or_else(|| panic!("{digest}"));
    let (span, rest) = rest.split_once(')').expect("a span");
    assert_eq!(rest, " — attend inbox --unread for detail");
    assert!(seconds(newest) + seconds(span) <= most, "{digest}");
    let below = Shown::all(&lines);
    let below: Vec<(&str, bool, &str)> = below
        .iter()
        .map(|shown| (shown.id.as_str(), shown.again, shown.body.as_str()))
        .collect();
    assert_eq!(
        below,
        [
            (directed[0].as_str(), false, "first to you"),
            (directed[1].as_str(), false, "second to you"),
        ]
    );
    // The digest, two messages, and how to answer.
    assert_eq!(lines.len(), 4, "{lines:?}");
    // What was only counted is found.
    let unread = session.desk.run("attend inbox --unread").ok();
    let unread: Vec<Shown> = Shown::all(unread.lines());
    let found: Vec<String> = unread.iter().map(|shown| shown.id.clone()).collect();
    assert_eq!(found, counted);
    assert!(
        unread.iter().all(|shown| !shown.again),
        "counting is no showing"
    );
}

#[test]
fn eight_short_ones_are_eight_lines_of_one_notification() {
    let world = World::new();
    let session = Session::new(&world, 0);
    let short = "x".repeat(100);
    let ids: Vec<String> = (0..8)
        .map(|n| match n % 2 {
            0 => session.told(&short),
            _ => post(&world, &format!("#open {short}")),
        })
        .collect();
    let (mut live, lines) = reading(&session);
    let shown = Shown::all(&lines);
    assert_eq!(
        shown.iter().map(|shown| &shown.id).collect::<Vec<_>>(),
        ids.iter().collect::<Vec<_>>()
    );
    assert!(shown.iter().all(|shown| shown.body == short), "{lines:?}");
    assert_eq!(lines.len(), 9, "and how to answer: {lines:?}");
    assert!(lines.iter().all(|line| units(line) <= LINE), "{lines:?}");
    assert!(units(&lines.join("\n")) <= NOTIFICATION, "{lines:?}");
    live.assert_told(&ids);
    let monitor = live.delivered().monitor().so_far();
    let showing: Vec<&Notification> = monitor
        .delivered()
        .filter(|told| !Shown::all(told.written()).is_empty())
        .collect();
    assert_eq!(showing.len(), 1, "one notification: {showing:?}");
    assert_eq!(
        (Shown::all(showing[0].written()).len(), showing[0].cut()),
        (8, 0)
    );
}

#[test]
fn long_ones_that_do_not_fit_one_notification_arrive_whole_in_several() {
    let world = World::new();
    let session = Session::new(&world, 0);
    let long = "漢字 ".repeat(130);
    let ids: Vec<String> = (0..8).map(|_| session.told(&long)).collect();
    let mut live = session.reader();
    live.assert_told(&ids);
    let shown = Shown::all(live.delivered().lines());
    assert!(shown.iter().all(|shown| shown.body.trim() == long.trim()));
}

#[test]
fn what_comes_more_often_than_monitor_lets_through_is_gathered_and_all_delivered() {
    const APART: Duration = Duration::from_millis(300);
    let world = World::new();
    without_cooldown(&world);
    let session = Session::new(&world, 0);
    let mut live = session.reader();
    let begun = Instant::now();
    let send = |n: u32| {
        eventually("it is time", || begun.elapsed() >= APART * n);
        session.told(&format!("number {n}"))
    };
    // Each could be a notification of its own, of which Monitor suppresses some.
    let ids: Vec<String> = (0..20).map(send).collect();
    live.assert_told(&ids);
}

#[test]
fn thirty_to_one_seat_arrive_in_full_and_at_most_eight_at_a_time() {
    let world = World::new();
    without_cooldown(&world);
    let session = Session::new(&world, 0);
    let ids: Vec<String> = (0..30)
        .map(|n| session.told(&format!("number {n}")))
        .collect();
    let mut live = session.reader();
    live.assert_told(&ids);
    // Each batch begins with how many there are.
    let mut lines = live.delivered().lines();
    lines.retain(|line| line.starts_with(HEAD));
    let mut lines = lines.into_iter();
    for left in [30, 22, 14, 6] {
        if left > 8 {
            let count = lines.next().expect("a line");
            assert_eq!(count, format!("{HEAD}{left} to you, 8 below"));
        }
        let shown = Shown::all(lines.by_ref().take(left.min(8)));
        assert_eq!(shown.len(), left.min(8), "{left}: {shown:?}");
        for (n, shown) in (30 - left..).zip(shown) {
            assert_eq!((shown.again, shown.body), (false, format!("number {n}")));
        }
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn what_is_directed_is_shown_in_full_within_a_burst_and_the_rest_is_counted_or_shown() {
    const BURST: u64 = 500;
    let world = World::new();
    without_cooldown(&world);
    let mut session = Session::new(&world, 0);
    let first = session.told("before all of it");
    let (mut live, lines) = reading(&session);
    assert_eq!(Shown::all(&lines)[0].id, first);
    let around = Arc::new(SystemAround::new());
    let opened = SqliteMailbox::existing(&world.beside("attend/data"), around);
    let mailbox = opened.expect("it opens").expect("it is there");
    let mut directed = String::new();
    for n in 0..BURST {
        if n == BURST / 2 {
            directed = session.told("you are needed");
        }
        let draft = Draft::new(format!("noise {n}"));
        let submission = Submission::new(Sender::Program, draft);
        block_on(mailbox.send(&submission)).expect("it is sent");
    }
    let (mut counted, mut printed) = (0, Vec::new());
    while counted + (printed.len() as u64) < BURST + 1 {
        let lines = live.delivered().notification();
        for line in &lines {
            let digest = line
                .strip_prefix(HEAD)
                .and_then(|rest| rest.split_once(" new message"));
            if let Some((all, origins)) = digest {
                let all: u64 = all.parse().expect("a number");
                // Those to this seat stand below, or in the next batch: they are named, and are
                // not only counted.
                counted += all - u64::from(origins.contains(" 1 to you"));
            }
        }
        printed.extend(Shown::all(&lines));
    }
    let of_it: Vec<&Shown> = printed
        .iter()
        .filter(|shown| shown.id == directed)
        .collect();
    assert_eq!(of_it.len(), 1, "{printed:?}");
    assert_eq!(
        (of_it[0].again, of_it[0].body.as_str()),
        (false, "you are needed")
    );
    assert_eq!(counted + printed.len() as u64, BURST + 1);
    let distinct: BTreeSet<&String> = printed.iter().map(|shown| &shown.id).collect();
    assert_eq!(distinct.len(), printed.len());
    let unread = session.desk.run("attend inbox --unread --limit 1000").ok();
    let unread = Shown::all(unread.lines());
    assert_eq!(unread.len() as u64, counted);
    assert!(
        unread
            .iter()
            .all(|shown| !distinct.contains(&shown.id) && !shown.again)
    );
}
