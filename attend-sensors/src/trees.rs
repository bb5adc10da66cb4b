//! Which directories belong to this session's project: its work tree and those linked with it.

use std::fs;
use std::path::{Path, PathBuf};

/// How many linked work trees are known.
const MOST: usize = 256;

/// The longest file that says where something lies, in bytes.
const MAX_POINTER: u64 = 16 << 10;

/// The work trees of one repository, or a directory that has none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Trees(Vec<PathBuf>);

impl Trees {
    /// The work tree at `root` and those linked with it, as its repository says.
    pub(crate) fn of(root: &Path) -> Self {
        let mut trees = vec![root.to_owned()];
        let Some(common) = common_directory(root) else {
            return Self(trees);
        };
        if common.file_name().is_some_and(|name| name == ".git") {
            trees.extend(common.parent().map(Path::to_owned));
        }
        let linked = fs::read_dir(common.join("worktrees"));
        let linked = linked.into_iter().flatten().take(MOST).flatten();
        trees.extend(linked.filter_map(|entry| {
            let private = entry.path();
            let git = private.join(pointer(&private.join("gitdir"))?);
            Some(git.canonicalize().ok()?.parent()?.to_owned())
        }));
        Self(trees)
    }

    /// Whether whoever works in `directory` works on the project: in one of its work trees, and
    /// in no other repository inside it.
    pub(crate) fn hold(&self, directory: &Path) -> bool {
        let is_below = directory.ancestors().any(|above| self.is_top(above));
        let inside = directory.ancestors();
        let mut inside = inside.take_while(|above| !self.is_top(above));
        is_below && !inside.any(|above| above.join(".git").exists())
    }

    fn is_top(&self, directory: &Path) -> bool {
        self.0.iter().any(|tree| tree == directory)
    }
}

/// The common directory of the repository whose work tree has its top at `root`.
fn common_directory(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    let private = if fs::metadata(&git).ok()?.is_file() {
        root.join(pointer(&git)?.strip_prefix("gitdir:")?.trim_start())
    } else {
        git
    };
    let common = match pointer(&private.join("commondir")) {
        Some(common) => private.join(common),
        None => private,
    };
    common.canonicalize().ok()
}

/// What a file of one line says, where it is one.
fn pointer(path: &Path) -> Option<String> {
    let metadata = fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > MAX_POINTER {
        return None;
    }
    let text = fs::read_to_string(path).ok()?;
    Some(text.trim_end_matches(['\n', '\r']).to_owned())
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
            assert_eq!(Trees::of(&home), Trees(vec![home.clone()]), "{text:?}");
        }
    }
}
