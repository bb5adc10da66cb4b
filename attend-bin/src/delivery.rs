//! The mail of the session that a loop runs beside: its seat, and the loop as the reader of it.

use attend_core::mail::{Change, MailErrorKind, MailboxExt, Place, Reader, Seated, Sitter};
use attend_core::sensor::SessionInfo;
use futures::executor::block_on;

use crate::env::Env;
use crate::mailbox::{Mail, Open};
use crate::output::Failure;
use crate::speaker::process_of;
use crate::tree;

/// The mail that a loop reads.
pub(crate) struct Delivered {
    pub(crate) mailbox: Open,
    pub(crate) seated: Seated,
    pub(crate) reader: Reader,
    /// What is unread at the start.
    pub(crate) unread: u64,
}

/// What came of asking for mail.
pub(crate) enum Found {
    /// Here it is.
    Mail(Box<Delivered>),
    /// There is none, and why.
    None(String),
    /// Another loop reads it; the process.
    Taken(String),
}

/// Sits down for the session `session` and makes this process the reader of its mail. A look
/// that is taken `once` leaves that to a loop that lasts.
pub(crate) fn find(session: &str, info: &SessionInfo, once: bool, env: &Env) -> Found {
    match seat(session, info, once, env) {
        Ok(found) => found,
        Err(failure) => Found::None(failure.to_string()),
    }
}

fn seat(session: &str, info: &SessionInfo, once: bool, env: &Env) -> Result<Found, Failure> {
    let Some(host) = &info.process else {
        let why = format!("no host is known that holds the session {session}");
        return Ok(Found::None(why));
    };
    let Some(cwd) = &info.cwd else {
        return Ok(Found::None(
            "the host does not say where it works".to_owned(),
        ));
    };
    let place: Place = tree::tracked_place(cwd, env.host_root().as_deref()).map_err(|error| {
        let cwd = cwd.display();
        Failure::refused(format!("the project at {cwd} cannot be told: {error}"))
    })?;
    let mail = Mail::of(env)?;
    let mailbox = mail.open()?;
    let sitter = Sitter::Session {
        session: session.to_owned(),
        process: process_of(host, mail.around()),
        place,
    };
    let seated = block_on(mailbox.sit(sitter))?;
    let me = mail.around().process(std::process::id());
    let reader = seated.reader(session, me);
    if !once && let Err(error) = block_on(mailbox.change(&Change::Register(reader.clone()))) {
        return match error.kind() {
            MailErrorKind::Taken => Ok(Found::Taken(format!(
                "{error}: {} is listened to",
                seated.name
            ))),
            _ => Err(error.into()),
        };
    }
    let unread = block_on(mailbox.unread(seated.seat))?;
    Ok(Found::Mail(Box::new(Delivered {
        mailbox,
        seated,
        reader,
        unread,
    })))
}
