//! Asking the host: the session that is looked at, and what is said where nobody can answer.

use attend_core::sensor::{
    HostAnswer, HostRequest, Identity, PollContext, SensorError, SessionInfo,
};

/// The session that this process lies in; none where the host cannot say now.
pub(crate) async fn session_of(cx: &PollContext) -> Option<SessionInfo> {
    match cx.host().ask(&HostRequest::Session).await {
        Ok(HostAnswer::Session(session)) => Some(session),
        _ => None,
    }
}

/// A question was not answered. Where there is a session it may be yet; else the error says that
/// nothing here says `what`.
pub(crate) fn unanswered(session: Option<&SessionInfo>, what: &str) -> Result<(), SensorError> {
    let text = format!("it needs a host: nothing here says {what}");
    match session.map(|session| &session.identity) {
        Some(Identity::Known { .. } | Identity::Waiting) => Ok(()),
        Some(Identity::Refused { reason }) => {
            Err(SensorError::unavailable(format!("{text} ({reason})")))
        }
        _ => Err(SensorError::unavailable(text)),
    }
}
