//! Conformance passes careful sensors; the modules below break each rule on purpose.

mod looks;
mod memory;

use std::thread;
use std::time::Duration;

use async_trait::async_trait;
use attend_core::sensor::{
    CommandOutput, CommandSpec, Declares, Event, HostRequest, PollContext, PollFuture, Sensor,
    SensorError, Snapshot, injector, sensor_fn, sensor_sync,
};
use attend_core::testkit::{Conformance, Harness, conformance};
use futures::channel::oneshot;

fn command() -> CommandSpec {
    CommandSpec::new("queue").arg("length")
}

/// A world with a queue of 2, and of 5 after the change.
fn queue() -> Conformance {
    let harness = Harness::new().answer(command(), CommandOutput::exited(0, "2"));
    Conformance::new().harness(harness).change(|harness| {
        harness
            .script()
            .answer(command(), CommandOutput::exited(0, "5"));
        harness.advance(Duration::from_mins(1));
    })
}

async fn length(cx: &PollContext) -> Result<u32, SensorError> {
    let output = cx.run(&command()).await?;
    cx.host().ask(&HostRequest::State).await?;
    Ok(String::from_utf8_lossy(&output.stdout).parse().unwrap())
}

fn tell(cx: &mut PollContext, before: Option<u32>, length: u32) {
    if before.is_some_and(|before| before < length) {
        cx.report(
            Event::new(2.0, format!("{length} are waiting"))
                .key("length")
                .signal("queue-grew"),
        );
    }
    if length >= 5 && before.is_none_or(|before| before < 5) {
        cx.report(Event::new(4.0, "the queue is full").key("full").standing());
    }
}

/// A sensor of a state and functions over it, of which a test replaces the one that goes wrong.
struct Parts {
    known: Option<u32>,
    look: for<'a> fn(&'a mut Option<u32>, &'a mut PollContext) -> PollFuture<'a>,
    store: fn(Option<u32>) -> Option<Snapshot>,
    restore: fn(&mut Option<u32>, &Snapshot) -> Result<(), SensorError>,
}

#[async_trait]
impl Sensor for Parts {
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        (self.look)(&mut self.known, cx).await
    }

    fn snapshot(&self) -> Option<Snapshot> {
        (self.store)(self.known)
    }

    fn restore(&mut self, from: &Snapshot) -> Result<(), SensorError> {
        (self.restore)(&mut self.known, from)
    }
}

/// The parts of a sensor that keeps every rule.
fn careful() -> Parts {
    Parts {
        known: None,
        look: |known, cx| {
            Box::pin(async move {
                let length = length(cx).await?;
                tell(cx, known.replace(length), length);
                Ok(())
            })
        },
        store: |known| Snapshot::of(&known).ok(),
        restore: |known, from| from.read().map(|read| *known = read),
    }
}

#[test]
fn a_careful_sensor_passes() {
    queue()
        .declares(Declares::default().signal("queue-grew", "for queues"))
        .check(|_| Box::new(careful()));
}

#[test]
fn simple_sensors_pass_in_an_empty_world() {
    conformance(|_| Box::new(sensor_sync(|_| Ok(()))));
    conformance(|_| Box::new(injector().1));
    // Its command is not there: it fails at each look, and says so in the same way.
    conformance(|_| Box::new(careful()));
    // A warning may be said at each look, or once.
    conformance(|_| {
        Box::new(sensor_sync(|cx| {
            cx.warn(SensorError::unavailable("no more watches"));
            Ok(())
        }))
    });
}

#[test]
fn a_sensor_that_waits_for_a_thread_passes() {
    conformance(|_| {
        Box::new(sensor_fn((), |(): &mut (), _| {
            Box::pin(async {
                let (done, wait) = oneshot::channel();
                thread::spawn(move || done.send(()));
                wait.await
                    .map_err(|_| SensorError::transient("the thread is gone"))
            })
        }))
    });
}
