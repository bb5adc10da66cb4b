//! Tells whether projects are still there: their directories, and what the host keeps of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{ErrorKind, Result};
use std::path::{Path, PathBuf};

use attend_core::mail::{ProjectInfo, Sightings};

use super::folder::{folders, is_session_id, transcript};
use super::process::{Liveness, liveness};
use super::record::SessionRecord;

/// Which of `projects` are gone, and which are there.
///
/// One is gone when the host tracked it once, and now nothing is left of it: neither its
/// directory, nor any of its work trees, nor a folder of the host's that is named after one of
/// these, nor a transcript of a session that sat there. Where the host's configuration, or any of
/// the directories, cannot be read or has no folder for projects, it is unknown, and so is a
/// project that the host never tracked.
pub fn sightings(projects: &[ProjectInfo]) -> Sightings {
    let mut readable = BTreeMap::new();
    let mut seen = Sightings::default();
    for project in projects {
        let Some(root) = &project.host_root else {
            continue;
        };
        let tracked = root.join("projects");
        let is_readable = *readable
            .entry(tracked.clone())
            .or_insert_with(|| is_readable(&tracked).unwrap_or(false));
        match is_there(project, &tracked) {
            Ok(true) => seen.there.push(project.id),
            Ok(false) if is_readable => seen.gone.push(project.id),
            _ => {}
        }
    }
    seen
}

/// The sessions of which the host whose configuration lies below `host` still keeps something: a
/// transcript, those of subagents, or the record of a process that has not ended for all that
/// `proc` shows.
///
/// # Errors
///
/// Not all of it can be listed, or there is no folder for projects: then nobody knows of which it
/// keeps nothing.
pub fn kept_sessions(host: &Path, proc: &Path) -> Result<BTreeSet<String>> {
    let mut kept = BTreeSet::new();
    for folder in fs::read_dir(host.join("projects"))? {
        let folder = folder?;
        if !fs::metadata(folder.path()).is_ok_and(|folder| folder.is_dir()) {
            continue;
        }
        for entry in fs::read_dir(folder.path())? {
            let name = entry?.file_name();
            let name = name.to_string_lossy();
            let id = name.strip_suffix(".jsonl").unwrap_or(&name);
            kept.extend(Some(id).filter(|id| is_session_id(id)).map(str::to_owned));
        }
    }
    let records = SessionRecord::all(host)?.into_iter();
    let records = records.filter(|record| liveness(proc, record) != Liveness::Gone);
    kept.extend(records.filter_map(|record| record.session));
    Ok(kept)
}

/// Whether all that lies in a directory can be named and looked at.
fn is_readable(directory: &Path) -> Result<bool> {
    fs::symlink_metadata(directory.join("."))?;
    for entry in fs::read_dir(directory)? {
        entry?;
    }
    Ok(true)
}

fn is_there(project: &ProjectInfo, tracked: &Path) -> Result<bool> {
    let directories = directories(project);
    for directory in &directories {
        if exists(directory)? {
            return Ok(true);
        }
    }
    let is_kept = |directory: &PathBuf| !folders(tracked, directory).is_empty();
    let is_told = |session: &String| transcript(tracked, session, None).is_some();
    Ok(directories.iter().any(is_kept) || project.sessions.iter().any(is_told))
}

/// The directories of a project: what makes it one, what holds that, and its work trees.
fn directories(project: &ProjectInfo) -> Vec<PathBuf> {
    let mut directories = project.roots.clone();
    directories.push(project.path.clone());
    let is_git = project.path.file_name().is_some_and(|name| name == ".git");
    directories.extend(
        project
            .path
            .parent()
            .filter(|_| is_git)
            .map(Path::to_path_buf),
    );
    directories
}

