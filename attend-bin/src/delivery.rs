//! The mail of the session that a loop runs beside: its seat, and the loop as the reader of it.

use attend_core::mail::{
    Change, MailError, MailErrorKind, MailboxExt, Place, Reader, Seated, Sitter,
};
use attend_core::sensor::SessionInfo;
use futures::executor::block_on;

use crate::env::Env;
use crate::mailbox::{Mail, Open};
use crate::output::Failure;
use crate::speaker::process_of;
use crate::{former, tree};

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
    /// There is none, and why, where that has to be said.
    None(Option<String>),
    /// Another loop reads it; the process.
    Taken(String),
}

/// Sits down for the session `session` and makes this process the reader of its mail. A look
/// that is taken `once` leaves that to a loop that lasts.
///
/// What passes by itself is an error: whoever armed the loop arms it again.
pub(crate) fn find(
    session: &str,
    info: &SessionInfo,
    once: bool,
    env: &Env,
) -> Result<Found, Failure> {
    match seat(session, info, once, env) {
        Err(Trouble::Lasting(why)) => Ok(Found::None(Some(why))),
        Err(Trouble::Passing(failure)) => Err(failure),
        Ok(found) => Ok(found),
    }
}

/// Why there is no mail.
enum Trouble {
    Lasting(String),
    Passing(Failure),
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Lasting(failure.to_string())
    }
}

impl From<MailError> for Trouble {
    fn from(error: MailError) -> Self {
        use MailErrorKind::{Busy, Displaced, Failed, Full};
        let passes = matches!(error.kind(), Busy | Displaced | Failed | Full);
        let failure = Failure::from(error);
        if passes {
            Self::Passing(failure)
        } else {
            Self::Lasting(failure.to_string())
        }
    }
}

fn seat(session: &str, info: &SessionInfo, once: bool, env: &Env) -> Result<Found, Trouble> {
    let Some(host) = &info.process else {
        // Nobody sits where there is no host.
        return Ok(Found::None(None));
    };
    let Some(cwd) = &info.cwd else {
        return Ok(Found::None(Some(
            "the host does not say where it works".to_owned(),
        )));
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
    let host_root = env.host_root();
    let seated = former::sit(&mailbox, mail.around(), sitter, host_root.as_deref())?;
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
