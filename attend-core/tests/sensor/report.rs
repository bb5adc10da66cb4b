//! What a report keeps, compared with a model that does it the slow and obvious way.

use attend_core::sensor::{Event, Item, Key, MAX_HELD, Magnitude, Observation, Refusal, Report};
use proptest::prelude::*;

/// One call on a report.
#[derive(Clone, Debug)]
enum Call {
    Event(Option<u8>, u32),
    Clear(u8),
}

/// What a report should hold, as lines.
#[derive(Default)]
struct Model {
    items: Vec<Entry>,
    replaced: u64,
    cleared: u64,
    over_cap: u64,
}

#[derive(Clone, PartialEq, Debug)]
enum Entry {
    Event {
        key: Option<u8>,
        thousandths: u64,
        text: String,
    },
    Clear(u8),
}

impl Model {
    fn call(&mut self, call: &Call, text: String) {
        match *call {
            Call::Clear(cleared) => {
                let held = self.items.len();
                self.items.retain(
                    |entry| !matches!(entry, Entry::Event { key, .. } if *key == Some(cleared)),
                );
                self.cleared += (held - self.items.len()) as u64;
                self.items.retain(|entry| *entry != Entry::Clear(cleared));
                self.items.push(Entry::Clear(cleared));
            }
            Call::Event(key, thousandths) => {
                let event = Entry::Event {
                    key,
                    thousandths: thousandths.into(),
                    text,
                };
                let same = |entry: &&mut Entry| matches!(entry, Entry::Event { key: known, .. } if known.is_some() && *known == key);
                if let Some(held) = self.items.iter_mut().find(same) {
                    *held = event;
                    self.replaced += 1;
                    return;
                }
                self.items.push(event);
                let events = self
                    .items
                    .iter()
                    .filter(|entry| matches!(entry, Entry::Event { .. }));
                if events.count() > MAX_HELD {
                    self.displace();
                }
            }
        }
    }

    fn displace(&mut self) {
        let weight = |entry: &Entry| match entry {
            Entry::Event { thousandths, .. } => Some(*thousandths),
            Entry::Clear(_) => None,
        };
        let smallest = self.items.iter().filter_map(weight).min();
        let at = self
            .items
            .iter()
            .position(|entry| weight(entry) == smallest);
        self.items.remove(at.unwrap());
        self.over_cap += 1;
    }
}

fn entries(report: &Report) -> Vec<Entry> {
    let number = |key: &Key| key.as_str().parse().unwrap();
    let entry = |item: &Item| match item {
        Item::Event(event) => Entry::Event {
            key: event.key().map(number),
            thousandths: event.magnitude().thousandths(),
            text: event.text().to_owned(),
        },
        Item::Clear(key) => Entry::Clear(number(key)),
        _ => unreachable!("there is nothing else in a report"),
    };
    report.items().map(entry).collect()
}

fn make(call: &Call, text: &str, report: &mut Report) {
    match call {
        Call::Clear(key) => report.clear(key.to_string()).unwrap(),
        Call::Event(key, thousandths) => {
            let magnitude = Magnitude::from_thousandths(*thousandths).unwrap().get();
            let event = Event::new(magnitude, text);
            let event = match key {
                Some(key) => event.key(key.to_string()),
                None => event,
            };
            report.event(event).unwrap();
        }
    }
}

