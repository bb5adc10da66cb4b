//! Epochs: who may still act for a seat, and that an orphan may not.

use super::desk::{Check, Desk};
use super::words::{all_of, api, refused, web};
use crate::mail::{Change, Evidence, MailErrorKind, State, Wanted};

pub(super) const CHECKS: &[Check] = &[
    ("an orphan of a former epoch does nothing", orphan),
    ("where the session has ended nobody reads", ended),
    (
        "a session that was seen from a sandbox first ends like any other",
        seen_from_a_sandbox_first,
    ),
    (
        "a seat that was left and taken again is another epoch",
        left_and_back,
    ),
    (
        "another session's reader settles nothing of this seat",
        not_of_this_seat,
    ),
    (
        "one loop reads a seat, and the second is told which",
        one_loop,
    ),
    ("a loop whose process is dead is replaced", dead_loop),
    ("a new epoch has no loop", new_epoch_no_loop),
    (
        "a person's seat has one epoch and many readers",
        person_reads,
    ),
];

fn orphan(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let seq = desk.say(&format!("@{} hi", one.name()));
    let run = one.read_by(desk.process(10));
    let claim = desk.print(&run, &[seq]);
    desk.around.end(&one.process);
    let two = desk.sit("s2", 2, api());
    assert_eq!(two.seat(), one.seat());
    let displaced = MailErrorKind::Displaced;
    assert_eq!(
        refused(desk.settle(&claim, &all_of(&run, &claim))),
        displaced
    );
    assert_eq!(
        refused(desk.claim(&run, Wanted::Print(vec![seq]))),
        displaced
    );
    assert_eq!(
        refused(desk.claim(&run, Wanted::Unread { most: 9 })),
        displaced
    );
    assert_eq!(refused(desk.look(&run, 8)), displaced);
    assert_eq!(
        refused(desk.change(&Change::Register(run.clone()))),
        displaced
    );
    assert_eq!(refused(desk.change(&Change::Stand(run.clone()))), displaced);
    let missed = Evidence::new(run, None).missing([(seq, 1)]);
    assert_eq!(refused(desk.change(&Change::Evidence(missed))), displaced);
    assert_eq!(
        desk.show(&two.reader()),
        [(seq, true)],
        "its claim was void at once"
    );
}

fn ended(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let seq = desk.say(&format!("@{} hi", one.name()));
    let run = one.read_by(desk.process(10));
    let claim = desk.print(&run, &[seq]);
    desk.around.end(&one.process);
    assert_eq!(refused(desk.look(&run, 8)), MailErrorKind::Displaced);
    let kind = refused(desk.settle(&claim, &all_of(&run, &claim)));
    assert_eq!(kind, MailErrorKind::Displaced);
    assert_eq!(desk.state(one.seat(), seq), Some(State::New));
    let two = desk.sit("s2", 2, web());
    desk.changed(&Change::Stand(two.reader()));
    let kind = refused(desk.claim(&two.reader(), Wanted::Print(vec![seq])));
    assert_eq!(kind, MailErrorKind::Displaced);
}

fn left_and_back(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let seq = desk.say("hi");
    let claim = desk.print(&one.reader(), &[seq]);
    desk.changed(&Change::Stand(one.reader()));
    let back = desk.sit("s1", 1, api());
    assert_eq!(back.seat(), one.seat());
    assert!(back.seated.epoch > one.seated.epoch);
    let kind = refused(desk.settle(&claim, &all_of(&one.reader(), &claim)));
    assert_eq!(kind, MailErrorKind::Displaced);
    assert_eq!(desk.show(&back.reader()), [(seq, true)]);
}

fn not_of_this_seat(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api());
    let seqs: Vec<_> = (0..3).map(|_| desk.say("#open hi")).collect();
    let (_, upto, _) = desk.many(&one.reader(), 0);
    let print = vec![seqs[0]];
    let claim = desk.claimed(&one.reader(), Wanted::Digest { print, upto });
    // What it answers is not said; it may have done nothing.
    let _ = desk.settle(&claim, &all_of(&two.reader(), &claim));
    assert_eq!(
        desk.news(&two.reader()),
        seqs,
        "a claim of another seat counted here"
    );
    assert_eq!(desk.state(one.seat(), seqs[0]), Some(State::New));
    desk.printed(&one.reader(), &claim);
    assert_eq!(desk.state(one.seat(), seqs[0]), Some(State::Printed));
    assert_eq!(
        desk.state(one.seat(), seqs[1]),
        Some(State::Counted),
        "its claim was gone"
    );
}

fn one_loop(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api());
    desk.changed(&Change::Register(one.read_by(desk.process(10))));
    desk.changed(&Change::Register(one.read_by(desk.process(10))));
    match desk.change(&Change::Register(one.read_by(desk.process(11)))) {
        Err(error) => {
            assert_eq!(error.kind(), MailErrorKind::Taken);
            assert!(error.to_string().contains("10"), "{error}");
        }
        Ok(done) => panic!("two loops read one seat: {done:?}"),
    }
    desk.changed(&Change::Register(two.read_by(desk.process(11))));
    // Others read beside the loop.
    let seq = desk.say("hi");
    assert_eq!(desk.show(&one.read_by(desk.process(12))), [(seq, false)]);
}

fn dead_loop(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let first = desk.process(10);
    desk.changed(&Change::Register(one.read_by(first.clone())));
    desk.around.end(&first);
    desk.changed(&Change::Register(one.read_by(desk.process(11))));
    let kind = refused(desk.change(&Change::Register(one.read_by(desk.process(12)))));
    assert_eq!(kind, MailErrorKind::Taken);
}

fn new_epoch_no_loop(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let orphan = one.read_by(desk.process(10));
    desk.changed(&Change::Register(orphan.clone()));
    desk.around.end(&one.process);
    let two = desk.sit("s2", 2, api());
    desk.changed(&Change::Register(two.read_by(desk.process(11))));
    assert_eq!(refused(desk.look(&orphan, 8)), MailErrorKind::Displaced);
    // The session goes on under another id: the loop stays.
    let cleared = desk.sit("s2b", 2, api());
    let kind = refused(desk.change(&Change::Register(cleared.read_by(desk.process(12)))));
    assert_eq!(kind, MailErrorKind::Taken);
}

fn person_reads(desk: &Desk<'_>) {
    let one = desk.person("sam", 50);
    let two = desk.person("sam", 51);
    let seqs = [desk.say("@sam one"), desk.say("@sam two")];
    let first = desk.print(&one.reader(), &seqs[..1]);
    desk.around.end(&desk.process(52));
    desk.person("sam", 53);
    let second = desk.print(&two.reader(), &seqs);
    assert_eq!(second.granted.len(), 1, "it got what another reader holds");
    desk.printed(&one.reader(), &first);
    desk.printed(&two.reader(), &second);
    assert_eq!(desk.unread(one.seat()), 0);
}

fn seen_from_a_sandbox_first(desk: &Desk<'_>) {
    let process = desk.process(1);
    let mut inside = process.clone();
    inside.namespace = 0;
    let first = desk.sit_as("s1", inside, api());
    let again = desk.sit_as("s1", process.clone(), api());
    assert_eq!(first.seat(), again.seat());
    desk.around.end(&process);
    let two = desk.sit("s2", 2, api());
    assert_eq!(two.seat(), first.seat(), "it is vacant");
}
