//! Showing messages to their addressee: claimed, written, and settled as far as they were written.

use std::time::Duration;

use attend_core::mail::{
    Answer, Claim, ClaimRequest, Entry, Letter, MailError, Query, Reader, Seq, Settled, Wanted,
};
use attend_core::runtime::system::{reader_is_gone, stdout_was_closed};
use futures::executor::block_on;

use crate::mailbox::{Open, ask, unfit};
use crate::output::{Failure, print};

/// Messages that this process has claimed and is about to write.
#[derive(Debug)]
pub(crate) struct Showing {
    reader: Reader,
    claim: Claim,
    /// Whether somebody goes on looking for what was written in the session's transcript.
    tracked: bool,
    /// What is shown.
    pub(crate) shown: Vec<Shown>,
}

/// One message that is shown.
#[derive(Debug)]
pub(crate) struct Shown {
    /// The message as it is kept.
    pub(crate) entry: Entry,
    /// The same as its addressee sees it.
    pub(crate) letter: Letter,
    /// It may have been shown before.
    pub(crate) again: bool,
}

impl Showing {
    /// Claims what is `wanted`, as the last thing before it is written; the inner error is the
    /// mailbox's own. Where nobody can read
    /// what would be written, nothing is claimed.
    pub(crate) fn claim(
        mailbox: &Open,
        reader: Reader,
        wanted: Wanted,
    ) -> Result<Result<Self, MailError>, Failure> {
        if stdout_was_closed() {
            return Err(Failure::refused(
                "nothing is shown, since standard output is closed; nothing is marked as shown",
            ));
        }
        if reader_is_gone(Duration::ZERO) {
            return Err(Failure::from(std::io::Error::from(
                std::io::ErrorKind::BrokenPipe,
            )));
        }
        let request = ClaimRequest::new(reader.clone(), wanted);
        let claim = match block_on(mailbox.claim(&request)) {
            Ok(claim) => claim,
            Err(error) => return Ok(Err(error)),
        };
        let granted = claim.granted.iter().map(|granted| granted.seq);
        let (seat, seqs) = (reader.seat, granted.collect::<Vec<_>>());
        let known = Query::Entries {
            seat,
            seqs: seqs.clone(),
        };
        let entries = match ask(mailbox, &known)? {
            Answer::Entries(entries) => entries,
            other => return Err(unfit(&other)),
        };
        let letters = match ask(mailbox, &Query::Letters { seat, seqs })? {
            Answer::Letters(letters) => letters,
            other => return Err(unfit(&other)),
        };
        let is_again = |seq: Seq| {
            let granted = claim.granted.iter().find(|granted| granted.seq == seq);
            granted.is_some_and(|granted| granted.again)
        };
        // Both come in the order of the mailbox, and leave out the same.
        let both = entries.into_iter().zip(letters);
        let shown = both.map(|(entry, letter)| Shown {
            again: is_again(entry.seq),
            entry,
            letter,
        });
        Ok(Ok(Self {
            shown: shown.collect(),
            claim,
            reader,
            tracked: false,
        }))
    }

    /// What is written can be recognised in the session's transcript.
    #[must_use]
    pub(crate) fn tracked(mut self, tracked: bool) -> Self {
        self.tracked = tracked;
        self
    }

    /// Writes pieces of text, each with the messages that it shows, and settles those whose
    /// piece was written to the end. What was not written waits on, as if nobody had asked.
    pub(crate) fn write(
        self,
        mailbox: &Open,
        pieces: impl IntoIterator<Item = (Vec<Seq>, String)>,
    ) -> Result<(), Failure> {
        let mut written = Vec::new();
        let mut done = Ok(());
        for (seqs, text) in pieces {
            done = print(&text);
            if done.is_err() {
                break;
            }
            written.extend(seqs);
        }
        if !self.claim.is_empty() {
            self.settle(mailbox, written).map_err(|error| {
                Failure::refused(format!(
                    "what was shown is not marked as shown, so it may be shown again: {error}"
                ))
            })?;
        }
        done
    }

    fn settle(&self, mailbox: &Open, written: Vec<Seq>) -> Result<(), MailError> {
        let settled = Settled::printed(self.reader.clone(), written).tracked(self.tracked);
        block_on(mailbox.settle(self.claim.id, &settled))
    }
}
