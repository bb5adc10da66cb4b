//! The contract of sensors: what a report keeps, what is refused, and how sensors come to be.

mod adapt;
mod event;
mod registry;
mod report;
