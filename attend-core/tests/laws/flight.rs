//! While a batch is being written its events are neither told nor gone.

use attend_core::attention::{
    Attention, Batch, Claim, ClaimId, Granted, HandledSignals, Input, SensorProfile, Settings,
    Step, Waiting,
};
use attend_core::dynamics::Tick;
use attend_core::mail::{Letter, MessageId, Seq};
use attend_core::sensor::{Event, Report};
use proptest::prelude::*;

use crate::world::{What, World, history, name, report};

fn at(tick: u64) -> Tick {
    Tick::new(tick)
}

/// An engine with one sensor and a batch in flight at tick 1, made of `events`.
fn in_flight(events: &[Event]) -> (Attention, Batch) {
    let mut attention = Attention::builder().build();
    attention.input(at(0), Input::Sensors(vec![SensorProfile::new(name(0))]));
    let mut report = Report::new();
    for event in events {
        report.event(event.clone()).expect("a sound event");
    }
    attention.input(at(0), Input::Report(name(0), report));
    let Step::Write(batch) = attention.step(at(1)) else {
        panic!("nothing is written")
    };
    (attention, batch)
}

fn found(attention: &mut Attention, tick: u64, change: impl FnOnce(&mut Report)) {
    let mut report = Report::new();
    change(&mut report);
    attention.input(at(tick), Input::Report(name(0), report));
}

fn branch(text: &str) -> Event {
    Event::new(3.0, text).key("branch")
}

#[test]
fn nothing_leaves_until_the_batch_is_settled() {
    let (mut attention, batch) = in_flight(&[branch("main → feat/x")]);
    found(&mut attention, 2, |report| {
        report.event(Event::new(9.0, "urgent")).expect("sound");
    });
    assert_eq!(attention.step(at(100)), Step::Wait { until: None });
    attention.ack(at(100), batch.id());
    assert!(matches!(attention.step(at(200)), Step::Write(_)));
}

#[test]
fn a_report_meanwhile_does_not_change_what_is_being_written() {
    let (mut attention, batch) = in_flight(&[branch("main → feat/x")]);
    found(&mut attention, 1, |report| {
        report.event(branch("feat/x → main")).expect("sound");
    });
    attention.ack(at(1), batch.id());
    let totals = &attention.totals()[0];
    assert_eq!((totals.tally.shown, totals.held), (1, 1));
    let Step::Write(batch) = attention.step(at(62)) else {
        panic!("the later report is told too")
    };
    assert!(batch.to_string().contains("feat/x → main"));
}

#[test]
fn after_a_failure_the_later_report_takes_the_place_of_the_earlier() {
    let (mut attention, batch) = in_flight(&[branch("main → feat/x")]);
    found(&mut attention, 1, |report| {
        report.event(branch("feat/x → main")).expect("sound");
    });
    attention.nack(at(1), batch.id());
    let totals = &attention.totals()[0];
    assert_eq!((totals.tally.replaced, totals.held), (1, 1));
    assert_eq!(attention.sensors()[0].entries()[0].first_seen(), at(0));
    let Step::Write(batch) = attention.step(at(2)) else {
        panic!("it is told")
    };
    assert!(batch.to_string().contains("feat/x → main"));
}

#[test]
fn a_clear_takes_effect_when_the_batch_fails() {
    let (mut attention, batch) = in_flight(&[branch("main → feat/x")]);
    found(&mut attention, 1, |report| {
        report.clear("branch").expect("few clears");
    });
    assert_eq!(attention.totals()[0].held, 1);
    attention.nack(at(1), batch.id());
    let totals = &attention.totals()[0];
    assert_eq!((totals.tally.cleared, totals.held), (1, 0));
}

#[test]
fn a_condition_cleared_while_it_is_written_may_be_told_again() {
    let conflict = || {
        Event::new(4.0, "conflicts in 2 files")
            .key("conflict")
            .standing()
    };
    let (mut attention, batch) = in_flight(&[conflict()]);
    found(&mut attention, 1, |report| {
        report.clear("conflict").expect("few clears");
    });
    attention.ack(at(1), batch.id());
    found(&mut attention, 100, |report| {
        report.event(conflict()).expect("sound");
    });
    assert!(matches!(attention.step(at(101)), Step::Write(_)));
}

