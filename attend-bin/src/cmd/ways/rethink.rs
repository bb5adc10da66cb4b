//! `ways rethink`: where every way of the session stands on the axis of tokens.

use std::fmt::Write as _;
use std::fs;

use attend_core::attention::sanitise;
use attend_core::dynamics::{Curve, Tick};
use attend_core::ways::{FLOOR, Gate, Loaded, Standing, fires, plot, rethink as stand};
use serde::Serialize;

use super::list::{fades, remembered, table};
use crate::cli::RethinkArgs;
use crate::env::Env;
use crate::guidance::{Guidance, Here, figure};
use crate::ledger::Book;
use crate::output::{Failure, print, print_json};

/// Where the ways stand, as it is printed.
#[derive(Serialize, Debug)]
struct Rethought<'a> {
    session_id: &'a str,
    epoch: Option<String>,
    tokens_used: Tick,
    tokens_total: u64,
    floor: f64,
    ways: Vec<Row<'a>>,
}

#[derive(Serialize, Debug)]
struct Row<'a> {
    id: &'a str,
    curve: &'a Curve,
    fires: u64,
    fired_at: &'a [Tick],
    salience: f64,
    eligible_at: Option<Tick>,
    eligible_in: Option<u64>,
}

/// Shows where they stand, and draws it where that is asked for.
pub(crate) fn rethink(args: &RethinkArgs, env: &Env) -> Result<(), Failure> {
    let here = Here::find(args.of.session.as_deref(), env)?;
    let (session, position, window) = here.known()?;
    let guidance = Guidance::of(&here.project, env);
    let now = position.tokens;
    let epoch = position.epoch.as_deref().map(sanitise);
    let book = Book::look(session, env)?;
    let log = book.log().map_err(|error| Failure::of(&error))?;
    let gate = Gate::new(position, FLOOR);
    let mut standings: Vec<Standing> = Vec::new();
    for loaded in chosen(&guidance, args.way.as_deref())? {
        let Ok(kept) = remembered(&book, &loaded.way) else {
            continue;
        };
        let fires = fires(&log, &loaded.way.id, gate.position());
        let curve = guidance.curve(&loaded.way, window);
        standings.push(stand(&gate, &loaded.way, curve, kept.as_ref(), fires));
    }
    if let Some(path) = &args.plot {
        let picture = plot(&standings, now, window, FLOOR);
        fs::write(path, picture).map_err(|error| {
            Failure::refused(format!("cannot write {}: {error}", path.display()))
        })?;
    }
    let rethought = Rethought {
        session_id: session,
        epoch,
        tokens_used: now,
        tokens_total: window,
        floor: FLOOR,
        ways: standings.iter().map(|one| Row::of(one, now)).collect(),
    };
    if args.json {
        print_json(&rethought)
    } else {
        print(&rethought.to_text())
    }
}

/// All ways, or the one with this id.
fn chosen<'a>(guidance: &'a Guidance, id: Option<&str>) -> Result<Vec<&'a Loaded>, Failure> {
    let Some(id) = id else {
        return Ok(guidance.corpus.ways().collect());
    };
    let none = || {
        let ids: Vec<&str> = guidance
            .corpus
            .ways()
            .map(|loaded| loaded.way.id.as_str())
            .collect();
        Failure::refused(format!(
            "there is no way `{id}`; there are: {}",
            ids.join(", ")
        ))
    };
    guidance
        .corpus
        .get(id)
        .map(|way| vec![way])
        .ok_or_else(none)
}

impl<'a> Row<'a> {
    fn of(standing: &'a Standing, now: Tick) -> Self {
        Self {
            id: standing.way.as_str(),
            curve: &standing.curve,
            fires: standing.count,
            fired_at: &standing.fires,
            salience: standing.salience,
            eligible_at: standing.eligible,
            eligible_in: standing.eligible.map(|at| at.since(now).get()),
        }
    }

    fn cells(&self) -> [String; 5] {
        let fires: Vec<String> = self.fired_at.iter().map(|at| figure(at.get())).collect();
        let again = match (self.eligible_at, self.eligible_in) {
            (_, Some(0)) => "now".to_owned(),
            (Some(at), Some(left)) => format!("at {} (in {})", figure(at.get()), figure(left)),
            _ => "never".to_owned(),
        };
        let fires = if fires.is_empty() {
            "not yet".to_owned()
        } else {
            format!("at {}", fires.join(", "))
        };
        [
            self.id.to_owned(),
            fades(Some(self.curve), None),
            fires,
            format!("{:.2}", self.salience),
            again,
        ]
    }
}

impl Rethought<'_> {
    fn to_text(&self) -> String {
        let head = ["WAY", "FADES", "SHOWN", "LEFT", "AGAIN"].map(str::to_owned);
        let rows: Vec<[String; 5]> = [head]
            .into_iter()
            .chain(self.ways.iter().map(Row::cells))
            .collect();
        let (used, total) = (figure(self.tokens_used.get()), figure(self.tokens_total));
        let mut text = String::new();
        let _ = writeln!(
            text,
            "{used} of {total} tokens are used; a way is shown again once less than {} of it is left\n",
            self.floor
        );
        text + &table(&rows)
    }
}
