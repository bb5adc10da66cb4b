//! A model of the mailbox that is the mailbox: its own [`Book`](super::book::Book), every state
//! that readers, senders and sessions can bring it to, and what has to hold in each.
//!
//! - Nothing is lost: wherever it stops, whoever sits there is shown all that was not shown.
//! - Of all showings of one message to one seat at most one has no mark, and a mark says the
//!   truth.
//! - No seat is shown what was not for it, and no reader changes anything of another's seat.
//! - What is granted is in the order of the mailbox.
//! - What was missed is shown again or is unseen, never oftener than may be to one session; what
//!   was seen is not; and in the end nothing is awaited.
//!
//! What was really shown is kept apart from the book, by [`Truth`](truth::Truth).

mod setting;

mod truth;

mod showings;

mod scope;

mod world;

mod evidence;

mod act;

mod read;

mod explore;

mod scopes;

mod laws;