#[test]
fn a_condition_reported_while_it_is_written_is_not_told_twice() {
    let conflict = || {
        Event::new(4.0, "conflicts in 2 files")
            .key("conflict")
            .standing()
    };
    let (mut attention, batch) = in_flight(&[conflict()]);
    found(&mut attention, 1, |report| {
        report.event(conflict()).expect("sound");
    });
    attention.ack(at(1), batch.id());
    let totals = &attention.totals()[0];
    assert_eq!(
        (totals.tally.shown, totals.tally.repeated, totals.held),
        (1, 1, 0)
    );
}

#[test]
fn an_unknown_batch_settles_nothing() {
    let (mut attention, batch) = in_flight(&[branch("main → feat/x")]);
    attention.ack(
        at(1),
        attend_core::attention::BatchId::new(batch.id().get() + 1),
    );
    assert_eq!(attention.totals()[0].held, 1);
    attention.ack(at(1), batch.id());
    attention.ack(at(1), batch.id());
    assert_eq!(attention.totals()[0].tally.shown, 1);
}

#[test]
fn what_holds_no_longer_is_not_said() {
    let mut attention = Attention::builder().build();
    attention.input(at(0), Input::Banner("one".to_owned()));
    for notice in ["disk full", "no git", "config"] {
        attention.input(at(0), Input::Notice(notice.to_owned()));
    }
    attention.input(at(0), Input::Solved("no git".to_owned()));
    attention.input(at(0), Input::Solved("nothing that was said".to_owned()));
    let Step::Write(batch) = attention.step(at(0)) else {
        panic!("the banner leaves")
    };
    let said = "[attend] one\n[attend] notice: disk full\n[attend] notice: config\n";
    assert_eq!(batch.to_string(), said);
    // It is being said, and the write fails: it is not said again.
    attention.input(at(0), Input::Solved("disk full".to_owned()));
    attention.nack(at(0), batch.id());
    assert_eq!(attention.notices().collect::<Vec<_>>(), ["config"]);
}

#[test]
fn what_is_said_during_a_write_is_not_lost() {
    let mut attention = Attention::builder().build();
    attention.input(at(0), Input::Sensors(vec![SensorProfile::new(name(0))]));
    attention.input(at(0), Input::Banner("one".to_owned()));
    for notice in 0..8 {
        attention.input(at(0), Input::Notice(format!("notice {notice}")));
    }
    let Step::Write(first) = attention.step(at(0)) else {
        panic!("the banner leaves")
    };
    attention.input(at(0), Input::Notice("notice 8".to_owned()));
    attention.input(at(0), Input::Banner("two".to_owned()));
    attention.ack(at(0), first.id());
    let Step::Write(second) = attention.step(at(0)) else {
        panic!("the next banner leaves")
    };
    assert_eq!(
        second.to_string(),
        "[attend] two\n[attend] notice: notice 8\n"
    );
    attention.nack(at(0), second.id());
    let Step::Write(again) = attention.step(at(0)) else {
        panic!("it is tried again")
    };
    assert_eq!(again.lines(), second.lines());
}

#[test]
fn a_way_that_is_unloaded_again_repeats_no_condition() {
    let condition = || {
        Event::new(3.0, "context at 66%")
            .key("tier")
            .standing()
            .signal("pressure")
    };
    let (mut attention, batch) = in_flight(&[condition()]);
    attention.ack(at(1), batch.id());
    let ways = HandledSignals::from([("pressure".into(), "for reflection".to_owned())]);
    attention.input(at(2), Input::Handled(ways));
    found(&mut attention, 3, |report| {
        report.event(condition()).expect("sound");
    });
    assert_eq!(
        attention.totals()[0].held,
        1,
        "told in another mode, it is more than before"
    );
    attention.input(at(4), Input::Handled(HandledSignals::new()));
    let totals = &attention.totals()[0];
    assert_eq!((totals.tally.repeated, totals.held), (1, 0));
}

#[test]
fn a_claim_takes_nothing_that_was_not_asked_for() {
    let mut attention = Attention::builder().build();
    let letter = Letter::new(Seq::new(1), MessageId::new("AAAAA1"), "Tam", "you", "words");
    attention.input(at(0), Input::MailWaiting(Waiting::Few(vec![letter])));
    assert!(matches!(attention.step(at(0)), Step::Claim(_)));
    let other = Claim::new(ClaimId::new(1), [Granted::new(Seq::new(9), false)]);
    attention.input(at(0), Input::Claimed(other));
    assert_eq!(attention.step(at(0)), Step::Wait { until: None });
}

