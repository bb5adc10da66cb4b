//! `attend hook` gives guidance: where its trigger fires, once, and again when it has faded.

use std::fs;

use serde_json::{Value, json};

use crate::desk::{Desk, SESSION, way};
use crate::home::{stderr, stdout};
use crate::hooked::{bare, edit, fixtures, prompt, start, stop, told};

const FLAT: &str = "curve: { type: Flat, suppression: 30000 }\n";

#[test]
fn each_event_of_the_host_brings_the_guidance_for_it_and_no_other() {
    let triggers = [
        ("prompt", "{ type: UserPromptSubmit, pattern: '^fix' }"),
        ("before", "{ type: PreToolUse, commands: ['^ls'] }"),
        ("after", "{ type: PostToolUse, tools: [Monitor] }"),
        ("failed", "{ type: PostToolUseFailure, tools: [Bash] }"),
        ("started", "{ type: SessionStart, source: startup }"),
        ("resumed", "{ type: SessionStart, source: [resume, fork] }"),
        ("cleared", "{ type: SessionStart, source: clear }"),
        ("stopped", "{ type: Stop }"),
        ("asked", "{ type: attend, signals: [own] }"),
        ("compacted", "{ type: PostCompact }"),
        ("full", "{ type: context-threshold, above: 0.9 }"),
    ];
    let expected = [
        ("UserPromptSubmit", "prompt"),
        ("PreToolUse.Bash", "before"),
        ("PostToolUse.Monitor", "after"),
        ("SessionStart.startup", "started"),
        ("SessionStart.resume-stale", "resumed"),
        ("SessionStart.clear", "cleared"),
        ("SessionStart.compact", "compacted"),
        ("Stop", "stopped"),
    ];
    let fixtures = fixtures();
    assert_eq!(fixtures.len(), 17);
    for (name, event) in fixtures {
        let desk = Desk::at(40_000);
        for (id, trigger) in triggers {
            desk.triggered(id, trigger, "");
        }
        let mut event = event;
        // The project of the fixtures is not there: the hook's own directory is.
        assert_eq!(event["cwd"], "/home/dev/proj");
        let output = desk.raw_hook(&event).output().expect("attend starts");
        let told = told(&output, event["hook_event_name"].as_str().expect("a name"));
        let expected = expected.iter().find(|(event, _)| *event == name);
        let expected = expected.map_or(String::new(), |(_, way)| {
            format!("The guidance of {way}.\n")
        });
        assert_eq!(told, expected, "{name}");
        event["cwd"] = json!(desk.home.project());
        let output = desk.raw_hook(&event).output().expect("attend starts");
        let again = stdout(&output);
        // Another compaction is another occasion.
        assert_eq!(
            again.is_empty(),
            name != "SessionStart.compact",
            "{name}: {again}"
        );
    }
}

#[test]
fn a_fire_is_remembered_as_if_it_had_been_asked_for() {
    let mut desk = Desk::at(50_000);
    desk.triggered(
        "deep/mine",
        "{ type: PostToolUse, files: ['src/**/*.rs'] }",
        FLAT,
    );
    let event = edit("/home/dev/proj/src/a/b.rs");
    assert_eq!(desk.hears(&edit("/home/dev/proj/docs/b.md")), "");
    assert_eq!(desk.hears(&event), "The guidance of deep/mine.\n");
    desk.answer(79_999);
    assert_eq!(desk.hears(&event), "");
    desk.answer(80_000);
    assert_eq!(desk.hears(&event), "The guidance of deep/mine.\n");
    let log = desk.log();
    let fields = |one: &Value| {
        let of = |key: &str| one[key].clone();
        [
            of("event"),
            of("way"),
            of("tokens"),
            of("distance"),
            of("fires"),
            of("epoch"),
        ]
    };
    assert_eq!(
        log.iter().map(fields).collect::<Vec<_>>(),
        [
            [
                json!("way_fired"),
                json!("deep/mine"),
                json!(50_000),
                Value::Null,
                json!(1),
                json!(SESSION)
            ],
            [
                json!("way_redisclosed"),
                json!("deep/mine"),
                json!(80_000),
                json!(30_000),
                json!(2),
                json!(SESSION)
            ],
        ]
    );
    let listed = desk.json(&["rethink", "deep/mine", "--json"]);
    assert_eq!(listed["ways"][0]["fired_at"], json!([50_000, 80_000]));
}

