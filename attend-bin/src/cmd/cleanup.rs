//! `attend cleanup`: removes mail of projects that are gone.

use std::fmt::Write as _;
use std::time::Duration;

use attend_core::attention::sanitise;
use attend_core::mail::{MailboxExt, ProjectInfo, Sightings, Sweep, Swept, age};
use attend_sensors::host::claude_code::sightings;
use futures::executor::block_on;
use serde::Serialize;

use crate::cli::CleanupArgs;
use crate::env::Env;
use crate::mailbox::{Mail, Open};
use crate::output::{Failure, print, print_json};
use crate::place;
use crate::reaping::{Reaping, reap};

/// What went, as it is printed.
#[derive(Serialize, Debug)]
struct Told {
    trays: u64,
    messages: u64,
    sessions: u64,
    indexes: u64,
    dry_run: bool,
    waiting: Vec<Waiting>,
}

/// A project that is gone, and not for long enough.
#[derive(Serialize, Debug)]
struct Waiting {
    persona: String,
    path: String,
    /// Seconds since it was first seen gone; none where that is not noted.
    gone: Option<u64>,
    /// Seconds until its mail may go; none where nothing is noted.
    left: Option<u64>,
}

/// Looks which projects are gone, and removes what they had until nothing is left of it.
pub(crate) fn cleanup(args: &CleanupArgs, env: &Env) -> Result<(), Failure> {
    // Only the user's own file may say it: which project's is beside it makes no difference.
    let apart = place::own(env).cleanup.interval;
    let mail = Mail::of(env)?;
    let mut told = Told {
        trays: 0,
        messages: 0,
        sessions: 0,
        indexes: 0,
        dry_run: args.dry_run,
        waiting: Vec::new(),
    };
    if let Some(mailbox) = mail.existing()? {
        let seen = sightings(&block_on(mailbox.projects())?.all);
        let sweep = Sweep::new(seen.clone(), apart)
            .all(args.all)
            .dry(args.dry_run);
        let swept = sweep_all(&mailbox, &sweep)?;
        (told.trays, told.messages) = (swept.trays, swept.messages);
        told.waiting = waiting(&block_on(mailbox.projects())?.all, &seen, apart);
    }
    reap_all(apart, &mut told, env);
    let printed = if args.json {
        print_json(&told)
    } else {
        print(&words(&told))
    };
    // What is removed is removed.
    printed.map_err(|failure| failure.after(&went(&told)))
}

/// Removes what is remembered of the ways of sessions that are gone, until nothing is left of it.
fn reap_all(apart: Duration, told: &mut Told, env: &Env) {
    let dry = told.dry_run;
    loop {
        let reaped = reap(Reaping { apart, dry }, env);
        told.sessions += reaped.sessions;
        told.indexes += reaped.indexes;
        if !reaped.is_more {
            return;
        }
    }
}

/// Sweeps until nothing is left; each time the store is free for others in between.
fn sweep_all(mailbox: &Open, sweep: &Sweep) -> Result<Swept, Failure> {
    let mut all = Swept::default();
    loop {
        let swept = block_on(mailbox.sweep(sweep.clone())).map_err(|error| {
            let failure = Failure::from(error);
            if all == Swept::default() {
                return failure;
            }
            let (trays, messages) = (all.trays, all.messages);
            failure.after(&format!("{} went", count(trays, messages)))
        })?;
        all = Swept::new(all.messages + swept.messages, all.trays + swept.trays);
        if !swept.is_more {
            return Ok(all);
        }
    }
}

fn waiting(projects: &[ProjectInfo], seen: &Sightings, apart: Duration) -> Vec<Waiting> {
    let gone = projects.iter().filter(|project| {
        seen.gone.contains(&project.id) && project.gone.is_none_or(|gone| gone < apart)
    });
    let waiting = gone.map(|project| Waiting {
        persona: project.persona.clone(),
        path: project.path.display().to_string(),
        gone: project.gone.map(|gone| gone.as_secs()),
        left: project
            .gone
            .map(|gone| apart.saturating_sub(gone).as_secs()),
    });
    waiting.collect()
}

fn words(told: &Told) -> String {
    let mut text = went(told);
    text.push('\n');
    for project in &told.waiting {
        let of = format!("{} ({})", project.persona, sanitise(&project.path));
        let _ = match (project.gone, project.left) {
            (Some(gone), Some(left)) => {
                let since = match gone {
                    0 => "was seen gone for the first time".to_owned(),
                    gone => format!("was first seen gone {} ago", span(gone)),
                };
                // Whoever comes back then is not told to wait once more.
                let left = if left < 60 {
                    left
                } else {
                    left.div_ceil(60) * 60
                };
                writeln!(text, "{of} {since}; what it had may go in {}", span(left))
            }
            _ => writeln!(text, "{of} is gone, which nobody has noted yet"),
        };
    }
    text
}

fn went(told: &Told) -> String {
    let count = count(told.trays, told.messages);
    let verb = if told.dry_run { "would go: " } else { "" };
    let mut text = format!("{verb}{count} of projects that are gone");
    let s = |n: u64| if n == 1 { "" } else { "s" };
    if told.sessions > 0 {
        let n = told.sessions;
        let _ = write!(
            text,
            "; what was shown of ways in {n} session{} that the host forgot",
            s(n)
        );
    }
    if told.indexes > 0 {
        let (n, es) = (told.indexes, if told.indexes == 1 { "" } else { "es" });
        let _ = write!(text, "; {n} index{es} of ways that are gone");
    }
    text
}

fn count(trays: u64, messages: u64) -> String {
    let s = |n: u64| if n == 1 { "" } else { "s" };
    format!(
        "{trays} tray{}, {messages} message{}",
        s(trays),
        s(messages)
    )
}

fn span(seconds: u64) -> String {
    age(Duration::from_secs(seconds))
}
