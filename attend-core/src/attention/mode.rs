//! Modes: how an event is phrased.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::sensor::{Observation, Signal};

/// How insistently an event is told. The sensor states facts; the mode follows from them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Mode {
    /// Below the threshold: no line.
    Silent,
    /// The fact.
    Informational,
    /// The fact, and the command that shows the guidance for it.
    Affordance,
    /// The fact, what is at stake, and the command.
    Insistent,
    /// The consequence first, then the fact, then the command.
    Critical,
}

/// The signals that some loaded way handles, each with the phrase that says what its guidance is
/// for: `for reflection guidance`.
pub type HandledSignals = BTreeMap<Signal, String>;

/// The mode in which `event` is told, once it is told.
///
/// A signal that no way handles counts as none: the command would lead nowhere. Stakes at hand
/// make an event critical all the same.
pub fn mode(event: &Observation, handled: &HandledSignals) -> Mode {
    let has_way = event
        .signal()
        .is_some_and(|signal| handled.contains_key(signal));
    match event.stakes() {
        Some(stakes) if stakes.is_at_hand() => Mode::Critical,
        Some(_) if has_way => Mode::Insistent,
        None if has_way => Mode::Affordance,
        _ => Mode::Informational,
    }
}

/// The text of `event` in its mode.
///
/// ```
/// use attend_core::attention::{HandledSignals, phrase};
/// use attend_core::sensor::{Event, Signal, Stakes};
///
/// let handled = HandledSignals::from([(Signal::from("context-pressure"), "for reflection guidance".to_owned())]);
/// let event = Event::new(4.0, "context at 86%")
///     .signal("context-pressure")
///     .stakes(Stakes::ahead("projected critical at turn 58 (3 turns remaining)"))
///     .check()?;
/// assert_eq!(
///     phrase(&event, &handled),
///     "context at 86% — projected critical at turn 58 (3 turns remaining). \
///      Use `ways show attend/context-pressure` for reflection guidance.",
/// );
/// # Ok::<(), attend_core::sensor::Refusal>(())
/// ```
pub fn phrase(event: &Observation, handled: &HandledSignals) -> String {
    let fact = event.text();
    let stakes = event.stakes().map_or("", |stakes| stakes.text());
    let way = event
        .signal()
        .and_then(|signal| handled.get_key_value(signal));
    let command = |mode: &str| {
        way.map(|(signal, purpose)| {
            let purpose = if purpose.is_empty() {
                String::new()
            } else {
                format!(" {purpose}")
            };
            format!("Use `ways show attend/{signal}{mode}`{purpose}.")
        })
    };
    let told = match mode(event, handled) {
        Mode::Silent | Mode::Informational => return fact.to_owned(),
        Mode::Affordance => (fact.to_owned(), command("")),
        Mode::Insistent => (format!("{fact} — {stakes}"), command("")),
        Mode::Critical => (format!("{stakes}: {fact}"), command(" --mode critical")),
    };
    match told {
        (told, Some(command)) => format!("{}. {command}", told.trim_end_matches('.')),
        (told, None) => told,
    }
}
