//! `attend completions`, `ways completions`: a script that completes commands in a shell.

use clap::{Command, CommandFactory};
use clap_complete::Shell;

use crate::cli::{Cli, WaysCli};
use crate::output::{Failure, print};

/// Prints the script for `attend` in `shell`.
pub(crate) fn attend(shell: Shell) -> Result<(), Failure> {
    script("attend", &Cli::command(), shell)
}

/// Prints the script for `ways` in `shell`.
pub(crate) fn ways(shell: Shell) -> Result<(), Failure> {
    script("ways", &WaysCli::command(), shell)
}

fn script(name: &'static str, program: &Command, shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut offered(name, program), name, &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// The program without the commands that its help does not name: those would be completed.
fn offered(name: &'static str, program: &Command) -> Command {
    let commands = program.get_subcommands();
    let named = commands.filter(|command| !command.is_hide_set()).cloned();
    Command::new(name)
        .version(env!("CARGO_PKG_VERSION"))
        .args(program.get_arguments().cloned())
        .subcommands(named)
}
