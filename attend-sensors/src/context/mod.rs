//! The `context` sensor: how full the session's context window is, how fast it fills, and when it will be compacted.
//!
//! | key | magnitude | says |
//! |---|---|---|
//! | `tier` | 1.5 from 40 %, 2.0 from 50 %, 3.0 from 65 %, 4.0 from 85 %, 5.0 from 92 %, standing | `context at 86%`, with the signal `context-pressure` |
//! | `velocity` | 2.0, standing | `context grows by 3% a minute` |
//!
//! From 85 % on, or 3 turns before the compaction where that is earlier, the first one says what
//! is at stake: `projected critical at turn 58 (3 turns remaining)`, or without a number
//! `projected critical in about 3 turns, about 12 minutes`. From 92 % on, or one turn before,
//! that is at hand: `compaction in about 1 turn`. Turns follow from the median growth of the last
//! ones, minutes from the last rise of at least 5 % of the window.
//!
//! The context grows fast above 2 % a minute over such a rise, until it falls below 1 %.
//!
//! Both are told again after a compaction, in another session, and after a fall by at least 5 %
//! of the window. While the size is unknown nothing changes.
//!
//! What it does not do: read transcripts. It asks the host, at the latest after its interval, and
//! sooner when what the host says to watch has changed.

mod share;

mod config;
pub use config::{ContextConfig, Tier};

mod memory;

mod pace;

mod outlook;

use async_trait::async_trait;
use attend_core::dynamics::Tick;
use attend_core::sensor::{
    BuildContext, ConfigError, ContextUsage, Declares, Event, HostAnswer, HostRequest, PollContext,
    Profile, Sample, Sensor, SensorError, SensorName, SensorSpec, Snapshot, WindowBasis,
};

use crate::asking::{session_of, unanswered};
use crate::follow::Follow;

use memory::{Memory, Told};
use outlook::{Outlook, Reading};
use pace::Pace;
use share::Share;

const SIGNAL: &str = "context-pressure";

/// A fall by this much begins another span, whatever it is called.
const FALL: Share = Share::percent_of(5);

const VELOCITY: f64 = 2.0;

impl SensorSpec for ContextConfig {
    const KIND: &'static str = "context";
    const ABOUT: &'static str = "context window of this session";

    fn check(&self) -> Result<(), ConfigError> {
        self.refuse()
    }

    fn build(self, cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        Ok(Box::new(Context {
            config: self,
            name: cx.name().clone(),
            follow: Follow::new(cx, "the transcript is"),
            pace: Pace::default(),
            memory: Memory::default(),
        }))
    }

    fn profile() -> Profile {
        Profile::new(60, 5, 1_500, 3)
    }

    fn declares() -> Declares {
        Declares::default()
            .signal(SIGNAL, "for reflection guidance")
            .needing_host()
    }

    #[cfg(feature = "schema")]
    fn schema() -> attend_core::sensor::Schema {
        attend_core::sensor::Schema::of::<Self>()
    }
}

#[derive(Debug)]
struct Context {
    config: ContextConfig,
    name: SensorName,
    follow: Follow,
    pace: Pace,
    memory: Memory,
}

#[async_trait]
impl Sensor for Context {
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        let usage = cx.host().ask(&HostRequest::Context).await?;
        let session = session_of(cx).await;
        let usage = if let HostAnswer::Context(usage) = usage {
            Some(usage)
        } else {
            unanswered(session.as_ref(), "how full a context window is")?;
            None
        };
        let watched = session.and_then(|session| self.follow.follow(&session.watch));
        if let Some(refused) = watched {
            cx.warn(refused);
        }
        if let Some(usage) = usage {
            self.look(cx, &usage);
        }
        Ok(())
    }

    fn snapshot(&self) -> Option<Snapshot> {
        self.memory.write()
    }

    fn restore(&mut self, from: &Snapshot) -> Result<(), SensorError> {
        self.memory = Memory::read(from)?;
        Ok(())
    }
}

