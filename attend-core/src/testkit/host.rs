//! A host that does what it is told.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use crate::mail::MessageId;
use crate::sensor::{Host, HostAnswer, HostRequest, HostState, Seen, SensorError, Shown};

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
pub struct FakeHost(Arc<Mutex<Taught>>);

type Answer = Result<HostAnswer, SensorError>;

#[derive(Debug, Default)]
struct Taught {
    answers: Vec<(HostRequest, Answer)>,
    /// What its transcript holds of messages; none where it has no transcript.
    transcript: Option<Vec<MessageId>>,
}

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
        let answers = &mut self.taught().answers;
        answers.retain(|(known, _)| *known != request);
        answers.push((request, answer));
    }

    /// Writes `ids` into its transcript as delivered, which is there from now on, also without
    /// any. A place in it is how many stand before it.
    pub fn deliver(&self, ids: impl IntoIterator<Item = MessageId>) {
        let mut taught = self.taught();
        taught.transcript.get_or_insert_default().extend(ids);
    }

    fn taught(&self) -> MutexGuard<'_, Taught> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Host for FakeHost {
    async fn ask(&self, request: &HostRequest) -> Answer {
        let taught = self.taught();
        let known = taught.answers.iter().find(|(known, _)| known == request);
        match (known, request, &taught.transcript) {
            (Some((_, answer)), _, _) => answer.clone(),
            (None, HostRequest::Shown(shown), Some(transcript)) => {
                Ok(HostAnswer::Shown(seen(transcript, shown)))
            }
            _ => Ok(HostAnswer::Unknown),
        }
    }
}

fn seen(transcript: &[MessageId], shown: &Shown) -> Seen {
    let from = shown.from.and_then(|from| usize::try_from(from).ok());
    let new = from.and_then(|from| transcript.get(from..));
    let mut ids: Vec<MessageId> = Vec::new();
    for id in new.unwrap_or(transcript) {
        if shown.ids.contains(id) && !ids.contains(id) {
            ids.push(id.clone());
        }
    }
    Seen::new(ids, transcript.len() as u64)
}
