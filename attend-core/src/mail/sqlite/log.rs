//! The write-ahead log: when it begins again.

use std::time::Duration;

use rusqlite::Connection;

/// How many pages of the log may wait to be copied into the store before a write does that, and
/// starts the log again. Who opens a store that nobody else has open reads all of it.
pub(super) const LOG: i64 = 160;

/// Copies a long log into the store, so that the next transaction writes it from its beginning.
///
/// SQLite does the first of the two by itself, but forgets it with the last process that has the
/// store open: between processes that only send, the log would grow for ever.
pub(super) fn restart(conn: &Connection, patience: Duration) {
    let left = || -> rusqlite::Result<i64> {
        let mut sql = conn.prepare_cached("PRAGMA wal_checkpoint(NOOP)")?;
        sql.query_row([], |row| Ok(row.get::<_, i64>(1)? - row.get::<_, i64>(2)?))
    };
    if left().is_ok_and(|left| left >= LOG) {
        // Where a reader is in the way, a later write tries again. Nothing depends on it.
        let _ = conn.busy_timeout(Duration::ZERO);
        let _ = conn.query_row("PRAGMA wal_checkpoint(RESTART)", [], |_| Ok(()));
        let _ = conn.busy_timeout(patience);
    }
}
