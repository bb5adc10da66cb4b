//! Reading of JSON whose fields may have any type: what does not fit is left out, never an error.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// The rest of a visitor: what is of one of these kinds is skipped, and becomes the default.
macro_rules! otherwise {
    ($($kind:ident),*) => { $(otherwise!(@ $kind);)* };
    (@ unit) => {
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
    };
    (@ map) => {
        fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            while map.next_entry::<serde::de::IgnoredAny, serde::de::IgnoredAny>()?.is_some() {}
            Ok(Self::Value::default())
        }
    };
    (@ seq) => {
        fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            while seq.next_element::<serde::de::IgnoredAny>()?.is_some() {}
            Ok(Self::Value::default())
        }
    };
    (@ bool) => { otherwise!(@@ visit_bool, bool); };
    (@ u64) => { otherwise!(@@ visit_u64, u64); };
    (@ i64) => { otherwise!(@@ visit_i64, i64); };
    (@ f64) => { otherwise!(@@ visit_f64, f64); };
    (@@ $visit:ident, $kind:ty) => {
        fn $visit<E>(self, _: $kind) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
    };
}
pub(super) use otherwise;

/// A text, a number or a flag, and nothing for whatever else stands there.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) enum Plain<'a> {
    Text(Cow<'a, str>),
    Number(u64),
    Flag(bool),
    #[default]
    Other,
}

impl Plain<'_> {
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn number(&self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Whether it is `true`; what is no flag is not.
    pub(super) fn is_true(&self) -> bool {
        matches!(self, Self::Flag(true))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Plain<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(PlainVisitor(PhantomData))
    }
}

struct PlainVisitor<'a>(PhantomData<&'a ()>);

impl<'de: 'a, 'a> Visitor<'de> for PlainVisitor<'a> {
    type Value = Plain<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Plain::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Plain::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Self::Value, E> {
        Ok(Plain::Flag(flag))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Plain::Number(number))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(u64::try_from(number).map_or(Plain::Other, Plain::Number))
    }

    otherwise!(f64, unit, map, seq);
}

/// An object read as `T`; anything else is `T`'s default.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Object<T> {
    pub(super) value: T,
    /// Whether a text stands there instead.
    pub(super) is_text: bool,
}

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Default> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Ok(Object {
            value: T::deserialize(MapAccessDeserializer::new(map))?,
            is_text: false,
        })
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(Object {
            value: T::default(),
            is_text: true,
        })
    }

    otherwise!(bool, u64, i64, f64, unit, seq);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize, Default, PartialEq, Debug)]
    #[serde(default)]
    struct Inner<'a> {
        #[serde(borrow)]
        text: Plain<'a>,
        deep: Object<Deep>,
    }

    #[derive(Deserialize, Default, PartialEq, Debug)]
    #[serde(default)]
    struct Deep {
        here: bool,
    }

    fn read(json: &str) -> Inner<'_> {
        serde_json::from_str::<Object<Inner<'_>>>(json)
            .unwrap()
            .value
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        let values = [
            "1",
            "-1",
            "1.5",
            "1e99",
            "true",
            "null",
            "[1,[2]]",
            r#"{"a":{"b":1}}"#,
            r#""x\n""#,
        ];
        for value in values {
            assert_eq!(read(value), Inner::default(), "{value}");
            let row = format!(r#"{{"deep":{value},"text":"kept","more":{value}}}"#);
            assert_eq!(read(&row).text.text(), Some("kept"), "{row}");
            let row = format!(r#"{{"text":{value},"deep":{{"here":true}}}}"#);
            assert!(read(&row).deep.value.here, "{row}");
        }
    }
}
