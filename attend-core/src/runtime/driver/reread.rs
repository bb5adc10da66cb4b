//! Reading configuration again: when a file of it changes, and now and then for safety.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::Command;
use crate::attention::{HandledSignals, Settings};
use crate::runtime::cleanup::Cleanup;
use crate::runtime::roster::SensorSetup;
use crate::sensor::{Changes, WakeHandle, Watch, Watcher};

/// How often files are looked at though nothing was seen to change.
const SAFETY: Duration = Duration::from_secs(30);

/// How long a file that changes is left alone: whoever writes it may not be done.
const SETTLE: Duration = Duration::from_millis(150);

/// How deep directories are watched.
const MOST_DEPTH: usize = 8;

/// What holds from now on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// For the engine.
    pub settings: Settings,
    /// All sensors.
    pub sensors: Vec<SensorSetup>,
    /// When mail of projects that are gone is removed; none where that stays as it is.
    pub cleanup: Option<Cleanup>,
    /// The signals that some loaded way handles; none where they stay as they are.
    pub handled: Option<HandledSignals>,
    /// The directories below which Markdown files are watched; none where they stay as they are.
    pub below: Option<Vec<PathBuf>>,
    /// What has to be said of it, once.
    pub notice: Option<String>,
    /// What was said of the plan before, and holds no longer.
    pub solved: Option<String>,
}

impl Plan {
    /// These settings and these sensors, and nothing to say.
    pub fn new(settings: Settings, sensors: Vec<SensorSetup>) -> Self {
        Self {
            settings,
            sensors,
            cleanup: None,
            handled: None,
            below: None,
            notice: None,
            solved: None,
        }
    }

    /// The same, with when mail of projects that are gone is removed.
    #[must_use]
    pub fn cleanup(mut self, cleanup: Cleanup) -> Self {
        self.cleanup = Some(cleanup);
        self
    }

    /// The same, with the signals that some loaded way handles.
    #[must_use]
    pub fn handled(mut self, handled: HandledSignals) -> Self {
        self.handled = Some(handled);
        self
    }

    /// The same, with the directories below which Markdown files are watched.
    #[must_use]
    pub fn below(mut self, directories: Vec<PathBuf>) -> Self {
        self.below = Some(directories);
        self
    }

    /// The same for something that was said before and holds no longer.
    #[must_use]
    pub fn solved(mut self, notice: impl Into<String>) -> Self {
        self.solved = Some(notice.into());
        self
    }

    /// The same with something to say, once.
    #[must_use]
    pub fn notice(mut self, notice: impl Into<String>) -> Self {
        self.notice = Some(notice.into());
        self
    }
}

/// Which files are read again, and by what.
pub(super) struct Reread {
    files: Vec<PathBuf>,
    below: Vec<PathBuf>,
    read: Box<dyn FnMut() -> Option<Plan> + Send>,
}

impl Reread {
    pub(super) fn new(
        files: Vec<PathBuf>,
        read: impl FnMut() -> Option<Plan> + Send + 'static,
    ) -> Self {
        Self {
            files,
            below: Vec::new(),
            read: Box::new(read),
        }
    }

    /// Watches the Markdown files below `directories`, too.
    pub(super) fn below(&mut self, directories: Vec<PathBuf>) {
        self.below = directories;
    }

    /// Sends what changed, for ever.
    pub(super) async fn run(mut self, watcher: &dyn Watcher, plans: UnboundedSender<Command>) {
        let changed = Arc::new(Notify::new());
        let woken = changed.clone();
        // Where nothing can be watched, the safety look remains.
        let mut watch = watcher
            .open(WakeHandle::new(move || woken.notify_one()))
            .ok();
        let mut safety = interval(SAFETY);
        safety.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let seen = tokio::select! {
                _ = safety.tick() => true,
                () = changed.notified() => {
                    sleep(SETTLE).await;
                    watch.as_mut().is_some_and(|watch| self.concerns(&watch.take()))
                }
            };
            if !seen {
                continue;
            }
            // What is watched before it is read cannot change unseen in between. Directories
            // come and go; one that is watched already is not watched twice.
            if let Some(watch) = &mut watch {
                self.watch(watch.as_mut());
            }
            if let Some(plan) = (self.read)() {
                if let Some(below) = &plan.below {
                    self.below.clone_from(below);
                }
                let _ = plans.send(Command::Plan(Box::new(plan)));
            }
        }
    }

    /// Watches the directory of each file; where that is not there, the one in which it would
    /// appear.
    fn watch(&self, watch: &mut dyn Watch) {
        let directories = self.files.iter().filter_map(|file| file.parent());
        for directory in directories.collect::<BTreeSet<_>>() {
            if watch.add(directory).is_err()
                && let Some(above) = directory.parent()
            {
                // Where that fails too, the safety look remains.
                let _ = watch.add(above);
            }
        }
        for root in &self.below {
            let mut left = vec![(root.clone(), 0)];
            while let Some((directory, depth)) = left.pop() {
                let is_watched = watch.add(&directory).is_ok();
                if is_watched && depth < MOST_DEPTH {
                    left.extend(below(&directory).map(|one| (one, depth + 1)));
                } else if depth == 0 {
                    // Where it would appear.
                    let mut above = directory.ancestors().skip(1).take(2);
                    let _ = above.any(|above| watch.add(above).is_ok());
                }
            }
        }
    }

    /// Whether `changes` may be about one of the files.
    fn concerns(&self, changes: &Changes) -> bool {
        let mine = changes.paths.iter().any(|path| self.files.contains(path));
        let is_way = |path: &PathBuf| {
            let is_below = self.below.iter().any(|root| path.starts_with(root));
            is_below && path.extension().is_some_and(|end| end == "md")
        };
        let mine = mine || changes.paths.iter().any(is_way);
        mine || changes.structure || changes.lost
    }
}

/// The directories in `directory`; hidden ones and links are left out.
fn below(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let directories = entries.filter(|entry| {
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        !is_hidden && entry.file_type().is_ok_and(|kind| kind.is_dir())
    });
    directories.map(|entry| entry.path())
}

impl fmt::Debug for Reread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reread")
            .field("files", &self.files)
            .finish_non_exhaustive()
    }
}
