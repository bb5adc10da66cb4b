//! The pages for people: the READMEs and what lies in `docs`.

use std::fs;
use std::path::{Path, PathBuf};

/// The directory that holds all packages.
pub(crate) fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap().to_owned()
}

/// Every page, in the order of the paths.
pub(crate) fn pages() -> Vec<PathBuf> {
    let root = workspace();
    let mut pages = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    let packages = ["attend-core", "attend-sensors", "attend-bin"];
    pages.extend(packages.map(|package| root.join(package).join("README.md")));
    let mut directories = vec![root.join("docs")];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|end| end == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// The text of a page of the guide.
pub(crate) fn page(name: &str) -> String {
    fs::read_to_string(workspace().join("docs/guide").join(name)).unwrap()
}

/// What `page` says is in the file `name`: the block below the line that names it.
pub(crate) fn file_in(page: &str, name: &str) -> String {
    let mut lines = page
        .lines()
        .skip_while(|line| *line != format!("`{name}`:"));
    let inside = lines
        .by_ref()
        .skip_while(|line| !line.starts_with("```"))
        .skip(1);
    inside
        .take_while(|line| *line != "```")
        .map(|line| line.to_owned() + "\n")
        .collect()
}
