//! The mathematics of fading: how a fired thing loses its weight, and when it may fire again.
//!
//! Everything here is counted in [`Tick`]s of an axis that the caller supplies. Nothing here
//! knows what a tick stands for.

mod tick;
pub use tick::{Tick, TickDelta, first_tick};

mod curve;
pub use curve::{Curve, CurveError, CurveErrorKind, Shape};

mod engagement;
pub use engagement::{Admission, EngagementState, Outcome, Restraint};

mod governor;
pub use governor::{Governor, Limits};
