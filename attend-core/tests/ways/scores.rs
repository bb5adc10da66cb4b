//! Which of several ways fits best.

use attend_core::ways::{DefaultScorer, Scorer, Way, rank};

use crate::way;

fn best(context: &str, ways: &[Way]) -> String {
    let ways: Vec<&Way> = ways.iter().collect();
    let ranked = rank(&DefaultScorer, context, &ways);
    ways[ranked[0]].name.clone()
}

#[test]
fn the_way_whose_words_are_said_fits_best() {
    let ways = [
        way(
            "flaky-tests",
            "What to do when a test fails now and then",
            "build-failed",
            "",
        ),
        way(
            "linker-errors",
            "How to read errors of the linker and undefined symbols",
            "build-failed",
            "",
        ),
        way(
            "disk-full",
            "Free space when the disk is full",
            "build-failed",
            "",
        ),
    ];
    let best = |context| best(context, &ways);
    assert_eq!(
        best("error: undefined symbol: foo, the linker gave up"),
        "linker-errors"
    );
    assert_eq!(
        best("No space left on device: the disk is full"),
        "disk-full"
    );
    assert_eq!(
        best("test parser::one fails every third run"),
        "flaky-tests"
    );
    // Words that stand in every text tell nothing.
    assert_eq!(best("what is it of the and or free"), "disk-full");
    // Nothing that anybody said: the first of them.
    assert_eq!(best(""), "flaky-tests");
}

#[test]
fn scores_are_the_same_for_the_same() {
    let ways: Vec<Way> = (0..500)
        .map(|n| {
            way(
                &format!("way-{n}"),
                &format!("Guidance number {n} on topic {}", n % 37),
                "s",
                "",
            )
        })
        .collect();
    let ways: Vec<&Way> = ways.iter().collect();
    let context = "topic 17 and guidance about some number of things ".repeat(80);
    let scores = DefaultScorer.scores(&context, &ways);
    for _ in 0..3 {
        assert_eq!(DefaultScorer.scores(&context, &ways), scores);
    }
    assert_eq!(scores.len(), 500);
    assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)));
}

#[test]
fn any_scorer_can_take_its_place() {
    struct ByName;
    impl Scorer for ByName {
        fn scores(&self, context: &str, ways: &[&Way]) -> Vec<f64> {
            ways.iter()
                .map(|way| f64::from(u8::from(way.name == context)))
                .collect()
        }
    }
    let (a, b) = (way("a", "d", "s", ""), way("b", "d", "s", ""));
    assert_eq!(rank(&ByName, "b", &[&a, &b]), [1, 0]);
}
