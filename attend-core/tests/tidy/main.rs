//! Tidy: what the house asks of its own sources, checked file by file.
//!
//! Each check is a function from sources to findings, so that a test beside it can show it
//! failing on made-up text.

use std::fmt::Write as _;
use std::io::Write as _;

mod lexer;

mod source;
use source::Source;

mod tree;

mod arrows;
mod house;
mod order;
mod pages;
mod reach;
mod traits;
mod words;

/// One place where a source breaks a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Finding {
    path: String,
    line: usize,
    what: String,
}

impl Finding {
    fn new(source: &Source, line: usize, what: impl Into<String>) -> Self {
        Self {
            path: source.path.clone(),
            line,
            what: what.into(),
        }
    }
}

/// A rule: what it is called, how sources break it, and what to do about it.
struct Check {
    name: &'static str,
    find: fn(&[Source]) -> Vec<Finding>,
    advice: &'static str,
}

/// Holds the workspace to `check`; a package that was unpacked alone has nothing to look at.
fn hold(check: &Check) {
    let Some(sources) = tree::workspace() else {
        // Written past the capture of test output: nothing is left out in silence.
        let _ = writeln!(
            std::io::stderr(),
            "tidy: {}: left out, the workspace is not here",
            check.name
        );
        return;
    };
    let findings = (check.find)(&sources);
    assert!(findings.is_empty(), "{}", told(check, &findings));
}

fn told(check: &Check, findings: &[Finding]) -> String {
    let mut text = format!("{}\n", check.name);
    for Finding { path, line, what } in findings {
        let _ = writeln!(text, "  {path}:{line}: {what}");
    }
    text + check.advice
}

/// The lines that `check` finds in made-up sources: what its own tests compare.
fn lines(check: &Check, sources: &[(&str, &str)]) -> Vec<String> {
    let sources: Vec<Source> = sources
        .iter()
        .map(|(path, text)| Source::new(path, text))
        .collect();
    let findings = (check.find)(&sources).into_iter();
    findings
        .map(|Finding { path, line, what }| format!("{path}:{line}: {what}"))
        .collect()
}

#[test]
fn a_failure_says_where_and_what_to_do() {
    let text = told(
        &words::LENGTH,
        &[Finding {
            path: "a/b.rs".into(),
            line: 401,
            what: "it is long".into(),
        }],
    );
    assert_eq!(
        text,
        "no file is longer than 400 lines\n  a/b.rs:401: it is long\n\
         Split it by what its parts are responsible for; long tests go to a file of their own."
    );
}
