//! Replay: scripts and recorded traces, run through the engine in virtual time.

mod script;
pub use script::{Action, Cue, Script, ScriptError, ScriptErrorKind};

mod words;

mod parse;

mod post;

mod run;
pub use run::{Moment, Replay, Shown};

mod playback;
pub use playback::{Playback, Played, PlayedLine, Voice};

mod tray;

mod exact;

mod under;
pub use under::Conditions;

mod compare;
pub use compare::Difference;

mod demo;
pub use demo::demo;
