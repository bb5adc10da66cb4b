//! The picture of a session's ways: a row for each, its curve over the axis of tokens.

use std::fmt::Write as _;

use svg::node::element::{Group, Path, Title};

use super::rethink::Standing;
use crate::dynamics::{Curve, Shape, Tick};
use crate::picture::{Light, Scale, circle, cut, line, sheet, style, text};

const WIDTH: f64 = 960.0;
const LEFT: f64 = 210.0;
const RIGHT: f64 = 40.0;
const TOP: f64 = 90.0;
const ROW: f64 = 92.0;
/// How much of a row its curve takes.
const CURVE: f64 = 58.0;
const BOTTOM: f64 = 54.0;

/// How many points a curve has.
const POINTS: u64 = 360;

/// Draws `standings` in a window of `window` tokens of which `now` are used; a way is shown again
/// once its curve is below `floor`.
pub fn plot(standings: &[Standing], now: Tick, window: u64, floor: f64) -> String {
    let ahead = standings
        .iter()
        .filter_map(|one| one.eligible.map(Tick::get));
    let latest = ahead.filter(|at| *at <= window.saturating_mul(2)).max();
    let end = window.max(now.get()).max(latest.unwrap_or(0)).max(1);
    let height = TOP + ROW * standings.len().max(1) as f64 + BOTTOM;
    let scale = Scale::new((0.0, end as f64), (LEFT, WIDTH - RIGHT));
    let title = "Ways on the axis of tokens";
    let mut document = sheet(WIDTH, height, title, style(rules));
    document = document.add(text(24.0, 32.0, "ink", 17, title)).add(text(
        24.0,
        54.0,
        "faint",
        13,
        &legend(floor),
    ));
    document = document.add(axis(&scale, height));
    for (n, standing) in standings.iter().enumerate() {
        document = document.add(row(standing, TOP + ROW * n as f64, now, floor, &scale));
    }
    if standings.is_empty() {
        document = document.add(text(LEFT, TOP + ROW / 2.0, "faint", 14, "no way was found"));
    }
    document = document.add(at_now(now, &scale, height));
    format!("{document}\n")
}

fn rules(light: &Light) -> String {
    let Light {
        ground,
        ink,
        curve,
        floor,
        fire,
        ..
    } = light;
    format!(
        ".curve{{stroke:{curve};stroke-width:2;fill:none}}.area{{fill:{curve};fill-opacity:.14}}\
         .floor{{stroke:{floor};stroke-width:1.2;stroke-dasharray:5 4}}.fire{{fill:{fire}}}\
         .due{{stroke:{floor};stroke-width:2;fill:{ground}}}.now{{stroke:{ink};stroke-width:1.2}}"
    )
}

fn legend(floor: f64) -> String {
    format!(
        "line: what is left of the last showing · dashes: the floor ({floor}) · dot: shown · ring: eligible again"
    )
}

fn axis(scale: &Scale, height: f64) -> Group {
    let base = height - BOTTOM + 6.0;
    let mut group = Group::new().add(line("rule", (LEFT, base), (WIDTH - RIGHT, base)));
    let step = step(scale.high());
    let mut at = 0.0;
    while at <= scale.high() {
        let x = scale.at(at);
        group = group
            .add(line("rule", (x, TOP - 6.0), (x, base + 5.0)))
            .add(text(x, base + 20.0, "faint", 12, &tokens(at)).set("text-anchor", "middle"));
        at += step;
    }
    group.add(
        text(
            (LEFT + WIDTH - RIGHT) / 2.0,
            base + 40.0,
            "faint",
            12,
            "tokens put before the model",
        )
        .set("text-anchor", "middle"),
    )
}

/// A round distance between marks up to `end`, of which there are four to ten.
fn step(end: f64) -> f64 {
    let magnitude = 10_f64.powf((end / 4.0).log10().floor());
    let steps = [5.0, 2.0, 1.0].map(|times| times * magnitude);
    let fits = |step: &f64| end / step >= 4.0;
    steps.into_iter().find(fits).unwrap_or(magnitude).max(1.0)
}

fn tokens(count: f64) -> String {
    if count >= 1_000_000.0 {
        format!("{} M", count / 1_000_000.0)
    } else if count >= 1_000.0 {
        format!("{} K", count / 1_000.0)
    } else {
        format!("{count}")
    }
}

