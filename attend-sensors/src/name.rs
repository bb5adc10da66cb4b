//! Names of files: the bytes of a path, remembered unchanged and shown cut.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::exact_path;

/// How many characters of one name or subject an event shows.
const SHOWN_CHARS: usize = 80;

/// A path, byte for byte: what git prints with `-z`, or what a directory lists.
///
/// It is remembered as text where it is text, and as a list of bytes otherwise, so that it
/// comes back unchanged.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Name(Box<[u8]>);

impl Name {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The name for people, cut to what an event shows.
    pub(crate) fn shown(&self) -> String {
        shown(&String::from_utf8_lossy(&self.0))
    }
}

/// `text` cut to what an event shows of a name.
pub(crate) fn shown(text: &str) -> String {
    let mut chars = text.chars();
    let mut shown: String = chars.by_ref().take(SHOWN_CHARS).collect();
    if chars.next().is_some() {
        shown.pop();
        shown.push('…');
    }
    shown
}

/// The path that `bytes` name.
pub(crate) fn path(bytes: &[u8]) -> PathBuf {
    OsStr::from_bytes(bytes).into()
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        exact_path::serialize(Path::new(OsStr::from_bytes(&self.0)), serializer)
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        exact_path::deserialize(deserializer).map(|path| Self::from(path.as_path()))
    }
}

impl From<&Path> for Name {
    fn from(path: &Path) -> Self {
        Self::new(path.as_os_str().as_bytes())
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

    proptest! {
        #[test]
        fn every_name_is_remembered_unchanged(bytes: Vec<u8>) {
            let name = Name::new(&bytes);
            let back: Name = Snapshot::of(&name).unwrap().read().unwrap();
            prop_assert_eq!(back, name);
        }
    }
}
