//! The only place with I/O: the driver, the system, and the files of state.

pub mod system;

mod budget;
pub use budget::{BudgetLeft, LineBudget};

mod cadence;
pub use cadence::{Cadence, Look};

mod sensor_thread;

mod roster;
pub use roster::{Condition, SensorHealth, SensorSetup};

mod state;
pub use state::{
    Journal, JournalDamage, JournalEntry, JournalSurvey, Loaded, Saved, StateDir, StateError,
    StateErrorKind, StateLock, StatePlace,
};

mod recording;
pub use recording::{Recording, RecordingError};

mod doorbell;

mod vigil;
pub use vigil::{Stir, Vigil};

mod cleanup;
pub use cleanup::Cleanup;

mod delivery;

mod driver;
pub use driver::{
    Driver, DriverBuilder, DriverError, DriverErrorKind, Ended, Handle, Plan, Trial, Tried,
};

#[cfg(feature = "config")]
pub mod config;
