//! From the text of the files to what holds: a pure function.

use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::disclosure::{self, Disclosure};
use super::finding::{Finding, Layer, Problem};
use super::flow::flow;
use super::keys::{AgingKeys, CleanupKeys, Engagement, Governor, Messages, Ways};
use super::order;
use super::reading::{Origin, Reading, Said, Source};
use super::section::{Holds, Refused, Section, WaysSettings};
use super::sensors::{self, ConfiguredSensor};
use super::trust::Trust;
use crate::attention::Settings;
use crate::runtime::{Cleanup, SensorSetup};
use crate::sensor::{Inspection, Registry, Value, inspect};
use crate::yaml::{self, Document};

/// The keys at the top of a file.
pub(super) const TOP: [&str; 8] = [
    Governor::NAME,
    Messages::NAME,
    Engagement::NAME,
    AgingKeys::NAME,
    CleanupKeys::NAME,
    Ways::NAME,
    Disclosure::NAME,
    "sensors",
];

/// One file of configuration, read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Whose it is.
    pub layer: Layer,
    /// Where it lies: for findings.
    pub path: PathBuf,
    /// What stands in it.
    pub bytes: Vec<u8>,
}

/// What holds: the files over each other, over the defaults.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Config {
    /// For the engine.
    pub settings: Settings,
    /// For mail of projects that are gone.
    pub cleanup: Cleanup,
    /// For whoever loads ways.
    pub ways: WaysSettings,
    /// The sensors, those that are switched off included: the kinds by their own names first.
    pub sensors: Vec<ConfiguredSensor>,
    /// What is wrong in the files, in their order.
    pub findings: Vec<Finding>,
    /// Every key with the value that holds and where that comes from.
    pub values: Vec<Setting>,
}

/// A key, the value that holds, and where that comes from.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Setting {
    /// The keys on the way to it, with dots between.
    pub key: String,
    /// The value, as it may stand in a file.
    pub value: Value,
    /// Where it comes from.
    pub origin: Origin,
}

/// A file that could be read as YAML.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Parsed {
    layer: Layer,
    path: PathBuf,
    document: Document,
}

