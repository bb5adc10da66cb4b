//! Each fixture leads to the context that its README states.

use std::collections::BTreeSet;

use attend_core::sensor::{Compaction, Growth, Root, WindowBasis};
use attend_sensors::host::claude_code::StatusLine;

use crate::world::{ID, World, answer, context, fixture, fixtures, prompt, transcripts};

const TABLE: [(&str, Option<u64>, Option<&str>, u64); 21] = [
    ("01", Some(34_494), Some("claude-opus-4-7"), 1_000_000),
    ("02", Some(59_420), Some("claude-sonnet-5"), 1_000_000),
    ("03", Some(31_466), Some("claude-opus-4-6"), 200_000),
    ("05", Some(19_569), Some("claude-sonnet-4-6"), 200_000),
    ("06", Some(31_237), Some("claude-opus-4-7"), 1_000_000),
    ("07a", Some(31_256), Some("claude-opus-4-7"), 1_000_000),
    ("07b", Some(31_389), Some("claude-opus-4-7"), 1_000_000),
    ("09", None, None, 200_000),
    ("10", Some(12), Some("claude-sonnet-4-5"), 200_000),
    ("13", Some(31_314), Some("claude-opus-4-7"), 1_000_000),
    ("15", Some(32_816), Some("claude-opus-4-8"), 1_000_000),
    ("18", Some(31_298), Some("claude-opus-4-7"), 1_000_000),
    ("20", Some(20_989), Some("claude-sonnet-4-6"), 200_000),
    ("30", Some(40_354), Some("claude-opus-5-5"), 1_000_000),
    ("32", Some(34_003), Some("claude-opus-5"), 1_000_000),
    ("34", Some(30_003), Some("claude-opus-5"), 1_000_000),
    ("36", Some(30_003), Some("claude-opus-5"), 1_000_000),
    ("38", Some(30_003), Some("claude-sonnet-5-5"), 1_000_000),
    ("39", Some(25_102), Some("claude-haiku-5-5"), 1_000_000),
    ("40", Some(31_600), Some("claude-opus-5-5"), 1_000_000),
    ("41", Some(20_120), Some("claude-opus-5-5"), 1_000_000),
];

#[test]
fn every_fixture_has_its_context() {
    let mut left: BTreeSet<String> = transcripts()
        .iter()
        .map(|path| {
            path.file_name()
                .unwrap()
                .to_string_lossy()
                .split('-')
                .next()
                .unwrap()
                .to_owned()
        })
        .collect();
    for (number, tokens, model, window) in TABLE {
        let world = World::new();
        world.write(fixture(number));
        let host = world.named();
        let usage = context(&host);
        let found = (usage.tokens, usage.model.as_deref(), usage.window);
        assert_eq!(found, (tokens, model, window), "{number}");
        let basis = if model.is_some() {
            WindowBasis::Model
        } else {
            WindowBasis::Assumed
        };
        assert_eq!(usage.basis, basis, "{number}");
        let counts = host.counts();
        assert_eq!(
            (counts.unreadable, counts.unknown, counts.long),
            (0, 0, 0),
            "{number}"
        );
        left.remove(number);
    }
    assert_eq!(
        left,
        BTreeSet::new(),
        "a fixture that no row of the table names"
    );
}

#[test]
fn a_compaction_begins_an_epoch_of_unknown_size() {
    let world = World::new();
    let text = String::from_utf8(fixture("05")).unwrap();
    let rows: Vec<&str> = text.split_inclusive('\n').collect();
    let boundary = rows
        .iter()
        .position(|row| row.contains("compact_boundary"))
        .unwrap();
    world.write(rows[..boundary].concat());
    let host = world.named();
    let before = context(&host);
    assert_eq!(
        (before.tokens, before.epoch.as_deref()),
        (Some(20_961), Some(ID))
    );

    world.append(rows[boundary]);
    let after = context(&host);
    assert_eq!(after.tokens, None);
    assert_eq!(after.compaction, Some(Compaction::new(false, Some(20_965))));
    assert!(
        after.epoch.is_some() && after.epoch != before.epoch,
        "{after:?}"
    );
    assert_eq!(after.samples, []);

    world.append(rows[boundary + 1..].concat());
    let settled = context(&host);
    assert_eq!(
        (settled.tokens, &settled.epoch),
        (Some(19_569), &after.epoch)
    );
    // Whoever looks for the first time sees the same.
    assert_eq!(context(&world.named()), settled);
}

