//! The mail of this session: what was shown, and never seen.

use attend_core::mail::{Answer, Ledger, MailError, Mailbox as _, Query, SqliteMailbox, State};
use futures::executor::block_on;

use super::check::Report;
use super::host::Here;
use crate::output::Failure;

/// So far back is looked for what was not seen.
const MOST: usize = 200;

/// Says what this session has to know of its mail.
pub(super) fn tell(report: &mut Report, store: &SqliteMailbox, here: &Here) {
    let Some(session) = here.session() else {
        return;
    };
    match unseen(store, session) {
        Err(error) => report.told("mail", &Failure::from(error).to_string(), "try again"),
        Ok(None) => report.fine(
            "mail",
            "this session has no seat yet; a prompt or `attend whoami` takes one",
        ),
        Ok(Some((seat, 0))) => report.fine(
            "mail",
            format!("{seat}: everything that was shown was seen, or still may be"),
        ),
        Ok(Some((seat, count))) => report.found(
            "mail",
            format!("{seat}: {count} of the latest messages were shown and never seen"),
            "read them: attend inbox --unread",
        ),
    }
}

/// The seat of `session`, and how many messages were shown there and never seen.
fn unseen(store: &SqliteMailbox, session: &str) -> Result<Option<(String, usize)>, MailError> {
    let session = session.to_owned();
    let Answer::Seat(Some(seated)) = block_on(store.read(&Query::SeatOf { session }))? else {
        return Ok(None);
    };
    let page = Query::Ledger(Ledger::new(seated.seat, MOST));
    let count = match block_on(store.read(&page))? {
        Answer::Ledger(page) => {
            let entries = page.entries.iter();
            entries
                .filter(|entry| entry.state == Some(State::Unseen))
                .count()
        }
        _ => 0,
    };
    Ok(Some((seated.name, count)))
}
