//! The built-in sensors.
