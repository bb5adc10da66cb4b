//! Refusals: why something that a sensor said does not count.

use thiserror::Error;

/// Why an event was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The magnitude is not a number from 0 to 100.
    #[error("its magnitude is not a number from 0 to 100")]
    Magnitude,
    /// A standing event needs a key to be cleared by.
    #[error("it is standing but has no key to clear it by")]
    StandingWithoutKey,
    /// Only a standing event can hold others back.
    #[error("it inhibits other keys but is not standing")]
    InhibitsWithoutStanding,
    /// Text and block together are too long.
    #[error("its text and block take {units} units with their prefixes, more than 2000")]
    BlockTooLong {
        /// UTF-16 units, prefixes and line ends included.
        units: usize,
    },
    /// The key is too long.
    #[error("its key takes {bytes} bytes, more than 512")]
    KeyTooLong {
        /// Bytes of UTF-8.
        bytes: usize,
    },
    /// The name of the signal is too long.
    #[error("its signal takes {bytes} bytes, more than 128")]
    SignalTooLong {
        /// Bytes of UTF-8.
        bytes: usize,
    },
    /// It holds too many keys back.
    #[error("it inhibits {keys} keys, more than 64")]
    TooManyInhibits {
        /// Different keys, its own not counted.
        keys: usize,
    },
    /// The report holds as many clears as one report may.
    #[error("one look cleared more than 1024 keys")]
    TooManyClears,
}
