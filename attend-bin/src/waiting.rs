//! Waiting for what was sent to be shown, or seen.

use std::collections::BTreeMap;
use std::time::Duration;

use attend_core::mail::{Address, Answer, Clock as _, Query, Receipt, State};
use attend_core::runtime::config::Span;
use attend_core::runtime::system::reader_is_gone;

use crate::cli::WaitFor;
use crate::letters::state_name;
use crate::mailbox::{Mail, Open, ask, unfit};
use crate::output::Failure;

/// How often the mailbox is asked.
const AGAIN: Duration = Duration::from_millis(100);

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
    loop {
        let states = match ask(mailbox, &query)? {
            Answer::Message(Some(whole)) => whole.states,
            other => return Err(unfit(&other)),
        };
        // Words to oneself are shown to nobody.
        let is_there = !states.is_empty() && states.values().all(|state| is_reached(*state, goal));
        let left = until.saturating_sub(mail.around().boot());
        if is_there || left.is_zero() || reader_is_gone(left.min(AGAIN)) {
            return Ok((states, is_there));
        }
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
