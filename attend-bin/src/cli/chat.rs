//! The arguments of `attend chat`.

use clap::{Args, ValueEnum};

#[derive(Args, Debug)]
#[command(
    after_help = "Keys: F1 shows them. What you write goes to the place that is shown, at first #open; a leading\n@name or #room addresses it to others. What was on the screen counts as read.\n\nExamples:\n  attend chat\n  attend chat --colours light"
)]
pub(crate) struct ChatArgs {
    /// For a terminal of which looks; auto asks NO_COLOR and COLORFGBG, and else takes dark
    #[arg(long, value_name = "LOOKS", default_value = "auto")]
    pub(crate) colours: ChatColours,
}

/// The looks of a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ChatColours {
    Auto,
    Dark,
    Light,
    None,
}
