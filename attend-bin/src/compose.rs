//! Composition: the whole wiring of a loop, on one screen.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use attend_core::mail::ProjectInfo;
use attend_core::runtime::{Driver, DriverBuilder, Plan, SensorSetup, StatePlace};
use attend_core::sensor::{Project, SensorName, SensorSpec, SessionInfo};
use attend_sensors::git::GitConfig;
use attend_sensors::host::claude_code::{ClaudeCode, sightings};

use crate::delivery::Delivered;
use crate::env::Env;
use crate::following::Following;
use crate::guidance::Guidance;
use crate::output::complain;
use crate::place::{self, ADVICE};
use crate::reaping::{Reaping, reap};
use crate::session;
use crate::trust;

/// A loop over the project at `root`, which keeps its state in `state`: beside a session of the
/// host, or as an observer.
pub(crate) fn driver(
    root: &Path,
    state: Option<StatePlace>,
    beside: Option<(ClaudeCode, &SessionInfo)>,
    mail: Option<Delivered>,
    env: &Env,
) -> DriverBuilder {
    let mut reader = place::config(root, env);
    if beside.is_none() {
        reader = reader.without_host();
    }
    let config = reader.read();
    let sensors = reader.setups(&config);
    let project = Project::at(root);
    let guidance = Guidance::quietly(root, env);
    // What a look would find out is said at once: nobody may read the notice that tells it.
    let lacks = |sensor: &&SensorSetup| {
        sensor.kind() == GitConfig::KIND && place::repository(root).is_none()
    };
    let (blind, used): (Vec<_>, Vec<_>) = sensors.iter().partition(lacks);
    let banner = Banner {
        project: &project,
        used: used.into_iter().map(SensorSetup::name).collect(),
        blind: blind.into_iter().map(SensorSetup::name).collect(),
        left_out: reader.left_out(&config),
        has_host: beside.is_some(),
        seat: mail.as_ref().map(|mail| mail.seated.name.as_str()),
    }
    .to_string();
    let unread = mail.as_ref().map_or(0, |mail| mail.unread);
    let unread = (unread > 0).then(|| format!("; {unread} unread"));
    let files: Vec<_> = reader
        .places()
        .paths()
        .map(|(_, path)| path.to_owned())
        .chain(trust::file(env))
        .collect();
    let mut driver = Driver::builder(session::roots(root, env), project)
        .banner(banner)
        .banner_end(unread.unwrap_or_default())
        .settings(config.settings.clone())
        .handled(guidance.handled())
        .sensors(sensors.clone())
        .on_notice(complain)
        .end_on_signals();
    let plan = Plan::new(config.settings.clone(), sensors).cleanup(config.cleanup);
    let mut following = Following::new(root, env, reader, &guidance, plan);
    let below = following.below();
    driver = driver
        .reread(files, move || following.plan())
        .reread_below(below);
    if let Some(notice) = config.notice() {
        driver = driver.notice(notice);
    }
    for warning in guidance.corpus.warnings() {
        driver = driver.notice(warning.clone());
    }
    if let Some(mail) = mail {
        let reaped = env.clone();
        let look = move |projects: &[ProjectInfo]| {
            let apart = place::own(&reaped).cleanup.interval;
            reap(Reaping { apart, dry: false }, &reaped);
            sightings(projects)
        };
        driver = driver
            .mail(mail.mailbox, mail.reader)
            .cleanup(config.cleanup, look);
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

/// What is said first, once: in one line, what is watched, and what is not, and why.
struct Banner<'a> {
    project: &'a Project,
    /// The sensors that look.
    used: Vec<&'a SensorName>,
    /// Those that find no repository to look at.
    blind: Vec<&'a SensorName>,
    /// Those that do not run, for want of a host.
    left_out: Vec<&'a SensorName>,
    has_host: bool,
    /// The name of the seat whose mail is shown.
    seat: Option<&'a str>,
}

impl fmt::Display for Banner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |sensors: &[&SensorName]| {
            let names: Vec<&str> = sensors.iter().map(|name| name.as_str()).collect();
            names.join(", ")
        };
        let (version, project) = (env!("CARGO_PKG_VERSION"), self.project.name());
        write!(f, "attend {version} ")?;
        if let Some(seat) = self.seat {
            write!(f, "as {seat} ")?;
        }
        f.write_str("watches ")?;
        match (self.used.as_slice(), self.blind.as_slice()) {
            ([], []) => write!(f, "nothing in {project}: no sensor is switched on")?,
            ([], blind) => {
                write!(
                    f,
                    "nothing in {project}: no repository there for {}",
                    names(blind)
                )?;
            }
            (used, []) => write!(f, "{project} with {}", names(used))?,
            (used, blind) => {
                let (used, blind) = (names(used), names(blind));
                write!(f, "{project} with {used}; no repository there for {blind}")?;
            }
        }
        match self.left_out.as_slice() {
            _ if self.has_host => Ok(()),
            [] => f.write_str(" (an observer: no host found, so no seat and no mail)"),
            left_out => write!(
                f,
                " (an observer: no host found, so no seat, no mail, and not {})",
                names(left_out)
            ),
        }
    }
}
