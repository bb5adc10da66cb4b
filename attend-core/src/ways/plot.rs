//! The picture of a session's ways: a row for each, its curve over the axis of tokens.

use std::fmt::Write as _;

use svg::Document;
use svg::node::Text as Words;
use svg::node::element::{Circle, Group, Line, Path, Rectangle, Style, Text, Title};

use super::rethink::Standing;
use crate::dynamics::{Curve, Shape, Tick};

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

/// The colours of one light.
struct Light {
    ground: &'static str,
    ink: &'static str,
    faint: &'static str,
    rule: &'static str,
    curve: &'static str,
    floor: &'static str,
    fire: &'static str,
}

/// On a ground of its own, so that it is legible wherever it is put.
const DAY: Light = Light {
    ground: "#ffffff",
    ink: "#1f2328",
    faint: "#59636e",
    rule: "#d1d9e0",
    curve: "#0969da",
    floor: "#bc4c00",
    fire: "#1a7f37",
};

/// For those who prefer dark.
const NIGHT: Light = Light {
    ground: "#0d1117",
    ink: "#f0f6fc",
    faint: "#9198a1",
    rule: "#3d444d",
    curve: "#4493f8",
    floor: "#f0883e",
    fire: "#3fb950",
};

/// Draws `standings` in a window of `window` tokens of which `now` are used; a way is shown again
/// once its curve is below `floor`.
pub fn plot(standings: &[Standing], now: Tick, window: u64, floor: f64) -> String {
    let ahead = standings
        .iter()
        .filter_map(|one| one.eligible.map(Tick::get));
    let latest = ahead.filter(|at| *at <= window.saturating_mul(2)).max();
    let end = window.max(now.get()).max(latest.unwrap_or(0)).max(1);
    let height = TOP + ROW * standings.len().max(1) as f64 + BOTTOM;
    let scale = Scale { end: end as f64 };
    let mut document = Document::new()
        .set("viewBox", (0, 0, WIDTH, height))
        .set("width", WIDTH)
        .set("height", height)
        .set("role", "img")
        .set("font-family", "system-ui, 'DejaVu Sans', sans-serif")
        .add(Title::new("Ways on the axis of tokens"))
        .add(Style::new(colours()))
        .add(
            Rectangle::new()
                .set("width", WIDTH)
                .set("height", height)
                .set("class", "ground"),
        );
    document = document
        .add(text(24.0, 32.0, "ink", 17, "Ways on the axis of tokens"))
        .add(text(24.0, 54.0, "faint", 13, &legend(floor)));
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

impl Light {
    fn rules(&self) -> String {
        let Self {
            ground,
            ink,
            faint,
            rule,
            curve,
            floor,
            fire,
        } = self;
        format!(
            ".ground{{fill:{ground}}}.ink{{fill:{ink}}}.faint{{fill:{faint}}}\
             .rule{{stroke:{rule};stroke-width:1}}\
             .curve{{stroke:{curve};stroke-width:2;fill:none}}.area{{fill:{curve};fill-opacity:.14}}\
             .floor{{stroke:{floor};stroke-width:1.2;stroke-dasharray:5 4}}.fire{{fill:{fire}}}\
             .due{{stroke:{floor};stroke-width:2;fill:{ground}}}.now{{stroke:{ink};stroke-width:1.2}}"
        )
    }
}

struct Scale {
    end: f64,
}

impl Scale {
    fn x(&self, tokens: f64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * (tokens / self.end).clamp(0.0, 1.0)
    }
}

fn colours() -> String {
    format!(
        "{}@media (prefers-color-scheme:dark){{{}}}",
        DAY.rules(),
        NIGHT.rules()
    )
}

fn legend(floor: f64) -> String {
    format!(
        "line: what is left of the last showing · dashes: the floor ({floor}) · dot: shown · ring: eligible again"
    )
}

fn text(x: f64, y: f64, class: &str, size: u32, words: &str) -> Text {
    Text::new(words)
        .set("x", round(x))
        .set("y", round(y))
        .set("class", class)
        .set("font-size", size)
}

fn line(class: &str, from: (f64, f64), to: (f64, f64)) -> Line {
    Line::new()
        .set("class", class)
        .set("x1", round(from.0))
        .set("y1", round(from.1))
        .set("x2", round(to.0))
        .set("y2", round(to.1))
}

fn axis(scale: &Scale, height: f64) -> Group {
    let base = height - BOTTOM + 6.0;
    let mut group = Group::new().add(line("rule", (LEFT, base), (WIDTH - RIGHT, base)));
    let step = step(scale.end);
    let mut at = 0.0;
    while at <= scale.end {
        let x = scale.x(at);
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

/// A round distance between marks, of which there are four to ten.
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
            &cut(standing.way.as_str()),
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
        let circle = circle("fire", scale.x(fire.get() as f64), y(1.0), 4.5);
        let title = format!("shown at {fire} tokens");
        group = group.add(circle.add(Title::new(title)));
    }
    if let Some(due) = standing
        .eligible
        .filter(|due| due.get() as f64 <= scale.end)
    {
        let (x, y) = (scale.x(due.get() as f64), base);
        let title = Title::new(format!("eligible from {due} tokens on"));
        group = group.add(circle("due", x, y, 5.0).add(title));
    }
    group
}

fn circle(class: &str, x: f64, y: f64, r: f64) -> Circle {
    Circle::new()
        .set("class", class)
        .set("cx", round(x))
        .set("cy", round(y))
        .set("r", r)
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
    let end = scale.end as u64;
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
            scale.x(*tick as f64),
            y(standing.salience_at(Tick::new(*tick))),
        );
        let letter = if n == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{letter}{x:.1},{y:.1}");
    }
    let (from, to) = (scale.x(first as f64), scale.x(end as f64));
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
    let x = scale.x(now.get() as f64);
    let words = Text::new("")
        .set("x", round(x))
        .set("y", TOP - 10.0)
        .set("class", "ink")
        .set("font-size", 12)
        .set("text-anchor", "middle")
        .add(Words::new(format!(
            "now: {}",
            tokens((now.get() as f64 / 100.0).round() * 100.0)
        )));
    Group::new()
        .add(line("now", (x, TOP - 6.0), (x, height - BOTTOM + 6.0)))
        .add(words)
}

/// So much of an id as fits beside its curve.
fn cut(id: &str) -> String {
    if id.chars().count() <= 24 {
        return id.to_owned();
    }
    let head: String = id.chars().take(23).collect();
    format!("{head}…")
}

fn round(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}
