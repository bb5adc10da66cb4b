//! Waiting for what was sent to be shown, or seen.

use std::collections::BTreeMap;
use std::time::Duration;

use attend_core::mail::{Address, Answer, Clock as _, Query, Receipt, State};
use attend_core::runtime::config::Span;
use attend_core::runtime::system::{Lookout, Woken};

use crate::cli::WaitFor;
use crate::letters::state_name;
use crate::mailbox::{Mail, Open, ask, unfit};
use crate::output::Failure;

/// How often the mailbox is asked where nothing changes.
const SAFETY: Duration = Duration::from_secs(5);

/// The same where changes are not told.
const POLLED: Duration = Duration::from_millis(100);

/// What is being written is told before it can be read: so long after a change it is asked once
/// more.
const WRITTEN: Duration = Duration::from_millis(100);

/// How far a message got with each that it was addressed to by name.
pub(crate) type States = BTreeMap<String, State>;

/// Refuses to wait where nobody is addressed by name: a room has no end.
pub(crate) fn check(to: &[Address]) -> Result<(), Failure> {
    let is_directed = |to: &Address| !matches!(to, Address::Room(_));
    if to.iter().any(is_directed) {
        return Ok(());
    }
    Err(Failure::refused(
        "--wait waits for whoever is addressed by name, and a room alone is nobody; nothing was sent",
    ))
}

/// Waits until everybody got as far as `goal`, at most so long. Gives how far each got, and
/// whether that was enough.
pub(crate) fn wait(
    (mailbox, mail): (&Open, &Mail),
    receipt: &Receipt,
    (goal, longest): (WaitFor, Duration),
) -> Result<(States, bool), Failure> {
    let until = mail.around().boot().saturating_add(longest);
    let query = Query::Message {
        id: receipt.id.clone(),
        seat: None,
    };
    // Before the first look: what changes after it is told.
    let (lookout, failed) = Lookout::at(mail.dir());
    let pause = if failed.is_some() { POLLED } else { SAFETY };
    let look = || {
        let states = match ask(mailbox, &query)? {
            Answer::Message(Some(whole)) => whole.states,
            other => return Err(unfit(&other)),
        };
        // Words to oneself are shown to nobody.
        let is_there = !states.is_empty() && states.values().all(|state| is_reached(*state, goal));
        Ok((states, is_there))
    };
    let left = || until.saturating_sub(mail.around().boot());
    looks(look, left, |span| lookout.wait(span), pause)
}

/// Looks until that says that it is enough, nothing is `left`, or nobody listens: once, after each
/// change, and after each pause. Gives what was seen last.
fn looks<T>(
    mut look: impl FnMut() -> Result<(T, bool), Failure>,
    left: impl Fn() -> Duration,
    wait: impl Fn(Duration) -> Woken,
    pause: Duration,
) -> Result<(T, bool), Failure> {
    let mut next = pause;
    loop {
        let (seen, is_there) = look()?;
        let left = left();
        if is_there || left.is_zero() {
            return Ok((seen, is_there));
        }
        next = match wait(left.min(next)) {
            Woken::Gone => return Ok((seen, false)),
            Woken::Changed => WRITTEN.min(pause),
            _ => pause,
        };
    }
}

fn is_reached(state: State, goal: WaitFor) -> bool {
    match goal {
        WaitFor::Printed => matches!(state, State::Printed | State::Unseen | State::Seen),
        WaitFor::Seen => state == State::Seen,
    }
}

/// What was not reached, for people.
pub(crate) fn missed(
    receipt: &Receipt,
    states: &States,
    (goal, longest): (WaitFor, Duration),
) -> Failure {
    let behind = states
        .iter()
        .filter(|(_, state)| !is_reached(**state, goal));
    let behind: Vec<String> = behind
        .map(|(name, state)| format!("{name} ({})", state_name(*state)))
        .collect();
    if behind.is_empty() {
        return Failure::refused(format!(
            "{} was sent, and nobody but its sender is addressed by name, to whom it is not shown",
            receipt.id
        ));
    }
    let goal = match goal {
        WaitFor::Printed => "printed",
        WaitFor::Seen => "seen",
    };
    Failure::refused(format!(
        "{} was sent, and not {goal} within {} by {}; `attend show {}` tells how far it got",
        receipt.id,
        Span::of_seconds(longest.as_secs()),
        behind.join(", "),
        receipt.id
    ))
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::fs;

    use super::*;

    /// Longer than anybody waits for a test.
    const LONG: Duration = Duration::from_hours(1);

    #[test]
    fn the_mailbox_is_asked_where_something_changed_and_not_meanwhile() {
        let dir = tempfile::tempdir().unwrap();
        let (lookout, failed) = Lookout::at(dir.path());
        assert_eq!(failed, None);
        let count = Cell::new(0);
        let look = || {
            count.set(count.get() + 1);
            if count.get() < 4 {
                fs::write(dir.path().join("mail"), "more").unwrap();
            }
            Ok(((), count.get() == 4))
        };
        // Each wait would last for an hour, were nothing told.
        let waited = looks(look, || LONG, |span| lookout.wait(span.max(LONG)), LONG);
        assert_eq!((waited.unwrap().1, count.get()), (true, 4));
    }

    #[test]
    fn where_nothing_changes_the_mailbox_is_asked_now_and_then() {
        let (left, spans) = (Cell::new(Duration::from_secs(12)), RefCell::new(Vec::new()));
        let count = Cell::new(0);
        let look = || {
            count.set(count.get() + 1);
            Ok(((), false))
        };
        let wait = |span: Duration| {
            left.set(left.get().saturating_sub(span));
            spans.borrow_mut().push(span.as_millis());
            match spans.borrow().len() {
                1 => Woken::Changed,
                _ => Woken::Due,
            }
        };
        let waited = looks(look, || left.get(), wait, SAFETY);
        assert!(!waited.unwrap().1);
        // Of what was being written it is asked twice.
        assert_eq!(*spans.borrow(), [5_000, 100, 5_000, 1_900]);
        assert_eq!(count.get(), 5);
    }

    #[test]
    fn nobody_is_waited_for_where_nobody_listens() {
        let count = Cell::new(0);
        let look = || {
            count.set(count.get() + 1);
            Ok(((), false))
        };
        let waited = looks(look, || LONG, |_| Woken::Gone, SAFETY);
        assert_eq!((waited.unwrap().1, count.get()), (false, 1));
    }
}
