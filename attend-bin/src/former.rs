//! Before a seat is handed over: what its former session has seen, as its transcript shows it now.

use std::path::Path;

use attend_core::mail::{
    Answer, MailError, MailboxExt, Place, Query, Reader, SeatInfo, Seated, Sitter,
};
use attend_core::runtime::system::SystemAround;
use attend_core::sensor::Shown;
use attend_sensors::host::claude_code::{seen_in, transcript};
use futures::executor::block_on;

use crate::mailbox::{Open, ask};

/// How often a long transcript is read on, 4 MiB at a time.
const MOST_READS: u32 = 4;

/// Sits down. A session that comes anew is not shown what those before it have seen; what cannot
/// be read of them below `host_root` is left as it is, and shown again, marked.
pub(crate) fn sit(
    mailbox: &Open,
    around: &SystemAround,
    sitter: Sitter,
    host_root: Option<&Path>,
) -> Result<Seated, MailError> {
    if let (Sitter::Session { session, place, .. }, Some(root)) = (&sitter, host_root) {
        let query = Query::SeatOf {
            session: session.clone(),
        };
        if let Answer::Seat(None) = ask(mailbox, &query)? {
            look((mailbox, around), session, place, &root.join("projects"));
        }
    }
    block_on(mailbox.sit(sitter))
}

/// Notes what the other sessions of the project have seen.
fn look((mailbox, around): (&Open, &SystemAround), own: &str, place: &Place, projects: &Path) {
    let Ok(Answer::Project(Some(persona))) = ask(mailbox, &Query::Project(place.clone())) else {
        return;
    };
    let Ok(Answer::Seats(seats)) = ask(mailbox, &Query::Seats) else {
        return;
    };
    let is_here = |seat: &&SeatInfo| seat.seated.persona.as_ref() == Some(&persona);
    for seat in seats.iter().filter(is_here) {
        // After `/clear` the same process holds another session.
        if let Some(session) = seat.session.as_ref().filter(|of| *of != own) {
            let me = around.process(std::process::id());
            note(mailbox, seat.seated.reader(session, me), session, projects);
        }
    }
}

fn note(mailbox: &Open, reader: Reader, session: &str, projects: &Path) -> Option<()> {
    let awaiting = block_on(mailbox.awaited(&reader)).ok()?;
    if awaiting.messages.is_empty() || !awaiting.is_tracked {
        return None;
    }
    let transcript = transcript(projects, session, None)?;
    let ids = awaiting.messages.iter().map(|message| message.id.clone());
    let mut shown = Shown::new(ids).after(awaiting.read);
    let (mut found, mut read) = (Vec::new(), awaiting.read);
    for _ in 0..MOST_READS {
        let seen = seen_in(&transcript, &shown).ok()?;
        found.extend(seen.ids);
        read = Some(seen.upto);
        if seen.complete {
            break;
        }
        shown = shown.after(read);
    }
    let evidence = awaiting.judge(reader, |id| found.contains(id), |_| false, read);
    if !evidence.seen.is_empty() {
        let _ = block_on(mailbox.evidence(evidence));
    }
    Some(())
}
