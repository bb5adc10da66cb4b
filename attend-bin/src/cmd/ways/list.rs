//! `ways list`: every way, on what it fires, and what is left of its last showing.

use std::fmt::Write as _;

use attend_core::attention::sanitise;
use attend_core::dynamics::{Curve, Shape};
use attend_core::runtime::StateError;
use attend_core::ways::{
    Cadence, FLOOR, Gate, Loaded, Origin, Stamp, Standing, Way, rethink, stamp,
};
use serde::Serialize;

use crate::cli::ListArgs;
use crate::env::Env;
use crate::guidance::{Guidance, Here, figure};
use crate::ledger::Book;
use crate::output::{Failure, complain_as, print, print_json};

/// The ways, as they are printed. What is not known is null.
#[derive(Serialize, Debug)]
struct Listed {
    session_id: Option<String>,
    ways: Vec<Row>,
}

#[derive(Serialize, Debug)]
struct Row {
    id: String,
    name: String,
    description: String,
    origin: Origin,
    root: Option<String>,
    file: Option<String>,
    trigger: &'static str,
    signals: Vec<String>,
    curve: Option<Curve>,
    refire: Option<f64>,
    fires: Option<u64>,
    salience: Option<f64>,
    eligible_in: Option<u64>,
}

/// Lists the ways that hold here.
pub(crate) fn list(args: &ListArgs, env: &Env) -> Result<(), Failure> {
    let here = Here::find(args.of.session.as_deref(), env)?;
    let guidance = Guidance::of(&here.project, env);
    let book = here
        .session
        .as_deref()
        .map(|session| Book::look(session, env));
    let book = book.transpose()?;
    let rows = guidance.corpus.ways().map(|loaded| {
        let standing = standing(loaded, &guidance, &here, book.as_ref());
        Row::of(loaded, &guidance, &here, standing.as_ref())
    });
    let listed = Listed {
        ways: rows.collect(),
        session_id: here.session,
    };
    if args.json {
        print_json(&listed)
    } else {
        print(&listed.to_text())
    }
}

/// Where a way stands; none where the session's position is not known, or what is remembered of
/// the way cannot be read.
fn standing(
    loaded: &Loaded,
    guidance: &Guidance,
    here: &Here,
    book: Option<&Book>,
) -> Option<Standing> {
    let ((_, position, window), book) = here.position().zip(book)?;
    let kept = remembered(book, &loaded.way).ok()?;
    let curve = guidance.curve(&loaded.way, window);
    let gate = Gate::new(position, FLOOR);
    Some(rethink(
        &gate,
        &loaded.way,
        curve,
        kept.as_ref(),
        Vec::new(),
    ))
}

/// What is remembered of `way`. That it cannot be read is said, and keeps nobody from the others.
pub(super) fn remembered(book: &Book, way: &Way) -> Result<Option<Stamp>, StateError> {
    stamp(book, &way.id).inspect_err(|error| complain_as("ways", &error.to_string()))
}

impl Row {
    fn of(loaded: &Loaded, guidance: &Guidance, here: &Here, standing: Option<&Standing>) -> Self {
        let way = &loaded.way;
        let signals = way.trigger.signals().iter();
        let window = here.usage.as_ref().map(|usage| usage.window);
        let curve = match &way.cadence {
            Cadence::Curve(curve) => Some(curve.clone()),
            _ => window.map(|window| guidance.curve(way, window)),
        };
        let now = here.position().map(|(_, position, _)| position.tokens);
        let eligible = standing.and_then(|standing| standing.eligible);
        Self {
            id: way.id.to_string(),
            name: sanitise(&way.name),
            description: sanitise(&way.description),
            origin: loaded.origin,
            root: root(loaded),
            file: loaded
                .file
                .as_ref()
                .map(|file| sanitise(&file.display().to_string())),
            trigger: way.trigger.name(),
            signals: signals.map(ToString::to_string).collect(),
            curve,
            refire: match way.cadence {
                Cadence::Refire(share) => Some(share),
                _ => None,
            },
            fires: standing.map(|standing| standing.count),
            salience: standing.map(|standing| standing.salience),
            eligible_in: now.zip(eligible).map(|(now, at)| at.since(now).get()),
        }
    }

    fn cells(&self) -> [String; 7] {
        let trigger = if self.signals.is_empty() {
            self.trigger.to_owned()
        } else {
            let signals: Vec<String> = self.signals.iter().map(|s| format!("attend/{s}")).collect();
            signals.join(" ")
        };
        let from = match (self.origin, &self.root) {
            (Origin::User, _) => "user",
            (Origin::Project, _) => "project",
            (_, Some(root)) => root,
            (_, None) => "bundled",
        };
        let unknown = || "-".to_owned();
        let again = match (self.salience, self.eligible_in) {
            (None, _) => unknown(),
            (Some(_), Some(0)) => "now".to_owned(),
            (Some(_), Some(left)) => format!("in {}", figure(left)),
            (Some(_), None) => "never".to_owned(),
        };
        [
            self.id.clone(),
            trigger,
            fades(self.curve.as_ref(), self.refire),
            self.fires.map_or_else(unknown, |fires| fires.to_string()),
            self.salience
                .map_or_else(unknown, |left| format!("{left:.2}")),
            again,
            from.to_owned(),
        ]
    }
}

/// The directory that was named for ways, or is it by itself, and in which this one lies.
fn root(loaded: &Loaded) -> Option<String> {
    let file = loaded.file.as_ref()?;
    let root = file
        .ancestors()
        .nth(loaded.way.id.as_str().split('/').count())?;
    Some(sanitise(&root.display().to_string()))
}

/// How a way fades, for people: in tokens, or as a share of a window that is not known.
pub(super) fn fades(curve: Option<&Curve>, refire: Option<f64>) -> String {
    match curve.map(Curve::shape) {
        Some(Shape::Exponential { half_life }) => format!("half in {}", figure(*half_life)),
        Some(Shape::Flat { suppression }) => format!("flat for {}", figure(*suppression)),
        Some(Shape::ProgressiveStaircase { steps }) => {
            let at: Vec<String> = steps.iter().skip(1).map(|(at, _)| figure(*at)).collect();
            format!("steps at {}", at.join(" and "))
        }
        Some(_) => "never".to_owned(),
        None => refire.map_or_else(
            || "half in the default share".to_owned(),
            |share| format!("half in {share} of the window"),
        ),
    }
}

impl Listed {
    fn to_text(&self) -> String {
        let head = ["WAY", "TRIGGER", "FADES", "SHOWN", "LEFT", "AGAIN", "FROM"].map(str::to_owned);
        let rows: Vec<[String; 7]> = [head]
            .into_iter()
            .chain(self.ways.iter().map(Row::cells))
            .collect();
        table(&rows)
    }
}

/// Columns side by side.
pub(super) fn table<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |n: usize| rows.iter().map(|row| row[n].chars().count()).max();
    let widths: Vec<usize> = (0..N).map(|n| width(n).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, "{cell:width$}  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
