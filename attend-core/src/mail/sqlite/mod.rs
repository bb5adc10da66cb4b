//! The durable store: one SQLite database per user.
//!
//! Every write takes a lock beside the store, so that many processes stand in one queue, then
//! one transaction. What `send` and `claim` did is on disk before they answer, and the disk is
//! waited for outside the queue; a settlement may be lost with the power, and is then shown
//! again, marked.
//!
//! Work is done on a thread of the store's own, so that waiting for the lock holds up nobody; for a
//! program that does one thing after the other, on the thread that asks.

mod error;

mod schema;

mod row;

mod column;

mod lock;

mod log;

mod lull;

mod still;

mod store;

mod names;

mod seen;

mod evidence;

mod quiet;

mod rooms;

mod send;

mod reminders;

mod projects;

mod cleanup;

mod handover;

mod seats;

mod letter;

mod news;

mod glance;

mod claim;

mod search;

mod ledger;

#[cfg(test)]
mod tests;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use async_trait::async_trait;
use futures::channel::oneshot;

use self::still::Marks;
use self::store::{Durability, Store};
use super::around::Around;
use super::change::{Change, Changed};
use super::claim::{Claim, ClaimId, ClaimRequest, News, Settled};
use super::error::{MailError, MailErrorKind};
use super::mailbox::{MailWaker, Mailbox};
use super::request::{Answer, Query, Receipt, Submission};
use super::seat::{Reader, SeatId, Sitter};

type Job = Box<dyn FnOnce(&mut Store) + Send>;

/// A mailbox in a directory of this user's: `mail.db`, the lock beside it, and doorbells in
/// `run`.
///
/// Any number of processes may have it open. The directory is closed to others; a symbolic link
/// in its place, or one that belongs to somebody else, is refused. Dropping it waits for what is
/// being done.
#[derive(Debug)]
pub struct SqliteMailbox {
    worker: Worker,
    dir: PathBuf,
}

/// Who does the work.
enum Worker {
    /// A thread of the store's own.
    Apart {
        /// None once it is being dropped.
        jobs: Option<mpsc::Sender<Job>>,
        thread: Option<JoinHandle<()>>,
    },
    /// Whoever asks; and the files of the store as they were when it was opened.
    Asker(Box<Mutex<Store>>, Marks),
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Apart { .. } => "Apart",
            Self::Asker(..) => "Asker",
        })
    }
}

impl SqliteMailbox {
    /// Opens the mailbox in `dir`, and makes it where it is missing.
    ///
    /// # Errors
    ///
    /// Denied, Full, Damaged, Newer, Busy: the store cannot be used, and why. Invalid: the file
    /// system cannot carry it.
    pub fn open(dir: &Path, around: Arc<dyn Around>) -> Result<Self, MailError> {
        Self::serve(Store::open(dir, around)?)
    }

