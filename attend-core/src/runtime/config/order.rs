//! The order in which a type's keys were declared: JSON in memory forgets it.

use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

/// The keys of `value` in the order in which its type declares them.
pub(super) fn keys(value: &impl Serialize) -> Vec<String> {
    let text = serde_json::to_string(value).unwrap_or_default();
    serde_json::from_str(&text).map_or_else(|_| Vec::new(), |Keys(keys)| keys)
}

struct Keys(Vec<String>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InOrder)
    }
}

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Keys;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a mapping")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
        let mut keys = Vec::new();
        while let Some((key, IgnoredAny)) = map.next_entry()? {
            keys.push(key);
        }
        Ok(Keys(keys))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_as_they_were_declared() {
        #[derive(Serialize)]
        struct Made {
            z: u8,
            a: Vec<u8>,
            m: Option<u8>,
        }
        let made = Made {
            z: 1,
            a: vec![2],
            m: None,
        };
        assert_eq!(keys(&made), ["z", "a", "m"]);
        assert!(keys(&7).is_empty());
    }
}
