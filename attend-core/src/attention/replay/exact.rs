//! Replaying a trace as it was recorded: call by call.

use super::super::engine::{Attention, AttentionBuilder};
use super::super::id::BatchId;
use super::super::input::Step;
use super::super::journal::Record;
use super::super::settings::Settings;
use super::super::trace::{Entry, Numbered, StoredBatch, Trace, TraceError, TraceErrorKind};
use super::playback::{Letters, Playback, Played, dropped, held};
use crate::dynamics::Tick;

impl Trace {
    /// Replays what was recorded under the settings that held then: batches, and the lines of
    /// events in them, are byte for byte those of the recorded loop.
    ///
    /// A batch that was not written is left out; one of which only a part was written counts as
    /// written.
    ///
    /// # Errors
    ///
    /// Diverged: this engine decides otherwise than the one that was recorded.
    pub fn replay(&self) -> Result<Playback, TraceError> {
        let before = dropped(&self.engine(self.settings.clone()));
        let (engine, batches) = self.through(|_, _| {})?;
        Ok(Playback {
            batches: batches.into_iter().map(|(_, played)| played).collect(),
            held: held(&engine),
            dropped: dropped(&engine).saturating_sub(before),
        })
    }

    /// The journal of what was recorded, and the engine as it stood at the end, for
    /// [`Stories`](crate::attention::Stories).
    ///
    /// # Errors
    ///
    /// Diverged: this engine decides otherwise than the one that was recorded.
    pub fn journal(&self) -> Result<(Vec<Record>, Attention, Tick), TraceError> {
        let (mut records, mut last) = (Vec::new(), self.start);
        let (mut engine, _) = self.through(|engine, at| {
            records.extend(engine.drain_journal());
            last = last.max(at);
        })?;
        engine.note_rest(last);
        records.extend(engine.drain_journal());
        Ok((records, engine, last))
    }

    /// Goes through what was recorded, and calls `seen` after each entry.
    fn through(
        &self,
        mut seen: impl FnMut(&mut Attention, Tick),
    ) -> Result<(Attention, Vec<(BatchId, Played)>), TraceError> {
        let mut engine = self.engine(self.settings.clone());
        let (mut batches, mut letters) = (Vec::new(), Letters::default());
        for Numbered { line, at, entry } in &self.entries {
            let at = *at;
            match entry {
                Entry::Claim => match engine.step(at) {
                    Step::Claim(_) => {}
                    other => return Err(self.diverged(*line, "mail was claimed", &other)),
                },
                Entry::Write(recorded) => match engine.step(at) {
                    Step::Write(batch) if StoredBatch::of(&batch) == *recorded => {
                        batches.push((batch.id(), letters.played(&batch)));
                    }
                    other => {
                        let what = format!("batch {} was written", recorded.id);
                        return Err(self.diverged(*line, &what, &other));
                    }
                },
                Entry::Ack(batch) => engine.ack(at, *batch),
                Entry::Nack(batch) => {
                    engine.nack(at, *batch);
                    batches.retain(|(id, _)| id != batch);
                }
                told => {
                    if let Entry::Waiting(waiting) = told {
                        for letter in waiting.letters() {
                            letters.note(letter);
                            engine.outline(letter.seq, letter.outline.clone());
                        }
                    }
                    if let Some(input) = told.input() {
                        engine.input(at, input);
                    }
                }
            }
            seen(&mut engine, at);
        }
        Ok((engine, batches))
    }

    /// The engine as it was at the beginning, under `settings`.
    pub(super) fn engine(&self, settings: Settings) -> Attention {
        let builder = AttentionBuilder::default().settings(settings);
        match &self.checkpoint {
            Some(checkpoint) => builder.restore(checkpoint.clone(), self.start).build(),
            None => builder.build(),
        }
    }

    fn diverged(&self, line: usize, recorded: &str, step: &Step) -> TraceError {
        let now = match step {
            Step::Claim(_) => "would claim mail".to_owned(),
            Step::Write(batch) => format!("would write batch {} otherwise", batch.id()),
            Step::Wait { .. } => "would wait".to_owned(),
        };
        let version = &self.version;
        let problem = format!("{recorded} here by attend {version}, and this attend {now}");
        TraceError::new(TraceErrorKind::Diverged, line, problem)
    }
}
