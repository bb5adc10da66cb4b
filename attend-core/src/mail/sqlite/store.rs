//! The open store: one connection, and what makes a transaction of many steps.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use super::error::{Done, at, failed, gone, replaced};
use super::lock::{Home, look_name, no_wal};
use super::log;
use super::lull::Lull;
use super::schema;
use super::still::{self, Marks};
use crate::mail::around::Around;
use crate::mail::error::{MailError, MailErrorKind};
use crate::mail::seat::{SeatId, Sitter};

/// How long somebody waits for the store.
const PATIENCE: Duration = Duration::from_secs(10);

/// How many prepared statements are kept.
const STATEMENTS: usize = 128;

/// The open store.
pub(super) struct Store {
    conn: Connection,
    home: Home,
    around: Arc<dyn Around>,
    /// What a commit of this connection waits for.
    waits: Option<Durability>,
    patience: Duration,
    /// Which files are open.
    files: Files,
    /// Whether whatever is missing is made.
    makes: bool,
    /// What the last look found, while nothing is written.
    pub(super) lull: Option<Lull>,
}

/// Which files a store consists of, by device and number: the database, its log and its index.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Files([Option<(u64, u64)>; 3]);

impl Files {
    fn of(store: &Path) -> Self {
        let beside = |end: &str| {
            let mut path = store.as_os_str().to_owned();
            path.push(end);
            let found = fs::metadata(PathBuf::from(path)).ok()?;
            Some((found.dev(), found.ino()))
        };
        Self([beside(""), beside("-wal"), beside("-shm")])
    }

    /// Whether a file that was there is another by now, or gone. One that came later is taken in.
    fn changed(&mut self, now: Self) -> bool {
        let mut changed = false;
        for (known, now) in self.0.iter_mut().zip(now.0) {
            changed |= known.is_some() && *known != now;
            *known = known.or(now);
        }
        changed
    }
}

/// What a change waits for before it counts as done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Durability {
    /// The disk.
    Full,
    /// The operating system: after a power cut it may not have happened. What is lost with a
    /// settlement is shown again, marked.
    Normal,
}

impl Store {
    /// Opens the store in `dir`, and makes it where it is missing.
    pub(super) fn open(dir: &Path, around: Arc<dyn Around>) -> Result<Self, MailError> {
        let home = Home::create(dir)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
        let mut store = Self::connect(home, flags, around)?;
        let told = |error| at(&store.home.store(), error);
        // Whoever is first makes the tables; the others find them.
        if schema::version(&store.conn).map_err(told)? < schema::VERSION {
            let _hold = store.home.hold(PATIENCE)?;
            wal(&store.conn, dir)?;
            schema::migrate(&mut store.conn).map_err(|error| at(&store.home.store(), error))?;
        }
        store.files = Files::of(&store.home.store());
        store.makes = true;
        Ok(store)
    }

    /// Opens the store anew where its files were taken away or others put in their place, so that
    /// it is the one that everybody else sees.
    pub(super) fn renew(&mut self) -> Result<(), MailError> {
        if !self.files.changed(Files::of(&self.home.store())) {
            return Ok(());
        }
        let dir = self.home.path().to_owned();
        let around = self.around.clone();
        let patience = self.patience;
        let opened = if self.makes {
            Self::open(&dir, around)?
        } else {
            Self::existing(&dir, around)?.ok_or_else(|| gone(&dir))?
        };
        let is_other = opened.files.0[0] != self.files.0[0];
        *self = opened;
        self.set_patience(patience);
        if is_other {
            // Seats go by numbers, which mean others there.
            return Err(replaced(&dir));
        }
        Ok(())
    }

    /// Opens the store in `dir` for reading, where there is one. It can be written too where
    /// the file may be.
    pub(super) fn existing(dir: &Path, around: Arc<dyn Around>) -> Result<Option<Self>, MailError> {
        let Some(home) = Home::existing(dir)? else {
            return Ok(None);
        };
        let flags = if home.is_writable() {
            OpenFlags::SQLITE_OPEN_READ_WRITE
        } else {
            OpenFlags::SQLITE_OPEN_READ_ONLY
        };
        let store = Self::connect(home, flags, around)?;
        let version = schema::version(&store.conn);
        let version = version.map_err(|error| at(&store.home.store(), error))?;
        // A file that nobody has filled yet is no store.
        Ok((version > 0).then_some(store))
    }

