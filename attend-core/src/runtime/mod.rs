//! The only place with I/O: the driver, the system, and the files of state.

pub mod system;
