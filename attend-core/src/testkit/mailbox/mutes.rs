//! Mutes: that they belong to the seat, and end at their time.

use std::time::Duration;

use super::desk::{Check, Desk};
use super::words::{api, quiet, refused, room, web};
use crate::mail::{Change, MailErrorKind, Muted, Query, Quiet, SeatId};

pub(super) const CHECKS: &[Check] = &[
    ("mutes are listed in order, each with its end", listed),
    ("a mute ends at its time, and not before", ends),
    (
        "a later mute of the same takes the place of an earlier one",
        replaced,
    ),
    (
        "unmuting ends one mute, or all of them, and tells which",
        unmuted,
    ),
    ("mutes of one seat are no other's", of_one_seat),
    (
        "a room is muted by its members only, and others are told of theirs",
        members,
    ),
    ("mutes stay where the session or its process changes", stay),
    (
        "a different session finds the seat's mutes, but no room's that it is not in",
        inherited,
    ),
    ("an unknown seat mutes nothing", no_seat),
];

fn git() -> Quiet {
    Quiet::Sensor("git".to_owned())
}

fn conflict() -> Quiet {
    Quiet::Signal("git-conflict".to_owned())
}

fn listed(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    assert_eq!(desk.mutes(one.seat()), []);
    let until = desk.wall() + Duration::from_hours(1);
    desk.mute(&one, conflict(), None);
    desk.mute(&one, quiet("open"), Some(3_600));
    desk.mute(&one, git(), Some(3_600));
    assert_eq!(
        desk.mutes(one.seat()),
        [
            Muted::new(git(), Some(until)),
            Muted::new(quiet("open"), Some(until)),
            Muted::new(conflict(), None),
        ]
    );
}

fn ends(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    for what in [git(), quiet("open")] {
        desk.mute(&one, what, Some(60));
    }
    desk.pass(59);
    assert_eq!(desk.mutes(one.seat()).len(), 2);
    desk.pass(1);
    assert_eq!(desk.mutes(one.seat()), []);
    desk.mute(&one, git(), Some(0));
    assert_eq!(desk.mutes(one.seat()), []);
}

fn replaced(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    for what in [git(), quiet("open")] {
        desk.mute(&one, what.clone(), None);
        desk.mute(&one, what.clone(), Some(60));
        desk.pass(60);
        assert_eq!(desk.mutes(one.seat()), []);
        desk.mute(&one, what.clone(), Some(60));
        desk.mute(&one, what.clone(), None);
        desk.pass(60);
        assert_eq!(desk.mutes(one.seat()), [Muted::new(what.clone(), None)]);
        desk.unmute(&one, Some(what));
    }
}

fn unmuted(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    for what in [git(), quiet("open"), conflict()] {
        desk.mute(&one, what, None);
    }
    assert_eq!(desk.unmute(&one, Some(git())), [git()]);
    assert_eq!(desk.unmute(&one, Some(git())), []);
    assert_eq!(desk.unmute(&one, Some(quiet("nowhere"))), []);
    assert_eq!(desk.unmute(&one, None), [quiet("open"), conflict()]);
    assert_eq!(desk.unmute(&one, None), []);
    assert_eq!(desk.mutes(one.seat()), []);
}

fn of_one_seat(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, api());
    let sam = desk.person("sam", 50);
    desk.mute(&one, git(), None);
    desk.mute(&one, quiet("open"), None);
    for other in [&two, &sam] {
        assert_eq!(desk.mutes(other.seat()), []);
        assert_eq!(desk.unmute(other, None), []);
        desk.mute(other, conflict(), None);
    }
    assert_eq!(desk.mutes(one.seat()).len(), 2);
    let seq = desk.say("#open hi");
    assert_eq!(desk.news(&two.reader()), [seq]);
    assert_eq!(desk.news(&sam.reader()), [seq]);
}

fn members(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    let two = desk.sit("s2", 2, web());
    desk.join(&one, "deploy");
    desk.join(&two, "deplay");
    let mute = |name: &str| {
        let muted = Muted::new(Quiet::Room(room(name)), None);
        let seat = one.seat();
        desk.change(&Change::Mute { seat, muted })
    };
    match mute("deplay") {
        Err(error) => {
            assert_eq!(error.kind(), MailErrorKind::UnknownRoom);
            let words = "you are not in #deplay, did you mean #deploy?";
            assert_eq!(error.to_string(), words);
        }
        Ok(done) => panic!("a room that one is not in was muted: {done:?}"),
    }
    assert_eq!(refused(mute("nowhere")), MailErrorKind::UnknownRoom);
    assert_eq!(desk.mutes(one.seat()), []);
}

fn stay(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    desk.join(&one, "deploy");
    for what in [git(), quiet("deploy")] {
        desk.mute(&one, what, None);
    }
    let both = desk.mutes(one.seat());
    let cleared = desk.sit("s2", 1, api());
    assert_eq!(desk.mutes(cleared.seat()), both);
    desk.leave_seat(&cleared);
    let resumed = desk.sit("s2", 2, api());
    assert_eq!(resumed.seat(), one.seat());
    assert_eq!(desk.mutes(resumed.seat()), both);
    desk.around.reboot();
    let again = desk.sit("s2", 3, api());
    assert_eq!(desk.mutes(again.seat()), both);
}

fn inherited(desk: &Desk<'_>) {
    let one = desk.sit("s1", 1, api());
    desk.join(&one, "deploy");
    for what in [git(), quiet("deploy"), quiet("open")] {
        desk.mute(&one, what, Some(60));
    }
    desk.say("#open before");
    desk.leave_seat(&one);
    let other = desk.sit("s2", 2, api());
    assert_eq!(other.seat(), one.seat());
    let mutes = desk.mutes(other.seat());
    let what: Vec<Quiet> = mutes.into_iter().map(|muted| muted.what).collect();
    assert_eq!(what, [git(), quiet("open")]);
    assert!(desk.news(&other.reader()).is_empty());
    desk.join(&other, "deploy");
    let heard = desk.say("#deploy hi");
    let held = desk.say("#open hi");
    assert_eq!(desk.news(&other.reader()), [heard]);
    desk.show(&other.reader());
    desk.pass(60);
    let (counts, upto, _) = desk.many(&other.reader(), 8);
    assert_eq!(
        (counts.total(), upto),
        (1, held),
        "what came before it sat is not told of"
    );
}

fn no_seat(desk: &Desk<'_>) {
    let seat = SeatId::new(99);
    let muted = Muted::new(git(), None);
    for change in [
        Change::Mute { seat, muted },
        Change::Unmute { seat, what: None },
    ] {
        assert_eq!(refused(desk.change(&change)), MailErrorKind::UnknownSeat);
    }
    let asked = futures::executor::block_on(desk.mailbox.read(&Query::Mutes(seat)));
    assert_eq!(refused(asked), MailErrorKind::UnknownSeat);
}
