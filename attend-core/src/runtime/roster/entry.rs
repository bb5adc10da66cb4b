//! One sensor of the roster, and what each way of a look's end means for it.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::sync::mpsc::UnboundedSender;

use super::Gleaned;
use super::health::{Condition, SensorHealth};
use super::host::{Heard, HostSensor, Inquiry};
use super::said::Said;
use super::setup::SensorSetup;
use crate::attention::SensorProfile;
use crate::runtime::cadence::{Cadence, Look};
use crate::runtime::sensor_thread::{Errand, Subject};
use crate::sensor::{
    BuildContext, ConfigError, ErrorKind, Facilities, Gathered, HostState, PollContext, Profile,
    Sensor, SensorError, SensorName, Snapshot, WakeHandle,
};

/// Panics in a row after which a sensor is switched off.
const MOST_PANICS: u32 = 3;

/// How often a sensor that blocked the thread is tried again.
const MOST_BLOCKS: u32 = 3;

/// How long it rests before that.
const REST: Duration = Duration::from_mins(10);

pub(super) struct Entry {
    setup: SensorSetup,
    /// At rest; none while it is out, and where it has to be built.
    sensor: Option<Box<dyn Sensor>>,
    snapshot: Option<Snapshot>,
    cadence: Cadence,
    woken: Arc<AtomicBool>,
    said: Said,
    condition: Condition,
    panics: u32,
    blocks: u32,
    looks: u64,
    last_look: Option<SystemTime>,
    error: Option<String>,
    /// What was said of a failure that did not end yet.
    told: Option<String>,
    warnings: Vec<String>,
    details: Vec<String>,
    /// What the host last said, where this entry asks it.
    host: Option<Heard>,
    /// It is no longer configured, and gone as soon as it comes back.
    pub(super) retired: bool,
}

impl Entry {
    pub(super) fn new(setup: SensorSetup, snapshot: Option<Snapshot>) -> Self {
        Self {
            sensor: None,
            snapshot,
            cadence: Cadence::new(&setup.profile),
            woken: Arc::default(),
            said: Said::default(),
            condition: Condition::New,
            panics: 0,
            blocks: 0,
            looks: 0,
            last_look: None,
            error: None,
            told: None,
            warnings: Vec::new(),
            details: Vec::new(),
            host: None,
            retired: false,
            setup,
        }
    }

    /// The entry that asks the host.
    pub(super) fn host(profile: Profile, deadline: Duration, inquiry: Inquiry) -> Option<Self> {
        let setup = SensorSetup::new(SensorName::new("host").ok()?, move |_| {
            Ok(Box::new(HostSensor::new(inquiry.clone())))
        });
        let mut entry = Self::new(setup.profile(profile).deadline(deadline), None);
        entry.host = Some(Heard::default());
        Some(entry)
    }

    pub(super) fn is_host(&self) -> bool {
        self.host.is_some()
    }

    /// What the host last said of itself, where this entry asks it.
    pub(super) fn heard(&self) -> Option<HostState> {
        self.host.map(Heard::state)
    }

    /// Whether `setup` makes the sensor that is there.
    pub(super) fn is_made_by(&self, setup: &SensorSetup) -> bool {
        self.setup.makes_the_same_as(setup)
    }

    /// Takes over another cadence and threshold.
    pub(super) fn adopt(&mut self, setup: SensorSetup) {
        if self.setup.profile != setup.profile {
            self.cadence.adopt(&setup.profile);
        }
        self.setup = setup;
    }

    /// Lets the sensor go.
    pub(super) fn retire(&mut self) {
        self.retired = true;
        self.cadence.stop();
        self.put(None);
    }

    /// Puts a sensor in place of the one that is there, whose end may panic.
    pub(super) fn put(&mut self, sensor: Option<Box<dyn Sensor>>) {
        let former = std::mem::replace(&mut self.sensor, sensor);
        let _ = catch_unwind(AssertUnwindSafe(|| drop(former)));
    }

    pub(super) fn engine_profile(&self) -> SensorProfile {
        SensorProfile::new(self.setup.name.clone()).threshold(self.setup.profile.threshold)
    }

