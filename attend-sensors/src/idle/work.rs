//! Whether work is open: what the session began and did not end.

use attend_core::sensor::{HostAnswer, HostRequest, OwnChanges, PollContext, SensorError};

use crate::edits::{Committed, Places};
use crate::trees::Trees;

/// Edits older than this are no open work, in seconds: a day.
const OLD: u64 = 86_400;

/// What a repository keeps while something is going on in it, and what that is called.
const OPERATIONS: [(&str, &str); 6] = [
    ("rebase-merge", "a rebase"),
    ("rebase-apply", "a rebase"),
    ("MERGE_HEAD", "a merge"),
    ("CHERRY_PICK_HEAD", "a cherry-pick"),
    ("REVERT_HEAD", "a revert"),
    ("BISECT_LOG", "a bisection"),
];

/// What the session did itself; none where nobody knows.
pub(super) async fn own(cx: &PollContext) -> Result<Option<OwnChanges>, SensorError> {
    Ok(match cx.host().ask(&HostRequest::Own).await? {
        HostAnswer::Own(own) => Some(own),
        _ => None,
    })
}

/// What of the work is open, in one phrase; none where nothing is.
pub(super) fn open(cx: &PollContext, own: &OwnChanges, places: &mut Places) -> Option<String> {
    let trees = Trees::of(cx.project().root());
    let private = trees.private(0);
    let going_on = private.and_then(|private| {
        let mut all = OPERATIONS.iter();
        all.find(|(file, _)| private.join(file).exists())
    });
    if let Some((_, operation)) = going_on {
        return Some(format!("{operation} is not finished"));
    }
    let places = places.of(&trees, cx.roots().work(), own.edits.iter());
    let committed = Committed::of(&trees, cx, OLD);
    let open = own.edits.iter().filter(|edit| {
        let place = places.get(&edit.path);
        place.is_some_and(|place| place.tree.is_some() && committed.is_open(edit, place))
    });
    let files = open.count();
    let is_repository = private.is_some();
    if files > 0 {
        let noun = if files == 1 { "file" } else { "files" };
        let done = if is_repository {
            "and not committed"
        } else {
            ""
        };
        return Some(
            format!("{files} {noun} edited {done}")
                .trim_end()
                .to_owned(),
        );
    }
    let mut calls = own.calls.iter();
    let running = calls.any(|call| call.background && call.span.until.is_none());
    running.then(|| "a background command still runs".to_owned())
}
