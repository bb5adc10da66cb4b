//! Counts: what a quiet step must not do, and that the generated day is the one that was promised.

use allocation_counter::measure;
use attend_core::attention::{Input, Settings, Step, Waiting};
use attend_core::dynamics::Tick;
use benches::{EVENTS, engine, event, name, report};

#[test]
fn a_quiet_step_allocates_nothing() {
    let mut attention = engine(4);
    let now = Tick::new(1);
    let no_mail = || Input::MailWaiting(Waiting::Few(Vec::new()));
    // Whatever is asked for once and kept is there from now on.
    attention.input(now, no_mail());
    assert!(matches!(attention.step(now), Step::Wait { .. }));

    let counted = measure(|| {
        for tick in 2..1_000 {
            let _ = attention.step(Tick::new(tick));
        }
    });
    assert_eq!(counted.count_total, 0, "steps that nothing came before");

    let counted = measure(|| {
        for tick in 1_000..2_000 {
            attention.input(Tick::new(tick), no_mail());
            let _ = attention.step(Tick::new(tick));
        }
    });
    assert_eq!(counted.count_total, 0, "steps that asked every gate");
}

#[test]
fn the_counter_counts() {
    let counted = measure(|| drop(report([event(1.0, 1)])));
    assert!(counted.count_total > 0);

    let mut attention = engine(4);
    let report = report([event(3.0, 1)]);
    let counted = measure(|| {
        attention.input(Tick::new(1), Input::Report(name(0), report));
        let _ = attention.step(Tick::new(2));
    });
    assert!(counted.count_total > 0);
}

#[test]
fn the_day_holds_what_it_promises() {
    let replay = benches::day().run(&Settings::default());
    let reported: u64 = replay.totals.iter().map(|of| of.tally.reported).sum();
    assert_eq!(reported, EVENTS);
    let batches = replay.batches().count();
    let with_mail = replay.batches().filter(|batch| batch.mail().is_some());
    assert!(batches > 500, "{batches}");
    assert!(with_mail.count() > 100);
}
