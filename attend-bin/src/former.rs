//! Before a seat is handed over: what its former session has seen, as its transcript shows it now.

use std::path::Path;

use attend_core::mail::{Answer, Evidence, MailboxExt, Place, Presence, Query, Reader, SeatInfo};
use attend_core::sensor::Shown;
use attend_sensors::host::claude_code::{seen_in, transcript};
use futures::executor::block_on;

use crate::env::Env;
use crate::mailbox::{Mail, Open, ask};

/// How often a long transcript is read on, 4 MiB at a time.
const MOST_READS: u32 = 4;

/// Notes what the former sessions of the vacant seats of `place` have seen, so that whoever comes
/// is not shown it again. What cannot be read is left as it is: it is shown again, marked.
pub(crate) fn look(mailbox: &Open, mail: &Mail, place: &Place, env: &Env) {
    let Some(projects) = env.host_root().map(|root| root.join("projects")) else {
        return;
    };
    let Ok(Answer::Project(Some(persona))) = ask(mailbox, &Query::Project(place.clone())) else {
        return;
    };
    let Ok(Answer::Seats(seats)) = ask(mailbox, &Query::Seats) else {
        return;
    };
    let is_left = |seat: &&SeatInfo| {
        let is_here = seat.seated.persona.as_ref() == Some(&persona);
        is_here && seat.presence == Presence::Waiting
    };
    for seat in seats.iter().filter(is_left) {
        if let Some(session) = &seat.session {
            let me = mail.around().process(std::process::id());
            note(mailbox, seat.seated.reader(session, me), session, &projects);
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
    let there = awaiting
        .messages
        .iter()
        .filter(|message| found.contains(&message.id));
    let evidence = Evidence::new(reader, read).seen(there.map(|message| message.seq));
    if !evidence.seen.is_empty() {
        let _ = block_on(mailbox.evidence(evidence));
    }
    Some(())
}
