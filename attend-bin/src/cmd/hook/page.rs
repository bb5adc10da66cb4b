//! What a hook's text holds: as many messages as fit, each in full, and a digest above many.

use attend_core::attention::{Head, Line, reply_hint, split};
use attend_core::mail::{Claim, ClaimRequest, Letter, Reader, Seq, Waiting, Wanted};

/// The host replaces longer texts by a stub, in bytes of the whole answer; what quoting and the
/// frame of the JSON add is left room for.
const MOST: usize = 7_000;

/// What a hook is going to show.
#[derive(Debug)]
pub(super) struct Page {
    letters: Vec<Letter>,
    /// Everything up to here is counted.
    upto: Option<Seq>,
    /// It says how to answer.
    hints: bool,
    shown: Vec<Seq>,
}

impl Page {
    /// As much of what waits as fits. `is_first` where nothing was ever shown there.
    pub(super) fn of(waiting: &Waiting, is_first: bool) -> Self {
        let (letters, upto) = match waiting {
            Waiting::Few(letters) => (letters, None),
            Waiting::Many { upto, directed, .. } => (directed, Some(*upto)),
            _ => return Self::new(Vec::new(), None, false),
        };
        let mut left = MOST;
        let fitting = letters.iter().take_while(|letter| {
            // The mark may come to it.
            let size = size(&lines(letter, true));
            let fits = size <= left;
            left = left.saturating_sub(size);
            fits
        });
        let letters = fitting.cloned().collect();
        Self::new(letters, upto, is_first)
    }

    fn new(letters: Vec<Letter>, upto: Option<Seq>, hints: bool) -> Self {
        Self {
            letters,
            upto,
            hints,
            shown: Vec::new(),
        }
    }

    /// Whether there is nothing to show.
    pub(super) fn is_empty(&self) -> bool {
        self.letters.is_empty() && self.upto.is_none()
    }

    /// What is to be claimed for it.
    pub(super) fn request(&self, reader: Reader) -> ClaimRequest {
        let print = self.letters.iter().map(|letter| letter.seq).collect();
        let wanted = match self.upto {
            Some(upto) => Wanted::Digest { print, upto },
            None => Wanted::Print(print),
        };
        ClaimRequest::new(reader, wanted)
    }

    /// The text, as `claim` grants it, below what else there is to say.
    pub(super) fn text(&mut self, claim: &Claim, note: Option<&str>) -> String {
        let granted = |letter: &Letter| {
            let granted = claim.granted.iter();
            granted.clone().find(|granted| granted.seq == letter.seq)
        };
        let shown: Vec<(&Letter, bool)> = self
            .letters
            .iter()
            .filter_map(|letter| Some((letter, granted(letter)?.again)))
            .collect();
        let mut all = Vec::new();
        if let Some(counts) = &claim.counts {
            let below = shown.len() as u64;
            let digest = counts.line(below);
            all.extend(split(&Head::digest(), &digest, "attend inbox --unread"));
        }
        for (place, (letter, again)) in shown.iter().enumerate() {
            all.extend(lines(letter, *again));
            if self.hints && place == 0 {
                all.extend(reply_hint(letter));
            }
        }
        let text = note.unwrap_or_default().to_owned() + &joined(&all);
        self.shown = shown.iter().map(|(letter, _)| letter.seq).collect();
        text
    }

    /// What the text showed in full.
    pub(super) fn shown(&self) -> Vec<Seq> {
        self.shown.clone()
    }
}

/// Lines as a text, each to its end.
pub(super) fn joined(lines: &[Line]) -> String {
    lines
        .iter()
        .flat_map(|line| [line.as_str(), "\n"])
        .collect()
}

/// The lines of one message.
fn lines(letter: &Letter, again: bool) -> Vec<Line> {
    let head = Head::letter(letter);
    let head = if again { head.again() } else { head };
    split(&head, &letter.body, &format!("attend show {}", letter.id))
}

/// Bytes, as JSON quotes them: only quotes and backslashes take two.
fn size(lines: &[Line]) -> usize {
    let quoted = |line: &Line| {
        let text = line.as_str();
        let quotes = text.bytes().filter(|byte| matches!(byte, b'"' | b'\\'));
        text.len() + quotes.count() + 2
    };
    lines.iter().map(quoted).sum()
}
