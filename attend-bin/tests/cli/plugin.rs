//! The plugin for Claude Code: written, written again, in the way of others, and removed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::home::{Home, stderr, stdout};

const FILES: [&str; 5] = [
    ".claude-plugin/plugin.json",
    ".claude-plugin/marketplace.json",
    "monitors/monitors.json",
    "hooks/hooks.json",
    "skills/attend/SKILL.md",
];

/// Everything below `dir`, with what stands in the files.
fn tree(dir: &Path) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(tree(&path));
            found.push((path, None));
        } else {
            let bytes = fs::read(&path).expect("a file");
            found.push((path, Some(bytes)));
        }
    }
    found.sort();
    found
}

/// What a command printed that did what was asked.
#[track_caller]
fn done(home: &Home, args: &[&str]) -> String {
    let output = home.output(args);
    assert_eq!(
        (output.status.code(), stderr(&output)),
        (Some(0), String::new())
    );
    stdout(&output)
}

/// What a command said that was refused and printed nothing.
#[track_caller]
fn refused(home: &Home, args: &[&str]) -> String {
    let output = home.output(args);
    assert_eq!(
        (output.status.code(), stdout(&output)),
        (Some(1), String::new())
    );
    stderr(&output)
}

fn plugin(home: &Home) -> PathBuf {
    home.path().join("attend/data/plugin")
}

#[test]
fn it_is_written_once_and_what_is_removed_leaves_nothing() {
    let home = Home::new();
    let before = tree(home.path());
    let text = done(&home, &["plugin", "install"]);
    let dir = plugin(&home);
    for file in FILES {
        assert!(dir.join(file).is_file(), "{file}");
        assert!(text.contains(file), "{text}");
    }
    let typed = format!(
        "  ! claude plugin marketplace add {} && claude plugin install attend@attend\n",
        dir.display()
    );
    assert!(text.ends_with(&typed), "{text}");
    let written = tree(home.path());
    let again = done(&home, &["plugin", "install"]);
    assert!(again.starts_with("nothing changed: "), "{again}");
    assert!(again.ends_with(&typed), "{again}");
    assert_eq!(tree(home.path()), written);
    // Nothing of the user's or of the host's was touched.
    assert!(!home.path().join("claude").exists());

    let text = done(&home, &["plugin", "uninstall"]);
    assert!(text.contains("(5 files)"), "{text}");
    assert_eq!(tree(home.path()), before);
    let again = done(&home, &["plugin", "uninstall"]);
    assert!(again.starts_with("nothing changed: "), "{again}");
    assert_eq!(tree(home.path()), before);
}

#[test]
fn what_is_printed_is_what_is_written() {
    let home = Home::new();
    let printed = done(&home, &["plugin", "print"]);
    assert!(!home.path().join("attend").exists());
    done(&home, &["plugin", "install", "--dir", "here"]);
    for file in FILES {
        let path = home.project().join("here").join(file);
        let text = fs::read_to_string(path).expect("a file");
        let part = format!("==> {file} <==\n{text}");
        assert!(printed.contains(&part), "{printed}");
    }
}

#[test]
fn what_is_somebody_elses_is_never_overwritten_or_removed() {
    let home = Home::new();
    for file in FILES.into_iter().chain(["attend-plugin.json"]) {
        let dir = home.project().join(file.replace('/', "-"));
        let path = dir.join(file);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(&path, "mine").expect("a file");
        let before = tree(&dir);
        let named = dir.display().to_string();
        let said = refused(&home, &["plugin", "install", "--dir", &named]);
        assert!(said.contains(&path.display().to_string()), "{said}");
        assert!(said.contains("attend plugin install --dir DIR"), "{said}");
        assert_eq!(tree(&dir), before);
        if file != "attend-plugin.json" {
            done(&home, &["plugin", "uninstall", "--dir", &named]);
            assert_eq!(tree(&dir), before);
        }
    }
    // Where the way leads elsewhere, too.
    let dir = home.project().join("led");
    let elsewhere = home.project().join("elsewhere");
    fs::create_dir_all(&dir).expect("a directory");
    fs::create_dir_all(&elsewhere).expect("a directory");
    std::os::unix::fs::symlink(&elsewhere, dir.join("hooks")).expect("a link");
    let said = refused(&home, &["plugin", "install", "--dir", "led"]);
    assert!(said.contains("led/hooks/hooks.json"), "{said}");
    assert_eq!(tree(&elsewhere), []);
}

