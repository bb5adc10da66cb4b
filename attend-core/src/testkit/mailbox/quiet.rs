//! Quiet rooms: what is said in a muted room waits, and is counted in one line afterwards.

use super::desk::{Check, Desk};
use super::words::{Sat, all_of, api, by_room, marks, quiet, web};
use crate::mail::{Seq, Settled, State, Wanted};

pub(super) const CHECKS: &[Check] = &[
    ("what is said in a muted room is unread, and not new", muted),
    (
        "what waited when a room was muted is not new either",
        waited,
    ),
    (
        "when a mute ends, what was said is counted, however little",
        ends,
    ),
    (
        "counting after a mute happens once, and later words come as ever",
        once,
    ),
    (
        "what is said after a mute that held nothing comes as ever",
        nothing_held,
    ),
    (
        "what is said after a mute has passed is counted with the rest until told",
        after,
    ),
    (
        "a digest that was not written leaves the counts owed",
        not_written,
    ),
    ("mail by name comes through a muted room", by_name),
    (
        "what another room brings too is new, and told once",
        other_room,
    ),
    (
        "what was counted in another room is not counted again",
        counted_elsewhere,
    ),
    ("a digest counts nothing of a muted room", no_digest),
    (
        "a mute that ends while a digest is written loses nothing",
        ends_meanwhile,
    ),
    (
        "a claim grants nothing of a room muted since the look",
        since_look,
    ),
    (
        "what was claimed and not written in a room muted since waits too",
        put_back,
    ),
    (
        "what is muted can be read on request, and is done then",
        on_request,
    ),
    (
        "leaving a muted room counts what waited, and ends the mute",
        leave,
    ),
    (
        "own words in a muted room are no news afterwards",
        own_words,
    ),
    (
        "a room muted again before its counts were told waits on",
        again,
    ),
];

/// Somebody in two rooms.
fn sat(desk: &Desk<'_>) -> Sat {
    let one = desk.sit("s1", 1, api());
    desk.join(&one, "deploy");
    desk.join(&one, "art");
    one
}

/// What a look that counts gives, by room, and up to where.
#[track_caller]
fn counted(desk: &Desk<'_>, one: &Sat) -> (Vec<(String, u64)>, Seq) {
    let (counts, upto, directed) = desk.many(&one.reader(), 8);
    assert!(directed.is_empty(), "{directed:?}");
    (by_room(&counts), upto)
}

fn on(room: &str, count: u64) -> (String, u64) {
    (room.to_owned(), count)
}

fn muted(desk: &Desk<'_>) {
    let one = sat(desk);
    desk.mute(&one, quiet("deploy"), None);
    let held: Vec<Seq> = (0..9).map(|n| desk.say(&format!("#deploy {n}"))).collect();
    assert!(desk.news(&one.reader()).is_empty());
    assert_eq!(
        desk.look(&one.reader(), 0).ok(),
        Some(crate::mail::Waiting::Few(vec![]))
    );
    assert_eq!(desk.unread(one.seat()), 9);
    assert_eq!(desk.state(one.seat(), held[0]), Some(State::New));
    let heard = desk.say("#art hi");
    assert_eq!(desk.news(&one.reader()), [heard]);
    desk.mute(&one, quiet("open"), None);
    desk.say("#open hi");
    assert_eq!(desk.news(&one.reader()), [heard]);
}

fn waited(desk: &Desk<'_>) {
    let one = sat(desk);
    desk.say("#deploy before");
    desk.mute(&one, quiet("deploy"), None);
    assert!(desk.news(&one.reader()).is_empty());
    desk.unmute(&one, None);
    assert_eq!(counted(desk, &one).0, [on("#deploy", 1)]);
}

