//! The command line of `ways` as data.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Guidance for a coding agent: what applies, and has faded enough to be shown again.
#[derive(Parser, Debug)]
#[command(
    name = "ways",
    version,
    arg_required_else_help = true,
    max_term_width = 100
)]
#[command(
    after_help = "Examples:\n  ways show attend/context-pressure    the guidance for a signal\n  ways list                            every way, and what is left of its last showing\n  ways lint .claude/ways               mistakes, with their lines"
)]
pub(crate) struct WaysCli {
    #[command(subcommand)]
    pub(crate) command: WaysCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum WaysCommand {
    /// Show the guidance for a signal.
    Show(ShowWayArgs),
    /// List the ways: on what each fires, how it fades, what is left of its last showing.
    List(ListArgs),
    /// Find mistakes in the files of ways. Exit code 3 where there are any.
    Lint(LintArgs),
    /// Show how full the context window of this session is.
    Context(ContextArgs),
    /// Show where every way of this session stands on the axis of tokens.
    Rethink(RethinkArgs),
    /// Print a script that completes commands in a shell.
    Completions {
        /// For which shell.
        shell: clap_complete::Shell,
    },
}

#[derive(Args, Debug)]
#[command(
    after_help = "A way that was shown a short while ago is named in one line. Without a session it is shown whole,\nand nothing is remembered. The context that is given is compared with the ways and not kept.\n\nExamples:\n  ways show attend/context-pressure\n  ways show attend/build-failed --context 'undefined symbol'\n  ways show attend/context-pressure --mode critical"
)]
pub(crate) struct ShowWayArgs {
    /// For which signal: attend/NAME
    #[arg(value_name = "attend/SIGNAL", value_parser = signal)]
    pub(crate) signal: String,
    #[command(flatten)]
    pub(crate) of: OfSession,
    /// What is going on: of several ways, the one that fits best is shown [default: what was said
    /// last in the session]
    #[arg(long, value_name = "TEXT")]
    pub(crate) context: Option<String>,
    /// How the signal was told; critical shows a way again sooner
    #[arg(long, value_enum, value_name = "MODE", default_value = "affordance")]
    pub(crate) mode: ShowMode,
    /// Show it whole, whenever it was shown last, and remember nothing.
    #[arg(long)]
    pub(crate) force: bool,
}

/// How a signal was told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ShowMode {
    /// Not at all.
    Silent,
    /// As a fact.
    Informational,
    /// With the command that shows its guidance.
    Affordance,
    /// With what is at stake.
    Insistent,
    /// With the consequence first.
    Critical,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  ways list\n  ways list --json")]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) of: OfSession,
    /// Print one JSON document; what is not known is null.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  ways lint\n  ways lint .claude/ways/review.md --json")]
pub(crate) struct LintArgs {
    /// Files, or directories with all below them [default: yours, and those of the project]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ContextArgs {
    /// Print one JSON document; what is not known is null.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) of: OfSession,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  ways rethink\n  ways rethink context-pressure --plot ways.svg"
)]
pub(crate) struct RethinkArgs {
    /// Only this way, by its id
    #[arg(value_name = "WAY")]
    pub(crate) way: Option<String>,
    #[command(flatten)]
    pub(crate) of: OfSession,
    /// Also draw them, to this file
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
    /// Print one JSON document; what is not known is null.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Of which session.
#[derive(Args, Debug)]
pub(crate) struct OfSession {
    /// Which session [default: the one that this process lies in]
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
}

/// Reads `attend/NAME`.
fn signal(text: &str) -> Result<String, String> {
    let name = text.strip_prefix("attend/").unwrap_or_default();
    if name.is_empty() {
        return Err("a signal is written attend/NAME, such as attend/context-pressure".to_owned());
    }
    Ok(name.to_owned())
}
