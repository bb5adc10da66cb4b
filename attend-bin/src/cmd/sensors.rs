//! `attend sensors`: what is compiled in, what is configured, and how each sensor fares.

use std::fmt::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

use attend_core::attention::sanitise;
use attend_core::runtime::config::{Config, ConfiguredSensor, Origin, Reader, Span};
use attend_core::runtime::system::SystemClock;
use attend_core::runtime::{Condition, Saved, SensorHealth};
use attend_core::sensor::Clock;
use serde::Serialize;

use crate::cli::{OfLoop, SensorsArgs, SensorsCommand};
use crate::cmd::status::condition_name;
use crate::cmd::trial;
use crate::env::Env;
use crate::output::{Failure, print, print_json};
use crate::{place, span};

/// The sensors, as they are printed.
#[derive(Serialize, Debug)]
struct Listing {
    project: String,
    /// The process of the loop, where one runs.
    pid: Option<u32>,
    /// Seconds since the loop wrote its state down.
    age: Option<u64>,
    sensors: Vec<Sensor>,
}

#[derive(Serialize, Debug)]
struct Sensor {
    name: String,
    kind: String,
    /// What it looks at.
    about: String,
    enabled: bool,
    /// Where it was last mentioned.
    configured: Origin,
    /// Seconds.
    interval: u64,
    min_interval: u64,
    threshold: f64,
    decay_threshold: u32,
    needs_host: bool,
    /// Why it has nothing to look at; null where it has something.
    idle: Option<&'static str>,
    /// None, where no loop looked at it.
    condition: Option<Condition>,
    looks: Option<u64>,
    /// Seconds since the last look.
    last_look: Option<u64>,
    /// Seconds until the next one, where a loop runs.
    next_look: Option<u64>,
    error: Option<String>,
    warnings: Vec<String>,
    /// What the last look told beside, such as the errors of a script.
    details: Vec<String>,
    /// Whether the last look is at most that long ago.
    #[serde(skip)]
    is_estimate: bool,
}

/// Prints the sensors of the project, or tries one.
pub(crate) fn sensors(args: &SensorsArgs, env: &Env) -> Result<(), Failure> {
    if let Some(SensorsCommand::Try { name, of }) = &args.command {
        return trial::trial(name, of, env);
    }
    let of = OfLoop {
        project: args.of.project.clone(),
        session: None,
    };
    let looped = place::of_loop(&of, env)?;
    let saved = match &looped.dir {
        Some(dir) => Saved::peek(dir).map_err(|error| Failure::refused(error.to_string()))?,
        None => None,
    };
    let mut reader = place::config(&looped.project, env);
    let config = reader.read();
    let wall = seconds(SystemClock.wall());
    let pid = looped
        .dir
        .as_ref()
        .and_then(attend_core::runtime::StateDir::holder);
    let health = saved.as_ref().map_or(&[][..], |saved| &saved.health);
    let listing = Listing {
        project: sanitise(&looped.project.display().to_string()),
        pid,
        age: saved
            .as_ref()
            .map(|saved| wall.saturating_sub(saved.written_at)),
        sensors: list(&config, &reader, health, wall, pid.is_some()),
    };
    if args.of.json {
        return print_json(&listing);
    }
    print(&listing.to_text(args.verbose))
}

fn list(
    config: &Config,
    reader: &Reader,
    health: &[SensorHealth],
    wall: u64,
    runs: bool,
) -> Vec<Sensor> {
    let sensors = config.sensors.iter();
    sensors
        .map(|sensor| {
            let health = health.iter().find(|health| health.name == sensor.name);
            let health = health.filter(|_| sensor.enabled && sensor.idle.is_none());
            let mut listed = Sensor::of(sensor, reader);
            if let Some(health) = health {
                listed.fares(health, wall, runs);
            }
            listed
        })
        .collect()
}

impl Sensor {
    fn of(sensor: &ConfiguredSensor, reader: &Reader) -> Self {
        let kind = reader.registry().get(&sensor.kind);
        Self {
            name: sensor.name.to_string(),
            kind: sensor.kind.clone(),
            about: kind.map(|kind| kind.about().to_owned()).unwrap_or_default(),
            enabled: sensor.enabled,
            configured: sensor.origin.clone(),
            interval: sensor.profile.interval.as_secs(),
            min_interval: sensor.profile.min_interval.as_secs(),
            threshold: sensor.profile.threshold.get(),
            decay_threshold: sensor.profile.decay_threshold,
            needs_host: kind.is_some_and(|kind| kind.declares().needs_host),
            idle: sensor.idle,
            condition: None,
            looks: None,
            last_look: None,
            next_look: None,
            error: None,
            warnings: Vec::new(),
            details: Vec::new(),
            is_estimate: false,
        }
    }

