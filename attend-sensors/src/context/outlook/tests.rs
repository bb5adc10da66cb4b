//! Projections and stakes, as tables.

use attend_core::sensor::{Growth, WindowBasis};

use super::*;

/// Stakes at so many tokens of 100,000 with the point at 95 %: `!` before those at hand.
fn stakes(tokens: u64, growth: Option<u64>, turn: Option<u64>, pace: Option<u64>) -> String {
    let reading = Reading::new(tokens, 100_000).unwrap();
    let mut usage = ContextUsage::new(100_000, WindowBasis::Exact);
    usage.growth = growth.and_then(|growth| Growth::of(&[growth]));
    usage.turn = turn;
    let outlook = Outlook::new(reading, USUAL, &usage, pace.map(Share::percent_of));
    outlook.stakes().map_or_else(String::new, |stakes| {
        let at_hand = if stakes.is_at_hand() { "!" } else { "" };
        format!("{at_hand}{}", stakes.text())
    })
}

#[test]
fn turns_with_a_number() {
    for (tokens, growth, said) in [
        (
            86_000,
            3_000,
            "projected critical at turn 58 (3 turns remaining)",
        ),
        (
            86_001,
            3_000,
            "projected critical at turn 58 (3 turns remaining)",
        ),
        (
            85_999,
            3_000,
            "projected critical at turn 59 (4 turns remaining)",
        ),
        (
            85_000,
            100,
            "projected critical at turn 155 (100 turns remaining)",
        ),
        (84_999, 100, ""),
        (
            65_000,
            10_000,
            "projected critical at turn 58 (3 turns remaining)",
        ),
        (64_999, 10_000, ""),
        (
            85_000,
            5_000,
            "projected critical at turn 57 (2 turns remaining)",
        ),
    ] {
        assert_eq!(
            stakes(tokens, Some(growth), Some(55), Some(1)),
            said,
            "{tokens}"
        );
    }
}

#[test]
fn turns_without_a_number_and_minutes() {
    let ahead = |growth, pace| stakes(86_000, growth, None, pace);
    assert_eq!(
        ahead(Some(3_000), None),
        "projected critical in about 3 turns"
    );
    let both = "projected critical in about 3 turns, about 3 minutes";
    assert_eq!(ahead(Some(3_000), Some(3)), both);
    assert_eq!(ahead(None, Some(9)), "projected critical in about 1 minute");
    assert_eq!(ahead(None, None), "compaction at about 95%");
    assert_eq!(
        ahead(Some(0), None),
        "compaction at about 95%",
        "no growth is no projection"
    );
    assert_eq!(
        stakes(86_000, None, Some(7), Some(2)),
        "projected critical in about 5 minutes"
    );
}

#[test]
fn at_hand() {
    for (tokens, growth, pace, said) in [
        (92_000, Some(100), None, "!compaction in about 30 turns"),
        (91_999, Some(4_000), None, "!compaction in about 1 turn"),
        (91_999, None, None, "compaction at about 95%"),
        (92_000, None, None, "!compaction at about 95%"),
        (92_000, None, Some(2), "!compaction in about 2 minutes"),
        (94_999, None, Some(2), "!compaction in about 1 minute"),
        (94_999, Some(3_000), Some(2), "!compaction in about 1 turn"),
        (95_000, Some(3_000), Some(2), "!compaction is due"),
        (99_000, None, None, "!compaction is due"),
        (50_000, Some(45_000), None, "!compaction in about 1 turn"),
        (
            50_000,
            Some(44_999),
            None,
            "projected critical in about 2 turns",
        ),
    ] {
        assert_eq!(stakes(tokens, growth, None, pace), said, "{tokens}");
    }
}

#[test]
fn where_it_compacts() {
    let share = Share::percent_of;
    let automatic = |before| observed(Some(Compaction::new(true, before)), 100_000);
    assert_eq!(automatic(Some(83_000)), Some(share(83)));
    assert_eq!(automatic(Some(130_000)), Some(share(100)));
    assert_eq!(automatic(Some(0)), None);
    assert_eq!(automatic(None), None);
    assert_eq!(
        observed(Some(Compaction::new(false, Some(83_000))), 100_000),
        None
    );
    assert_eq!(observed(None, 100_000), None);

    let seen = Some(share(83));
    assert_eq!(point(Some(0.7), seen, share(40)), share(70));
    assert_eq!(point(None, seen, share(88)), share(83));
    assert_eq!(
        point(None, seen, share(89)),
        share(95),
        "it went on beyond that"
    );
    assert_eq!(point(None, None, share(89)), share(95));
}
