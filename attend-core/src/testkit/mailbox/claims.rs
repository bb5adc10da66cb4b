//! Claiming and settling.

use super::desk::{Check, Desk};
use super::words::{all_of, api, draft, marks, refused};
use crate::mail::{MailErrorKind, MessageId, Sender, Seq, Settled, State, Wanted};

pub(super) const CHECKS: &[Check] = &[
    ("a look changes nothing", look_changes_nothing),
    (
        "a claim gets what it asked for and nothing else",
        only_what_is_asked,
    ),
    ("what another live claim holds is not granted", held),
    ("readers of a seat claim side by side", side_by_side),
    (
        "a message is marked exactly when it was claimed before",
        marked,
    ),
    ("what was not written goes back, marked", goes_back),
    ("a claim settles once, and only what it got", settles_once),
    ("nothing is granted of what is not new", not_new),
    (
        "`Unread` takes from any claim, whatever was counted or unseen",
        unread,
    ),
    ("`Unread` grants the oldest, at most so many", unread_oldest),
    (
        "a claim that lost a message to another settles the rest only",
        robbed,
    ),
    ("`Show` grants in any state, and takes from any claim", show),
    (
        "`Show` of what is not for this seat grants nothing",
        show_stranger,
    ),
    (
        "a claim of a room's message does not touch what lies before it",
        out_of_order,
    ),
];

fn three(desk: &Desk<'_>) -> [Seq; 3] {
    [
        desk.say("#open one"),
        desk.say("@api two"),
        desk.say("#open three"),
    ]
}

fn look_changes_nothing(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent = three(desk);
    for _ in 0..3 {
        assert_eq!(desk.news(&sat.reader()), sent);
        desk.many(&sat.reader(), 0);
    }
    assert_eq!(desk.unread(sat.seat()), 3);
    let first = desk.print(&sat.reader(), &sent);
    assert_eq!(marks(&first), sent.map(|seq| (seq, false)));
}

fn only_what_is_asked(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let [one, two, three] = three(desk);
    let asked = [three, one, three, Seq::new(99)];
    let claim = desk.print(&sat.reader(), &asked);
    assert_eq!(marks(&claim), [(one, false), (three, false)]);
    assert_eq!(claim.counts, None);
    assert_eq!(desk.news(&sat.reader()), [two]);
    let nothing = desk.print(&sat.reader(), &[]);
    assert!(nothing.is_empty());
}

fn held(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent = three(desk);
    let run = sat.read_by(desk.process(10));
    let hook = sat.read_by(desk.process(11));
    let first = desk.print(&run, &sent[..2]);
    assert_eq!(desk.news(&hook), sent[2..]);
    assert_eq!(desk.news(&run), sent[2..]);
    let second = desk.print(&hook, &sent);
    assert_eq!(marks(&second), [(sent[2], false)]);
    assert!(
        desk.print(&run, &sent).is_empty(),
        "a reader got again what it holds"
    );
    assert_eq!(desk.unread(sat.seat()), 3, "what is only claimed is unread");
    assert_ne!(first.id, second.id);
}

fn side_by_side(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent = three(desk);
    let run = sat.read_by(desk.process(10));
    let hook = sat.read_by(desk.process(11));
    let first = desk.print(&run, &sent[..1]);
    let second = desk.print(&hook, &sent[1..]);
    desk.printed(&hook, &second);
    desk.printed(&run, &first);
    assert!(desk.news(&run).is_empty());
    assert_eq!(desk.unread(sat.seat()), 0);
    for seq in sent {
        assert_eq!(desk.state(sat.seat(), seq), Some(State::Printed));
    }
}

fn marked(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let other = desk.sit("s2", 2, api());
    let seq = desk.say("@api hi");
    let reader = sat.reader();
    let nothing = Settled::printed(reader.clone(), []);
    for turn in 0..4 {
        let claim = desk.print(&reader, &[seq]);
        assert_eq!(marks(&claim), [(seq, turn > 0)]);
        desk.settled(&claim, &nothing);
    }
    assert_eq!(
        desk.show(&other.reader()),
        [(seq, false)],
        "a mark of another seat"
    );
}

fn goes_back(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent = three(desk);
    let claim = desk.print(&sat.reader(), &sent);
    desk.settled(&claim, &Settled::printed(sat.reader(), [sent[0]]));
    assert_eq!(desk.news(&sat.reader()), sent[1..]);
    assert_eq!(desk.state(sat.seat(), sent[0]), Some(State::Printed));
    assert_eq!(desk.state(sat.seat(), sent[1]), Some(State::New));
    assert_eq!(desk.show(&sat.reader()), [(sent[1], true), (sent[2], true)]);
}

fn settles_once(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent = three(desk);
    let claim = desk.print(&sat.reader(), &sent[..1]);
    desk.settled(&claim, &Settled::printed(sat.reader(), sent));
    assert_eq!(
        desk.news(&sat.reader()),
        sent[1..],
        "it settled what it had not got"
    );
    let second = desk.print(&sat.reader(), &sent[1..]);
    desk.settled(&second, &Settled::printed(sat.reader(), []));
    desk.settled(&second, &Settled::printed(sat.reader(), sent));
    desk.settled(&claim, &Settled::printed(sat.reader(), sent));
    assert_eq!(desk.news(&sat.reader()), sent[1..], "a claim settled twice");
}