    fn connect(home: Home, flags: OpenFlags, around: Arc<dyn Around>) -> Result<Self, MailError> {
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_EXRESCODE;
        let path = home.store();
        let opened = || -> rusqlite::Result<Connection> {
            let conn = Connection::open_with_flags(&path, flags)?;
            conn.busy_timeout(PATIENCE)?;
            conn.set_prepared_statement_cache_capacity(STATEMENTS);
            conn.pragma_update(None, "foreign_keys", true)?;
            // A process that only sends would else write the whole log back when it ends.
            conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
            Ok(conn)
        };
        let conn = opened().map_err(|error| at(&path, failed(&error)))?;
        Ok(Self {
            conn,
            home,
            around,
            waits: None,
            patience: PATIENCE,
            files: Files::of(&path),
            makes: false,
            lull: None,
        })
    }

    /// Does `action` in one transaction that is written whole or not at all.
    pub(super) fn write<T>(
        &mut self,
        durability: Durability,
        action: impl FnOnce(&Transaction<'_>, &dyn Around) -> Done<T>,
    ) -> Result<T, MailError> {
        self.renew()?;
        self.lull = None;
        let path = self.home.store();
        let hold = self.home.hold(self.patience)?;
        log::restart(&self.conn, self.patience);
        // The disk is waited for when others may write again: many that write at once wait for
        // it together, not one after the other. Only the first in a log that is new waits here,
        // so that whoever follows finds the directory on disk that names the log.
        let inside = match durability {
            Durability::Full if self.home.log_is_new() => Durability::Full,
            _ => Durability::Normal,
        };
        let written = written(
            (&mut self.conn, &mut self.waits),
            inside,
            self.around.as_ref(),
            action,
        );
        drop(hold);
        let done = written.map_err(|fault| at(&path, fault.into()))?;
        if inside != durability {
            self.home.force_log()?;
        }
        Ok(done)
    }

    /// Does `action` on the store as it is at one moment.
    pub(super) fn read<T>(
        &mut self,
        action: impl FnOnce(&Transaction<'_>, &dyn Around) -> Done<T>,
    ) -> Result<T, MailError> {
        self.renew()?;
        self.read_here(action)
    }

    /// The same in the files that are open, which the caller has [renewed](Self::renew).
    pub(super) fn read_here<T>(
        &mut self,
        action: impl FnOnce(&Transaction<'_>, &dyn Around) -> Done<T>,
    ) -> Result<T, MailError> {
        let tx = self.conn.transaction();
        let tx = tx.map_err(|error| at(&self.home.store(), failed(&error)))?;
        let read = action(&tx, self.around.as_ref());
        // Nothing was changed; what cannot be ended ends with the connection.
        let _ = tx.finish();
        read.map_err(|fault| at(&self.home.store(), fault.into()))
    }

    /// Rings the doorbells of these seats.
    pub(super) fn ring(&self, seats: &[i64]) {
        self.home.ring(seats);
    }

    /// Notes that nothing waited for `sitter` on `seat` when the files of the store were so.
    pub(super) fn note_still(&self, sitter: &Sitter, seat: SeatId, before: &Marks) {
        still::note(&self.home, (sitter, seat), before, self.around.as_ref());
    }

    /// The files of the store as they are now.
    pub(super) fn marks(&self) -> Marks {
        Marks::of(&self.home.store())
    }

    /// Somebody looked at this seat just now.
    pub(super) fn looked(&self, seat: i64) {
        let name = look_name(seat);
        self.home.stamp(&name, self.around.wall());
    }

    /// Waits for the store at most so long from now on.
    pub(super) fn set_patience(&mut self, longest: Duration) {
        self.patience = longest;
        // Where that cannot be set, it waits as long as before.
        let _ = self.conn.busy_timeout(longest);
    }

    /// The connection, for counting what it does.
    #[cfg(test)]
    pub(super) fn connection(&mut self) -> &mut Connection {
        &mut self.conn
    }

    /// The directory of the store.
    pub(super) fn dir(&self) -> &Path {
        self.home.path()
    }
}

fn written<T>(
    (conn, waits): (&mut Connection, &mut Option<Durability>),
    durability: Durability,
    around: &dyn Around,
    action: impl FnOnce(&Transaction<'_>, &dyn Around) -> Done<T>,
) -> Done<T> {
    if *waits != Some(durability) {
        let level = match durability {
            Durability::Full => "FULL",
            Durability::Normal => "NORMAL",
        };
        conn.pragma_update(None, "synchronous", level)?;
        *waits = Some(durability);
    }
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = action(&tx, around)?;
    tx.commit()?;
    Ok(done)
}

/// Turns the write-ahead log on, which lets readers read while somebody writes.
fn wal(conn: &Connection, dir: &Path) -> Result<(), MailError> {
    let mode = conn.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0));
    let mode: String = mode.map_err(|error| at(dir, failed(&error)))?;
    if mode == "wal" {
        return Ok(());
    }
    let mut error = no_wal(dir, &format!("its log is of the kind {mode}"));
    if mode.is_empty() {
        error = MailError::new(MailErrorKind::Failed, "the mail store has no log");
    }
    Err(error)
}
