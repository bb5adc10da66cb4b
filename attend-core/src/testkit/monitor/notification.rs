//! One notification: what was printed, what is left of it, and whether the agent got it.

use std::borrow::Cow;

/// The most UTF-16 units of one line.
pub(super) const LINE_UNITS: usize = 500;

/// The most UTF-16 units of one notification, line breaks between its lines included.
pub(super) const NOTIFICATION_UNITS: usize = 3_000;

/// Something that Monitor had to say, whether or not it reached the agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notification {
    pub(super) at: u64,
    pub(super) said: Said,
    pub(super) fate: Fate,
}

/// What a [`Notification`] says.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Said {
    /// Lines of the program, whole, as it printed them.
    Lines(Vec<String>),
    /// So many notifications were suppressed before this one.
    Suppressed(u64),
    /// Monitor stopped reading, because too much was printed for too long.
    Stopped,
    /// The program ended, or was ended.
    Ended(Ending),
}

/// How a monitored program ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Ending {
    /// It exited with 0.
    Completed,
    /// It exited with this code.
    Failed(i32),
    /// The host ended it.
    Killed,
}

/// What became of a [`Notification`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fate {
    /// The agent got it.
    Delivered,
    /// It was left out, and counted.
    Suppressed,
    /// It was queued, and no agent ever got it. Nobody is told.
    Lost,
}

impl Notification {
    /// When it left Monitor, in milliseconds on the axis of whoever fed it.
    pub fn at(&self) -> u64 {
        self.at
    }

    /// What it says.
    pub fn said(&self) -> &Said {
        &self.said
    }

    /// What became of it.
    pub fn fate(&self) -> Fate {
        self.fate
    }

    /// Whether the agent got it.
    pub fn is_delivered(&self) -> bool {
        self.fate == Fate::Delivered
    }

    /// The lines in it, whole, as the program printed them; none where Monitor itself speaks.
    pub fn written(&self) -> &[String] {
        match &self.said {
            Said::Lines(lines) => lines,
            _ => &[],
        }
    }

    /// What stands in it as text: each line cut at 500 UTF-16 units, then all of it at 3,000, and
    /// `<` and `>` still as they were printed.
    ///
    /// Empty for the end of a program.
    ///
    /// A character that takes two units is never halved: the cut is before it.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.said {
            Said::Lines(lines) => {
                let lines: Vec<&str> = lines.iter().map(|line| head(line, LINE_UNITS)).collect();
                let mut text = lines.join("\n");
                text.truncate(head(&text, NOTIFICATION_UNITS).len());
                text.into()
            }
            Said::Suppressed(count) => {
                format!("[{count} events suppressed — output rate too high]").into()
            }
            Said::Stopped => "[Monitor stopped — too much output]".into(),
            Said::Ended(_) => "".into(),
        }
    }

    /// How many of its lines do not stand in it whole.
    pub fn cut(&self) -> usize {
        let (text, mut at) = (self.text(), 0);
        let is_whole = |line: &String| {
            let whole = text.get(at..).is_some_and(|rest| {
                let after = rest.strip_prefix(line.as_str());
                after.is_some_and(|after| after.is_empty() || after.starts_with('\n'))
            });
            at += head(line, LINE_UNITS).len() + 1;
            whole
        };
        let whole = self.written().iter().map(is_whole);
        whole.filter(|whole| !whole).count()
    }
}

/// As much of the start of `text` as takes at most `most` UTF-16 units.
fn head(text: &str, most: usize) -> &str {
    let mut used = 0;
    let beyond = text.char_indices().find(|(_, c)| {
        used += c.len_utf16();
        used > most
    });
    beyond.and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}
