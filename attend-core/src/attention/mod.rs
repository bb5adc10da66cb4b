//! The engine without I/O: what is held, what may wake, and how a line is made of it.

mod settings;
pub use settings::{Aging, Settings};

mod id;
pub use id::{BatchId, EventId};

pub use crate::mail::{Claim, ClaimId, Granted, Waiting};

mod glyph;
pub use glyph::is_unseen;

mod text;
pub use text::{reveal, sanitise, units};

mod wrap;

mod line;
pub use line::{Head, LINE_LIMIT, Line, MAX_PARTS, Priority, first_line, split};

mod outline;

mod mode;
pub use mode::{HandledSignals, Mode, mode, phrase};

mod mute;
pub use mute::{Mute, MuteTarget, Mutes};

mod held;
pub use held::{Arrival, Departed, Departure, Entry, Held, Tally};

mod gate;
pub use gate::{EventGovernor, GateState, Reason, Verdict, verdict};

mod batch;
pub use batch::{BATCH_LIMIT, Batch, MAX_EVENTS, Mailing};

mod journal;
pub use journal::{Change, Record, Totals};

mod lane;
pub use lane::{Claiming, Routed, Router, reply_hint};

mod input;
pub use input::{Input, SensorProfile, Step};

mod checkpoint;
pub use checkpoint::Checkpoint;

mod engine;
pub use engine::{Attention, AttentionBuilder};

mod footnote;

mod disclose;

mod settle;

mod persist;

mod explain;
pub use explain::{Chain, Choice, Dial, Fate, Local, Stage, Stories, Story, Teller, account};

#[cfg(feature = "picture")]
mod timeline;
#[cfg(feature = "picture")]
pub use timeline::timeline;

mod trace;
pub use trace::{Trace, TraceError, TraceErrorKind, TraceLog};

mod replay;
pub use replay::{
    Action, Conditions, Cue, Difference, Moment, Playback, Played, PlayedLine, Replay, Script,
    ScriptError, ScriptErrorKind, Shown, Voice, demo,
};
