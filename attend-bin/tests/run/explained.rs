//! `attend explain` of a loop that runs: what became of everything, and that it adds up.

use crate::home::{stderr, stdout};
use crate::world::World;

/// Numbers before words, such as `3 shown`.
fn numbers(text: &str) -> impl Iterator<Item = u64> {
    text.split('+').map(|part| {
        let mut words = part.split_whitespace();
        let number = words.find_map(|word| word.parse().ok());
        number.expect("a number")
    })
}

#[test]
fn what_became_of_everything_adds_up_and_says_what_was_shown() {
    let world = World::known();
    world.git(["switch", "-q", "-c", "feat/x"]);
    world.write("a", "dirty");
    let shown = world.once();
    assert!(shown.count("branch changed") > 0, "{shown:?}");
    for n in 0..3 {
        world.commit(&format!("more-{n}"));
        world.once();
    }
    let output = world.home.output(&["explain"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let told = stdout(&output);
    assert!(
        told.contains("git  branch changed: main → feat/x"),
        "{told}"
    );
    let (_, account) = told
        .split_once("since the loop first began")
        .expect("counts");
    let mut reported = Vec::new();
    for line in account.lines().skip(1) {
        let (all, parts) = line.split_once(" = ").unwrap_or((line, "0 of them"));
        let all = numbers(all).next().expect("a number");
        assert_eq!(all, numbers(parts).sum::<u64>(), "{line}");
        reported.push(all);
    }
    let all = reported.pop().expect("the sum of all");
    assert!(all >= 3, "{told}");
    assert_eq!(all, reported.iter().sum::<u64>(), "{told}");
}
