//! What a hook at the beginning of a session leaves behind: which session a host's process holds.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::folder::is_session_id;
use super::lenient::{Object, Plain};

/// Which session a process of the host holds since a hook told it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct HookRecord {
    /// The host's process.
    pub pid: u32,
    /// When it started: field 22 of its `stat`.
    pub proc_start: String,
    /// The session.
    pub session_id: String,
    /// The session that the same process held before, as after `/clear`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Raw<'a> {
    #[serde(borrow)]
    pid: Plain<'a>,
    proc_start: Plain<'a>,
    session_id: Plain<'a>,
    previous: Plain<'a>,
}

impl HookRecord {
    /// The session `session_id` of the process `pid`; none where it is no id of a session.
    pub fn new(
        pid: u32,
        proc_start: impl Into<String>,
        session_id: impl Into<String>,
    ) -> Option<Self> {
        let session_id = session_id.into();
        is_session_id(&session_id).then(|| Self {
            pid,
            proc_start: proc_start.into(),
            session_id,
            previous: None,
        })
    }

    /// The same after what was kept of that process before.
    #[must_use]
    pub fn after(mut self, former: Option<Self>) -> Self {
        let same = former
            .filter(|former| (former.pid, &former.proc_start) == (self.pid, &self.proc_start));
        self.previous = same.and_then(|former| {
            if former.session_id == self.session_id {
                former.previous
            } else {
                Some(former.session_id)
            }
        });
        self
    }

    /// Where it is kept, below attend's state directory. Write it there whole, by renaming.
    pub fn path(state: &Path, pid: u32) -> PathBuf {
        state.join("hosts").join(format!("{pid}.json"))
    }

    /// The file's content.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads the file's content; none where it is damaged.
    pub fn parse(json: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(json).ok()?;
        let raw = serde_json::from_str::<Object<Raw<'_>>>(text).ok()?.value;
        let pid = u32::try_from(raw.pid.number()?).ok()?;
        let record = Self::new(pid, raw.proc_start.text()?, raw.session_id.text()?)?;
        let previous = raw
            .previous
            .text()
            .filter(|id| is_session_id(id))
            .map(str::to_owned);
        Some(Self { previous, ..record })
    }
}
