//! Many at once: each call is whole, and none is lost.

use std::collections::BTreeSet;
use std::thread;

use futures::executor::block_on;

use super::desk::{Check, Desk};
use super::words::{api, draft};
use crate::mail::{ClaimRequest, Mailbox, Sender, Seq, Submission, Wanted};

pub(super) const CHECKS: &[Check] = &[
    (
        "what many send at once is kept, each once and in one order",
        senders,
    ),
    ("what many claim at once goes to one of them", readers),
    (
        "of many that send at once under one key one is kept",
        one_key,
    ),
];

const MANY: u32 = 4;

/// Does `act` in several threads at once, and gives what came of each.
fn at_once<T: Send>(desk: &Desk<'_>, act: impl Fn(&dyn Mailbox, u32) -> T + Sync) -> Vec<T> {
    let (mailbox, act) = (&*desk.mailbox, &act);
    thread::scope(|scope| {
        let start = |n| scope.spawn(move || act(mailbox, n));
        let threads: Vec<_> = (0..MANY).map(start).collect();
        let done = threads.into_iter().map(thread::ScopedJoinHandle::join);
        done.map(|done| done.unwrap_or_else(|_| panic!("a thread panicked")))
            .collect()
    })
}

/// A program says something; where it went, none where it was refused.
fn say(mailbox: &dyn Mailbox, text: &str, key: Option<&str>) -> Option<Seq> {
    let mut draft = draft(text);
    draft.key = key.map(str::to_owned);
    let submission = Submission::new(Sender::Program, draft);
    block_on(mailbox.send(&submission))
        .ok()
        .map(|receipt| receipt.seq)
}

fn senders(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent = at_once(desk, |mailbox, n| -> Vec<Seq> {
        let turns = 0..20;
        turns
            .filter_map(|turn| say(mailbox, &format!("@api {n} {turn}"), None))
            .collect()
    });
    let all: BTreeSet<Seq> = sent.iter().flatten().copied().collect();
    assert_eq!(all.len(), 80);
    for one in &sent {
        assert!(one.is_sorted(), "one sender's messages are out of order");
    }
    let all: Vec<Seq> = all.into_iter().collect();
    assert_eq!(desk.news(&sat.reader()), all);
}

fn readers(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent: Vec<Seq> = (0..20).map(|_| desk.say("#open hi")).collect();
    let around = desk.around.clone();
    let granted = at_once(desk, |mailbox, n| -> Vec<Seq> {
        let reader = sat.read_by(around.process(100 + n));
        let request = ClaimRequest::new(reader, Wanted::Print(sent.clone()));
        let claim = block_on(mailbox.claim(&request)).ok();
        let granted = claim.into_iter().flat_map(|claim| claim.granted);
        granted.map(|granted| granted.seq).collect()
    });
    let mut all: Vec<Seq> = granted.into_iter().flatten().collect();
    all.sort_unstable();
    assert_eq!(all, sent);
}

fn one_key(desk: &Desk<'_>) {
    let sat = desk.sit("s1", 1, api());
    let sent = at_once(desk, |mailbox, _| say(mailbox, "@api hi", Some("k")));
    let sent: BTreeSet<Option<Seq>> = sent.into_iter().collect();
    let new: BTreeSet<Option<Seq>> = desk.news(&sat.reader()).into_iter().map(Some).collect();
    assert_eq!(new.len(), 1);
    assert_eq!(sent, new);
}
