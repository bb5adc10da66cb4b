//! The project: its configuration, what it would have run, its ways, and how its sensors fare.

use std::path::Path;

use attend_core::runtime::config::Problem;
use attend_core::runtime::{Condition, Saved, StateDir};
use attend_core::ways::lint;
use attend_sensors::built_in;

use super::check::Report;
use super::host::Here;
use crate::cmd::status::condition_name;
use crate::env::Env;
use crate::guidance::roots;
use crate::place::{self, ADVICE};
use crate::session;

/// Says what is found of the project at `root`.
pub(super) fn tell(report: &mut Report, root: &Path, here: &Here, env: &Env) {
    let mut reader = place::config(root, env);
    let mut config = reader.read();
    let found = config.examine(&built_in(), &session::roots(root, env));
    config.findings.extend(found);
    ways(report, root, env, &config.ways);
    let (scripts, mistakes): (Vec<_>, Vec<_>) = config
        .findings
        .iter()
        .partition(|finding| finding.problem == Problem::NotTrusted);
    match mistakes.as_slice() {
        [] => report.fine("config", "no mistakes in the files"),
        [first, ..] => report.found(
            "config",
            format!("{}; the first: {first}", count(mistakes.len(), "mistake")),
            "attend config check tells each with its line",
        ),
    }
    match scripts.as_slice() {
        [] => report.fine("scripts", "nothing waits to be allowed"),
        [first, ..] => report.found(
            "scripts",
            format!(
                "{} of this project not allowed, or changed since; the first: {}",
                count(scripts.len(), "script"),
                first.key
            ),
            "read it, and allow it at a terminal: attend config trust",
        ),
    }
    sensors(report, root, here, env);
}

fn ways(
    report: &mut Report,
    root: &Path,
    env: &Env,
    settings: &attend_core::runtime::config::WaysSettings,
) {
    let (mut files, mut mistakes) = (0, Vec::new());
    for root in roots(root, settings, env) {
        if root.path.is_dir() {
            let (looked, found) = lint(&root.path);
            files += looked;
            mistakes.extend(found);
        }
    }
    match mistakes.as_slice() {
        [] if files == 0 => report.fine("ways", "none of yours or of the project to look at"),
        [] => report.fine(
            "ways",
            format!("{}, nothing wrong in them", count(files, "file")),
        ),
        [first, ..] => report.found(
            "ways",
            format!("{}; the first: {first}", count(mistakes.len(), "mistake")),
            "ways lint tells each with what to write instead",
        ),
    }
}

/// How the sensors fare in the loop of this session, or in the observer of the project.
fn sensors(report: &mut Report, root: &Path, here: &Here, env: &Env) {
    let own = here.session().and_then(|id| place::session_state(id, env));
    let Some(state) = own.or_else(|| place::state(root, env)) else {
        return;
    };
    let saved = match StateDir::existing(state) {
        Ok(None) => return,
        Ok(Some(dir)) => Saved::peek(&dir),
        Err(error) => return report.told("sensors", &format!("{error}; {ADVICE}"), ADVICE),
    };
    let saved = match saved {
        Ok(Some(saved)) => saved,
        Ok(None) => return,
        Err(error) => {
            let remedy = "start the loop: it sets it aside and begins afresh";
            return report.found("sensors", error.to_string(), remedy);
        }
    };
    let is_ill = |condition| {
        let ill = [
            Condition::Failing,
            Condition::Unavailable,
            Condition::Resting,
        ];
        ill.contains(&condition)
    };
    let ill = saved
        .health
        .iter()
        .filter(|health| is_ill(health.condition));
    let ill: Vec<String> = ill
        .map(|health| {
            let why = health.error.as_deref();
            let why = why.map(|why| format!(": {why}")).unwrap_or_default();
            format!(
                "{} is {}{why}",
                health.name,
                condition_name(health.condition)
            )
        })
        .collect();
    if ill.is_empty() {
        report.fine(
            "sensors",
            format!(
                "{} looked last, none fails",
                count(saved.health.len(), "sensor")
            ),
        );
    } else {
        report.found(
            "sensors",
            ill.join(", "),
            "attend sensors --verbose tells more",
        );
    }
}

fn count(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}
