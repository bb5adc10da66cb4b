//! The host as a sensor of the driver's own: asked like the others, and as easily left behind.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use crate::sensor::{
    HostAnswer, HostRequest, HostState, PollContext, Seen, Sensor, SensorError, Shown, Snapshot,
};

/// A question about messages, left for the next look at the host, and what it answered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inquiry(Arc<Mutex<Asked>>);

/// What the host told of messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum HostReply {
    /// What stands in its transcript.
    Seen(Seen),
    /// It cannot tell.
    Nothing,
}

#[derive(Debug, Default)]
struct Asked {
    question: Option<Shown>,
    answer: Option<HostReply>,
}

impl Inquiry {
    /// Leaves a question, in place of an earlier one.
    pub(crate) fn ask(&self, question: Shown) {
        *self.asked() = Asked {
            question: Some(question),
            answer: None,
        };
    }

    /// What was answered; none where nobody has answered yet.
    pub(crate) fn take(&self) -> Option<HostReply> {
        self.asked().answer.take()
    }

    fn question(&self) -> Option<Shown> {
        self.asked().question.clone()
    }

    /// Answers `question`, where that is still asked.
    fn answer(&self, question: &Shown, answer: HostReply) {
        let mut asked = self.asked();
        if asked.question.as_ref() == Some(question) {
            *asked = Asked {
                question: None,
                answer: Some(answer),
            };
        }
    }

    fn asked(&self) -> MutexGuard<'_, Asked> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Asks the host what it is doing, and what else somebody wants to know. The state is its
/// snapshot, so that only a look that counts brings one back.
#[derive(Debug, Default)]
pub(super) struct HostSensor {
    state: HostState,
    inquiry: Inquiry,
}

impl HostSensor {
    /// Asks the host `inquiry`, too.
    pub(super) fn new(inquiry: Inquiry) -> Self {
        Self {
            state: HostState::Unknown,
            inquiry,
        }
    }
}

#[async_trait]
impl Sensor for HostSensor {
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        let state = match cx.host().ask(&HostRequest::State).await? {
            HostAnswer::State(state) => state,
            _ => HostState::Unknown,
        };
        if let Some(question) = self.inquiry.question() {
            let answer = cx.host().ask(&HostRequest::Shown(question.clone())).await;
            let told = match answer {
                Ok(HostAnswer::Shown(seen)) => HostReply::Seen(seen),
                // It is asked again; what it is doing is known all the same.
                _ => HostReply::Nothing,
            };
            self.inquiry.answer(&question, told);
        }
        self.state = state;
        Ok(())
    }

    fn snapshot(&self) -> Option<Snapshot> {
        Snapshot::of(&self.state).ok()
    }
}

/// What the host last said of itself, for as long as it goes on answering.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Heard {
    state: HostState,
    /// A look at it was lost with the sensor thread, through no fault of its own.
    missed: bool,
}

impl Heard {
    pub(super) fn state(self) -> HostState {
        self.state
    }

    /// A look brought an answer back. Tells whether it is another one than before.
    pub(super) fn answered(&mut self, snapshot: Option<&Snapshot>) -> bool {
        let state = snapshot.and_then(|answer| answer.read().ok());
        let before = std::mem::take(self);
        self.state = state.unwrap_or_default();
        self.state != before.state
    }

    /// A look came back without an answer, or did not come back: nobody knows any more.
    pub(super) fn failed(&mut self) {
        *self = Self::default();
    }

    /// A look was lost because another one blocked the thread: it is asked again at once, and
    /// what it said holds for so long.
    pub(super) fn lost(&mut self) {
        if std::mem::replace(&mut self.missed, true) {
            self.failed();
        }
    }
}
