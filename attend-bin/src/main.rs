//! attend on the command line: parse, call, and say by the exit code how it went.

mod cli;
mod cmd;
mod compose;
mod env;
mod output;
mod place;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Command};
use crate::env::Env;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let env = Env::read();
    let done = match cli.command {
        Command::Run(args) => cmd::run::run(&args, &env),
        Command::Demo => cmd::demo::demo(),
        Command::Status(args) => cmd::status::status(&args, &env),
        Command::Explain(args) => cmd::explain::explain(&args, &env),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.tell(),
    }
}

/// A span for people: `40s`, `12m`, `3h`, `2d`, rounded down.
fn span(seconds: u64) -> String {
    attend_core::mail::age(std::time::Duration::from_secs(seconds))
}
