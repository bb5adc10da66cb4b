//! Labels: what a user needs to be told of a day, by when, and what nobody needs to be interrupted for.

use attend_core::dynamics::Tick;

/// How soon something has to be told.
///
/// Time runs while the host is busy: an agent that waits for its person misses nothing. For what
/// is high or critical it runs always.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// Within so many seconds, whatever the host does.
    Always(u64),
    /// Within so many seconds of a busy host.
    Busy(u64),
}

impl Need {
    /// Work is lost, or everything stands still, unless it is known at once.
    pub const URGENT: Self = Self::Always(120);

    /// What the agent does next is wrong unless it knows.
    pub const SOON: Self = Self::Busy(120);

    /// The agent waits for it, or does something twice unless it knows.
    pub const MINUTES: Self = Self::Busy(300);

    /// Good to know before the next larger step.
    pub const ALONG: Self = Self::Busy(720);
}

/// Something that a user needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Label {
    /// From `since` on a line has to say `text`.
    MustTell {
        /// When it happened.
        since: Tick,
        /// Words that the line has in it, one after another; between them anything may stand.
        text: &'static str,
        /// How soon.
        need: Need,
    },
    /// Nobody is to be interrupted by lines that say `text` alone, from `since` on.
    Noise {
        /// From when on.
        since: Tick,
        /// Until when, where it is of interest again then.
        until: Option<Tick>,
        /// Words that the line has in it, one after another.
        text: &'static str,
    },
}

/// Whether `line` says the words of `text`, between which a `*` stands for anything.
pub(crate) fn says(line: &str, text: &str) -> bool {
    let mut rest = Some(line);
    for part in text.split('*') {
        rest = rest
            .and_then(|rest| rest.split_once(part))
            .map(|(_, rest)| rest);
    }
    rest.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_one_after_another() {
        assert!(says("make test failed after 3 s", "make*failed"));
        assert!(!says("make test failed after 3 s", "failed*make"));
        assert!(says("anything", ""));
    }
}