fn not_new(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let printed = desk.say("@api one");
    desk.show_tracked(&sat.reader());
    let own = desk.say_as(&sat, "#open mine");
    let counted = desk.say("#open counted");
    let claim = desk.claimed(
        &sat.reader(),
        Wanted::Digest {
            print: vec![],
            upto: counted,
        },
    );
    desk.settled(&claim, &Settled::printed(sat.reader(), []).counted(true));
    let claim = desk.print(&sat.reader(), &[printed, own, counted]);
    assert!(claim.is_empty(), "{claim:?}");
}

fn unread(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let counted = desk.say("#open counted");
    let claim = desk.claimed(
        &sat.reader(),
        Wanted::Digest {
            print: vec![],
            upto: counted,
        },
    );
    desk.settled(&claim, &Settled::printed(sat.reader(), []).counted(true));
    let held = desk.say("@api held");
    let run = sat.read_by(desk.process(10));
    let slow = desk.print(&run, &[held]);
    let new = desk.say("#open new");

    let claim = desk.claimed(&sat.reader(), Wanted::Unread { most: 100 });
    assert_eq!(
        marks(&claim),
        [(counted, false), (held, true), (new, false)]
    );
    desk.settled(&slow, &all_of(&run, &slow));
    assert_eq!(
        desk.unread(sat.seat()),
        3,
        "a claim that lost it settled it"
    );
    // What is not written is counted or new as before.
    desk.settled(&claim, &Settled::printed(sat.reader(), []));
    assert_eq!(desk.state(sat.seat(), counted), Some(State::Counted));
    assert_eq!(desk.news(&sat.reader()), [held, new]);
    let claim = desk.claimed(&sat.reader(), Wanted::Unread { most: 100 });
    desk.printed(&sat.reader(), &claim);
    assert_eq!(desk.unread(sat.seat()), 0);
    assert_eq!(desk.state(sat.seat(), counted), Some(State::Printed));
    assert!(
        desk.claimed(&sat.reader(), Wanted::Unread { most: 100 })
            .is_empty()
    );
}

fn unread_oldest(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent = three(desk);
    let claim = desk.claimed(&sat.reader(), Wanted::Unread { most: 2 });
    assert_eq!(marks(&claim), [(sent[0], false), (sent[1], false)]);
}

fn robbed(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent = three(desk);
    let run = sat.read_by(desk.process(10));
    let slow = desk.print(&run, &sent);
    let claim = desk.claimed(&sat.reader(), Wanted::Unread { most: 1 });
    assert_eq!(marks(&claim), [(sent[0], true)]);
    desk.printed(&run, &slow);
    assert_eq!(desk.state(sat.seat(), sent[0]), Some(State::New));
    assert_eq!(desk.state(sat.seat(), sent[1]), Some(State::Printed));
    desk.printed(&sat.reader(), &claim);
    assert_eq!(desk.unread(sat.seat()), 0);
}

fn show(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let receipt = desk.sent(&Sender::Program, draft("@api hi"));
    let run = sat.read_by(desk.process(10));
    let slow = desk.print(&run, &[receipt.seq]);
    let shown = || desk.claimed(&sat.reader(), Wanted::Show(receipt.id.clone()));
    let claim = shown();
    assert_eq!(marks(&claim), [(receipt.seq, true)]);
    desk.printed(&run, &slow);
    assert_eq!(desk.state(sat.seat(), receipt.seq), Some(State::New));
    desk.printed(&sat.reader(), &claim);
    assert_eq!(desk.state(sat.seat(), receipt.seq), Some(State::Printed));
    let again = shown();
    assert_eq!(marks(&again), [(receipt.seq, true)]);
    desk.settled(&again, &Settled::printed(sat.reader(), []));
    assert_eq!(desk.state(sat.seat(), receipt.seq), Some(State::Printed));
    assert!(desk.news(&sat.reader()).is_empty());

    let seqs = vec![receipt.seq];
    let claim = shown();
    desk.settled(&claim, &all_of(&sat.reader(), &claim).tracked(true));
    desk.saw(&sat.reader(), &seqs);
    let claim = shown();
    desk.printed(&sat.reader(), &claim);
    assert_eq!(desk.state(sat.seat(), receipt.seq), Some(State::Seen));
}

fn show_stranger(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let before = desk.sent(&Sender::Program, draft("#open before"));
    let next = desk.sit("s2", 2, super::words::web());
    let claim = desk.claimed(&next.reader(), Wanted::Show(before.id));
    assert!(claim.granted.is_empty());
    let own = desk.sent(&sat.sender(), draft("#open mine"));
    let claim = desk.claimed(&sat.reader(), Wanted::Show(own.id));
    assert!(claim.granted.is_empty());
    let nobody = Wanted::Show(MessageId::new("ZZZZZZ"));
    assert_eq!(
        refused(desk.claim(&sat.reader(), nobody)),
        MailErrorKind::UnknownMessage
    );
}

fn out_of_order(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    desk.join(&sat, "deploy");
    let sent: Vec<Seq> = ["#open", "#deploy", "#open", "#deploy #open", "#deploy"]
        .iter()
        .map(|room| desk.say(&format!("{room} hi")))
        .collect();
    let claim = desk.print(&sat.reader(), &[sent[2], sent[4]]);
    desk.printed(&sat.reader(), &claim);
    assert_eq!(desk.news(&sat.reader()), [sent[0], sent[1], sent[3]]);
    let claim = desk.print(&sat.reader(), &[sent[0]]);
    desk.settled(&claim, &Settled::printed(sat.reader(), []));
    assert_eq!(
        desk.show(&sat.reader()),
        [(sent[0], true), (sent[1], false), (sent[3], false)]
    );
    assert_eq!(desk.unread(sat.seat()), 0);
}
