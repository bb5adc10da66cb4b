//! Compares what is known with what a look saw, and says what is news: pure.

use std::collections::BTreeSet;

use attend_core::dynamics::Tick;
use attend_core::sensor::Event;

use super::dirty::{Dirty, list};
use super::name::Name;
use super::operation::{Operation, OperationKind};
use super::own::Own;
use super::parse::EntryKind;
use super::phrase;
use super::questions::Answers;
use super::state::{Conflicts, Detached, Known, Seen, ToldHead, Upstream};

/// What an operation in progress holds back.
const HELD_BACK: [&str; 6] = ["branch", "head", "dirty", "clean", "ahead", "detached"];

/// One thing that a look says.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum News {
    /// Something happened, or stands.
    Tell(Event),
    /// What was said under this key no longer holds.
    Clear(&'static str),
}

/// What is news in `seen`, and what is known from now on.
///
/// Without anything known only standing conditions are told. While an operation is in progress
/// branch, HEAD and files only become the new baseline; when it ends, one summary covers them.
/// What is the session's `own` becomes the new baseline too, and only takes back what no longer
/// holds.
pub(super) fn news(
    known: Option<&Known>,
    seen: &Seen,
    answers: &Answers,
    own: &Own,
    now: Tick,
) -> (Vec<News>, Known) {
    let next = baseline(known, seen, answers);
    let mut told = Told {
        seen,
        answers,
        own,
        now,
        news: Vec::new(),
        next,
    };
    match known {
        None => told.standing(),
        Some(known) => {
            match (&known.operation, &seen.operation) {
                (None, None) => told.changes(known),
                (None, Some(_)) => told.operation(),
                (Some(before), Some(after)) if before.continues_as(after) => {
                    told.next.told_operation = known.told_operation;
                }
                (Some(_), Some(_)) => {
                    told.release(known);
                    told.operation();
                }
                (Some(before), None) => told.ended(known, before),
            }
            told.conflicts(&known.conflicts);
            told.upstream(known);
        }
    }
    (told.news, told.next)
}

/// What is known from now on, before anything is told.
fn baseline(known: Option<&Known>, seen: &Seen, answers: &Answers) -> Known {
    let status = &seen.status;
    let operation =
        seen.operation.clone().map(
            |found| match known.and_then(|known| known.operation.clone()) {
                Some(before) if before.continues_as(&found) => before.or(found),
                _ => begun(known, seen, found),
            },
        );
    Known {
        head: status.head.clone(),
        branch: status.branch.clone(),
        detached: known.and_then(|known| known.detached.clone()),
        upstream: upstream(known, seen, answers),
        operation,
        told_operation: false,
        conflicts: seen.conflicts(),
        dirty: Dirty::baseline(seen.dirty()),
        told_dirty: None,
        churn: known.and_then(|known| known.churn),
        told_head: None,
    }
}

/// An operation that was not there before, with what its files do not tell.
fn begun(known: Option<&Known>, seen: &Seen, found: Operation) -> Operation {
    let status = &seen.status;
    // HEAD at the last look, if that was on the branch of the operation.
    let last = |branch: &Option<String>| {
        let known = known.filter(|known| known.branch == *branch);
        known.and_then(|known| known.head.clone())
    };
    let (branch, from) = match found.kind {
        OperationKind::Merge | OperationKind::CherryPick | OperationKind::Revert => {
            (status.branch.clone(), status.head.clone())
        }
        OperationKind::Am => (status.branch.clone(), last(&status.branch)),
        OperationKind::Rebase | OperationKind::Bisect => (None, last(&found.branch)),
    };
    let kind = found.kind;
    found.or(Operation {
        kind,
        branch,
        from,
        onto: None,
    })
}

fn upstream(known: Option<&Known>, seen: &Seen, answers: &Answers) -> Option<Upstream> {
    let before = known.and_then(|known| known.upstream.clone());
    let Some(tracking) = &seen.status.upstream else {
        // A rebase detaches HEAD, which has no upstream until it ends.
        return before.filter(|_| seen.operation.is_some());
    };
    let (ahead, behind) = match answers.gap {
        Some(gap) => (gap.lost, gap.gained),
        None => tracking.counts?,
    };
    let same = before.filter(|before| before.name == tracking.name);
    Some(Upstream {
        name: tracking.name.clone(),
        oid: seen.upstream.clone().or(same.and_then(|before| before.oid)),
        ahead,
        behind,
    })
}

