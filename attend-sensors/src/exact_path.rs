//! Paths as they are remembered: byte for byte, whatever their bytes.
//!
//! For `#[serde(with = "attend_sensors::exact_path")]`. A path that is text is kept as text, any
//! other as the list of its bytes: serde alone writes nothing at all of what holds such a path.

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserializer, Serializer};

/// Writes `path`.
///
/// # Errors
///
/// As `serializer` says.
pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    match path.to_str() {
        Some(text) => serializer.serialize_str(text),
        None => serializer.collect_seq(path.as_os_str().as_bytes()),
    }
}

/// Reads what [`serialize`] wrote.
///
/// # Errors
///
/// It is neither text nor a list of bytes.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    struct TextOrBytes;

    impl<'de> Visitor<'de> for TextOrBytes {
        type Value = PathBuf;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a path as text or as a list of bytes")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<PathBuf, E> {
            Ok(text.into())
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<PathBuf, A::Error> {
            let mut bytes = Vec::new();
            while let Some(byte) = seq.next_element()? {
                bytes.push(byte);
            }
            Ok(OsStr::from_bytes(&bytes).into())
        }
    }

    deserializer.deserialize_any(TextOrBytes)
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::*;

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Kept(#[serde(with = "super")] PathBuf);

    #[test]
    fn a_path_comes_back_as_it_was() {
        for (bytes, json) in [
            (&b"/srv/caf\xc3\xa9"[..], "\"/srv/café\""),
            (b"/a\xff\n", "[47,97,255,10]"),
            (b"", "\"\""),
        ] {
            let path = Kept(OsStr::from_bytes(bytes).into());
            assert_eq!(serde_json::to_string(&path).unwrap(), json);
            assert_eq!(serde_json::from_str::<Kept>(json).unwrap(), path);
        }
        assert!(serde_json::from_str::<Kept>("[256]").is_err());
    }
}
