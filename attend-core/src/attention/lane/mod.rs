//! The two lanes: events are gated and may be dropped, messages are only delivered once.

mod router;
pub use router::{Routed, Router};

mod event;
pub(super) use event::EventLane;

mod message;
pub use message::{Claiming, reply_hint};
pub(super) use message::{MailPage, MessageLane};
