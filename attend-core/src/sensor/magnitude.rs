//! Magnitudes: how much an event matters, as a number that adds up.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;

/// How much an event matters: from 0 to 100, kept in thousandths so that sums are exact.
///
/// ```
/// use attend_core::sensor::Magnitude;
///
/// let ten_times: u64 = (0..10).map(|_| Magnitude::new(0.2).unwrap().thousandths()).sum();
/// assert_eq!(ten_times, Magnitude::new(2.0).unwrap().thousandths());
/// assert_eq!(Magnitude::new(f64::NAN), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Magnitude(u32);

impl Magnitude {
    /// Rounds `value` to thousandths; none where it is not finite, below 0 or above 100.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to lie from 0 to 100"
    )]
    pub fn new(value: f64) -> Option<Self> {
        (0.0..=100.0)
            .contains(&value)
            .then(|| Self((value * 1_000.0).round() as u32))
    }

    /// The magnitude of so many thousandths; none above 100,000.
    pub const fn from_thousandths(thousandths: u32) -> Option<Self> {
        if thousandths <= 100_000 {
            Some(Self(thousandths))
        } else {
            None
        }
    }

    /// The value in thousandths.
    pub const fn thousandths(self) -> u64 {
        self.0 as u64
    }

    /// The value as a number from 0 to 100.
    pub fn get(self) -> f64 {
        f64::from(self.0) / 1_000.0
    }
}

impl TryFrom<f64> for Magnitude {
    type Error = Refusal;

    fn try_from(value: f64) -> Result<Self, Refusal> {
        Self::new(value).ok_or(Refusal::Magnitude)
    }
}

impl From<Magnitude> for f64 {
    fn from(magnitude: Magnitude) -> Self {
        magnitude.get()
    }
}

impl fmt::Display for Magnitude {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 % 1_000 {
            rest if rest % 100 == 0 => write!(f, "{:.1}", self.get()),
            _ => write!(f, "{:.3}", self.get()),
        }
    }
}
