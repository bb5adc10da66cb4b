//! The arguments of `cleanup`, as data.

use clap::Args;

#[derive(Args, Debug)]
#[command(
    after_help = "A project is gone when the host tracked it once, and its directory and all that the host kept\nof it are gone. What was sent to it goes when it was seen gone twice, ten minutes apart\n(cleanup.interval in the configuration), and with it what its agents said in rooms, except\nwhat somebody else has still to read. Nothing goes by age, and nothing that was read goes for\nthat. What is remembered of the ways that a session was shown goes when the host keeps neither a\ntranscript nor a process of it, seen twice like that. A running attend does the same by itself.\n\nExamples:\n  attend cleanup --dry-run  what would go, and which projects wait\n  attend cleanup\n  attend cleanup --all      also what others have not read"
)]
pub(crate) struct CleanupArgs {
    /// Change nothing, and tell what would go.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Also remove what its agents said in rooms and others have not read.
    #[arg(long)]
    pub(crate) all: bool,
    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}