#[test]
fn distance_alone_brings_nothing() {
    let mut desk = Desk::at(10_000);
    desk.triggered(
        "mine",
        "{ type: UserPromptSubmit, keywords: [deploy] }",
        FLAT,
    );
    assert_eq!(desk.hears(&prompt("Deploy!")), "The guidance of mine.\n");
    desk.answer(190_000);
    for event in [
        prompt("redeploy"),
        edit("a"),
        stop("p"),
        start("resume"),
        bare("PostCompact"),
    ] {
        assert_eq!(desk.hears(&event), "");
    }
    assert_eq!(
        desk.hears(&prompt("please deploy it")),
        "The guidance of mine.\n"
    );
}

#[test]
fn what_is_asked_for_is_never_carried_by_a_hook() {
    let desk = Desk::at(190_000);
    desk.way("mine", &way("mine", "d", "own-signal", ""));
    let events = [
        prompt("own-signal attend/own-signal context-pressure"),
        edit("own-signal"),
        stop("p"),
        start("startup"),
        start("compact"),
        bare("PostCompact"),
        prompt("x"),
    ];
    for event in events {
        assert_eq!(desk.hears(&event), "");
    }
    assert!(!desk.state().exists());
}

#[test]
fn thirty_two_hooks_fire_a_way_once() {
    let desk = Desk::at(40_000);
    desk.triggered("mine", "{ type: PostToolUse, tools: [Edit] }", "");
    let children: Vec<_> = (0..32)
        .map(|_| {
            desk.hook_command(&edit("a"))
                .spawn()
                .expect("attend starts")
        })
        .collect();
    let mut given = 0;
    for child in children {
        let output = child.wait_with_output().expect("attend ends");
        given += usize::from(!told(&output, "PostToolUse").is_empty());
    }
    assert_eq!((given, desk.log().len()), (1, 1));
    assert_eq!(desk.log()[0]["fires"], 1);
}

#[test]
fn each_way_is_for_whom_it_says() {
    let desk = Desk::at(40_000);
    for scope in ["agent", "subagent", "any"] {
        let more = format!("scope: {scope}\n");
        desk.triggered(scope, "{ type: PreToolUse, tools: [Bash] }", &more);
    }
    desk.triggered("silent", "{ type: PreToolUse, tools: [Bash] }", "");
    desk.triggered(
        "full",
        "{ type: context-threshold, above: 0.1 }",
        "scope: any\n",
    );
    let of = |agent: Option<&str>| {
        let mut event = json!({
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"},
        });
        if let Some(agent) = agent {
            event["agent_id"] = json!(agent);
            event["agent_type"] = json!("Explore");
        }
        event
    };
    let text = |ids: &[&str]| {
        let all: Vec<String> = ids
            .iter()
            .map(|id| format!("The guidance of {id}.\n"))
            .collect();
        all.join("\n")
    };
    // Each subagent has a context of its own.
    for agent in ["a0000000000000001", "a0000000000000002"] {
        assert_eq!(desk.hears(&of(Some(agent))), text(&["any", "subagent"]));
        assert_eq!(desk.hears(&of(Some(agent))), "");
    }
    assert_eq!(
        desk.hears(&of(None)),
        text(&["agent", "any", "full", "silent"])
    );
    for odd in ["../../x", ""] {
        assert_eq!(desk.hears(&of(Some(odd))), "");
    }
    assert_eq!(desk.log().len(), 8);
}

#[test]
fn a_broken_way_costs_itself_and_is_not_told_to_the_host() {
    let desk = Desk::at(10_000);
    desk.way("broken", "---\nname: [\ntrigger: { type: Stop }\n---\n");
    desk.way("bytes", "");
    let file = desk.home.project().join(".claude/ways/bytes.md");
    fs::write(file, b"---\n\xff UserPromptSubmit").expect("a file");
    desk.triggered("good", "{ type: UserPromptSubmit, keywords: [x] }", "");
    assert_eq!(desk.hears(&prompt("x")), "The guidance of good.\n");
}

