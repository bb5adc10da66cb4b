//! The workspace's files, read from disk.

use std::fs;
use std::path::{Path, PathBuf};

use crate::source::Source;

/// Every text file of the workspace, in the order of their paths; none where this package was
/// unpacked alone.
pub(crate) fn workspace() -> Option<Vec<Source>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let manifest = fs::read_to_string(root.join("Cargo.toml")).ok()?;
    if !manifest.contains("[workspace]") {
        return None;
    }
    let mut sources = Vec::new();
    walk(root, root, &mut sources);
    Some(sources)
}

fn walk(root: &Path, directory: &Path, sources: &mut Vec<Source>) {
    let entries = fs::read_dir(directory).expect("a directory of the workspace is readable");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry is readable").path())
        .collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let hidden = name.starts_with('.') && !matches!(&*name, ".ci" | ".gitignore");
        if hidden || name == "target" || path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            walk(root, &path, sources);
        } else if let Ok(text) = fs::read_to_string(&path) {
            let inner = path.strip_prefix(root).expect("it lies below the root");
            let inner: Vec<_> = inner.iter().map(|part| part.to_string_lossy()).collect();
            sources.push(Source::new(&inner.join("/"), &text));
        }
    }
}

#[test]
fn the_workspace_is_really_read() {
    let Some(sources) = workspace() else { return };
    let has = |path: &str| sources.iter().any(|source| source.path == path);
    let expected = [
        "Cargo.toml",
        ".ci/run",
        "attend-core/src/lib.rs",
        "attend-core/src/dynamics/curve.rs",
        "attend-core/tests/tidy/tree.rs",
        "attend-sensors/src/lib.rs",
        "attend-bin/src/main.rs",
    ];
    for path in expected {
        assert!(has(path), "{path} was not read");
    }
    let module = |wing: &str| has(&format!("attend-core/src/{wing}/mod.rs"));
    assert!(
        crate::arrows::WINGS
            .iter()
            .filter(|(wing, _)| module(wing))
            .count()
            >= 6
    );
}
