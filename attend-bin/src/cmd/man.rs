//! `attend man`: the manual pages, from the same description of the arguments as the help.

use std::fs;
use std::path::Path;

use clap::CommandFactory;

use crate::cli::{Cli, WaysCli};
use crate::output::{Failure, print};

/// Writes a page for each command of both programs into `dir`.
pub(crate) fn man(dir: &Path) -> Result<(), Failure> {
    let written = || {
        fs::create_dir_all(dir)?;
        for program in [Cli::command(), WaysCli::command()] {
            clap_mangen::generate_to(program, dir)?;
        }
        Ok(())
    };
    written().map_err(|error: std::io::Error| {
        let dir = dir.display();
        Failure::refused(format!(
            "cannot write manual pages to {dir}: {error}; name a directory that you may write to"
        ))
    })?;
    let dir = attend_core::attention::sanitise(&dir.display().to_string());
    print(&format!("wrote the manual pages to {dir}\n"))
}
