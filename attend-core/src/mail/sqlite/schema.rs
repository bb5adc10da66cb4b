//! Tables, and how a store of an earlier version becomes one of this.
//!
//! Migrations only add. The version is `major * 1000 + minor`: an older attend goes on with a
//! store of a later minor version, and refuses one of a later major version.

use rusqlite::Connection;

use super::error::{failed, foreign, newer};
use crate::mail::error::MailError;

/// "attd", by which SQLite files tell whose they are.
const APPLICATION: i64 = 0x6174_7464;

/// The version that this code writes.
pub(super) const VERSION: i64 = 1_000;

/// What brought the store from one version to the next, oldest first.
const MIGRATIONS: [(i64, &str); 1] = [(1_000, FIRST)];

/// In `delivery`, `tray` is a seat where it is above zero, and a project where it is below:
/// `-project.id`. Paths are bytes: they need not be UTF-8. Times are nanoseconds. A time until which
/// something is muted is -1 where that lasts until it is taken back.
///
/// `post.n` numbers what was ever said in a room, so that posts between two positions are counted
/// by their numbers; `gap` names those that were removed in between. A post names its message
/// without a reference: to look for posts when a message goes would read the whole table.
const FIRST: &str = "
CREATE TABLE boot (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
CREATE TABLE project (
    id INTEGER PRIMARY KEY,
    path BLOB NOT NULL UNIQUE,
    folder TEXT NOT NULL,
    folded_folder TEXT NOT NULL,
    persona TEXT NOT NULL,
    folded TEXT NOT NULL UNIQUE,
    host_root BLOB,
    gone_boot INTEGER REFERENCES boot (id), gone_up INTEGER
);
CREATE INDEX project_folder ON project (folded_folder);
CREATE TABLE seat (
    id INTEGER PRIMARY KEY,
    project INTEGER REFERENCES project (id),
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    root BLOB,
    session TEXT,
    epoch INTEGER NOT NULL,
    pid INTEGER, started TEXT, boot TEXT, namespace INTEGER,
    run_pid INTEGER, run_started TEXT, run_boot TEXT, run_namespace INTEGER,
    last TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX seat_name ON seat (folded) WHERE project IS NOT NULL;
CREATE UNIQUE INDEX seat_person ON seat (folded) WHERE project IS NULL;
CREATE INDEX seat_project ON seat (project);
CREATE INDEX seat_process ON seat (pid) WHERE pid IS NOT NULL;
CREATE TABLE session (
    id TEXT PRIMARY KEY,
    seat INTEGER NOT NULL REFERENCES seat (id),
    missed INTEGER NOT NULL DEFAULT 0,
    untracked INTEGER NOT NULL DEFAULT 0,
    read INTEGER
) WITHOUT ROWID;
CREATE TABLE message (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    sent_at INTEGER NOT NULL,
    boot INTEGER NOT NULL REFERENCES boot (id),
    up INTEGER NOT NULL,
    sender TEXT NOT NULL,
    kind INTEGER NOT NULL,
    seat INTEGER REFERENCES seat (id),
    session TEXT,
    addressees TEXT NOT NULL,
    re TEXT,
    space TEXT, key TEXT, asked TEXT,
    body TEXT NOT NULL
);
CREATE UNIQUE INDEX message_key ON message (space, key) WHERE key IS NOT NULL;
CREATE INDEX message_re ON message (re) WHERE re IS NOT NULL;
CREATE INDEX message_seat ON message (seat) WHERE seat IS NOT NULL;
CREATE INDEX message_sender ON message (lower(sender)) WHERE seat IS NULL;
CREATE TABLE delivery (
    tray INTEGER NOT NULL,
    seq INTEGER NOT NULL REFERENCES message (seq),
    state INTEGER NOT NULL,
    via INTEGER NOT NULL,
    root BLOB,
    posted INTEGER NOT NULL,
    named INTEGER NOT NULL,
    attempted INTEGER NOT NULL DEFAULT 0,
    claim INTEGER,
    session TEXT,
    sessions INTEGER NOT NULL DEFAULT 0,
    shown INTEGER NOT NULL DEFAULT 0,
    shown_at INTEGER, shown_boot INTEGER,
    PRIMARY KEY (tray, seq)
) WITHOUT ROWID;
CREATE INDEX delivery_new ON delivery (tray, seq, via, claim) WHERE state = 0;
CREATE INDEX delivery_again ON delivery (tray, seq) WHERE state = 0 AND shown > 0;
CREATE INDEX delivery_left ON delivery (tray, seq) WHERE state IN (1, 4);
CREATE INDEX delivery_awaited ON delivery (tray, seq) WHERE state = 2;
CREATE INDEX delivery_own ON delivery (tray, seq) WHERE state = 6;
CREATE INDEX delivery_posted ON delivery (tray, seq) WHERE posted = 1;
CREATE INDEX delivery_claim ON delivery (claim) WHERE claim IS NOT NULL;
CREATE INDEX delivery_seq ON delivery (seq);
CREATE TABLE room (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    posts INTEGER NOT NULL DEFAULT 0,
    said INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE post (
    room INTEGER NOT NULL REFERENCES room (id),
    seq INTEGER NOT NULL,
    n INTEGER NOT NULL,
    multi INTEGER NOT NULL,
    PRIMARY KEY (room, seq)
) WITHOUT ROWID;
CREATE INDEX post_multi ON post (room, seq) WHERE multi = 1;
CREATE TABLE gap (
    room INTEGER NOT NULL REFERENCES room (id),
    seq INTEGER NOT NULL,
    PRIMARY KEY (room, seq)
) WITHOUT ROWID;
CREATE TABLE sweep (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    boot INTEGER NOT NULL REFERENCES boot (id),
    up INTEGER NOT NULL
);
CREATE TABLE member (
    seat INTEGER NOT NULL REFERENCES seat (id),
    room INTEGER NOT NULL REFERENCES room (id),
    since INTEGER NOT NULL,
    read INTEGER NOT NULL,
    told INTEGER NOT NULL,
    quiet INTEGER, over INTEGER,
    PRIMARY KEY (seat, room)
) WITHOUT ROWID;
CREATE INDEX member_room ON member (room);
CREATE INDEX member_quiet ON member (room) WHERE quiet IS NOT NULL;
CREATE TABLE mute (
    seat INTEGER NOT NULL REFERENCES seat (id),
    kind INTEGER NOT NULL,
    name TEXT NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (seat, kind, name)
) WITHOUT ROWID;
CREATE TABLE reminder (
    id TEXT PRIMARY KEY,
    seat INTEGER NOT NULL REFERENCES seat (id),
    due INTEGER NOT NULL,
    text TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX reminder_due ON reminder (seat, due, id);
CREATE TABLE claim (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    seat INTEGER NOT NULL REFERENCES seat (id),
    pid INTEGER NOT NULL, started TEXT NOT NULL, boot TEXT NOT NULL, namespace INTEGER NOT NULL,
    at_boot TEXT NOT NULL,
    at INTEGER NOT NULL,
    upto INTEGER,
    muted TEXT NOT NULL DEFAULT ''
);
CREATE INDEX claim_seat ON claim (seat);
CREATE VIRTUAL TABLE words USING fts5 (
    body, content = 'message', content_rowid = 'seq',
    tokenize = 'unicode61 remove_diacritics 0', prefix = '3'
);
INSERT INTO room (name) VALUES ('open');
";

/// The version of the store; 0 for a new file.
pub(super) fn version(conn: &Connection) -> Result<i64, MailError> {
    let version = conn.query_row("PRAGMA user_version", [], |row| row.get(0));
    let version: i64 = version.map_err(|error| failed(&error))?;
    // One of this version is what it says; whatever else may be somebody else's database.
    if version != VERSION && !is_own(conn).map_err(|error| failed(&error))? {
        return Err(foreign());
    }
    if version / 1_000 > VERSION / 1_000 {
        return Err(newer(version, VERSION));
    }
    Ok(version)
}

/// Whether the database is attend's, or nothing stands in it yet.
fn is_own(conn: &Connection) -> rusqlite::Result<bool> {
    let tables = "SELECT count(*) FROM sqlite_schema";
    let count: i64 = conn.query_row(tables, [], |row| row.get(0))?;
    if count == 0 {
        return Ok(true);
    }
    // Asked last: whoever makes the tables signs them in the same transaction.
    let whose: i64 = conn.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    Ok(whose == APPLICATION)
}

/// Brings the store to this version. The caller holds the lock.
pub(super) fn migrate(conn: &mut Connection) -> Result<(), MailError> {
    let found = version(conn)?;
    if found >= VERSION {
        return Ok(());
    }
    let mut migrated = || -> rusqlite::Result<()> {
        let tx = conn.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        for (to, migration) in MIGRATIONS {
            if found < to {
                tx.execute_batch(migration)?;
            }
        }
        tx.pragma_update(None, "application_id", APPLICATION)?;
        tx.pragma_update(None, "user_version", VERSION)?;
        tx.commit()
    };
    migrated().map_err(|error| failed(&error))
}
