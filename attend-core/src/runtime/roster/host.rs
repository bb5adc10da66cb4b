//! The host as a sensor of the driver's own: asked like the others, and as easily left behind.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;

use crate::sensor::{HostAnswer, HostRequest, HostState, PollContext, Sensor, SensorError};

/// What the host last said of itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct HostCell(Arc<Mutex<HostState>>);

impl HostCell {
    /// What it last said.
    pub(crate) fn get(&self) -> HostState {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, state: HostState) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }
}

/// Asks the host what it is doing.
pub(super) struct HostSensor(pub(super) HostCell);

#[async_trait]
impl Sensor for HostSensor {
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        let answer = cx.host().ask(&HostRequest::State).await;
        self.0.set(match &answer {
            Ok(HostAnswer::State(state)) => *state,
            // What cannot be read now is not what it was.
            _ => HostState::Unknown,
        });
        answer.map(|_| ())
    }
}
