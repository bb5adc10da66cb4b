//! `ways list`, `ways lint` and `ways rethink`: they tell, and remember nothing.

use std::fs;

use serde_json::Value;

use crate::desk::{Desk, SESSION, way};
use crate::home::{stderr, stdout};

/// A session in which two ways were shown.
fn worked() -> Desk {
    let mut desk = Desk::at(30_000);
    desk.way(
        "review/mine",
        &way("mine", "How to go on", "own-signal", "refire: 0.1\n"),
    );
    desk.says(&["show", "attend/own-signal"]);
    desk.answer(60_000);
    desk.says(&["show", "attend/own-signal"]);
    desk.says(&["show", "attend/build-failed"]);
    desk.answer(70_000);
    desk
}

#[test]
fn a_list_tells_of_every_way() {
    let desk = worked();
    insta::assert_snapshot!("list", desk.says(&["list"]));
    let mut listed = desk.json(&["list", "--json"]);
    let ways = listed["ways"].as_array_mut().expect("a list");
    assert_eq!(ways.len(), 7);
    let mine = ways.iter_mut().find(|way| way["id"] == "review/mine");
    let mine = mine.expect("it is listed");
    let root = mine["root"].as_str().expect("a path").to_owned();
    assert_eq!(mine["file"], format!("{root}/review/mine.md"));
    assert!(root.ends_with(".claude/ways"), "{root}");
    mine["root"] = Value::from("[root]");
    mine["file"] = Value::from("[file]");
    mine["salience"] = Value::from("[salience]");
    insta::assert_snapshot!("list-json", format!("{mine:#}"));
}

#[test]
fn a_list_tells_where_each_way_comes_from() {
    let desk = worked();
    let (config, more) = (
        desk.home.path().join("attend/config"),
        desk.home.path().join("more"),
    );
    fs::create_dir_all(config.join("ways")).expect("a directory");
    fs::create_dir_all(&more).expect("a directory");
    fs::write(config.join("config.yaml"), "ways: { roots: [~/more] }\n").expect("a file");
    fs::write(config.join("ways/a.md"), way("a", "d", "s", "")).expect("a way");
    fs::write(more.join("b.md"), way("b", "d", "s", "")).expect("a way");
    let listed = desk.says(&["list"]);
    let more = more.display().to_string();
    for (id, from) in [
        ("a ", "user"),
        ("b ", &*more),
        ("review/mine ", "project"),
        ("build-failed ", "bundled"),
        ("attend ", "bundled"),
    ] {
        let line = listed.lines().find(|line| line.starts_with(id));
        let line = line.expect("it is listed");
        assert!(line.ends_with(&format!("  {from}")), "{line}");
    }
}

#[test]
fn a_list_without_a_session_says_what_is_not_known() {
    let desk = Desk::new();
    let output = desk.output(&["list", "--json"]);
    let listed: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(listed["session_id"], Value::Null);
    for way in listed["ways"].as_array().expect("a list") {
        for field in ["fires", "salience", "eligible_in"] {
            assert_eq!(way[field], Value::Null, "{way}");
        }
    }
    assert!(!desk.home.path().join("attend").exists());
}

#[test]
fn rethink_tells_where_each_way_stands_and_draws_it() {
    let desk = worked();
    let file = desk.home.path().join("ways.svg");
    let plot = ["rethink", "--plot", file.to_str().expect("UTF-8")];
    insta::assert_snapshot!("rethink", desk.says(&plot));
    let picture = fs::read_to_string(&file).expect("a picture");
    assert!(
        picture.starts_with("<svg") && picture.contains("review/mine"),
        "{picture}"
    );
    let one = desk.json(&["rethink", "build-failed", "--json"]);
    insta::assert_snapshot!("rethink-json", format!("{one:#}"));
    let output = desk.output(&["rethink", "build-faild", "--session", SESSION]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("build-failed, context-pressure"),
        "{}",
        stderr(&output)
    );
    let output = desk.output(&["rethink"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("no host above"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn lint_tells_each_mistake_and_exits_with_three() {
    let desk = Desk::new();
    desk.way("good", &way("good", "d", "own-signal", ""));
    let output = desk.output(&["lint"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output), "1 file, nothing wrong in it\n");
    desk.way(
        "old",
        &way("old", "d", "own-signal", "redisclose: 25\nrefire: 3\n"),
    );
    let output = desk.output(&["lint", ".claude/ways"]);
    assert_eq!(output.status.code(), Some(3));
    insta::assert_snapshot!("lint", stdout(&output));
    let output = desk.output(&["lint", ".claude/ways", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    insta::assert_snapshot!("lint-json", stdout(&output));
    let output = desk.output(&["lint", "no/such"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("no/such"), "{}", stderr(&output));
}

#[test]
fn every_field_of_the_json_is_documented() {
    let documentation = include_str!("../../../docs/json.md");
    let desk = worked();
    let lists = [
        desk.json(&["list", "--json"]),
        desk.json(&["rethink", "--json"]),
    ];
    for document in &lists {
        let rows = document["ways"].as_array().expect("a list").iter();
        for object in rows.chain([document]) {
            for field in object.as_object().expect("an object").keys() {
                let named = field == "ways" && documentation.contains("`ways[]`")
                    || documentation.contains(&format!("`{field}`"))
                    || documentation.contains(&format!("`ways[].{field}`"))
                    || documentation.contains(&format!("`.{field}`"));
                assert!(named, "`{field}` is not in docs/json.md");
            }
        }
    }
}
