//! A host that does what it is told.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use crate::sensor::{Host, HostAnswer, HostRequest, HostState, SensorError};

/// A [`Host`] with prepared answers; what it was not taught is [`HostAnswer::Unknown`].
///
/// Clones are handles to one host.
///
/// ```
/// use attend_core::sensor::{Host, HostAnswer, HostRequest, HostState};
/// use attend_core::testkit::FakeHost;
///
/// let host = FakeHost::new();
/// host.set(HostState::Busy);
/// # futures::executor::block_on(async {
/// assert_eq!(host.ask(&HostRequest::State).await?, HostAnswer::State(HostState::Busy));
/// # Ok::<(), attend_core::sensor::SensorError>(()) }).unwrap();
/// ```
#[derive(Clone, Debug, Default)]
pub struct FakeHost(Arc<Mutex<Vec<(HostRequest, Answer)>>>);

type Answer = Result<HostAnswer, SensorError>;

impl FakeHost {
    /// A host of which nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// Says what it is doing.
    pub fn set(&self, state: HostState) {
        self.answer(HostRequest::State, Ok(HostAnswer::State(state)));
    }

    /// Answers `request` from now on.
    pub fn answer(&self, request: HostRequest, answer: Result<HostAnswer, SensorError>) {
        let mut answers = self.answers();
        answers.retain(|(known, _)| *known != request);
        answers.push((request, answer));
    }

    fn answers(&self) -> MutexGuard<'_, Vec<(HostRequest, Answer)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Host for FakeHost {
    async fn ask(&self, request: &HostRequest) -> Answer {
        let answers = self.answers();
        let known = answers.iter().find(|(known, _)| known == request);
        known.map_or(Ok(HostAnswer::Unknown), |(_, answer)| answer.clone())
    }
}
