//! What one look came to, with assertions that say what they saw instead.

use std::fmt;

use crate::mail::Draft;
use crate::sensor::{Gathered, Item, Key, Observation, Report, SensorError};

/// What one look came to, as the driver would take it: of a failed look nothing counts but its
/// warnings.
///
/// Its debug format is made for reading, and every assertion prints it when it fails.
///
/// ```
/// use attend_core::sensor::{Event, sensor_sync};
/// use attend_core::testkit::Harness;
///
/// let mut sensor = sensor_sync(|cx| {
///     cx.report(Event::new(3.0, "deploy finished").key("deploy"));
///     cx.clear("queue");
///     Ok(())
/// });
/// let polled = Harness::new().poll(&mut sensor);
/// assert_eq!(polled.texts(), ["deploy finished"]);
/// assert_eq!(format!("{polled:?}"), "the look reported:\n  3.0 `deploy finished` key=deploy\n  clear queue");
/// ```
#[derive(Clone, PartialEq)]
pub struct Polled {
    result: Result<(), SensorError>,
    outcome: Gathered,
}

impl Polled {
    pub(super) fn new(result: Result<(), SensorError>, mut outcome: Gathered) -> Self {
        if result.is_err() {
            outcome.report = Report::new();
            outcome.drafts.clear();
        }
        Self { result, outcome }
    }

    /// What the look returned.
    pub fn result(&self) -> &Result<(), SensorError> {
        &self.result
    }

    /// Events and clears, with the count of what was coalesced.
    pub fn report(&self) -> &Report {
        &self.outcome.report
    }

    /// The events in call order.
    pub fn events(&self) -> Vec<&Observation> {
        self.report().events().collect()
    }

    /// What each event says.
    pub fn texts(&self) -> Vec<&str> {
        self.report().events().map(Observation::text).collect()
    }

    /// How much each event matters.
    pub fn magnitudes(&self) -> Vec<f64> {
        let magnitudes = self.report().events().map(|event| event.magnitude().get());
        magnitudes.collect()
    }

    /// What each event is about; those without a key are left out.
    pub fn keys(&self) -> Vec<&str> {
        let keys = self.report().events().filter_map(Observation::key);
        keys.map(Key::as_str).collect()
    }

    /// The keys that were cleared, in call order.
    pub fn cleared(&self) -> Vec<&str> {
        let cleared = self.report().items().filter_map(|item| match item {
            Item::Clear(key) => Some(key.as_str()),
            Item::Event(_) => None,
        });
        cleared.collect()
    }

    /// Words that were posted, each with its key.
    pub fn drafts(&self) -> &[(Key, Draft)] {
        &self.outcome.drafts
    }

    /// What went wrong beside what was learned.
    pub fn warnings(&self) -> &[SensorError] {
        &self.outcome.warnings
    }

    /// Whether the look succeeded and said nothing, [details](Self::details) apart.
    pub fn is_quiet(&self) -> bool {
        self.result.is_ok() && !self.has_news() && self.warnings().is_empty()
    }

    /// Asserts that the look succeeded and said nothing: no event, clear, draft or warning.
    ///
    /// # Panics
    ///
    /// Where it failed or said something.
    #[track_caller]
    pub fn assert_quiet(&self) {
        assert!(self.is_quiet(), "expected a quiet look, but {self:?}");
    }

    /// What was told to those who ask how the sensor fares.
    pub fn details(&self) -> &[String] {
        &self.outcome.details
    }

    /// Asserts that the look succeeded and reported these texts, in this order; clears may
    /// stand between them.
    ///
    /// # Panics
    ///
    /// Where it failed or reported something else.
    #[track_caller]
    pub fn assert_texts(&self, texts: &[&str]) {
        assert!(
            self.result.is_ok() && self.texts() == texts,
            "expected the events {texts:?}, but {self:?}"
        );
    }

    /// The one event of a look that succeeded, cleared nothing and posted nothing.
    ///
    /// # Panics
    ///
    /// Where there is anything but one event. Warnings may stand beside it.
    #[track_caller]
    pub fn only_event(&self) -> &Observation {
        let mut items = self.report().items();
        match (items.next(), items.next(), self.drafts()) {
            (Some(Item::Event(event)), None, []) => event,
            _ => panic!("expected one event, but {self:?}"),
        }
    }

    /// The error of a failed look.
    ///
    /// # Panics
    ///
    /// Where the look succeeded.
    #[track_caller]
    pub fn error(&self) -> &SensorError {
        match &self.result {
            Err(error) => error,
            Ok(()) => panic!("expected a failed look, but {self:?}"),
        }
    }

    /// Whether it reported, cleared or posted anything.
    pub(super) fn has_news(&self) -> bool {
        !self.report().is_empty() || !self.drafts().is_empty()
    }

    /// The same look without what it reported, cleared or posted.
    pub(super) fn without_news(&self) -> Self {
        let mut silent = self.clone();
        silent.outcome.report = Report::new();
        silent.outcome.drafts.clear();
        silent
    }

    /// Whether it ended as `other` did and says the same, warnings apart: a sensor may give
    /// those once.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        self.result == other.result
            && self.report() == other.report()
            && self.drafts() == other.drafts()
    }

    /// Whether it has no news after `before`: it ended likewise, and warns of nothing else.
    pub(super) fn repeats(&self, before: &Self) -> bool {
        self.agrees(&before.without_news())
            && self
                .warnings()
                .iter()
                .all(|warning| before.warnings().contains(warning))
    }
}

impl fmt::Debug for Polled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.result {
            Err(error) => write!(f, "the look failed ({}): {error}", error.kind())?,
            Ok(()) if self.is_quiet() => return f.write_str("the look was quiet"),
            Ok(()) => f.write_str("the look reported:")?,
        }
        for item in self.report().items() {
            match item {
                Item::Event(event) => tell(f, event)?,
                Item::Clear(key) => write!(f, "\n  clear {key}")?,
            }
        }
        for (key, draft) in self.drafts() {
            let to: Vec<String> = draft.to.iter().map(ToString::to_string).collect();
            let (to, body) = (to.join(", "), &draft.body);
            write!(f, "\n  post {key} to [{to}]: `{body}`")?;
        }
        for warning in self.warnings() {
            write!(f, "\n  warning ({}): {warning}", warning.kind())?;
        }
        match self.report().absorbed().total() {
            0 => Ok(()),
            absorbed => write!(f, "\n  and {absorbed} that were coalesced"),
        }
    }
}

/// One line about `event`, and one for each line of its block.
fn tell(f: &mut fmt::Formatter<'_>, event: &Observation) -> fmt::Result {
    write!(f, "\n  {} `{}`", event.magnitude(), event.text())?;
    if let Some(key) = event.key() {
        write!(f, " key={key}")?;
    }
    if event.is_standing() {
        f.write_str(" standing")?;
    }
    if let Some(signal) = event.signal() {
        write!(f, " signal={signal}")?;
    }
    if let Some(stakes) = event.stakes() {
        let at_hand = if stakes.is_at_hand() { " at hand" } else { "" };
        write!(f, " stakes{at_hand}=`{}`", stakes.text())?;
    }
    if !event.inhibits().is_empty() {
        let keys: Vec<&str> = event.inhibits().iter().map(Key::as_str).collect();
        write!(f, " inhibits={}", keys.join(","))?;
    }
    event
        .block()
        .iter()
        .try_for_each(|line| write!(f, "\n    | {line}"))
}
