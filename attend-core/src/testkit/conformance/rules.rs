//! The rules of the contract, each with what it is for.

use super::drive::{Driven, World};
use super::{Change, MAX_CANCELLED, MAX_POLLS};
use crate::sensor::{BuildContext, Declares, Lane, MAX_HELD, Sensor, Snapshot};
use crate::testkit::{Harness, Polled};

type Make<'a> = &'a dyn Fn(&BuildContext) -> Box<dyn Sensor>;

/// Checks every rule in the world of `harness`, and again after `change`.
pub(super) fn check(
    harness: Harness,
    declares: Option<&Declares>,
    change: Option<Change>,
    make: Make<'_>,
) {
    let world = World::new(harness.facilities());
    let mut check = Check {
        harness,
        world,
        declares,
        make,
        when: "in the world as it was given",
    };
    check.world_at_rest();
    if let Some(change) = change {
        check.changing_world(change);
        check.world_at_rest();
    }
}

struct Check<'a> {
    harness: Harness,
    world: World,
    declares: Option<&'a Declares>,
    make: Make<'a>,
    when: &'static str,
}

/// A sensor that looked once, what it said, and at how many awaits it could have been dropped.
struct Looked {
    sensor: Box<dyn Sensor>,
    said: Polled,
    awaits: usize,
}

