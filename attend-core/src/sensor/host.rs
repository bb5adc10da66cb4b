//! The host: the agent program whose state is read. Experimental at 0.1.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::error::SensorError;
use crate::dynamics::Tick;

/// What the host is doing, as far as that decides whether it may be woken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum HostState {
    /// Nobody knows: treated as busy.
    #[default]
    Unknown,
    /// It is working on a turn.
    Busy,
    /// It waits for its person, since this tick; waking it costs a turn over its whole context.
    Idle {
        /// Since when.
        since: Tick,
    },
}

/// A question to the host.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum HostRequest {
    /// What is the host doing?
    State,
}

/// The host's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum HostAnswer {
    /// The host does not know, or does not know the question.
    Unknown,
    /// What it is doing.
    State(HostState),
}

/// The agent program beside which attend runs.
#[async_trait]
pub trait Host: Send + Sync {
    /// Answers a question.
    ///
    /// # Errors
    ///
    /// Transient: the answer could not be read now. What is not known is
    /// [`HostAnswer::Unknown`], not an error.
    async fn ask(&self, request: &HostRequest) -> Result<HostAnswer, SensorError>;
}

/// No host at all: everything is unknown.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

#[async_trait]
impl Host for NoHost {
    async fn ask(&self, _request: &HostRequest) -> Result<HostAnswer, SensorError> {
        Ok(HostAnswer::Unknown)
    }
}