fn row(standing: &Standing, top: f64, now: Tick, floor: f64, scale: &Scale) -> Group {
    let base = top + CURVE;
    let y = |salience: f64| base - (CURVE - 6.0) * salience;
    let mut group = Group::new()
        .add(text(
            24.0,
            top + 22.0,
            "ink",
            14,
            &cut(standing.way.as_str(), 14, LEFT - 24.0),
        ))
        .add(text(24.0, top + 40.0, "faint", 12, &said(standing, now)))
        .add(line("rule", (LEFT, base), (WIDTH - RIGHT, base)))
        .add(line("floor", (LEFT, y(floor)), (WIDTH - RIGHT, y(floor))));
    if let Some((curve, area)) = curve(standing, base, y, scale) {
        group = group
            .add(Path::new().set("class", "area").set("d", area))
            .add(Path::new().set("class", "curve").set("d", curve));
    }
    for fire in &standing.fires {
        let circle = circle("fire", scale.at(fire.get() as f64), y(1.0), 4.5);
        let title = format!("shown at {fire} tokens");
        group = group.add(circle.add(Title::new(title)));
    }
    if let Some(due) = standing
        .eligible
        .filter(|due| due.get() as f64 <= scale.high())
    {
        let (x, y) = (scale.at(due.get() as f64), base);
        let title = Title::new(format!("eligible from {due} tokens on"));
        group = group.add(circle("due", x, y, 5.0).add(title));
    }
    group
}

/// The curve from the first showing on, and the area below it.
fn curve(
    standing: &Standing,
    base: f64,
    y: impl Fn(f64) -> f64,
    scale: &Scale,
) -> Option<(String, String)> {
    let first = standing.fires.first()?.get();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the end is a count of tokens"
    )]
    let end = scale.high() as u64;
    let span = end.saturating_sub(first);
    let mut at: Vec<u64> = (0..=POINTS)
        .map(|n| {
            first
                + u64::try_from(u128::from(span) * u128::from(n) / u128::from(POINTS))
                    .unwrap_or(span)
        })
        .collect();
    // A showing lifts the curve at once, and a step drops it at once.
    for fire in standing.fires.iter().map(|fire| fire.get()) {
        at.extend([fire.saturating_sub(1).max(first), fire]);
        for edge in edges(&standing.curve) {
            let edge = fire.saturating_add(edge);
            at.extend([edge.saturating_sub(1), edge]);
        }
    }
    at.retain(|tick| (first..=end).contains(tick));
    at.sort_unstable();
    at.dedup();
    let mut path = String::new();
    for (n, tick) in at.iter().enumerate() {
        let (x, y) = (
            scale.at(*tick as f64),
            y(standing.salience_at(Tick::new(*tick))),
        );
        let letter = if n == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{letter}{x:.1},{y:.1}");
    }
    let (from, to) = (scale.at(first as f64), scale.at(end as f64));
    let area = format!("{path}L{to:.1},{base:.1}L{from:.1},{base:.1}Z");
    Some((path, area))
}

/// The distances at which a curve drops at once.
fn edges(curve: &Curve) -> Vec<u64> {
    match curve.shape() {
        Shape::Flat { suppression } => vec![*suppression],
        Shape::ProgressiveStaircase { steps } => steps.iter().map(|(at, _)| *at).collect(),
        _ => Vec::new(),
    }
}

fn said(standing: &Standing, now: Tick) -> String {
    let percent = standing.salience * 100.0;
    match standing.eligible {
        _ if standing.fires.is_empty() => "not shown yet".to_owned(),
        Some(due) if due <= now => format!("{percent:.0}% left · eligible now"),
        Some(due) => {
            let left = (due.since(now).get() as f64 / 100.0).ceil() * 100.0;
            format!("{percent:.0}% left · in {}", tokens(left))
        }
        None => format!("{percent:.0}% left · never again"),
    }
}

fn at_now(now: Tick, scale: &Scale, height: f64) -> Group {
    let x = scale.at(now.get() as f64);
    let words = format!(
        "now: {}",
        tokens((now.get() as f64 / 100.0).round() * 100.0)
    );
    let words = text(x, TOP - 10.0, "ink", 12, &words).set("text-anchor", "middle");
    Group::new()
        .add(line("now", (x, TOP - 6.0), (x, height - BOTTOM + 6.0)))
        .add(words)
}
