//! Laws of the governor: what any window holds, and when the next is admitted.

use attend_core::dynamics::{Governor, Limits, Tick, TickDelta};
use std::num::NonZeroU32;

use proptest::prelude::*;

use crate::{before, gap, ticks};

fn limits() -> impl Strategy<Value = Limits> {
    (0..=50_u64, 1..=5_u32, 0..=400_u64).prop_map(|(cooldown, most, window)| {
        let most = NonZeroU32::new(most).expect("at least one");
        Limits::new(TickDelta::new(cooldown), most, TickDelta::new(window))
    })
}

fn governor(limits: Limits) -> Governor {
    Governor::new(limits)
}

/// A governor at which each of `ticks` was recorded, asked for or not.
fn recorded(limits: Limits, ticks: &[Tick]) -> Governor {
    let mut governor = governor(limits);
    for tick in ticks {
        governor.record(*tick);
    }
    governor
}

fn kept(governor: &Governor) -> usize {
    let stored = serde_json::to_value(governor).expect("it can be stored");
    stored["admitted"].as_array().expect("a list").len()
}

proptest! {
    #[test]
    fn whoever_obeys_never_exceeds_a_window_or_a_cooldown(limits in limits(), asks in ticks(80)) {
        let mut governor = governor(limits);
        let mut admitted = Vec::new();
        for now in asks {
            if governor.admits(now) {
                governor.record(now);
                admitted.push(now);
            }
        }
        for pair in admitted.windows(2) {
            prop_assert!(pair[1].since(pair[0]) >= limits.cooldown);
        }
        for more in admitted.windows(limits.max_per_window.get() as usize + 1) {
            prop_assert!(more.last().unwrap().since(more[0]) >= limits.window);
        }
    }

    #[test]
    fn when_the_next_is_admitted_is_exact(limits in limits(), rides in ticks(12), later in gap()) {
        let governor = recorded(limits, &rides);
        let most = limits.max_per_window.get() as usize;
        let slot = rides.len().checked_sub(most).map(|oldest| rides[oldest].after(limits.window));
        let cooled = rides.last().map(|last| last.after(limits.cooldown));
        prop_assert_eq!(governor.slot_at(), slot);
        prop_assert_eq!(governor.ready_at(), cooled.max(slot));
        if let Some(ready) = governor.ready_at() {
            prop_assert!(!governor.admits(before(ready)));
            prop_assert!(governor.admits(ready));
            prop_assert!(governor.admits(ready.after(TickDelta::new(later))));
        } else {
            prop_assert!(governor.admits(Tick::new(0)));
        }
    }

    #[test]
    fn asking_changes_nothing(limits in limits(), rides in ticks(12), asks in ticks(12)) {
        let governor = recorded(limits, &rides);
        let untouched = governor.clone();
        let answers: Vec<bool> = asks.iter().map(|now| governor.admits(*now)).collect();
        let again: Vec<bool> = asks.iter().map(|now| governor.admits(*now)).collect();
        prop_assert_eq!(answers, again);
        prop_assert_eq!(governor, untouched);
    }

    #[test]
    fn rides_keep_it_bounded(limits in limits(), rides in ticks(60)) {
        prop_assert!(kept(&recorded(limits, &rides)) <= limits.max_per_window.get() as usize);
    }

    #[test]
    fn a_cooldown_takes_no_place(limits in limits(), rides in ticks(12), wait in gap(), back in gap()) {
        let mut governor = recorded(limits, &rides);
        let slot = governor.slot_at();
        let now = rides.last().map_or(Tick::new(wait), |last| last.after(TickDelta::new(wait)));
        governor.cool(now);
        prop_assert_eq!(governor.slot_at(), slot);
        prop_assert!(governor.ready_at() >= Some(now.after(limits.cooldown)));
        // An older cooldown never shortens a newer one.
        let cooled = governor.clone();
        governor.cool(Tick::new(now.get().saturating_sub(back)));
        prop_assert_eq!(governor, cooled);
    }

    #[test]
    fn other_limits_keep_what_was_admitted(old in limits(), new in limits(), rides in ticks(12)) {
        let mut governor = recorded(old, &rides);
        governor.set_limits(new);
        prop_assert_eq!(governor.limits(), new);
        prop_assert!(kept(&governor) <= new.max_per_window.get() as usize);
        if new.max_per_window <= old.max_per_window {
            prop_assert_eq!(governor, recorded(new, &rides));
        }
    }

    #[test]
    fn it_survives_being_stored(limits in limits(), rides in ticks(12), cool in gap()) {
        let mut governor = recorded(limits, &rides);
        governor.cool(Tick::new(cool));
        let text = serde_json::to_string(&governor).unwrap();
        prop_assert_eq!(serde_json::from_str::<Governor>(&text).unwrap(), governor);
    }

    #[test]
    fn a_future_is_settled_once(limits in limits(), rides in ticks(12), now in 0..100_000_u64) {
        let now = Tick::new(now);
        let mut governor = recorded(limits, &rides);
        governor.settle_future(now);
        let settled: Vec<Tick> = rides.iter().map(|ride| (*ride).min(now)).collect();
        prop_assert_eq!(&governor, &recorded(limits, &settled));
        let longest = limits.cooldown.max(limits.window);
        prop_assert!(governor.admits(now.after(longest)));
    }
}

#[test]
fn a_window_that_holds_nothing_cannot_be_stored() {
    let stored = r#"{"limits":{"cooldown":20,"max_per_window":0,"window":120},"admitted":[],"cooled_from":null}"#;
    let error = serde_json::from_str::<Governor>(stored).unwrap_err();
    assert!(error.to_string().contains("nonzero"), "{error}");
}

#[test]
fn a_stored_history_that_is_too_long_is_cut() {
    let stored = r#"{"limits":{"cooldown":0,"max_per_window":2,"window":100},"admitted":[1,2,3],"cooled_from":3}"#;
    let governor: Governor = serde_json::from_str(stored).unwrap();
    assert_eq!(governor.ready_at(), Some(Tick::new(102)));
}
