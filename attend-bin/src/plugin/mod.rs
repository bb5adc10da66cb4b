//! The plugin for Claude Code: what it consists of, and how it comes to a directory and goes again.

mod files;
pub(crate) use files::{PluginFile, files, quoted};

mod record;

mod directory;
pub(crate) use directory::{Directory, Installation};
