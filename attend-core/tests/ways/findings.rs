//! Every mistake is told with its line and what to write instead.

use std::fs;
use std::path::Path;

use attend_core::ways::{Problem, lint};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::parsed;

/// What is found in a way with these lines below name and description.
fn found(lines: &str) -> Vec<String> {
    let text = format!("---\nname: n\ndescription: d\n{lines}---\nBody.\n");
    let read = parsed(&text);
    let fatal = read
        .findings
        .iter()
        .any(|finding| finding.problem.is_fatal());
    assert_eq!(read.way.is_none(), fatal, "{text}");
    read.findings.iter().map(ToString::to_string).collect()
}

const TRIGGER: &str = "trigger: { type: attend, signals: [a] }\n";

/// Lines of a frontmatter, what is told of them, and the advice.
const CASES: [(&str, &str, &str); 24] = [
    ("", "way.md:2: trigger:", "write `trigger: {"),
    (
        "trigger: attend\n",
        "way.md:4: trigger: a mapping of keys is expected, this is a text",
        "write `trigger: { type: attend,",
    ),
    (
        "trigger: {}\n",
        "way.md:4: trigger.type: it is missing",
        "write `type: attend`",
    ),
    (
        "trigger: { type: atend }\n",
        "no trigger of the type `atend`",
        "did you mean `attend`?",
    ),
    (
        "trigger:\n  type: attend\n",
        "way.md:4: trigger.signals: it names no",
        "`signals: [context-pressure]`",
    ),
    (
        "trigger:\n  type: attend\n  signal: [a]\n",
        "way.md:6: trigger.signal: there is no such key",
        "did you mean `signals`?",
    ),
    (
        "trigger:\n  type: attend\n  signals:\n    - Build Failed\n",
        "way.md:7: trigger.signals: `Build Failed` is no signal",
        "`build-failed`",
    ),
    (
        "trigger:\n  type: UserPromptSubmit\n",
        "nothing says which prompts",
        "`keywords`",
    ),
    (
        "trigger:\n  type: UserPromptSubmit\n  pattern: 'a('\n",
        "way.md:6: trigger.pattern: `a(` is no regular expression: unclosed group",
        "backslash",
    ),
    (
        "trigger: { type: PreToolUse }\n",
        "nothing says which calls",
        "`tools`",
    ),
    (
        "trigger:\n  type: PostToolUse\n  files: ['a[']\n",
        "way.md:6: trigger.files: `a[` is no pattern of files",
        "backslash",
    ),
    (
        "trigger: { type: SessionStart, source: startap }\n",
        "no session starts from `startap`",
        "did you mean `startup`?",
    ),
    (
        "trigger: { type: context-threshold }\n",
        "trigger.above: it is missing",
        "`above: 0.75`",
    ),
    (
        "trigger: { type: context-threshold, above: 75 }\n",
        "no share of the window",
        "`above: 0.75`",
    ),
    (
        "curve: { type: Exponental, half_life: 5 }\n",
        "way.md:4: curve.type: there is no curve",
        "did you mean `Exponential`?",
    ),
    (
        "curve:\n  type: Exponential\n  halflife: 5\n",
        "way.md:6: curve.halflife:",
        "did you mean `half_life`?",
    ),
    (
        "curve: { type: Exponential }\n",
        "curve.half_life: it is missing",
        "`half_life: 50000`",
    ),
    (
        "curve:\n  type: Flat\n  suppression: 0\n",
        "way.md:6: curve.suppression: it must be at least 1 token",
        "suppression: 20000",
    ),
    (
        "curve: { type: Flat, suppression: soon }\n",
        "it makes no curve",
        "suppression: 20000",
    ),
    (
        "curve: { type: ActionPotential, burst_threshold: 3, peak_multiplier: 2, absolute_refractory: 1, multiplier_half_life: 1 }\n",
        "never be shown again",
        "`Exponential`",
    ),
    (
        "refire: 50000\n",
        "way.md:4: refire: it is no share",
        "half_life: 50000",
    ),
    (
        "scope: agents\n",
        "way.md:4: scope: there is no such scope",
        "`agent`, `subagent` or `any`",
    ),
    (
        "colour: red\n",
        "way.md:4: colour: there is no such key",
        "call it `x-colour`",
    ),
    (
        "embed_threshold: high\n",
        "way.md:4: embed_threshold: a number is expected, this is a text",
        "write `embed_threshold: 0.25`",
    ),
];

#[test]
fn each_mistake_has_its_line_and_its_advice() {
    for (lines, what, advice) in CASES {
        let trigger = if lines.starts_with("trigger") || lines.is_empty() {
            ""
        } else {
            TRIGGER
        };
        let all = found(&format!("{lines}{trigger}"));
        let told = |one: &String| one.contains(what) && one.contains(advice);
        assert!(all.iter().any(told), "{lines}: {all:#?}");
    }
}

