//! The doorbell: a file that changes whenever something may have come for a reader.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::Arc;

use tokio::sync::Notify;

use crate::mail::MailWaker;
use crate::sensor::{SensorError, WakeHandle, Watch, Watcher};

/// A doorbell that is listened to.
pub(super) struct Doorbell {
    rung: Arc<Notify>,
    /// None where nothing can be watched: then the reader looks now and then.
    watch: Option<Box<dyn Watch>>,
}

impl Doorbell {
    /// Listens to `waker`, and says why it cannot where it cannot.
    pub(super) fn listen(
        waker: Option<MailWaker>,
        watcher: &dyn Watcher,
    ) -> (Self, Option<SensorError>) {
        let rung = Arc::new(Notify::new());
        let Some(waker) = waker else {
            return (Self { rung, watch: None }, None);
        };
        let woken = rung.clone();
        let opened = || {
            // Whoever rings touches a file that is there, and makes none.
            let made = OpenOptions::new()
                .append(true)
                .create(true)
                .mode(0o600)
                .open(&waker.path);
            made.map_err(|error| {
                SensorError::unavailable(format!("cannot make {}: {error}", waker.path.display()))
            })?;
            let mut watch = watcher.open(WakeHandle::new(move || woken.notify_one()))?;
            watch.add(&waker.path)?;
            Ok(watch)
        };
        match opened() {
            Ok(watch) => {
                let watch = Some(watch);
                (Self { rung, watch }, None)
            }
            Err(error) => (Self { rung, watch: None }, Some(error)),
        }
    }

    /// Waits until it rings. Safe to cancel: a ring that nobody waited for is not lost.
    pub(super) async fn rings(&mut self) {
        self.rung.notified().await;
        if let Some(watch) = &mut self.watch {
            watch.take();
        }
    }
}
