//! Every file of `scenarios/` is run in virtual time and must lead to what it says.
//!
//! A file holds a script, then after `---` the lines it leads to, and where they are told after
//! `--- why` what each gate held and after `--- counts` where every event went. With
//! `ATTEND_BLESS=1` in the environment the second half is written anew, to be read before it is
//! committed.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use attend_core::attention::{BATCH_LIMIT, LINE_LIMIT, Replay, Script, Settings};

fn scenarios() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let entries = fs::read_dir(&folder).expect("the folder of scenarios");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    assert!(
        files.len() > 30,
        "only {} scenarios in {}",
        files.len(),
        folder.display()
    );
    files
}

/// What a replay led to, with the sections that `asked` names.
fn outcome(replay: &Replay, asked: &str) -> String {
    let mut text = format!("---\n{replay}");
    if asked.contains("\n--- why\n") {
        text.push_str("--- why\n");
        replay
            .holds()
            .for_each(|hold| writeln!(text, "{hold}").expect("a string takes everything"));
    }
    if asked.contains("\n--- counts\n") {
        text.push_str("--- counts\n");
        for totals in &replay.totals {
            let t = totals.tally;
            let all = [
                ("reported", t.reported),
                ("shown", t.shown),
                ("footnoted", t.footnoted),
                ("aged out", t.aged_out),
                ("replaced", t.replaced),
                ("cleared", t.cleared),
                ("repeated", t.repeated),
                ("over the cap", t.over_cap),
                ("held", totals.held),
            ];
            let told: Vec<String> = all
                .iter()
                .filter(|(_, count)| *count > 0)
                .map(|(name, count)| format!("{count} {name}"))
                .collect();
            writeln!(text, "{}: {}", totals.sensor, told.join(", "))
                .expect("a string takes everything");
        }
    }
    text
}

/// What holds for every replay, whatever its script.
fn check_limits(file: &Path, replay: &Replay) {
    for totals in &replay.totals {
        let accounted = totals.tally.gone() + totals.held;
        assert_eq!(
            totals.tally.reported,
            accounted,
            "{}: the counts of {totals:?}",
            file.display()
        );
    }
    for batch in replay.batches() {
        assert!(batch.units() <= BATCH_LIMIT, "{}: {batch}", file.display());
        assert!(
            batch.lines().iter().all(|line| line.units() <= LINE_LIMIT),
            "{}: {batch}",
            file.display()
        );
    }
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a maintainer asks for new expectations by the environment"
)]
fn each_scenario_leads_to_what_it_says() {
    let bless = std::env::var_os("ATTEND_BLESS").is_some();
    let mut failed = Vec::new();
    for file in scenarios() {
        let text = fs::read_to_string(&file).expect("a scenario");
        let (script, expected) = text
            .split_once("---\n")
            .expect("a line `---` before what is expected");
        let expected = format!("---\n{expected}");
        let parsed: Script = script
            .parse()
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let replay = parsed.run(&Settings::default());
        check_limits(&file, &replay);
        let actual = outcome(&replay, &text);
        if actual == expected {
            continue;
        }
        if bless {
            fs::write(&file, format!("{script}{actual}")).expect("a scenario can be written");
        } else {
            failed.push(format!("{}\n{actual}", file.display()));
        }
    }
    assert!(
        failed.is_empty(),
        "these led to something else:\n\n{}",
        failed.join("\n")
    );
}

#[test]
fn a_script_that_cannot_be_read_says_where_and_what() {
    use attend_core::attention::ScriptErrorKind::{Action, Argument, Tick, Words};
    for (text, kind, said) in [
        (
            "sensor git\n10 report git 1 \"x",
            Words,
            "line 2: a quoted text does not end",
        ),
        ("10 banner \"\\q\"", Words, "line 1: `\\q` is no escape"),
        ("soon banner x", Tick, "line 1: `soon` is no tick"),
        (
            "0..9/0 banner x",
            Tick,
            "line 1: `0..9/0` is too many ticks",
        ),
        (
            "# one\n\n10",
            Action,
            "line 3: there is a tick but nothing happens",
        ),
        ("10 shout x", Action, "line 1: nothing is called `shout`"),
        ("10 banner", Argument, "line 1: `banner` needs a text"),
        (
            "sensor git 101",
            Argument,
            "line 1: a threshold lies from 0 to 100",
        ),
    ] {
        let error = text.parse::<Script>().unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (kind, said),
            "{text}"
        );
    }
}
