//! Lint: everything that is wrong in the files of ways.

use std::path::Path;

use super::corpus::{contents, files, unreadable};
use super::finding::{Finding, Problem};
use super::frontmatter::read;
use super::id::WayId;
use super::trigger::Trigger;
use super::way::Way;

/// What is wrong in the file at `path`, or in all Markdown files below it; and how many files
/// were looked at.
pub fn lint(path: &Path) -> (usize, Vec<Finding>) {
    if !path.is_dir() {
        let name = path.file_name().map_or(path, Path::new);
        return (1, file(path, name));
    }
    let files = files(path);
    let found = files.iter().flat_map(|one| {
        let below = one.strip_prefix(path).unwrap_or(one);
        file(one, below)
    });
    (files.len(), found.collect())
}

fn file(path: &Path, below: &Path) -> Vec<Finding> {
    let id = match WayId::of(below) {
        Ok(id) => id,
        Err(error) => {
            let finding = Finding::new(path, Problem::BadId, error.to_string());
            return vec![finding.instead("rename the file")];
        }
    };
    match contents(path) {
        Err(why) => vec![unreadable(path, why)],
        Ok(text) => {
            let read = read(&id, path, &text);
            let mut found = read.findings;
            if let Some(way) = read.way {
                found.extend(too_large(path, &way));
            }
            found
        }
    }
}

/// Patterns that are well formed and still cannot be used.
fn too_large(path: &Path, way: &Way) -> Vec<Finding> {
    let (key, patterns) = match &way.trigger {
        Trigger::UserPromptSubmit(prompts) => (
            "trigger.pattern",
            prompts.pattern.iter().collect::<Vec<_>>(),
        ),
        Trigger::Tool(_, calls) => ("trigger.commands", calls.commands.iter().collect()),
        _ => return Vec::new(),
    };
    let wrong = patterns
        .into_iter()
        .filter_map(|pattern| pattern.build().err());
    wrong
        .map(|error| {
            Finding::new(path, Problem::WrongValue, error.to_string())
                .key(key)
                .instead("write a shorter one")
        })
        .collect()
}
