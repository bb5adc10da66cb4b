//! The host as a sensor of the driver's own: asked like the others, and as easily left behind.

use async_trait::async_trait;

use crate::sensor::{
    HostAnswer, HostRequest, HostState, PollContext, Sensor, SensorError, Snapshot,
};

/// Asks the host what it is doing. The answer is its snapshot, so that only a look that counts
/// brings one back.
#[derive(Debug, Default)]
pub(super) struct HostSensor(HostState);

#[async_trait]
impl Sensor for HostSensor {
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        self.0 = match cx.host().ask(&HostRequest::State).await? {
            HostAnswer::State(state) => state,
            _ => HostState::Unknown,
        };
        Ok(())
    }

    fn snapshot(&self) -> Option<Snapshot> {
        Snapshot::of(&self.0).ok()
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
