//! Replay: scripts of timed inputs, run through the engine in virtual time.

mod script;
pub use script::{Action, Cue, Script, ScriptError, ScriptErrorKind};

mod words;

mod parse;

mod post;

mod run;
pub use run::{Moment, Replay, Shown};

mod demo;
pub use demo::demo;
