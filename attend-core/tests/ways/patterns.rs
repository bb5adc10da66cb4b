//! Patterns: what is looked for first never hides what the whole pattern would find.

use attend_core::ways::{FileGlob, Haystack, Pattern};
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
        let ends = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
        let expected = std::iter::once(path.as_str()).chain(ends).any(|end| matcher.is_match(end));
        prop_assert_eq!(FileGlob::new(&pattern).unwrap().takes(&path), expected);
    }
}