#[test]
fn a_late_row_of_an_answer_before_the_compaction_does_not_count_after_it() {
    let world = World::new();
    let boundary = r#"{"type":"system","subtype":"compact_boundary","uuid":"b-1","compactMetadata":{"trigger":"auto","preTokens":900}}"#;
    world.write(format!("{}{boundary}\n{}", answer(1, 900), answer(1, 900)));
    let usage = context(&world.named());
    assert_eq!((usage.tokens, usage.epoch.as_deref()), (None, Some("b-1")));
    assert_eq!(usage.compaction, Some(Compaction::new(true, Some(900))));
}

#[test]
fn rows_of_one_answer_count_once_also_where_they_stand_apart() {
    let world = World::new();
    world.write(
        [
            answer(1, 100),
            answer(1, 100),
            answer(2, 150),
            answer(1, 100),
        ]
        .concat(),
    );
    let usage = context(&world.named());
    assert_eq!(usage.tokens, Some(150));
    let counts: Vec<u64> = usage.samples.iter().map(|sample| sample.tokens).collect();
    assert_eq!(counts, [100, 150]);
}

#[test]
fn turns_and_their_growth() {
    let world = World::new();
    world.write(fixture("18"));
    let usage = context(&world.named());
    assert_eq!(usage.growth, Growth::of(&[24, 24]));
    assert_eq!(usage.turn, None, "this version counts no turns");
    let counts: Vec<u64> = usage.samples.iter().map(|sample| sample.tokens).collect();
    assert_eq!(counts, [31_250, 31_274, 31_298]);
    let seconds: Vec<u64> = usage.samples.iter().map(|sample| sample.at.get()).collect();
    assert_eq!((seconds[1] - seconds[0], seconds[2] - seconds[1]), (6, 5));

    world.write(fixture("30"));
    assert_eq!(
        context(&world.named()).turn,
        Some(1),
        "notifications and peers are no prompts"
    );
}

#[test]
fn the_growth_is_the_median_of_the_last_five_turns() {
    let world = World::new();
    let mut rows = String::new();
    let mut tokens = 1_000;
    for (id, grown) in (0..).zip([9_999, 10, 20, 5_000, 30, 40]) {
        tokens += grown;
        rows += &prompt("2027-01-15T07:00:00Z");
        rows += &answer(id, tokens - grown / 2);
        rows += &answer(100 + id, tokens);
    }
    world.write(rows + &prompt("2027-01-15T07:00:00Z"));
    assert_eq!(
        context(&world.named()).growth,
        Growth::of(&[10, 20, 5_000, 30, 40])
    );
}

#[test]
fn more_tokens_than_fit_raise_the_window() {
    let world = World::new();
    world.write(answer(1, 200_001));
    let usage = context(&world.named());
    assert_eq!(
        (usage.window, usage.basis),
        (1_000_000, WindowBasis::Observed)
    );
    assert_eq!(usage.percent(), Some(20));
}

#[test]
fn what_the_host_said_of_its_window_wins() {
    let line = |name: &str| {
        let path = fixtures().join("constructed/statusline").join(name);
        std::fs::read(path).unwrap()
    };
    let a = StatusLine::parse(&line("a-normal-1m.json")).unwrap();
    assert_eq!((a.window, a.used), (Some(1_000_000), Some(312_000)));
    assert_eq!(
        (a.session.as_deref(), a.model.as_deref()),
        (Some(ID), Some("claude-opus-5-5"))
    );
    let b = StatusLine::parse(&line("b-before-first-call.json")).unwrap();
    assert_eq!((b.window, b.used), (Some(1_000_000), None));
    let c = StatusLine::parse(&line("c-after-compact-null-usage.json")).unwrap();
    assert_eq!((c.window, c.used), (Some(200_000), None));
    let d = StatusLine::parse(&line("d-old-no-context-window.json")).unwrap();
    assert_eq!((d.window, d.used), (None, None));

    let world = World::new();
    world.write(fixture("30"));
    let host = world.named();
    assert_eq!(context(&host).basis, WindowBasis::Model);
    world
        .roots
        .file_in(Root::State, format!("statusline/{ID}.json"), c.to_json());
    let usage = context(&host);
    assert_eq!(
        (usage.window, usage.basis, usage.tokens),
        (200_000, WindowBasis::Exact, Some(40_354))
    );
}

#[test]
fn before_the_first_answer_nothing_is_known() {
    let world = World::new();
    let usage = context(&world.named());
    assert_eq!(
        (usage.tokens, usage.percent(), usage.epoch.as_deref()),
        (None, None, Some(ID))
    );
    assert_eq!(usage.samples, []);
}