fn exists(path: &Path) -> Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(_) => Ok(true),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use attend_core::mail::ProjectId;
    use tempfile::TempDir;

    use super::super::folder_name;
    use super::*;

    const SESSION: &str = "00000000-0000-4000-8000-000000000001";

    /// A project of which nothing is left but what a test makes, in a home of its own.
    struct World {
        home: TempDir,
        project: ProjectInfo,
    }

    impl World {
        fn new() -> Self {
            let home = TempDir::new().unwrap();
            fs::create_dir_all(home.path().join("host/projects")).unwrap();
            let repo = home.path().join("api");
            let mut project = ProjectInfo::new(ProjectId::new(1), repo.join(".git"), "Cleo");
            project.host_root = Some(home.path().join("host"));
            project.roots = vec![repo, home.path().join("fix")];
            project.sessions = vec![SESSION.to_owned()];
            Self { home, project }
        }

        fn make(&self, path: &str) {
            fs::create_dir_all(self.home.path().join(path)).unwrap();
        }

        /// Whether it is there; none where that is unknown.
        fn seen(&self) -> Option<bool> {
            let seen = sightings(std::slice::from_ref(&self.project));
            match (seen.gone.is_empty(), seen.there.is_empty()) {
                (false, true) => Some(false),
                (true, false) => Some(true),
                _ => None,
            }
        }
    }

    #[test]
    fn nothing_is_left_of_a_project_that_is_gone() {
        assert_eq!(World::new().seen(), Some(false));
    }

    #[test]
    fn any_directory_or_folder_that_is_left_keeps_it() {
        for path in ["api", "api/.git", "fix"] {
            let world = World::new();
            world.make(path);
            assert_eq!(world.seen(), Some(true), "{path}");
        }
        for tree in 0..2 {
            let world = World::new();
            let folder = folder_name(&world.project.roots[tree]);
            world.make(&format!("host/projects/{folder}"));
            assert_eq!(world.seen(), Some(true), "{folder}");
        }
    }

    #[test]
    fn a_transcript_in_any_folder_keeps_it() {
        let world = World::new();
        world.make("host/projects/-elsewhere");
        let transcript = format!("host/projects/-elsewhere/{SESSION}.jsonl");
        fs::write(world.home.path().join(transcript), "").unwrap();
        assert_eq!(world.seen(), Some(true));
    }

    #[test]
    fn without_a_readable_host_it_is_unknown() {
        let mut world = World::new();
        fs::remove_dir(world.home.path().join("host/projects")).unwrap();
        assert_eq!(world.seen(), None, "it has no folder for projects");
        fs::write(world.home.path().join("host/projects"), "").unwrap();
        assert_eq!(world.seen(), None, "it is no directory");
        world.project.host_root = None;
        assert_eq!(world.seen(), None, "no host tracked it");
    }

    #[test]
    fn a_session_is_kept_by_a_transcript_or_by_a_process_that_may_live() {
        let world = World::new();
        let host = world.home.path().join("host");
        let proc = world.home.path().join("proc");
        let kept = || {
            kept_sessions(&host, &proc)
                .unwrap()
                .into_iter()
                .collect::<Vec<_>>()
        };
        assert_eq!(kept(), [""; 0]);
        world.make("host/projects/-api/of-subagents/subagents");
        fs::write(host.join("projects/-api/told.jsonl"), "").unwrap();
        fs::write(host.join("projects/stray"), "").unwrap();
        world.make("host/sessions");
        for (pid, session) in [(7, "ended"), (8, "lives")] {
            let record = format!(r#"{{"pid":{pid},"procStart":"1","sessionId":"{session}"}}"#);
            fs::write(host.join(format!("sessions/{pid}.json")), record).unwrap();
        }
        assert_eq!(
            kept(),
            ["ended", "lives", "of-subagents", "told"],
            "no table"
        );
        world.make("proc/self");
        world.make("proc/8");
        let stat = format!("8 (node) S {}1 0", "0 ".repeat(18));
        fs::write(proc.join("8/stat"), stat).unwrap();
        assert_eq!(kept(), ["lives", "of-subagents", "told"]);
        fs::remove_dir_all(host.join("projects")).unwrap();
        assert!(kept_sessions(&host, &proc).is_err());
    }

    #[test]
    fn a_directory_that_cannot_be_looked_at_is_unknown() {
        let mut world = World::new();
        world.project.roots.push(PathBuf::from("a".repeat(5_000)));
        assert_eq!(world.seen(), None);
    }
}
