//! Turns: long work gives others theirs.

use std::future::poll_fn;
use std::task::Poll;

/// Lets others have their turn.
pub(crate) async fn turn() {
    let mut had = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut had, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