fn ends(desk: &Desk<'_>) {
    let one = sat(desk);
    desk.mute(&one, quiet("deploy"), Some(60));
    let first = desk.say("#deploy one");
    desk.say("#deploy two");
    desk.pass(59);
    assert!(desk.news(&one.reader()).is_empty());
    desk.pass(1);
    let (rooms, upto) = counted(desk, &one);
    assert_eq!(rooms, [on("#deploy", 2)]);
    assert_eq!(counted(desk, &one).0, rooms, "until it was told");
    let counts = desk.digest(&one.reader(), upto);
    assert_eq!(counts.as_ref().map(by_room), Some(rooms));
    assert!(desk.news(&one.reader()).is_empty());
    assert_eq!(desk.state(one.seat(), first), Some(State::Counted));
    assert_eq!(desk.unread(one.seat()), 2);
    desk.mute(&one, quiet("art"), None);
    desk.say("#art three");
    desk.unmute(&one, Some(quiet("art")));
    assert_eq!(counted(desk, &one).0, [on("#art", 1)]);
}

fn once(desk: &Desk<'_>) {
    let one = sat(desk);
    desk.mute(&one, quiet("deploy"), None);
    desk.say("#deploy held");
    desk.unmute(&one, None);
    let (_, upto) = counted(desk, &one);
    let meanwhile = desk.say("#deploy meanwhile");
    desk.digest(&one.reader(), upto);
    let after = desk.say("#deploy after");
    assert_eq!(
        desk.show(&one.reader()),
        [(meanwhile, false), (after, false)]
    );
}

fn nothing_held(desk: &Desk<'_>) {
    let one = sat(desk);
    for seconds in [Some(60), None] {
        desk.mute(&one, quiet("deploy"), seconds);
        desk.pass(60);
        desk.unmute(&one, None);
        assert!(desk.news(&one.reader()).is_empty());
        desk.pass(60);
        let after = desk.say("#deploy after");
        assert_eq!(desk.show(&one.reader()), [(after, false)]);
    }
}

fn after(desk: &Desk<'_>) {
    let one = sat(desk);
    desk.mute(&one, quiet("deploy"), Some(60));
    desk.say("#deploy held");
    desk.pass(60);
    desk.say("#deploy after");
    desk.say("#art after");
    let (rooms, upto) = counted(desk, &one);
    assert_eq!(rooms, [on("#art", 1), on("#deploy", 2)]);
    desk.digest(&one.reader(), upto);
    assert!(desk.news(&one.reader()).is_empty());
}

fn not_written(desk: &Desk<'_>) {
    let one = sat(desk);
    desk.mute(&one, quiet("deploy"), None);
    desk.say("#deploy held");
    desk.unmute(&one, None);
    let (rooms, upto) = counted(desk, &one);
    let print = Vec::new();
    let claim = desk.claimed(&one.reader(), Wanted::Digest { print, upto });
    desk.settled(&claim, &Settled::printed(one.reader(), []));
    assert_eq!(counted(desk, &one).0, rooms);
}

fn by_name(desk: &Desk<'_>) {
    let one = sat(desk);
    desk.mute(&one, quiet("deploy"), Some(60));
    let named = desk.say(&format!("@{} #deploy hi", one.name()));
    let project = desk.say(&format!("#deploy @{} hi", one.persona()));
    desk.say("#deploy held");
    assert_eq!(desk.show(&one.reader()), [(named, false), (project, false)]);
    let waiting = desk.say(&format!("@{} #deploy hi", one.name()));
    desk.pass(60);
    let (counts, upto, directed) = desk.many(&one.reader(), 8);
    assert_eq!((counts.total(), counts.directed()), (2, 1));
    assert_eq!(
        directed.iter().map(|letter| letter.seq).collect::<Vec<_>>(),
        [waiting]
    );
    let print = vec![waiting];
    let claim = desk.claimed(&one.reader(), Wanted::Digest { print, upto });
    assert_eq!(marks(&claim), [(waiting, false)]);
    desk.printed(&one.reader(), &claim);
    assert!(desk.news(&one.reader()).is_empty());
}

