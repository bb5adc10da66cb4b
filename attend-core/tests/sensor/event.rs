//! What an event may be, and names.

use attend_core::sensor::{
    ConfigError, Event, Magnitude, Refusal, Report, SensorError, SensorName, Stakes,
};
use proptest::prelude::*;

#[test]
fn refusals() {
    let line = "x".repeat(400);
    let cases = [
        ("not a number", Event::new(f64::NAN, ""), Refusal::Magnitude),
        (
            "infinite",
            Event::new(f64::INFINITY, ""),
            Refusal::Magnitude,
        ),
        ("below 0", Event::new(-0.001, ""), Refusal::Magnitude),
        ("above 100", Event::new(100.001, ""), Refusal::Magnitude),
        (
            "standing without a key",
            Event::new(1.0, "").standing(),
            Refusal::StandingWithoutKey,
        ),
        (
            "inhibits without standing",
            Event::new(1.0, "").key("a").inhibits(["b"]),
            Refusal::InhibitsWithoutStanding,
        ),
        // Five lines of 400 units, 65 of prefix and a line end each, below a text of 1 unit.
        (
            "a block over its limit",
            Event::new(1.0, "x").block(vec![line; 5]),
            Refusal::BlockTooLong {
                units: 67 + 5 * 466,
            },
        ),
    ];
    for (what, event, refusal) in cases {
        assert_eq!(event.check(), Err(refusal), "{what}");
    }
}

#[test]
fn every_field_is_bounded() {
    let keys = |most: usize| (0..most).map(|n| n.to_string());
    let standing = || Event::new(1.0, "x").key("k").standing();
    let of = |bytes: usize| "k".repeat(bytes);
    let fit = [
        Event::new(1.0, "x").key(of(512)),
        Event::new(1.0, "x").signal(of(128)),
        standing().inhibits(keys(64)),
        // Its own key and what is said twice count for nothing.
        standing().inhibits(keys(64).chain(keys(64)).chain(["k".to_owned()])),
        standing().inhibits([of(512)]),
    ];
    for event in fit {
        assert!(event.clone().check().is_ok(), "{event:?}");
    }
    let key = Refusal::KeyTooLong { bytes: 513 };
    for (event, refusal) in [
        (Event::new(1.0, "x").key(of(513)), key),
        (standing().inhibits([of(513)]), key),
        (
            Event::new(1.0, "x").signal(of(129)),
            Refusal::SignalTooLong { bytes: 129 },
        ),
        (
            standing().inhibits(keys(100_000)),
            Refusal::TooManyInhibits { keys: 100_000 },
        ),
    ] {
        assert_eq!(event.check(), Err(refusal));
    }
    let mut report = Report::new();
    assert_eq!(report.clear(of(513)), Err(key));
    assert_eq!(report, Report::new());
}

#[test]
fn a_long_text_is_cut_between_characters_and_says_so() {
    let (long, stakes) = (8 << 10, 1 << 10);
    for letter in ["x", "é", "😀"] {
        let text = letter.repeat(1 << 20);
        let event = Event::new(1.0, text.clone()).stakes(Stakes::ahead(text.clone()));
        let seen = event.check().unwrap();
        for (cut, most) in [(seen.text(), long), (seen.stakes().unwrap().text(), stakes)] {
            assert!(
                cut.len() <= most && cut.len() + letter.len() > most,
                "{}",
                cut.len()
            );
            let kept = cut.strip_suffix('…').unwrap();
            assert!(text.starts_with(kept));
        }
        let whole = letter.repeat(long / letter.len());
        assert_eq!(
            Event::new(1.0, whole.clone()).check().unwrap().text(),
            whole
        );
        let error = SensorError::transient(text.clone()).to_string();
        assert!(error.len() <= 2 << 10 && error.ends_with('…'));
        let error = ConfigError::at(text.clone(), text).to_string();
        assert!(error.len() < 2 * (2 << 10) + 10 && error.ends_with('…'));
    }
}

