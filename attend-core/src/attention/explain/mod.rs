//! Explain: what became of every event that a journal knows, and why.

mod dial;
pub use dial::{Dial, Local};

mod story;
pub use story::{Fate, Stage, Story};

mod stories;
pub use stories::Stories;

mod choice;
pub use choice::{Chain, Choice};

mod words;
#[cfg(feature = "picture")]
pub(super) use words::{amount, needed};

mod report;
pub use report::{Teller, account};