#[test]
fn what_stands_over_another_way_takes_its_place_whatever_its_trigger() {
    let desk = Desk::at(10_000);
    let user = desk.home.path().join("attend/config/ways");
    fs::create_dir_all(&user).expect("a directory");
    for id in ["over", "under", "spoiled"] {
        let text = format!(
            "---\nname: {id}\ndescription: d\ntrigger: {{ type: UserPromptSubmit, keywords: [x] }}\n---\nOf the user: {id}.\n"
        );
        fs::write(user.join(format!("{id}.md")), text).expect("a way");
    }
    desk.triggered("over", "{ type: Stop }", "");
    desk.way("spoiled", "---\nname: [ Stop\n---\n");
    // Its type is spelled as nobody spells it.
    desk.triggered(
        "spelled",
        "{ type: \"UserPrompt\\x53ubmit\", keywords: [x] }",
        "",
    );
    assert_eq!(
        desk.hears(&prompt("x")),
        "The guidance of spelled.\n\nOf the user: spoiled.\n\nOf the user: under.\n"
    );
    assert_eq!(desk.hears(&stop("p")), "The guidance of over.\n");
}

#[test]
fn what_does_not_fit_waits_for_the_next_time() {
    let desk = Desk::at(10_000);
    for id in ["a", "b", "c"] {
        desk.triggered(id, "{ type: UserPromptSubmit, keywords: [x] }", "");
        let file = desk.home.project().join(format!(".claude/ways/{id}.md"));
        let text = fs::read_to_string(&file).expect("a way");
        fs::write(&file, text + &"a \"quoted\" line\t\n".repeat(150)).expect("a way");
    }
    let mut given = Vec::new();
    for _ in 0..4 {
        let text = desk.hears(&prompt("x"));
        let ways = text
            .lines()
            .filter(|line| line.starts_with("The guidance of "));
        given.push(ways.map(str::to_owned).collect::<Vec<_>>());
    }
    assert_eq!(
        given,
        [
            vec!["The guidance of a.", "The guidance of b."],
            vec!["The guidance of c."],
            vec![],
            vec![]
        ]
    );
    assert_eq!(desk.log().len(), 3);
}

#[test]
fn one_that_never_fits_is_cut_and_names_its_file() {
    let desk = Desk::at(10_000);
    desk.triggered("long", "{ type: UserPromptSubmit, keywords: [x] }", "");
    let file = desk.home.project().join(".claude/ways/long.md");
    let text = fs::read_to_string(&file).expect("a way");
    fs::write(&file, text + &"one more line\n".repeat(2_000)).expect("a way");
    let told = desk.hears(&prompt("x"));
    assert!(
        told.starts_with("The guidance of long.\none more line\n"),
        "{told}"
    );
    let end = told.lines().last().expect("a line");
    assert!(
        end.starts_with("(this is cut: the rest stands in ") && end.ends_with("long.md)"),
        "{end}"
    );
    assert_eq!(desk.hears(&prompt("x")), "");
}

#[test]
fn without_any_way_nothing_is_written() {
    let desk = Desk::at(10_000);
    assert_eq!(desk.hears(&prompt("x")), "");
    assert!(!desk.home.path().join("attend").exists());
    let output = desk.raw_hook(&json!({"hook_event_name": "Stop"})).output();
    let output = output.expect("attend starts");
    assert_eq!(
        (stdout(&output), stderr(&output)),
        (String::new(), String::new())
    );
}

#[test]
fn the_example_of_the_documentation_says_what_stands_there() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/ways.md");
    let Ok(page) = fs::read_to_string(page) else {
        return; // This package was unpacked alone.
    };
    let block = |language: &str| {
        let (_, rest) = page
            .split_once(&format!("```{language}\n"))
            .expect("a block");
        rest.split_once("```").expect("its end").0
    };
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md");
    let readme = fs::read_to_string(readme).expect("UTF-8");
    assert!(
        readme.contains(block("markdown")),
        "the README shows the same way"
    );
    let desk = Desk::new();
    desk.way("deploy", block("markdown"));
    let line = block("sh").trim_end();
    let event = line.split('\'').nth(1).expect("a text in quotes");
    assert_eq!(line, format!("echo '{event}' | attend hook"));
    let event: Value = serde_json::from_str(event).expect("JSON");
    for expected in [block("json"), ""] {
        let output = desk.raw_hook(&event).output().expect("attend starts");
        assert_eq!(
            (stdout(&output).as_str(), stderr(&output).as_str()),
            (expected, "")
        );
    }
}
