//! Follows the transcripts of one session, wherever they are moved.

use std::io;
use std::path::{Path, PathBuf};

use super::folder;
use super::own::Own;
use super::subagents::Subagents;
use super::transcript::{Depth, Transcript};

/// A transcript that was nowhere is looked for everywhere again at every so many looks; where it
/// is likely to appear, at each.
const EVERYWHERE: u32 = 16;

/// The transcripts of the session `id`.
#[derive(Debug)]
pub(super) struct Following {
    id: String,
    depth: Depth,
    transcript: Option<Transcript>,
    subagents: Subagents,
    /// Whether the transcript was there once.
    was_there: bool,
    missed: u32,
}

impl Following {
    pub(super) fn new(id: String, depth: Depth) -> Self {
        Self {
            id,
            depth,
            transcript: None,
            subagents: Subagents::default(),
            was_there: false,
            missed: 0,
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
    pub(super) fn look(&mut self, projects: &Path, likely: Option<&str>) -> io::Result<()> {
        if let Some(transcript) = &mut self.transcript {
            match transcript.look() {
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
        self.transcript.insert(transcript).look()
    }

    /// Looks for what is new of the subagents.
    pub(super) fn look_at_subagents(&mut self) {
        self.subagents.look();
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
        let everywhere = self.missed.is_multiple_of(EVERYWHERE);
        let found = if everywhere {
            folder::transcript(projects, &self.id, likely)
        } else {
            folder::transcript_in(projects, &self.id, likely)
        };
        self.missed = if found.is_some() {
            0
        } else {
            self.missed.wrapping_add(1)
        };
        found
    }
}
