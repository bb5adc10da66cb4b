//! Where transcripts lie: folders named after directories.

use std::fs;

use attend_core::sensor::Root;
use attend_sensors::host::claude_code::{folder_name, folders, transcript};

use crate::world::{ID, World, fixtures};

#[derive(serde::Deserialize)]
struct Encoding {
    cwd: String,
    dir: Option<String>,
    dir_prefix: Option<String>,
}

#[test]
fn directories_and_their_folders() {
    let json = fs::read_to_string(fixtures().join("constructed/cwd-encoding.json")).unwrap();
    let encodings: Vec<Encoding> = serde_json::from_str(&json).unwrap();
    assert_eq!(encodings.len(), 7);
    for Encoding {
        cwd,
        dir,
        dir_prefix,
    } in encodings
    {
        let name = folder_name(cwd.as_ref());
        if let Some(dir) = dir {
            assert_eq!(name, dir);
        }
        if let Some(prefix) = dir_prefix {
            assert!(name.starts_with(&format!("{prefix}-")), "{name}");
            let world = World::new();
            let projects = world.roots.path(Root::Host, "projects");
            world
                .roots
                .file_in(Root::Host, format!("projects/{prefix}-abc/x.jsonl"), "");
            world
                .roots
                .file_in(Root::Host, format!("projects/{prefix}/x.jsonl"), "");
            let found = folders(&projects, cwd.as_ref());
            assert_eq!(found, [projects.join(format!("{prefix}-abc"))]);
        }
    }
}

#[test]
fn a_transcript_is_found_in_any_folder() {
    let world = World::new();
    let projects = world.roots.path(Root::Host, "projects");
    assert_eq!(transcript(&projects, ID, None), None);
    let path = world
        .roots
        .file_in(Root::Host, format!("projects/-a/{ID}.jsonl"), "");
    assert_eq!(transcript(&projects, ID, Some("-b")), Some(path.clone()));
    assert_eq!(
        transcript(&projects, ID, Some("../projects/-a")),
        Some(path)
    );
    let likely = world
        .roots
        .file_in(Root::Host, format!("projects/-b/{ID}.jsonl"), "");
    assert_eq!(transcript(&projects, ID, Some("-b")), Some(likely));
    assert_eq!(transcript(&projects, "../-a/x", None), None);
}
