//! `attend completions`: a script that completes commands in a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::output::{Failure, print};

/// Prints the script for `shell`.
pub(crate) fn completions(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "attend", &mut script);
    print(&String::from_utf8_lossy(&script))
}
