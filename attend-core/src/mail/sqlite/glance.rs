//! Looking again and again: what a loop does, mostly for nothing.

use rusqlite::Transaction;

use super::column::params;
use super::error::Done;
use super::lull::Lull;
use super::news::look;
use super::row::process;
use super::seen::live;
use super::store::Store;
use crate::mail::around::Around;
use crate::mail::claim::{News, Waiting};
use crate::mail::error::MailError;
use crate::mail::seat::Reader;

/// What is new for a reader. Where nothing was written since it last looked, it costs next to
/// nothing.
pub(super) fn glance(store: &mut Store, reader: &Reader, above: usize) -> Result<News, MailError> {
    // What was found in other files goes with them: their versions are not those of these.
    store.renew()?;
    let last = store.lull.take();
    let (news, next) = store.read_here(|tx, around| {
        // It changes whenever another connection has written, and costs no look into the tables.
        let mut sql = tx.prepare_cached("PRAGMA data_version")?;
        let version = sql.query_row([], |row| row.get(0))?;
        if let Some(last) = last.filter(|last| last.holds(reader, version, around)) {
            return Ok((last.news.clone(), Some(last)));
        }
        let news = look(tx, reader, above, around)?;
        let next = lull(tx, (reader, version), &news, around)?;
        Ok((news, next))
    })?;
    store.lull = next;
    Ok(news)
}

/// What only a write can change: nothing waits, which then does not age; nothing is muted, which
/// then does not end; no claim may lapse; and the loop that looks is that of the seat.
fn lull(
    tx: &Transaction<'_>,
    (reader, version): (&Reader, i64),
    news: &News,
    around: &dyn Around,
) -> Done<Option<Lull>> {
    let is_empty = matches!(&news.waiting, Waiting::Few(letters) if letters.is_empty());
    if !is_empty || !news.muted.is_empty() || !live(tx, reader.seat, around)?.is_empty() {
        return Ok(None);
    }
    let mut sql = tx.prepare_cached(
        "SELECT pid, started, boot, namespace, run_pid, run_started, run_boot, run_namespace
         FROM seat WHERE id = ?",
    )?;
    let (occupant, run) = sql.query_row(params![reader.seat], |row| {
        Ok((process(row, 0)?, process(row, 4)?))
    })?;
    let is_its_loop = run.is_some_and(|run| run.is(&reader.process));
    Ok(occupant.filter(|_| is_its_loop).map(|occupant| Lull {
        reader: reader.clone(),
        occupant,
        version,
        news: news.clone(),
    }))
}
