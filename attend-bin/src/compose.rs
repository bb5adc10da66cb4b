//! Composition: the whole wiring of a loop, on one screen.

use std::path::Path;

use attend_core::runtime::{Driver, DriverBuilder, SensorSetup, StatePlace};
use attend_core::sensor::{Project, Root, Roots, SensorName, Value};
use attend_sensors::built_in;

use crate::output::{Failure, complain};
use crate::place::ADVICE;

/// A loop over the project at `root`, which keeps its state in `state`.
pub(crate) fn observer(root: &Path, state: Option<StatePlace>) -> Result<DriverBuilder, Failure> {
    let mut roots = Roots::new(root).with(Root::Proc, "/proc");
    if let Some(state) = &state {
        roots = roots.with(Root::State, state.path());
    }
    let project = Project::at(root);
    let mut sensors = Vec::new();
    for kind in built_in().kinds() {
        let name =
            SensorName::new(kind.kind()).map_err(|error| Failure::refused(error.to_string()))?;
        sensors.push(SensorSetup::registered(name, kind, Value::none()));
    }
    let names: Vec<&str> = sensors
        .iter()
        .map(|sensor| sensor.name().as_str())
        .collect();
    let banner = format!(
        "attend {} watches {} with {} (an observer: no host found, so no seat and no mail)",
        env!("CARGO_PKG_VERSION"),
        project.name(),
        names.join(", "),
    );
    let driver = Driver::builder(roots, project)
        .banner(banner)
        .sensors(sensors);
    let driver = driver.on_notice(complain).end_on_signals();
    Ok(match state {
        Some(state) => driver.state(state).state_advice(ADVICE),
        None => {
            driver.notice("nothing is remembered: neither ATTEND_HOME nor HOME names a directory")
        }
    })
}