    /// Opens the mailbox in `dir` where there is one, also where nothing may be written: then
    /// only [`read`](Mailbox::read) works.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn existing(dir: &Path, around: Arc<dyn Around>) -> Result<Option<Self>, MailError> {
        let store = Store::existing(dir, around)?;
        store.map(Self::serve).transpose()
    }

    /// The same, for a program that does one thing after the other: the work is done on the thread
    /// that asks, which it holds up, and no other is started.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn existing_here(dir: &Path, around: Arc<dyn Around>) -> Result<Option<Self>, MailError> {
        let store = Store::existing(dir, around)?;
        Ok(store.map(|store| Self {
            dir: store.dir().to_owned(),
            worker: {
                let marks = store.marks();
                Worker::Asker(Box::new(Mutex::new(store)), marks)
            },
        }))
    }

    /// Whether the store in `dir` is as it was when [`note_still`](Self::note_still) noted that
    /// nothing waits for `sitter`, who has looked once more then. It is not opened for that.
    pub fn is_still(dir: &Path, sitter: &Sitter, around: &dyn Around) -> bool {
        still::holds(dir, sitter, around)
    }

    /// Notes for the next process that asks whether it [is still](Self::is_still): `news` is what
    /// was found for `sitter` on `seat` since this was [opened here](Self::existing_here). Where
    /// something waits, or may come by time alone, or the store was just written, nothing is noted.
    ///
    /// # Errors
    ///
    /// As [`read`](Mailbox::read).
    pub fn note_still(&self, sitter: &Sitter, seat: SeatId, news: &News) -> Result<(), MailError> {
        match &self.worker {
            Worker::Asker(store, marks) if still::is_still(news) => {
                let mut store = store.lock().unwrap_or_else(PoisonError::into_inner);
                // What others have claimed comes back when their claims lapse.
                if store.read(|tx, around| Ok(seen::live(tx, seat, around)?.is_empty()))? {
                    store.note_still(sitter, seat, marks);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The same, which waits at most `longest` for the store, where another process holds it: ten
    /// seconds unless this says otherwise. A hook, which must not hold up its host, waits less.
    #[must_use]
    pub fn patience(self, longest: Duration) -> Self {
        self.be_patient(longest);
        self
    }

    /// From now on it waits at most `longest` for the store.
    pub fn be_patient(&self, longest: Duration) {
        match &self.worker {
            Worker::Apart { jobs, .. } => {
                if let Some(jobs) = jobs {
                    // Without its thread it fails at what is asked of it next.
                    let _ = jobs.send(Box::new(move |store| store.set_patience(longest)));
                }
            }
            Worker::Asker(store, _) => {
                let mut store = store.lock().unwrap_or_else(PoisonError::into_inner);
                store.set_patience(longest);
            }
        }
    }

    /// Whether the file system can carry a store in `dir`, which need not be there.
    ///
    /// # Errors
    ///
    /// Invalid: it cannot; the error names it.
    pub fn carries(dir: &Path) -> Result<(), MailError> {
        lock::carries(dir)
    }

    /// Reads the whole store, and finds out whether it holds what it has to. That takes longer the
    /// more there is in it.
    ///
    /// # Errors
    ///
    /// Damaged: it does not; the error names the first finding. Denied, Busy: it cannot be read.
    pub async fn check(&self) -> Result<(), MailError> {
        self.ask(|store| {
            let finding: String = store
                .read(|tx, _| Ok(tx.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?))?;
            if finding == "ok" {
                return Ok(());
            }
            Err(error::at(
                &store.dir().join(lock::STORE),
                error::unsound(&finding),
            ))
        })
        .await
    }

    fn serve(mut store: Store) -> Result<Self, MailError> {
        let dir = store.dir().to_owned();
        let (jobs, asked) = mpsc::channel::<Job>();
        let work = move || {
            for job in asked {
                job(&mut store);
            }
        };
        let thread = std::thread::Builder::new().name("attend-mail".to_owned());
        let thread = thread.spawn(work).map_err(|error| {
            let text = format!("no thread can be started for the mail store: {error}");
            MailError::new(MailErrorKind::Failed, text)
        })?;
        Ok(Self {
            worker: Worker::Apart {
                jobs: Some(jobs),
                thread: Some(thread),
            },
            dir,
        })
    }

    /// Does `action`, where there is one on the store's thread. It is done even where nobody waits for its answer any
    /// more.
    async fn ask<T: Send + 'static>(
        &self,
        action: impl FnOnce(&mut Store) -> Result<T, MailError> + Send + 'static,
    ) -> Result<T, MailError> {
        let jobs = match &self.worker {
            Worker::Apart { jobs, .. } => jobs.as_ref(),
            Worker::Asker(store, _) => {
                // Nothing is left half done where somebody panicked: transactions end with them.
                let mut store = store.lock().unwrap_or_else(PoisonError::into_inner);
                return action(&mut store);
            }
        };
        let (answer, answered) = oneshot::channel();
        let job = Box::new(move |store: &mut Store| _ = answer.send(action(store)));
        let gone = || MailError::new(MailErrorKind::Failed, "the mail store's thread has ended");
        let jobs = jobs.ok_or_else(gone)?;
        jobs.send(job).map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }
}

impl Drop for SqliteMailbox {
    fn drop(&mut self) {
        if let Worker::Apart { jobs, thread } = &mut self.worker {
            *jobs = None;
            if let Some(thread) = thread.take() {
                // It has panicked, or it has ended: either way it is over.
                let _ = thread.join();
            }
        }
    }
}

#[async_trait]
impl Mailbox for SqliteMailbox {
    async fn send(&self, submission: &Submission) -> Result<Receipt, MailError> {
        let submission = submission.clone();
        self.ask(move |store| {
            let (receipt, seats) = store.write(Durability::Full, |tx, around| {
                send::send(tx, &submission, around)
            })?;
            store.ring(&seats);
            Ok(receipt)
        })
        .await
    }

    async fn claim(&self, request: &ClaimRequest) -> Result<Claim, MailError> {
        let request = request.clone();
        self.ask(move |store| {
            store.write(Durability::Full, |tx, around| {
                claim::claim(tx, &request, around)
            })
        })
        .await
    }

    async fn settle(&self, claim: ClaimId, settled: &Settled) -> Result<(), MailError> {
        let settled = settled.clone();
        self.ask(move |store| {
            store.write(Durability::Normal, |tx, around| {
                claim::settle(tx, claim, &settled, around)
            })
        })
        .await
    }

    async fn read(&self, query: &Query) -> Result<Answer, MailError> {
        let query = query.clone();
        self.ask(move |store| match query {
            Query::New { reader, above } => glance::glance(store, &reader, above).map(Answer::New),
            query => store.read(|tx, around| ledger::read(tx, &query, around)),
        })
        .await
    }

    async fn change(&self, change: &Change) -> Result<Changed, MailError> {
        let change = change.clone();
        self.ask(move |store| {
            if let Some(done) = store.read(|tx, around| seats::unchanged(tx, &change, around))? {
                if let Change::Looked(seat) = change {
                    store.looked(row::tray(seat));
                }
                return Ok(done);
            }
            // What goes is looked for before the store is locked.
            let going = match &change {
                Change::Sweep(sweep) => {
                    Some(store.read(|tx, around| cleanup::going(tx, sweep, around))?)
                }
                _ => None,
            };
            let durability = match change {
                // What comes back with the power goes again.
                Change::Sweep(_) => Durability::Normal,
                _ => Durability::Full,
            };
            let changed = store.write(durability, |tx, around| {
                seats::change(tx, (&change, going), around)
            })?;
            // What another process changed for a seat holds in its loop at once.
            match &change {
                Change::Join { seat, .. }
                | Change::Leave { seat, .. }
                | Change::Mute { seat, .. }
                | Change::Unmute { seat, .. }
                | Change::Remind { seat, .. }
                | Change::Cancel { seat, .. } => store.ring(&[row::tray(*seat)]),
                _ => {}
            }
            Ok(changed)
        })
        .await
    }

    fn waker(&self, reader: &Reader) -> Option<MailWaker> {
        let bell = format!("{}.bell", reader.seat.get());
        Some(MailWaker::new(self.dir.join(lock::BELLS).join(bell)))
    }
}
