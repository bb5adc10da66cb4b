//! The key at the top that says how soon what was taught is taught again.

use serde::{Deserialize, Serialize};

use super::section::{Holds, Refused, Section};

/// The kind of sensor that it is said to.
pub(super) const KIND: &str = "disclosure";

/// What is taught of attend. The same key of a sensor (`sensors.disclosure.refire`) wins over it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub(super) struct Disclosure {
    /// The share of the context window after which something is taught again; above 0, at most 1.
    refire: f64,
}

impl Default for Disclosure {
    fn default() -> Self {
        Self { refire: 0.25 }
    }
}

impl Section for Disclosure {
    const NAME: &'static str = "disclosure";

    fn apply(self, holds: &mut Holds) -> Result<(), Refused> {
        if !(self.refire > 0.0 && self.refire <= 1.0) {
            return Err(Refused::new("refire", "must be above 0 and at most 1"));
        }
        holds.refire = Some(self.refire);
        Ok(())
    }
}
