//! `ways show`: the guidance for a signal, whole or in one line.

use std::fmt::Write as _;

use attend_core::attention::sanitise;
use attend_core::dynamics::{Curve, Outcome};
use attend_core::runtime::system::SystemClock;
use attend_core::sensor::Clock;
use attend_core::ways::{
    DefaultScorer, FLOOR, FLOOR_CRITICAL, Fired, Gate, Occasion, Position, Summary, Way, rank,
    try_fire,
};

use crate::cli::{ShowMode, ShowWayArgs};
use crate::env::Env;
use crate::guidance::{Guidance, Here, body, figure};
use crate::ledger::Book;
use crate::output::{Failure, complain_as, expect_reader, print};
use crate::{place, session};

/// Shows the guidance for the signal.
pub(crate) fn show(args: &ShowWayArgs, env: &Env) -> Result<(), Failure> {
    let here = Here::find(args.of.session.as_deref(), env)?;
    let asked = Occasion::Asked(&args.signal);
    let wanted = |summary: &Summary| summary.may_fire_on(&asked);
    let guidance = Guidance::sought(&here.project, (env, place::own(env).ways), true, &wanted);
    for warning in guidance.corpus.warnings() {
        complain_as("ways", warning);
    }
    let ways = candidates(&guidance, args, &here, env)?;
    let text = match here.position() {
        _ if args.force => whole(&ways, 0, &args.signal),
        Some((session, position, window)) => {
            let floor = match args.mode {
                ShowMode::Critical => FLOOR_CRITICAL,
                _ => FLOOR,
            };
            let gate = Gate::new(position, floor);
            let ways: Vec<(&Way, Curve)> = ways
                .iter()
                .map(|way| (*way, guidance.curve(way, window)))
                .collect();
            gated(session, &gate, &ways, &args.signal, env)?
        }
        None => {
            let why = here.lacks.unwrap_or_default();
            let said = format!("nothing is remembered of this showing: {why}");
            complain_as("ways", &said);
            whole(&ways, 0, &args.signal)
        }
    };
    print(&text)
}

/// The ways for the signal, the one that fits best first.
fn candidates<'a>(
    guidance: &'a Guidance,
    args: &ShowWayArgs,
    here: &Here,
    env: &Env,
) -> Result<Vec<&'a Way>, Failure> {
    let ways = guidance.corpus.for_signal(&args.signal);
    if ways.is_empty() {
        let guidance = Guidance::quietly(&here.project, env);
        let known = guidance.corpus.signals();
        let known: Vec<String> = known.iter().map(|name| format!("attend/{name}")).collect();
        let signal = &args.signal;
        return Err(Failure::refused(format!(
            "no way handles the signal attend/{signal}; there is guidance for: {}",
            known.join(", ")
        )));
    }
    let ways: Vec<&Way> = ways.into_iter().map(|loaded| &loaded.way).collect();
    if ways.len() == 1 {
        return Ok(ways);
    }
    let context = args.context.clone().or_else(|| {
        let recent = session::recent_words(here.session.as_deref()?, env);
        Some(recent).filter(|recent| !recent.is_empty())
    });
    let context = context.unwrap_or_else(|| args.signal.replace('-', " "));
    let ranked = rank(&DefaultScorer, &context, &ways);
    Ok(ranked.into_iter().map(|place| ways[place]).collect())
}

/// What the gate lets through, remembered.
fn gated(
    session: &str,
    gate: &Gate,
    ways: &[(&Way, Curve)],
    signal: &str,
    env: &Env,
) -> Result<String, Failure> {
    // What nobody reads is no showing.
    expect_reader()?;
    let mut book = Book::hold(session, env)?;
    let wall = SystemClock.wall();
    let since = wall.duration_since(std::time::UNIX_EPOCH);
    let at = since.map_or(0, |since| since.as_secs());
    let fired = try_fire(&mut book, gate, ways, at).map_err(|error| Failure::of(&error))?;
    let all: Vec<&Way> = ways.iter().map(|(way, _)| *way).collect();
    Ok(match fired {
        Fired::Whole(place) => whole(&all, place, signal),
        Fired::Suppressed(outcomes) => terse(&all, &outcomes, gate.position()),
        _ => String::new(),
    })
}

/// The body of one of `ways`, and the names of the others.
fn whole(ways: &[&Way], place: usize, signal: &str) -> String {
    let mut text = ways
        .get(place)
        .map_or_else(String::new, |way| body(&way.body));
    let others = ways.iter().enumerate().filter(|(n, _)| *n != place);
    let others: Vec<String> = others.map(|(_, way)| named(way)).collect();
    if !others.is_empty() {
        let others = others.join("; ");
        let _ = writeln!(text, "\nAlso for attend/{signal}: {others}");
    }
    text
}

/// One line of the way that fits best: it still stands in the context.
fn terse(ways: &[&Way], outcomes: &[Outcome], position: &Position) -> String {
    let (Some(best), Some(outcome)) = (ways.first(), outcomes.first()) else {
        return String::new();
    };
    let when = match outcome {
        Outcome::Suppressed { until: Some(until) } => {
            let left = until.since(position.tokens).get();
            let tokens = if left == 1 { "token" } else { "tokens" };
            format!("shown lately; whole again in {} {tokens}", figure(left))
        }
        _ => "shown before; not again in this context".to_owned(),
    };
    format!("{} — {when}, or now with --force\n", named(best))
}

fn named(way: &Way) -> String {
    sanitise(&format!("{}: {}", way.name, way.description))
}
