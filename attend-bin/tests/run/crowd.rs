//! Many processes at once: nothing is lost, nothing changes places, and nobody shares a seat.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Barrier;
use std::thread;

use serde_json::Value;

use crate::desk::{Desk, ONE, alone, id, program};
use crate::home::{stderr, stdout};
use crate::world::World;

/// How many send at once, and how often each.
const SENDERS: usize = 16;
const SENDS: usize = 25;

/// The id of session `n`.
fn session(n: usize) -> String {
    format!("00000000-0000-4000-8000-{:012}", n + 100)
}

/// So many sessions.
fn desks(world: &World, count: usize) -> Vec<Desk> {
    (0..count).map(|n| Desk::new(world, &session(n))).collect()
}

/// Does `action` for each at the same time, each on a thread of its own.
fn at_once<T: Send, R: Send>(
    each: impl IntoIterator<Item = T>,
    action: impl Fn(usize, T) -> R + Sync,
) -> Vec<R> {
    let each: Vec<T> = each.into_iter().collect();
    let (start, action) = (Barrier::new(each.len()), &action);
    thread::scope(|scope| {
        let begin = |(n, one)| {
            let start = &start;
            scope.spawn(move || {
                start.wait();
                action(n, one)
            })
        };
        let threads: Vec<_> = each.into_iter().enumerate().map(begin).collect();
        let ended = threads.into_iter().map(|one| one.join().expect("no panic"));
        ended.collect()
    })
}

/// The messages of a ledger, oldest first.
fn messages(page: &Value) -> &[Value] {
    page["messages"].as_array().expect("a list")
}

fn text<'a>(message: &'a Value, field: &str) -> &'a str {
    message[field].as_str().expect("a text")
}

#[test]
fn what_many_send_at_once_is_kept_once_each_and_in_the_order_of_each_sender() {
    let world = World::new();
    let mut reader = Desk::new(&world, ONE);
    let to = reader.seat();
    // Every other one is a session, which sits down first each time; the rest are programs.
    let senders = (0..SENDERS).map(|n| (n % 2 == 0).then(|| Desk::new(&world, &session(n))));
    let sent = at_once(senders, |n, mut desk| {
        let send = |m: usize| {
            let words = format!("{n}/{m}");
            let done = match &mut desk {
                Some(desk) => desk.run(&format!("attend send --json @{to} '#open' {words}")),
                None => program(
                    &world,
                    &["send", "--json", &format!("@{to}"), "#open", &words],
                ),
            };
            // It says nothing of a lock, for one.
            id(&done.json())
        };
        (0..SENDS).map(send).collect::<Vec<String>>()
    });

    let page = reader.run("attend inbox --json --limit 1000").json();
    let kept = messages(&page);
    assert_eq!(kept.len(), SENDERS * SENDS);
    let seqs = kept.iter().map(|message| message["seq"].as_u64());
    assert!(seqs.is_sorted_by(|a, b| a < b), "one sequence");
    let ids: BTreeSet<&str> = kept.iter().map(|message| text(message, "id")).collect();
    assert_eq!(ids.len(), kept.len(), "every id is one message's");
    for (n, sent) in sent.iter().enumerate() {
        let head = format!("{n}/");
        let own = kept
            .iter()
            .filter(|one| text(one, "body").starts_with(&head));
        let own: Vec<(&str, &str)> = own
            .map(|one| (text(one, "id"), text(one, "body")))
            .collect();
        let bodies: Vec<String> = (0..SENDS).map(|m| format!("{n}/{m}")).collect();
        let told: Vec<(&str, &str)> = sent
            .iter()
            .zip(&bodies)
            .map(|(id, body)| (id.as_str(), body.as_str()))
            .collect();
        assert_eq!(own, told);
    }
    // Both ways lead to each of them, and it is shown once.
    let page = reader
        .run("attend inbox --json --room open --limit 1000")
        .json();
    assert_eq!(messages(&page).len(), kept.len());
    let page = reader
        .run("attend inbox --json --unread --limit 1000")
        .json();
    assert_eq!(messages(&page).len(), kept.len());
    let page = reader
        .run("attend inbox --json --unread --limit 1000")
        .json();
    assert_eq!(messages(&page).len(), 0);
}

/// The ids of what was shown, and whether each was marked as maybe shown before.
fn shown(text: &str) -> Vec<(String, bool)> {
    let line = |line: &str| {
        let head = line.strip_prefix("[attend sensor=messages priority=high] ")?;
        let (id, rest) = head.split_once(' ')?;
        Some((id.to_owned(), rest.starts_with("(again) ")))
    };
    text.lines().filter_map(line).collect()
}

