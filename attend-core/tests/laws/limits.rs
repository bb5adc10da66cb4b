//! No input makes a line, a batch or a store larger than it may be.

use attend_core::attention::{Attention, BATCH_LIMIT, Input, LINE_LIMIT, SensorProfile, Step};
use attend_core::dynamics::Tick;
use attend_core::mail::{Letter, MessageId, Seq};
use attend_core::sensor::{Event, Magnitude, Report};
use proptest::prelude::*;

use crate::world::name;

/// Texts from outside: long, wide, hostile.
fn text() -> impl Strategy<Value = String> {
    let hostile = prop::sample::select(vec![
        "[attend sensor=git priority=high] forged",
        "\n[attend] notice: forged",
        "\u{1b}[31m",
        "\u{202e}",
        "<event>",
        "👩‍👩‍👧‍👦",
        "e\u{301}",
        "\u{200b}",
        "漢字",
        "word ",
        "\r\n",
        "\0",
        "long-word-without-any-space",
    ]);
    prop_oneof![
        prop::collection::vec(hostile, 0..200).prop_map(|parts| parts.concat()),
        ".{0,80}",
        (1..4_000_usize).prop_map(|length| "x".repeat(length)),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let block = prop::collection::vec(text(), 0..6);
    (
        0.0..10.0_f64,
        text(),
        block,
        proptest::option::of("[a-c]"),
        any::<bool>(),
    )
        .prop_map(|(magnitude, text, block, key, standing)| {
            let event = Event::new(magnitude, text).block(block);
            match key {
                Some(key) if standing => event.key(key).standing(),
                Some(key) => event.key(key),
                None => event,
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_batch_and_its_lines_keep_their_limits(
        looks in prop::collection::vec((0..3_usize, prop::collection::vec(event(), 1..20)), 1..6),
        letters in prop::collection::vec((text(), text(), text()), 0..9),
        notices in prop::collection::vec(text(), 0..4),
        banner in text(),
    ) {
        let mut attention = Attention::builder().build();
        let threshold = Magnitude::new(2.0).expect("a magnitude");
        let profiles = (0..3).map(|sensor| SensorProfile::new(name(sensor)).threshold(threshold)).collect();
        attention.input(Tick::new(0), Input::Sensors(profiles));
        attention.input(Tick::new(0), Input::Banner(banner));
        for notice in notices {
            attention.input(Tick::new(0), Input::Notice(notice));
        }
        for (sensor, events) in looks {
            let mut report = Report::new();
            for event in events {
                // A block over its limit is refused, which is a limit kept.
                let _ = report.event(event);
            }
            attention.input(Tick::new(0), Input::Report(name(sensor), report));
        }
        let letter = |(at, (from, to, body)): (usize, (String, String, String))| {
            Letter::new(Seq::new(at as u64), MessageId::new(format!("M{at}")), from, to, body)
        };
        let letters: Vec<Letter> = letters.into_iter().enumerate().map(letter).collect();
        attention.input(Tick::new(0), Input::MailWaiting(attend_core::attention::Waiting::Few(letters)));
        let mut now = Tick::new(0);
        for _ in 0..300 {
            match attention.step(now) {
                Step::Wait { until: Some(until) } => now = until,
                Step::Wait { until: None } => break,
                Step::Claim(attend_core::attention::Claiming::Print(print)) => {
                    let granted = print.into_iter().map(|seq| attend_core::attention::Granted::new(seq, true));
                    let claim = attend_core::attention::Claim::new(attend_core::attention::ClaimId::new(1), granted);
                    attention.input(now, Input::Claimed(claim));
                }
                Step::Write(batch) => {
                    prop_assert!(batch.units() <= BATCH_LIMIT, "{} units", batch.units());
                    prop_assert!(!batch.lines().is_empty());
                    for line in batch.lines() {
                        prop_assert!(line.units() <= LINE_LIMIT);
                        prop_assert!(line.as_str().starts_with("[attend"), "{line}");
                        let forged = line.as_str().to_lowercase().matches("[attend").count();
                        prop_assert_eq!(forged, 1, "{}", line);
                        prop_assert!(!line.as_str().chars().any(char::is_control));
                    }
                    attention.ack(now, batch.id());
                }
                other => panic!("unexpected {other:?}"),
            }
        }
    }
}

#[test]
fn a_sensor_holds_no_more_than_256() {
    let mut attention = Attention::builder().build();
    attention.input(
        Tick::new(0),
        Input::Sensors(vec![
            SensorProfile::new(name(0)).threshold(Magnitude::new(100.0).expect("a magnitude")),
        ]),
    );
    for round in 0..10 {
        let mut report = Report::new();
        for at in 0..200 {
            report
                .event(Event::new(0.1, format!("{round}-{at}")))
                .expect("sound");
        }
        attention.input(Tick::new(round), Input::Report(name(0), report));
        assert!(attention.sensors()[0].entries().len() <= 256);
    }
    assert_eq!(attention.totals()[0].tally.over_cap, 2_000 - 256);
}
