//! The form of files and the words in them: length, first line, what a wing must not know, and
//! what no file says.

use crate::source::Source;
use crate::{Check, Finding, hold, lines};

const MOST_LINES: usize = 400;

pub(crate) const LENGTH: Check = Check {
    name: "no file is longer than 400 lines",
    find: too_long,
    advice: "Split it by what its parts are responsible for; long tests go to a file of their own.",
};

fn too_long(sources: &[Source]) -> Vec<Finding> {
    let rust = sources.iter().filter(|source| source.is_rust());
    rust.filter_map(|source| {
        let count = source.text.lines().count();
        let what = format!("it has {count} lines");
        (count > MOST_LINES).then(|| Finding::new(source, MOST_LINES + 1, what))
    })
    .collect()
}

const FIRST_LINE: Check = Check {
    name: "the first line of a file says what it is for",
    find: no_first_line,
    advice: "Begin the file with `//! ` and one sentence: what it is responsible for.",
};

fn no_first_line(sources: &[Source]) -> Vec<Finding> {
    let rust = sources.iter().filter(|source| source.is_rust());
    let bare = rust.filter(|source| {
        let says = source.text.strip_prefix("//! ");
        says.is_none_or(|sentence| sentence.trim_start().is_empty() || sentence.starts_with('\n'))
    });
    bare.map(|source| Finding::new(source, 1, "it begins with something else"))
        .collect()
}

/// What a tick stands for, and what fires: words of those who use the curve engine.
const USES: [&str; 20] = [
    "time", "clock", "second", "seconds", "minute", "minutes", "hour", "hours", "instant",
    "duration", "token", "tokens", "sensor", "sensors", "mail", "letter", "message", "messages",
    "event", "events",
];

const NO_USE: Check = Check {
    name: "dynamics knows no unit and no use",
    find: words_of_uses,
    advice: "Say it in ticks, distances, fires and subjects; what those stand for is the \
             business of whoever feeds the axis.",
};

fn words_of_uses(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let wing = "attend-core/src/dynamics/";
    for source in sources
        .iter()
        .filter(|source| source.path.starts_with(wing))
    {
        for (number, line) in numbered(source) {
            for word in words(line).filter(|word| USES.contains(&word.to_lowercase().as_str())) {
                findings.push(Finding::new(source, number, format!("`{word}`")));
            }
        }
    }
    findings
}

const NOTHING_OPEN: Check = Check {
    name: "no file leaves a note about work that is open",
    find: open_notes,
    advice: "Do it, or leave it out and say so where the users of the code read.",
};

fn open_notes(sources: &[Source]) -> Vec<Finding> {
    // Put together here, so that this file does not find itself.
    let notes = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("X", "XX"),
    ];
    let mut findings = Vec::new();
    for source in sources {
        for (number, line) in numbered(source) {
            for note in notes.iter().filter(|note| begins_with(line, note)) {
                findings.push(Finding::new(source, number, format!("`{note}`")));
            }
        }
    }
    findings
}

/// Whether a line, or a comment in it, begins with the word `note`. A program may well look for
/// that word in the files of others.
fn begins_with(line: &str, note: &str) -> bool {
    line.match_indices(note).any(|(at, _)| {
        let (before, rest) = line.split_at(at);
        let whole = !rest
            .chars()
            .nth(note.len())
            .is_some_and(char::is_alphanumeric);
        let before = before.trim_end();
        whole && (before.is_empty() || before.ends_with(['/', '!', '#', '-', '*', ';', '(']))
    })
}

const NO_MACHINE: Check = Check {
    name: "no file names a directory of somebody's machine",
    find: machine_paths,
    advice: "Use a path below a temporary directory, or `/home/dev` where a text needs one.",
};

fn machine_paths(sources: &[Source]) -> Vec<Finding> {
    let homes = [
        concat!("/ho", "me/"),
        concat!("/ro", "ot/"),
        concat!("/Us", "ers/"),
    ];
    let made_up = ["dev", "sam"];
    let mut findings = Vec::new();
    for source in sources {
        for (number, line) in numbered(source) {
            for home in homes {
                let mut pieces = line.split(home);
                let mut before = pieces.next().unwrap_or_default();
                for after in pieces {
                    // A longer path may hold the same name further down.
                    let absolute = !before.ends_with(|c: char| c.is_alphanumeric() || c == '}');
                    let name = words(after).next().unwrap_or_default();
                    if absolute && !made_up.contains(&name) {
                        findings.push(Finding::new(source, number, format!("`{home}{name}`")));
                    }
                    before = after;
                }
            }
        }
    }
    findings
}

fn numbered(source: &Source) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(source.text.lines())
}

/// The words of a line: letters and digits, so that `last_time` holds `time`.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

#[test]
fn files_are_short() {
    hold(&LENGTH);
}

#[test]
fn a_long_file_is_found() {
    let (long, most) = ("\n".repeat(401), "\n".repeat(400));
    let files = [("a.rs", long.as_str()), ("b.rs", &most), ("c.md", &long)];
    assert_eq!(lines(&LENGTH, &files), ["a.rs:401: it has 401 lines"]);
}

#[test]
fn files_begin_with_what_they_are_for() {
    hold(&FIRST_LINE);
}

#[test]
fn a_file_that_begins_otherwise_is_found() {
    let files = [
        ("a.rs", "//! A sentence.\n"),
        ("b.rs", "// A\n"),
        ("c.rs", ""),
        ("d.rs", "//! \nA"),
    ];
    let expected =
        ["b.rs", "c.rs", "d.rs"].map(|path| format!("{path}:1: it begins with something else"));
    assert_eq!(lines(&FIRST_LINE, &files), expected);
}

#[test]
fn dynamics_knows_no_use() {
    hold(&NO_USE);
}

#[test]
fn a_use_in_dynamics_is_found() {
    let files = [
        (
            "attend-core/src/dynamics/a.rs",
            "//! Three times.\n//! Seconds.\nlet last_time = sometimes;",
        ),
        ("attend-core/src/mail/b.rs", "time"),
    ];
    let expected = ["2: `Seconds`", "3: `time`"];
    assert_eq!(
        lines(&NO_USE, &files),
        expected.map(|rest| format!("attend-core/src/dynamics/a.rs:{rest}"))
    );
}

#[test]
fn nothing_is_left_open() {
    hold(&NOTHING_OPEN);
}

#[test]
fn an_open_note_is_found() {
    let note = concat!("x\n# TO", "DO: more");
    let trailing = concat!("let x = 1; // FIX", "ME");
    let sought = concat!(
        "line.contains(\"TO",
        "DO\") // a TO",
        "DO of others\n// TO",
        "DOS\n"
    );
    let files = [
        ("a.md", note),
        ("b.rs", trailing),
        ("c.rs", sought),
        ("d.md", "todo"),
    ];
    let expected = [
        concat!("a.md:2: `TO", "DO`"),
        concat!("b.rs:1: `FIX", "ME`"),
    ];
    assert_eq!(lines(&NOTHING_OPEN, &files), expected);
}

#[test]
fn no_machine_is_named() {
    hold(&NO_MACHINE);
}

#[test]
fn a_directory_of_a_machine_is_found() {
    let text = concat!(
        "/ho",
        "me/dev/x /ho",
        "me/kim/x a/ho",
        "me/x \"/ro",
        "ot/x\""
    );
    let expected = [
        concat!("a.md:1: `/ho", "me/kim`"),
        concat!("a.md:1: `/ro", "ot/x`"),
    ];
    assert_eq!(lines(&NO_MACHINE, &[("a.md", text)]), expected);
}