impl Context {
    fn look(&mut self, cx: &mut PollContext, usage: &ContextUsage) {
        let window = self.window(usage);
        let reading = usage.tokens.and_then(|tokens| Reading::new(tokens, window));
        let observed = outlook::observed(usage.compaction, window);
        self.memory.observed = observed.or(self.memory.observed);
        self.follow_epoch(cx, usage, reading);
        let Some(reading) = reading else { return };
        self.warn_of_model(cx, usage, window);
        self.memory.peak = self.memory.peak.max(reading.share);
        self.velocity(cx, usage, reading);
        self.tier(cx, usage, reading);
    }

    /// The window of the model: what the host itself says, else what is configured.
    fn window(&self, usage: &ContextUsage) -> u64 {
        let configured = usage
            .model
            .as_deref()
            .and_then(|model| self.config.window(model));
        match configured {
            Some(window)
                if usage.basis != WindowBasis::Exact
                    && usage.tokens.is_none_or(|tokens| tokens <= window) =>
            {
                window
            }
            _ => usage.window,
        }
    }

    /// Takes back what was told of a span that is over.
    fn follow_epoch(
        &mut self,
        cx: &mut PollContext,
        usage: &ContextUsage,
        reading: Option<Reading>,
    ) {
        let memory = &mut self.memory;
        let renamed =
            memory.epoch.is_some() && usage.epoch.is_some() && memory.epoch != usage.epoch;
        let fell = reading.is_some_and(|reading| reading.share.plus(FALL) <= memory.peak);
        if usage.epoch.is_some() {
            memory.epoch.clone_from(&usage.epoch);
        }
        if !renamed && !fell {
            return;
        }
        memory.peak = Share::default();
        if memory.told.take().is_some() {
            cx.clear("tier");
        }
        if std::mem::take(&mut memory.fast) {
            cx.clear("velocity");
        }
        self.pace.clear();
    }

    fn warn_of_model(&mut self, cx: &mut PollContext, usage: &ContextUsage, window: u64) {
        let model = usage.model.as_deref().unwrap_or_default();
        let known = usage.basis != WindowBasis::Assumed || self.config.window(model).is_some();
        if known || self.memory.warned.as_deref() == Some(model) {
            return;
        }
        self.memory.warned = Some(model.to_owned());
        let model = match model {
            "" => "the model is not known".to_owned(),
            model => format!("the model `{model}` is not known"),
        };
        cx.warn(SensorError::unavailable(format!(
            "{model}: its window is taken to be {window} tokens; `windows` in the configuration \
             of `{}` sets it",
            self.name
        )));
    }

    fn velocity(&mut self, cx: &mut PollContext, usage: &ContextUsage, reading: Reading) {
        let now = cx.now();
        if usage.samples.is_empty() {
            self.pace
                .take([Sample::new(now, reading.tokens)], reading.window);
        } else {
            self.pace
                .take(usage.samples.iter().copied(), reading.window);
        }
        let fast = self.pace.fast(self.memory.fast, now, reading.window);
        match fast {
            Some(pace) if !self.memory.fast => {
                let text = format!("context grows by {}% a minute", pace.about());
                cx.report(Event::new(VELOCITY, text).key("velocity").standing());
            }
            None if self.memory.fast => cx.clear("velocity"),
            _ => {}
        }
        self.memory.fast = fast.is_some();
    }

    fn tier(&mut self, cx: &mut PollContext, usage: &ContextUsage, reading: Reading) {
        // A small fall within a span does not lower the tier.
        let Some(tier) = self.config.tier(self.memory.peak) else {
            return;
        };
        let stakes = self.outlook(usage, reading, cx.now()).stakes();
        let percent = reading.share.percent();
        let told = Told {
            from: Share::of_config(tier.at).unwrap_or_default(),
            percent,
            stakes: stakes.clone(),
        };
        if self.memory.told.as_ref() == Some(&told) {
            return;
        }
        self.memory.told = Some(told);
        let event = Event::new(tier.magnitude, format!("context at {percent}%"));
        let event = event.key("tier").standing().signal(SIGNAL);
        cx.report(match stakes {
            Some(stakes) => event.stakes(stakes),
            None => event,
        });
    }

    fn outlook(&self, usage: &ContextUsage, reading: Reading, now: Tick) -> Outlook {
        let (configured, observed) = (self.config.compaction, self.memory.observed);
        let point = outlook::point(configured, observed, reading.share);
        Outlook::new(
            reading,
            point,
            usage,
            self.pace.current(now, reading.window),
        )
    }
}
