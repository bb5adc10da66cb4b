//! The arguments of `attend watch`.

use std::ffi::OsString;

use clap::Args;

#[derive(Args, Debug)]
#[command(
    after_help = "It reads and writes what the command would, and ends with its exit code; with 128 and the number\nof the signal, where one ended it. A running attend of the same project tells when it started,\nhow long it ran, and its code.\n\nExamples:\n  attend watch -- make test\n  attend watch -- sh -c 'make && ./deploy.sh'"
)]
pub(crate) struct WatchArgs {
    /// The command, with its arguments.
    #[arg(required = true, trailing_var_arg = true, value_name = "CMD")]
    pub(crate) command: Vec<OsString>,
}
