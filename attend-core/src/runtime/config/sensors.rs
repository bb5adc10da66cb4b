//! Sensors as the layers configure them.

use std::time::Duration;

use serde::Deserialize as _;
use serde_json::{Map, Value as Json, json};

use super::finding::{Finding, Layer, Problem};
use super::keys::SensorKeys;
use super::reading::{Origin, Reading, Said, Source};
use super::section::Refused;
use super::span::Span;
use super::trust::{Asked, Trust};
use crate::sensor::{Magnitude, Profile, Registration, Registry, SensorName, Value, inspect};
use crate::yaml::Field;

/// A sensor that somebody configured, or that is there by itself.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct ConfiguredSensor {
    /// Its name.
    pub name: SensorName,
    /// What it is.
    pub kind: String,
    /// Whether it runs.
    pub enabled: bool,
    /// Its cadence and threshold.
    pub profile: Profile,
    /// What its kind was given.
    pub config: Value,
    /// Where it was last mentioned.
    pub origin: Origin,
    /// Why it has nothing to look at, in one phrase: then it does not run.
    pub idle: Option<&'static str>,
}

/// A sensor while the layers are read.
pub(super) struct Draft {
    name: SensorName,
    /// What every sensor understands.
    common: Said,
    /// What its kind understands.
    own: Said,
    kind: Registration,
    profile: Profile,
    /// What the kind makes of what it was given, its defaults included.
    effective: Json,
    /// What it is run with instead, where a project's file set it up and that is trusted.
    pinned: Option<Value>,
    origin: Origin,
}

/// The kinds that there are, and what of a project's file may be run.
pub(super) type Allowed<'a> = (&'a Registry, Option<&'a dyn Trust>);

/// Every kind once, under its own name, as it is by itself.
pub(super) fn by_themselves(registry: &Registry) -> Vec<Draft> {
    let kinds = registry.kinds().filter(|kind| kind.declares().by_itself);
    let named = kinds.filter_map(|kind| Some((SensorName::new(kind.kind()).ok()?, kind)));
    named.map(|(name, kind)| Draft::new(name, kind)).collect()
}

/// Takes in what `source` says of sensors.
pub(super) fn read(
    source: &Source<'_>,
    allowed: Allowed<'_>,
    drafts: &mut Vec<Draft>,
    findings: &mut Vec<Finding>,
) {
    let Some(sensors) = source.fields.iter().find(|field| field.key == "sensors") else {
        return;
    };
    let Some(fields) = sensors.value.fields() else {
        let text = format!(
            "sensors are expected by their names, this is {}",
            sensors.value.what()
        );
        findings.push(
            source
                .finding(sensors.mark, Problem::WrongType, text)
                .key("sensors"),
        );
        return;
    };
    for field in fields {
        let way = format!("sensors.{}", field.key);
        match one(source, allowed, drafts, field, &way, findings) {
            Ok(Some(draft)) => match drafts.iter_mut().find(|known| known.name == draft.name) {
                Some(known) => *known = draft,
                None => drafts.push(draft),
            },
            Ok(None) => {}
            Err(finding) => findings.push((*finding).key(way)),
        }
    }
}

