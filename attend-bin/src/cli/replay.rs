//! The arguments of `replay`, as data.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Debug)]
#[command(
    after_help = "TRACE is what attend run --record wrote. Without --config it prints what that loop wrote, with an\nempty line between notifications; a message is shown by its id, kind and size. With one file of\nconfiguration it tells what would have been shown under that file alone, beside what was under\nthe recorded settings; with two, under each of them. Both sides then run in virtual time and\nwrite at once. Tokens are characters / 4.\n\nExamples:\n  attend run --record day.trace\n  attend replay day.trace\n  attend replay day.trace --config patient.yaml\n  attend replay day.trace --config one.yaml --config two.yaml --json"
)]
pub(crate) struct ReplayArgs {
    /// What was recorded.
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,
    /// Under the settings of this file, in place of the recorded ones; at most twice
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Vec<PathBuf>,
    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}
