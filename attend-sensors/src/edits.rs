//! Which files were edited and not committed since, as far as that shows without running anything.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use attend_core::dynamics::Tick;
use attend_core::sensor::{OwnEdit, PollContext};

use crate::trees::Trees;

/// A file, the same in every work tree of its repository.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    /// The work tree that it lies in, by its number; none outside of all.
    pub(crate) tree: Option<usize>,
    /// Its path below the top of its work tree, else its whole path.
    pub(crate) name: PathBuf,
}

/// Where edited files lie, kept between looks: to find out asks the file system.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    trees: Option<Trees>,
    known: HashMap<PathBuf, Place>,
}

impl Places {
    /// Where each of `edits` lies. What is asked for no more is forgotten.
    pub(crate) fn of<'a>(
        &mut self,
        trees: &Trees,
        work: &Path,
        edits: impl Iterator<Item = &'a OwnEdit>,
    ) -> HashMap<PathBuf, Place> {
        if self.trees.as_ref() != Some(trees) {
            self.trees = Some(trees.clone());
            self.known.clear();
        }
        let found = edits.map(|edit| {
            let known = self.known.get(&edit.path).cloned();
            let place = known.unwrap_or_else(|| place(trees, &work.join(&edit.path)));
            (edit.path.clone(), place)
        });
        let found: HashMap<PathBuf, Place> = found.collect();
        self.known.clone_from(&found);
        found
    }
}

fn place(trees: &Trees, file: &Path) -> Place {
    // The file may be gone, its directory hardly.
    let parent = file.parent().and_then(|parent| parent.canonicalize().ok());
    let real = match (parent, file.file_name()) {
        (Some(parent), Some(name)) => parent.join(name),
        _ => file.to_owned(),
    };
    let tree = trees.tree_of(&real);
    let top = tree.and_then(|tree| trees.tops().get(tree));
    let below = top.and_then(|top| real.strip_prefix(top).ok());
    Place {
        tree,
        name: below.map_or_else(|| real.clone(), Path::to_owned),
    }
}

/// Until when edits were committed.
#[derive(Clone, Debug)]
pub(crate) struct Committed {
    /// When HEAD of each work tree moved last.
    moved: Vec<Option<Tick>>,
    /// What is older is of no interest, committed or not.
    oldest: Tick,
}

impl Committed {
    /// As the logs of HEAD say now; what is older than so many seconds counts as committed.
    pub(crate) fn of(trees: &Trees, cx: &PollContext, seconds: u64) -> Self {
        let moved = (0..trees.tops().len()).map(|tree| {
            let log = trees.private(tree)?.join("logs/HEAD");
            let written = fs::metadata(log).and_then(|log| log.modified()).ok()?;
            Some(tick(written, cx))
        });
        Self {
            moved: moved.collect(),
            oldest: Tick::new(cx.now().get().saturating_sub(seconds)),
        }
    }

    /// Whether `edit` of a file at `place` was made, and not committed since. Any commit of its
    /// work tree counts as one of it, and so does whatever else moves HEAD.
    pub(crate) fn is_open(&self, edit: &OwnEdit, place: &Place) -> bool {
        let Some(made) = edit.span.until else {
            return false;
        };
        let moved = place.tree.and_then(|tree| self.moved.get(tree).copied());
        made >= self.oldest && moved.flatten().is_none_or(|moved| made >= moved)
    }
}

/// The tick of a moment, or the one before: what was made in the same second was made later.
pub(crate) fn tick(moment: SystemTime, cx: &PollContext) -> Tick {
    let age = cx.wall().duration_since(moment).unwrap_or_default();
    let seconds = age.as_secs() + u64::from(age.subsec_nanos() > 0);
    Tick::new(cx.now().get().saturating_sub(seconds))
}
