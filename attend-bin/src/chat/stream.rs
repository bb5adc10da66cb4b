//! The stretch of a conversation that is loaded: bounded, and paged at both ends.

use std::collections::VecDeque;

use attend_core::mail::{Entry, MessageId, Seq};

/// How many messages are asked for at once.
pub(crate) const PAGE: usize = 100;

/// How many are held: what is farther away is let go of, and asked for again.
const MOST: usize = 1_000;

/// One page, oldest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Sheet {
    pub(crate) entries: Vec<Entry>,
    /// Before which message there is more.
    pub(crate) next: Option<MessageId>,
    /// Everything from here on is on the page; none where that is everything there is.
    pub(crate) floor: Option<Seq>,
}

/// Whether a page is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Paging {
    /// Where the screen comes near, it is.
    #[default]
    Ready,
    /// It was, and has not come.
    Asked,
    /// It could not be had: it is asked for again once somebody goes on, or something stirs.
    Failed,
}

/// What is loaded, and which of it is seen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Stream {
    entries: VecDeque<Entry>,
    /// Before which message there is more.
    older: Option<MessageId>,
    /// What was let go of behind the end, farthest first: before which message each page ends;
    /// none for the newest.
    newer: Vec<Option<MessageId>>,
    /// The first message of what was let go of there last.
    gone: Option<MessageId>,
    /// What became of asking for a page at that end.
    pub(crate) asked_older: Paging,
    pub(crate) asked_newer: Paging,
    /// Why the last page that was asked for at an end could not be had.
    pub(crate) trouble: Option<String>,
    /// Whether the first page has come.
    pub(crate) is_loaded: bool,
    /// The message that ends the screen.
    pub(crate) bottom: usize,
    /// How many lines of it lie below the screen.
    pub(crate) hidden: usize,
    pub(crate) selected: Option<Seq>,
    /// What was unread when it was opened begins here.
    pub(crate) fresh: Option<Seq>,
}

impl Stream {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn get(&self, index: usize) -> Option<&Entry> {
        self.entries.get(index)
    }

    pub(crate) fn entries(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.entries.iter()
    }

    /// Before which message there is more.
    pub(crate) fn older(&self) -> Option<&MessageId> {
        self.older.as_ref()
    }

    /// Where a page behind the end is to be asked for.
    pub(crate) fn newer(&self) -> Option<&Option<MessageId>> {
        self.newer.last()
    }

    /// Whether the newest are loaded.
    pub(crate) fn has_end(&self) -> bool {
        self.newer.is_empty()
    }

    /// Whether the screen ends with the newest.
    pub(crate) fn follows(&self) -> bool {
        self.has_end() && self.hidden == 0 && self.bottom + 1 >= self.len()
    }

    /// The position of a message.
    pub(crate) fn index(&self, seq: Seq) -> Option<usize> {
        self.entries
            .binary_search_by_key(&seq, |entry| entry.seq)
            .ok()
    }

    /// Takes the newest page: what is new of it, or all where something lies between. Where
    /// somebody reads farther up, that is left for when they come down.
    pub(crate) fn take_newest(&mut self, sheet: Sheet) {
        let first = !self.is_loaded;
        self.is_loaded = true;
        let follows = first || self.follows();
        let last = self.entries.back().map(|entry| entry.seq);
        let joins = match (last, sheet.floor) {
            (_, None) => true,
            (None, _) => false,
            (Some(last), Some(floor)) => floor <= last,
        };
        // What is read is not let go of for what has come since.
        let is_full = self.len() >= MOST && self.has_end();
        if (!joins || is_full) && !follows {
            let mut entries = sheet.entries.into_iter();
            let first = entries.find(|entry| last < Some(entry.seq));
            if let Some(first) = first.filter(|_| self.has_end()) {
                self.newer.push(None);
                self.gone = Some(first.id).filter(|_| joins);
            }
            return;
        }
        if !joins || last.is_none() {
            self.replace(sheet);
            return;
        }
        if !self.has_end() {
            return;
        }
        for entry in sheet.entries {
            if last < Some(entry.seq) {
                self.entries.push_back(entry);
            } else {
                self.renew(entry);
            }
        }
        if follows {
            self.end_at_last();
            while self.len() > MOST {
                self.entries.pop_front();
                self.older = self.entries.front().map(|entry| entry.id.clone());
                self.bottom = self.bottom.saturating_sub(1);
            }
        }
    }

    /// Begins anew with the newest page.
    pub(crate) fn replace(&mut self, sheet: Sheet) {
        self.entries = sheet.entries.into();
        self.older = sheet.next;
        self.newer.clear();
        self.gone = None;
        (self.asked_older, self.asked_newer) = (Paging::Ready, Paging::Ready);
        self.trouble = None;
        self.is_loaded = true;
        self.end_at_last();
    }

