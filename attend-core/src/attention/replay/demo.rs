//! The demo: a scripted minute through the real engine.

use super::super::settings::Settings;
use super::run::Replay;
use super::script::Script;

/// The minute, as a script.
const MINUTE: &str = include_str!("demo.txt");

/// Runs a scripted minute in virtual time. It needs nothing of its surroundings, and what it
/// shows is what the engine decides.
pub fn demo() -> Replay {
    let script: Script = MINUTE
        .parse()
        .unwrap_or_else(|error| unreachable!("the demo: {error}"));
    script.run(&Settings::default())
}