    pub(super) fn due(&self) -> Option<Duration> {
        self.cadence.due()
    }

    pub(super) fn is_due(&self, now: Duration) -> bool {
        self.due().is_some_and(|due| due <= now)
    }

    /// The wait between two of its looks.
    pub(super) fn wait(&self) -> Duration {
        self.cadence.wait()
    }

    pub(super) fn may_join(&self, now: Duration, rare: Duration) -> bool {
        self.cadence.may_join(now, rare)
    }

    pub(super) fn woken(&mut self) {
        self.woken.store(false, Ordering::Release);
        self.cadence.wake();
    }

    pub(super) fn has_looked(&self) -> bool {
        self.looks > 0 || self.retired || self.condition == Condition::Disabled
    }

    pub(super) fn remembered(&self) -> Option<(SensorName, Snapshot)> {
        Some((self.setup.name.clone(), self.snapshot.clone()?))
    }

    /// Tells an error at once, also one that may pass.
    pub(super) fn grow_impatient(&mut self) {
        self.said.grow_impatient();
    }

    /// Sends the sensor out; one that is not there is built first.
    pub(super) fn send(
        &mut self,
        place: usize,
        cx: PollContext,
        world: &Arc<Facilities>,
        wakes: &UnboundedSender<usize>,
    ) -> Errand {
        self.cadence.started();
        let subject = match self.sensor.take() {
            Some(sensor) => Subject::Built(sensor),
            None => Subject::Recipe {
                build: self.setup.build.clone(),
                cx: BuildContext::new(
                    world.clone(),
                    self.setup.name.clone(),
                    self.wake_handle(place, wakes.clone()),
                ),
                snapshot: self.snapshot.clone(),
            },
        };
        let deadline = self.setup.deadline;
        Errand {
            place,
            subject,
            cx,
            deadline,
        }
    }

    /// A handle that sends one wake until that was heard.
    pub(super) fn wake_handle(&self, place: usize, wakes: UnboundedSender<usize>) -> WakeHandle {
        let woken = self.woken.clone();
        WakeHandle::new(move || {
            if !woken.swap(true, Ordering::AcqRel) {
                let _ = wakes.send(place);
            }
        })
    }

    /// How it fares, apart from when it looked.
    pub(super) fn state(&self) -> (Condition, Option<String>, [Vec<String>; 2]) {
        let texts = [self.warnings.clone(), self.details.clone()];
        (self.condition, self.error.clone(), texts)
    }

    pub(super) fn looked(&mut self, wall: SystemTime) {
        self.looks += 1;
        self.last_look = Some(wall);
    }

    pub(super) fn saw(
        &mut self,
        now: Duration,
        outcome: Gathered,
        snapshot: Option<Snapshot>,
    ) -> Gleaned {
        let host = self.host.as_mut();
        let host_changed = host.is_some_and(|host| host.answered(snapshot.as_ref()));
        let changed = host_changed || !outcome.report.is_empty() || !outcome.drafts.is_empty();
        let look = if changed { Look::Changed } else { Look::Quiet };
        self.cadence.ended(now, look);
        self.condition = Condition::Healthy;
        (self.panics, self.error) = (0, None);
        self.said.recovered();
        let remembers = self.snapshot != snapshot && !self.is_host();
        self.snapshot = snapshot;
        self.warnings.clear();
        self.details = outcome.details;
        let notices = self.warn(outcome.warnings);
        let has_report = !outcome.report.is_empty() && !self.is_host();
        Gleaned {
            report: has_report.then(|| (self.setup.name.clone(), outcome.report)),
            drafts: outcome.drafts,
            notices,
            solved: self.told.take(),
            remembers,
            fares: false,
        }
    }