#[test]
fn each_key_of_an_earlier_form_has_its_own_message() {
    let keys = [
        ("redisclose", "refire: 0.25"),
        ("subscriptions", "signals: [build-failed]"),
        ("debounce_turns", "type: Flat"),
        ("salience_floor", "--mode critical"),
    ];
    for (key, instead) in keys {
        let all = found(&format!("{TRIGGER}{key}: 3\n"));
        let [one] = all.as_slice() else {
            panic!("{all:#?}")
        };
        assert!(
            one.starts_with(&format!("way.md:5: {key}: ")) && one.contains(instead),
            "{one}"
        );
        // Older files had them below `trigger`, too.
        let below = found(&format!(
            "trigger:\n  type: attend\n  signals: [a]\n  {key}: 3\n"
        ));
        let [one] = below.as_slice() else {
            panic!("{below:#?}")
        };
        assert!(
            one.starts_with(&format!("way.md:7: trigger.{key}: ")) && one.contains(instead),
            "{one}"
        );
    }
}

#[test]
fn curve_beside_refire_is_found_and_the_curve_holds() {
    let text = format!(
        "---\nname: n\ndescription: d\n{TRIGGER}curve: {{ type: Flat, suppression: 5 }}\nrefire: 0.1\n---\nB\n"
    );
    let read = parsed(&text);
    assert_eq!(read.findings[0].problem, Problem::Conflict);
    assert_eq!(read.findings[0].line, Some(6));
    let curve = read.way.unwrap().cadence.curve_in(200_000, 0.25);
    assert_eq!(
        curve,
        crate::curve(attend_core::dynamics::Shape::Flat { suppression: 5 })
    );
}

#[test]
fn allowed_fields_are_allowed() {
    let more = "embed_threshold: 0.4\nscope: agent\nx-team: [a, b]\nrefire: 0.15\n";
    assert!(found(&format!("{TRIGGER}{more}")).is_empty());
}

#[test]
fn a_way_is_for_the_agent_itself_unless_it_says_otherwise() {
    for (more, agent, subagent) in [
        ("", true, false),
        ("scope: agent\n", true, false),
        ("scope: subagent\n", false, true),
        ("scope: any\n", true, true),
    ] {
        let text = format!("---\nname: n\ndescription: d\n{TRIGGER}{more}---\nB\n");
        let scope = parsed(&text).way.unwrap().scope;
        assert_eq!(
            (scope.takes(false), scope.takes(true)),
            (agent, subagent),
            "{more}"
        );
    }
}

#[test]
fn what_is_no_frontmatter_is_told() {
    for (text, problem) in [
        ("", Problem::Frontmatter),
        ("# A heading\n", Problem::Frontmatter),
        ("---\nname: n\n", Problem::Frontmatter),
        ("---\nname: [\n---\nB\n", Problem::Syntax),
        ("---\n- a\n---\nB\n", Problem::WrongType),
    ] {
        let read = parsed(text);
        assert!(read.way.is_none(), "{text}");
        assert_eq!(read.findings[0].problem, problem, "{text}");
    }
    let empty = parsed(&format!("---\nname: n\ndescription: d\n{TRIGGER}---\n\n"));
    assert_eq!(empty.findings[0].problem, Problem::EmptyBody);
}

#[test]
fn windows_line_ends_and_a_mark_at_the_beginning_do_no_harm() {
    let text =
        format!("\u{feff}---\nname: n\ndescription: d\n{TRIGGER}---\nB\n").replace('\n', "\r\n");
    let read = parsed(&text);
    assert_eq!(read.findings, []);
    assert_eq!(read.way.unwrap().body, "B\r\n");
}

#[test]
fn two_thousand_files_are_looked_at_and_each_finding_names_its_own() {
    let dir = TempDir::new().unwrap();
    let text = format!("---\nname: n\ndescription: d\n{TRIGGER}colour: red\n---\nB\n");
    for n in 0..2_000 {
        let below = dir.path().join(format!("d{}", n % 20));
        fs::create_dir_all(&below).unwrap();
        fs::write(below.join(format!("w{n}.md")), &text).unwrap();
    }
    let (files, found) = lint(dir.path());
    assert_eq!((files, found.len()), (2_000, 2_000));
    let mut named: Vec<_> = found.iter().map(|finding| finding.file.clone()).collect();
    named.dedup();
    assert_eq!(named.len(), 2_000);
}

#[test]
fn a_file_that_is_none_is_told() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("latin.md"), b"---\nname: \xe9\n---\n").unwrap();
    fs::write(dir.path().join("bad\tname.md"), "").unwrap();
    fs::write(dir.path().join("large.md"), vec![b'a'; 300 << 10]).unwrap();
    let (files, found) = lint(dir.path());
    let problems: Vec<Problem> = found.iter().map(|finding| finding.problem).collect();
    assert_eq!(files, 3);
    assert_eq!(
        problems,
        [Problem::BadId, Problem::Unreadable, Problem::Unreadable]
    );
    let (_, gone) = lint(Path::new("/there/is/no/such.md"));
    assert_eq!(gone[0].problem, Problem::Unreadable);
}

proptest! {
    #[test]
    fn no_text_panics(text in "(---\n)?[a-z: \\[\\]{}\"'\n-]{0,80}(---\n)?\\PC{0,20}") {
        let read = parsed(&text);
        prop_assert!(read.way.is_some() || !read.findings.is_empty());
    }
}
