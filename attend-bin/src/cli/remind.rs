//! The arguments of `remind` and `reminders`, as data.

use attend_core::mail::MessageId;
use clap::{Args, Subcommand};

use super::mail::{Words, id, moment};
use crate::moment::Moment;

#[derive(Args, Debug)]
#[command(
    override_usage = "attend remind [OPTIONS] IN TEXT...\n       attend remind [OPTIONS] --at TIME TEXT...",
    after_help = "It comes back as a message to your own seat, also after a restart; one that comes late says\nso. A time of today that has passed is one of tomorrow.\n\nExamples:\n  attend remind 20m 'look at the build'\n  attend remind --at 14:30 'stand-up notes'\n  attend reminders"
)]
pub(crate) struct RemindArgs {
    /// When: 14:30, 2026-11-30 14:30, 2026-11-30T14:30:00Z; without it the first word says in how
    /// long: 90s, 10m, 2h, 3d.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) at: Option<Moment>,
    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) words: Words,
}

#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  attend reminders\n  attend reminders cancel 7F3K2A"
)]
pub(crate) struct RemindersArgs {
    #[command(subcommand)]
    pub(crate) command: Option<RemindersCommand>,
    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum RemindersCommand {
    /// Take one back.
    #[command(after_help = "Example:\n  attend reminders cancel 7F3K2A")]
    Cancel {
        /// Which.
        #[arg(value_name = "ID", value_parser = id)]
        id: MessageId,
        /// Print what is left, as one JSON document.
        #[arg(long)]
        json: bool,
    },
}
