//! An office in virtual time: the built-in sensors beside an agent, its person and its colleagues, and what a loop would record there.

mod repository;

mod clock;
pub use clock::at;

mod desk;
pub use desk::Office;

mod agent;

mod others;

mod label;
pub(crate) use label::says;
pub use label::{Label, Need};

mod recording;
pub use recording::{Recording, record};
