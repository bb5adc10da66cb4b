//! Output: lines on stdout that end quietly when nobody reads them, and failures for people.

use std::error::Error;
use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::process::ExitCode;

use attend_core::attention::sanitise;
use attend_core::runtime::system::stdout_was_closed;
use serde::Serialize;

/// A command that did not do what was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    text: Option<String>,
    code: u8,
}

impl Failure {
    /// It failed or was refused: exit code 1. The text says what was attempted, on what, and
    /// what to do.
    pub(crate) fn refused(text: impl Into<String>) -> Self {
        Self {
            text: Some(text.into()),
            code: 1,
        }
    }

    /// The same, where `done` was done all the same and has to be said.
    #[must_use]
    pub(crate) fn after(mut self, done: &str) -> Self {
        self.text = self.text.map(|text| format!("{done}; {text}"));
        self
    }

    /// It failed for the reason that `error` and its sources give.
    pub(crate) fn of(error: &dyn Error) -> Self {
        let mut text = error.to_string();
        let mut source = error.source();
        while let Some(reason) = source {
            text = format!("{text}: {reason}");
            source = reason.source();
        }
        Self::refused(text)
    }

    /// It was called in another way than it can be: exit code 2. The text says how to.
    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Self {
            text: Some(text.into()),
            code: 2,
        }
    }

    /// It did what was asked and found something: exit code 3. What that is was printed.
    pub(crate) fn findings() -> Self {
        Self {
            text: None,
            code: 3,
        }
    }

    /// Says so on stderr, and by the exit code.
    pub(crate) fn tell(&self, program: &str) -> ExitCode {
        if let Some(text) = &self.text {
            let _ = writeln!(io::stderr().lock(), "{program}: {}", sanitise(text));
        }
        ExitCode::from(self.code)
    }
}

impl From<io::Error> for Failure {
    /// A reader that went away ends a command quietly; anything else is worth saying.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self {
                text: None,
                code: 0,
            };
        }
        Self::refused(format!("cannot write to standard output: {error}"))
    }
}

/// Writes `text` to stdout, whole.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    if stdout_was_closed() {
        return Err(io::Error::other("it is closed").into());
    }
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Writes one JSON document to stdout.
pub(crate) fn print_json(what: &impl Serialize) -> Result<(), Failure> {
    print(&document(what)?)
}

/// One JSON document, as it is written.
pub(crate) fn document(what: &impl Serialize) -> Result<String, Failure> {
    harmless(serde_json::to_string_pretty(what))
}

/// One JSON document on a line of its own.
pub(crate) fn json_line(what: &impl Serialize) -> Result<String, Failure> {
    harmless(serde_json::to_string(what))
}

fn harmless(text: serde_json::Result<String>) -> Result<String, Failure> {
    let text = text.map_err(|error| Failure::refused(format!("cannot write JSON: {error}")))?;
    let mut safe = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        // What a terminal obeys or hides is escaped; the value stays as it is.
        if matches!(c, '\u{7f}'..='\u{9f}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        {
            let _ = write!(safe, "\\u{:04x}", u32::from(c));
        } else {
            safe.push(c);
        }
    }
    safe.push('\n');
    Ok(safe)
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.as_deref().unwrap_or("nobody reads the output"))
    }
}

/// Says something to people on stderr. That nobody can hear it is no reason to fail.
pub(crate) fn complain(text: &str) {
    complain_as("attend", text);
}

/// The same by the program `program`.
pub(crate) fn complain_as(program: &str, text: &str) {
    let _ = writeln!(io::stderr().lock(), "{program}: {}", sanitise(text));
}
