//! The `git` sensor beside real repositories, look by look.

mod world;

mod changes;
mod conflicts;
mod contract;
mod names;
mod operations;
mod places;
mod refusals;
mod upstream;
mod watching;
