//! Names as git gives them: bytes of a path, and object ids.

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How many characters of one name or subject an event shows.
const SHOWN_CHARS: usize = 80;

/// A path relative to the top of a work tree, byte for byte as git prints it with `-z`.
///
/// It is remembered as text where it is text, and as a list of bytes otherwise, so that it
/// comes back unchanged.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Name(Box<[u8]>);

impl Name {
    pub(super) fn new(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The name for people, cut to what an event shows.
    pub(super) fn shown(&self) -> String {
        shown(&String::from_utf8_lossy(&self.0))
    }
}

/// `text` cut to what an event shows of a name.
pub(super) fn shown(text: &str) -> String {
    let mut chars = text.chars();
    let mut shown: String = chars.by_ref().take(SHOWN_CHARS).collect();
    if chars.next().is_some() {
        shown.pop();
        shown.push('…');
    }
    shown
}

/// The path that `bytes` name.
pub(super) fn path(bytes: &[u8]) -> PathBuf {
    OsStr::from_bytes(bytes).into()
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => serializer.collect_seq(self.0.iter()),
        }
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrBytes;

        impl<'de> Visitor<'de> for TextOrBytes {
            type Value = Name;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name as text or as a list of bytes")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Name, E> {
                Ok(Name::new(text.as_bytes()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Name, A::Error> {
                let mut bytes = Vec::new();
                while let Some(byte) = seq.next_element()? {
                    bytes.push(byte);
                }
                Ok(Name(bytes.into()))
            }
        }

        deserializer.deserialize_any(TextOrBytes)
    }
}

/// The id of an object, as git prints it: 40 or 64 hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct Oid(String);

impl Oid {
    /// The id written as `text`; none where it is not one.
    pub(super) fn new(text: &str) -> Option<Self> {
        let digits = matches!(text.len(), 40 | 64)
            && text
                .bytes()
                .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        digits.then(|| Self(text.to_owned()))
    }

    /// The id in the first line of `bytes`, such as a file below the git directory holds.
    pub(super) fn line(bytes: &[u8]) -> Option<Self> {
        Self::new(std::str::from_utf8(bytes).ok()?.trim_ascii())
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Its first seven digits.
    pub(super) fn short(&self) -> &str {
        self.0.get(..7).unwrap_or(&self.0)
    }
}

impl TryFrom<String> for Oid {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::new(&text).ok_or("not an object id")
    }
}

impl From<Oid> for String {
    fn from(oid: Oid) -> Self {
        oid.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use attend_core::sensor::Snapshot;
    use proptest::prelude::*;

    #[test]
    fn long_names_are_cut() {
        assert_eq!(shown("a b"), "a b");
        assert_eq!(shown(&"ä".repeat(80)), "ä".repeat(80));
        assert_eq!(shown(&"ä".repeat(81)), format!("{}…", "ä".repeat(79)));
    }

    #[test]
    fn only_full_ids_are_ids() {
        let id = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(Oid::new(id).unwrap().short(), "0123456");
        assert_eq!(Oid::line(format!("{id}\n").as_bytes()), Oid::new(id));
        for bad in [
            "",
            "(initial)",
            "0123456",
            &id.to_uppercase(),
            &format!("{id} "),
        ] {
            assert_eq!(Oid::new(bad), None, "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn every_name_is_remembered_unchanged(bytes: Vec<u8>) {
            let name = Name::new(&bytes);
            let back: Name = Snapshot::of(&name).unwrap().read().unwrap();
            prop_assert_eq!(back, name);
        }
    }
}