/// What `field` makes of the sensor that it names; nothing where what is wrong was told.
fn one(
    source: &Source<'_>,
    (registry, trust): Allowed<'_>,
    drafts: &[Draft],
    field: &Field,
    way: &str,
    findings: &mut Vec<Finding>,
) -> Result<Option<Draft>, Box<Finding>> {
    let wrong = |problem, text: &str| Box::new(source.finding(field.mark, problem, text));
    let name = SensorName::new(&field.key);
    let name = name.map_err(|error| wrong(Problem::BadName, &error.to_string()))?;
    let Some(fields) = field.value.fields() else {
        let text = format!(
            "a mapping of keys is expected, this is {}",
            field.value.what()
        );
        return Err(wrong(Problem::WrongType, &text));
    };
    let is_common = |field: &Field| SensorKeys::NAMES.contains(&field.key.as_str());
    let (common, own) = fields.iter().cloned().partition(is_common);
    let reading = |fields| Reading {
        source,
        way,
        mark: field.mark,
        fields,
    };
    let (common, own) = (reading(common), reading(own));

    let known = drafts.iter().find(|known| known.name == name);
    let kind = kind([&common, &own], field, known, registry)?;
    let is_same = known.is_some_and(|known| known.kind.kind() == kind.kind());
    let sets_up = !is_same || !own.fields.is_empty();
    let asks = source.layer == Layer::Project && sets_up && kind.declares().runs_commands;
    if asks && trust.is_none() {
        let text = "it runs commands: only the user's own file may say this";
        return Err(wrong(Problem::NotAllowed, text));
    }

    if source.layer == Layer::Project
        && let Some((way, text)) = kind.refuses_of_project(&own.given())
    {
        findings.push(own.found(&way, Problem::NotAllowed, text));
        return Ok(known.and_then(|known| known.switched(&common)));
    }

    let said = known.map(|draft| draft.common.clone());
    let said = said.unwrap_or_default();
    let keys = |json: &Json| inspect::<SensorKeys>(json, |_| Ok(()));
    let read = common.over(&said, keys, &SensorKeys::NAMES, findings);
    let said = known.filter(|_| is_same).map(|known| known.own.clone());
    let keys = kind.defaults();
    let keys = keys.as_object().into_iter().flat_map(Map::keys);
    let keys: Vec<&str> = keys.map(String::as_str).chain(SensorKeys::NAMES).collect();
    let inspect = |json: &Json| kind.inspect(json);
    let read_own = own.over(&said.unwrap_or_default(), inspect, &keys, findings);

    let switched = |known: &Draft| known.switched(&common);
    let Some(((said, keys), (own, effective))) = read.zip(read_own) else {
        return Ok(known.and_then(switched));
    };
    match profile(&keys, kind.profile()) {
        Ok(profile) => {
            let same = known.filter(|_| is_same);
            let mut draft = Draft {
                name,
                common: said,
                own,
                kind: kind.clone(),
                profile,
                effective,
                pinned: same.and_then(|known| known.pinned.clone()),
                origin: match known {
                    Some(known) if fields.is_empty() => known.origin.clone(),
                    _ => source.origin(field.mark),
                },
            };
            match trust.filter(|_| asks).map(|trust| draft.judged(trust)) {
                Some(Ok(pinned)) => draft.pinned = Some(pinned),
                Some(Err(why)) => {
                    findings.push(*wrong(Problem::NotTrusted, &why));
                    if let Some(finding) = findings.last_mut() {
                        way.clone_into(&mut finding.key);
                    }
                    return Ok(known.and_then(switched));
                }
                None => {}
            }
            Ok(Some(draft))
        }
        Err(refused) => {
            findings.push(common.at(refused.key, Problem::WrongValue, refused.why));
            Ok(known.and_then(switched))
        }
    }
}

/// The kind that a mapping says, else the one that the sensor has, else the one that it is
/// called like.
fn kind<'a>(
    [common, own]: [&Reading<'_>; 2],
    field: &Field,
    known: Option<&Draft>,
    registry: &'a Registry,
) -> Result<&'a Registration, Box<Finding>> {
    let given = common.fields.iter().find(|field| field.key == "kind");
    let text = given.map(|given| given.value.to_json());
    let name = match (&text, known) {
        (Some(Json::String(kind)), _) => kind,
        (_, Some(known)) => known.kind.kind(),
        _ if registry.get(&field.key).is_some() => &field.key,
        _ => implied(own, registry).unwrap_or(&field.key),
    };
    registry.get(name).ok_or_else(|| {
        let mark = given.map_or(field.mark, |given| given.value.mark);
        let text = format!("there is no kind of sensor `{name}`");
        let finding = common.source.finding(mark, Problem::UnknownKind, text);
        Box::new(finding.nearest(name, registry.kinds().map(Registration::kind)))
    })
}

