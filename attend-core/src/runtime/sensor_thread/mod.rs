//! The sensor thread: looks are taken there, so that none of them can hold up the main thread.

mod pulse;

mod look;
pub(crate) use look::{Build, Errand, Found, Returned, Subject};

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::LocalSet;

use pulse::{Beat, Pulse};

/// How often in a row the watchdog must see the same poll before it calls the thread blocked.
const STRIKES: u32 = 3;

/// How long a thread may take to end its looks when attend ends.
const FAREWELL: Duration = Duration::from_millis(500);

/// A thread on which looks are taken, several at a time.
///
/// A sensor travels there for each look and comes back with what it found. Each thread has
/// channels of its own, so what an abandoned thread sends late reaches nobody. Dropping this
/// waits for nothing.
#[derive(Debug)]
pub(crate) struct SensorThread {
    errands: UnboundedSender<Errand>,
    returned: UnboundedReceiver<Returned>,
    ended: oneshot::Receiver<()>,
    pulse: Arc<Pulse>,
    out: BTreeSet<usize>,
    seen: Option<Beat>,
    strikes: u32,
}

/// A thread that is blocked, and whom that concerns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Blocked {
    /// The place of the sensor whose look blocks it.
    pub(crate) culprit: usize,
    /// The places of the other sensors that were in mid-look: they are lost with the thread.
    pub(crate) bystanders: Vec<usize>,
}

impl SensorThread {
    /// Starts a thread.
    ///
    /// # Errors
    ///
    /// The system has no thread to give, or no descriptors for its reactor.
    pub(crate) fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (errands, to_run) = unbounded_channel();
        let (done, returned) = unbounded_channel();
        let (end, ended) = oneshot::channel();
        let pulse = Arc::new(Pulse::default());
        let beating = pulse.clone();
        std::thread::Builder::new()
            .name("sensors".to_owned())
            .spawn(move || {
                serve(runtime, to_run, &done, &beating);
                let _ = end.send(());
            })?;
        Ok(Self {
            errands,
            returned,
            ended,
            pulse,
            out: BTreeSet::new(),
            seen: None,
            strikes: 0,
        })
    }

    /// Sends a sensor out for a look.
    pub(crate) fn send(&mut self, errand: Errand) {
        self.out.insert(errand.place);
        // A thread that is gone is noticed by `next`.
        let _ = self.errands.send(errand);
    }

    /// The next look that came back; none once the thread is gone. Safe to cancel.
    pub(crate) async fn next(&mut self) -> Option<Returned> {
        let returned = self.returned.recv().await;
        if let Some(returned) = &returned {
            self.out.remove(&returned.place);
        }
        returned
    }

    /// A look that came back already.
    pub(crate) fn try_next(&mut self) -> Option<Returned> {
        let returned = self.returned.try_recv().ok()?;
        self.out.remove(&returned.place);
        Some(returned)
    }

    /// The places of the sensors that are out.
    pub(crate) fn out(&self) -> &BTreeSet<usize> {
        &self.out
    }

    /// The watchdog: to be asked once a second while looks are out. The third time in a row
    /// that the thread is still within the same poll, it is blocked and has to be dropped.
    pub(crate) fn check(&mut self) -> Option<Blocked> {
        let beat = self.pulse.beat().filter(|_| !self.out.is_empty());
        self.strikes = match beat {
            None => 0,
            Some(_) if beat == self.seen => self.strikes + 1,
            Some(_) => 1,
        };
        self.seen = beat;
        let culprit = beat.filter(|_| self.strikes >= STRIKES)?.place();
        let out = self.out.iter().copied();
        Some(Blocked {
            culprit,
            bystanders: out.filter(|place| *place != culprit).collect(),
        })
    }

    /// Ends the looks that are out, their commands included, and the thread; one that does not
    /// end soon is left behind.
    pub(crate) async fn stop(self) {
        drop(self.errands);
        let _ = tokio::time::timeout(FAREWELL, self.ended).await;
    }
}

/// Takes looks until nobody sends any more; those that are out then are cancelled.
fn serve(
    runtime: Runtime,
    mut errands: UnboundedReceiver<Errand>,
    done: &UnboundedSender<Returned>,
    pulse: &Arc<Pulse>,
) {
    let looks = LocalSet::new();
    looks.block_on(&runtime, async {
        while let Some(errand) = errands.recv().await {
            let (done, pulse) = (done.clone(), pulse.clone());
            tokio::task::spawn_local(async move {
                let returned = look::take(errand, &pulse).await;
                let _ = done.send(returned);
            });
        }
    });
    drop(looks);
    runtime.shutdown_background();
}
