//! Errors of the database, in words for people.

use std::io;
use std::path::Path;

use rusqlite::ErrorCode;

use crate::mail::error::{MailError, MailErrorKind};

/// How much of a finding is told, in characters.
const MOST_FINDING: usize = 200;

/// What may go wrong inside a transaction.
#[derive(Debug)]
pub(super) enum Fault {
    /// In the database.
    Sql(rusqlite::Error),
    /// With what was asked.
    Mail(MailError),
}

/// What came of a step of a transaction.
pub(super) type Done<T> = Result<T, Fault>;

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<MailError> for Fault {
    fn from(error: MailError) -> Self {
        Self::Mail(error)
    }
}

impl From<Fault> for MailError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Sql(error) => failed(&error),
            Fault::Mail(error) => error,
        }
    }
}

/// What went wrong in the database.
pub(super) fn failed(error: &rusqlite::Error) -> MailError {
    let code = error.sqlite_error_code();
    let (kind, text) = match code {
        Some(ErrorCode::DiskFull) => (
            MailErrorKind::Full,
            "there is no room left on the disk; nothing was written".to_owned(),
        ),
        Some(
            ErrorCode::ReadOnly
            | ErrorCode::PermissionDenied
            | ErrorCode::AuthorizationForStatementDenied,
        ) => (
            MailErrorKind::Denied,
            "the mail store may not be written".to_owned(),
        ),
        Some(ErrorCode::CannotOpen) => (
            MailErrorKind::Denied,
            "the mail store cannot be opened".to_owned(),
        ),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => (
            MailErrorKind::Damaged,
            "the mail store is damaged".to_owned(),
        ),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => (
            MailErrorKind::Busy,
            "another program holds the mail store".to_owned(),
        ),
        _ => (
            MailErrorKind::Failed,
            format!("the mail store does not answer: {error}"),
        ),
    };
    MailError::new(kind, text)
}

/// The store was taken away.
pub(super) fn gone(dir: &Path) -> MailError {
    let text = format!("the mail store in {} is not there any more", dir.display());
    MailError::new(MailErrorKind::Failed, text)
}

/// Another store lies where the one was that a reader sat in.
pub(super) fn replaced(dir: &Path) -> MailError {
    let text = format!(
        "another mail store lies in {} now, in which nobody sits here yet",
        dir.display()
    );
    MailError::new(MailErrorKind::Displaced, text)
}

/// The database is another program's.
pub(super) fn foreign() -> MailError {
    MailError::new(
        MailErrorKind::Damaged,
        "the mail store is the database of another program",
    )
}

/// A page of the store does not hold what it has to; the first finding of SQLite says more.
pub(super) fn unsound(finding: &str) -> MailError {
    let finding: String = finding.chars().take(MOST_FINDING).collect();
    let finding = finding.replace(';', ",");
    MailError::new(
        MailErrorKind::Damaged,
        format!("the mail store is damaged: {finding}"),
    )
}

/// A newer attend made the store.
pub(super) fn newer(found: i64, known: i64) -> MailError {
    let (found, known) = (found / 1_000, known / 1_000);
    let text = format!(
        "the mail store is of version {found}, and this attend knows {known}; use the attend that made it"
    );
    MailError::new(MailErrorKind::Newer, text)
}

/// What went wrong with a file or directory of the store.
pub(super) fn unusable(path: &Path, error: &io::Error) -> MailError {
    let kind = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => MailErrorKind::Full,
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            MailErrorKind::Denied
        }
        _ => MailErrorKind::Failed,
    };
    let text = format!("cannot use {}: {error}", path.display());
    MailError::new(kind, text)
}

/// The disk did not take what was committed to the log at `path`.
pub(super) fn unforced(path: &Path, error: &io::Error) -> MailError {
    let text = format!(
        "it is written, but the disk does not say that it keeps it ({}: {error}); see whether the disk is whole, and look in the ledger before you try again",
        path.display()
    );
    MailError::new(MailErrorKind::Failed, text)
}

/// The same error, with the place that it is about, and what to do.
pub(super) fn at(path: &Path, error: MailError) -> MailError {
    let path = path.display();
    let remedy = match error.kind() {
        MailErrorKind::Denied => {
            "allow writing there, or set ATTEND_HOME to a directory of your own"
        }
        MailErrorKind::Full => "make room there",
        MailErrorKind::Damaged => {
            "move it and the files beside it (-wal, -shm) elsewhere, and attend begins a new one"
        }
        MailErrorKind::Busy => "try again",
        MailErrorKind::Failed => "see whether the disk and the files beside it are whole",
        _ => return error,
    };
    MailError::new(error.kind(), format!("{error} ({path}); {remedy}"))
}