fn other_room(desk: &Desk<'_>) {
    let one = sat(desk);
    desk.mute(&one, quiet("deploy"), None);
    let both = desk.say("#deploy #art hi");
    assert_eq!(desk.show(&one.reader()), [(both, false)]);
    let waiting = desk.say("#art #deploy hi");
    desk.unmute(&one, None);
    assert_eq!(
        desk.show(&one.reader()),
        [(waiting, false)],
        "it was held back by nothing"
    );
    desk.mute(&one, quiet("deploy"), None);
    desk.mute(&one, quiet("art"), None);
    desk.say("#deploy #art hi");
    assert!(desk.news(&one.reader()).is_empty());
    desk.unmute(&one, Some(quiet("deploy")));
    let (rooms, upto) = counted(desk, &one);
    assert_eq!(rooms, [on("#deploy", 1)]);
    desk.digest(&one.reader(), upto);
    desk.unmute(&one, None);
    assert!(desk.news(&one.reader()).is_empty());
    assert_eq!(desk.unread(one.seat()), 1);
}

fn counted_elsewhere(desk: &Desk<'_>) {
    let one = sat(desk);
    for (quiet_room, other) in [("deploy", "art"), ("art", "deploy")] {
        desk.mute(&one, quiet(quiet_room), None);
        let both = desk.say("#deploy #art hi");
        desk.say(&format!("#{quiet_room} held"));
        let (counts, upto, _) = desk.many(&one.reader(), 0);
        assert_eq!(by_room(&counts), [on(&format!("#{other}"), 1)]);
        assert_eq!(upto, both);
        desk.digest(&one.reader(), upto);
        assert_eq!(desk.state(one.seat(), both), Some(State::Counted));
        assert!(desk.news(&one.reader()).is_empty());
        desk.unmute(&one, None);
        let (rooms, upto) = counted(desk, &one);
        assert_eq!(rooms, [on(&format!("#{quiet_room}"), 1)]);
        desk.digest(&one.reader(), upto);
    }
    assert_eq!(desk.unread(one.seat()), 4);
}

fn no_digest(desk: &Desk<'_>) {
    let one = sat(desk);
    desk.mute(&one, quiet("deploy"), None);
    let held = desk.say("#deploy held");
    desk.say("#art one");
    let last = desk.say("#art two");
    desk.say("#deploy held");
    let (counts, upto, _) = desk.many(&one.reader(), 1);
    assert_eq!((by_room(&counts), upto), (vec![on("#art", 2)], last));
    let counts = desk.digest(&one.reader(), upto);
    assert_eq!(counts.as_ref().map(by_room), Some(vec![on("#art", 2)]));
    assert_eq!(desk.state(one.seat(), held), Some(State::New));
    desk.unmute(&one, None);
    assert_eq!(counted(desk, &one).0, [on("#deploy", 2)]);
}

fn ends_meanwhile(desk: &Desk<'_>) {
    let one = sat(desk);
    for seconds in [Some(10), None] {
        desk.mute(&one, quiet("deploy"), seconds);
        let held = desk.say("#deploy held");
        let upto = desk.say("#art one");
        let print = Vec::new();
        let claim = desk.claimed(&one.reader(), Wanted::Digest { print, upto });
        desk.pass(10);
        desk.unmute(&one, None);
        desk.settled(&claim, &all_of(&one.reader(), &claim));
        assert_eq!(desk.state(one.seat(), held), Some(State::New));
        let (rooms, upto) = counted(desk, &one);
        assert_eq!(rooms, [on("#deploy", 1)]);
        desk.digest(&one.reader(), upto);
    }
}

fn since_look(desk: &Desk<'_>) {
    let one = sat(desk);
    let seq = desk.say("#deploy hi");
    let print = desk.news(&one.reader());
    desk.mute(&one, quiet("deploy"), None);
    assert!(desk.print(&one.reader(), &print).is_empty());
    let upto = seq;
    let claim = desk.claimed(&one.reader(), Wanted::Digest { print, upto });
    assert!(claim.is_empty());
    desk.printed(&one.reader(), &claim);
    assert_eq!(desk.state(one.seat(), seq), Some(State::New));
}

