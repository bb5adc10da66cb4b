//! Who said what to whom: addresses, letters, seats, and the mailbox that keeps them.
//!
//! This is the ground floor of the message lane. The lane decides *when* something is shown, the
//! [`Mailbox`] *what*: it resolves addresses, keeps each message with the state of its delivery
//! to each seat, and hands messages out to readers that claim them, write them and settle what
//! they wrote. [`MemoryMailbox`] keeps everything in memory, for tests and as the contract in
//! its plainest form; a durable one stands behind the feature `sqlite`.

pub(crate) mod number;

mod around;
pub use around::{Around, Clock, Life, Process};

mod name;
pub use name::{Name, RoomName, fold};

mod closest;
pub use closest::closest;

mod address;
pub use address::{Address, Place, addressed};

mod envelope;
pub use envelope::{
    Draft, Entry, Letter, MAX_ADDRESSES, MAX_BODY, MessageId, SenderKind, Seq, State,
};

mod digest;
pub use digest::{Counts, Origin, age};

mod mute;
pub use mute::{Muted, Quiet};

mod persona;

mod seat;
pub use seat::{Arrival, Epoch, Presence, ProjectId, Reader, SeatId, Seated, Sender, Sitter};

mod claim;
pub use claim::{
    CLAIM_LEASE, Claim, ClaimId, ClaimRequest, Granted, News, Settled, Waiting, Wanted,
};

mod evidence;
pub use evidence::{Awaited, Awaiting, Evidence, MISSED_AFTER, MOST_MISSED, MOST_SHOWN, Tracking};

mod reminder;
pub use reminder::{MOST_DUE, Reminder};

mod cleanup;
pub use cleanup::{MOST_SWEPT, ProjectInfo, Projects, Sightings, Sweep, Swept};

mod error;
pub use error::{MailError, MailErrorKind};

mod request;
pub use request::{
    Answer, Before, Ledger, Page, Query, Receipt, Recipient, RoomInfo, SeatInfo, Submission, Whole,
};

mod change;
pub use change::{Change, Changed};

mod mailbox;
pub use mailbox::{MailWaker, Mailbox, MailboxExt};

mod check;

mod speaker;

mod words;

mod memory;
pub use memory::MemoryMailbox;

#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteMailbox;
