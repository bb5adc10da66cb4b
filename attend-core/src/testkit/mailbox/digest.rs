//! Many messages: counted, and the directed ones never only counted.

use super::desk::{Check, Desk};
use super::words::{all_of, api, marks};
use crate::mail::{Counts, Origin, Seq, Settled, State, Wanted};

pub(super) const CHECKS: &[Check] = &[
    (
        "as many as a digest starts above are shown, one more is counted",
        threshold,
    ),
    (
        "counts tell each origin, and a message on two rooms once",
        origins,
    ),
    ("counts tell the age of the newest, and the span", ages),
    (
        "the oldest directed ones come along, at most so many",
        directed,
    ),
    (
        "a digest that was written counts what lies in rooms, and no more",
        counts,
    ),
    ("a digest that was not written counts nothing", not_written),
    (
        "what came after the look is new after the digest",
        came_later,
    ),
    ("directed mail is never only counted", never_only_counted),
    (
        "counts come from what is new when they are claimed",
        at_print_time,
    ),
    (
        "a digest up to a later message than there is counts none that comes",
        beyond_the_end,
    ),
    ("what another reader holds is not counted", held),
    (
        "what another reader gave back while a digest was written is not counted",
        given_back,
    ),
    ("a digest that is settled late takes nothing back", late),
    (
        "what went back after it was claimed is counted with the rest",
        went_back,
    ),
];

fn digest(desk: &Desk<'_>, reader: &crate::mail::Reader, upto: Seq) -> Option<Counts> {
    let claim = desk.claimed(
        reader,
        Wanted::Digest {
            print: vec![],
            upto,
        },
    );
    desk.settled(&claim, &Settled::printed(reader.clone(), []).counted(true));
    claim.counts
}

fn threshold(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent: Vec<Seq> = (0..8).map(|_| desk.say("#open hi")).collect();
    match desk.look(&sat.reader(), 8) {
        Ok(crate::mail::Waiting::Few(letters)) => assert_eq!(super::words::seqs(&letters), sent),
        other => panic!("eight new ones gave {other:?}"),
    }
    let last = desk.say("#open hi");
    let (counts, upto, directed) = desk.many(&sat.reader(), 8);
    assert_eq!((counts.total(), upto), (9, last));
    assert!(directed.is_empty());
}

fn origins(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    desk.join(&sat, "deploy");
    desk.say("@api to you");
    desk.say("@api #open to you");
    desk.say("#deploy one");
    desk.say("#deploy #open on two rooms");
    desk.say("#open two");
    desk.say("#open three");
    let (counts, ..) = desk.many(&sat.reader(), 5);
    let told = [
        (Origin::You, 2),
        (Origin::Room("#deploy".into()), 2),
        (Origin::Room("#open".into()), 2),
    ];
    assert_eq!(counts, Counts::new(told));
}

fn ages(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    for _ in 0..3 {
        desk.say("#open hi");
        desk.pass(60);
    }
    let (counts, upto, _) = desk.many(&sat.reader(), 0);
    assert!(
        counts.line(0).contains("(newest 1m ago, over 2m)"),
        "{}",
        counts.line(0)
    );
    desk.pass(60);
    let told = digest(desk, &sat.reader(), upto).map(|counts| counts.line(0));
    assert!(told.is_some_and(|line| line.contains("newest 2m ago, over 2m")));
}

fn directed(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent: Vec<Seq> = (0..5)
        .map(|_| {
            desk.say("#open hi");
            desk.say("@api hi")
        })
        .collect();
    let (counts, upto, below) = desk.many(&sat.reader(), 3);
    assert_eq!((counts.total(), counts.directed()), (10, 5));
    assert_eq!(super::words::seqs(&below), sent[..3]);
    let print = sent[..3].to_vec();
    let claim = desk.claimed(&sat.reader(), Wanted::Digest { print, upto });
    assert_eq!(claim.counts, Some(counts));
    assert_eq!(
        marks(&claim),
        [(sent[0], false), (sent[1], false), (sent[2], false)]
    );
    desk.printed(&sat.reader(), &claim);
    assert_eq!(desk.news(&sat.reader()), sent[3..]);
    assert_eq!(desk.unread(sat.seat()), 7);
}

fn counts(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let other = desk.sit("s2", 2, api());
    desk.join(&sat, "deploy");
    let sent = [
        desk.say("#open one"),
        desk.say("#deploy two"),
        desk.say("#deploy #open three"),
    ];
    let (_, upto, _) = desk.many(&sat.reader(), 2);
    assert_eq!(upto, sent[2]);
    let claim = desk.claimed(
        &sat.reader(),
        Wanted::Digest {
            print: vec![],
            upto,
        },
    );
    assert_eq!(
        desk.state(sat.seat(), sent[0]),
        Some(State::New),
        "counted before it was written"
    );
    desk.printed(&sat.reader(), &claim);
    assert!(desk.news(&sat.reader()).is_empty());
    for seq in sent {
        assert_eq!(desk.state(sat.seat(), seq), Some(State::Counted));
    }
    assert_eq!(desk.unread(sat.seat()), 3);
    assert_eq!(desk.news(&other.reader()), [sent[0], sent[2]]);
    let new = desk.say("#deploy four");
    assert_eq!(desk.show(&sat.reader()), [(new, false)]);
    let claim = desk.claimed(&sat.reader(), Wanted::Unread { most: 9 });
    assert_eq!(
        marks(&claim),
        sent.map(|seq| (seq, false)),
        "counting is no showing"
    );
}

