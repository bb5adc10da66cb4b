//! Looks: sent out when they are due, taken back, and watched over while they are out.

use std::time::Duration;

use super::axis::Now;
use crate::runtime::roster::{Gleaned, Roster};
use crate::runtime::sensor_thread::{Errand, Returned, SensorThread};
use crate::sensor::SensorError;

/// How often the watchdog looks while looks are out.
const WATCH: Duration = Duration::from_secs(1);

/// The roster, and the thread on which its sensors look.
#[derive(Debug)]
pub(super) struct Looks {
    pub(super) roster: Roster,
    thread: Option<SensorThread>,
    arrived: Vec<Returned>,
    /// The thread ended by itself.
    died: bool,
    watch_at: Duration,
}

impl Looks {
    pub(super) fn new(roster: Roster) -> Self {
        Self {
            roster,
            thread: None,
            arrived: Vec::new(),
            died: false,
            watch_at: Duration::ZERO,
        }
    }

    /// Takes back what came back, sends out what is due, and tells what that means.
    pub(super) fn take(&mut self, now: Now) -> Vec<Gleaned> {
        self.roster.wake_all_woken();
        if let Some(thread) = &mut self.thread {
            self.arrived
                .extend(std::iter::from_fn(|| thread.try_next()));
        }
        let arrived = std::mem::take(&mut self.arrived).into_iter();
        let mut gleaned: Vec<Gleaned> = arrived
            .map(|returned| self.roster.take_back(returned, now.boot, now.wall))
            .collect();
        self.bury(now);
        gleaned.extend(self.watch(now));
        for errand in self.roster.due(now.boot, now.tick) {
            gleaned.extend(self.send(now, errand));
        }
        gleaned
    }

    /// Waits until a look comes back or a sensor asks for one. Safe to cancel.
    pub(super) async fn next(&mut self) {
        let returned = async {
            match &mut self.thread {
                Some(thread) => thread.next().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            returned = returned => match returned {
                Some(returned) => self.arrived.push(returned),
                None => self.died = true,
            },
            () = self.roster.woken() => {}
        }
    }

    /// When something is due, on the boot clock.
    pub(super) fn due(&self) -> Option<Duration> {
        let watch = self.is_looking().then_some(self.watch_at);
        self.roster.next_due().into_iter().chain(watch).min()
    }

    /// Whether looks are out.
    pub(super) fn is_looking(&self) -> bool {
        let out = self.thread.as_ref().map(SensorThread::out);
        out.is_some_and(|out| !out.is_empty())
    }

    /// Ends the looks that are out, their commands included.
    pub(super) async fn stop(self) {
        if let Some(thread) = self.thread {
            thread.stop().await;
        }
    }

    fn send(&mut self, now: Now, errand: Errand) -> Option<Gleaned> {
        if !self.is_looking() {
            self.watch_at = now.boot.saturating_add(WATCH);
        }
        let started = match self.thread.take() {
            Some(thread) => Ok(thread),
            None => SensorThread::start(),
        };
        match started {
            Ok(mut thread) => {
                thread.send(errand);
                self.thread = Some(thread);
                None
            }
            Err(error) => {
                let error = SensorError::transient(format!("there is no thread: {error}"));
                let undone = errand.undone(error);
                Some(self.roster.take_back(undone, now.boot, now.wall))
            }
        }
    }

    fn watch(&mut self, now: Now) -> Option<Gleaned> {
        if !self.is_looking() || now.boot < self.watch_at {
            return None;
        }
        self.watch_at = now.boot.saturating_add(WATCH);
        let blocked = self.thread.as_mut().and_then(SensorThread::check)?;
        self.thread = None;
        Some(Gleaned {
            notices: self.roster.blocked(&blocked, now.boot),
            ..Gleaned::default()
        })
    }

    fn bury(&mut self, now: Now) {
        if std::mem::take(&mut self.died)
            && let Some(thread) = self.thread.take()
        {
            for place in thread.out() {
                self.roster.lost(*place, now.boot);
            }
        }
    }
}
