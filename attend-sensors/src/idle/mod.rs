//! The `idle` sensor: how long nobody spoke while work is open, and how long nobody reflected.
//!
//! | key | magnitude | says |
//! |---|---|---|
//! | `silence` | 1.5 after 10 minutes, 2.0 after 30, 5.0 after 50, standing | `nobody spoke for 50 minutes; 2 files edited and not committed` |
//! | `reflection` | 3.0, standing | `no reflection for 26% of the context window`, with the signal `reflection-overdue` |
//!
//! It is silent from when the host waits for its person. Each level is told once, the highest
//! that is reached, and taken back when the host works again or the work is no longer open. Told
//! levels are told again only after somebody spoke: a person, another session by a message, or
//! something of the session's own that came to its end. What a monitor printed is not somebody, so
//! that a line about silence does not begin another. Time in suspend counts.
//!
//! Work is open while a rebase, a merge or the like is not finished in the work tree, while a file
//! of the project that the session edited within a day was not committed since, or while a command
//! of its own runs in the background. What a person or a shell command changed is not known here.
//! A file counts as committed once HEAD of its work tree moved after its edit, whatever that
//! commit was of; outside of a repository an edit is open for a day.
//!
//! Reflection is overdue when 25 % of the window or 40 turns passed since the last mark: a full
//! showing of guidance for `context-pressure` or `reflection-overdue`, by the log of ways; else a
//! compaction; else the first answer of the session.
//!
//! What it does not do: read transcripts, or run anything. It asks the host, and reads what
//! changed of the log of ways.

mod config;
pub use config::{IdleConfig, Level};

mod marks;

mod silence;

mod reflection;

mod work;

use std::time::{Duration, UNIX_EPOCH};

use async_trait::async_trait;
use attend_core::sensor::{
    BuildContext, ConfigError, ContextUsage, Declares, Event, HostAnswer, HostRequest, HostState,
    PollContext, Profile, Root, Sensor, SensorError, SensorSpec, SessionInfo, Snapshot, Turns,
};
use serde::{Deserialize, Serialize};

use crate::asking::{session_of, unanswered};
use crate::edits::{Places, tick};
use crate::follow::Follow;

use marks::{Mark, Marks};
use reflection::{Distance, Start};
use silence::{Silence, Verdict};

const SIGNAL: &str = "reflection-overdue";

const OVERDUE: f64 = 3.0;

impl SensorSpec for IdleConfig {
    const KIND: &'static str = "idle";
    const ABOUT: &'static str = "how long nobody spoke, or reflected";

    fn check(&self) -> Result<(), ConfigError> {
        self.refuse()
    }

    fn build(self, cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        Ok(Box::new(Idle {
            config: self,
            follow: Follow::new(cx, "the transcript is"),
            marks: Marks::default(),
            places: Places::default(),
            memory: Memory::default(),
        }))
    }

    fn profile() -> Profile {
        Profile::new(60, 30, 1_500, 3)
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
struct Idle {
    config: IdleConfig,
    follow: Follow,
    marks: Marks,
    places: Places,
    memory: Memory,
}

/// What is remembered over a restart too.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct Memory {
    silence: Silence,
    /// Since when reflection was told to be overdue.
    overdue: Option<Start>,
}

#[async_trait]
impl Sensor for Idle {
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        let session = session_of(cx).await;
        let state = cx.host().ask(&HostRequest::State).await?;
        let state = if let HostAnswer::State(state) = state {
            state
        } else {
            unanswered(session.as_ref(), "when somebody spoke")?;
            HostState::Unknown
        };
        let turns = match cx.host().ask(&HostRequest::Turns).await? {
            HostAnswer::Turns(turns) => Some(turns),
            _ => None,
        };
        let usage = match cx.host().ask(&HostRequest::Context).await? {
            HostAnswer::Context(usage) => Some(usage),
            _ => None,
        };
        let (before, levels) = (&self.memory.silence, &self.config.levels);
        let (silence, verdict) = before.look(state, turns.as_ref(), levels, cx.now());
        // Only then it costs a look at what was edited.
        let is_asked = silence.holds() || matches!(verdict, Verdict::Reached(..));
        let own = if is_asked { work::own(cx).await? } else { None };

        let watched = session
            .as_ref()
            .and_then(|session| self.follow.follow(&session.watch));
        if let Some(refused) = watched {
            cx.warn(refused);
        }
        self.memory.silence = silence;
        let work = own.and_then(|own| work::open(cx, &own, &mut self.places));
        self.silence(cx, verdict, work);
        if let Some((usage, turns)) = usage.zip(turns) {
            self.reflection(cx, session.as_ref(), &usage, &turns);
        }
        Ok(())
    }

    fn snapshot(&self) -> Option<Snapshot> {
        Snapshot::of(&self.memory).ok()
    }

    fn restore(&mut self, from: &Snapshot) -> Result<(), SensorError> {
        self.memory = from.read()?;
        Ok(())
    }
}

impl Idle {
    fn silence(&mut self, cx: &mut PollContext, verdict: Verdict, work: Option<String>) {
        let silence = &mut self.memory.silence;
        match (verdict, work) {
            (Verdict::Reached(at, seconds), Some(work)) => {
                silence.tell(at);
                let magnitude = self
                    .config
                    .levels
                    .get(at)
                    .map_or(0.0, |level| level.magnitude);
                let text = format!("nobody spoke for {}; {work}", span(seconds));
                cx.report(Event::new(magnitude, text).key("silence").standing());
            }
            (Verdict::Over, _) => cx.clear("silence"),
            (_, None) if silence.holds() => {
                silence.end();
                cx.clear("silence");
            }
            _ => {}
        }
    }

    fn reflection(
        &mut self,
        cx: &mut PollContext,
        session: Option<&SessionInfo>,
        usage: &ContextUsage,
        turns: &Turns,
    ) {
        let state = cx.roots().get(Root::State);
        let log = state.zip(session.and_then(SessionInfo::id));
        let mark = match log
            .map(|(state, id)| self.marks.last(state, id))
            .transpose()
        {
            Ok(mark) => mark.flatten().cloned(),
            Err(error) => {
                let text = format!("cannot read when guidance was shown: {error}");
                return cx.warn(SensorError::transient(text));
            }
        };
        let marked = |mark: &Mark| tick(UNIX_EPOCH + Duration::from_secs(mark.at), cx);
        let distance = Distance::of(usage, turns, mark.as_ref(), marked);
        let Some(distance) = distance else {
            // A compaction, until the next answer.
            let told = self.memory.overdue.as_ref();
            if told.is_some_and(|told| !told.is_of(usage)) {
                cx.clear("reflection");
                self.memory.overdue = None;
            }
            return;
        };
        let overdue = distance.overdue(&self.config);
        let told = self.memory.overdue.as_ref();
        if told.is_some_and(|told| overdue.is_none() || *told != distance.start) {
            cx.clear("reflection");
            self.memory.overdue = None;
        }
        if let Some(text) = overdue.filter(|_| self.memory.overdue.is_none()) {
            let event = Event::new(OVERDUE, text).key("reflection").standing();
            cx.report(event.signal(SIGNAL));
            self.memory.overdue = Some(distance.start);
        }
    }
}

/// A length of time in words.
fn span(seconds: u64) -> String {
    match seconds / 60 {
        minutes @ 0..120 => format!("{minutes} minutes"),
        minutes if minutes < 48 * 60 => format!("{} hours", minutes / 60),
        minutes => format!("{} days", minutes / (24 * 60)),
    }
}
