//! What was sent to whom and really shown, kept without looking into the book.

use std::collections::{BTreeMap, BTreeSet};

use crate::mail::envelope::Seq;

/// One of the seats.
pub(super) type Chair = usize;

pub(super) type Pairs = BTreeSet<(Chair, Seq)>;

/// What whoever watches everything from above knows.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Truth {
    /// May be shown there.
    pub(super) entitled: Pairs,
    /// Has to be shown there, and was not yet.
    pub(super) owed: Pairs,
    /// Was addressed there by name, so that the next session has it too.
    pub(super) by_name: Pairs,
    /// Was claimed to be shown there.
    pub(super) attempted: Pairs,
    /// Was shown there without a mark.
    pub(super) unmarked: Pairs,
    /// Was counted in a line that was written there.
    pub(super) counted: Pairs,
    /// Sent to the project.
    pub(super) project: BTreeSet<Seq>,
    /// Sent to the project, and nobody sat there.
    pub(super) pool: BTreeSet<Seq>,
    /// Of those sent to the project: claimed or shown anywhere.
    pub(super) tried: BTreeSet<Seq>,
    /// Notes that a session left for its own chair.
    pub(super) notes: BTreeSet<(Chair, Seq, String)>,
    /// Who is in the room.
    pub(super) members: BTreeSet<Chair>,
    /// Whether anything is said about evidence.
    pub(super) follows: bool,
    /// What was shown, and said so.
    pub(super) showings: BTreeMap<(Chair, Seq), Showing>,
    /// There was evidence.
    pub(super) seen: Pairs,
    /// Shown often enough, and not seen: only whoever asks is shown it.
    pub(super) unseen: Pairs,
    /// The sessions in which nobody looks for evidence any more.
    pub(super) untracked: BTreeSet<String>,
}

/// What one chair was shown of one message.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Showing {
    /// The session that it was shown to last, and to how many.
    pub(super) session: String,
    pub(super) sessions: u32,
    /// How often to that session, as long as it makes a difference.
    pub(super) times: u32,
    /// It is neither missed nor seen.
    pub(super) is_awaited: bool,
}

impl Truth {
    pub(super) fn owe(&mut self, chair: Chair, seq: Seq, by_name: bool) {
        self.owed.insert((chair, seq));
        self.entitled.insert((chair, seq));
        if by_name {
            self.by_name.insert((chair, seq));
        }
    }

    /// A message for the project, to those who are there.
    pub(super) fn owe_project(&mut self, present: &[Chair], seq: Seq) {
        self.project.insert(seq);
        if present.is_empty() {
            self.pool.insert(seq);
        }
        for chair in present {
            self.owe(*chair, seq, true);
        }
    }

    /// What is claimed may have been shown from now on; `again` has to say whether it was before.
    pub(super) fn claim(&mut self, chair: Chair, seq: Seq, again: bool) -> Result<(), String> {
        if !self.entitled.contains(&(chair, seq)) {
            return Err(format!(
                "{seq:?} was granted at {chair}, for whom it was not"
            ));
        }
        let before = !self.attempted.insert((chair, seq));
        if before && !again {
            return Err(format!(
                "{seq:?} was claimed at {chair} before, and has no mark"
            ));
        }
        let elsewhere = self.project.contains(&seq) && self.tried.contains(&seq);
        if again && !before && !elsewhere {
            return Err(format!(
                "{seq:?} was never claimed at {chair}, and has a mark"
            ));
        }
        self.tried.insert(seq);
        Ok(())
    }

    /// It was shown to the session that sits there.
    pub(super) fn show(&mut self, chair: Chair, seq: Seq, again: bool) -> Result<(), String> {
        self.owed.remove(&(chair, seq));
        if !again && !self.unmarked.insert((chair, seq)) {
            return Err(format!("{seq:?} was shown twice at {chair} without a mark"));
        }
        Ok(())
    }

    /// Whoever sits down, or goes on as another session, takes what waits.
    pub(super) fn sit(&mut self, chair: Chair, session: &str, vacant: &[Chair]) {
        for (of, seq, by) in self.notes.clone() {
            if of == chair && by != session && !self.entitled.contains(&(chair, seq)) {
                self.owe(chair, seq, true);
            } else if of == chair && by == session {
                self.owed.remove(&(chair, seq));
            } else if of == chair && !self.tried.contains(&seq) {
                self.owe(chair, seq, true);
            }
        }
        for seq in self.project.clone() {
            let waits: Vec<Chair> = vacant
                .iter()
                .copied()
                .filter(|other| *other != chair)
                .filter(|other| self.by_name.contains(&(*other, seq)))
                .filter(|other| self.owed.contains(&(*other, seq)))
                .collect();
            // What was tried somewhere may count as shown there; it need not move.
            if self.pool.remove(&seq) || !waits.is_empty() && !self.tried.contains(&seq) {
                self.owe(chair, seq, true);
            }
            // It may move, all the same, and it is for the project.
            self.entitled.insert((chair, seq));
            for other in waits {
                self.owed.remove(&(other, seq));
            }
        }
    }

    /// Another session sits there: it has what is there by name, and no room.
    pub(super) fn hand_over(&mut self, chair: Chair) {
        let by_name = &self.by_name;
        let stays = |pair: &(Chair, Seq)| pair.0 != chair || by_name.contains(pair);
        self.owed.retain(stays);
        self.entitled.retain(stays);
        self.seen.retain(stays);
        self.unseen.retain(stays);
        self.showings.retain(|pair, _| stays(pair));
        self.counted.retain(|pair| pair.0 != chair);
        self.members.remove(&chair);
        self.hand_showings_over(chair);
    }
}
