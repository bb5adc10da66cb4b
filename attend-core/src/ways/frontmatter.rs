//! Frontmatter: from the text of a file to a way, and what is wrong in it.

use std::path::Path;

use super::fading::cadence;
use super::fields::{Fields, Findings, listed};
use super::finding::{Finding, Problem};
use super::firing::trigger;
use super::id::WayId;
use super::legacy;
use super::way::{Scope, Way};
use crate::yaml;

/// The keys at the top of a frontmatter.
const KEYS: [&str; 7] = [
    "name",
    "description",
    "trigger",
    "curve",
    "refire",
    "scope",
    "embed_threshold",
];

/// What was read of a file.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Read {
    /// The way; none where something is wrong that makes it none.
    pub way: Option<Way>,
    /// What is wrong, in the order of the file.
    pub findings: Vec<Finding>,
}

/// Reads the `text` of `file`, which is the way `id`.
///
/// ```
/// use std::path::Path;
/// use attend_core::ways::{WayId, read};
///
/// let text = "---\nname: note\ndescription: What to do next\ntrigger:\n  type: attend\n  signals: [build-complete]\n---\n\nRun the tests.\n";
/// let way = read(&WayId::new("note")?, Path::new("note.md"), text).way.unwrap();
/// assert_eq!(way.body, "Run the tests.\n");
/// # Ok::<(), attend_core::ways::WayIdError>(())
/// ```
pub fn read(id: &WayId, file: &Path, text: &str) -> Read {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let parts = split(text);
    let mut found = Findings::new(file, 1);
    let (front, body) = match parts {
        Ok(parts) => parts,
        Err(why) => {
            let finding = Finding::new(file, Problem::Frontmatter, why)
                .line(1)
                .instead("begin with a line `---`, then `name`, `description` and `trigger`, then a line `---`");
            found.all.push(finding);
            return Read {
                way: None,
                findings: found.all,
            };
        }
    };
    let way = match yaml::parse(front) {
        Ok(document) => {
            for fault in document.faults {
                found.fault(fault);
            }
            way(id, Fields::top(&document.fields), body, &mut found)
        }
        Err(fault) => {
            found.fault(fault);
            None
        }
    };
    if body.trim().is_empty() {
        let line = text.lines().count().max(1);
        let finding = Finding::new(
            file,
            Problem::EmptyBody,
            "there is no guidance below the frontmatter",
        );
        found.all.push(
            finding
                .line(line)
                .instead("write what to do, below the second `---`"),
        );
    }
    let way = way.filter(|_| !found.is_fatal());
    found.all.sort_by_key(|finding| finding.line);
    Read {
        way,
        findings: found.all,
    }
}

/// The frontmatter and the body.
fn split(text: &str) -> Result<(&str, &str), &'static str> {
    let mut at = 0;
    let mut begins = None;
    for line in text.split_inclusive('\n') {
        let is_fence = line.trim_end() == "---";
        match begins {
            None if is_fence => begins = Some(at + line.len()),
            None => return Err("there is no frontmatter"),
            Some(begins) if is_fence => {
                let front = text.get(begins..at).unwrap_or_default();
                let body = text.get(at + line.len()..).unwrap_or_default();
                return Ok((front, body.trim_start_matches(['\r', '\n'])));
            }
            Some(_) => {}
        }
        at += line.len();
    }
    Err(if begins.is_some() {
        "the frontmatter does not end"
    } else {
        "there is no frontmatter"
    })
}

fn way(id: &WayId, top: Fields<'_>, body: &str, found: &mut Findings<'_>) -> Option<Way> {
    legacy::find(top, found);
    top.unknown(&KEYS, &legacy::KEYS, found);
    let name = top.needed("name", "what-it-is-called", found);
    let description = top.needed("description", "What it is for, on one line", found);
    let trigger = trigger(top, found);
    let cadence = cadence(top, found);
    let scope = top
        .text("scope", found)
        .map_or(Some(Scope::default()), |text| {
            let scope = Scope::of(text);
            if scope.is_none() {
                let instead = format!("write {}", listed(&Scope::NAMES));
                top.refuse(
                    "scope",
                    Problem::WrongValue,
                    "there is no such scope",
                    &instead,
                    found,
                );
            }
            scope
        });
    let embed_threshold = top.number("embed_threshold", found);
    Some(Way {
        id: id.clone(),
        name: one_line(name?),
        description: one_line(description?),
        trigger: trigger?,
        cadence: cadence?,
        scope: scope?,
        embed_threshold,
        body: body.to_owned(),
    })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
