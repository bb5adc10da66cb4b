//! Links between pages: each leads to a file that is there, and to a heading in it.

use std::fs;
use std::path::Path;

use crate::pages::{pages, workspace};

/// The lines of `text` that are not in a fenced block.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut inside = false;
    text.lines().enumerate().filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !inside && !fence
    })
}

/// The targets of the links in `line`, and of its pictures.
fn targets(line: &str) -> Vec<&str> {
    let open = line.match_indices("](").map(|(at, _)| at + 2);
    open.filter_map(|at| line.get(at..)?.split(')').next())
        .collect()
}

/// The anchor that a heading gets.
fn anchor(heading: &str) -> String {
    let kept = heading
        .trim_matches(['#', ' '])
        .chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
            _ => None,
        });
    kept.collect::<String>().to_lowercase()
}

/// What is wrong with the links of `text`, which is the page at `path`.
fn broken(path: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        for target in targets(line) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (file, wanted) = target.split_once('#').unwrap_or((target, ""));
            let there = match file {
                "" => path.to_owned(),
                file => path.parent().unwrap().join(file),
            };
            let headings = || {
                let text = if file.is_empty() {
                    text.to_owned()
                } else {
                    fs::read_to_string(&there).unwrap_or_default()
                };
                prose(&text).any(|(_, line)| line.starts_with('#') && anchor(line) == wanted)
            };
            if !there.exists() || !(wanted.is_empty() || headings()) {
                found.push(format!("{}:{}: {target}", path.display(), number + 1));
            }
        }
    }
    found
}

#[test]
fn every_link_of_every_page_leads_somewhere() {
    let pages = pages();
    assert!(pages.len() > 20, "{pages:?}");
    let found = pages
        .iter()
        .flat_map(|path| broken(path, &fs::read_to_string(path).unwrap()));
    let found: Vec<String> = found.collect();
    assert!(
        found.is_empty(),
        "these lead nowhere:\n{}",
        found.join("\n")
    );
}

#[test]
fn every_page_of_the_guide_is_linked_from_its_index() {
    let guide = workspace().join("docs/guide");
    let index = fs::read_to_string(guide.join("index.md")).unwrap();
    for path in pages()
        .iter()
        .filter(|path| path.starts_with(&guide) && !path.ends_with("index.md"))
    {
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(index.contains(&format!("]({name})")), "{name}");
    }
    let readme = fs::read_to_string(workspace().join("README.md")).unwrap();
    assert!(readme.contains("](docs/guide/index.md)"));
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    let path = workspace().join("README.md");
    let text = "# A `b`, c\n[good](docs/guide/index.md#guide) [here](#a-b-c) [web](https://example.org)\n\
                ```\n[code](nowhere.md)\n```\n[bad](nowhere.md) and [bad](#d) and [bad](docs/guide/index.md#d)\n";
    let found = broken(&path, text);
    let found: Vec<&str> = found
        .iter()
        .map(|one| one.rsplit(": ").next().unwrap())
        .collect();
    assert_eq!(found, ["nowhere.md", "#d", "docs/guide/index.md#d"]);
}