fn calls() -> impl Strategy<Value = Vec<Call>> {
    let key = prop_oneof![3 => (0_u8..12).prop_map(Some), 1 => Just(None)];
    let busy = prop_oneof![
        4 => (key, 0_u32..5).prop_map(|(key, m)| Call::Event(key, m * 1_000)),
        2 => (0_u8..12).prop_map(Call::Clear),
    ];
    // Many keys and few clears, so that the cap is reached.
    let flood = prop_oneof![
        30 => (any::<Option<u8>>(), 0_u32..4).prop_map(|(key, m)| Call::Event(key, m * 500)),
        1 => any::<u8>().prop_map(Call::Clear),
    ];
    prop_oneof![
        prop::collection::vec(busy, 0..60),
        prop::collection::vec(flood, 0..700),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_report_keeps_what_the_model_keeps(calls in calls(), cut in any::<prop::sample::Index>()) {
        let (mut report, mut model) = (Report::new(), Model::default());
        // The same calls again, of which the later ones arrive in a report of their own.
        let (mut early, mut late) = (Report::new(), Report::new());
        let cut = cut.index(calls.len() + 1);
        for (at, call) in calls.iter().enumerate() {
            let text = format!("call {at}");
            make(call, &text, &mut report);
            make(call, &text, if at < cut { &mut early } else { &mut late });
            model.call(call, text);
        }

        prop_assert_eq!(entries(&report), model.items.clone());
        prop_assert_eq!(report.len(), model.items.len());
        prop_assert_eq!(report.is_empty(), model.items.is_empty());
        let absorbed = report.absorbed();
        prop_assert_eq!((absorbed.replaced, absorbed.cleared, absorbed.over_cap), (model.replaced, model.cleared, model.over_cap));

        let reported = calls.iter().filter(|call| matches!(call, Call::Event(..))).count();
        prop_assert_eq!(reported as u64, report.events().count() as u64 + absorbed.total());

        early.append(late).unwrap();
        prop_assert_eq!(reported as u64, early.events().count() as u64 + early.absorbed().total());
        if model.over_cap == 0 {
            prop_assert_eq!(entries(&early), model.items);
        }
    }
}

#[test]
fn items_stand_in_call_order() {
    let mut report = Report::new();
    report.event(Event::new(1.0, "one").key("a")).unwrap();
    report.clear("b").unwrap();
    report.event(Event::new(1.0, "two")).unwrap();
    report.event(Event::new(2.0, "one again").key("a")).unwrap();
    let said: Vec<String> = report.items().map(|item| format!("{item:?}")).collect();
    assert!(
        said[0].contains("one again") && said[1].contains("Clear") && said[2].contains("two"),
        "{said:?}"
    );
}

#[test]
fn a_clear_and_a_later_event_of_one_key_both_stand() {
    let mut report = Report::new();
    report
        .event(Event::new(4.0, "conflict").key("tree").standing())
        .unwrap();
    report.clear("tree").unwrap();
    report
        .event(Event::new(4.0, "another conflict").key("tree").standing())
        .unwrap();
    assert_eq!(
        report.events().map(Observation::text).collect::<Vec<_>>(),
        ["another conflict"]
    );
    assert!(matches!(report.items().next(), Some(Item::Clear(_))));
    assert_eq!((report.len(), report.absorbed().cleared), (2, 1));
}

#[test]
fn one_key_that_comes_and_goes_is_one_clear() {
    let mut report = Report::new();
    for _ in 0..100_000 {
        report.event(Event::new(1.0, "up").key("link")).unwrap();
        report.clear("link").unwrap();
    }
    assert_eq!((report.len(), report.absorbed().cleared), (1, 100_000));
}

#[test]
fn clears_of_distinct_keys_are_bounded_and_what_is_cleared_goes() {
    let mut report = Report::new();
    for key in 0..1_024 {
        report.clear(key.to_string()).unwrap();
    }
    report.clear("7").unwrap();
    report
        .event(Event::new(1.0, "stale").key("one more"))
        .unwrap();
    assert_eq!(report.clear("one more"), Err(Refusal::TooManyClears));
    assert_eq!((report.len(), report.events().count()), (1_024, 0));
}

#[test]
fn a_flood_keeps_the_largest_and_counts_the_rest() {
    let mut report = Report::new();
    for n in 0_u32..100_000 {
        let magnitude = if n % 1_000 == 0 { 5.0 } else { 1.0 };
        report
            .event(Event::new(magnitude, n.to_string()).key(n.to_string()))
            .unwrap();
    }
    assert_eq!(report.len(), MAX_HELD);
    assert_eq!(report.absorbed().over_cap, 100_000 - MAX_HELD as u64);
    let large = report
        .events()
        .filter(|event| event.magnitude().get() > 4.0);
    assert_eq!(large.count(), 100);
    // Of equal ones the oldest made room: the last to be reported is there.
    assert_eq!(report.events().last().unwrap().text(), "99999");
}

#[test]
fn reports_that_say_the_same_are_equal_whatever_went_before() {
    let (mut direct, mut roundabout) = (Report::new(), Report::new());
    direct.clear("a").unwrap();
    roundabout.clear("a").unwrap();
    roundabout.clear("a").unwrap();
    assert_eq!(direct, roundabout);
    roundabout.event(Event::new(1.0, "more")).unwrap();
    assert_ne!(direct, roundabout);
}
