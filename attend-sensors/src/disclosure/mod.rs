//! The `disclosure` sensor: what attend lets an agent do, taught again before it is forgotten.
//!
//! | key | magnitude | says |
//! |---|---|---|
//! | `messaging#1` | 5.0, standing | `reheat: attend affordances — messaging`, and the lines of that component |
//! | `rooms#1`, `reminders#1`, `signals#1` | 5.0, standing | the same for each other [`Component`] |
//!
//! The first look of a process teaches every component. Then each is taught again when a quarter
//! of the context window was used since (`refire`), and at once when another span began, as by a
//! compaction: then what was taught is gone. `messaging#3` is the third teaching, and takes back
//! `messaging#2`. Where the size of the context is not known, the first look teaches and
//! nothing is repeated until it is; the first size that is known counts as where that was.
//!
//! What was taught is remembered by the process alone, in no snapshot. A loop that is armed again
//! ([`BuildContext::is_rearmed`]) asks the host where the headlines stand in its transcript, and
//! goes on from there; what stands nowhere is taught.
//!
//! What it does not do: read transcripts. It asks the host. Of the same source are [`skill`] and
//! [`way`].

mod component;
pub use component::Component;

mod guide;
pub use guide::{skill, way};

mod config;
pub use config::DisclosureConfig;

mod ledger;

use async_trait::async_trait;
use attend_core::sensor::{
    BuildContext, ConfigError, ContextUsage, Declares, Event, HostAnswer, HostRequest, PollContext,
    Profile, Sensor, SensorError, SensorName, SensorSpec, Taught,
};

use crate::asking::{session_of, unanswered};

use ledger::{Entry, Reading};

const MAGNITUDE: f64 = 5.0;

/// So many teachings of the process before are taken back: the engine may hold one of them still,
/// or remember that it was shown.
const FORMER: u64 = 9;

impl SensorSpec for DisclosureConfig {
    const KIND: &'static str = "disclosure";
    const ABOUT: &'static str = "what of attend was taught, and how long ago in tokens";

    fn check(&self) -> Result<(), ConfigError> {
        self.refuse()
    }

    fn build(self, cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        Ok(Box::new(Disclosure {
            config: self,
            name: cx.name().clone(),
            rearmed: cx.is_rearmed(),
            ledger: None,
        }))
    }

    fn profile() -> Profile {
        Profile::new(60, 20, 5_000, 3)
    }

    fn declares() -> Declares {
        Declares::default().needing_host()
    }

    #[cfg(feature = "schema")]
    fn schema() -> attend_core::sensor::Schema {
        attend_core::sensor::Schema::of::<Self>()
    }
}

#[derive(Debug)]
struct Disclosure {
    config: DisclosureConfig,
    name: SensorName,
    rearmed: bool,
    /// None before the first look.
    ledger: Option<Vec<Entry>>,
}

#[async_trait]
impl Sensor for Disclosure {
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        let usage = match cx.host().ask(&HostRequest::Context).await? {
            HostAnswer::Context(usage) => Some(usage),
            _ => None,
        };
        if usage.is_none() {
            let session = session_of(cx).await;
            unanswered(session.as_ref(), "what a session has before it")?;
        }
        let mut evidence = Vec::new();
        if self.rearmed && self.ledger.is_none() && usage.is_some() {
            let lines = Component::ALL.map(|component| component.headline().to_owned());
            let asked = Taught::new(self.name.clone(), lines);
            if let HostAnswer::Taught(found) = cx.host().ask(&HostRequest::Taught(asked)).await? {
                evidence = found;
            }
        }
        let reading = usage.and_then(|usage| self.reading(usage));
        let ledger = match self.ledger.take() {
            Some(ledger) => ledger,
            None => begin(cx, reading.as_ref(), &evidence),
        };
        self.ledger = Some(look(cx, reading.as_ref(), ledger));
        Ok(())
    }
}

impl Disclosure {
    fn reading(&self, usage: ContextUsage) -> Option<Reading> {
        Some(Reading {
            epoch: usage.epoch,
            tokens: usage.tokens,
            curve: self.config.curve(usage.window)?,
        })
    }
}

/// The ledger of a process that taught nothing yet, with what stands before the model already.
fn begin(cx: &mut PollContext, reading: Option<&Reading>, evidence: &[Option<u64>]) -> Vec<Entry> {
    let positions = evidence.iter().copied().chain(std::iter::repeat(None));
    let entries = Component::ALL.into_iter().zip(positions);
    let begun = |(component, position)| {
        let mut entry = Entry::new(component);
        (1..=FORMER).for_each(|count| cx.clear(entry.key(count)));
        // Without a count nobody can say how far back it stands.
        let known = reading.filter(|reading| reading.tokens.is_some());
        if let (Some(reading), Some(at)) = (known, position) {
            entry.stands(reading, at);
        }
        entry
    };
    entries.map(begun).collect()
}

/// Teaches what is due.
fn look(cx: &mut PollContext, reading: Option<&Reading>, mut ledger: Vec<Entry>) -> Vec<Entry> {
    for entry in &mut ledger {
        if !entry.is_due(reading) {
            continue;
        }
        if entry.count > 0 {
            cx.clear(entry.key(entry.count));
        }
        entry.teach(reading);
        let component = entry.component;
        let event = Event::new(MAGNITUDE, component.headline());
        let event = event.block(component.lines().map(str::to_owned));
        cx.report(event.key(entry.key(entry.count)).standing());
    }
    ledger
}
