//! Ways: files, findings, the gate, scores and pictures.

#![expect(clippy::unwrap_used, reason = "what fails here fails a test")]

mod corpus;
mod findings;
mod gate;
mod index;
mod patterns;
mod pictures;
mod samples;
mod scores;
mod state;
mod taken;
mod triggers;

use std::path::Path;

use attend_core::dynamics::{Curve, Shape};
use attend_core::ways::{Read, Way, WayId, read};

/// Reads `text` as the way `some/way` in `way.md`.
fn parsed(text: &str) -> Read {
    read(&WayId::new("some/way").unwrap(), Path::new("way.md"), text)
}

/// A way for the signal `signal`, with more lines of frontmatter.
fn way(name: &str, description: &str, signal: &str, more: &str) -> Way {
    let text = format!(
        "---\nname: {name}\ndescription: {description}\ntrigger:\n  type: attend\n  signals: [{signal}]\n{more}---\nDo it.\n"
    );
    let read = read(&WayId::new(name).unwrap(), Path::new("way.md"), &text);
    assert_eq!(read.findings, []);
    read.way.unwrap()
}

fn curve(shape: Shape) -> Curve {
    Curve::new(shape).unwrap()
}
