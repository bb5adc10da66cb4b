//! One turn after another: take what came in, do what is due, sleep until the next.

mod keeping;

mod mail;

mod saying;

mod writing;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use self::writing::Writing;
use super::axis::{Axis, Now};
use super::looks::Looks;
use super::memory::{Memory, Word};
use super::reread::Plan;
use super::tape::Tape;
use super::{DriverError, Ended, SharedOutput};
use crate::attention::{Attention, Input, Step};
use crate::dynamics::{Tick, TickDelta};
use crate::runtime::budget::LineBudget;
use crate::runtime::delivery::Delivery;
use crate::runtime::roster::{Gleaned, HOST_DEADLINE, Roster, SensorSetup};
use crate::runtime::system::{Alarm, Output, Unwritten, monotonic_millis};
use crate::sensor::Clock;

/// The longest sleep: the timer stands still during suspend, the boot clock does not.
const LONGEST: Duration = Duration::from_mins(1);

/// Hears what has to be said about attend itself.
pub(super) type OnNotice = Box<dyn FnMut(&str) + Send>;

/// What a turn is made of.
pub(super) struct Parts {
    pub(super) clock: Arc<dyn Clock>,
    pub(super) axis: Axis,
    pub(super) engine: Tape,
    pub(super) roster: Roster,
    pub(super) memory: Memory,
    pub(super) output: Output,
    pub(super) delivery: Option<Delivery>,
    pub(super) on_notice: OnNotice,
}

/// The state of the loop between two turns.
pub(super) struct Turn {
    clock: Arc<dyn Clock>,
    alarm: Alarm,
    axis: Axis,
    engine: Tape,
    looks: Looks,
    memory: Memory,
    output: SharedOutput,
    on_notice: OnNotice,
    budget: LineBudget,
    writing: Option<Writing>,
    delivery: Option<Delivery>,
    /// When the claim was asked for whose mail is written next.
    claimed_at: Option<Duration>,
    /// The reader has no room for a line.
    stalled: bool,
    /// Nobody reads any more.
    closed: bool,
    written: Option<Result<(), Unwritten>>,
    configured: Option<Vec<SensorSetup>>,
    /// When the engine may have something to say by itself.
    until: Option<Tick>,
    /// When the line budget allows a write again, where it does not now.
    budget_wait: Option<Duration>,
    /// When a host that was not heard yet is waited for no longer; none once it was heard.
    host_by: Option<Duration>,
    once: bool,
    /// The limits of the system that a notice named.
    limits: BTreeSet<&'static str>,
}

impl Turn {
    pub(super) fn new(mut parts: Parts) -> Self {
        // Asked with the first look at the host: what is printed first is followed, too.
        let now = parts.clock.boot();
        let question = parts
            .delivery
            .as_mut()
            .and_then(|delivery| delivery.question(now));
        if let Some(question) = question {
            parts.roster.inquire(question);
        }
        let awaited = parts.roster.awaits_host();
        let host_by = awaited.then(|| parts.clock.boot().saturating_add(HOST_DEADLINE));
        Self {
            clock: parts.clock,
            alarm: Alarm::default(),
            axis: parts.axis,
            engine: parts.engine,
            looks: Looks::new(parts.roster),
            memory: parts.memory,
            output: Arc::new(parts.output),
            on_notice: parts.on_notice,
            budget: LineBudget::new(monotonic_millis()),
            writing: None,
            delivery: parts.delivery,
            claimed_at: None,
            stalled: false,
            closed: false,
            written: None,
            configured: None,
            until: None,
            budget_wait: None,
            host_by,
            once: false,
            limits: BTreeSet::new(),
        }
    }

    pub(super) fn engine(&self) -> &Attention {
        &self.engine
    }

    pub(super) fn output(&self) -> SharedOutput {
        self.output.clone()
    }

    pub(super) fn only_once(&mut self) {
        self.once = true;
        self.looks.roster.only_once();
    }

