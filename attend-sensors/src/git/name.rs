//! Names as git gives them: those of files, and object ids.

use serde::{Deserialize, Serialize};

pub(super) use crate::name::{Name, path, shown};

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
}
