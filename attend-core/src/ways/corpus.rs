//! The corpus: ways from several roots, the later over the earlier.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::bundled::BUNDLED;
use super::finding::{Finding, Problem};
use super::frontmatter::read;
use super::id::WayId;
use super::index::{Index, Known, Mark};
use super::summary::Summary;
use super::way::Way;

/// A file larger than this is no way.
const MOST_BYTES: u64 = 256 << 10;

/// More files than anybody writes.
const MOST_FILES: usize = 10_000;

/// How deep directories may lie within each other.
const MOST_DEPTH: usize = 8;

/// Whose a way is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Origin {
    /// It came with the program.
    Bundled,
    /// It lies in another directory that the user named.
    More,
    /// It is the user's own, for all projects.
    User,
    /// It is the project's.
    Project,
}

/// A directory with ways.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Root {
    /// Whose they are.
    pub origin: Origin,
    /// The directory; it need not be there.
    pub path: PathBuf,
}

/// A way, and where it comes from.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Loaded {
    /// The way.
    pub way: Way,
    /// Whose it is.
    pub origin: Origin,
    /// Its file; none for those that came with the program.
    pub file: Option<PathBuf>,
}

/// All ways that hold: of two with the same id, the one whose root comes later.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Corpus {
    ways: BTreeMap<WayId, Loaded>,
    warnings: Vec<String>,
}

impl Corpus {
    /// The ways that came with the program.
    pub fn bundled() -> Self {
        let mut corpus = Self::default();
        for (id, text) in BUNDLED {
            corpus.add(id, text);
        }
        corpus
    }

    /// The ways that came with the program, and over them those in `roots`, the later over the
    /// earlier.
    ///
    /// A file that is no way is skipped with one warning. What is not there is no mistake.
    pub fn load(roots: &[Root]) -> Self {
        let mut corpus = Self::bundled();
        for root in roots {
            let files = files(&root.path);
            corpus.seek(root, &files, None, &|_| true);
        }
        corpus
    }

    /// Takes in those of `files`, which lie below `root`, of whose trigger `wanted` takes the
    /// summary; over ways that are there already, whatever theirs is.
    ///
    /// With an `index` only files that it does not know are read, and those that are wanted, or
    /// no ways: of them it is said as ever.
    pub fn seek(
        &mut self,
        root: &Root,
        files: &[PathBuf],
        mut index: Option<&mut Index>,
        wanted: &dyn Fn(&Summary) -> bool,
    ) {
        for file in files {
            let mut marked = index.as_deref_mut().zip(file.to_str().zip(mark(file)));
            let known = match &mut marked {
                Some((index, (path, mark))) => index.known(path, *mark),
                None => Known::Nothing,
            };
            let is_left = matches!(known, Known::Way(summary) if !wanted(summary));
            if is_left && self.ways.is_empty() {
                continue;
            }
            let is_new = known == Known::Nothing;
            let below = file.strip_prefix(&root.path).unwrap_or(file);
            let id = match WayId::of(below) {
                Ok(id) => id,
                Err(error) => {
                    self.warn(file, error.why());
                    continue;
                }
            };
            if is_left {
                self.ways.remove(&id);
                continue;
            }
            let summary = self.take(id, file, root, wanted);
            if let Some((index, (path, mark))) = marked.filter(|_| is_new) {
                index.learn(path, mark, summary);
            }
        }
    }

    /// Takes in one file, if it is wanted; gives the summary of its trigger where it is a way.
    fn take(
        &mut self,
        id: WayId,
        file: &Path,
        root: &Root,
        wanted: &dyn Fn(&Summary) -> bool,
    ) -> Option<Summary> {
        let text = match contents(file) {
            Ok(text) => text,
            Err(why) => {
                self.warn(file, &why);
                return None;
            }
        };
        let way = self.parsed(&id, &text, file)?;
        let summary = Summary::of(&way.trigger);
        if wanted(&summary) {
            let loaded = Loaded {
                way,
                origin: root.origin,
                file: Some(file.to_path_buf()),
            };
            self.ways.insert(id, loaded);
        } else {
            self.ways.remove(&id);
        }
        Some(summary)
    }

