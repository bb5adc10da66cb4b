//! When a claim holds no longer.

use std::time::Duration;

use super::desk::{Check, Desk};
use super::words::{api, marks};
use crate::mail::{Clock as _, State, Wanted};

pub(super) const CHECKS: &[Check] = &[
    ("a claim lapses after 30 s of boot time", thirty_seconds),
    ("the clock on the wall lapses no claim", wall),
    ("the claim of a dead process lapses at once", death),
    ("a claim of another boot has lapsed", reboot),
    ("a claim from later than now has lapsed", negative),
    (
        "what lapsed and another took is settled by the other only",
        taken,
    ),
    (
        "what lapsed and nobody took is settled by whoever wrote it",
        nobody_took,
    ),
    ("a counting claim that lapsed has counted nothing", counting),
];

fn thirty_seconds(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let seq = desk.say("hi");
    desk.print(&sat.read_by(desk.process(10)), &[seq]);
    desk.around.clock().advance(Duration::from_millis(29_999));
    assert!(desk.print(&sat.reader(), &[seq]).is_empty());
    assert!(desk.news(&sat.reader()).is_empty());
    desk.around.clock().advance(Duration::from_millis(1));
    assert_eq!(desk.news(&sat.reader()), [seq]);
    assert_eq!(marks(&desk.print(&sat.reader(), &[seq])), [(seq, true)]);
}

fn wall(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let seq = desk.say("hi");
    desk.print(&sat.reader(), &[seq]);
    for step in [3_600, -7_200, 365 * 86_400] {
        desk.around.clock().step_wall(step);
        assert!(desk.news(&sat.reader()).is_empty());
    }
}

fn death(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let seq = desk.say("hi");
    let run = desk.process(10);
    desk.print(&sat.read_by(run.clone()), &[seq]);
    desk.around.end(&run);
    assert_eq!(desk.show(&sat.reader()), [(seq, true)]);
}

fn reboot(desk: &Desk<'_>) {
    let sam = desk.person("sam", 50);
    let seq = desk.say("@sam hi");
    // A process of which nothing is known, not even that the reboot ended it.
    let mut unknown = desk.around.stranger(51);
    unknown.boot = "boot-2".into();
    desk.print(&sam.read_by(unknown), &[seq]);
    desk.around.reboot();
    let back = desk.person("sam", 52);
    assert_eq!(desk.show(&back.reader()), [(seq, true)]);
}

fn negative(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let seq = desk.say("hi");
    desk.print(&sat.read_by(desk.process(10)), &[seq]);
    let earlier = desk.around.boot().saturating_sub(Duration::from_secs(1));
    desk.around.clock().set_boot(earlier);
    assert_eq!(desk.show(&sat.reader()), [(seq, true)]);
}

fn taken(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let seq = desk.say("hi");
    let run = sat.read_by(desk.process(10));
    let slow = desk.print(&run, &[seq]);
    desk.pass(30);
    let claim = desk.print(&sat.reader(), &[seq]);
    assert_eq!(marks(&claim), [(seq, true)]);
    desk.printed(&run, &slow);
    assert_eq!(desk.state(sat.seat(), seq), Some(State::New));
    assert!(
        desk.news(&sat.reader()).is_empty(),
        "the other's claim holds no longer"
    );
    desk.printed(&sat.reader(), &claim);
    assert_eq!(desk.state(sat.seat(), seq), Some(State::Printed));
}

fn nobody_took(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let seq = desk.say("hi");
    let claim = desk.print(&sat.reader(), &[seq]);
    desk.pass(31);
    desk.printed(&sat.reader(), &claim);
    assert_eq!(desk.state(sat.seat(), seq), Some(State::Printed));
    assert!(desk.news(&sat.reader()).is_empty());
}

fn counting(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent = [desk.say("#open one"), desk.say("#open two")];
    let run = sat.read_by(desk.process(10));
    let claim = desk.print(&run, &sent[..1]);
    desk.settled(&claim, &crate::mail::Settled::printed(run.clone(), []));
    let claim = desk.claimed(
        &run,
        Wanted::Digest {
            print: vec![],
            upto: sent[1],
        },
    );
    assert_eq!(claim.counts.map(|counts| counts.total()), Some(2));
    desk.around.end(&run.process);
    // What was told by nobody is new; only what was claimed to be printed is marked.
    assert_eq!(
        desk.show(&sat.reader()),
        [(sent[0], true), (sent[1], false)]
    );
}