fn put_back(desk: &Desk<'_>) {
    let one = sat(desk);
    let seq = desk.say("#deploy hi");
    let claim = desk.print(&one.reader(), &[seq]);
    desk.mute(&one, quiet("deploy"), None);
    desk.settled(&claim, &Settled::printed(one.reader(), []));
    assert!(desk.news(&one.reader()).is_empty());
    assert_eq!(desk.unread(one.seat()), 1);
    let last = desk.say("#art hi");
    let (counts, ..) = desk.many(&one.reader(), 0);
    assert_eq!(by_room(&counts), [on("#art", 1)]);
    desk.digest(&one.reader(), last);
    assert_eq!(desk.state(one.seat(), seq), Some(State::New));
    desk.unmute(&one, None);
    let (rooms, upto) = counted(desk, &one);
    assert_eq!(rooms, [on("#deploy", 1)]);
    desk.digest(&one.reader(), upto);
    assert_eq!(desk.state(one.seat(), seq), Some(State::Counted));
    let claim = desk.claimed(&one.reader(), Wanted::Unread { most: 1 });
    assert_eq!(marks(&claim), [(seq, true)]);
}

fn on_request(desk: &Desk<'_>) {
    let one = sat(desk);
    desk.mute(&one, quiet("deploy"), None);
    let seq = desk.say("#deploy held");
    let claim = desk.claimed(&one.reader(), Wanted::Unread { most: 9 });
    assert_eq!(marks(&claim), [(seq, false)]);
    desk.printed(&one.reader(), &claim);
    assert_eq!(desk.unread(one.seat()), 0);
    let shown = desk.say("#deploy shown");
    let id = desk.entry(one.seat(), shown).id;
    let claim = desk.claimed(&one.reader(), Wanted::Show(id));
    desk.printed(&one.reader(), &claim);
    desk.unmute(&one, None);
    assert!(desk.news(&one.reader()).is_empty());
}

fn leave(desk: &Desk<'_>) {
    let one = sat(desk);
    desk.mute(&one, quiet("deploy"), None);
    let held = desk.say("#deploy held");
    let both = desk.say("#deploy #art hi");
    assert_eq!(desk.leave(&one, "deploy"), Some(2));
    assert_eq!(desk.mutes(one.seat()), []);
    assert_eq!(desk.state(one.seat(), held), Some(State::Counted));
    assert_eq!(desk.show(&one.reader()), [(both, false)]);
    assert_eq!(desk.unread(one.seat()), 1);
    desk.join(&one, "deploy");
    let after = desk.say("#deploy after");
    assert_eq!(desk.show(&one.reader()), [(after, false)]);
}

fn own_words(desk: &Desk<'_>) {
    let one = sat(desk);
    let two = desk.sit("s2", 2, web());
    desk.mute(&one, quiet("deploy"), None);
    desk.say_as(&one, "#deploy mine");
    desk.unmute(&one, None);
    assert!(desk.news(&one.reader()).is_empty());
    desk.mute(&one, quiet("deploy"), None);
    desk.say_as(&two, "#deploy theirs");
    desk.say_as(&one, "#deploy mine");
    desk.unmute(&one, None);
    assert_eq!(counted(desk, &one).0, [on("#deploy", 1)]);
}

fn again(desk: &Desk<'_>) {
    let one = sat(desk);
    desk.mute(&one, quiet("deploy"), None);
    desk.say("#deploy one");
    desk.unmute(&one, None);
    desk.mute(&one, quiet("deploy"), Some(60));
    assert!(desk.news(&one.reader()).is_empty());
    desk.say("#deploy two");
    desk.pass(60);
    assert_eq!(counted(desk, &one).0, [on("#deploy", 2)]);
}
