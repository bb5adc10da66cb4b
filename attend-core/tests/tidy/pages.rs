//! The pages for people: what they point at is there, and versions agree.

use crate::source::Source;
use crate::{Check, Finding, hold, lines};

const NOTHING_MISSING: Check = Check {
    name: "pages mention no file that is not there",
    find: missing,
    advice: "Name the file as it is called now, or leave it out.",
};

/// What begins a path from the root, where it stands in backticks.
const TOPS: [&str; 7] = [
    "docs/",
    "attend-core/",
    "attend-sensors/",
    "attend-bin/",
    "examples/",
    "benches/",
    ".ci/",
];

fn missing(sources: &[Source]) -> Vec<Finding> {
    let is_there = |path: &str| {
        let path = path.trim_end_matches('/');
        let inside = |source: &Source| {
            source
                .path
                .strip_prefix(path)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        path.is_empty()
            || sources
                .iter()
                .any(|source| source.path == path || inside(source))
    };
    let mut findings = Vec::new();
    for page in sources.iter().filter(|source| is_page(&source.path)) {
        let mut fenced = false;
        for (index, line) in page.text.lines().enumerate() {
            fenced ^= line.starts_with("```");
            if fenced {
                continue;
            }
            let links = links(line).map(|link| from(&page.path, link));
            let named = line
                .split('`')
                .skip(1)
                .step_by(2)
                .filter(|code| is_path(code));
            for path in links.chain(named.map(str::to_owned)) {
                if !is_there(&path) {
                    findings.push(Finding::new(page, index + 1, format!("`{path}`")));
                }
            }
        }
    }
    findings
}

fn is_page(path: &str) -> bool {
    let is_markdown = path.rsplit_once('.').is_some_and(|(_, kind)| kind == "md");
    is_markdown && (path.starts_with("docs/") || !path.contains('/'))
}

fn is_path(code: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    TOPS.iter().any(|top| code.starts_with(top)) && code.chars().all(plain)
}

/// The files to which a line links, without the places in them.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let targets = line
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    let files = targets.filter_map(|target| target.split('#').next());
    files.filter(|file| !file.is_empty() && !file.contains(':'))
}

/// The path from the root of what `page` calls `link`.
fn from(page: &str, link: &str) -> String {
    let mut parts: Vec<_> = page.split('/').collect();
    parts.pop();
    for part in link.split('/').filter(|part| *part != ".") {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

const IN_STEP: Check = Check {
    name: "versions are in step",
    find: out_of_step,
    advice: "The workspace's manifest says which version it is, and which compiler it needs.",
};

fn out_of_step(sources: &[Source]) -> Vec<Finding> {
    let file = |path: &str| sources.iter().find(|source| source.path == path);
    let (Some(manifest), Some(readme)) = (file("Cargo.toml"), file("README.md")) else {
        return Vec::new();
    };
    let value = |key: &str| {
        let line = manifest
            .text
            .lines()
            .find_map(|line| line.strip_prefix(key));
        line.and_then(|line| line.split('"').nth(1))
            .unwrap_or_default()
    };
    let mut findings = Vec::new();
    let version = format!("version = \"{}\"", value("version = "));
    for (index, line) in manifest.text.lines().enumerate() {
        let ours = line.starts_with("attend-") && line.contains("path = ");
        if ours && !line.contains(&version) {
            findings.push(Finding::new(
                manifest,
                index + 1,
                format!("it is not {version}"),
            ));
        }
    }
    let compiler = format!("Rust toolchain ({} or later)", value("rust-version = "));
    if !readme.text.contains(&compiler) {
        findings.push(Finding::new(
            readme,
            1,
            format!("it does not say \"{compiler}\""),
        ));
    }
    findings
}

#[test]
fn pages_mention_what_is_there() {
    hold(&NOTHING_MISSING);
}

#[test]
fn a_page_that_mentions_what_is_gone_is_found() {
    let page = "[a](b.md) [c](gone.md#x) [d](../README.md) [e](https://x/y)\n`docs/b.md` `docs` \
                `docs/sensors/` `docs/sensors/KIND*`\n```\n`docs/no.md`\n```\n`attend-core/gone.rs`";
    let files = [
        ("README.md", "[g](docs/a.md)"),
        ("docs/a.md", page),
        ("docs/b.md", ""),
        ("docs/sensors/git.md", "[b](../b.md)"),
        ("attend-core/README.md", "[f](gone.md)"),
    ];
    let expected = [
        "docs/a.md:1: `docs/gone.md`",
        "docs/a.md:6: `attend-core/gone.rs`",
    ];
    assert_eq!(lines(&NOTHING_MISSING, &files), expected);
}

#[test]
fn manifest_and_readme_are_in_step() {
    hold(&IN_STEP);
}

#[test]
fn versions_that_differ_are_found() {
    let manifest = "version = \"0.2.0\"\nrust-version = \"1.95\"\n\
                    attend-core = { path = \"attend-core\", version = \"0.1.0\" }\n\
                    attend-bin = { path = \"attend-bin\", version = \"0.2.0\" }\n";
    let files = [
        ("Cargo.toml", manifest),
        ("README.md", "With a Rust toolchain (1.90 or later)"),
    ];
    let expected = [
        "Cargo.toml:3: it is not version = \"0.2.0\"",
        "README.md:1: it does not say \"Rust toolchain (1.95 or later)\"",
    ];
    assert_eq!(lines(&IN_STEP, &files), expected);
}