    pub(super) fn input(&mut self, input: Input) {
        let now = self.now();
        self.engine.input(now.tick, input);
        self.memory.changed(now.boot);
    }

    pub(super) fn configure(&mut self, setups: Vec<SensorSetup>) {
        self.configured = Some(setups);
    }

    /// Lets other settings and other sensors hold from now on.
    pub(super) fn follow(&mut self, plan: Plan) {
        self.input(Input::Settings(Box::new(plan.settings)));
        self.configure(plan.sensors);
        if let Some(handled) = plan.handled {
            self.input(Input::Handled(handled));
        }
        if let (Some(cleanup), Some(delivery)) = (plan.cleanup, &mut self.delivery) {
            delivery.clean_up(cleanup);
        }
        let now = self.now().tick;
        self.heed(now, plan.solved.map(Word::Solved));
        self.heed(now, plan.notice.map(Word::Say));
    }

    /// Makes the sensors those that somebody asked for. Not while a batch is under way: it
    /// speaks of the sensors that there are.
    fn reconfigure(&mut self) {
        if self.writing.is_none()
            && let Some(setups) = self.configured.take()
        {
            self.looks.roster.configure(setups);
            self.input(Input::Sensors(self.looks.roster.profiles()));
        }
    }

    fn now(&self) -> Now {
        Now::of(&*self.clock, &self.axis)
    }

    /// Does all that is due. Tells why the loop ends, where it does.
    pub(super) fn take(&mut self) -> Result<Option<Ended>, DriverError> {
        let now = self.now();
        if let Some(written) = self.written.take()
            && let Some(ended) = self.settle(now, written)?
        {
            return Ok(Some(ended));
        }
        if let Some(ended) = self.give_up(now).or_else(|| self.hear_mailbox(now)) {
            return Ok(Some(ended));
        }
        self.reconfigure();
        for gleaned in self.looks.take(now) {
            self.accept(now, gleaned);
        }
        self.hear_host(now);
        self.step(now);
        self.ask_mailbox(now);
        if self.memory.note(&self.engine.drain_journal()) {
            self.memory.changed(now.boot);
        }
        if self.engine.is_full() {
            self.keep_tape(now.tick);
        }
        if self.memory.due().is_some_and(|due| due <= now.boot) {
            self.save(now);
        }
        if self.closed {
            return Ok(Some(Ended::Closed));
        }
        Ok((self.once && self.is_done(now)).then_some(Ended::Once))
    }

    /// Waits until something may be due. Safe to cancel.
    pub(super) async fn next(&mut self) {
        let wait = self.wait();
        let Self {
            looks,
            writing,
            written,
            delivery,
            stalled,
            output,
            alarm,
            ..
        } = self;
        let done = async {
            match writing {
                Some(writing) => writing.done.as_mut().await,
                None => std::future::pending().await,
            }
        };
        let mail = async {
            match delivery {
                Some(delivery) => delivery.next().await,
                None => std::future::pending().await,
            }
        };
        let room = async {
            match stalled {
                true => output.becomes_ready().await,
                false => std::future::pending().await,
            }
        };
        tokio::select! {
            result = done => *written = Some(result),
            () = mail => {}
            () = room => {}
            () = looks.next() => {}
            () = alarm.after(wait) => {}
        }
    }

    /// Leaves everything as a restart wants to find it.
    pub(super) async fn end(mut self) {
        let now = self.now();
        if let Some(writing) = self.writing.take() {
            self.settle_unwritten(now, &writing, self.output.written());
        }
        self.save(now);
        if let Some(delivery) = self.delivery.take() {
            delivery.end().await;
        }
        self.looks.stop().await;
    }

