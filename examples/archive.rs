//! A mailbox of one's own: around any other one, keeps a copy of each message in a file.
//!
//! A store has one method for each kind of request, so one that adds something is short. The
//! suite in `testkit` holds it to the whole contract of a mailbox; a store made from scratch is
//! held to the same. `cargo run -p examples --example archive` sends one message twice under one
//! key, which is once, and prints what `messages.log` holds then:
//!
//! ```text
//! 8N44RT the build of main is green
//! ```

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use attend_core::mail::{
    Answer, Change, Changed, Claim, ClaimId, ClaimRequest, Draft, MailError, MailWaker, Mailbox,
    MemoryMailbox, Query, Reader, Receipt, Sender, Settled, Submission,
};
use attend_core::runtime::system::SystemAround;
use futures::executor::block_on;

/// A mailbox that writes down what it keeps.
struct Archive<M> {
    kept: M,
    file: Mutex<File>,
}

impl<M: Mailbox> Archive<M> {
    /// Around `kept`, with its copies at the end of the file at `path`.
    fn new(kept: M, path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        // Nobody else reads what was written to somebody.
        options.create(true).append(true).mode(0o600);
        let file = options.open(path)?;
        Ok(Self {
            kept,
            file: Mutex::new(file),
        })
    }
}

#[async_trait]
impl<M: Mailbox> Mailbox for Archive<M> {
    async fn send(&self, submission: &Submission) -> Result<Receipt, MailError> {
        let receipt = self.kept.send(submission).await?;
        // The same key again is the same message, of which there is a copy.
        if !receipt.repeated {
            let words = submission.draft.body.replace(char::is_control, " ");
            let line = format!("{} {words}\n", receipt.id);
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            // By now the message is kept, and an error would say that it is not.
            let _ = file.write_all(line.as_bytes());
        }
        Ok(receipt)
    }

    async fn claim(&self, request: &ClaimRequest) -> Result<Claim, MailError> {
        self.kept.claim(request).await
    }

    async fn settle(&self, claim: ClaimId, settled: &Settled) -> Result<(), MailError> {
        self.kept.settle(claim, settled).await
    }

    async fn read(&self, query: &Query) -> Result<Answer, MailError> {
        self.kept.read(query).await
    }

    async fn change(&self, change: &Change) -> Result<Changed, MailError> {
        self.kept.change(change).await
    }

    fn waker(&self, reader: &Reader) -> Option<MailWaker> {
        self.kept.waker(reader)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = Path::new("messages.log");
    let memory = MemoryMailbox::new(Arc::new(SystemAround::new()));
    let mailbox = Archive::new(memory, path)?;
    let draft = Draft::new("the build of main is green").key("build-4711");
    let submission = Submission::new(Sender::Program, draft);
    block_on(mailbox.send(&submission))?;
    assert!(block_on(mailbox.send(&submission))?.repeated);
    print!("{}", std::fs::read_to_string(path)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use attend_core::testkit::mailbox_conformance;

    #[test]
    fn it_keeps_the_contract() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("messages.log");
        mailbox_conformance(|around| {
            let memory = MemoryMailbox::new(Arc::new(around));
            Box::new(Archive::new(memory, &path).unwrap())
        });
    }

    #[test]
    fn a_copy_that_cannot_be_written_loses_no_message() {
        let memory = MemoryMailbox::new(Arc::new(SystemAround::new()));
        let mailbox = Archive::new(memory, Path::new("/dev/full")).unwrap();
        let submission = Submission::new(Sender::Program, Draft::new("words").key("1"));
        let first = block_on(mailbox.send(&submission)).unwrap();
        let again = block_on(mailbox.send(&submission)).unwrap();
        assert_eq!((again.id, again.repeated), (first.id, true));
    }
}
