//! A checkpoint that can be read and lies: whatever its numbers say, the engine goes on.

use attend_core::attention::{Attention, Checkpoint, Settings, Step};
use attend_core::dynamics::{Curve, EngagementState, Governor, Shape, Tick, TickDelta};
use proptest::prelude::*;
use serde_json::Value;

use crate::world::{World, history};

/// What is done to the number, or to the list, that comes so many-th.
#[derive(Clone, Debug)]
enum Lie {
    Number(usize, u64),
    /// Its elements, over and over, so many.
    List(usize, usize),
}

fn lie() -> impl Strategy<Value = Lie> {
    let number = prop_oneof![
        3 => Just(u64::MAX),
        2 => Just(i64::MAX.unsigned_abs()),
        1 => Just(0_u64),
        1 => Just(u64::from(u32::MAX)),
        2 => any::<u64>(),
        2 => 0..5_000_u64,
    ];
    prop_oneof![
        6 => (any::<usize>(), number).prop_map(|(at, number)| Lie::Number(at, number)),
        1 => (any::<usize>(), prop_oneof![Just(0_usize), Just(2), Just(300)]).prop_map(|(at, length)| Lie::List(at, length)),
    ]
}

/// The places of all values below `at` that match, in a fixed order.
fn places(value: &Value, at: &str, matches: &dyn Fn(&Value) -> bool, found: &mut Vec<String>) {
    if matches(value) {
        found.push(at.to_owned());
    }
    let mut below = |name: String, value| places(value, &format!("{at}/{name}"), matches, found);
    match value {
        Value::Array(values) => values
            .iter()
            .enumerate()
            .for_each(|(n, value)| below(n.to_string(), value)),
        Value::Object(fields) => fields
            .iter()
            .for_each(|(name, value)| below(name.clone(), value)),
        _ => {}
    }
}

fn tell(lie: &Lie, checkpoint: &mut Value) {
    let (Lie::Number(at, _) | Lie::List(at, _)) = *lie;
    let matches: &dyn Fn(&Value) -> bool = match lie {
        Lie::Number(..) => &Value::is_number,
        Lie::List(..) => &|value| value.as_array().is_some_and(|list| !list.is_empty()),
    };
    let mut found = Vec::new();
    places(checkpoint, "", matches, &mut found);
    let Some(place) = found.get(at % found.len().max(1)) else {
        return;
    };
    match (checkpoint.pointer_mut(place), lie) {
        (Some(Value::Array(list)), Lie::List(_, length)) => {
            *list = list.iter().cycle().take(*length).cloned().collect();
        }
        (Some(place), Lie::Number(_, number)) => *place = (*number).into(),
        _ => {}
    }
}

/// Whether every event is accounted for.
fn accounted(attention: &Attention) -> bool {
    let mut totals = attention.totals().into_iter();
    totals.all(|totals| totals.tally.reported == totals.tally.gone() + totals.held)
}

proptest! {
    #[test]
    fn a_checkpoint_that_lies_stops_nothing(
        before in history(40), lies in prop::collection::vec(lie(), 1..6), after in history(30),
    ) {
        let mut world = World::new(Settings::default());
        for op in &before {
            world.live(op);
        }
        world.settle();
        let mut stored = serde_json::to_value(world.attention.checkpoint()).expect("JSON");
        for lie in &lies {
            tell(lie, &mut stored);
        }
        // What nobody could have stored is refused, and set aside by whoever read it.
        let Ok(checkpoint) = serde_json::from_value::<Checkpoint>(stored) else { return Ok(()) };
        world.attention = Attention::builder().restore(checkpoint, world.now).build();
        prop_assert!(accounted(&world.attention));
        prop_assert!(world.attention.notices().count() <= 8);
        prop_assert!(world.attention.sensors().iter().all(|held| held.entries().len() <= 256));
        world.introduce();
        world.look();
        for op in &after {
            for ticks in 0..op.after.min(40) {
                world.settle();
                world.now = world.now.after(TickDelta::new(1 + ticks));
            }
            world.act(&op.what);
            prop_assert!(accounted(&world.attention));
        }
        world.settle();
        // It waits for a moment that comes, or for none.
        if let Step::Wait { until: Some(until) } = world.attention.step(world.now) {
            prop_assert!(until > world.now);
        }
        let again = serde_json::to_value(world.attention.checkpoint()).expect("JSON");
        prop_assert!(serde_json::from_value::<Checkpoint>(again).is_ok());
    }

    #[test]
    fn a_history_that_lies_stops_nothing(
        history in prop::collection::vec(any::<u64>(), 0..30), last in any::<Option<u64>>(), anchor in any::<Option<u64>>(),
        step in prop_oneof![Just(usize::MAX), any::<usize>()], fires in prop_oneof![Just(u64::MAX), any::<u64>()], now in any::<u64>(), shape in 0..3_usize,
    ) {
        let shapes = [
            Shape::ProgressiveStaircase { steps: vec![(0, 1.0), (10, 0.5), (20, 0.0)] },
            Shape::Exponential { half_life: 100 },
            Shape::ActionPotential { burst_threshold: 3, peak_multiplier: 2.25, absolute_refractory: 60, multiplier_half_life: 395 },
        ];
        let curve = Curve::new(shapes[shape].clone()).expect("a curve");
        let stored = serde_json::json!({
            "curve": curve, "history": history, "last_fire": last, "anchor": anchor, "step": step, "fire_count": fires,
        });
        let mut state: EngagementState = serde_json::from_value(stored).expect("it can be read");
        let _ = (state.outcome(Tick::new(now), 0.5), state.may_fire(Tick::new(now), 3_000, 2_000), state.salience(Tick::new(now)));
        state.record_fire(Tick::new(now));
        state.settle_future(Tick::new(now));
        let _ = (state.outcome(Tick::new(now), 0.5), state.may_fire(Tick::new(now), 3_000, 2_000));
        prop_assert!(state.fire_count() >= fires);

        let stored = serde_json::json!({
            "limits": { "cooldown": now, "max_per_window": 3, "window": fires }, "admitted": history, "cooled_from": last,
        });
        let mut governor: Governor = serde_json::from_value(stored).expect("it can be read");
        let _ = (governor.admits(Tick::new(now)), governor.ready_at(), governor.slot_at());
        governor.record(Tick::new(now));
        prop_assert!(governor.ready_at().is_some());
    }
}
