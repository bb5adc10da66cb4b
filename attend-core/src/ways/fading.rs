//! Fading: reading how a way fades.

use serde::Deserialize as _;
use serde_json::Value as Json;

use super::fields::{Fields, Findings, listed};
use super::finding::{Finding, Problem};
use super::way::Cadence;
use crate::dynamics::{Curve, Shape};
use crate::yaml::{nearest, to_map};

/// The types of curves, each with its parameters.
const CURVES: [(&str, &[&str]); 4] = [
    ("Exponential", &["half_life"]),
    ("Flat", &["suppression"]),
    ("ProgressiveStaircase", &["steps"]),
    (
        "ActionPotential",
        &[
            "burst_threshold",
            "peak_multiplier",
            "absolute_refractory",
            "multiplier_half_life",
        ],
    ),
];

/// How a way fades.
pub(super) fn cadence(top: Fields<'_>, found: &mut Findings<'_>) -> Option<Cadence> {
    if top.has("curve") && top.has("refire") {
        let text = "it stands beside `curve`, and only one of them can hold";
        top.refuse(
            "refire",
            Problem::Conflict,
            text,
            "leave out one of the two",
            found,
        );
    }
    if top.has("curve") {
        return curve(top, found).map(Cadence::Curve);
    }
    if !top.has("refire") {
        return Some(Cadence::Default);
    }
    let share = top.number("refire", found)?;
    if share > 0.0 && share <= 1.0 {
        return Some(Cadence::Refire(share));
    }
    let instead = "write a share of the window above 0 and at most 1, such as `refire: 0.25`; tokens are said by `curve: { type: Exponential, half_life: 50000 }`";
    top.refuse(
        "refire",
        Problem::WrongValue,
        "it is no share of the window",
        instead,
        found,
    );
    None
}

fn curve(top: Fields<'_>, found: &mut Findings<'_>) -> Option<Curve> {
    let before = found.all.len();
    let fields = top.below("curve", found)?;
    let kind = fields.needed("type", "Exponential", found)?;
    let types = CURVES.map(|(name, _)| name);
    let Some((_, parameters)) = CURVES.iter().find(|(name, _)| *name == kind) else {
        let instead = match nearest(kind, types) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write {}", listed(&types)),
        };
        let text = format!("there is no curve of the type `{kind}`");
        fields.refuse("type", Problem::WrongValue, &text, &instead, found);
        return None;
    };
    if kind == "ActionPotential" {
        let instead = "write `Exponential`, `Flat` or `ProgressiveStaircase`";
        let text = "a way on this curve would never be shown again: it does not fade";
        fields.refuse("type", Problem::WrongValue, text, instead, found);
    }
    let known: Vec<&str> = ["type"].iter().chain(*parameters).copied().collect();
    fields.unknown(&known, &[], found);
    for parameter in parameters.iter().filter(|name| !fields.has(name)) {
        let instead = match *parameter {
            "steps" => {
                "write `steps: [[0, 1.0], [20000, 0.5]]` (tokens, and what is left)".to_owned()
            }
            name => format!("write `{name}: 50000` (in tokens)"),
        };
        fields.refuse(
            parameter,
            Problem::Missing,
            "it is missing",
            &instead,
            found,
        );
    }
    let fatal = |finding: &Finding| finding.problem.is_fatal();
    if found.all.get(before..)?.iter().any(fatal) {
        return None;
    }
    let mut map = to_map(
        fields
            .all()
            .filter(|field| known.contains(&field.key.as_str())),
    );
    whole_numbers(&mut map);
    match Shape::deserialize(&Json::Object(map)) {
        Ok(shape) => Curve::new(shape)
            .map_err(|error| {
                let problem = error.problem().replace("tick", "token");
                let finding = found.find(
                    fields.mark(error.field()),
                    &fields.name(error.field()),
                    Problem::WrongValue,
                    &format!("it {problem}"),
                );
                finding.instead = Some(example(kind).to_owned());
            })
            .ok(),
        Err(error) => {
            let key = parameters.first().copied().unwrap_or("type");
            let text = format!("it makes no curve: {error}");
            fields.refuse(key, Problem::WrongType, &text, example(kind), found);
            None
        }
    }
}

/// `50000.0` and `5e4` are whole numbers, too.
fn whole_numbers(map: &mut serde_json::Map<String, Json>) {
    for value in map.values_mut() {
        let whole = value
            .as_f64()
            .filter(|n| n.fract() == 0.0 && (0.0..9e15).contains(n));
        if let Some(number) = whole.filter(|_| value.is_f64()) {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is whole and within the range"
            )]
            let number = number as u64;
            *value = Json::from(number);
        }
    }
}

fn example(kind: &str) -> &'static str {
    match kind {
        "Flat" => "write `curve: { type: Flat, suppression: 20000 }` (in tokens)",
        "ProgressiveStaircase" => {
            "write `curve: { type: ProgressiveStaircase, steps: [[0, 1.0], [20000, 0.5]] }` (tokens, and what is left)"
        }
        _ => "write `curve: { type: Exponential, half_life: 50000 }` (in tokens)",
    }
}
