//! Words for what comes after a message was shown, and for what is yet to be one.

use std::time::{Duration, SystemTime};

use futures::executor::block_on;

use super::desk::Desk;
use super::words::Sat;
use crate::mail::{
    Awaiting, Change, Evidence, Letter, MailboxExt as _, MessageId, News, Reader, SeatId, Seq,
    Tracking,
};

impl Desk<'_> {
    /// What a look finds, whole.
    #[track_caller]
    pub(super) fn glance(&self, reader: &Reader) -> News {
        let found = block_on(self.mailbox.news(reader, 8));
        found.unwrap_or_else(|error| panic!("a look was refused: {error}"))
    }

    #[track_caller]
    pub(super) fn awaiting(&self, reader: &Reader) -> Awaiting {
        let awaiting = block_on(self.mailbox.awaited(reader));
        awaiting.unwrap_or_else(|error| panic!("what is awaited was refused: {error}"))
    }

    /// What is awaited: each with how often it was shown, and whether it may be missed.
    #[track_caller]
    pub(super) fn awaited(&self, reader: &Reader) -> Vec<(Seq, u32, bool)> {
        let messages = self.awaiting(reader).messages.into_iter();
        messages
            .map(|awaited| (awaited.seq, awaited.shown, awaited.is_open))
            .collect()
    }

    #[track_caller]
    pub(super) fn found(&self, evidence: Evidence) -> Tracking {
        let words = format!("{evidence:?}");
        let done = block_on(self.mailbox.evidence(evidence));
        done.unwrap_or_else(|error| panic!("{words} was refused: {error}"))
    }

    /// These are missing in the reader's session, each shown so often.
    #[track_caller]
    pub(super) fn missed(&self, reader: &Reader, messages: &[(Seq, u32)]) -> Tracking {
        self.found(Evidence::new(reader.clone(), None).missing(messages.iter().copied()))
    }

    /// So many messages to the seat, each shown and then missed.
    #[track_caller]
    pub(super) fn miss(&self, sat: &Sat, messages: usize) -> Tracking {
        let mut tracking = Tracking::On;
        for _ in 0..messages {
            let seq = self.say(&format!("@{} hi", sat.name()));
            let claim = self.print(&sat.reader(), &[seq]);
            self.printed_tracked(&sat.reader(), &claim);
            tracking = self.missed(&sat.reader(), &[(seq, 1)]);
        }
        tracking
    }

    /// A reminder in so many seconds by the clock on the wall.
    #[track_caller]
    pub(super) fn remind(&self, seat: SeatId, seconds: u64, text: &str) -> MessageId {
        let due = self.in_seconds(seconds);
        let id = block_on(self.mailbox.remind(seat, due, text.to_owned()));
        id.unwrap_or_else(|error| panic!("a reminder was refused: {error}"))
    }

    pub(super) fn in_seconds(&self, seconds: u64) -> SystemTime {
        self.wall() + Duration::from_secs(seconds)
    }

    #[track_caller]
    pub(super) fn cancel(&self, seat: SeatId, id: &MessageId) -> bool {
        let done = block_on(self.mailbox.cancel(seat, id.clone()));
        done.unwrap_or_else(|error| panic!("taking {id} back was refused: {error}"))
    }

    /// Sends what is due at a seat; how many.
    #[track_caller]
    pub(super) fn due(&self, seat: SeatId) -> u64 {
        match self.changed(&Change::Due(seat)) {
            crate::mail::Changed::Reminded(count) => count,
            other => panic!("what is due gave {other:?}"),
        }
    }

    /// The ids of the reminders of a seat.
    #[track_caller]
    pub(super) fn reminders(&self, seat: SeatId) -> Vec<MessageId> {
        let found = block_on(self.mailbox.reminders(seat));
        let found = found.unwrap_or_else(|error| panic!("reminders were refused: {error}"));
        found.into_iter().map(|reminder| reminder.id).collect()
    }
}

/// The words of letters.
pub(super) fn bodies(letters: &[Letter]) -> Vec<&str> {
    letters.iter().map(|letter| letter.body.as_str()).collect()
}
