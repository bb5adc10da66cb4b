//! Which seat a hook reads for: that of the session which the host's JSON names.

use attend_core::mail::Sitter;
use attend_core::sensor::{Evidence, Identity};
use attend_sensors::host::claude_code::{SessionRecord, is_session_id};

use super::event::Event;
use crate::env::Env;
use crate::mailbox::Mail;
use crate::speaker::process_of;
use crate::{session, tree};

/// A session that may sit down.
pub(super) struct Sitting {
    pub(super) sitter: Sitter,
    /// What the host wrote of its process.
    pub(super) record: SessionRecord,
}

/// The session of the host's process above this one; none where it takes no seat: a job without a
/// person, or a process of which the host wrote nothing yet.
pub(super) fn of(event: &Event, mail: &Mail, env: &Env) -> Result<Option<Sitting>, String> {
    let info = session::who(env);
    let (Some(host), Some(cwd)) = (&info.process, &info.cwd) else {
        return Ok(None);
    };
    if info.interactive != Some(true) || !is_session_id(&event.session) {
        return Ok(None);
    }
    // What the start of a session recorded is better than what another event says of it.
    if let Identity::Known {
        id,
        by: Evidence::Hook,
    } = &info.identity
        && *id != event.session
    {
        return Ok(None);
    }
    let Some(record) = session::record_of(host.pid, env) else {
        return Ok(None);
    };
    let place = tree::tracked_place(cwd, env.host_root().as_deref())
        .map_err(|error| format!("the project at {} cannot be told: {error}", cwd.display()))?;
    let sitter = Sitter::Session {
        session: event.session.clone(),
        process: process_of(host, mail.around()),
        place,
    };
    Ok(Some(Sitting { sitter, record }))
}
