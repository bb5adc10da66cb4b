//! The chat: a person's seat in the terminal.
//!
//! It is a state without I/O, `update` that changes it by what happens and gives what is to be
//! done, and `draw` that makes a picture of it. A clerk does at the mailbox what is to be done, on a
//! thread of its own, and `seat` lets the three meet. Only a [`Rehearsal`] is public, for
//! measurements.

mod text;

mod place;

mod stream;

mod composer;

mod keys;

mod action;

mod list;

mod complete;

mod theme;
pub use theme::Colours;

mod state;

mod layout;

mod block;

mod scroll;

mod draw;

mod update;

mod clerk;

mod screen;

mod seat;
pub(crate) use action::{Kept, Occupant};
pub(crate) use seat::{Sitting, sit};

mod rehearsal;
pub use rehearsal::Rehearsal;

#[cfg(test)]
mod tests;

/// The keys as the documentation has them.
pub fn keys() -> String {
    keys::markdown()
}