impl Parsed {
    /// # Errors
    ///
    /// The file is no mapping in YAML.
    pub(super) fn of(file: &File) -> Result<Self, Box<Finding>> {
        let text = std::str::from_utf8(&file.bytes).map_err(|error| {
            let good = file.bytes.get(..error.valid_up_to()).unwrap_or_default();
            let line = good.split(|byte| *byte == b'\n').count();
            let mut finding = Finding::new(&file.path, None, Problem::Syntax, "this is not UTF-8");
            finding.line = Some(line);
            Box::new(finding)
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Ok(Self {
            layer: file.layer,
            path: file.path.clone(),
            document: yaml::parse(text)
                .map_err(|fault| Box::new(Finding::of(&file.path, fault)))?,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn source(&self) -> Source<'_> {
        Source {
            layer: self.layer,
            file: &self.path,
            fields: &self.document.fields,
        }
    }
}

/// What `files`, the later over the earlier, say to a program that knows the kinds in
/// `registry`.
///
/// Nothing is refused as a whole: a mistake costs the sensor or the key at the top in which it
/// stands, which then is as if that file had not said it, and becomes a [`Finding`].
///
/// ```
/// use attend_core::runtime::config::{File, Layer, resolve};
/// use attend_core::sensor::Registry;
///
/// let file = File {
///     layer: Layer::User,
///     path: "config.yaml".into(),
///     bytes: b"governor:\n  cooldown: 30s\n  cooldwon: 1m\n".to_vec(),
/// };
/// let config = resolve(&[file], &Registry::new());
/// assert_eq!(config.settings.governor.cooldown.get(), 30);
/// assert_eq!(
///     config.findings[0].to_string(),
///     "config.yaml:3:3: governor.cooldwon: there is no such key; it is ignored; did you mean `cooldown`?"
/// );
/// ```
pub fn resolve(files: &[File], registry: &Registry) -> Config {
    let mut findings = Vec::new();
    let mut parsed = Vec::new();
    for file in files {
        match Parsed::of(file) {
            Ok(document) => parsed.push(document),
            Err(finding) => findings.push(*finding),
        }
    }
    resolve_parsed(&parsed, findings, registry, None)
}

pub(super) fn resolve_parsed(
    parsed: &[Parsed],
    mut findings: Vec<Finding>,
    registry: &Registry,
    trust: Option<&dyn Trust>,
) -> Config {
    let sources: Vec<Source<'_>> = parsed.iter().map(Parsed::source).collect();
    findings.extend(parsed.iter().flat_map(|file| {
        let faults = file.document.faults.iter().cloned();
        faults.map(|fault| Finding::of(&file.path, fault))
    }));
    for source in &sources {
        for field in source
            .fields
            .iter()
            .filter(|field| !TOP.contains(&field.key.as_str()))
        {
            let text = "there is no such key; it is ignored";
            let finding = source.finding(field.mark, Problem::UnknownKey, text);
            let mut finding = finding.key(&field.key).nearest(&field.key, TOP);
            if registry.get(&field.key).is_some() {
                finding.nearest = Some(format!("sensors.{}", field.key));
            }
            findings.push(finding);
        }
    }
    let mut made = Made {
        holds: Holds::default(),
        values: Vec::new(),
        findings,
    };
    for section in [
        AnySection::of::<Governor>(),
        AnySection::of::<Messages>(),
        AnySection::of::<Engagement>(),
        AnySection::of::<AgingKeys>(),
        AnySection::of::<CleanupKeys>(),
        AnySection::of::<Ways>(),
        AnySection::of::<Disclosure>(),
    ] {
        made.section(&section, &sources);
    }
    let mut drafts = sensors::by_themselves(registry);
    for source in &sources {
        sensors::read(source, (registry, trust), &mut drafts, &mut made.findings);
    }
    if let Some(refire) = made.holds.refire
        && let Some(origin) = made.origin("disclosure.refire")
    {
        let teaching = drafts
            .iter_mut()
            .filter(|draft| draft.is_of(disclosure::KIND));
        teaching.for_each(|draft| draft.preset("refire", refire.into(), &origin));
    }
    let sensors = drafts.iter().flat_map(sensors::Draft::values);
    made.values.extend(sensors.map(Setting::of));
    let place = |finding: &Finding| {
        sources
            .iter()
            .position(|source| source.file == finding.file)
    };
    made.findings
        .sort_by_key(|finding| (place(finding), finding.line, finding.column));
    Config {
        settings: made.holds.engine,
        cleanup: made.holds.cleanup,
        ways: made.holds.ways,
        sensors: drafts.into_iter().map(sensors::Draft::finish).collect(),
        findings: made.findings,
        values: made.values,
    }
}

struct Made {
    holds: Holds,
    values: Vec<Setting>,
    findings: Vec<Finding>,
}

impl Made {
    /// Where the value of `key` comes from.
    fn origin(&self, key: &str) -> Option<Origin> {
        let setting = self.values.iter().find(|setting| setting.key == key);
        setting.map(|setting| setting.origin.clone())
    }

    fn section(&mut self, section: &AnySection, sources: &[Source<'_>]) {
        let mut said = Said::default();
        let mut holds = section.defaults.clone();
        for source in sources {
            if let Some((more, read)) = self.layer(section, source, &said) {
                (said, holds) = (more, read);
            }
        }
        let instead = section
            .instead
            .filter(|(key, _)| said.given.contains_key(*key));
        for key in section.keys() {
            if let Some(value) = holds.get(key)
                && instead.is_none_or(|(_, other)| key != other)
            {
                let value = value.clone();
                let origin = said.origin(key);
                let key = format!("{}.{key}", section.name);
                self.values.push(Setting::of((key, value, origin)));
            }
        }
    }

    fn layer(
        &mut self,
        section: &AnySection,
        source: &Source<'_>,
        said: &Said,
    ) -> Option<(Said, Json)> {
        let mut fields = source.fields.iter();
        let field = fields.find(|field| field.key == section.name)?;
        let wrong =
            |problem, text: &str| source.finding(field.mark, problem, text).key(section.name);
        if section.user_only && source.layer == Layer::Project {
            let text = "only the user's own file may say this; it is ignored";
            self.findings.push(wrong(Problem::NotAllowed, text));
            return None;
        }
        let Some(fields) = field.value.fields() else {
            let text = format!(
                "a mapping of keys is expected, this is {}",
                field.value.what()
            );
            self.findings.push(wrong(Problem::WrongType, &text));
            return None;
        };
        let reading = Reading {
            source,
            way: section.name,
            mark: field.mark,
            fields: fields.to_vec(),
        };
        let mut said = said.clone();
        if let Some((key, other)) = section.instead {
            if reading.has(key) && reading.has(other) {
                let text = format!("it takes the place of `{other}`: give one of them");
                self.findings
                    .push(reading.at(key, Problem::WrongValue, text));
                return None;
            }
            for (given, forgotten) in [(key, other), (other, key)] {
                if reading.has(given) {
                    said.forget(forgotten);
                }
            }
        }
        let known: Vec<&str> = section.keys().collect();
        let (said, read) = reading.over(&said, section.inspect, &known, &mut self.findings)?;
        let mut holds = self.holds.clone();
        match (section.apply)(&read, &mut holds)? {
            Ok(()) => {
                self.holds = holds;
                Some((said, read))
            }
            Err(refused) => {
                self.findings
                    .push(reading.at(refused.key, Problem::WrongValue, refused.why));
                None
            }
        }
    }
}

/// A section, whichever it is: what reads them is compiled once.
struct AnySection {
    name: &'static str,
    user_only: bool,
    instead: Option<(&'static str, &'static str)>,
    names: Vec<String>,
    defaults: Json,
    inspect: fn(&Json) -> Inspection,
    /// Says it to those whom it concerns; none where it cannot be read.
    apply: fn(&Json, &mut Holds) -> Option<Result<(), Refused>>,
}

impl AnySection {
    fn of<S: Section>() -> Self {
        Self {
            name: S::NAME,
            user_only: S::USER_ONLY,
            instead: S::INSTEAD,
            names: order::keys(&S::default()),
            defaults: serde_json::to_value(S::default()).unwrap_or_default(),
            inspect: |json| inspect::<S>(json, |_| Ok(())),
            apply: |json, holds| Some(S::deserialize(json).ok()?.apply(holds)),
        }
    }

    /// Its keys, in the order in which they are shown.
    fn keys(&self) -> impl Iterator<Item = &str> {
        let names = self.names.iter().map(String::as_str);
        names.chain(self.instead.map(|(key, _)| key))
    }
}

/// `governor.cooldown: 20s`.
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = serde_json::to_value(&self.value).map_err(|_| fmt::Error)?;
        write!(f, "{}: {}", self.key, flow(&value))
    }
}

impl Setting {
    fn of((key, value, origin): (String, Json, Origin)) -> Self {
        Self {
            key,
            // JSON can always be written as JSON.
            value: Value::of(&value).unwrap_or_default(),
            origin,
        }
    }
}

impl Config {
    /// What has to be said of its findings; none where there are none.
    pub fn notice(&self) -> Option<String> {
        let first = self.findings.first()?;
        Some(match self.findings.len() - 1 {
            0 => format!("configuration: {first}"),
            1 => format!("configuration: {first} (and one more: attend config check)"),
            more => format!("configuration: {first} (and {more} more: attend config check)"),
        })
    }

    /// The sensors that run, to be given to a driver: those that are switched on and have
    /// something to look at.
    pub fn setups(&self, registry: &Registry) -> Vec<SensorSetup> {
        let enabled = self.sensors.iter().filter(|sensor| sensor.enabled);
        let enabled = enabled.filter(|sensor| sensor.idle.is_none());
        let setups = enabled.filter_map(|sensor| {
            let kind = registry.get(&sensor.kind)?;
            let setup = SensorSetup::registered(sensor.name.clone(), kind, sensor.config.clone());
            Some(setup.profile(sensor.profile))
        });
        setups.collect()
    }
}
