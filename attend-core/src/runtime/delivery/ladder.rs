//! The ladder from printed to seen: what is asked of the host, and what its answer means.
//!
//! No I/O: the mailbox lists what is awaited, the host says what stands in its transcript, and
//! the mailbox keeps what follows from that.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use crate::mail::{
    Awaited, Awaiting, CLAIM_LEASE, Evidence, MISSED_AFTER, MessageId, Reader, Seq, Tracking,
};
use crate::sensor::{HostState, Seen, Shown};

/// How often evidence is looked for: soon after a write, then more and more rarely.
const OFTEN: Duration = Duration::from_secs(2);
const RARELY: Duration = Duration::from_secs(20);

/// How long an answer is waited for before the host is asked once more.
const ANSWER: Duration = Duration::from_secs(30);

/// How often a host that had no transcript is asked whether it has one by now.
const READABLE: Duration = Duration::from_secs(5);

/// How many places in the transcript are remembered, with when each was its end.
const MOST_MARKS: usize = 32;

/// How far the evidence of one session is known.
#[derive(Debug)]
pub(super) struct Ladder {
    phase: Phase,
    /// There is a transcript that can be read.
    readable: bool,
    /// Nobody looks any more: nothing was ever found.
    is_over: bool,
    /// Something is awaited, as of the last look at the mailbox.
    is_awaited: bool,
    /// When the next round begins, on the clock that never steps.
    next: Duration,
    effort: Effort,
    /// What was the end of the transcript, and when.
    marks: VecDeque<(Duration, u64)>,
    /// Of each message: how often it had been shown, and how long the host had been at work, when
    /// it was first listed so.
    listed: BTreeMap<Seq, (u32, Duration)>,
    awaiting: Awaiting,
    found: BTreeSet<MessageId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Nothing is under way.
    Rest,
    /// The mailbox lists what is awaited.
    Listing,
    /// The host was asked.
    Asking,
    /// The mailbox keeps what was found.
    Keeping,
}

/// How long the host has been at work in all, on a clock that stands still while the machine
/// sleeps.
#[derive(Debug, Default)]
struct Effort {
    before: Duration,
    since: Option<Duration>,
    now: Duration,
}

impl Effort {
    fn host(&mut self, now: Duration, state: HostState) {
        self.now = now;
        if state.is_idle() {
            self.before = self.total();
            self.since = None;
        } else {
            self.since.get_or_insert(now);
        }
    }

    fn total(&self) -> Duration {
        let stretch = self.since.map(|since| self.now.saturating_sub(since));
        self.before.saturating_add(stretch.unwrap_or_default())
    }
}

/// What follows from the host's answer.
#[derive(Debug)]
pub(super) enum Next {
    /// There is more to be read.
    Ask(Shown),
    /// This is to be kept.
    Keep(Evidence),
}

impl Default for Ladder {
    fn default() -> Self {
        Self {
            phase: Phase::Rest,
            readable: false,
            is_over: false,
            is_awaited: false,
            next: Duration::ZERO,
            effort: Effort::default(),
            marks: VecDeque::new(),
            listed: BTreeMap::new(),
            awaiting: Awaiting::default(),
            found: BTreeSet::new(),
        }
    }
}

impl Ladder {
    /// Whether evidence is looked for of what is printed now.
    pub(super) fn tracks(&self) -> bool {
        self.readable && !self.is_over
    }

    /// The host does this now, by a clock that stands still while the machine sleeps.
    pub(super) fn host(&mut self, now: Duration, state: HostState) {
        self.effort.host(now, state);
    }

    /// Whether anything is awaited, as of a look at the mailbox.
    pub(super) fn note(&mut self, is_awaited: bool) {
        self.is_awaited = is_awaited;
    }

    /// Something was printed just now.
    pub(super) fn printed(&mut self, now: Duration) {
        self.is_awaited |= self.tracks();
        self.next = self.next.min(now.saturating_add(OFTEN));
    }

    /// When the next round begins; never where there is nothing to find.
    pub(super) fn due(&self) -> Option<Duration> {
        let wants = self.tracks() && self.is_awaited || !self.readable && !self.is_over;
        (self.phase != Phase::Keeping && self.phase != Phase::Listing && wants).then_some(self.next)
    }

    /// Whether the mailbox is to list what is awaited.
    pub(super) fn begin(&mut self, now: Duration) -> bool {
        let begins = self.tracks() && self.due().is_some_and(|due| due <= now);
        if begins {
            self.phase = Phase::Listing;
        }
        begins
    }

    /// Asks whether there is a transcript at all, where that is not known.
    pub(super) fn probe(&mut self, now: Duration) -> Option<Shown> {
        let is_due = !self.readable && self.due().is_some_and(|due| due <= now);
        is_due.then(|| {
            self.phase = Phase::Asking;
            self.next = now.saturating_add(ANSWER);
            Shown::new([])
        })
    }

