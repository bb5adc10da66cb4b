//! Decides from what a watch saw whether to look, and keeps the watch on what there is.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

use attend_core::dynamics::{Tick, TickDelta};
use attend_core::sensor::{BuildContext, Changes, PollContext, SensorError, Watch};

use super::command::{self, Place};
use super::name::{Name, path};
use super::tree::{Unwatched, Watcher, WorkTree};

/// Looked at anyway after so many ticks, watched or not.
const SAFETY: u64 = 600;

/// A refused watch is tried again after so many ticks.
const RETRY: u64 = 600;

/// A tree that was too large is tried again after so many ticks.
const RETRY_LARGE: u64 = 3_600;

/// How many ignored files are known by name, so that a change of theirs costs nothing.
const MAX_QUIET: usize = 10_000;

/// How many submodules are watched.
const MAX_SUBMODULES: usize = 64;

/// When to look, and what for.
pub(super) struct Eyes {
    watch: Option<Box<dyn Watch>>,
    /// Whether everything that matters is watched.
    covered: bool,
    /// When watching is tried again.
    retry: Option<Tick>,
    pending: Pending,
    looked: Option<Tick>,
    /// Ignored files: what happens to them changes nothing.
    quiet: HashSet<PathBuf>,
    /// Ignored directories, which are not watched.
    shunned: HashSet<PathBuf>,
    /// What has to be said once.
    warning: Option<SensorError>,
}

/// What changed since the last look that succeeded: a set of the constants below.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Pending(u8);

/// Something that a status would show.
const LOOK: Pending = Pending(1);
/// Branches, or what they follow.
const REFS: Pending = Pending(1 | 2);
/// The index: a file that was ignored may be no longer.
const INDEX: Pending = Pending(1 | 4);
/// Directories, or what is ignored.
const WALK: Pending = Pending(1 | 8);
const EVERYTHING: Pending = Pending(1 | 2 | 4 | 8);

/// What is to be watched: all that has to be asked for first.
#[derive(Debug)]
pub(super) struct Plan {
    trees: Vec<WorkTree>,
    ignored: Vec<Name>,
}

impl Eyes {
    /// Eyes that watch, if `watch` says so and the system allows it.
    pub(super) fn new(cx: &BuildContext, watch: bool) -> Self {
        let (watch, refused) = match watch.then(|| cx.open_watch()) {
            Some(Ok(watch)) => (Some(watch), None),
            Some(Err(error)) => (None, Some(Unwatched::Refused(error).told())),
            None => (None, None),
        };
        Self {
            watch,
            covered: false,
            retry: None,
            pending: Pending::default(),
            looked: None,
            quiet: HashSet::new(),
            shunned: HashSet::new(),
            warning: refused,
        }
    }

    /// Takes note of what the watch saw. Kept until a look succeeds, so that a look that is
    /// cancelled loses nothing.
    pub(super) fn gather(&mut self, place: Option<&Place>) {
        if let (Some(watch), Some(place)) = (&mut self.watch, place) {
            let changes = watch.take();
            if !changes.is_empty() {
                self.pending.note(&changes, place, &self.quiet);
            }
        }
    }

    /// Whether there is reason to look.
    pub(super) fn due(&self, now: Tick) -> bool {
        let recent = |looked: &Tick| now.since(*looked).get() < SAFETY;
        !(self.covered
            && self.pending == Pending::default()
            && self.looked.as_ref().is_some_and(recent))
    }

    /// Whether branches may have moved without HEAD or its counts telling.
    pub(super) fn refs(&self) -> bool {
        !self.covered || self.pending.has(REFS)
    }

    /// Whether the look should ask for ignored paths again.
    pub(super) fn index(&self) -> bool {
        self.covered && self.pending.has(INDEX)
    }

    /// Whether it has to be found out what is to be watched. `moved` says that the repository
    /// is another than before.
    pub(super) fn wants_plan(&self, now: Tick, moved: bool) -> bool {
        let wait = self.retry.is_some_and(|retry| now < retry);
        self.watch.is_some() && !wait && (!self.covered || self.pending.has(WALK) || moved)
    }

    /// Watches according to `plan`. A status has to follow: what changed until now is forgotten.
    /// Where this is cancelled, nothing counts as watched.
    pub(super) async fn cover(&mut self, plan: &Plan, place: &Place, now: Tick) {
        let Some(watch) = self.watch.as_deref_mut() else {
            return;
        };
        self.covered = false;
        watch.clear();
        watch.take();
        match cover(watch, plan, place).await {
            Ok(()) => {
                self.covered = true;
                self.retry = None;
                self.pending = REFS;
            }
            Err(unwatched) => {
                watch.clear();
                // Only what is news is said: the same refusal again is not.
                if self.retry.is_none() {
                    self.warning = Some(unwatched.told());
                }
                let wait = match unwatched {
                    Unwatched::TooLarge => RETRY_LARGE,
                    Unwatched::Refused(_) => RETRY,
                };
                self.retry = Some(now.after(TickDelta::new(wait)));
            }
        }
        self.ignored(&place.top, &plan.ignored);
    }

