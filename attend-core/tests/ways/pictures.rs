//! Where ways stand, and the picture of it.

use attend_core::dynamics::{Curve, Outcome, Shape, Tick};
use attend_core::ways::{FLOOR, Gate, Position, Standing, plot, rethink};

use crate::{curve, way};

fn at(tokens: u64) -> Gate {
    Gate::new(Position::new(Some("e".into()), tokens), FLOOR)
}

/// A way that was shown at `fires`, as it stands at 120,000 tokens.
fn standing(name: &str, curve: &Curve, fires: &[u64]) -> Standing {
    let way = way(name, "d", "s", "");
    let mut stamp = None;
    for fire in fires {
        stamp = Some(at(*fire).fire(stamp.as_ref(), curve));
    }
    let fires = fires.iter().copied().map(Tick::new).collect();
    rethink(&at(120_000), &way, curve.clone(), stamp.as_ref(), fires)
}

fn standings() -> Vec<Standing> {
    let steps = vec![(0, 1.0), (30_000, 0.6), (80_000, 0.3)];
    vec![
        standing(
            "context-pressure",
            &curve(Shape::ProgressiveStaircase { steps }),
            &[20_000, 52_000, 104_000],
        ),
        standing(
            "build-failed",
            &curve(Shape::Flat {
                suppression: 30_000,
            }),
            &[15_000, 70_000],
        ),
        standing(
            "peer-conflict",
            &curve(Shape::Exponential { half_life: 40_000 }),
            &[98_000],
        ),
        standing(
            "review/security-of-what-is-changed",
            &curve(Shape::Exponential { half_life: 50_000 }),
            &[],
        ),
    ]
}

#[test]
fn a_standing_tells_where_its_way_is_eligible() {
    let all = standings();
    let eligible: Vec<_> = all.iter().map(|one| one.eligible.map(Tick::get)).collect();
    assert_eq!(
        eligible,
        [Some(134_000), Some(120_000), Some(138_001), Some(120_000)]
    );
    assert_eq!(all[3].outcome, Outcome::FirstFire);
    assert_eq!(all[0].count, 3);
    // The curve that is drawn is the one that the gate asks.
    for one in &all {
        assert!(
            (one.salience_at(Tick::new(120_000)) - one.salience).abs() < 1e-12,
            "{one:?}"
        );
    }
}

#[test]
fn a_log_that_lags_behind_is_completed_and_an_old_one_is_left_out() {
    let (way, curve) = (
        way("a", "d", "s", ""),
        curve(Shape::Flat { suppression: 10 }),
    );
    let stamp = at(100).fire(None, &curve);
    let one = rethink(
        &at(105),
        &way,
        curve.clone(),
        Some(&stamp),
        vec![Tick::new(50)],
    );
    assert_eq!(one.fires, [50, 100].map(Tick::new));
    let later = Gate::new(Position::new(Some("other".into()), 200), FLOOR);
    let one = rethink(&later, &way, curve, Some(&stamp), vec![Tick::new(50)]);
    assert_eq!(
        (one.fires.len(), one.outcome, one.count),
        (0, Outcome::FirstFire, 1)
    );
}

#[test]
fn the_picture_shows_every_way_in_both_lights() {
    let picture = plot(&standings(), Tick::new(120_000), 200_000, FLOOR);
    if let Some(path) = option_env!("ATTEND_PLOT") {
        std::fs::write(path, &picture).unwrap();
    }
    for part in [
        "context-pressure",
        "review/security-of-wh…",
        "prefers-color-scheme:dark",
        "shown at 52000 tokens",
        "eligible from 134000 tokens on",
        "now: 120 K",
        "not shown yet",
    ] {
        assert!(picture.contains(part), "{part} is not in the picture");
    }
    assert_eq!(picture.matches("class=\"fire\"").count(), 6);
    assert_eq!(picture.matches("class=\"due\"").count(), 4);
    assert!(!picture.contains("NaN") && !picture.contains("inf"));
    for (now, window) in [(0, 0), (0, 1), (u64::MAX, 1)] {
        let picture = plot(&[], Tick::new(now), window, FLOOR);
        assert!(picture.contains("no way was found") && !picture.contains("NaN"));
    }
}
