//! Hundreds of ways: what is kept of them saves reading, and changes nothing else.

use std::fs;

use crate::desk::{Desk, SESSION, way};
use crate::home::{stderr, stdout};
use crate::hooked::prompt;

/// A session with many ways, of which none is called for.
fn crowded() -> Desk {
    let desk = Desk::at(40_000);
    for n in 0..100 {
        let trigger = format!("{{ type: UserPromptSubmit, keywords: [word{n}x] }}");
        desk.triggered(&format!("d{}/w{n}", n % 7), &trigger, "");
        desk.way(&format!("s{n}"), &way("s", "d", &format!("signal-{n}"), ""));
    }
    desk
}

#[test]
fn one_of_hundreds_is_found_whatever_is_kept_of_them() {
    let desk = crowded();
    let index = desk.home.path().join("attend/state/ways-index");
    let kept = || {
        let mut files = fs::read_dir(&index).expect("it is kept");
        files.next().expect("one root").expect("a file").path()
    };
    assert_eq!(desk.hears(&prompt("word3x")), "The guidance of d3/w3.\n");
    let file = kept();
    assert_eq!(desk.hears(&prompt("Word4x.")), "The guidance of d4/w4.\n");
    fs::write(&file, "damaged").expect("a file");
    assert_eq!(desk.hears(&prompt("word5x")), "The guidance of d5/w5.\n");
    assert_eq!(kept(), file);
    desk.triggered(
        "d6/w6",
        "{ type: UserPromptSubmit, keywords: [another] }",
        "",
    );
    assert_eq!(desk.hears(&prompt("word6x")), "");
    assert_eq!(desk.hears(&prompt("another")), "The guidance of d6/w6.\n");
    fs::remove_file(desk.home.project().join(".claude/ways/d0/w7.md")).expect("a way");
    assert_eq!(
        desk.hears(&prompt("word7x, word8x")),
        "The guidance of d1/w8.\n"
    );
}

#[test]
fn what_is_asked_for_is_found_among_hundreds_and_broken_ones_are_told() {
    let desk = crowded();
    desk.way("broken", "---\nname: [\n---\n");
    for n in [3, 4] {
        let signal = format!("attend/signal-{n}");
        let output = desk.output(&["show", &signal, "--session", SESSION]);
        assert_eq!(stdout(&output), "The guidance of s.\n");
        assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
    }
    let output = desk.output(&["show", "attend/signal-x", "--session", SESSION]);
    let said = stderr(&output);
    assert!(
        said.contains("attend/build-failed") && said.contains("attend/signal-99"),
        "{said}"
    );
    // One that comes with the program is hidden by what stands over it, which is not read.
    desk.way("build-failed", &way("n", "d", "own", ""));
    desk.way("attend", &way("n", "d", "own", ""));
    for signal in ["build-failed", "affordances"] {
        for _ in 0..2 {
            let output = desk.output(&["show", &format!("attend/{signal}"), "--session", SESSION]);
            assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
        }
    }
}