    fn wait(&self) -> Duration {
        let (now, wall) = (self.clock.boot(), self.clock.wall());
        let until = self.until.map(|tick| self.axis.boot(tick));
        let due = [
            self.looks.due(),
            until.filter(|_| self.writing.is_none()),
            self.budget_wait,
            self.host_by,
            self.memory.due(),
            self.delivery
                .as_ref()
                .filter(|_| self.writing.is_none())
                .and_then(|delivery| delivery.due(now, wall)),
            self.writing.as_ref().and_then(|writing| writing.until),
        ];
        let first = due.into_iter().flatten().min();
        first.map_or(LONGEST, |due| due.saturating_sub(now).min(LONGEST))
    }

    fn is_done(&self, now: Now) -> bool {
        // A batch leaves one tick after a sensor became ready.
        let soon = now.tick.after(TickDelta::new(1));
        let nothing_due = self.until.is_none_or(|until| until > soon);
        let written = self.writing.is_none() && self.budget_wait.is_none();
        let mail = self.delivery.as_ref().is_none_or(Delivery::is_at_rest);
        self.looks.roster.has_looked() && !self.looks.is_looking() && nothing_due && written && mail
    }

    /// Tells the engine what the host is doing. One that did not tell yet is taken to do what
    /// it did before the restart.
    fn hear_host(&mut self, now: Now) {
        let host = self.looks.roster.host();
        if let Some(delivery) = &mut self.delivery {
            delivery.host(Duration::from_millis(monotonic_millis()), host);
        }
        if !self.awaits_host(now) && host != self.engine.host() {
            self.engine.input(now.tick, Input::Host(host));
            self.memory.changed_little(now.boot);
        }
    }

    fn accept(&mut self, now: Now, gleaned: Gleaned) {
        let told = gleaned.report.is_some() || !gleaned.notices.is_empty();
        if gleaned.remembers || gleaned.fares || told {
            self.memory.changed(now.boot);
        }
        if gleaned.remembers {
            let sensors = self.looks.roster.snapshots().len();
            self.memory.remember(sensors, now.boot);
        }
        if let Some((name, report)) = gleaned.report {
            self.engine.input(now.tick, Input::Report(name, report));
            self.looks.roster.ask_host();
        }
        self.heed(now.tick, gleaned.solved.map(Word::Solved));
        for notice in gleaned.notices {
            self.say(now.tick, notice);
        }
        self.post(now, gleaned.drafts);
    }

    /// Whether the host may still tell what it is doing. Until then nothing leaves: nobody knows
    /// yet that the host is idle, and what the engine holds for one that is must not wake it.
    fn awaits_host(&mut self, now: Now) -> bool {
        let awaited = self.looks.roster.awaits_host();
        self.host_by = self.host_by.filter(|by| awaited && now.boot < *by);
        self.host_by.is_some()
    }

    /// Asks the engine, where the line budget allows a write and none is under way.
    fn step(&mut self, now: Now) {
        self.until = None;
        self.budget_wait = None;
        self.stalled = false;
        if self.writing.is_some() || self.awaits_host(now) {
            return;
        }
        let millis = monotonic_millis();
        let ready = self.budget.ready_at(millis);
        if ready > millis {
            let wait = Duration::from_millis(ready - millis);
            self.budget_wait = Some(now.boot.saturating_add(wait));
            return;
        }
        // Mail is claimed only where it can be written at once.
        if self.engine.mail_waits() {
            match self.output.is_ready() {
                Some(true) => {}
                Some(false) => self.stalled = true,
                None => self.closed = true,
            }
            if self.stalled || self.closed {
                return;
            }
        }
        loop {
            match self.engine.step(now.tick) {
                Step::Write(batch) => return self.write(now, batch, millis),
                Step::Wait { until } => {
                    self.until = until;
                    return;
                }
                Step::Claim(claiming) => {
                    if self.claim(claiming) {
                        return;
                    }
                    // What else there is to do is asked anew.
                    self.engine.input(now.tick, Input::ClaimFailed);
                }
            }
        }
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn")
            .field("looks", &self.looks)
            .finish_non_exhaustive()
    }
}
