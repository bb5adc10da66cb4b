//! The mailbox, as commands use it: opened in one place, asked one thing, and its errors for people.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use attend_core::mail::{Answer, MailError, MailErrorKind, Mailbox, Query, Sitter, SqliteMailbox};
use attend_core::runtime::system::SystemAround;
use futures::executor::block_on;

use crate::env::Env;
use crate::output::Failure;
use crate::place::ADVICE;

/// The mailbox of a user, where the environment names a place for one.
#[derive(Debug)]
pub(crate) struct Mail {
    dir: PathBuf,
    around: Arc<SystemAround>,
}

/// A mailbox that is open.
pub(crate) type Open = Arc<dyn Mailbox>;

impl Mail {
    /// The mailbox below the directory for data.
    pub(crate) fn of(env: &Env) -> Result<Self, Failure> {
        let dir = env.data().ok_or_else(|| {
            Failure::refused(format!(
                "there is no place for mail: neither ATTEND_HOME nor HOME names a directory; {ADVICE}"
            ))
        })?;
        Ok(Self {
            dir,
            around: Arc::new(SystemAround::new()),
        })
    }

    /// This machine.
    pub(crate) fn around(&self) -> &SystemAround {
        &self.around
    }

    /// The directory in which it lies: whatever is written to it changes something there.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Whether the file system can carry it.
    pub(crate) fn is_carried(&self) -> Result<(), MailError> {
        SqliteMailbox::carries(&self.dir)
    }

    /// Opens it for writing; what is missing of it is made.
    pub(crate) fn open(&self) -> Result<Open, MailError> {
        Ok(Arc::new(self.open_store()?))
    }

    /// The same, for whoever has to say how long it waits for others.
    pub(crate) fn open_store(&self) -> Result<SqliteMailbox, MailError> {
        SqliteMailbox::open(&self.dir, self.around.clone())
    }

    /// Opens it for reading, also where nothing may be written; none where nobody ever wrote.
    pub(crate) fn existing(&self) -> Result<Option<Open>, MailError> {
        let existing = SqliteMailbox::existing(&self.dir, self.around.clone())?;
        Ok(existing.map(|existing| Arc::new(existing) as Open))
    }

    /// The same, for whoever has to say how long it waits for others, and starts no thread.
    pub(crate) fn existing_here(&self) -> Result<Option<SqliteMailbox>, MailError> {
        SqliteMailbox::existing_here(&self.dir, self.around.clone())
    }

    /// Whether nothing was written to it since nothing waited for `sitter`.
    pub(crate) fn is_still(&self, sitter: &Sitter) -> bool {
        SqliteMailbox::is_still(&self.dir, sitter, self.around.as_ref())
    }
}

/// Asks it a question.
pub(crate) fn ask(mailbox: &Open, query: &Query) -> Result<Answer, MailError> {
    block_on(mailbox.read(query))
}

/// A store that answers something else than it was asked breaks its contract.
pub(crate) fn unfit(answer: &Answer) -> Failure {
    let _ = answer;
    Failure::refused("the mailbox gave an answer of another kind; that is a defect of attend")
}

impl From<MailError> for Failure {
    /// What went wrong, and what to do about it.
    fn from(error: MailError) -> Self {
        let text = error.to_string();
        let advice = match error.kind() {
            // To make room there comes first.
            MailErrorKind::Full => return Self::refused(format!("{text}; or {ADVICE}")),
            MailErrorKind::Denied if !text.contains("ATTEND_HOME") => ADVICE,
            MailErrorKind::Displaced => "`attend whoami` takes a seat again",
            MailErrorKind::Newer => "bring this attend up to date",
            MailErrorKind::UnknownMessage => "`attend inbox` lists messages with their ids",
            MailErrorKind::KeyReused => "take another key",
            _ => return Self::refused(text),
        };
        Self::refused(format!("{text}; {advice}"))
    }
}