#[test]
fn readers_of_one_seat_show_everything_and_nothing_twice_without_saying_so() {
    const EACH: usize = 10;
    let world = World::new();
    let mut reader = Desk::new(&world, ONE);
    let (to, pid) = (reader.seat(), reader.pid().to_string());
    let roles = (0..8).map(|n| n % 2 == 0);
    // Four send while four read for one session, each as often.
    let told = at_once(roles, |n, sends| {
        let each = (0..EACH).map(|m| {
            if sends {
                program(&world, &["send", &format!("@{to}"), &format!("{n}/{m}")]).ok();
                return Vec::new();
            }
            let mut command = alone(&world, &["inbox", "--unread", "--limit", "5"]);
            command
                .env("CLAUDE_PID", &pid)
                .env("CLAUDE_CODE_SESSION_ID", ONE);
            let output = command.output().expect("it starts");
            assert!(output.status.success(), "{}", stderr(&output));
            shown(&stdout(&output))
        });
        each.collect::<Vec<_>>().concat()
    });
    let rest = shown(&reader.run("attend inbox --unread --limit 1000").ok());
    let mut unmarked = BTreeMap::<String, usize>::new();
    for (id, again) in told.concat().into_iter().chain(rest) {
        *unmarked.entry(id).or_default() += usize::from(!again);
    }
    assert_eq!(unmarked.len(), 4 * EACH);
    assert!(unmarked.values().all(|times| *times == 1), "{unmarked:?}");
    assert_eq!(shown(&reader.run("attend inbox --unread").ok()), []);
}

#[test]
fn joins_and_leaves_of_many_at_once_are_all_kept() {
    let world = World::new();
    let mut desks = desks(&world, 8);
    let names: Vec<String> = desks.iter_mut().map(Desk::seat).collect();
    at_once(&mut desks, |n, desk| {
        for room in ["all-of-us", &format!("own-{n}"), "left", "some"] {
            desk.run(&format!("attend focus on {room}")).ok();
        }
        desk.run("attend focus off left").ok();
        if n % 2 == 0 {
            desk.run("attend focus off some").ok();
        }
    });
    let every = names.iter().cloned().collect();
    let odd = names.iter().skip(1).step_by(2).cloned().collect();
    let mut expected: BTreeMap<String, BTreeSet<String>> = names
        .iter()
        .enumerate()
        .map(|(n, name)| (format!("own-{n}"), BTreeSet::from([name.clone()])))
        .collect();
    expected.extend([
        ("open".to_owned(), BTreeSet::clone(&every)),
        ("all-of-us".to_owned(), every),
        ("some".to_owned(), odd),
        ("left".to_owned(), BTreeSet::new()),
    ]);
    let all = desks[0].run("attend focus all --json").json();
    let rooms = all["rooms"].as_array().expect("a list");
    let members = |room: &Value| {
        let members = room["members"].as_array().expect("a list");
        let members = members
            .iter()
            .map(|name| name.as_str().expect("a name").to_owned());
        (text(room, "name").to_owned(), members.collect())
    };
    assert_eq!(
        rooms.iter().map(members).collect::<BTreeMap<_, _>>(),
        expected
    );
}

#[test]
fn joins_and_leaves_of_one_seat_from_many_processes_are_all_kept() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    desk.seat();
    for n in 0..6 {
        desk.run(&format!("attend focus on before-{n}")).ok();
    }
    let pid = desk.pid().to_string();
    let changes =
        (0..6).flat_map(|n| [("on", format!("after-{n}")), ("off", format!("before-{n}"))]);
    at_once(changes, |_, (change, room)| {
        let mut command = alone(&world, &["focus", change, &room]);
        command
            .env("CLAUDE_PID", &pid)
            .env("CLAUDE_CODE_SESSION_ID", ONE);
        let output = command.output().expect("it starts");
        assert!(output.status.success(), "{}", stderr(&output));
    });
    let mine = desk.run("attend focus list --json").json();
    let rooms = mine["rooms"].as_array().expect("a list");
    let rooms: BTreeSet<&str> = rooms.iter().map(|room| text(room, "name")).collect();
    let after: Vec<String> = (0..6).map(|n| format!("after-{n}")).collect();
    let expected = after.iter().map(String::as_str).chain(["open"]);
    assert_eq!(rooms, expected.collect());
}

#[test]
fn those_who_sit_down_at_once_share_no_seat() {
    let world = World::new();
    let taken = |desks: &mut Vec<Desk>| -> Vec<String> { at_once(desks, |_, desk| desk.seat()) };
    // The first on an empty store, which each of them would make.
    let mut first = desks(&world, 12);
    let seats = taken(&mut first);
    let distinct: BTreeSet<&String> = seats.iter().collect();
    assert_eq!(distinct.len(), 12, "{seats:?}");
    assert_eq!(taken(&mut first), seats, "each keeps its own");

    // Half of them go. Sessions that come back compete with new ones for what is vacant.
    let left = first.split_off(6);
    drop(left);
    let mut later: Vec<Desk> = (6..9)
        .chain(20..23)
        .map(|n| Desk::new(&world, &session(n)))
        .collect();
    let again = taken(&mut later);
    let both: BTreeSet<&String> = seats[..6].iter().chain(&again).collect();
    assert_eq!(
        both, distinct,
        "the vacant ones are taken, and no others: {again:?}"
    );
    assert_eq!(taken(&mut first), seats[..6]);
}
