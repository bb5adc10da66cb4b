//! Work trees: which project a directory belongs to, read from its files without asking git.

use std::io;
use std::path::Path;

use attend_core::mail::Place;
use attend_sensors::host::claude_code::folders;
use attend_sensors::repository_of;

/// The place that `path` lies in: the work tree around it and its repository's common directory,
/// else the directory itself. A file stands for the directory that it lies in.
///
/// Linked work trees and submodules are followed; what points nowhere is no repository.
pub(crate) fn place(path: &Path) -> io::Result<Place> {
    let mut directory = path.canonicalize()?;
    if !directory.is_dir() {
        directory.pop();
    }
    for above in directory.ancestors() {
        if let Some(common) = repository_of(above) {
            return Ok(Place::new(common, above));
        }
    }
    Ok(Place::new(&directory, &directory))
}

/// The same, with the host's configuration below `host`, where the host knows the place.
pub(crate) fn tracked_place(path: &Path, host: Option<&Path>) -> io::Result<Place> {
    let place = place(path)?;
    let Some(host) = host else { return Ok(place) };
    let projects = host.join("projects");
    let is_tracked = folders(&projects, &place.root)
        .iter()
        .any(|folder| folder.is_dir());
    Ok(match (is_tracked, host.canonicalize()) {
        (true, Ok(host)) => place.tracked_at(host),
        _ => place,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn linked_work_trees_are_places_of_one_project() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        let main = home.join("api");
        write(&main.join(".git/HEAD"), "ref: refs/heads/main\n");
        let private = main.join(".git/worktrees/fix");
        write(&private.join("commondir"), "../..\n");
        let linked = home.join("fix");
        write(
            &linked.join(".git"),
            &format!("gitdir: {}\n", private.display()),
        );
        fs::create_dir_all(linked.join("src/deep")).unwrap();

        let common = main.join(".git");
        assert_eq!(place(&main).unwrap(), Place::new(&common, &main));
        let below = place(&linked.join("src/deep")).unwrap();
        assert_eq!(below, Place::new(&common, &linked));
        assert_eq!(below.folder(), "api");

        // Newer versions of git may write the path relative to the work tree.
        write(&linked.join(".git"), "gitdir: ../api/.git/worktrees/fix");
        assert_eq!(place(&linked).unwrap(), below);
    }

    #[test]
    fn a_submodule_is_a_project_of_its_own() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        write(&home.join(".git/modules/dep/HEAD"), "");
        write(&home.join("dep/.git"), "gitdir: ../.git/modules/dep\n");
        let place = place(&home.join("dep")).unwrap();
        assert_eq!(place.project, home.join(".git/modules/dep"));
        assert_eq!(place.root, home.join("dep"));
    }

    #[test]
    fn without_a_repository_it_is_the_directory_with_its_links_resolved() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        let real = home.join("notes");
        fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(&real, home.join("link")).unwrap();
        assert_eq!(place(&home.join("link")).unwrap(), Place::new(&real, &real));

        // What points nowhere, and what is no pointer at all.
        for text in ["gitdir: /no/such/place\n", "\u{0}\u{1}", ""] {
            write(&real.join(".git"), text);
            assert_eq!(place(&real).unwrap(), Place::new(&real, &real), "{text:?}");
        }
        assert!(place(&home.join("nowhere")).is_err());
    }

    #[test]
    fn a_place_is_tracked_where_the_host_has_a_folder_for_it() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        let (project, host) = (home.join("p"), home.join("host"));
        fs::create_dir_all(&project).unwrap();
        let untracked = tracked_place(&project, Some(&host)).unwrap();
        assert_eq!(untracked.host_root, None);
        let folder = attend_sensors::host::claude_code::folder_name(&project);
        fs::create_dir_all(host.join("projects").join(folder)).unwrap();
        let tracked = tracked_place(&project, Some(&host)).unwrap();
        assert_eq!(tracked.host_root, Some(host));
    }
}