    /// A failed look changes nothing but what is known of the sensor.
    pub(super) fn failed(
        &mut self,
        now: Duration,
        error: &SensorError,
        beside: Gathered,
    ) -> Gleaned {
        self.host_fails();
        self.cadence.ended(now, Look::Failed(error.kind()));
        self.warnings.clear();
        self.details = beside.details;
        let mut notices = self.warn(beside.warnings);
        self.condition = match error.kind() {
            ErrorKind::Transient => Condition::Failing,
            ErrorKind::Unavailable => Condition::Unavailable,
            ErrorKind::Misconfigured => Condition::Disabled,
        };
        let suffix = match error.kind() {
            ErrorKind::Misconfigured => " (switched off)",
            _ => "",
        };
        let may_pass = error.kind() == ErrorKind::Transient;
        let notice = self.complain(format!("{error}{suffix}"), may_pass);
        self.told = notice.clone().or(self.told.take());
        notices.extend(notice);
        Gleaned {
            notices,
            ..Gleaned::default()
        }
    }

    pub(super) fn refused(&mut self, now: Duration, error: &ConfigError) -> Gleaned {
        let error = SensorError::misconfigured(format!("cannot be built: {error}"));
        self.failed(now, &error, Gathered::default())
    }

    /// It is built again and restored, but not for ever.
    pub(super) fn panicked(&mut self, now: Duration, words: &str) -> Gleaned {
        self.host_fails();
        self.panics += 1;
        let notice = if self.panics < MOST_PANICS {
            self.cadence.ended(now, Look::Failed(ErrorKind::Transient));
            self.condition = Condition::Failing;
            self.complain(format!("panicked and is started again: {words}"), false)
        } else {
            let times = self.panics;
            self.switch_off(format!(
                "switched off: it panicked {times} times in a row: {words}"
            ))
        };
        Gleaned {
            notices: notice.into_iter().collect(),
            ..Gleaned::default()
        }
    }

    /// It rests, but not for ever. Returns what has to be said.
    pub(super) fn blocked(&mut self, now: Duration) -> Option<String> {
        self.host_fails();
        self.looks += 1;
        self.blocks += 1;
        if self.blocks > MOST_BLOCKS {
            return self.switch_off("switched off: it keeps blocking the sensor thread".to_owned());
        }
        self.cadence.rest(now.saturating_add(REST));
        self.condition = Condition::Resting;
        self.said.recovered();
        let minutes = REST.as_secs() / 60;
        let times = self.blocks;
        let text = format!("blocked the sensor thread ({times}) and rests for {minutes} minutes");
        self.complain(text, false)
    }

    pub(super) fn lost(&mut self, now: Duration) {
        if let Some(host) = &mut self.host {
            host.lost();
        }
        self.cadence.lost(now);
    }

    pub(super) fn health(&self, now: Duration, wall: SystemTime) -> SensorHealth {
        let next = self.due().map(|due| due.saturating_sub(now));
        let next = next.and_then(|wait| wall.checked_add(wait));
        SensorHealth {
            name: self.setup.name.clone(),
            kind: self.setup.kind.clone(),
            condition: self.condition,
            looks: self.looks,
            last_look: self.last_look.map(seconds),
            next_look: next.map(seconds),
            error: self.error.clone(),
            warnings: self.warnings.clone(),
            details: self.details.clone(),
        }
    }

    fn switch_off(&mut self, text: String) -> Option<String> {
        self.cadence.stop();
        self.condition = Condition::Disabled;
        self.said.recovered();
        self.complain(text, false)
    }

    fn complain(&mut self, text: String, may_pass: bool) -> Option<String> {
        let told = self.said.failed(&text, may_pass);
        let notice = told.then(|| format!("{}: {text}", self.setup.name));
        self.error = Some(text);
        notice
    }

    fn warn(&mut self, warnings: Vec<SensorError>) -> Vec<String> {
        let mut notices = Vec::new();
        for warning in warnings {
            let text = warning.to_string();
            if self.said.warned(&text) {
                notices.push(format!("{}: {text}", self.setup.name));
            }
            self.warnings.push(text);
        }
        notices
    }

    fn host_fails(&mut self) {
        if let Some(host) = &mut self.host {
            host.failed();
        }
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs()
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.put(None);
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("setup", &self.setup)
            .field("condition", &self.condition)
            .finish_non_exhaustive()
    }
}
