//! The simulated Monitor: each limit at its edge, what holds for any input, and its rows.

mod edges;
mod laws;
#[cfg(feature = "runtime")]
mod pace;
mod rows;
