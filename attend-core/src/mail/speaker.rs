//! What the sending process was found to be, as every store keeps it.

use super::envelope::SenderKind;
use super::seat::SeatId;

/// Who speaks.
pub(super) struct Speaker {
    pub(super) name: String,
    pub(super) kind: SenderKind,
    pub(super) seat: Option<SeatId>,
    pub(super) session: Option<String>,
    /// Whose keys they use.
    pub(super) space: String,
}

impl Speaker {
    /// The person that sits at `seat`.
    pub(super) fn person(name: String, seat: SeatId, session: Option<String>) -> Self {
        Self {
            name,
            kind: SenderKind::Person,
            seat: Some(seat),
            session,
            space: format!("seat {}", seat.get()),
        }
    }

    /// The session that sits at `seat`.
    pub(super) fn seated(name: String, seat: SeatId, session: Option<String>) -> Self {
        let space = format!("session {}", session.as_deref().unwrap_or_default());
        Self {
            name,
            kind: SenderKind::Agent,
            seat: Some(seat),
            session,
            space,
        }
    }

    /// A session without a seat, which speaks by the name of its project.
    pub(super) fn session(persona: String, session: &str) -> Self {
        Self {
            name: persona,
            kind: SenderKind::Agent,
            seat: None,
            session: Some(session.to_owned()),
            space: format!("session {session}"),
        }
    }

    /// Neither an agent nor a person.
    pub(super) fn program() -> Self {
        Self {
            name: "program".to_owned(),
            kind: SenderKind::Program,
            seat: None,
            session: None,
            space: "program".to_owned(),
        }
    }
}
