//! The arguments of `attend plugin` and `attend doctor`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Args, Debug)]
#[command(
    after_help = "The plugin is a directory: a monitor that runs `attend run --rearm`, a skill, the hooks, and the\nmarketplace that offers it. Nothing of yours is edited: Claude Code takes the plugin up when you\nsay so there.\n\nExamples:\n  attend plugin install\n  attend plugin print       the same files, to be read first\n  attend plugin uninstall"
)]
pub(crate) struct PluginArgs {
    #[command(subcommand)]
    pub(crate) command: PluginCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum PluginCommand {
    /// Write its files, and say what to type in Claude Code. Where they are there already nothing
    /// changes.
    Install {
        /// Into which directory [default: `plugin` in the directory for data]
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
    /// Remove what was written, and nothing else.
    Uninstall {
        /// From which directory [default: `plugin` in the directory for data]
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
    /// Print its files.
    Print,
}

#[derive(Args, Debug)]
#[command(
    after_help = "It looks, and changes nothing. Exit code 3 where there is something to mend. What it can say of a\nsession it says inside one: type `! attend doctor` in Claude Code.\n\nExamples:\n  attend doctor\n  attend doctor --json"
)]
pub(crate) struct DoctorArgs {
    /// Which project [default: that of the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}
