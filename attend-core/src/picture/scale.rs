//! Scales: from values to places.

/// A scale from values to places, which keeps to its ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    values: (f64, f64),
    places: (f64, f64),
}

impl Scale {
    pub(crate) fn new(values: (f64, f64), places: (f64, f64)) -> Self {
        Self { values, places }
    }

    /// The place of a value.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let (low, high) = self.values;
        let share = if high > low {
            ((value - low) / (high - low)).clamp(0.0, 1.0)
        } else {
            0.0
        };
        self.places.0 + (self.places.1 - self.places.0) * share
    }

    /// The largest value.
    pub(crate) fn high(&self) -> f64 {
        self.values.1
    }

    /// Between which places it lies.
    pub(crate) fn places(&self) -> (f64, f64) {
        self.places
    }
}
