//! `attend sensors`: the list, and one dry look.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::home::{Home, scrub, stderr, stdout};

fn git(home: &Home, args: &[&str]) {
    #[expect(
        clippy::disallowed_methods,
        reason = "a test works on a real repository"
    )]
    let mut command = Command::new("git");
    scrub(&mut command, home.path());
    let output = command
        .args(args)
        .current_dir(home.project())
        .output()
        .expect("git starts");
    assert!(output.status.success(), "{}", stderr(&output));
}

fn configure(home: &Home, text: &str) {
    fs::create_dir_all(home.project().join(".claude")).expect("a directory");
    fs::write(home.project().join(".claude/attend.yaml"), text).expect("a file");
}

#[test]
fn what_never_ran_is_listed_too() {
    let home = Home::new();
    configure(
        &home,
        "sensors:\n  git: {enabled: false}\n  tree: {kind: git, interval: 90}\n",
    );
    let output = home.output(&["sensors", "--verbose"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let real = home.path().canonicalize().expect("it is there");
    let text = stdout(&output).replace(&*real.to_string_lossy(), "HOME");
    insta::assert_snapshot!("sensors-verbose", text);
    assert!(
        !home.path().join("attend").exists(),
        "it leaves nothing behind"
    );
}

#[test]
fn how_each_fared_is_listed_after_a_run() {
    let home = Home::new();
    git(&home, &["init", "-q", "-b", "main"]);
    configure(&home, "sensors:\n  tree: {kind: git, interval: 90}\n");
    let output = home.output(&["run", "--once"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("with git, tree"),
        "{}",
        stdout(&output)
    );
    let text = stdout(&home.output(&["sensors"]));
    assert!(text.contains("\ngit         healthy, looked "), "{text}");
    assert!(
        text.contains("\ntree        a git sensor, healthy, looked "),
        "{text}"
    );
    let json = stdout(&home.output(&["sensors", "--json"]));
    let listed: Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(listed["pid"], Value::Null);
    let tree = listed["sensors"]
        .as_array()
        .and_then(|all| all.iter().find(|sensor| sensor["name"] == "tree"));
    let tree = tree.expect("it is listed");
    assert_eq!(
        (&tree["kind"], &tree["interval"], &tree["looks"]),
        (&"git".into(), &90.into(), &1.into())
    );
    assert_eq!(
        (&tree["condition"], &tree["configured"]["line"]),
        (&"healthy".into(), &2.into())
    );
}

#[test]
fn a_dry_look_tells_what_would_become_of_it_and_touches_nothing() {
    let home = Home::new();
    git(&home, &["init", "-q", "-b", "main"]);
    git(&home, &["commit", "-q", "--allow-empty", "-m", "first"]);
    let output = home.output(&["sensors", "try", "git"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(
        stdout(&output),
        "It looked, and has nothing to tell: a first look tells no changes.\n"
    );

    git(&home, &["checkout", "-q", "--detach"]);
    let output = home.output(&["sensors", "try", "git"]);
    let text = stdout(&output);
    assert!(text.starts_with(" 3.0  HEAD detached at "), "{text}");
    assert!(
        text.contains(
            "\n      shown\n\nIt would print:\n\n[attend sensor=git priority=medium] HEAD detached"
        ),
        "{text}"
    );

    configure(&home, "sensors:\n  git: {threshold: 3.5}\n");
    let json = stdout(&home.output(&["sensors", "try", "git", "--json"]));
    let tried: Value = serde_json::from_str(&json).expect("it is JSON");
    let event = &tried["events"][0];
    assert_eq!(
        (&event["magnitude"], &event["standing"], &event["key"]),
        (&3.0.into(), &true.into(), &"detached".into())
    );
    assert_eq!(event["held"], "adds up to less than the threshold");
    assert_eq!(tried["lines"], Value::Array(Vec::new()));
    assert!(
        !home.path().join("attend").exists(),
        "it leaves nothing behind"
    );
}

#[test]
fn what_cannot_be_tried_says_why() {
    let home = Home::new();
    configure(
        &home,
        "sensors:\n  git: {enabled: false}\n  tree: {kind: git}\n",
    );
    for (name, why) in [
        ("git", "git is switched off"),
        (
            "gut",
            "there is no sensor `gut`; there are: context, disclosure, files, peers, tree",
        ),
        ("context", "context needs a host"),
        (
            "files",
            "files has nothing to look at: no paths are named; see: attend config show",
        ),
        ("G", "`G` is not a sensor name"),
    ] {
        let output = home.output(&["sensors", "try", name]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(stderr(&output).contains(why), "{name}: {}", stderr(&output));
    }
}
