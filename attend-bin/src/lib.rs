//! attend on the command line: what the programs `attend` and `ways` consist of.
//!
//! It is no library for others: what they need stands in `attend-core` and `attend-sensors`.

#[cfg(feature = "chat")]
pub mod chat;
mod cli;
mod cmd;
mod compose;
mod delivery;
mod env;
mod following;
mod former;
mod guidance;
mod ledger;
mod letters;
mod mailbox;
mod moment;
mod output;
mod place;
mod plugin;
mod reaping;
mod receipt;
mod session;
mod shelf;
mod showing;
mod small;
mod speaker;
mod stdin;
mod tree;
mod trust;
mod waiting;
mod way;
mod words;
mod zone;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Command, WaysCli, WaysCommand};
use crate::cmd::statusline::NOTHING_KNOWN;
use crate::env::Env;
use crate::output::{Failure, complain, print};

/// Runs `attend` with the arguments of this process: parse, call, and say by the exit code how
/// it went.
pub fn attend() -> ExitCode {
    let command = command();
    let env = match Env::read() {
        Ok(env) => env,
        Err(failure) => return without_env(&command, failure),
    };
    let done = match command {
        Command::Run(args) => cmd::run::run(&args, &env),
        Command::Demo => cmd::demo::demo(),
        Command::Status(args) => cmd::status::status(&args, &env),
        Command::Explain(args) => cmd::explain::explain(&args, &env),
        Command::Replay(args) => cmd::replay::replay(&args),
        Command::Watch(args) => return cmd::watch::watch(&args, Some(&env)),
        Command::Sensors(args) => cmd::sensors::sensors(&args, &env),
        Command::Config(args) => cmd::config::config(&args.command, &env),
        Command::Send(args) => cmd::send::send(&args, &env),
        Command::Reply(args) => cmd::reply::reply(&args, &env),
        Command::Inbox(args) => cmd::inbox::inbox(&args, &env),
        Command::Show(args) => cmd::show::show(&args, &env),
        Command::Focus(args) => cmd::focus::focus(&args, &env),
        Command::Mute(args) => cmd::mute::mute(&args, &env),
        Command::Unmute(args) => cmd::mute::unmute(&args, &env),
        Command::Remind(args) => cmd::remind::remind(&args, &env),
        Command::Reminders(args) => cmd::remind::reminders(&args, &env),
        #[cfg(feature = "chat")]
        Command::Chat(args) => cmd::chat::chat(&args, &env),
        Command::Peers(args) => cmd::peers::peers(&args, &env),
        Command::Cleanup(args) => cmd::cleanup::cleanup(&args, &env),
        Command::Whoami(args) => cmd::whoami::whoami(&args, &env),
        Command::Statusline => cmd::statusline::statusline(&env),
        Command::Hook => return cmd::hook::hook(&env),
        Command::Plugin(args) => cmd::plugin::plugin(&args.command, &env),
        Command::Doctor(args) => cmd::doctor::doctor(&args, &env),
        Command::Completions { shell } => cmd::completions::attend(shell),
        Command::Man { dir } => cmd::man::man(&dir),
    };
    done.map_or_else(|failure| failure.tell("attend"), |()| ExitCode::SUCCESS)
}

/// What is asked for. A hook, which is run again and again, is known without all the others.
fn command() -> Command {
    if env::only_argument().is_some_and(|argument| argument == "hook") {
        return Command::Hook;
    }
    Cli::parse().command
}

/// What a command does where the environment is refused: those that the host runs do not fail
/// it, and those that need nothing of it go on.
fn without_env(command: &Command, failure: Failure) -> ExitCode {
    let done = match command {
        Command::Demo => cmd::demo::demo(),
        Command::Replay(args) => cmd::replay::replay(args),
        Command::Explain(args) if args.from.is_some() => cmd::explain::of_trace(args),
        Command::Completions { shell } => cmd::completions::attend(*shell),
        Command::Man { dir } => cmd::man::man(dir),
        Command::Hook => {
            complain(&format!("hook: {failure}"));
            Ok(())
        }
        Command::Watch(args) => {
            complain(&failure.to_string());
            return cmd::watch::watch(args, None);
        }
        Command::Statusline => {
            complain(&format!("statusline: {failure}"));
            print(NOTHING_KNOWN)
        }
        _ => Err(failure),
    };
    done.map_or_else(|failure| failure.tell("attend"), |()| ExitCode::SUCCESS)
}

/// Runs `ways` with the arguments of this process.
pub fn ways() -> ExitCode {
    let told = |done: Result<(), Failure>| {
        done.map_or_else(|failure| failure.tell("ways"), |()| ExitCode::SUCCESS)
    };
    let command = WaysCli::parse().command;
    if let WaysCommand::Completions { shell } = command {
        return told(cmd::completions::ways(shell));
    }
    let env = match Env::read() {
        Ok(env) => env,
        Err(failure) => return failure.tell("ways"),
    };
    told(match command {
        WaysCommand::Show(args) => cmd::ways::show::show(&args, &env),
        WaysCommand::List(args) => cmd::ways::list::list(&args, &env),
        WaysCommand::Lint(args) => cmd::ways::lint::lint(&args, &env),
        WaysCommand::Context(args) => cmd::context::context(&args, &env),
        WaysCommand::Rethink(args) => cmd::ways::rethink::rethink(&args, &env),
        WaysCommand::Completions { shell } => cmd::completions::ways(shell),
    })
}

/// A span for people: `40s`, `12m`, `3h`, `2d`, rounded down.
fn span(seconds: u64) -> String {
    attend_core::mail::age(std::time::Duration::from_secs(seconds))
}
