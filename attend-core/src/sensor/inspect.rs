//! Inspection: what of a configuration its type does not read, and what it refuses.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::error::ConfigError;

/// The way from the top of a configuration to one of its values: keys, and places in lists.
pub(crate) type Way = Vec<String>;

/// What a type says of one configuration.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Inspection {
    /// The keys that it does not read.
    pub(crate) unread: Vec<Way>,
    /// What it makes of the rest, its defaults included; or the first value that it refuses,
    /// and why.
    pub(crate) read: Result<Json, (Way, String)>,
}

/// Reads `config` as a `T`, of which `check` may refuse values; no key at all is `T`'s default.
pub(crate) fn inspect<T: DeserializeOwned + Serialize + Default>(
    config: &Json,
    check: impl FnOnce(&T) -> Result<(), ConfigError>,
) -> Inspection {
    let mut unread = Vec::new();
    // One type for all `T`, so that what reads a number or a text is compiled once.
    let mut note: Note<'_> = Box::new(|path| {
        let mut way = Way::new();
        walk(&path, &mut way);
        unread.push(way);
    });
    let ignored = serde_ignored::Deserializer::new(config, &mut note);
    let read: Result<T, _> = match config {
        Json::Object(keys) if keys.is_empty() => Ok(T::default()),
        _ => serde_path_to_error::deserialize(ignored),
    };
    drop(note);
    let read = read.map_err(|error| {
        let way = error.path().iter().filter_map(segment).collect();
        (way, error.inner().to_string())
    });
    let read = read.and_then(|config| {
        check(&config).map_err(|error| refused(&error))?;
        serde_json::to_value(&config).map_err(|error| (Way::new(), error.to_string()))
    });
    Inspection { unread, read }
}

/// Takes note of a key that is not read.
type Note<'a> = Box<dyn FnMut(serde_ignored::Path<'_>) + 'a>;

/// `config` as a `T`, where it is one; no key at all is `T`'s default.
pub(super) fn read<T: DeserializeOwned + Default>(config: &Json) -> Option<T> {
    match config {
        Json::Object(keys) if keys.is_empty() => Some(T::default()),
        _ => T::deserialize(config).ok(),
    }
}

/// The value that `error` is about, and what is wrong with it.
pub(super) fn refused(error: &ConfigError) -> (Way, String) {
    let keys = error.key().into_iter().flat_map(|key| key.split('.'));
    (keys.map(str::to_owned).collect(), error.text().to_owned())
}

fn walk(path: &serde_ignored::Path<'_>, way: &mut Way) {
    use serde_ignored::Path;
    match path {
        Path::Root => {}
        Path::Seq { parent, index } => {
            walk(parent, way);
            way.push(index.to_string());
        }
        Path::Map { parent, key } => {
            walk(parent, way);
            way.push(key.clone());
        }
        Path::Some { parent }
        | Path::NewtypeStruct { parent }
        | Path::NewtypeVariant { parent } => walk(parent, way),
    }
}

fn segment(segment: &serde_path_to_error::Segment) -> Option<String> {
    use serde_path_to_error::Segment;
    match segment {
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Map { key } => Some(key.clone()),
        Segment::Enum { .. } | Segment::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Default, Serialize, Deserialize)]
    #[serde(default)]
    struct Config {
        paths: Vec<Rule>,
        most: Option<u8>,
        named: BTreeMap<String, u8>,
    }

    #[derive(Default, Serialize, Deserialize)]
    #[serde(default)]
    struct Rule {
        glob: String,
    }

    fn way(way: &str) -> Way {
        way.split('.').map(str::to_owned).collect()
    }

    #[test]
    fn what_is_not_read_is_named_wherever_it_stands() {
        let config = json!({"paths": [{"glob": "*"}, {"globe": "*"}], "mots": 3});
        let found = inspect::<Config>(&config, |_| Ok(()));
        assert_eq!(found.unread, [way("mots"), way("paths.1.globe")]);
        let read = json!({"paths": [{"glob": "*"}, {"glob": ""}], "most": null, "named": {}});
        assert_eq!(found.read, Ok(read));
    }

    #[test]
    fn the_value_that_is_refused_is_named() {
        for (config, place) in [
            (json!({"most": "3"}), "most"),
            (json!({"most": 300}), "most"),
            (json!({"paths": [{"glob": 1}]}), "paths.0.glob"),
            (json!({"named": {"a": 1, "b": -1}}), "named.b"),
        ] {
            let (refused, text) = inspect::<Config>(&config, |_| Ok(())).read.unwrap_err();
            assert_eq!(refused, way(place), "{text}");
        }
    }

    #[test]
    fn a_value_that_only_the_type_knows_to_be_wrong_is_named() {
        let check = |config: &Config| match config.most {
            Some(0) => Err(ConfigError::at("most", "must be at least 1")),
            _ => Ok(()),
        };
        let read = inspect::<Config>(&json!({"most": 0}), check).read;
        assert_eq!(read, Err((way("most"), "must be at least 1".to_owned())));
    }
}
