//! What is kept of a stream that may be a flood: its beginning or its end, within bounds.

/// Some bytes of a stream, and how much more there was.
#[derive(Debug)]
pub(super) struct Kept {
    bytes: Vec<u8>,
    most: usize,
    rule: Rule,
    /// How many bytes were not kept.
    pub(super) dropped: u64,
    /// How many lines ended in bytes that were not kept.
    pub(super) dropped_lines: u64,
}

#[derive(Clone, Copy, Debug)]
enum Rule {
    /// The first bytes, and of each line no more than so many.
    First {
        of_line: usize,
        in_line: usize,
    },
    Last,
}

impl Kept {
    /// The first `most` bytes, and `of_line` of each line.
    pub(super) fn first(most: usize, of_line: usize) -> Self {
        Self::new(
            most,
            Rule::First {
                of_line,
                in_line: 0,
            },
        )
    }

    /// The last `most` bytes.
    pub(super) fn last(most: usize) -> Self {
        Self::new(most, Rule::Last)
    }

    fn new(most: usize, rule: Rule) -> Self {
        Self {
            bytes: Vec::new(),
            most,
            rule,
            dropped: 0,
            dropped_lines: 0,
        }
    }

    /// What is kept.
    pub(super) fn bytes(&self) -> &[u8] {
        let over = match self.rule {
            Rule::First { .. } => 0,
            Rule::Last => self.bytes.len().saturating_sub(self.most),
        };
        self.bytes.get(over..).unwrap_or_default()
    }

    /// The same, and how many bytes were not kept.
    pub(super) fn finish(self) -> (Vec<u8>, u64) {
        let bytes = self.bytes().to_vec();
        let over = (self.bytes.len() - bytes.len()) as u64;
        (bytes, self.dropped + over)
    }

    /// Takes in what was read.
    pub(super) fn take(&mut self, chunk: &[u8]) {
        match self.rule {
            Rule::Last => {
                self.bytes.extend_from_slice(chunk);
                // Moved to the front now and then only.
                if self.bytes.len() > self.most.saturating_mul(2) {
                    let over = self.bytes.len() - self.most;
                    self.bytes.drain(..over);
                    self.dropped += over as u64;
                }
            }
            Rule::First {
                of_line: usize::MAX,
                ..
            } => self.keep(chunk, chunk.len()),
            Rule::First { of_line, in_line } => {
                let mut in_line = in_line;
                for line in chunk.split_inclusive(|byte| *byte == b'\n') {
                    let ended = line.ends_with(b"\n");
                    let text = line.strip_suffix(b"\n").unwrap_or(line);
                    self.keep(text, of_line.saturating_sub(in_line));
                    in_line += text.len();
                    if ended {
                        self.keep(b"\n", 1);
                        in_line = 0;
                    }
                }
                self.rule = Rule::First { of_line, in_line };
            }
        }
    }

    /// Keeps the first `most` bytes of `chunk` for which there is room.
    fn keep(&mut self, chunk: &[u8], most: usize) {
        let room = self.most.saturating_sub(self.bytes.len());
        let (kept, over) = chunk.split_at(chunk.len().min(most).min(room));
        self.bytes.extend_from_slice(kept);
        self.dropped += over.len() as u64;
        self.dropped_lines += over.split(|byte| *byte == b'\n').skip(1).count() as u64;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn kept(mut kept: Kept, chunks: &[&[u8]]) -> (Vec<u8>, u64, u64) {
        for chunk in chunks {
            kept.take(chunk);
        }
        let lines = kept.dropped_lines;
        let (bytes, dropped) = kept.finish();
        (bytes, dropped, lines)
    }

    #[test]
    fn a_long_line_takes_nothing_from_the_others() {
        let chunks: [&[u8]; 3] = [b"abc", b"defgh", b"ij\nk\nlmnop\n"];
        let told = kept(Kept::first(100, 4), &chunks);
        assert_eq!(told, (b"abcd\nk\nlmno\n".to_vec(), 7, 0));
        let told = kept(Kept::first(6, 4), &chunks);
        assert_eq!(told, (b"abcd\nk".to_vec(), 13, 2));
    }

    #[test]
    fn of_what_ends_the_end_is_kept() {
        let told = kept(Kept::last(3), &[b"ab", b"cdefgh", b"i"]);
        assert_eq!(told, (b"ghi".to_vec(), 6, 0));
        assert_eq!(kept(Kept::last(9), &[b"ab", b"c"]), (b"abc".to_vec(), 0, 0));
    }

    proptest! {
        #[test]
        fn every_byte_is_kept_or_counted_however_it_comes(
            text in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'a'), Just(b'b')], 0..60),
            cut in 0_usize..60,
            most in 0_usize..40,
            of_line in prop_oneof![1_usize..9, Just(usize::MAX)],
        ) {
            let (one, other) = text.split_at(cut.min(text.len()));
            for make in [|most, of_line| Kept::first(most, of_line), |most, _| Kept::last(most)] {
                let whole = kept(make(most, of_line), &[&text]);
                prop_assert_eq!(&whole, &kept(make(most, of_line), &[one, other]));
                prop_assert!(whole.0.len() <= most);
                prop_assert_eq!(whole.0.len() as u64 + whole.1, text.len() as u64);
            }
            let (first, _, lines) = kept(Kept::first(most, of_line), &[&text]);
            let ends = |bytes: &[u8]| bytes.split(|byte| *byte == b'\n').skip(1).count() as u64;
            prop_assert_eq!(ends(&first) + lines, ends(&text));
        }
    }
}
