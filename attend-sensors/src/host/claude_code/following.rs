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
/// second one for twice as many, and so on. A host that is at work has one.
const CHEAP_AT_WORK: usize = 128;

/// The same while it waits: mostly for its first prompt, for hours perhaps.
const CHEAP: usize = 16;

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
    /// How many folders there were when it was looked for everywhere, and the looks since then.
    folders: usize,
    since: usize,
}

impl Following {
    pub(super) fn new(id: String, depth: Depth) -> Self {
        Self {
            id,
            depth,
            transcript: None,
            subagents: Subagents::default(),
            was_there: false,
            folders: 0,
            since: 0,
        }
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    pub(super) fn depth(&self) -> Depth {
        self.depth
    }

    /// The transcript; none before its first row was written.
    pub(super) fn transcript(&self) -> Option<&Transcript> {
        self.transcript.as_ref()
    }

    /// Looks for what is new in the transcript, below `projects` and most likely in the folder
    /// `likely`. Where the host is at work, it must be somewhere.
    ///
    /// # Errors
    ///
    /// It cannot be read, or it was there and is nowhere now. What was read before stands.
    pub(super) fn look(
        &mut self,
        projects: &Path,
        likely: Option<&str>,
        at_work: bool,
        clock: &dyn Clock,
    ) -> io::Result<()> {
        if let Some(transcript) = &mut self.transcript {
            match transcript.look(clock) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                other => return other,
            }
        }
        let Some(path) = self.find(projects, likely, at_work) else {
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

    fn find(&mut self, projects: &Path, likely: Option<&str>, at_work: bool) -> Option<PathBuf> {
        if let Some(path) = folder::transcript_in(projects, &self.id, likely) {
            return Some(path);
        }
        let cheap = if at_work { CHEAP_AT_WORK } else { CHEAP };
        self.since += 1;
        if self.since <= (self.folders / cheap).min(SELDOM - 1) {
            return None;
        }
        let (path, folders) = folder::transcript_anywhere(projects, &self.id);
        (self.folders, self.since) = (folders, 0);
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
    fn looks(folders: usize, at_work: bool) -> usize {
        let directory = tempfile::tempdir().unwrap();
        let projects = directory.path();
        for n in 0..folders {
            fs::create_dir(projects.join(n.to_string())).unwrap();
        }
        let clock = FakeClock::new();
        let mut following = Following::new(ID.to_owned(), Depth::Turns);
        let mut looked = || {
            following
                .look(projects, Some("likely"), at_work, &clock)
                .unwrap();
            following.transcript().is_some()
        };
        assert!(!looked());
        fs::create_dir(projects.join("other")).unwrap();
        fs::write(projects.join(format!("other/{ID}.jsonl")), "").unwrap();
        1 + (0..100).take_while(|_| !looked()).count()
    }

    #[test]
    fn a_transcript_that_appears_where_nobody_expects_it_is_found_as_soon_as_is_cheap() {
        let counted = |folders: [usize; 4], at_work| folders.map(|n| looks(n, at_work));
        assert_eq!(counted([0, 10, 50, 500], false), [1, 1, 4, SELDOM]);
        assert_eq!(counted([0, 100, 300, 2_048], true), [1, 1, 3, SELDOM]);
    }
}
