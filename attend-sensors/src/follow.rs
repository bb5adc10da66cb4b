//! The watch on what the host says may change its answers: the transcript, or others' records.

use std::fmt;
use std::path::PathBuf;

use attend_core::sensor::{BuildContext, ErrorKind, SensorError, Watch};

/// A watch that follows what the host names.
pub(crate) struct Follow {
    /// What is watched, for people.
    what: &'static str,
    watch: Option<Box<dyn Watch>>,
    paths: Vec<PathBuf>,
    /// Whether all of them are watched.
    complete: bool,
    /// What has to be said once.
    refused: Option<SensorError>,
}

impl Follow {
    /// A watch on nothing yet; `what` says for people what it is to be: `the transcript is`.
    pub(crate) fn new(cx: &BuildContext, what: &'static str) -> Self {
        let (watch, refused) = match cx.open_watch() {
            Ok(watch) => (Some(watch), None),
            Err(error) => (None, Some(error)),
        };
        Self {
            what,
            watch,
            paths: Vec::new(),
            complete: true,
            refused,
        }
    }

    /// Watches `paths` and nothing else. What has to be said once.
    pub(crate) fn follow(&mut self, paths: &[PathBuf]) -> Option<SensorError> {
        if let Some(watch) = &mut self.watch {
            let changes = watch.take();
            let moved = self.paths != paths || changes.structure || changes.lost;
            if moved {
                watch.clear();
                paths.clone_into(&mut self.paths);
            }
            if moved || !self.complete {
                self.complete = true;
                for path in paths {
                    match watch.add(path) {
                        Ok(()) => {}
                        // It may yet appear.
                        Err(error) if error.kind() == ErrorKind::Transient => self.complete = false,
                        Err(error) => {
                            self.refused = Some(error);
                            self.watch = None;
                            break;
                        }
                    }
                }
            }
        }
        let refused = self.refused.take()?;
        Some(SensorError::unavailable(format!(
            "{} looked at by interval and not watched: {refused}",
            self.what
        )))
    }
}

impl fmt::Debug for Follow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Follow")
            .field("paths", &self.paths)
            .field("complete", &self.complete)
            .finish_non_exhaustive()
    }
}
