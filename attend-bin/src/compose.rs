//! Composition: the whole wiring of a loop, on one screen.

use std::path::Path;
use std::sync::Arc;

use attend_core::runtime::{Driver, DriverBuilder, SensorSetup, StatePlace};
use attend_core::sensor::{Project, Registration, SensorName, SessionInfo, Value};
use attend_sensors::built_in;
use attend_sensors::host::claude_code::ClaudeCode;

use crate::env::Env;
use crate::output::{Failure, complain};
use crate::place::ADVICE;
use crate::session;

/// A loop over the project at `root`, which keeps its state in `state`: beside a session of the
/// host, or as an observer.
pub(crate) fn driver(
    root: &Path,
    state: Option<StatePlace>,
    beside: Option<(ClaudeCode, &SessionInfo)>,
    env: &Env,
) -> Result<DriverBuilder, Failure> {
    let kinds = built_in();
    let has_host = beside.is_some();
    let (used, left_out): (Vec<_>, Vec<_>) = kinds
        .kinds()
        .partition(|kind| has_host || !kind.declares().needs_host);
    let project = Project::at(root);
    let banner = banner(
        &project,
        &used,
        &left_out,
        beside.as_ref().map(|(_, info)| *info),
    );
    let mut driver = Driver::builder(session::roots(root, env), project)
        .banner(banner)
        .on_notice(complain)
        .end_on_signals();
    for kind in used {
        let name =
            SensorName::new(kind.kind()).map_err(|error| Failure::refused(error.to_string()))?;
        driver = driver.sensor(SensorSetup::registered(name, kind, Value::none()));
    }
    if let Some((host, info)) = beside {
        driver = driver.host(Arc::new(host));
        if let Some(process) = info
            .process
            .as_ref()
            .filter(|process| process.alive == Some(true))
        {
            driver = driver.beside(process.pid);
        }
    }
    Ok(match state {
        Some(state) => driver.state(state).state_advice(ADVICE),
        None => driver.notice(format!(
            "nothing is remembered over a restart: neither ATTEND_HOME nor HOME names a directory; {ADVICE}"
        )),
    })
}

/// What is said first, once.
fn banner(
    project: &Project,
    used: &[&Registration],
    left_out: &[&Registration],
    beside: Option<&SessionInfo>,
) -> String {
    let names = |kinds: &[&Registration]| {
        kinds
            .iter()
            .map(|kind| kind.kind())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let version = env!("CARGO_PKG_VERSION");
    let watches = format!(
        "attend {version} watches {} with {}",
        project.name(),
        names(used)
    );
    match (beside, left_out) {
        (Some(_), _) => watches,
        (None, []) => format!("{watches} (an observer: no host found, so no seat and no mail)"),
        (None, left_out) => format!(
            "{watches} (an observer: no host found, so no seat, no mail, and not {})",
            names(left_out)
        ),
    }
}