struct Told<'a> {
    seen: &'a Seen,
    answers: &'a Answers,
    own: &'a Own,
    now: Tick,
    news: Vec<News>,
    next: Known,
}

impl Told<'_> {
    fn tell(&mut self, event: Event) {
        self.news.push(News::Tell(event));
    }

    fn clear(&mut self, key: &'static str) {
        self.news.push(News::Clear(key));
    }

    /// The first look: what stands.
    fn standing(&mut self) {
        if self.next.operation.is_some() {
            self.operation();
        } else if self.next.branch.is_none() {
            self.detached(None);
        }
        self.conflicts(&Conflicts::default());
    }

    fn operation(&mut self) {
        let operation = self.next.operation.as_ref();
        let Some(operation) = operation.filter(|_| !self.own.repository) else {
            return;
        };
        let event = Event::new(3.0, phrase::in_progress(operation));
        self.tell(event.key("operation").standing().inhibits(HELD_BACK));
        self.next.told_operation = true;
    }

    fn detached(&mut self, was: Option<String>) {
        let text = phrase::detached(self.next.head.as_ref(), was.as_deref());
        let event = Event::new(3.0, text).key("detached").standing();
        self.tell(event.inhibits(["branch"]));
        self.next.detached = Some(Detached { was });
    }

    fn conflicts(&mut self, before: &Conflicts) {
        let now = &self.next.conflicts;
        if now == before {
            return;
        }
        // Another conflict than the one that was told of is news again.
        if before.total > 0 && !now.names.iter().any(|name| before.names.contains(name)) {
            self.news.push(News::Clear("conflict"));
        }
        if now.total > 0 && !self.own.repository {
            let event = Event::new(
                4.0,
                phrase::conflicts(now.total, &list(&now.names, now.total)),
            );
            self.tell(event.key("conflict").standing());
        }
    }

    /// Takes back what an operation held back, and the operation. One that was not told of held
    /// back nothing.
    fn release(&mut self, known: &Known) {
        if known.told_operation {
            for key in HELD_BACK.into_iter().filter(|key| *key != "detached") {
                self.clear(key);
            }
        }
        self.attached(known);
        if known.told_operation {
            self.clear("operation");
        }
    }

    /// Takes back that HEAD is detached, where it is no longer.
    fn attached(&mut self, known: &Known) {
        if known.detached.is_some() && self.next.branch.is_some() {
            self.clear("detached");
            self.next.detached = None;
        }
    }

    fn ended(&mut self, known: &Known, operation: &Operation) {
        self.release(known);
        if self.own.repository {
            return;
        }
        let text = phrase::ended(operation, &self.seen.status, self.answers.ended);
        self.tell(Event::new(2.0, text).key("head"));
        if self.next.branch.is_none() && self.next.detached.is_none() {
            self.detached(operation.branch.clone());
        }
    }

    /// What changed while nothing was in progress.
    fn changes(&mut self, known: &Known) {
        if self.own.head {
            self.moved_itself(known);
        } else {
            self.moved(known);
        }
        self.ahead(known);
        self.dirty(known);
    }

    /// The session knows where it moved HEAD; that another branch was there is old by now.
    fn moved_itself(&mut self, known: &Known) {
        if known.head == self.next.head {
            self.next.told_head.clone_from(&known.told_head);
        }
        if known.branch != self.next.branch {
            self.clear("branch");
        }
        self.attached(known);
    }

    fn moved(&mut self, known: &Known) {
        match (&known.branch, self.next.branch.clone()) {
            (Some(before), Some(after)) if *before == after => self.head(known, &after),
            (Some(before), None) => self.detached(Some(before.clone())),
            (None, None) if known.head != self.next.head => {
                let text = phrase::moved_detached(known.head.as_ref(), self.next.head.as_ref());
                self.tell(Event::new(2.0, text).key("head"));
                let was = known
                    .detached
                    .as_ref()
                    .and_then(|detached| detached.was.clone());
                self.detached(was);
            }
            (None, None) => {}
            (before, Some(after)) => {
                if before.is_none() {
                    self.clear("detached");
                    self.next.detached = None;
                }
                let text = phrase::branch(before.as_deref(), known.head.as_ref(), &after);
                self.tell(Event::new(3.0, text).key("branch"));
            }
        }
    }

    fn head(&mut self, known: &Known, branch: &str) {
        if known.head == self.next.head {
            self.next.told_head.clone_from(&known.told_head);
            return;
        }
        let forward = self.answers.head.filter(|spread| spread.lost == 0);
        let text = if let Some(own) = forward {
            let burst = self.answers.burst.filter(|spread| spread.lost == 0);
            let base = match (&known.told_head, burst) {
                (Some(told), Some(_)) => told.base.clone(),
                _ => known.head.clone(),
            };
            self.next.told_head = Some(ToldHead { base, at: self.now });
            let count = burst.unwrap_or(own).gained;
            phrase::commits(count, branch, self.answers.subject.as_deref())
        } else {
            let spread = self.answers.head;
            phrase::moved(branch, known.head.as_ref(), self.next.head.as_ref(), spread)
        };
        self.tell(Event::new(2.0, text).key("head"));
    }

    fn ahead(&mut self, known: &Known) {
        let Some(before) = &known.upstream else {
            return;
        };
        let same = |now: &&Upstream| now.name == before.name && known.branch == self.next.branch;
        match self.next.upstream.as_ref().filter(same) {
            Some(now) if now.ahead > before.ahead && self.own.head => {}
            Some(now) if now.ahead > before.ahead => {
                let event = Event::new(1.0, phrase::ahead(now.ahead, &now.name));
                self.tell(event.key("ahead"));
            }
            Some(now) if now.ahead == before.ahead => {}
            _ if before.ahead > 0 => self.clear("ahead"),
            _ => {}
        }
    }

    fn upstream(&mut self, known: &Known) {
        let Some(before) = &known.upstream else {
            return;
        };
        let now = self.next.upstream.as_ref();
        let now = now.filter(|now| now.name == before.name);
        if let Some(now) = now.filter(|_| !self.own.repository)
            && before.oid != now.oid
            && let (Some(from), Some(to)) = (&before.oid, &now.oid)
            && let spread = self.answers.upstream
            && let pushed = self.next.head.as_ref() == Some(to)
            && let Some(text) = phrase::upstream(&now.name, from, to, spread, now.behind, pushed)
        {
            self.tell(Event::new(2.5, text).key("upstream"));
        } else if before.behind > 0 && now.is_none_or(|now| now.behind == 0) {
            self.clear("upstream");
        }
    }

    fn dirty(&mut self, known: &Known) {
        let entries = self.seen.status.entries.iter();
        let unmerged: BTreeSet<&Name> = entries
            .filter(|entry| entry.kind == EntryKind::Unmerged)
            .map(|entry| &entry.name)
            .collect();
        let own = self.own;
        let quiet = |name: &Name| unmerged.contains(name) || own.files.contains(name);
        let (dirty, burst) = known.dirty.next(self.seen.dirty(), self.now, quiet);
        // Of too many only the number is known, and not whose they are.
        let burst = burst.filter(|_| known.dirty.complete() || !own.repository);
        self.next.told_dirty = known.told_dirty;
        if known.dirty.total() == 0 && dirty.total() > 0 {
            self.clear("clean");
        }
        if let Some(burst) = burst {
            self.next.churn = burst.churn(known.churn, self.now);
            let magnitude = burst.magnitude(self.next.churn);
            self.tell(Event::new(magnitude, burst.text()).key("dirty"));
            self.next.told_dirty = burst.from.or(Some(self.now));
        } else if known.told_dirty.is_some_and(|told| !dirty.any_since(told))
            || dirty.total() == 0 && known.dirty.total() > 0
        {
            self.clear("dirty");
            self.next.told_dirty = None;
        }
        if dirty.total() == 0 && known.dirty.total() > 0 {
            let mut names = known.dirty.names();
            let cleaned_itself = if known.dirty.complete() {
                names.all(|name| own.files.contains(name))
            } else {
                own.repository
            };
            if !cleaned_itself {
                self.tell(Event::new(1.0, "work tree clean again").key("clean"));
            }
        }
        self.next.dirty = dirty;
    }
}

#[cfg(test)]
mod tests;
