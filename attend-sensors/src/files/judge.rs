//! Judges what a look found: what of it need not wait any longer, and whose doing it is.

use attend_core::dynamics::Tick;
use attend_core::sensor::PollContext;

use super::compare::Compare;
use super::eyes::Look;
use super::known::Known;
use super::own::Own;
use super::scope::{Base, Scope};
use super::waiting::{SETTLED, Waiting};
use super::walk::{Meant, Seen};
use crate::name::Name;
use crate::own::{Said, own};

/// What a look found, and what it is compared with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case<'a> {
    pub(super) scope: &'a Scope,
    pub(super) known: &'a Known,
    pub(super) waiting: &'a Waiting,
    /// When everything was as it is known, but for what waits.
    pub(super) since: Tick,
    pub(super) look: &'a Look,
    /// What a walk found, where everything was looked at.
    pub(super) seen: Option<&'a Seen>,
}

/// What came of it.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) waiting: Waiting,
    /// Files that may have been there all the time.
    pub(super) taken: Vec<(Name, Meant)>,
    /// What need not wait any longer, and whether the session made it itself.
    pub(super) ripe: Vec<(Name, bool)>,
}

impl Case<'_> {
    /// Only where something is to be told the host is asked.
    pub(super) async fn judge(self, cx: &PollContext) -> Judged {
        let (waiting, taken) = self.compare(cx);
        let ripe = waiting.ripe(cx.now());
        let ripe = if ripe.is_empty() {
            Vec::new()
        } else {
            self.whose(cx, &waiting, ripe).await
        };
        Judged {
            waiting,
            taken,
            ripe,
        }
    }

    fn compare(&self, cx: &PollContext) -> (Waiting, Vec<(Name, Meant)>) {
        let span = (self.since, cx.now());
        let mut compare = Compare::new(
            self.scope,
            self.known,
            self.waiting.clone(),
            span,
            cx.wall(),
        );
        match (self.look, self.seen) {
            (_, Some(seen)) => compare.all(seen),
            (Look::Paths(paths), None) => compare.some(paths),
            (Look::All, None) => {}
        }
        (compare.waiting, compare.taken)
    }

    /// Which of the changes in `ripe` the session made itself. A host that cannot say now is
    /// waited for a moment.
    async fn whose(
        &self,
        cx: &PollContext,
        waiting: &Waiting,
        ripe: Vec<Name>,
    ) -> Vec<(Name, bool)> {
        let now = cx.now();
        let is_new = |first: Tick| now.since(first).get() < SETTLED;
        let changes = match own(cx).await {
            Said::Changes(changes) => changes,
            Said::NotNow if waiting.first().is_some_and(is_new) => return Vec::new(),
            Said::Nothing | Said::NotNow => {
                return ripe.into_iter().map(|name| (name, false)).collect();
            }
        };
        let since = ripe
            .iter()
            .filter_map(|name| Some(waiting.get(name)?.since));
        let since = since.min().unwrap_or(now);
        let own = Own::new(&changes, self.scope.work(), since, now);
        let whose = ripe.into_iter().map(|name| {
            let in_project = Scope::base(&name) == Base::Project;
            let path = self.scope.path(&name);
            let made = waiting
                .get(&name)
                .is_some_and(|change| own.made(change, &path, in_project));
            (name, made)
        });
        whose.collect()
    }
}
