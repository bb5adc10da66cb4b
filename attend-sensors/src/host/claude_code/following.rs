//! Follows the transcripts of one session, wherever they are moved.

use std::io;
use std::path::{Path, PathBuf};

use attend_core::sensor::Clock;

use super::folder;
use super::own::Own;
use super::subagents::Subagents;
use super::transcript::{Depth, Transcript};

/// A transcript that was nowhere is looked for again at each look where it is likely to appear,
/// and everywhere as often as that is cheap: at each look for up to so many folders, at each
/// second one for twice as many, and so on.
const CHEAP: usize = 128;

/// Everywhere at every so many looks at the least.
const SELDOM: usize = 16;

/// The transcripts of the session `id`.
#[derive(Debug)]
pub(super) struct Following {
    id: String,
    depth: Depth,
    transcript: Option<Transcript>,
    subagents: Subagents,
    /// Whether the transcript was there once.
    was_there: bool,
    /// How many more looks there are at the likely place only.
    skip: usize,
}

impl Following {
    pub(super) fn new(id: String, depth: Depth) -> Self {
        Self {
            id,
            depth,
            transcript: None,
            subagents: Subagents::default(),
            was_there: false,
            skip: 0,
        }
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// The transcript; none before its first row was written.
    pub(super) fn transcript(&self) -> Option<&Transcript> {
        self.transcript.as_ref()
    }

    /// Looks for what is new in the transcript, below `projects` and most likely in the folder
    /// `likely`.
    ///
    /// # Errors
    ///
    /// It cannot be read, or it was there and is nowhere now. What was read before stands.
    pub(super) fn look(
        &mut self,
        projects: &Path,
        likely: Option<&str>,
        clock: &dyn Clock,
    ) -> io::Result<()> {
        if let Some(transcript) = &mut self.transcript {
            match transcript.look(clock) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                other => return other,
            }
        }
        let Some(path) = self.find(projects, likely) else {
            return if self.was_there {
                Err(io::ErrorKind::NotFound.into())
            } else {
                Ok(())
            };
        };
        self.subagents = Subagents::of(&path);
        self.was_there = true;
        let transcript = match self.transcript.take() {
            Some(mut transcript) => {
                transcript.moved(path);
                transcript
            }
            None => Transcript::of_session(path, self.depth),
        };
        self.transcript.insert(transcript).look(clock)
    }

    /// Looks for what is new of the subagents.
    pub(super) fn look_at_subagents(&mut self, clock: &dyn Clock) {
        self.subagents.look(clock);
    }

    /// What the session did itself, transcript by transcript.
    pub(super) fn own(&self) -> impl Iterator<Item = &Own> {
        let main = self.transcript.iter().map(Transcript::own);
        main.chain(self.subagents.own())
    }

    /// Whether nothing that the session did is left out.
    pub(super) fn is_complete(&self) -> bool {
        self.own().all(|own| own.complete) && self.subagents.is_complete()
    }

    fn find(&mut self, projects: &Path, likely: Option<&str>) -> Option<PathBuf> {
        if let Some(path) = folder::transcript_in(projects, &self.id, likely) {
            return Some(path);
        }
        if let Some(fewer) = self.skip.checked_sub(1) {
            self.skip = fewer;
            return None;
        }
        let (path, folders) = folder::transcript_anywhere(projects, &self.id);
        if path.is_none() {
            self.skip = (folders / CHEAP).min(SELDOM - 1);
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use attend_core::testkit::FakeClock;

    use super::*;

    const ID: &str = "00000000-0000-4000-8000-000000000001";

    /// How many looks it takes to find a transcript that appears beside `folders` others, where
    /// nobody expects it, right after one that found nothing.
    fn looks(folders: usize) -> usize {
        let directory = tempfile::tempdir().unwrap();
        let projects = directory.path();
        for n in 0..folders {
            fs::create_dir(projects.join(n.to_string())).unwrap();
        }
        let clock = FakeClock::new();
        let mut following = Following::new(ID.to_owned(), Depth::Turns);
        let mut looked = || {
            following.look(projects, Some("likely"), &clock).unwrap();
            following.transcript().is_some()
        };
        assert!(!looked());
        fs::create_dir(projects.join("other")).unwrap();
        fs::write(projects.join(format!("other/{ID}.jsonl")), "").unwrap();
        1 + (0..100).take_while(|_| !looked()).count()
    }

    #[test]
    fn a_transcript_that_appears_where_nobody_expects_it_is_found_as_soon_as_is_cheap() {
        assert_eq!([0, 100, 300].map(looks), [1, 1, 3]);
        assert_eq!(looks(CHEAP * 16), SELDOM);
    }
}
