//! The arguments of `mute` and `unmute`, as data.

use std::time::Duration;

use attend_core::mail::RoomName;
use clap::Args;

use super::span;

#[derive(Args, Debug)]
#[command(
    after_help = "It belongs to your seat: it outlasts a restart, and ends at its time or by `attend unmute`. What\nis said in a muted room is counted, and told in one line when the mute ends; mail that is\naddressed to you cannot be muted. Without a name it lists what is muted.\n\nIn a shell # begins a comment: quote it.\n\nExamples:\n  attend mute git --for 1h\n  attend mute '#deploy'\n  attend mute"
)]
pub(crate) struct MuteArgs {
    /// What: a sensor or a signal by its name, or a room with its `#`.
    #[arg(value_name = "SENSOR|#ROOM|SIGNAL", value_parser = what)]
    pub(crate) what: Option<What>,
    /// What stands behind it: most of all a span, by whoever forgets `--for`.
    #[arg(hide = true)]
    pub(crate) behind: Option<String>,
    /// For how long: 90s, 10m, 2h, 3d [default: until `attend unmute`]
    #[arg(long = "for", value_name = "SPAN", value_parser = span, requires = "what")]
    pub(crate) during: Option<Duration>,
    /// Print what is muted, as one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Without a name it ends every mute.\n\nExamples:\n  attend unmute git\n  attend unmute '#deploy'\n  attend unmute"
)]
pub(crate) struct UnmuteArgs {
    /// What: a sensor or a signal by its name, or a room with its `#`.
    #[arg(value_name = "SENSOR|#ROOM|SIGNAL", value_parser = what)]
    pub(crate) what: Option<What>,
    /// Print what is still muted, as one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What somebody wants to be muted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum What {
    /// A room.
    Room(RoomName),
    /// A sensor or a signal.
    Name(String),
}

fn what(text: &str) -> Result<What, String> {
    let Some(room) = text.strip_prefix('#') else {
        if text.trim().is_empty() {
            return Err("in a shell # begins a comment, so quote a room: '#deploy'".to_owned());
        }
        return Ok(What::Name(text.to_owned()));
    };
    super::mail::room(room).map(What::Room)
}
