//! Patterns: what is looked for first never hides what the whole pattern would find.

use attend_core::ways::{FileGlob, Haystack, Occasion, Pattern, Summary, ToolEvent, Trigger};
use proptest::prelude::*;
use proptest::sample::select;

const PIECES: [&str; 20] = [
    "a", "ask", "(?i)ask", "(?i:K)", "(b|cd)", r"\s+", "x?", "[ab]", "(?:ab)+", r"\bs", "ß",
    "(?i)ß", ".*", "^", "$", "(c|)", "d{2,3}", r"\w", "(?-i)B", "[^a]",
];

const TEXTS: [&str; 16] = [
    "a",
    "ask",
    "ASK",
    "a\u{17f}\u{212a}",
    "K",
    "k",
    "b",
    "cd",
    " \t",
    "x",
    "ab",
    "ß",
    "ẞ",
    "dd",
    "B",
    "-",
];

const GLOBS: [&str; 14] = [
    "a",
    "/",
    "**/",
    "*",
    "?",
    "b.rs",
    "{a,b}",
    "[ab]",
    "src",
    ".rs",
    r"\*",
    "/**/",
    "{src/a,b}",
    "B",
];

const PATHS: [&str; 10] = ["a", "/", "b.rs", "src", ".rs", "*", "b", "src/a", "B", "x"];

proptest! {
    #[test]
    fn a_pattern_finds_what_a_regular_expression_finds(
        pattern in prop::collection::vec(select(&PIECES[..]), 0..6),
        text in prop::collection::vec(select(&TEXTS[..]), 0..6),
    ) {
        let (pattern, text) = (pattern.concat(), text.concat());
        let expected = regex::Regex::new(&pattern).unwrap().is_match(&text);
        prop_assert_eq!(Pattern::new(&pattern).unwrap().occurs_in(&Haystack::new(&text)), expected);
    }

    #[test]
    fn a_pattern_of_files_takes_what_a_glob_takes(
        pattern in prop::collection::vec(select(&GLOBS[..]), 1..5),
        path in prop::collection::vec(select(&PATHS[..]), 1..5),
    ) {
        let (pattern, path) = (pattern.concat(), path.concat());
        let matcher = globset::Glob::new(&pattern).unwrap().compile_matcher();
        let ends = path.match_indices('/').map(|(at, _)| path.get(at + 1..).unwrap());
        let expected = std::iter::once(path.as_str()).chain(ends).any(|end| matcher.is_match(end));
        prop_assert_eq!(FileGlob::new(&pattern).unwrap().takes(&path), expected);
    }
}

/// A trigger as it stands in a file.
fn trigger(kind: &str, lists: [(&str, &[String]); 3]) -> Option<Trigger> {
    let quoted = |list: &[String]| {
        let quoted: Vec<String> = list.iter().map(|one| format!("'{one}'")).collect();
        quoted.join(", ")
    };
    let lists = lists.map(|(key, list)| format!("  {key}: [{}]\n", quoted(list)));
    let lists = lists.concat();
    let text = format!("---\nname: n\ndescription: d\ntrigger:\n  type: {kind}\n{lists}---\nB\n");
    Some(crate::parsed(&text).way?.trigger)
}

fn some(pieces: &'static [&'static str]) -> impl Strategy<Value = Vec<String>> {
    let one = prop::collection::vec(select(pieces), 1..4).prop_map(|all| all.concat());
    prop::collection::vec(one, 0..3)
}

proptest! {
    #[test]
    fn what_a_summary_denies_does_not_fire(
        (keywords, commands, globs, tools) in (some(&TEXTS), some(&PIECES), some(&GLOBS), some(&["Edit", "Bash"])),
        (prompt, path, tool) in (some(&TEXTS), some(&PATHS), select(&["Edit", "Bash", "bash"][..])),
    ) {
        let (prompt, path) = (prompt.join(" "), path.join("/"));
        let text = Haystack::new(&prompt);
        let call = |command, file| Occasion::Tool { event: ToolEvent::PreToolUse, tool, command, file };
        let occasions = [
            Occasion::Prompt(&text), call(Some(&text), Some(&*path)), call(None, Some(&*path)), call(Some(&text), None),
        ];
        let triggers = [
            trigger("UserPromptSubmit", [("keywords", &keywords), ("x-a", &[]), ("x-b", &[])]),
            trigger("PreToolUse", [("tools", &tools), ("commands", &commands), ("files", &globs)]),
        ];
        for trigger in triggers.iter().flatten() {
            let summary = Summary::of(trigger);
            for occasion in &occasions {
                let may = summary.may_fire_on(occasion);
                prop_assert!(may || !trigger.fires_on(occasion), "{trigger:?} {occasion:?}");
            }
            let kept = serde_json::to_string(&summary).unwrap();
            prop_assert_eq!(serde_json::from_str::<Summary>(&kept).unwrap(), summary);
        }
    }
}