    fn fares(&mut self, health: &SensorHealth, wall: u64, runs: bool) {
        self.condition = Some(health.condition);
        self.looks = Some(health.looks);
        self.last_look = health.last_look.map(|at| wall.saturating_sub(at));
        let next = health.next_look.filter(|_| runs);
        self.next_look = next.map(|at| at.saturating_sub(wall));
        // A look that finds nothing new is not written down: one was taken since.
        if next.is_some_and(|at| at < wall) {
            let healthy = health.condition == Condition::Healthy;
            let at_most = self.last_look.map(|ago| ago.min(self.interval));
            self.last_look = at_most.filter(|_| healthy);
            self.next_look = None;
            self.is_estimate = true;
        }
        self.error = health.error.as_deref().map(sanitise);
        self.details = health.details.iter().map(|text| sanitise(text)).collect();
        self.warnings = health.warnings.iter().map(|text| sanitise(text)).collect();
    }

    fn write(&self, text: &mut String, width: usize, verbose: bool) {
        let mut facts = vec![self.state()];
        facts.extend(self.last_look.map(|ago| {
            let ago = span(ago);
            if self.is_estimate {
                format!("looked within the last {ago}")
            } else {
                format!("looked {ago} ago")
            }
        }));
        facts.extend(self.next_look.map(|wait| match wait {
            0 => "looks again now".to_owned(),
            wait => format!("looks again in {}", span(wait)),
        }));
        let kind = if self.kind == self.name {
            String::new()
        } else {
            format!("a {} sensor, ", self.kind)
        };
        let _ = writeln!(text, "{:width$}  {kind}{}", self.name, facts.join(", "));
        if let Some(error) = &self.error {
            let _ = writeln!(text, "{:width$}  error: {error}", "");
        }
        if !verbose {
            return;
        }
        for warning in &self.warnings {
            let _ = writeln!(text, "{:width$}  warning: {warning}", "");
        }
        for detail in &self.details {
            let _ = writeln!(text, "{:width$}  {detail}", "");
        }
        let _ = writeln!(text, "{:width$}  looks at: {}", "", self.about);
        let _ = writeln!(
            text,
            "{:width$}  looks every {} to {}, less often after {} quiet looks; silent below {:.1}",
            "",
            Span::of_seconds(self.min_interval),
            Span::of_seconds(self.interval),
            self.decay_threshold,
            self.threshold
        );
        if let Some(place) = told(&self.configured) {
            let _ = writeln!(text, "{:width$}  configured by {place}", "");
        }
    }

    fn state(&self) -> String {
        if !self.enabled {
            let by = told(&self.configured).map(|place| format!(" by {place}"));
            return format!("switched off{}", by.unwrap_or_default());
        }
        if let Some(idle) = self.idle {
            return format!("nothing to look at: {idle}");
        }
        match self.condition {
            Some(condition) => condition_name(condition).to_owned(),
            None if self.needs_host => "no loop looks at it; it needs a host".to_owned(),
            None => "no loop looks at it".to_owned(),
        }
    }
}

impl Listing {
    fn to_text(&self, verbose: bool) -> String {
        let mut text = match (self.pid, self.age) {
            (Some(pid), Some(age)) => {
                format!(
                    "attend runs as process {pid} for {}, unchanged for {}\n",
                    self.project,
                    span(age)
                )
            }
            (Some(pid), None) => format!("attend runs as process {pid} for {}\n", self.project),
            (None, Some(age)) => {
                format!(
                    "attend does not run for {}; it did {} ago\n",
                    self.project,
                    span(age)
                )
            }
            (None, None) => format!("attend never ran for {}\n", self.project),
        };
        text.push('\n');
        let width = self
            .sensors
            .iter()
            .map(|sensor| sensor.name.len())
            .max()
            .unwrap_or(0);
        for sensor in &self.sensors {
            sensor.write(&mut text, width, verbose);
        }
        text
    }
}

fn told(origin: &Origin) -> Option<String> {
    match origin {
        Origin::User { file, line } | Origin::Project { file, line } => {
            Some(sanitise(&format!("{}:{line}", file.display())))
        }
        _ => None,
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs()
}
