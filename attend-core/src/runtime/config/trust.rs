//! Trust: whether what a project's file sets up may be run.

use std::fmt;

use crate::sensor::{SensorName, Value};

/// A sensor that a project's file sets up, of a kind that runs commands.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Asked {
    /// Its name.
    pub name: SensorName,
    /// What it is.
    pub kind: String,
    /// What its kind is given, the user's file included.
    pub config: Value,
    /// What is said of it that every sensor understands, its cadence among that; the user's file
    /// included.
    pub common: Value,
}

/// Says whether what a project's file sets up may be run.
///
/// A project's file comes with the project, from whoever wrote that. So it can set up nothing that
/// runs commands, unless there is trust, and that says so.
pub trait Trust: Send + fmt::Debug {
    /// Learns anew what is allowed. Tells whether that is other than it was.
    ///
    /// It must not ask anybody, allow anything, print or panic. What cannot be read allows nothing.
    fn renew(&mut self) -> bool;

    /// Whether `asked` may be run. Then this is the configuration to run it with: the one that was
    /// asked for, with what pins it to what was allowed.
    ///
    /// It must not run any of it, ask anybody, remember that it was asked as leave, or allow what
    /// is not wholly as it was when a person allowed it.
    ///
    /// # Errors
    ///
    /// Why it may not, and what to do about it: the text of a [`Finding`](super::Finding).
    fn judge(&self, asked: &Asked) -> Result<Value, String>;
}
