//! Seen: evidence, and whose.

use super::desk::{Check, Desk};
use super::words::api;
use crate::mail::{Seq, State};

pub(super) const CHECKS: &[Check] = &[
    ("evidence makes what was printed seen", printed_is_seen),
    (
        "evidence of another session makes nothing seen",
        another_session,
    ),
    (
        "evidence makes nothing seen that was not printed",
        not_printed,
    ),
];

fn printed_is_seen(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let other = desk.sit("s2", 2, api());
    let sent = [desk.say("@api one"), desk.say("#open two")];
    desk.show_tracked(&sat.reader());
    desk.show_tracked(&other.reader());
    desk.saw(&sat.reader(), &sent);
    for seq in sent {
        assert_eq!(desk.state(sat.seat(), seq), Some(State::Seen));
        assert_eq!(desk.state(other.seat(), seq), Some(State::Printed));
    }
    assert_eq!(desk.unread(sat.seat()), 0);
}

fn another_session(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let seq = desk.say("@api one");
    desk.show_tracked(&sat.reader());
    let cleared = desk.sit("s1b", 1, api());
    desk.saw(&cleared.reader(), &[seq]);
    assert_eq!(desk.state(sat.seat(), seq), Some(State::New));
    desk.saw(&sat.reader(), &[seq]);
    assert_eq!(desk.state(sat.seat(), seq), Some(State::Seen));
}

fn not_printed(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent = [desk.say("@api one"), desk.say("#open two")];
    desk.print(&sat.reader(), &sent[..1]);
    desk.saw(&sat.reader(), &[sent[0], sent[1], Seq::new(99)]);
    assert_eq!(desk.state(sat.seat(), sent[0]), Some(State::New));
    assert_eq!(desk.state(sat.seat(), sent[1]), Some(State::New));
    desk.pass(30);
    assert_eq!(
        desk.show(&sat.reader()),
        [(sent[0], true), (sent[1], false)]
    );
}
