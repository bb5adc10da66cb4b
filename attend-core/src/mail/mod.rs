//! Who said what to whom: what a letter is, and how many letters become one line.
//!
//! This is the ground floor of the message lane. A store for mail stands behind it; here is
//! what the lane and the store agree on.

mod around;
pub use around::Clock;

mod envelope;
pub use envelope::{Draft, Letter, MessageId, SenderKind, Seq};

mod digest;
pub use digest::{Counts, Origin, age};
