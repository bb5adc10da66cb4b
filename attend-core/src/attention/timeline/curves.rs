//! Levels over time: the sum that is held, the threshold, and how far it is raised; and the band
//! of what held it.

use std::fmt::Write as _;

use svg::node::element::{Group, Path, Title};

use super::axis::Span;
use super::hue::Gate;
use super::legend::band;
use crate::attention::explain::{Dial, Stage, Story, needed};
use crate::attention::journal::Change;
use crate::dynamics::{Curve, EngagementState, Tick};
use crate::picture::{Scale, line};

/// What a sensor held, from a tick on, in thousandths.
pub(super) fn sums(stages: &[Stage<'_>], stories: &[&Story<'_>]) -> Vec<(Tick, u64)> {
    let of_stages = stages
        .iter()
        .map(|stage| (stage.record.tick, stage.record.sum));
    let of_events = stories
        .iter()
        .filter_map(|story| Some((story.came?, story.sum?)));
    // Of one tick a stage knows better: it was written down after what came.
    let mut sums: Vec<(Tick, u64)> = of_events.chain(of_stages).collect();
    sums.sort_by_key(|(at, _)| *at);
    sums
}

/// The sum as a stair; of a column the highest and the last step.
pub(super) fn sum(sums: &[(Tick, u64)], span: &Span, level: &Scale) -> Option<Path> {
    let before = sums.iter().rev().find(|(at, _)| *at < span.from);
    let within = sums.iter().filter(|(at, _)| span.contains(*at));
    let mut y = level.at(before.map_or(0.0, |(_, sum)| *sum as f64));
    let mut path = format!("M{:.1},{y:.1}", span.x(span.from));
    let mut peak = y;
    let mut column = span.x(span.from);
    let mut is_drawn = before.is_some();
    for (at, sum) in within {
        is_drawn = true;
        let x = span.x(*at);
        if x - column >= 1.0 {
            if peak < y {
                let _ = write!(path, "V{peak:.1}");
            }
            let _ = write!(path, "V{y:.1}H{x:.1}");
            (column, peak) = (x, y);
        }
        y = level.at(*sum as f64);
        peak = peak.min(y);
    }
    let _ = write!(path, "V{peak:.1}V{y:.1}H{:.1}", span.x(span.to));
    is_drawn.then(|| Path::new().set("class", "sum").set("d", path))
}

/// The threshold, and above it how far the refractory raised it, by the `curve` of the engine.
pub(super) fn threshold(stages: &[Stage<'_>], curve: &Curve, span: &Span, level: &Scale) -> Group {
    let mut group = Group::new();
    let Some(latest) = stages.last() else {
        return group;
    };
    let threshold = latest.record.threshold;
    let (left, right) = span.scale.places();
    let y = level.at(threshold.thousandths() as f64);
    let mut engagement = EngagementState::new(curve.clone());
    let mut fires = stages
        .iter()
        .filter_map(|stage| stage.shown)
        .collect::<Vec<_>>();
    fires.dedup();
    let mut fires = fires.into_iter().peekable();
    let mut area = format!("M{left:.1},{y:.1}");
    let (mut x, mut last) = (left, y);
    while x <= right {
        let at = span.tick(x);
        while let Some(fire) = fires.next_if(|fire| *fire <= at) {
            engagement.record_fire(fire);
        }
        let times = engagement.multiplier(at);
        let height = if times.is_finite() {
            level.at(needed(threshold, times) as f64)
        } else {
            level.places().1
        };
        if (height - last).abs() > 0.2 {
            let _ = write!(area, "H{x:.1}V{height:.1}");
            last = height;
        }
        x += 1.0;
    }
    let _ = write!(area, "H{right:.1}V{y:.1}Z");
    group = group.add(Path::new().set("class", "raised").set("d", area));
    group.add(line("threshold", (left, y), (right, y)))
}

/// What held it, as a band; of a column what held it longest.
pub(super) fn held(stages: &[Stage<'_>], span: &Span, top: f64, dial: &Dial<'_>) -> Group {
    let mut group = Group::new();
    let mut open: Option<(Gate, Tick)> = None;
    let mut end = span.from;
    let close = |group: Group, open: Option<(Gate, Tick)>, to: Tick| {
        let Some((gate, from)) = open else {
            return group;
        };
        let (from, to) = (from.max(span.from), to.min(span.to));
        let (left, right) = (span.x(from), span.x(to));
        if to < from || right - left < 0.4 {
            return group;
        }
        let told = format!(
            "held, {}: {} to {}",
            gate.words(),
            dial.tell(from),
            dial.tell(to)
        );
        let piece = band(gate.class(), left, top, right - left);
        group.add(piece.add(Title::new(told)))
    };
    for stage in stages {
        let gate = match stage.record.change {
            Change::Held { reason } => Gate::of(reason),
            _ => None,
        };
        end = stage.record.tick;
        if open.map(|(gate, _)| gate) != gate {
            group = close(group, open, end);
            open = gate.map(|gate| (gate, end));
        }
    }
    close(group, open, span.to.max(end))
}
