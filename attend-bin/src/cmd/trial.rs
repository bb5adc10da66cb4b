//! `attend sensors try`: one look that touches nothing, and what would become of it.

use std::fmt::Write as _;

use attend_core::attention::{Reason, sanitise};
use attend_core::runtime::config::Problem;
use attend_core::runtime::{Trial, Tried};
use attend_core::sensor::{Identity, SensorName};
use serde::Serialize;

use crate::cli::OfProject;
use crate::env::{self, Env};
use crate::output::{Failure, print, print_json};
use crate::{compose, place, session};

/// What a look found, as it is printed.
#[derive(Serialize, Debug)]
struct Found<'a> {
    sensor: &'a str,
    error: Option<String>,
    warnings: Vec<String>,
    /// What it told beside.
    details: Vec<String>,
    events: Vec<Event>,
    /// The lines that would be written.
    lines: &'a [String],
    /// How many messages it would send.
    messages: usize,
}

#[derive(Serialize, Debug)]
struct Event {
    text: String,
    magnitude: f64,
    key: Option<String>,
    signal: Option<String>,
    standing: bool,
    /// What would hold it; null where it would be shown.
    held: Option<String>,
}

/// Lets the sensor called `name` look once.
pub(crate) fn trial(name: &str, of: &OfProject, env: &Env) -> Result<(), Failure> {
    let host = session::host(None, env);
    let info = session::look(&host)?;
    let beside = matches!(info.identity, Identity::Known { .. });
    let root = match (&of.project, beside) {
        (None, true) => place::of_session(&info)?,
        (project, _) => place::project(project.as_deref())?,
    };
    let known = SensorName::new(name).map_err(|error| Failure::refused(error.to_string()))?;
    let driver = compose::driver(&root, None, beside.then_some((host, &info)), None, env);
    let scratch = env::scratch().ok();
    let tried = driver.try_sensor(&known, scratch.clone());
    if let Some(scratch) = scratch {
        // Whatever stays behind is nothing that anybody needs.
        let _ = std::fs::remove_dir_all(scratch);
    }
    let tried = tried.map_err(|error| Failure::of(&error))?;
    let Some(tried) = tried else {
        return Err(none_such(name, &root, env));
    };
    let found = Found::of(name, &tried);
    if of.json {
        print_json(&found)?;
    } else {
        print(&found.to_text())?;
    }
    match found.error {
        None => Ok(()),
        Some(error) => Err(Failure::refused(format!("{name} learned nothing: {error}"))),
    }
}

/// There is no sensor called `name` that could look.
fn none_such(name: &str, root: &std::path::Path, env: &Env) -> Failure {
    let config = place::config(root, env).read();
    let configured = config
        .sensors
        .iter()
        .find(|sensor| sensor.name.as_str() == name);
    let key = format!("sensors.{name}");
    let untrusted = config
        .findings
        .iter()
        .find(|finding| finding.problem == Problem::NotTrusted && finding.key == key);
    let untrusted = untrusted.map(|finding| finding.text.clone());
    Failure::refused(match configured {
        Some(sensor) if !sensor.enabled => {
            format!("{name} is switched off; see: attend config show")
        }
        Some(sensor) if sensor.idle.is_some() => {
            let idle = sensor.idle.unwrap_or_default();
            format!("{name} has nothing to look at: {idle}; see: attend config show")
        }
        Some(_) => format!("{name} needs a host, and this is no session of one"),
        None if untrusted.is_some() => format!("{name}: {}", untrusted.unwrap_or_default()),
        None => {
            let names = config.sensors.iter().filter(|sensor| sensor.enabled);
            let names: Vec<&str> = names.map(|sensor| sensor.name.as_str()).collect();
            format!(
                "there is no sensor `{name}`; there are: {}",
                names.join(", ")
            )
        }
    })
}

impl<'a> Found<'a> {
    fn of(name: &'a str, trial: &'a Trial) -> Self {
        Self {
            sensor: name,
            error: trial.error.as_deref().map(sanitise),
            warnings: trial.warnings.iter().map(|text| sanitise(text)).collect(),
            details: trial.details.iter().map(|text| sanitise(text)).collect(),
            events: trial.events.iter().map(Event::of).collect(),
            lines: &trial.lines,
            messages: trial.drafts,
        }
    }

    fn to_text(&self) -> String {
        let mut text = String::new();
        for warning in &self.warnings {
            let _ = writeln!(text, "warning: {warning}");
        }
        for detail in &self.details {
            let _ = writeln!(text, "{detail}");
        }
        for event in &self.events {
            let fate = event
                .held
                .as_ref()
                .map_or("shown".to_owned(), |why| format!("held: {why}"));
            let _ = writeln!(
                text,
                "{:4.1}  {}\n      {fate}",
                event.magnitude, event.text
            );
        }
        match self.messages {
            0 => {}
            1 => text.push_str("one message would be sent\n"),
            count => _ = writeln!(text, "{count} messages would be sent"),
        }
        if !self.lines.is_empty() {
            text.push_str("\nIt would print:\n\n");
        }
        for line in self.lines {
            let _ = writeln!(text, "{line}");
        }
        if self.error.is_none() && self.events.is_empty() && self.messages == 0 {
            text.push_str("It looked, and has nothing to tell: a first look tells no changes.\n");
        }
        text
    }
}

impl Event {
    fn of(tried: &Tried) -> Self {
        let event = &tried.event;
        Self {
            text: sanitise(event.text()),
            magnitude: event.magnitude().get(),
            key: event.key().map(|key| sanitise(key.as_str())),
            signal: event.signal().map(|signal| sanitise(signal.as_str())),
            standing: event.is_standing(),
            held: tried.held.as_ref().map(Reason::to_string),
        }
    }
}