#[test]
fn sensors_may_come_and_go_while_a_batch_is_written() {
    let (mut attention, batch) = in_flight(&[branch("main → feat/x")]);
    let others = |sensors: &[usize]| {
        let profiles = sensors
            .iter()
            .map(|sensor| SensorProfile::new(name(*sensor)));
        Input::Sensors(profiles.collect())
    };
    attention.input(at(1), others(&[2, 1, 0]));
    attention.ack(at(1), batch.id());
    let totals = attention.totals();
    assert_eq!(totals[2].sensor, name(0));
    assert_eq!((totals[2].tally.shown, totals[2].held), (1, 0));

    let (mut attention, batch) = in_flight(&[branch("main → feat/x")]);
    attention.input(at(1), others(&[1]));
    attention.ack(at(1), batch.id());
    assert_eq!(attention.totals()[0].tally.reported, 0);
}

proptest! {
    /// An engine that goes on from the checkpoint that was stored before a write does what the
    /// one does that wrote: it tells nothing of that batch again, and forgets nothing else.
    #[test]
    fn a_checkpoint_in_flight_is_as_good_as_the_write(history in history(40), after in history(20)) {
        let mut world = World::new(Settings::default());
        for op in &history {
            world.wait(op.after);
            world.act(&op.what);
            let mut wrote = world.clone();
            let Step::Write(batch) = wrote.attention.step(wrote.now) else { continue };
            if batch.mail().is_some() {
                continue;
            }
            let mut died = wrote.clone();
            let checkpoint = wrote.attention.checkpoint();
            wrote.attention.ack(wrote.now, batch.id());
            died.attention = Attention::builder().restore(checkpoint, died.now).build();
            died.introduce();
            died.look();
            for op in &after {
                wrote.live(op);
                died.live(op);
            }
            wrote.wait(1_000);
            died.wait(1_000);
            prop_assert_eq!(&wrote.written, &died.written);
            prop_assert_eq!(wrote.attention.totals(), died.attention.totals());
            break;
        }
    }

    /// A failed write changes nothing but the journal and the batch's number, whatever was looked
    /// at meanwhile.
    #[test]
    fn a_failed_write_changes_nothing(history in history(40)) {
        let mut world = World::new(Settings::default());
        for op in history.iter().filter(|op| !matches!(op.what, What::Letters(..))) {
            world.wait(op.after);
            world.act(&op.what);
            let mut engine = world.attention.clone();
            if let Step::Write(batch) = engine.step(world.now) {
                for sensor in 0..crate::world::SENSORS {
                    engine.input(world.now, Input::Report(name(sensor), Report::new()));
                }
                engine.input(world.now, Input::Host(engine.host()));
                engine.nack(world.now, batch.id());
                let Step::Write(again) = engine.step(world.now) else { panic!("it must be tried again") };
                prop_assert_eq!(batch.lines(), again.lines());
            }
        }
    }

    /// Whatever is found while a batch is out, every event stays accounted for.
    #[test]
    fn counts_add_up_whatever_happens_in_flight(
        history in history(20),
        looks in prop::collection::vec(crate::world::look(), 1..6),
        fails in any::<bool>(),
    ) {
        let mut world = World::new(Settings::default());
        for op in &history {
            world.live(op);
        }
        for _ in 0..200 {
            let Step::Write(batch) = world.attention.step(world.now) else {
                world.now = world.now.after(attend_core::dynamics::TickDelta::new(1));
                if world.attention.step(world.now) == (Step::Wait { until: None }) { break }
                continue;
            };
            for (sensor, found) in &looks {
                world.attention.input(world.now, Input::Report(name(*sensor), report(found)));
            }
            if fails {
                world.attention.nack(world.now, batch.id());
            } else {
                world.attention.ack(world.now, batch.id());
            }
            for totals in world.attention.totals() {
                prop_assert_eq!(totals.tally.reported, totals.tally.gone() + totals.held);
            }
            break;
        }
    }
}
