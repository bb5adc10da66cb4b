//! The router: what a look found goes to one lane or the other, by its type alone.

use crate::mail::Draft;
use crate::sensor::{Gathered, Key, Report, SensorError};

/// Splits what one look found by lane.
///
/// What was reported is an event and what was posted is mail; nothing else decides, and neither
/// can become the other.
///
/// ```
/// use attend_core::attention::{Routed, Router};
/// use attend_core::sensor::Gathered;
///
/// let Routed { report, drafts, warnings, .. } = Router::route(Gathered::default());
/// assert!(report.is_empty() && drafts.is_empty() && warnings.is_empty());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Router;

/// What one look found, by lane.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Routed {
    /// For the event lane.
    pub report: Report,
    /// For the mailbox, each with the key that makes sending it again harmless.
    pub drafts: Vec<(Key, Draft)>,
    /// For people.
    pub warnings: Vec<SensorError>,
}

impl Router {
    /// Splits `found`.
    pub fn route(found: Gathered) -> Routed {
        let Gathered {
            report,
            drafts,
            warnings,
            details: _,
        } = found;
        Routed {
            report,
            drafts,
            warnings,
        }
    }
}