/// The kind that a mapping is of because of one of its keys.
fn implied(own: &Reading<'_>, registry: &Registry) -> Option<&'static str> {
    let implies = |kind: &&Registration| {
        let mut keys = kind.declares().implied_by.iter();
        keys.any(|key| own.has(key))
    };
    registry.kinds().find(implies).map(Registration::kind)
}

/// The cadence and threshold that `keys` say, over those of the kind.
fn profile(keys: &Json, mut profile: Profile) -> Result<Profile, Refused> {
    let Ok(keys) = SensorKeys::deserialize(keys) else {
        return Ok(profile);
    };
    for (key, span) in [
        ("interval", keys.interval),
        ("min_interval", keys.min_interval),
    ] {
        if span.is_some_and(|span| span.seconds() == 0) {
            return Err(Refused::new(key, "must be at least 1s"));
        }
    }
    if let Some(interval) = keys.interval {
        profile.interval = interval.into();
        profile.min_interval = profile.min_interval.min(profile.interval);
    }
    if let Some(least) = keys.min_interval {
        profile.min_interval = least.into();
        if profile.min_interval > profile.interval {
            let interval = span(profile.interval);
            let why = format!("must not be longer than `interval`, which is {interval}");
            return Err(Refused::new("min_interval", why));
        }
    }
    if let Some(threshold) = keys.threshold {
        let threshold = Magnitude::new(threshold);
        profile.threshold =
            threshold.ok_or_else(|| Refused::new("threshold", "must be from 0 to 100"))?;
    }
    profile.decay_threshold = keys.decay_threshold.unwrap_or(profile.decay_threshold);
    Ok(profile)
}

/// What was said, as a value.
fn given(said: &Said) -> Value {
    if said.given.is_empty() {
        return Value::none();
    }
    // A mapping with texts for keys can always be written.
    Value::of(&said.given).unwrap_or_default()
}

fn span(duration: Duration) -> Span {
    Span::of_seconds(duration.as_secs())
}

impl Draft {
    fn new(name: SensorName, kind: &Registration) -> Self {
        Self {
            name,
            common: Said::default(),
            own: Said::default(),
            profile: kind.profile(),
            effective: kind.defaults(),
            pinned: None,
            kind: kind.clone(),
            origin: Origin::Default,
        }
    }

    /// The same, switched on or off as a mapping says of which the rest does not count.
    fn switched(&self, reading: &Reading<'_>) -> Option<Self> {
        let field = reading.fields.iter().find(|field| field.key == "enabled")?;
        let enabled = field.value.to_json();
        enabled.as_bool()?;
        let mut common = self.common.clone();
        common.given.insert("enabled".to_owned(), enabled);
        let origin = reading.source.origin(field.mark);
        common.origins.insert("enabled".to_owned(), origin.clone());
        Some(Self {
            name: self.name.clone(),
            common,
            own: self.own.clone(),
            kind: self.kind.clone(),
            profile: self.profile,
            effective: self.effective.clone(),
            pinned: self.pinned.clone(),
            origin,
        })
    }

    /// Whether it is of this kind.
    pub(super) fn is_of(&self, kind: &str) -> bool {
        self.kind.kind() == kind
    }

    /// Gives `key` the value `value`, where nothing was said of it.
    pub(super) fn preset(&mut self, key: &str, value: Json, origin: &Origin) {
        if self.own.given.contains_key(key) {
            return;
        }
        let mut own = self.own.clone();
        own.given.insert(key.to_owned(), value);
        let inspected = self.kind.inspect(&Json::Object(own.given.clone()));
        // A kind that does not know the key is left as it is.
        if let Ok(effective) = inspected.read {
            own.origins.insert(key.to_owned(), origin.clone());
            (self.own, self.effective) = (own, effective);
        }
    }

    fn judged(&self, trust: &dyn Trust) -> Result<Value, String> {
        trust.judge(&Asked {
            name: self.name.clone(),
            kind: self.kind.kind().to_owned(),
            config: given(&self.own),
            common: given(&self.common),
        })
    }

    fn enabled(&self) -> bool {
        self.common
            .given
            .get("enabled")
            .and_then(Json::as_bool)
            .unwrap_or(true)
    }

    /// Its keys with their values and where those come from.
    pub(super) fn values(&self) -> Vec<(String, Json, Origin)> {
        let profile = &self.profile;
        let common = [
            json!(self.enabled()),
            json!(self.kind.kind()),
            json!(span(profile.interval)),
            json!(span(profile.min_interval)),
            json!(profile.threshold.get()),
            json!(profile.decay_threshold),
        ];
        let common = SensorKeys::NAMES.into_iter().zip(common);
        let common = common.map(|(key, value)| (key, value, self.common.origin(key)));
        let own = self.effective.as_object().into_iter().flatten();
        let own = own.map(|(key, value)| (key.as_str(), value.clone(), self.own.origin(key)));
        let name = &self.name;
        let values = common.chain(own);
        values
            .map(|(key, value, origin)| (format!("sensors.{name}.{key}"), value, origin))
            .collect()
    }

    pub(super) fn finish(self) -> ConfiguredSensor {
        let given = given(&self.own);
        ConfiguredSensor {
            enabled: self.enabled(),
            kind: self.kind.kind().to_owned(),
            profile: self.profile,
            idle: self.kind.idle(&Json::Object(self.own.given)),
            config: self.pinned.unwrap_or(given),
            origin: self.origin,
            name: self.name,
        }
    }
}