#[test]
fn a_block_may_fill_its_limit_exactly() {
    let of = |units: usize| Event::new(1.0, "x").block(["y".repeat(units)]).check();
    let room = 2_000 - 67 - 66;
    assert!(of(room).is_ok());
    assert_eq!(of(room + 1), Err(Refusal::BlockTooLong { units: 2_001 }));
    // A character outside the basic plane takes two units.
    assert!(
        Event::new(1.0, "x")
            .block(["😀".repeat(room / 2)])
            .check()
            .is_ok()
    );
    assert!(
        Event::new(1.0, "x")
            .block(["😀".repeat(room / 2 + 1)])
            .check()
            .is_err()
    );
}

#[test]
fn an_event_does_not_inhibit_itself() {
    let event = Event::new(3.0, "rebase")
        .key("operation")
        .standing()
        .inhibits(["dirty", "operation"]);
    let inhibits: Vec<String> = event
        .check()
        .unwrap()
        .inhibits()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(inhibits, ["dirty"]);
}

#[test]
fn bounds_of_a_magnitude() {
    for (value, thousandths) in [
        (0.0, Some(0)),
        (-0.0, Some(0)),
        (0.0004, Some(0)),
        (0.0005, Some(1)),
        (2.0, Some(2_000)),
        (100.0, Some(100_000)),
    ] {
        assert_eq!(
            Magnitude::new(value).map(Magnitude::thousandths),
            thousandths,
            "{value}"
        );
    }
    for value in [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -f64::MIN_POSITIVE,
        100.000_1,
    ] {
        assert_eq!(Magnitude::new(value), None, "{value}");
    }
    assert_eq!(
        Magnitude::from_thousandths(100_000).map(Magnitude::get),
        Some(100.0)
    );
    assert_eq!(Magnitude::from_thousandths(100_001), None);
}

#[test]
fn ten_times_a_fifth_is_two() {
    let fifth = Magnitude::new(0.2).unwrap().thousandths();
    assert_eq!(10 * fifth, Magnitude::new(2.0).unwrap().thousandths());
}

proptest! {
    #[test]
    fn a_magnitude_survives_numbers_and_text(thousandths in 0_u32..=100_000) {
        let magnitude = Magnitude::from_thousandths(thousandths).unwrap();
        prop_assert_eq!(Magnitude::new(magnitude.get()), Some(magnitude));
        let json = serde_json::to_string(&magnitude).unwrap();
        prop_assert_eq!(serde_json::from_str::<Magnitude>(&json).unwrap(), magnitude);
        prop_assert_eq!(Magnitude::new(magnitude.to_string().parse().unwrap()), Some(magnitude));
    }

    #[test]
    fn any_number_is_a_magnitude_from_0_to_100_or_none(value in any::<f64>()) {
        match Magnitude::new(value) {
            Some(magnitude) => prop_assert!((magnitude.get() - value).abs() <= 0.000_500_001),
            None => prop_assert!(!(0.0..=100.0).contains(&value)),
        }
    }

    #[test]
    fn a_name_is_1_to_32_of_a_small_alphabet(text in "[a-zA-Z0-9_ äß\u{0}-]{0,40}") {
        let fits = (1..=32).contains(&text.len()) && text.bytes().all(|b| b"abcdefghijklmnopqrstuvwxyz0123456789-".contains(&b));
        let name = SensorName::new(&text);
        prop_assert_eq!(name.is_ok(), fits);
        let read: Result<SensorName, _> = serde_json::from_str(&serde_json::to_string(&text).unwrap());
        prop_assert_eq!(read.ok(), name.ok());
    }
}

#[test]
fn a_refused_name_is_quoted_and_cut() {
    let error = SensorName::new(&"Ä".repeat(1_000)).unwrap_err().to_string();
    assert!(
        error.starts_with("`ÄÄ") && error.chars().count() < 140,
        "{error}"
    );
    assert!(SensorName::new("a-9").is_ok());
}
