//! Which directories belong to this session's project: its work tree and those linked with it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::beginning::beginning;

/// How many linked work trees are known.
const MOST: usize = 256;

/// The longest file that says where something lies, in bytes.
const MAX_POINTER: u64 = 16 << 10;

/// The work trees of one repository, or a directory that has none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Trees {
    tops: Vec<PathBuf>,
    /// Where each keeps what is its own in the repository; none outside of one.
    private: Vec<Option<PathBuf>>,
}

impl Trees {
    /// The work tree at `root` and those linked with it, as its repository says.
    pub(crate) fn of(root: &Path) -> Self {
        let mut trees = Self {
            tops: Vec::new(),
            private: Vec::new(),
        };
        let private = private_directory(root);
        let common = private.as_deref().and_then(common_directory);
        trees.add(root.to_owned(), private.filter(|_| common.is_some()));
        let Some(common) = common else {
            return trees;
        };
        if common.file_name().is_some_and(|name| name == ".git")
            && let Some(top) = common.parent()
        {
            trees.add(top.to_owned(), Some(common.clone()));
        }
        let linked = fs::read_dir(common.join("worktrees"));
        for entry in linked.into_iter().flatten().take(MOST).flatten() {
            let private = entry.path();
            let git = pointer(&private.join("gitdir")).map(|git| private.join(git));
            let git = git.and_then(|git| git.canonicalize().ok());
            if let Some(top) = git.as_deref().and_then(Path::parent) {
                trees.add(top.to_owned(), Some(private));
            }
        }
        trees
    }

    fn add(&mut self, top: PathBuf, private: Option<PathBuf>) {
        if !self.tops.contains(&top) {
            self.tops.push(top);
            self.private.push(private);
        }
    }

    /// The top directory of each work tree; the first is the one that was asked for.
    pub(crate) fn tops(&self) -> &[PathBuf] {
        &self.tops
    }

    /// What the work tree of this number keeps of its own in the repository.
    pub(crate) fn private(&self, tree: usize) -> Option<&Path> {
        self.private.get(tree)?.as_deref()
    }

    /// Whether whoever works in `directory` works on the project: in one of its work trees, and
    /// in no other repository inside it.
    pub(crate) fn hold(&self, directory: &Path) -> bool {
        self.tree_of(directory).is_some()
    }

    /// The number of the work tree that `path` lies in, unless it lies in another repository
    /// inside of that.
    pub(crate) fn tree_of(&self, path: &Path) -> Option<usize> {
        let tree = |above: &Path| self.tops.iter().position(|top| top == above);
        let found = path.ancestors().find_map(tree)?;
        let inside = path.ancestors();
        let mut inside = inside.take_while(|above| tree(above).is_none());
        (!inside.any(|above| above.join(".git").exists())).then_some(found)
    }
}

/// What the work tree with its top at `root` keeps of its own in its repository.
fn private_directory(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if fs::metadata(&git).ok()?.is_file() {
        let to = pointer(&git)?;
        return Some(root.join(to.strip_prefix("gitdir:")?.trim_start()));
    }
    Some(git)
}

/// The common directory of the repository of a work tree that has `private` of its own.
fn common_directory(private: &Path) -> Option<PathBuf> {
    let common = match pointer(&private.join("commondir")) {
        Some(common) => private.join(common),
        None => private.to_owned(),
    };
    common.canonicalize().ok().filter(|common| common.is_dir())
}

/// The common directory of the repository whose work tree has its top at `root`, read from its
/// files without asking git; none where there is no repository.
///
/// Linked work trees and submodules are followed; what points nowhere is no repository.
pub fn repository_of(root: &Path) -> Option<PathBuf> {
    common_directory(&private_directory(root)?)
}

/// What a file of one line says, where it is one.
fn pointer(path: &Path) -> Option<String> {
    let bytes = beginning(path, MAX_POINTER + 1).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let is_whole = text.len() as u64 <= MAX_POINTER;
    is_whole.then(|| text.trim_end_matches(['\n', '\r']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn linked_work_trees_belong_to_one_project_wherever_it_is_looked_from() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        let (main, fix, old) = (home.join("api"), home.join("fix"), home.join("old"));
        write(&main.join(".git/HEAD"), "");
        for (tree, gitdir) in [
            (&fix, fix.join(".git").display().to_string()),
            (&old, "../../../../old/.git".to_owned()),
        ] {
            let name = tree.file_name().unwrap();
            let private = main.join(".git/worktrees").join(name);
            write(&private.join("commondir"), "../..\n");
            write(&private.join("gitdir"), &format!("{gitdir}\n"));
            write(
                &tree.join(".git"),
                &format!("gitdir: {}\n", private.display()),
            );
        }
        for root in [&main, &fix, &old] {
            let trees = Trees::of(root);
            for inside in [main.clone(), main.join("src"), fix.clone(), old.join("a/b")] {
                assert!(trees.hold(&inside), "{inside:?} from {root:?}");
            }
            for (n, top) in trees.tops().iter().enumerate() {
                let private = trees.private(n).unwrap();
                let head = private.join("HEAD");
                assert_eq!(head.exists(), *top == main, "{top:?} from {root:?}");
                assert_eq!(trees.tree_of(&top.join("src/a")), Some(n));
            }
            assert_eq!(trees.tops().len(), 3);
            for outside in [home.clone(), home.join("apis"), home.join("web")] {
                assert!(!trees.hold(&outside), "{outside:?} from {root:?}");
            }
        }
    }

    #[test]
    fn a_repository_inside_is_another_project() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        write(&home.join(".git/HEAD"), "");
        write(&home.join("dep/.git"), "gitdir: ../.git/modules/dep\n");
        let trees = Trees::of(&home);
        assert!(trees.hold(&home.join("src")));
        assert!(!trees.hold(&home.join("dep")));
        assert!(!trees.hold(&home.join("dep/src")));
        // A plain directory is a project, too, and its repositories are others.
        let plain = tempfile::tempdir().unwrap();
        let plain = plain.path().canonicalize().unwrap();
        write(&plain.join("web/.git/HEAD"), "");
        let trees = Trees::of(&plain);
        assert!(trees.hold(&plain) && trees.hold(&plain.join("notes")));
        assert!(!trees.hold(&plain.join("web/src")));
    }

    #[test]
    fn what_points_nowhere_is_no_repository() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        for text in ["gitdir: /no/such/place\n", "\u{0}\u{1}", ""] {
            write(&home.join(".git"), text);
            let trees = Trees::of(&home);
            assert_eq!(trees.tops(), [home.as_path()], "{text:?}");
            assert_eq!(trees.private(0), None, "{text:?}");
        }
    }
}
