//! `attend plugin`: the plugin for Claude Code, written to a directory of its own.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use attend_core::attention::sanitise;

use crate::cli::PluginCommand;
use crate::env::{self, Env};
use crate::output::{Failure, print};
use crate::place::ADVICE;
use crate::plugin::{Directory, PluginFile, files, quoted};

/// Does what `command` says.
pub(crate) fn plugin(command: &PluginCommand, env: &Env) -> Result<(), Failure> {
    match command {
        PluginCommand::Install { dir } => install(dir.as_deref(), env),
        PluginCommand::Uninstall { dir } => uninstall(dir.as_deref(), env),
        PluginCommand::Print => printed(),
    }
}

/// The files of the plugin, as this program writes them.
pub(crate) fn own_files() -> Vec<PluginFile> {
    let program = env::unlisted_program();
    let program = program.map(|path| quoted(&path.to_string_lossy()));
    files(program.as_deref().unwrap_or("attend"))
}

/// Where the plugin lies unless somebody says otherwise; none where the environment names no
/// place.
pub(crate) fn usual(env: &Env) -> Option<PathBuf> {
    env.data().map(|data| data.join("plugin"))
}

fn directory(named: Option<&Path>, env: &Env) -> Result<PathBuf, Failure> {
    let Some(named) = named else {
        return usual(env).ok_or_else(|| {
            Failure::refused(format!(
                "there is no place for the plugin: neither ATTEND_HOME nor HOME names a directory; {ADVICE}, \
                 or name one with --dir"
            ))
        });
    };
    let whole = std::path::absolute(named);
    whole.map_err(|error| {
        let named = named.display();
        Failure::refused(format!(
            "cannot tell where {named} is: {error}; name a whole path"
        ))
    })
}

fn install(named: Option<&Path>, env: &Env) -> Result<(), Failure> {
    let dir = directory(named, env)?;
    let files = own_files();
    let written = Directory::at(dir.clone())?.install(&files)?;
    let shown = sanitise(&dir.display().to_string());
    let mut text = match written.as_slice() {
        [] => format!("nothing changed: the plugin is in {shown} already\n"),
        written => {
            let mut text = format!("wrote the plugin to {shown}:\n");
            for path in written {
                let _ = writeln!(text, "  {path}");
            }
            text
        }
    };
    let dir = sanitise(&quoted(&dir.to_string_lossy()));
    let _ = write!(
        text,
        "\nType this in Claude Code, once, and start the session anew:\n  \
         ! claude plugin marketplace add {dir} && claude plugin install attend@attend\n"
    );
    print(&text)
}

fn uninstall(named: Option<&Path>, env: &Env) -> Result<(), Failure> {
    let dir = directory(named, env)?;
    let shown = sanitise(&dir.display().to_string());
    let (removed, left) = Directory::at(dir)?.uninstall(&own_files())?;
    if removed == 0 && left.is_empty() {
        return print(&format!("nothing changed: there is no plugin in {shown}\n"));
    }
    if removed > 0 {
        let files = if removed == 1 { "file" } else { "files" };
        print(&format!(
            "removed the plugin from {shown} ({removed} {files})\n\n\
             Type this in Claude Code, once, if it was taken up there:\n  \
             ! claude plugin uninstall attend@attend && claude plugin marketplace remove attend\n"
        ))?;
    }
    if left.is_empty() {
        return Ok(());
    }
    let left: Vec<String> = left.iter().map(|path| path.display().to_string()).collect();
    Err(Failure::refused(format!(
        "what is not as attend wrote it is left: {}; remove it yourself",
        left.join(", ")
    )))
}

fn printed() -> Result<(), Failure> {
    let mut text = String::new();
    for file in own_files() {
        let gap = if text.is_empty() { "" } else { "\n" };
        let _ = writeln!(text, "{gap}==> {} <==", file.path);
        text.push_str(&file.text);
    }
    print(&text)
}
