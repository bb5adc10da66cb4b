//! The public interface, listed: what others build on changes only where the list changes with it.
//!
//! The lists are `attend-core/public-api.txt` and `attend-sensors/public-api.txt`, made of what
//! rustdoc knows, with all features. With `UPDATE=1` in the environment they are written anew.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

mod types;

mod listing;
use listing::Listing;

/// What a public signature may name of crates that are not ours, beside the standard library.
const ALLOWED: [&str; 5] = [
    "serde_core::de::Deserialize",
    "serde_core::de::DeserializeOwned",
    "serde_core::de::Deserializer",
    "serde_core::ser::Serialize",
    "serde_core::ser::Serializer",
];

/// Crates of which a public signature may name anything.
const ALLOWED_WHOLE: [&str; 3] = ["attend_core", "schemars", "serde_json"];

/// The directory that holds all packages; none where this one was unpacked alone.
fn workspace() -> Option<PathBuf> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    above.join("attend-sensors").is_dir().then(|| above.into())
}

/// What rustdoc knows of `package`.
///
/// The form is an unstable one, so the compiler is told to take it all the same; this has a target
/// directory of its own, for otherwise everything else would be built anew after it.
#[expect(clippy::disallowed_methods, reason = "cargo is what is asked")]
fn known(workspace: &Path, package: &str) -> Value {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("api");
    let ran = Command::new(env!("CARGO"))
        .args(["rustdoc", "--offline", "--lib", "--all-features", "-p"])
        .arg(package)
        .args(["--", "-Z", "unstable-options", "--output-format", "json"])
        .current_dir(workspace)
        .env("CARGO_TARGET_DIR", &target)
        .env("RUSTC_BOOTSTRAP", "1")
        .output()
        .expect("cargo starts");
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "cargo rustdoc: {said}");
    let file = target.join(format!("doc/{}.json", package.replace('-', "_")));
    let text = fs::read_to_string(file).expect("rustdoc wrote it");
    serde_json::from_str(&text).expect("it is JSON")
}

/// The lines that only one of two lists has: those gone with a minus, those new with a plus.
fn differences(before: &str, now: &str) -> Vec<String> {
    let (before, now): (BTreeSet<_>, BTreeSet<_>) =
        (before.lines().collect(), now.lines().collect());
    let gone = before.difference(&now).map(|line| format!("- {line}"));
    let new = now.difference(&before).map(|line| format!("+ {line}"));
    gone.chain(new).collect()
}

#[expect(clippy::disallowed_methods, reason = "a person asks for new lists")]
fn hold(package: &str) {
    let Some(workspace) = workspace() else { return };
    let Listing { lines, foreign } = Listing::of(&known(&workspace, package));
    assert!(lines.len() > 20, "{package}: hardly anything is public");
    let text = lines.into_iter().collect::<Vec<_>>().join("\n") + "\n";
    let path = workspace.join(package).join("public-api.txt");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &text).expect("a list");
    }
    let differences = differences(&fs::read_to_string(&path).unwrap_or_default(), &text);
    assert!(
        differences.is_empty(),
        "the public interface of {package} is another:\n{}\nif it is meant, write the list anew: \
         UPDATE=1 cargo test -p attend-core --all-features --test api -- --ignored",
        differences.join("\n")
    );
    let whole = |path: &str| ALLOWED_WHOLE.contains(&path.split("::").next().unwrap_or_default());
    let strange: Vec<_> = foreign
        .iter()
        .filter(|path| !ALLOWED.contains(&path.as_str()) && !whole(path))
        .collect();
    assert!(
        strange.is_empty(),
        "{package} shows types of crates that are not ours, and may break when they do: {strange:?}"
    );
}

#[test]
#[ignore = "documents the crate and what it builds on: half a minute"]
fn the_interface_of_attend_core_is_the_listed_one() {
    hold("attend-core");
}

#[test]
#[ignore = "documents the crate and what it builds on: half a minute"]
fn the_interface_of_attend_sensors_is_the_listed_one() {
    hold("attend-sensors");
}

#[test]
fn a_changed_line_is_told_with_what_stood_there() {
    let told = differences("fn a()\nfn b()\n", "fn a()\nfn b(u8)\n");
    assert_eq!(told, ["- fn b()", "+ fn b(u8)"]);
}
