//! Composition: the whole wiring of a loop, on one screen.

use std::path::Path;
use std::sync::Arc;

use attend_core::runtime::{Driver, DriverBuilder, SensorSetup, StatePlace};
use attend_core::sensor::{Project, SensorName, SessionInfo};
use attend_sensors::host::claude_code::ClaudeCode;

use crate::env::Env;
use crate::output::complain;
use crate::place::{self, ADVICE};
use crate::session;

/// A loop over the project at `root`, which keeps its state in `state`: beside a session of the
/// host, or as an observer.
pub(crate) fn driver(
    root: &Path,
    state: Option<StatePlace>,
    beside: Option<(ClaudeCode, &SessionInfo)>,
    env: &Env,
) -> DriverBuilder {
    let mut reader = place::config(root, env);
    if beside.is_none() {
        reader = reader.without_host();
    }
    let config = reader.read();
    let sensors = reader.setups(&config);
    let project = Project::at(root);
    let used: Vec<_> = sensors.iter().map(SensorSetup::name).collect();
    let left_out = reader.left_out(&config);
    let banner = banner(&project, &used, &left_out, beside.is_some());
    let files: Vec<_> = reader
        .places()
        .paths()
        .map(|(_, path)| path.to_owned())
        .collect();
    let mut driver = Driver::builder(session::roots(root, env), project)
        .banner(banner)
        .settings(config.settings.clone())
        .sensors(sensors)
        .reread(files, move || reader.plan())
        .on_notice(complain)
        .end_on_signals();
    if let Some(notice) = config.notice() {
        driver = driver.notice(notice);
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
    match state {
        Some(state) => driver.state(state).state_advice(ADVICE),
        None => driver.notice(format!(
            "nothing is remembered over a restart: neither ATTEND_HOME nor HOME names a directory; {ADVICE}"
        )),
    }
}

/// What is said first, once.
fn banner(
    project: &Project,
    used: &[&SensorName],
    left_out: &[&SensorName],
    has_host: bool,
) -> String {
    let names = |sensors: &[&SensorName]| {
        let names: Vec<&str> = sensors.iter().map(|name| name.as_str()).collect();
        names.join(", ")
    };
    let version = env!("CARGO_PKG_VERSION");
    let with = match used {
        [] => "with no sensor".to_owned(),
        used => format!("with {}", names(used)),
    };
    let watches = format!("attend {version} watches {} {with}", project.name());
    match left_out {
        _ if has_host => watches,
        [] => format!("{watches} (an observer: no host found, so no seat and no mail)"),
        left_out => format!(
            "{watches} (an observer: no host found, so no seat, no mail, and not {})",
            names(left_out)
        ),
    }
}
