//! The command line as data.

use std::path::PathBuf;

use attend_core::runtime::config::{Span, SpanError};
use clap::{Args, Parser, Subcommand};

mod explain;
pub(crate) use explain::ExplainArgs;

mod mail;
pub(crate) use mail::{
    FocusArgs, FocusCommand, FocusRoom, InboxArgs, ReplyArgs, SendArgs, ShowArgs, To, WaitFor,
    Words,
};

#[cfg(feature = "chat")]
mod chat;
#[cfg(feature = "chat")]
pub(crate) use chat::{ChatArgs, ChatColours};

mod cleanup;
pub(crate) use cleanup::CleanupArgs;

mod remind;
pub(crate) use remind::{RemindArgs, RemindersArgs, RemindersCommand};

mod mute;
pub(crate) use mute::{MuteArgs, UnmuteArgs, What};

mod plugin;
pub(crate) use plugin::{DoctorArgs, PluginArgs, PluginCommand};

mod replay;
pub(crate) use replay::ReplayArgs;

mod told;

mod watch;
pub(crate) use watch::WatchArgs;

mod ways;
pub(crate) use ways::{
    ContextArgs, LintArgs, ListArgs, RethinkArgs, ShowMode, ShowWayArgs, WaysCli, WaysCommand,
};

/// Ambient awareness for a coding agent: watches, decides what deserves an interruption, and
/// prints it line by line.
#[derive(Parser, Debug)]
#[command(
    name = "attend",
    version,
    arg_required_else_help = true,
    max_term_width = 100
)]
#[command(
    after_help = "Examples:\n  attend run                watch this repository; one line for whatever matters\n  attend status             what is held back, why, and until when\n  attend demo               see a scripted minute, without any set-up"
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Watch, and print a line for whatever deserves an interruption.
    Run(RunArgs),
    /// Show a scripted minute in virtual time, with the reason for each hold.
    Demo,
    /// Show what a running attend holds back, why, and until when.
    Status(StatusArgs),
    /// Tell why each thing was shown, held or dropped.
    Explain(ExplainArgs),
    /// Replay what a loop recorded, as it was or under other settings.
    Replay(ReplayArgs),
    /// Run a command, and let a running attend tell how it ended.
    Watch(WatchArgs),
    /// List the sensors: what is configured, how each fares, when it looks.
    Sensors(SensorsArgs),
    /// Show, check or begin the configuration.
    Config(ConfigArgs),
    /// Send a message to agents, people and rooms.
    Send(SendArgs),
    /// Answer a message.
    Reply(ReplyArgs),
    /// List messages, or show what is unread.
    Inbox(InboxArgs),
    /// Show one message whole, with its thread and who saw it.
    Show(ShowArgs),
    /// Join, leave and list rooms.
    Focus(FocusArgs),
    /// Hold something back for a while: a sensor, a signal or a room.
    Mute(MuteArgs),
    /// Hear of it again.
    Unmute(UnmuteArgs),
    /// Send yourself a message later.
    Remind(RemindArgs),
    /// List your reminders, or take one back.
    Reminders(RemindersArgs),
    /// Talk with agents and people in this terminal.
    #[cfg(feature = "chat")]
    Chat(ChatArgs),
    /// List who sits where, what each does, and what waits for them.
    Peers(PeersArgs),
    /// Remove the mail of projects that are gone.
    Cleanup(CleanupArgs),
    /// Say who speaks from here, on which seat, and how that was found.
    Whoami(WhoamiArgs),
    /// Keep the exact context window that the host tells on standard input, and print a short
    /// line: for the host's status line.
    #[command(after_help = told::STATUSLINE)]
    Statusline,
    /// Answer a hook of the host, whose JSON is read from standard input.
    #[command(after_help = told::HOOK)]
    Hook,
    /// Write the plugin for Claude Code, remove it, or print it.
    Plugin(PluginArgs),
    /// Tell whether everything that attend needs is there, and what to do where it is not.
    Doctor(DoctorArgs),
    /// Print a script that completes commands in a shell.
    Completions {
        /// For which shell.
        shell: clap_complete::Shell,
    },
    /// Write the manual pages of `attend` and `ways`, for whoever makes a package.
    #[command(hide = true)]
    Man {
        /// Into which directory; it is made where it is missing.
        dir: PathBuf,
    },
}

