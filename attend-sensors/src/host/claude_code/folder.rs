//! Finds transcripts: directories and the folders that are named after them.

use std::fs;
use std::path::{Path, PathBuf};

use unicode_normalization::UnicodeNormalization;

/// How many UTF-16 units of a directory its folder's name keeps.
const KEPT: usize = 200;

/// How many folders are looked through.
const MAX_FOLDERS: usize = 20_000;

/// What `directory` becomes in the name of its folder, and the hash that follows where it was cut.
fn encode(directory: &Path) -> (String, Option<String>) {
    let mut hash = 0_i32;
    let mut name = String::new();
    let mut units = 0_usize;
    let mut pair = [0; 2];
    for unit in directory
        .to_string_lossy()
        .nfc()
        .flat_map(|c| c.encode_utf16(&mut pair).to_vec())
    {
        hash = hash.wrapping_mul(31).wrapping_add(i32::from(unit));
        units += 1;
        if units <= KEPT {
            let kept = char::from_u32(u32::from(unit)).filter(char::is_ascii_alphanumeric);
            name.push(kept.unwrap_or('-'));
        }
    }
    (name, (units > KEPT).then(|| base36(hash.unsigned_abs())))
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit(number % 36, 36));
        number /= 36;
        if number == 0 {
            return digits.iter().rev().collect();
        }
    }
}

/// The name of the folder that holds the transcripts of `directory`, which must be canonical.
/// It cannot be decoded: different directories may share one.
///
/// ```
/// use std::path::Path;
/// use attend_sensors::host::claude_code::folder_name;
///
/// assert_eq!(folder_name(Path::new("/home/dev/my_app.v2")), "-home-dev-my-app-v2");
/// ```
pub fn folder_name(directory: &Path) -> String {
    match encode(directory) {
        (name, None) => name,
        (name, Some(hash)) => format!("{name}-{hash}"),
    }
}

/// The folders below `projects` that may hold the transcripts of `directory`: one, or for a long
/// directory all that begin alike, since versions of the host hash differently.
pub fn folders(projects: &Path, directory: &Path) -> Vec<PathBuf> {
    let (name, hash) = encode(directory);
    if hash.is_none() {
        return Some(projects.join(name))
            .into_iter()
            .filter(|path| path.is_dir())
            .collect();
    }
    let beginning = format!("{name}-");
    let found = entries(projects).filter(|path| {
        let name = path.file_name().map(|name| name.to_string_lossy());
        name.is_some_and(|name| name.starts_with(&beginning))
    });
    found.collect()
}

/// The transcript of the session `id`, wherever below `projects` it lies now: in the folder
/// `likely` if it is there, else in any; of several the one that was written last.
pub fn transcript(projects: &Path, id: &str, likely: Option<&str>) -> Option<PathBuf> {
    transcript_in(projects, id, likely).or_else(|| transcript_anywhere(projects, id).0)
}

/// The transcript of the session `id` in any folder, the one that was written last; and how many
/// folders were looked into.
pub(super) fn transcript_anywhere(projects: &Path, id: &str) -> (Option<PathBuf>, usize) {
    if !is_session_id(id) {
        return (None, 0);
    }
    let file = format!("{id}.jsonl");
    let mut folders = 0;
    let found = entries(projects).filter_map(|folder| {
        folders += 1;
        let path = folder.join(&file);
        let written = fs::metadata(&path)
            .ok()
            .filter(fs::Metadata::is_file)?
            .modified()
            .ok();
        Some((written, path))
    });
    let last = found.max().map(|(_, path)| path);
    (last, folders)
}

/// The transcript of the session `id` in the folder `likely`, if it lies there.
pub(super) fn transcript_in(projects: &Path, id: &str, likely: Option<&str>) -> Option<PathBuf> {
    let likely = likely.filter(|name| !name.contains(['/', '\\']) && !name.starts_with('.'))?;
    let path = projects.join(likely).join(format!("{id}.jsonl"));
    (is_session_id(id) && path.is_file()).then_some(path)
}

/// Whether `id` looks like the id of a session, and can stand in a path.
pub fn is_session_id(id: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    !id.is_empty() && id.len() <= 64 && id.chars().all(plain)
}

fn entries(projects: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(projects)
        .into_iter()
        .flatten()
        .take(MAX_FOLDERS);
    entries.filter_map(|entry| Some(entry.ok()?.path()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_directory_is_cut_and_hashed() {
        let long = format!("/{}", "a".repeat(300));
        let name = folder_name(Path::new(&long));
        let (kept, hash) = name.split_at(KEPT);
        assert_eq!(kept, format!("-{}", "a".repeat(199)));
        assert!(hash.len() > 2 && hash.starts_with('-'), "{hash}");
        let (_, exact) = encode(Path::new(&format!("/{}", "a".repeat(199))));
        assert_eq!(exact, None);
    }

    #[test]
    fn decomposed_names_are_composed() {
        assert_eq!(
            folder_name(Path::new("/A\u{308}pfel")),
            folder_name(Path::new("/Äpfel"))
        );
    }

    #[test]
    fn numbers_of_base_36() {
        assert_eq!(
            [0, 35, 36, u32::MAX].map(base36),
            ["0", "z", "10", "1z141z3"]
        );
    }

    #[test]
    fn ids_cannot_leave_their_folder() {
        for id in ["", "..", "a/b", "a.b", "a\0", &"a".repeat(65)] {
            assert!(!is_session_id(id), "{id:?}");
        }
        assert!(is_session_id("00000000-0000-4000-8000-000000000001"));
    }
}
