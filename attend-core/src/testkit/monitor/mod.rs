//! The host's Monitor, simulated: what becomes of the lines that a program prints.

mod notification;
pub use notification::{Ending, Fate, Notification, Said};

mod bucket;

mod model;
pub use model::SimulatedMonitor;

mod transcript;
pub use transcript::MonitorTranscript;