#[test]
fn a_record_that_names_directories_elsewhere_removes_none_of_them() {
    let home = Home::new();
    let (dir, other) = (home.project().join("here"), home.project().join("other"));
    fs::create_dir(&other).expect("a directory");
    done(&home, &["plugin", "install", "--dir", "here"]);
    let record = dir.join("attend-plugin.json");
    let text = fs::read_to_string(&record).expect("a record");
    let mut kept: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let directories = kept["directories"].as_array_mut().expect("a list");
    for path in [
        dir.join("../other"),
        dir.join("hooks/../../other"),
        other.clone(),
    ] {
        directories.push(path.display().to_string().into());
    }
    fs::write(&record, kept.to_string()).expect("a record");
    done(&home, &["plugin", "uninstall", "--dir", "here"]);
    assert!(!dir.exists() && other.is_dir());
    // Also where the way to it goes up.
    done(&home, &["plugin", "install", "--dir", "../beside/here"]);
    done(&home, &["plugin", "uninstall", "--dir", "../beside/here"]);
    assert!(!home.path().join("beside").exists());
}

#[test]
fn what_a_person_changed_stays_and_is_named() {
    let home = Home::new();
    done(&home, &["plugin", "install"]);
    let skill = plugin(&home).join("skills/attend/SKILL.md");
    fs::write(&skill, "my own words").expect("a file");
    let said = refused(&home, &["plugin", "install"]);
    assert!(said.contains("SKILL.md"), "{said}");
    let output = home.output(&["plugin", "uninstall"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("SKILL.md; remove it yourself"),
        "{output:?}"
    );
    let left: Vec<PathBuf> = tree(&plugin(&home))
        .into_iter()
        .filter_map(|(path, bytes)| bytes.map(|_| path))
        .collect();
    assert_eq!(left, std::slice::from_ref(&skill));
    assert_eq!(
        fs::read_to_string(&skill).expect("it is there"),
        "my own words"
    );
}

#[test]
fn what_another_attend_wrote_is_replaced() {
    let home = Home::new();
    // Found by its name, the program is called by that: another text than from where it lies.
    let bin = home.path().join("bin");
    fs::create_dir(&bin).expect("a directory");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_attend"), bin.join("attend")).expect("a link");
    let mut named = home.attend(&["plugin", "install"]);
    let output = named.env("PATH", &bin).output().expect("attend starts");
    assert!(output.status.success(), "{}", stderr(&output));
    let monitors = plugin(&home).join("monitors/monitors.json");
    let read = || fs::read_to_string(&monitors).expect("a file");
    assert!(read().contains("\"attend run --rearm\""), "{}", read());

    let text = done(&home, &["plugin", "install"]);
    let changed = "  monitors/monitors.json\n  hooks/hooks.json\n";
    assert!(text.contains(&format!(":\n{changed}\n")), "{text}");
    let path = format!("\"{} run --rearm\"", env!("CARGO_BIN_EXE_attend"));
    assert!(read().contains(&path), "{}", read());
    done(&home, &["plugin", "uninstall"]);
    assert!(!home.path().join("attend").exists());
}

#[test]
fn a_place_that_cannot_be_written_is_named_with_what_to_do() {
    let home = Home::new();
    fs::write(home.project().join("file"), "").expect("a file");
    for dir in ["file", "file/below", "/proc/attend"] {
        let said = refused(&home, &["plugin", "install", "--dir", dir]);
        assert!(said.contains("cannot write /"), "{said}");
        assert!(said.contains("attend plugin install --dir DIR"), "{said}");
    }
    let mut command = home.attend(&["plugin", "install"]);
    command.env_remove("ATTEND_HOME").env_remove("HOME");
    let output = command.output().expect("attend starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("--dir"), "{}", stderr(&output));
}
