//! Which files two sessions both edited, and what is said of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use attend_core::sensor::{OwnEdit, PeerEdits, Project};

use crate::edits::{Committed, Place};
use crate::name::Name;
use crate::naming::name;
use crate::trees::Trees;

/// How many files are named; the others are counted.
const NAMED: usize = 3;

/// How many files of one session are remembered.
const MAX_FILES: usize = 256;

/// The longest path that is told, in characters.
const MAX_PATH: usize = 80;

/// Files that this session and another both edited, and that neither committed since.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shared {
    /// The other session.
    pub(super) session: String,
    /// What it is called.
    name: String,
    /// The files, below the top of their work tree, in order.
    pub(super) files: BTreeSet<Name>,
    /// The work tree in which the other edited them, where that is one and another than this
    /// session's.
    elsewhere: Option<String>,
}

/// Edits that are open, by the file.
#[derive(Debug)]
pub(super) struct Mine<'a>(BTreeMap<&'a Path, (&'a Place, &'a OwnEdit)>);

/// What is needed to tell which edits are of one file, and open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground<'a> {
    pub(super) trees: &'a Trees,
    pub(super) places: &'a HashMap<PathBuf, Place>,
    pub(super) committed: &'a Committed,
}

impl<'a> Ground<'a> {
    /// Those of `edits` that are open, with the places of their files.
    fn open(
        self,
        edits: &'a [OwnEdit],
    ) -> impl Iterator<Item = (&'a Path, (&'a Place, &'a OwnEdit))> {
        edits.iter().filter_map(move |edit| {
            let place = self.places.get(&edit.path)?;
            let is_open = self.committed.is_open(edit, place);
            is_open.then_some((place.name.as_path(), (place, edit)))
        })
    }

    pub(super) fn mine(self, edits: &'a [OwnEdit]) -> Mine<'a> {
        Mine(self.open(edits).collect())
    }
}

impl Shared {
    /// The files of `theirs` that are among `mine`, too; none where there are none.
    pub(super) fn of(
        ground: Ground<'_>,
        mine: &Mine<'_>,
        theirs: &PeerEdits,
        project: &Project,
    ) -> Option<Self> {
        let mut files = BTreeSet::new();
        let mut trees = BTreeSet::new();
        for (file, (place, edit)) in ground.open(&theirs.edits) {
            let Some((my_place, my_edit)) = mine.0.get(file) else {
                continue;
            };
            // A session that was forked off another has a copy of its past.
            let is_copied = edit.call.is_some() && edit.call == my_edit.call;
            if !is_copied {
                files.insert(Name::from(file));
                trees.insert((place.tree, place.tree != my_place.tree));
            }
        }
        while files.len() > MAX_FILES {
            files.pop_last();
        }
        let peer = &theirs.peer;
        let cwd = peer.cwd.as_deref();
        let is_here = cwd.is_some_and(|cwd| ground.trees.hold(cwd));
        let mut trees = trees.into_iter();
        let elsewhere = match (trees.next(), trees.next()) {
            (Some((Some(tree), true)), None) => ground.trees.tops().get(tree),
            _ => None,
        };
        let elsewhere = elsewhere.and_then(|top| top.file_name());
        (!files.is_empty()).then(|| Self {
            session: peer.session.clone(),
            name: name(peer, is_here, project),
            files,
            elsewhere: elsewhere.map(|name| cut(&name.to_string_lossy())),
        })
    }

    /// What is said of it.
    pub(super) fn text(&self) -> String {
        let named = self.files.iter().take(NAMED);
        let mut named: Vec<String> = named
            .map(|file| cut(&String::from_utf8_lossy(file.as_bytes())))
            .collect();
        let others = self.files.len() - named.len();
        if others > 0 {
            let noun = if others == 1 { "file" } else { "files" };
            named.push(format!("{others} more {noun}"));
        }
        let last = named.pop().unwrap_or_default();
        let files = if named.is_empty() {
            last
        } else {
            format!("{} and {last}", named.join(", "))
        };
        let place = self.elsewhere.as_ref();
        let place = place.map_or_else(String::new, |tree| format!(" (in the work tree {tree})"));
        format!("{}{place} and this session both edited {files}", self.name)
    }
}

/// The end of a path, which tells most.
fn cut(path: &str) -> String {
    let over = path.chars().count().saturating_sub(MAX_PATH);
    if over == 0 {
        return path.to_owned();
    }
    let kept: String = path.chars().skip(over + 1).collect();
    format!("…{kept}")
}
