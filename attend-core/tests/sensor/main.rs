//! The contract of sensors: what a report keeps, what is refused, and how sensors come to be.

mod event;
mod report;
