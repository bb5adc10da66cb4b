//! The command line as data.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

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
    /// Say which session this is, and how that was found.
    Whoami(WhoamiArgs),
    /// Keep the exact context window that the host tells on standard input, and print a short
    /// line: for the host's status line.
    Statusline,
    /// Answer a hook of the host, whose JSON is read from standard input.
    Hook,
    /// Print a script that completes commands in a shell.
    Completions {
        /// For which shell.
        shell: clap_complete::Shell,
    },
}

#[derive(Args, Debug)]
#[command(
    after_help = "Lines go to standard output, everything else to standard error. It ends on SIGTERM, SIGINT,\nSIGHUP, or when nobody reads its output any more.\n\nExamples:\n  attend run\n  attend run --project ../other --rearm\n  attend run --once"
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
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  attend status\n  attend status --json")]
pub(crate) struct StatusArgs {
    /// Which project's attend [default: that of the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  attend explain\n  attend explain --sensor git --since 10m")]
pub(crate) struct ExplainArgs {
    /// Which project's attend [default: that of the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// Only this sensor.
    #[arg(long, value_name = "NAME")]
    pub(crate) sensor: Option<String>,
    /// Only the latest: 90s, 10m, 2h, 3d.
    #[arg(long, value_name = "SPAN", value_parser = span, default_value = "1h")]
    pub(crate) since: std::time::Duration,
    /// Print one JSON document a line.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct WhoamiArgs {
    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The command line of `ways` as data.
#[derive(Parser, Debug)]
#[command(
    name = "ways",
    version,
    arg_required_else_help = true,
    max_term_width = 100
)]
#[command(about = "Guidance for a coding agent on the token axis")]
#[command(after_help = "Example:\n  ways context --json")]
pub(crate) struct WaysCli {
    #[command(subcommand)]
    pub(crate) command: WaysCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum WaysCommand {
    /// Show how full the context window of this session is.
    Context(ContextArgs),
}

#[derive(Args, Debug)]
pub(crate) struct ContextArgs {
    /// Print one JSON document; what is not known is null.
    #[arg(long)]
    pub(crate) json: bool,
    /// Which session [default: the one that this process lies in]
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
}

/// Reads `90s`, `10m`, `2h` or `3d`.
fn span(text: &str) -> Result<std::time::Duration, String> {
    let wrong = || format!("`{text}` is no span of time: write 90s, 10m, 2h or 3d");
    let unit = text.chars().last().ok_or_else(wrong)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        _ => return Err(wrong()),
    };
    let digits = text.strip_suffix(unit).filter(|number| {
        // What else reads as a number, such as `+5`, is no span.
        number.bytes().all(|byte| byte.is_ascii_digit())
    });
    let number: Option<u64> = digits.and_then(|number| number.parse().ok());
    number
        .ok_or_else(wrong)?
        .checked_mul(seconds)
        .map(std::time::Duration::from_secs)
        .ok_or_else(wrong)
}