    /// There is no repository around `work`: the place where one would appear is watched, and
    /// nothing else. Where that is refused, the next look is as far away as any.
    pub(super) fn wait(&mut self, work: &Path) {
        self.covered = false;
        if let Some(watch) = &mut self.watch {
            watch.clear();
            watch.take();
            for path in [work.to_owned(), work.join(".git")] {
                let _ = watch.add(&path);
            }
        }
    }

    /// Makes room for what the watch sees next.
    pub(super) fn forget(&mut self) {
        if let Some(watch) = &mut self.watch {
            watch.take();
        }
    }

    /// A look succeeded. What is to be said beside what it found.
    pub(super) fn looked(
        &mut self,
        now: Tick,
        top: &Path,
        ignored: &[Name],
    ) -> Option<SensorError> {
        let mut walk = false;
        if self.index() {
            // A directory that is ignored no longer has to be watched from now on.
            let shunned = std::mem::take(&mut self.shunned);
            self.ignored(top, ignored);
            walk = !shunned.is_subset(&self.shunned);
        }
        self.pending = if walk { WALK } else { Pending::default() };
        self.looked = Some(now);
        self.warning.take()
    }

    fn ignored(&mut self, top: &Path, ignored: &[Name]) {
        let (mut quiet, mut shunned) = (HashSet::new(), HashSet::new());
        for name in ignored {
            match name.as_bytes().strip_suffix(b"/") {
                Some(directory) => shunned.insert(top.join(path(directory))),
                None if quiet.len() < MAX_QUIET => quiet.insert(top.join(path(name.as_bytes()))),
                None => continue,
            };
        }
        (self.quiet, self.shunned) = (quiet, shunned);
    }
}

/// Asks for what is to be watched.
pub(super) async fn plan(cx: &PollContext, place: &Place) -> Result<Plan, SensorError> {
    let ignored = command::ignored(cx, &place.top).await?;
    let mut trees = vec![WorkTree::new(place.top.clone(), &ignored)];
    let mut asked = 0;
    while let Some(top) = trees.get(asked).map(|tree| tree.top.clone()) {
        asked += 1;
        for top in command::submodules(cx, &top).await {
            let known = trees.iter().any(|tree| tree.top == top);
            let there = top.join(".git").symlink_metadata().is_ok();
            if known || !there || trees.len() > MAX_SUBMODULES {
                continue;
            }
            // One that cannot be read is left to the safety look.
            if let Ok(ignored) = command::ignored(cx, &top).await {
                trees.push(WorkTree::new(top, &ignored));
            }
        }
    }
    Ok(Plan { trees, ignored })
}

async fn cover(watch: &mut dyn Watch, plan: &Plan, place: &Place) -> Result<(), Unwatched> {
    let mut watcher = Watcher::new(watch);
    watcher.git_dirs(place).await?;
    for tree in &plan.trees {
        watcher.work_tree(tree).await?;
        if tree.top != place.top {
            watcher.submodule(&tree.top)?;
        }
    }
    Ok(())
}

impl Pending {
    fn has(self, all: Self) -> bool {
        self.0 & all.0 == all.0
    }

    fn add(&mut self, more: Self) {
        self.0 |= more.0;
    }

    fn note(&mut self, changes: &Changes, place: &Place, quiet: &HashSet<PathBuf>) {
        if changes.lost || changes.structure {
            return self.add(EVERYTHING);
        }
        for path in &changes.paths {
            let inside = |dir: &Path| path.strip_prefix(dir).map(Path::to_owned).ok();
            match inside(&place.git_dir) {
                Some(own) => self.add(of_git(&own)),
                None if path.starts_with(&place.common_dir) => {
                    // HEAD, index and operations there belong to another work tree.
                    let shared = inside(&place.common_dir).map(|path| of_git(&path));
                    self.add(shared.filter(|shared| shared.has(REFS)).unwrap_or_default());
                }
                None if quiet.contains(path) => {}
                None => self.add(of_work(path)),
            }
        }
    }
}

/// What a change of `inside`, a path in a git directory, may mean. Lock files, logs, messages
/// and objects mean nothing.
fn of_git(inside: &Path) -> Pending {
    if inside
        .extension()
        .is_some_and(|extension| extension == "lock")
    {
        return Pending::default();
    }
    let last = inside.file_name().and_then(|name| name.to_str());
    match inside.iter().next().and_then(|name| name.to_str()) {
        Some("index") => INDEX,
        Some("packed-refs" | "refs" | "reftable") => REFS,
        Some("config" | "config.worktree" | "info") => EVERYTHING,
        Some(
            "HEAD" | "MERGE_HEAD" | "CHERRY_PICK_HEAD" | "REVERT_HEAD" | "BISECT_LOG"
            | "rebase-merge" | "rebase-apply" | "sequencer",
        ) => LOOK,
        Some("modules") if matches!(last, Some("HEAD" | "index")) => LOOK,
        _ => Pending::default(),
    }
}

/// What a change of `path`, in a work tree, may mean.
fn of_work(path: &Path) -> Pending {
    match path.file_name().and_then(|name| name.to_str()) {
        Some(".gitignore" | ".gitmodules" | ".git") => WALK,
        _ => LOOK,
    }
}

impl fmt::Debug for Eyes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Eyes")
            .field("covered", &self.covered)
            .field("pending", &self.pending)
            .finish_non_exhaustive()
    }
}