    /// One more way that comes with the program; one of the same id that is there already wins.
    pub fn add_bundled(&mut self, id: &str, text: &str) {
        if WayId::new(id).is_ok_and(|id| self.ways.contains_key(&id)) {
            return;
        }
        self.add(id, text);
    }

    fn add(&mut self, id: &str, text: &str) {
        let Ok(id) = WayId::new(id) else {
            return self.warn(Path::new(id), "its path makes no id");
        };
        if let Some(way) = self.parsed(&id, text, Path::new(id.as_str())) {
            let loaded = Loaded {
                way,
                origin: Origin::Bundled,
                file: None,
            };
            self.ways.insert(id, loaded);
        }
    }

    /// The way in the text of `file`; where it is none, that is warned of.
    fn parsed(&mut self, id: &WayId, text: &str, file: &Path) -> Option<Way> {
        let read = read(id, file, text);
        if read.way.is_none() {
            let mut worst = read.findings.iter().filter(|one| one.problem.is_fatal());
            let why = worst.next().map_or_else(String::new, ToString::to_string);
            self.warnings.push(format!(
                "{why}; this way is skipped (ways lint tells all of it)"
            ));
        }
        read.way
    }

    fn warn(&mut self, file: &Path, why: &str) {
        let file = file.display();
        self.warnings
            .push(format!("{file}: {why}; this way is skipped"));
    }

    /// The ways, by their ids.
    pub fn ways(&self) -> impl Iterator<Item = &Loaded> {
        self.ways.values()
    }

    /// The way `id`.
    pub fn get(&self, id: &str) -> Option<&Loaded> {
        self.ways.get(&WayId::new(id).ok()?)
    }

    /// Those that are guidance for `signal`, by their ids.
    pub fn for_signal(&self, signal: &str) -> Vec<&Loaded> {
        let handles = |loaded: &&Loaded| {
            let mut signals = loaded.way.trigger.signals().iter();
            signals.any(|known| known.as_str() == signal)
        };
        self.ways().filter(handles).collect()
    }

    /// All signals for which there is guidance, each once, in their order.
    pub fn signals(&self) -> Vec<&str> {
        let all = self.ways().flat_map(|loaded| loaded.way.trigger.signals());
        let mut all: Vec<&str> = all.map(crate::sensor::Signal::as_str).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What was skipped, one line each.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

/// The Markdown files below `root`, in their order. Hidden ones and links to directories are
/// left out.
pub fn files(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut left = vec![(root.to_path_buf(), 0)];
    while let Some((directory, depth)) = left.pop() {
        let Ok(entries) = fs::read_dir(&directory) else {
            continue;
        };
        for entry in entries.flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let is_hidden = name.to_string_lossy().starts_with('.');
            if is_hidden || found.len() >= MOST_FILES {
                continue;
            }
            let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_directory && depth < MOST_DEPTH {
                left.push((path, depth + 1));
            } else if !is_directory && path.extension().is_some_and(|end| end == "md") {
                found.push(path);
            }
        }
    }
    found.sort_unstable();
    found
}

/// By what a change of a file is seen; none where it is not there.
fn mark(file: &Path) -> Option<Mark> {
    let metadata = fs::metadata(file).ok()?;
    Some(Mark {
        size: metadata.len(),
        changed: metadata.modified().ok()?,
    })
}

/// The text of a file, or why it has none.
pub(super) fn contents(file: &Path) -> Result<String, String> {
    // Opening a pipe would wait for somebody to write to it.
    let kind = fs::metadata(file).map_err(|error| format!("it cannot be read: {error}"))?;
    if !kind.is_file() {
        return Err("it is no file".to_owned());
    }
    let opened = fs::File::open(file).map_err(|error| format!("it cannot be read: {error}"))?;
    // Room for all of it and one more: its end is then found by two calls instead of eight.
    let size = usize::try_from(kind.len().min(MOST_BYTES)).unwrap_or(0);
    let mut bytes = Vec::with_capacity(size + 64);
    let read = opened.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("it cannot be read: {error}"))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("it is larger than {} KiB", MOST_BYTES >> 10));
    }
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())
}

/// What is wrong with a file that cannot be read.
pub(super) fn unreadable(file: &Path, why: String) -> Finding {
    let instead = "make it a Markdown file in UTF-8 that you can read";
    Finding::new(file, Problem::Unreadable, why).instead(instead)
}