    /// Takes a page before the first.
    pub(crate) fn take_older(&mut self, sheet: Sheet) {
        self.asked_older = Paging::Ready;
        self.trouble = None;
        self.older = sheet.next;
        let first = self.entries.front().map(|entry| entry.seq);
        for entry in sheet.entries.into_iter().rev() {
            if first.is_none_or(|first| entry.seq < first) {
                self.entries.push_front(entry);
                self.bottom += 1;
            }
        }
        self.bottom = self.bottom.min(self.len().saturating_sub(1));
        while self.len() > MOST && self.len() - PAGE > self.bottom + 1 {
            let kept = self.len() - PAGE;
            let gone = self.entries.get(kept).map(|entry| entry.id.clone());
            self.newer.push(std::mem::replace(&mut self.gone, gone));
            self.entries.truncate(kept);
        }
    }

    /// Takes a page behind the last.
    pub(crate) fn take_newer(&mut self, sheet: Sheet) {
        self.asked_newer = Paging::Ready;
        self.trouble = None;
        let end = self.newer.pop();
        let is_newest = end == Some(None);
        self.gone = end.flatten();
        let last = self.entries.back().map(|entry| entry.seq);
        let joins = match (last, sheet.floor) {
            (Some(last), Some(floor)) => floor <= last,
            _ => true,
        };
        if is_newest && !joins {
            self.replace(sheet);
            return;
        }
        let newer = sheet.entries.into_iter();
        self.entries
            .extend(newer.filter(|entry| last < Some(entry.seq)));
        while self.len() > MOST && self.bottom > PAGE {
            self.entries.pop_front();
            self.older = self.entries.front().map(|entry| entry.id.clone());
            self.bottom -= 1;
        }
    }

    /// What could not be had may be asked for again.
    pub(crate) fn ask_again(&mut self) {
        for asked in [&mut self.asked_older, &mut self.asked_newer] {
            if *asked == Paging::Failed {
                *asked = Paging::Ready;
            }
        }
    }

    /// The screen ends with the newest that is loaded.
    pub(crate) fn end_at_last(&mut self) {
        self.bottom = self.len().saturating_sub(1);
        self.hidden = 0;
    }

    /// Notes that these were shown.
    pub(crate) fn shown(&mut self, seqs: &[Seq]) {
        for seq in seqs {
            if let Some(index) = self.index(*seq) {
                self.entries[index].state = Some(attend_core::mail::State::Printed);
            }
        }
    }

    fn renew(&mut self, entry: Entry) {
        if let Some(index) = self.index(entry.seq) {
            self.entries[index] = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::RangeInclusive;
    use std::time::SystemTime;

    use attend_core::mail::SenderKind;

    use super::*;

    fn sheet(numbers: RangeInclusive<usize>) -> Sheet {
        let entry = |number: usize| {
            let (seq, at) = (Seq::new(number as u64), SystemTime::UNIX_EPOCH);
            let id = MessageId::new(format!("M{number}"));
            let to = vec!["#open".to_owned()];
            Entry::new(seq, id, at, "Cleo-alpha", SenderKind::Agent, to, None, "hi")
        };
        let floor = Seq::new(*numbers.start() as u64);
        Sheet {
            next: Some(MessageId::new(format!("M{}", numbers.start()))),
            floor: Some(floor),
            entries: numbers.map(entry).collect(),
        }
    }

    fn last(stream: &Stream) -> u64 {
        stream.entries().next_back().unwrap().seq.get()
    }

    #[test]
    fn what_comes_while_somebody_reads_farther_up_is_bounded_and_found_on_the_way_down() {
        let mut stream = Stream::default();
        stream.take_newest(sheet(1..=MOST));
        stream.bottom = 10;
        for end in MOST + 1..=MOST + 50 {
            stream.take_newest(sheet(end - PAGE + 1..=end));
        }
        assert_eq!((stream.len(), last(&stream)), (MOST, MOST as u64));
        assert!(!stream.has_end() && !stream.follows());
        // Farther up still: what is let go of ends before what came.
        stream.take_older(sheet(0..=0));
        let before = stream.newer().cloned().flatten();
        assert_eq!(before, Some(MessageId::new(format!("M{}", MOST + 1))));
        stream.take_newer(sheet(MOST - PAGE + 1..=MOST));
        stream.take_newer(sheet(MOST + 50 - 2 * PAGE + 1..=MOST + 50));
        assert_eq!(last(&stream), MOST as u64 + 50);
        assert!(stream.has_end());
        let numbers = stream.entries().map(|entry| entry.seq.get());
        assert!(numbers.eq(0..=MOST as u64 + 50), "there is no gap");
    }
}
