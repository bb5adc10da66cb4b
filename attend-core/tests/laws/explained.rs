//! What became of every event is known, and adds up.

use std::collections::BTreeMap;

use attend_core::attention::{
    Attention, Choice, Departed, Dial, Fate, Input, Local, Record, SensorProfile, Settings,
    Stories, Teller, account,
};
use attend_core::dynamics::Tick;
use attend_core::sensor::{Event, Report};
use proptest::prelude::*;

use crate::world::{Op, What, World, history, name, report};

/// An engine at the end of a history, all that its journal said, and how many events took each
/// other's place within one look, before the engine saw them.
fn lived(history: &[Op]) -> (World, Vec<Record>, BTreeMap<usize, u64>) {
    let mut world = World::new(Settings::default());
    let (mut records, mut unseen) = (Vec::new(), BTreeMap::new());
    for op in history {
        world.live(op);
        world.settle();
        if let What::Look(sensor, found) = &op.what {
            *unseen.entry(*sensor).or_default() += report(found).absorbed().total();
        }
        records.extend(world.attention.drain_journal());
    }
    world.attention.note_rest(world.now);
    records.extend(world.attention.drain_journal());
    (world, records, unseen)
}

/// How many stories of each sensor ended in each way.
fn ended(stories: &Stories<'_>, sensor: usize, ends: impl Fn(Fate) -> bool) -> u64 {
    let of_it = stories.iter().filter(|story| *story.sensor == name(sensor));
    of_it.filter(|story| ends(story.fate)).count() as u64
}

/// The parts of each line of an account: `12 reported = 3 shown + 9 held`.
fn equations(account: &str) -> Vec<(u64, u64)> {
    let number = |part: &str| -> u64 {
        let mut words = part.split_whitespace();
        words.find_map(|word| word.parse().ok()).expect("a number")
    };
    let equation = |line: &str| match line.split_once('=') {
        Some((reported, parts)) => (number(reported), parts.split('+').map(number).sum()),
        None => (number(line), 0),
    };
    account.lines().map(equation).collect()
}

proptest! {
    #[test]
    fn every_event_has_one_end_and_the_counts_are_those_of_the_engine(history in history(80)) {
        let (world, records, unseen) = lived(&history);
        let stories = Stories::of(&records, &world.attention, world.now);
        prop_assert!(stories.iter().all(|story| story.fate != Fate::Unknown));
        for sensor in 0..crate::world::SENSORS {
            let totals = world.attention.totals();
            let totals = totals.iter().find(|one| one.sensor == name(sensor)).expect("totals");
            let tally = totals.tally;
            let ended = |ends: fn(Fate) -> bool| ended(&stories, sensor, ends);
            let unseen = unseen.get(&sensor).copied().unwrap_or_default();
            prop_assert_eq!(ended(|_| true) + unseen, tally.reported);
            prop_assert_eq!(ended(|fate| matches!(fate, Fate::Shown { .. })), tally.shown);
            prop_assert_eq!(ended(|fate| matches!(fate, Fate::Footnoted { .. })), tally.footnoted);
            prop_assert_eq!(ended(|fate| fate == Fate::AgedOut), tally.aged_out);
            prop_assert_eq!(ended(|fate| fate == Fate::Held), totals.held);
            prop_assert_eq!(ended(|fate| fate == Fate::Gone(Departed::Repeated)), tally.repeated);
            prop_assert_eq!(ended(|fate| fate == Fate::Gone(Departed::OverCap)), tally.over_cap);
            let replaced = ended(|fate| matches!(fate, Fate::Gone(Departed::Replaced { .. })));
            let cleared = ended(|fate| fate == Fate::Gone(Departed::Cleared));
            prop_assert_eq!(replaced + cleared + unseen, tally.replaced + tally.cleared);
        }
    }

    #[test]
    fn what_is_told_below_the_stories_adds_up(history in history(80)) {
        let (world, _, _) = lived(&history);
        let account = account(&world.attention.totals());
        let equations = equations(&account);
        prop_assert_eq!(equations.len(), crate::world::SENSORS + 1);
        for (reported, parts) in &equations {
            prop_assert_eq!(reported, parts, "{}", account);
        }
        let (all, each) = equations.split_last().expect("lines");
        prop_assert_eq!(all.0, each.iter().map(|(reported, _)| reported).sum::<u64>());
    }

    #[test]
    fn every_story_is_told_once_and_from_its_beginning_to_its_end(history in history(60)) {
        let (world, records, _) = lived(&history);
        let stories = Stories::of(&records, &world.attention, world.now);
        let chosen = Choice::default().of(&stories);
        let told: usize = chosen.iter().map(|chain| chain.stories().count()).sum();
        prop_assert_eq!(told, stories.iter().count());
        let read = |tick: Tick| Local { day: "Nov 30".to_owned(), second: u32::try_from(tick.get() % 86_400).expect("a day") };
        let teller = Teller::new(&stories, Dial::new(world.now, &read)).whole();
        for chain in &chosen {
            let text = teller.tell(chain);
            let ids: Vec<String> = chain.stories().map(|story| format!("#{}", story.event)).collect();
            for id in &ids {
                prop_assert!(text.contains(id), "{} is not in\n{}", id, text);
            }
            let records = records.iter().filter(|record| chain.is_told_by(record));
            prop_assert!(records.count() > 0);
        }
    }
}

#[test]
fn what_a_flood_displaces_is_known_though_no_stage_changes() {
    let mut engine = Attention::builder().build();
    let mut records = Vec::new();
    engine.input(
        Tick::new(0),
        Input::Sensors(vec![SensorProfile::new(name(0))]),
    );
    for n in 0..600 {
        let mut report = Report::new();
        report
            .event(Event::new(0.001, format!("drop {n}")))
            .expect("a sound event");
        engine.input(Tick::new(1 + n), Input::Report(name(0), report));
        records.extend(engine.drain_journal());
        // What waits to be written down is bounded, and no record stands for one event alone.
        assert!(records.len() as u64 <= 2 + n / 16, "{}", records.len());
    }
    engine.note_rest(Tick::new(600));
    records.extend(engine.drain_journal());
    let stories = Stories::of(&records, &engine, Tick::new(600));
    let over = Fate::Gone(Departed::OverCap);
    assert_eq!(ended(&stories, 0, |fate| fate == over), 600 - 256);
    assert_eq!(ended(&stories, 0, |fate| fate == Fate::Held), 256);
}

#[test]
fn what_a_checkpoint_remembers_is_told_without_its_journal() {
    let mut engine = Attention::builder().build();
    engine.input(
        Tick::new(0),
        Input::Sensors(vec![SensorProfile::new(name(0))]),
    );
    let mut report = Report::new();
    report
        .event(Event::new(0.5, "half of one"))
        .expect("a sound event");
    engine.input(Tick::new(5), Input::Report(name(0), report));
    let stories = Stories::of([], &engine, Tick::new(5));
    let known: Vec<_> = stories
        .iter()
        .map(|story| (story.text, story.fate))
        .collect();
    assert_eq!(known, [("half of one", Fate::Held)]);
}