#[derive(Args, Debug)]
#[command(
    after_help = "Lines go to standard output, everything else to standard error. It ends on SIGTERM, SIGINT,\nSIGHUP, or when nobody reads its output any more. A second one for the same project prints\nevery line again: each tells its own reader.\n\nExamples:\n  attend run\n  attend run --project ../other --rearm\n  attend run --once\n  attend run --record day.trace"
)]
pub(crate) struct RunArgs {
    /// Say nothing at the start unless something changed: for a monitor that is armed again.
    #[arg(long)]
    pub(crate) rearm: bool,
    /// Look once with every sensor, print what is due, and end.
    #[arg(long)]
    pub(crate) once: bool,
    /// What to watch: a repository or directory [default: the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// Which session of the host to run beside [default: the one that this process lies in]
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Write down in a new file what is decided over, for attend replay: the texts of events,
    /// and of messages ids, sizes and kinds
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  attend status\n  attend status --json")]
pub(crate) struct StatusArgs {
    #[command(flatten)]
    pub(crate) of: OfLoop,
    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  attend sensors --verbose\n  attend sensors try git"
)]
pub(crate) struct SensorsArgs {
    #[command(subcommand)]
    pub(crate) command: Option<SensorsCommand>,
    #[command(flatten)]
    pub(crate) of: OfProject,
    /// Also what each looks at, its cadence, and its warnings.
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum SensorsCommand {
    /// Let one sensor look once, without touching any state, and show what would become of it.
    #[command(
        after_help = "A first look is a baseline: it tells conditions that hold, and no changes.\n\nExample:\n  attend sensors try git"
    )]
    Try {
        /// Which sensor, by its name.
        name: String,
        #[command(flatten)]
        of: OfProject,
    },
}

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  attend config init        write a commented sample to your configuration\n  attend config show        what holds, and where it comes from\n  attend config check       what is wrong, with its line\n  attend config trust       allow what this project would have run"
)]
pub(crate) struct ConfigArgs {
    #[command(subcommand)]
    pub(crate) command: ConfigCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum ConfigCommand {
    /// Show what holds, and where each value comes from.
    Show(OfProject),
    /// Print the paths of the files, one a line, yours first.
    Path {
        /// Which project [default: that of the current directory]
        #[arg(long, value_name = "DIR")]
        project: Option<PathBuf>,
    },
    /// Write a commented sample, in which every key has its default.
    Init {
        /// Print it instead.
        #[arg(long)]
        stdout: bool,
    },
    /// Find mistakes, with their lines. Exit code 3 where there are any.
    Check(OfProject),
    /// Allow what a project's file would have run on this machine, as it is now. A person does, at a
    /// terminal.
    Trust(TrustArgs),
    /// Print the JSON Schema of the files, for editors.
    Schema {
        /// Describe every key as Markdown instead.
        #[arg(long)]
        markdown: bool,
    },
}

#[derive(Args, Debug)]
#[command(
    after_help = "A script that .claude/attend.yaml of a project names is not run until this allowed it. It asks again\nwhen the project moved, and when the configuration of the script or the content of any file\namong its words changed.\n\nExamples:\n  attend config trust --show     what is asked for, and what is allowed\n  attend config trust            the same, and a question\n  attend config trust --withdraw"
)]
pub(crate) struct TrustArgs {
    /// Which project [default: that of the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// Only show it.
    #[arg(long, conflicts_with = "withdraw")]
    pub(crate) show: bool,
    /// Allow nothing of this project any more.
    #[arg(long)]
    pub(crate) withdraw: bool,
}

/// Of which loop.
#[derive(Args, Debug)]
pub(crate) struct OfLoop {
    /// Which project's observer; it may be gone by now [default: the loop of this session, else
    /// that of the current directory]
    #[arg(long, value_name = "DIR", conflicts_with = "session")]
    pub(crate) project: Option<PathBuf>,
    /// Which session's loop
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
}

/// Of which project, and in which form.
#[derive(Args, Debug)]
pub(crate) struct OfProject {
    /// Which project [default: that of the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(
    after_help = "It lists every seat: yours, those that live, people, and last those whose session has ended: mail\nto them waits. What a session does is what its host recorded last.\n\nExamples:\n  attend peers\n  attend peers --json"
)]
pub(crate) struct PeersArgs {
    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct WhoamiArgs {
    /// Which session [default: the one that this process lies in]
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Reads `90s`, `10m`, `2h` or `3d`.
fn span(text: &str) -> Result<std::time::Duration, SpanError> {
    text.parse::<Span>().map(Into::into)
}