    /// The mailbox listed what is awaited; gives what to ask the host.
    pub(super) fn list(&mut self, now: Duration, awaiting: Awaiting) -> Option<Shown> {
        self.phase = Phase::Rest;
        self.is_over = !awaiting.is_tracked;
        self.is_awaited = !awaiting.messages.is_empty();
        if self.is_over || !self.is_awaited {
            self.listed.clear();
            return None;
        }
        let from = self.start(now, &awaiting);
        let worked = self.effort.total();
        let mut listed = BTreeMap::new();
        for message in awaiting.messages.iter().filter(|message| message.is_open) {
            let known = self.listed.get(&message.seq).copied();
            let known = known.filter(|(shown, _)| *shown == message.shown);
            listed.insert(message.seq, known.unwrap_or((message.shown, worked)));
        }
        self.listed = listed;
        self.awaiting = awaiting;
        self.found.clear();
        self.phase = Phase::Asking;
        self.next = now.saturating_add(ANSWER);
        Some(self.question(from))
    }

    fn question(&self, from: Option<u64>) -> Shown {
        let ids = self
            .awaiting
            .messages
            .iter()
            .map(|message| message.id.clone());
        Shown::new(ids.filter(|id| !self.found.contains(id))).after(from)
    }

    /// From where on to read: what was printed since the last round may stand before what was
    /// its end then, by as much as a claim can last.
    fn start(&self, now: Duration, awaiting: &Awaiting) -> Option<u64> {
        let is_new = |message: &&Awaited| {
            let known = self.listed.get(&message.seq);
            known.is_none_or(|(shown, _)| *shown != message.shown)
        };
        // What is new again already is listed by its next showing.
        let open = awaiting.messages.iter().filter(|message| message.is_open);
        let new = open.filter(is_new);
        let age = new.filter_map(|message| message.age).max();
        let Some(age) = age else {
            return self.marks.back().map(|(_, mark)| *mark).or(awaiting.read);
        };
        let printed = now.saturating_sub(age.saturating_add(CLAIM_LEASE));
        let before = self.marks.iter().rev().find(|(at, _)| *at <= printed);
        before.map(|(_, mark)| *mark).or(awaiting.read)
    }

    /// The host answered, or has nothing to answer with.
    pub(super) fn answer(
        &mut self,
        now: Duration,
        seen: Option<Seen>,
        reader: &Reader,
    ) -> Option<Next> {
        if self.phase != Phase::Asking {
            return None;
        }
        self.phase = Phase::Rest;
        let Some(seen) = seen else {
            // It may come, as that of a session that nobody has spoken to yet; or it may be read
            // again.
            self.next = now.saturating_add(READABLE);
            return None;
        };
        self.readable = true;
        self.found.extend(seen.ids);
        if !seen.complete {
            self.phase = Phase::Asking;
            self.next = now.saturating_add(ANSWER);
            return Some(Next::Ask(self.question(Some(seen.upto))));
        }
        self.mark(now, seen.upto);
        let messages = self.awaiting.messages.iter();
        let youngest = messages.filter_map(|message| message.age).min();
        let pause = youngest.unwrap_or(RARELY) / 4;
        self.next = now.saturating_add(pause.clamp(OFTEN, RARELY));
        let evidence = self.judge(seen.upto, reader);
        (!evidence.is_empty()).then(|| {
            self.phase = Phase::Keeping;
            Next::Keep(evidence)
        })
    }

    fn mark(&mut self, now: Duration, upto: u64) {
        let is_soon = |(at, _): &(Duration, u64)| now.saturating_sub(*at) < OFTEN;
        if self.marks.back().is_some_and(is_soon) {
            return;
        }
        self.marks.push_back((now, upto));
        if self.marks.len() > MOST_MARKS {
            self.marks.pop_front();
        }
    }

    /// What is to be kept.
    fn judge(&self, upto: u64, reader: &Reader) -> Evidence {
        let worked = self.effort.total();
        let is_missed = |message: &Awaited| {
            let waited = message.age.is_none_or(|age| age >= MISSED_AFTER);
            let listed = self.listed.get(&message.seq);
            let since = listed.map(|(_, before)| worked.saturating_sub(*before));
            waited && since.is_some_and(|since| since >= MISSED_AFTER)
        };
        let found = |id: &MessageId| self.found.contains(id);
        self.awaiting
            .judge(reader.clone(), found, is_missed, Some(upto))
    }

    /// The mailbox kept what was found.
    pub(super) fn kept(&mut self, tracking: Tracking) {
        self.phase = Phase::Rest;
        self.is_over |= tracking != Tracking::On;
    }

    /// The mailbox could not list what is awaited; it is asked again later.
    pub(super) fn unlisted(&mut self, now: Duration) {
        self.phase = Phase::Rest;
        self.next = now.saturating_add(RARELY);
    }
}
