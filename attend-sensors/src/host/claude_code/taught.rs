//! Looks in a transcript for lines that attend taught, and how far back they stand in tokens.

use std::fs::File;
use std::io;
use std::path::Path;

use attend_core::sensor::Taught;
use memchr::memmem::Finder;

use super::backwards::{self, Limits};
use super::delivered;
use super::row::{self, Kind, Parsed};

/// Lines further back count as gone.
const LIMITS: Limits = Limits {
    history: 0,
    reach: 16 << 20,
    row: 1 << 20,
};

/// For each line asked for, the tokens before the model when the file `transcript` delivered it
/// last, as [`HostRequest::Taught`](attend_core::sensor::HostRequest::Taught) asks.
///
/// # Errors
///
/// The file cannot be read, or is no regular file.
pub(super) fn taught_in(transcript: &Path, taught: &Taught) -> io::Result<Vec<Option<u64>>> {
    // Opening something else, such as a pipe, might wait for ever.
    if !std::fs::metadata(transcript)?.is_file() {
        return Err(io::Error::other("the transcript is no regular file"));
    }
    let mut file = File::open(transcript)?;
    let length = file.metadata()?.len();
    let head = format!("[attend sensor={}", taught.sensor);
    let mut search = Search {
        head: Finder::new(&head),
        taught,
        lines: vec![Line::Sought; taught.lines.len()],
        next: None,
        least: None,
        ended: false,
    };
    backwards::read(&mut file, length, LIMITS, |row, _| search.row(row))?;
    search.end();
    Ok(search.lines.iter().map(|line| line.position()).collect())
}

/// What is known of a line, on the way back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Line {
    Sought,
    /// It was delivered after the answer that is met next.
    Met,
    /// Before it stood so many tokens.
    At(u64),
    /// The count fell below that since: it is in another span.
    Gone,
}

impl Line {
    fn position(self) -> Option<u64> {
        match self {
            Self::At(tokens) => Some(tokens),
            _ => None,
        }
    }
}

struct Search<'a> {
    head: Finder<'a>,
    taught: &'a Taught,
    lines: Vec<Line>,
    /// The count of the answer that follows.
    next: Option<u64>,
    /// The least count of all that follow.
    least: Option<u64>,
    ended: bool,
}

impl Search<'_> {
    /// Looks at a row, the last one first. Whether no more is needed.
    fn row(&mut self, bytes: &[u8]) -> bool {
        if self.ended {
            return true;
        }
        if self.head.find(bytes).is_some() {
            self.lines(bytes);
        }
        if row::may_settle_context(bytes)
            && let Parsed::Row(row) = row::parse(bytes)
            && row.settles_context()
        {
            match row.kind {
                Kind::Answer {
                    usage: Some(usage), ..
                } => self.answer(usage.tokens),
                _ => self.end(),
            }
        }
        let is_open = |line: &Line| matches!(line, Line::Sought | Line::Met);
        self.ended |= !self.lines.iter().any(is_open);
        self.ended
    }

    fn lines(&mut self, bytes: &[u8]) {
        let (taught, lines) = (self.taught, &mut self.lines);
        delivered::notified(bytes, taught.sensor.as_str(), |text| {
            for (line, sought) in lines.iter_mut().zip(&taught.lines) {
                let rest = text.strip_prefix(sought.as_str());
                // How old it was when it was shown.
                let is_it = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("));
                if is_it && *line == Line::Sought {
                    *line = Line::Met;
                }
            }
        });
    }

    /// The model answered, with so many tokens before it.
    fn answer(&mut self, tokens: u64) {
        self.place(tokens);
        self.next = Some(tokens);
        self.least = Some(self.least.map_or(tokens, |least| least.min(tokens)));
    }

    /// Nothing that lies before counts. What was met stands no further on than the next answer.
    fn end(&mut self) {
        if self.ended {
            return;
        }
        self.ended = true;
        if let Some(next) = self.next {
            self.place(next);
        }
    }

    fn place(&mut self, tokens: u64) {
        let fell = self.least.is_some_and(|least| least < tokens);
        let place = if fell { Line::Gone } else { Line::At(tokens) };
        for line in self.lines.iter_mut().filter(|line| **line == Line::Met) {
            *line = place;
        }
    }
}
