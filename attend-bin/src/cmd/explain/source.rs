//! What is explained: the journal of a loop, or of a recording.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::UNIX_EPOCH;

use attend_core::attention::{Attention, Record};
use attend_core::dynamics::Tick;
use attend_core::runtime::system::SystemClock;
use attend_core::runtime::{Journal, JournalDamage, JournalEntry, Saved, StateDir};
use attend_core::sensor::Clock;

use crate::cli::OfLoop;
use crate::cmd::replay::{read, unreplayed};
use crate::env::Env;
use crate::output::{Failure, complain};
use crate::place;

/// A journal, and the engine that it belongs to.
pub(super) struct Source {
    pub(super) entries: Vec<JournalEntry>,
    /// As it was stored last.
    pub(super) state: Attention,
    /// When that was; none where nothing is stored.
    pub(super) as_of: Option<Tick>,
    pub(super) now: Tick,
    /// The sensors of which the loop knows, or knew.
    pub(super) sensors: BTreeSet<String>,
}

impl Source {
    /// The journal of a loop.
    pub(super) fn of_loop(of: &OfLoop, env: &Env) -> Result<Self, Failure> {
        let place::Loop { project, dir, .. } = place::of_loop(of, env)?;
        let Some(dir) = dir else {
            return Err(place::nothing_yet(&project));
        };
        let survey = Journal::survey(&dir).map_err(|error| Failure::refused(error.to_string()))?;
        survey
            .damage
            .iter()
            .for_each(|damage| complain(&told(damage)));
        if survey.entries.is_empty() && !survey.damage.is_empty() {
            return Err(Failure::refused(format!(
                "nothing of the journal of {} can be read",
                project.display()
            )));
        }
        let wall = SystemClock.wall().duration_since(UNIX_EPOCH);
        let now = Tick::new(wall.unwrap_or_default().as_secs());
        let saved = stored(&dir);
        let mut sensors = known(&survey.entries);
        // One that never reported stands in no journal.
        let health = saved.iter().flat_map(|saved| &saved.health);
        sensors.extend(health.map(|sensor| sensor.name.to_string()));
        let as_of = saved.as_ref().map(|saved| Tick::new(saved.written_at));
        let settings = place::config(&project, env).read().settings;
        let mut engine = Attention::builder().settings(settings);
        if let Some(saved) = saved {
            engine = engine.restore(saved.attention, now);
        }
        Ok(Self {
            entries: survey.entries,
            state: engine.build(),
            as_of,
            now,
            sensors,
        })
    }

    /// The journal that a recorded loop kept.
    pub(super) fn of_trace(path: &Path) -> Result<Self, Failure> {
        let trace = read(path)?;
        let journal = trace.journal().map_err(|error| unreplayed(path, &error))?;
        let (records, state, end) = journal;
        let entries: Vec<_> = records.into_iter().map(JournalEntry::Record).collect();
        let mut sensors = known(&entries);
        sensors.extend(state.sensors().iter().map(|held| held.name().to_string()));
        Ok(Self {
            sensors,
            entries,
            state,
            as_of: Some(end),
            now: end,
        })
    }

    pub(super) fn records(&self) -> impl Iterator<Item = &Record> {
        self.entries.iter().filter_map(|entry| match entry {
            JournalEntry::Record(record) => Some(record),
            _ => None,
        })
    }
}

/// What a loop stored; that it cannot be read hinders nobody to read its journal.
fn stored(dir: &StateDir) -> Option<Saved> {
    Saved::peek(dir).unwrap_or_else(|error| {
        complain(&format!("what is held is not known: {error}"));
        None
    })
}

fn known(entries: &[JournalEntry]) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    for entry in entries {
        match entry {
            JournalEntry::Record(record) => _ = known.insert(record.sensor.to_string()),
            JournalEntry::Segment { totals, .. } => {
                known.extend(totals.iter().map(|totals| totals.sensor.to_string()));
            }
            _ => {}
        }
    }
    known
}

/// What of the journal cannot be read, and what becomes of it.
fn told(damage: &JournalDamage) -> String {
    let file = damage.file.display();
    match damage.lines {
        None => format!(
            "{file} is no file of attend's and is left out; the next `attend run` sets it aside"
        ),
        Some(_) if damage.set_aside => format!(
            "{file} does not begin as a journal: what can be read of it is shown; the next \
             `attend run` sets it aside and begins afresh"
        ),
        Some(1) => format!("1 line of {file} cannot be read and is left out; the rest is shown"),
        Some(lines) => {
            format!("{lines} lines of {file} cannot be read and are left out; the rest is shown")
        }
    }
}
