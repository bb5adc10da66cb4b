//! What a look has to ask git beside its status: only what moved, and how it moved.

use attend_core::dynamics::Tick;

use super::dirty::BURST;
use super::name::Oid;
use super::operation::OperationKind;
use super::state::{Known, Seen};

/// Two commits whose histories are compared; no left one where there was none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) left: Option<Oid>,
    pub(super) right: Oid,
}

/// How many commits only one side of a [`Range`] has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spread {
    /// What was there before and is there no more.
    pub(super) lost: u64,
    /// What is new.
    pub(super) gained: u64,
}

/// What has to be asked. A quiet look asks nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Questions {
    /// HEAD before and now, on one branch.
    pub(super) head: Option<Range>,
    /// HEAD before the commits that were told of a moment ago, and now.
    pub(super) burst: Option<Range>,
    /// The upstream before and now.
    pub(super) upstream: Option<Range>,
    /// HEAD and upstream now: a count that fits what the upstream is, whatever the status saw.
    pub(super) gap: Option<Range>,
    /// What an operation that ended brought.
    pub(super) ended: Option<Range>,
}

/// The answers; none to what was not asked, or what git could not answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Answers {
    pub(super) head: Option<Spread>,
    /// The subject of the commit that HEAD names now.
    pub(super) subject: Option<String>,
    pub(super) burst: Option<Spread>,
    pub(super) upstream: Option<Spread>,
    pub(super) gap: Option<Spread>,
    pub(super) ended: Option<Spread>,
}

impl Questions {
    /// What has to be asked to tell how `seen` differs from `known`.
    pub(super) fn new(known: &Known, seen: &Seen, now: Tick) -> Self {
        let mut asked = Self::default();
        let head = seen.status.head.as_ref();
        let range = |left: &Option<Oid>, right: &Oid| Range {
            left: left.clone(),
            right: right.clone(),
        };
        if let (Some(before), Some(tracking), Some(oid)) =
            (&known.upstream, &seen.status.upstream, &seen.upstream)
            && before.name == tracking.name
            && before.oid.as_ref().is_some_and(|before| before != oid)
        {
            asked.upstream = Some(range(&before.oid, oid));
            asked.gap = head.map(|_| range(&seen.status.head, oid));
        }
        let Some(head) = head else { return asked };
        match (&known.operation, &seen.operation) {
            (None, None) => {
                let same_branch =
                    seen.status.branch.is_some() && known.branch == seen.status.branch;
                if same_branch && known.head.as_ref() != Some(head) {
                    asked.head = Some(range(&known.head, head));
                    let told = known.told_head.as_ref();
                    asked.burst = told
                        .filter(|told| now.since(told.at).get() < BURST && told.base != known.head)
                        .map(|told| range(&told.base, head));
                }
            }
            (Some(operation), None) if operation.from.as_ref() != Some(head) => {
                let base = match operation.kind {
                    OperationKind::Rebase => operation.onto.as_ref().or(operation.from.as_ref()),
                    OperationKind::Bisect => None,
                    _ => operation.from.as_ref(),
                };
                asked.ended = base.map(|base| range(&Some(base.clone()), head));
            }
            _ => {}
        }
        asked
    }
}