impl Check<'_> {
    fn world_at_rest(&self) {
        let mut first = self.first_look();
        self.tells_only_what_stands(&first.said);
        self.says_the_same(self.fresh(), &first);
        self.remembers(&first);
        let (_, awaits) = self.stays_quiet("quiet baseline", &mut first);

        self.fails_without_trace(self.fresh(), &first.said);
        self.fails_without_trace(self.first_look().sensor, &first.said.without_news());
        for at in 1..=first.awaits.min(MAX_CANCELLED) {
            self.survives_cancelling(self.fresh(), at, &first.said);
        }
        for at in 1..=awaits.min(MAX_CANCELLED) {
            let again = self.first_look();
            self.survives_cancelling(again.sensor, at, &again.said.without_news());
        }
    }

    fn changing_world(&mut self, change: Change) {
        let mut one = self.first_look().sensor;
        let other = self.first_look().sensor;
        let failing = self.first_look().sensor;
        let cancelled: Vec<_> = (1..=MAX_CANCELLED)
            .map(|at| (at, self.first_look().sensor))
            .collect();

        change(&mut self.harness);
        self.when = "after the change";
        let (said, awaits) = self.look(one.as_mut());
        if said.result().is_ok() && !said.has_news() {
            self.fail(
                "change",
                "the look after the change reported nothing",
                "a check over a change needs one that the sensor reports",
            );
        }
        let mut one = Looked {
            sensor: one,
            said,
            awaits,
        };
        self.says_the_same(other, &one);
        self.remembers(&one);
        self.stays_quiet("quiet baseline", &mut one);
        self.fails_without_trace(failing, &one.said);
        for (at, sensor) in cancelled {
            if at <= one.awaits {
                self.survives_cancelling(sensor, at, &one.said);
            }
        }
    }

    fn tells_only_what_stands(&self, first: &Polled) {
        if let Some(news) = first.report().events().find(|event| !event.is_standing()) {
            let seen = format!("the first look reported `{}`: {first:?}", news.text());
            let rule = "the first look is a baseline: what was there before is no news, and a \
                condition that holds is reported as standing";
            self.fail("quiet baseline", &seen, rule);
        }
    }

    fn stays_quiet(&self, rule: &str, looked: &mut Looked) -> (Polled, usize) {
        let (said, awaits) = self.look(looked.sensor.as_mut());
        if !said.repeats(&looked.said) {
            let seen = format!(
                "another look at an unchanged world: {said:?}\nthe look before: {:?}",
                looked.said
            );
            self.fail(rule, &seen, "a sensor reports changes, each once");
        }
        (said, awaits)
    }

    fn says_the_same(&self, mut other: Box<dyn Sensor>, one: &Looked) {
        const RULE: &str = "same world, same output";
        const WHY: &str = "what is reported and remembered follows from the world and its clock, \
            in a fixed order, so that a recorded day can be replayed";
        let (said, _) = self.look(other.as_mut());
        if said != one.said {
            let seen = format!("one sensor: {:?}\nanother: {said:?}", one.said);
            self.fail(RULE, &seen, WHY);
        }
        let (one, other) = (json(one.sensor.snapshot()), json(other.snapshot()));
        if one != other {
            let seen = format!("one sensor remembers {one:?}, another {other:?}");
            self.fail(RULE, &seen, WHY);
        }
    }

    fn remembers(&self, looked: &Looked) {
        const RULE: &str = "snapshot round trip";
        const WHY: &str = "a restart is no news: what a sensor remembers is stored as JSON, \
            restored before the first look, and all it needs to go on";
        let Some(text) = json(looked.sensor.snapshot()) else {
            return;
        };
        let mut sensor = self.fresh();
        if let Err(error) = sensor.restore(&parsed(&text)) {
            self.fail(RULE, &format!("it cannot restore {text}: {error}"), WHY);
        }
        let restored = json(sensor.snapshot());
        if restored.as_ref() != Some(&text) {
            let seen = format!("it stored {text}, and once restored remembers {restored:?}");
            self.fail(RULE, &seen, WHY);
        }
        let (said, _) = self.look(sensor.as_mut());
        if !said.repeats(&looked.said) {
            let seen =
                format!("a restored sensor in an unchanged world: {said:?}\nrestored from {text}");
            self.fail(RULE, &seen, WHY);
        }
        self.starts_afresh();
    }

    fn starts_afresh(&self) {
        let (expected, _) = self.look(self.fresh().as_mut());
        for foreign in [
            r#""of another shape""#,
            "[[],{}]",
            r#"{"of":"another shape"}"#,
        ] {
            let mut sensor = self.fresh();
            if sensor.restore(&parsed(foreign)).is_ok() {
                continue;
            }
            let (said, _) = self.look(sensor.as_mut());
            if said != expected {
                let seen = format!(
                    "after it refused to restore {foreign}: {said:?}\na fresh sensor: {expected:?}"
                );
                let why = "a snapshot that cannot be read, as after an upgrade, leaves a sensor \
                    that starts afresh";
                self.fail("snapshot round trip", &seen, why);
            }
        }
    }

    fn fails_without_trace(&self, mut sensor: Box<dyn Sensor>, expected: &Polled) {
        self.world.break_down(true);
        let (failed, _) = self.look(sensor.as_mut());
        self.world.break_down(false);
        // A look that went on without what failed learned something; there is nothing to compare.
        if failed.result().is_ok() {
            return;
        }
        let (said, _) = self.look(sensor.as_mut());
        if !said.agrees(expected) {
            let seen = format!(
                "after {failed:?}\nthe next look: {said:?}\nit would have been: {expected:?}"
            );
            let why = "unknown is not empty: a failed look changes no state, and what it reported \
                does not count";
            self.fail("a failed look leaves no trace", &seen, why);
        }
    }

    fn survives_cancelling(&self, mut sensor: Box<dyn Sensor>, at: usize, expected: &Polled) {
        const RULE: &str = "cancelled at every await";
        match self
            .world
            .look(sensor.as_mut(), self.harness.now(), Some(at))
        {
            Driven::Cancelled => {}
            // It needed fewer awaits than before; then there was nothing to cancel.
            Driven::Ended { .. } => return,
            Driven::Hanging | Driven::Endless => self.unbounded(),
        }
        let (said, awaits) = self.look(sensor.as_mut());
        if !said.agrees(expected) {
            let seen = format!(
                "after a look that was dropped at its await {at}: {said:?}\nit would have been: {expected:?}"
            );
            let why = "a look may be dropped at any await, so a sensor changes itself only after the \
                last one, and keeps until then what it took from a watch: nothing is lost, \
                nothing told twice";
            self.fail(RULE, &seen, why);
        }
        self.stays_quiet(
            RULE,
            &mut Looked {
                sensor,
                said,
                awaits,
            },
        );
    }

    fn first_look(&self) -> Looked {
        let mut sensor = self.fresh();
        let (said, awaits) = self.look(sensor.as_mut());
        Looked {
            sensor,
            said,
            awaits,
        }
    }

    fn fresh(&self) -> Box<dyn Sensor> {
        (self.make)(&self.harness.build_context_in(self.world.facilities()))
    }

    /// One look to its end, which is bounded and reports what is declared, or the check fails.
    fn look(&self, sensor: &mut dyn Sensor) -> (Polled, usize) {
        let driven = self.world.look(sensor, self.harness.now(), None);
        let Driven::Ended { polled, awaits } = driven else {
            self.unbounded()
        };
        let polled = *polled;
        let displaced = polled.report().absorbed().over_cap;
        if displaced > 0 {
            let seen = format!("a look reported {displaced} events more than {MAX_HELD}");
            let why = "beyond that the smallest make room unseen; many of a kind are one event \
                that counts them";
            self.fail("bounded work", &seen, why);
        }
        self.is_declared(&polled);
        (polled, awaits)
    }

    fn unbounded(&self) -> ! {
        let seen = format!("a look did not end within {MAX_POLLS} wakes, or nothing woke it");
        let why =
            "a look is one bounded glance; what takes longer wakes the sensor when it is done";
        self.fail("bounded work", &seen, why)
    }

    fn is_declared(&self, said: &Polled) {
        const RULE: &str = "declared only";
        const WHY: &str = "guidance is tied to declared signals, and mutes and lanes to what a \
            kind says of itself";
        let Some(declares) = self.declares else {
            return;
        };
        let known = |lane| declares.lanes.contains(&lane);
        if !said.report().is_empty() && !known(Lane::Event) {
            self.fail(RULE, &format!("it declares no events, but {said:?}"), WHY);
        }
        if !said.drafts().is_empty() && !known(Lane::Message) {
            self.fail(RULE, &format!("it declares no messages, but {said:?}"), WHY);
        }
        let mut signals = said.report().events().filter_map(|event| event.signal());
        if let Some(signal) =
            signals.find(|signal| !declares.signals.iter().any(|(known, _)| known == *signal))
        {
            self.fail(
                RULE,
                &format!("it does not declare the signal `{signal}`, but {said:?}"),
                WHY,
            );
        }
    }

    fn fail(&self, rule: &str, seen: &str, why: &str) -> ! {
        panic!(
            "conformance, {rule}, {}: {seen}\nthe rule: {why}",
            self.when
        )
    }
}

fn json(snapshot: Option<Snapshot>) -> Option<String> {
    snapshot.map(|snapshot| serde_json::to_string(&snapshot).expect("a snapshot is JSON"))
}

fn parsed(text: &str) -> Snapshot {
    serde_json::from_str(text).expect("a snapshot is JSON")
}
