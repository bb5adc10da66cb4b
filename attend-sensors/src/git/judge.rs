//! Judges what a look saw: what of it is news to the session, and whether it can be told by now.

use attend_core::dynamics::Tick;
use attend_core::sensor::PollContext;

use super::command::Place;
use super::hold::{self, Held};
use super::news::{self, News};
use super::own::{Own, Span};
use super::questions::Answers;
use super::state::{Known, Seen};
use crate::own::{Said, own};

/// What a look saw, and what it is compared with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case<'a> {
    pub(super) place: &'a Place,
    pub(super) known: Option<&'a Known>,
    pub(super) seen: &'a Seen,
    pub(super) answers: &'a Answers,
    /// When nothing was different yet from what is known.
    pub(super) since: Tick,
    /// What the look before held back.
    pub(super) held: Option<&'a Held>,
}

/// What came of it.
#[derive(Debug)]
pub(super) enum Found {
    /// What is to be told, and known from now on.
    Known(Vec<News>, Box<Known>),
    /// What is not to be told yet.
    Held(Held),
}

impl Case<'_> {
    /// Only where there is news the host is asked, and only where it can answer anything is held.
    pub(super) async fn judge(self, cx: &PollContext) -> Found {
        let (all, next) = self.news(&Own::default(), cx);
        let Some(known) = self.known.filter(|_| tells(&all)) else {
            return Found::Known(all, next);
        };
        let (rest, next) = match own(cx).await {
            Said::Nothing => return Found::Known(all, next),
            Said::NotNow => (all.clone(), next),
            Said::Changes(changes) => {
                let span = Span {
                    since: self.since,
                    now: cx.now(),
                    wall: cx.wall(),
                    changes: &changes,
                };
                let work = cx.roots().work();
                let own = Own::of(&span, work, self.place, &known.dirty, self.seen);
                self.news(&own, cx)
            }
        };
        if !tells(&rest) || hold::is_settled(cx).await {
            return Found::Known(rest, next);
        }
        match Held::next(self.held, all, cx.now()) {
            Some(held) => Found::Held(held),
            None => Found::Known(rest, next),
        }
    }

    fn news(&self, own: &Own, cx: &PollContext) -> (Vec<News>, Box<Known>) {
        let (news, next) = news::news(self.known, self.seen, self.answers, own, cx.now());
        (news, Box::new(next))
    }
}

fn tells(news: &[News]) -> bool {
    news.iter().any(|news| matches!(news, News::Tell(_)))
}