fn not_written(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent = [desk.say("#open one"), desk.say("#open two")];
    let claim = desk.claimed(
        &sat.reader(),
        Wanted::Digest {
            print: vec![],
            upto: sent[1],
        },
    );
    desk.settled(&claim, &Settled::printed(sat.reader(), []));
    assert_eq!(desk.news(&sat.reader()), sent);
    assert_eq!(desk.state(sat.seat(), sent[0]), Some(State::New));
}

fn came_later(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    desk.say("#open one");
    desk.say("#open two");
    let (_, upto, _) = desk.many(&sat.reader(), 1);
    let between = desk.say("#open three");
    let claim = desk.claimed(
        &sat.reader(),
        Wanted::Digest {
            print: vec![],
            upto,
        },
    );
    let after = desk.say("#open four");
    assert_eq!(claim.counts.as_ref().map(Counts::total), Some(2));
    desk.printed(&sat.reader(), &claim);
    assert_eq!(desk.news(&sat.reader()), [between, after]);
}

fn never_only_counted(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent = [
        desk.say("@api one"),
        desk.say("@api #open two"),
        desk.say("#open three"),
    ];
    let claim = desk.claimed(
        &sat.reader(),
        Wanted::Digest {
            print: vec![sent[0]],
            upto: sent[2],
        },
    );
    desk.settled(&claim, &Settled::printed(sat.reader(), []).counted(true));
    assert_eq!(desk.news(&sat.reader()), sent[..2]);
    assert_eq!(
        desk.show(&sat.reader()),
        [(sent[0], true), (sent[1], false)]
    );
}

fn at_print_time(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent: Vec<Seq> = (0..4).map(|_| desk.say("#open hi")).collect();
    let (counts, upto, _) = desk.many(&sat.reader(), 3);
    assert_eq!(counts.total(), 4);
    let hook = sat.read_by(desk.process(11));
    let claim = desk.print(&hook, &sent[..3]);
    desk.printed(&hook, &claim);
    assert_eq!(
        digest(desk, &sat.reader(), upto).map(|counts| counts.total()),
        Some(1)
    );
    assert_eq!(
        digest(desk, &sat.reader(), upto),
        None,
        "nothing was left to count"
    );
    let claim = desk.claimed(
        &sat.reader(),
        Wanted::Digest {
            print: vec![sent[0]],
            upto,
        },
    );
    assert!(claim.is_empty(), "{claim:?}");
}

fn beyond_the_end(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    desk.say("#open hi");
    assert!(digest(desk, &sat.reader(), Seq::new(1_000)).is_some());
    let seq = desk.say("#open later");
    assert_eq!(desk.news(&sat.reader()), [seq]);
}

fn held(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent = [desk.say("#open one"), desk.say("#open two")];
    let hook = sat.read_by(desk.process(11));
    let slow = desk.print(&hook, &sent[..1]);
    let counted = digest(desk, &sat.reader(), sent[1]);
    assert_eq!(counted.map(|counts| counts.total()), Some(1));
    desk.settled(&slow, &Settled::printed(hook, []));
    assert_eq!(
        desk.show(&sat.reader()),
        [(sent[0], true)],
        "it was counted by nobody"
    );
}

fn given_back(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent = [desk.say("#open one"), desk.say("#open two")];
    let hook = sat.read_by(desk.process(11));
    let slow = desk.print(&hook, &sent[..1]);
    let claim = desk.claimed(
        &sat.reader(),
        Wanted::Digest {
            print: vec![],
            upto: sent[1],
        },
    );
    assert_eq!(claim.counts.as_ref().map(Counts::total), Some(1));
    desk.settled(&slow, &Settled::printed(hook, []));
    desk.settled(&claim, &all_of(&sat.reader(), &claim));
    assert_eq!(
        desk.show(&sat.reader()),
        [(sent[0], true)],
        "it was counted by nobody"
    );
}

fn late(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let other = desk.sit("s2", 2, api());
    desk.join(&other, "deploy");
    let hook = sat.read_by(desk.process(11));
    let first = desk.say("#open one");
    let slow = desk.claimed(&hook, count_to(first));
    desk.say("#deploy before");
    let second = desk.say("#open two");
    assert!(digest(desk, &sat.reader(), second).is_some());
    desk.join(&sat, "deploy");
    desk.printed(&hook, &slow);
    assert!(desk.news(&sat.reader()).is_empty());
    assert_eq!(desk.unread(sat.seat()), 2);
}

fn count_to(upto: Seq) -> Wanted {
    Wanted::Digest {
        print: vec![],
        upto,
    }
}

fn went_back(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent = [desk.say("#open one"), desk.say("#open two")];
    let claim = desk.print(&sat.reader(), &sent[..1]);
    desk.settled(&claim, &Settled::printed(sat.reader(), []));
    let counted = digest(desk, &sat.reader(), sent[1]);
    assert_eq!(counted.map(|counts| counts.total()), Some(2));
    assert!(desk.news(&sat.reader()).is_empty());
    assert_eq!(desk.state(sat.seat(), sent[0]), Some(State::Counted));
    let claim = desk.claimed(&sat.reader(), Wanted::Unread { most: 9 });
    assert_eq!(marks(&claim), [(sent[0], true), (sent[1], false)]);
}
