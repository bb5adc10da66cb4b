//! Keys of the composer, and sending what was written.

use attend_core::mail::{Address, Draft, MAX_BODY, addressed};

use super::{keep, show};
use crate::chat::action::Wish;
use crate::chat::complete;
use crate::chat::composer::{Composer, Step};
use crate::chat::keys::Command;
use crate::chat::place::View;
use crate::chat::state::{Part, State};

/// Writes where the cursor is.
pub(super) fn write(state: &mut State, text: &str) {
    if state.composer.text().len() + text.len() > MAX_BODY {
        state.complain("a message has at most 1 MiB; leave it in a file and send its path");
        return;
    }
    state.choice = 0;
    match &mut state.asking {
        Some(asking) => asking.insert(&text.replace(['\n', '\r'], " ")),
        None => state.composer.insert(text),
    }
}

pub(super) fn writing(state: &mut State, command: Command, wishes: &mut Vec<Wish>) {
    let offered = complete::candidates(state.composer.before(), &state.places());
    let is_offered = !offered.is_empty() && state.asking.is_none();
    match command {
        Command::Enter if state.asking.is_some() => search(state, wishes),
        Command::Enter => send(state, wishes),
        Command::NewLine => write(state, "\n"),
        Command::Complete => {
            let chosen = offered.get(state.choice.min(offered.len().saturating_sub(1)));
            if let Some(name) = chosen.filter(|_| is_offered) {
                while complete::word(state.composer.before()).is_some() {
                    state.composer.delete(Step::Left);
                }
                write(state, &format!("{name} "));
            }
        }
        Command::Up if is_offered => state.choice = state.choice.saturating_sub(1),
        Command::Down if is_offered => state.choice = (state.choice + 1).min(offered.len() - 1),
        Command::Delete if state.composer.is_empty() && state.asking.is_none() => {}
        command => {
            let composer = state.asking.as_mut().unwrap_or(&mut state.composer);
            edit(composer, command);
            state.choice = 0;
        }
    }
}

fn edit(composer: &mut Composer, command: Command) {
    match command {
        Command::Up => composer.climb(true),
        Command::Down => composer.climb(false),
        Command::Left => composer.go(Step::Left),
        Command::Right => composer.go(Step::Right),
        Command::WordLeft => composer.go(Step::WordLeft),
        Command::WordRight => composer.go(Step::WordRight),
        Command::LineStart => composer.go(Step::LineStart),
        Command::LineEnd => composer.go(Step::LineEnd),
        Command::Erase => composer.delete(Step::Left),
        Command::Delete => composer.delete(Step::Right),
        Command::EraseWord => composer.delete(Step::WordLeft),
        Command::EraseStart => composer.delete(Step::LineStart),
        Command::DeleteEnd => composer.delete(Step::LineEnd),
        _ => {}
    }
}

fn send(state: &mut State, wishes: &mut Vec<Wish>) {
    if state.sending.is_some() {
        state.say("the message before is still being sent");
        return;
    }
    if state.composer.text().trim().is_empty() {
        return;
    }
    let text = state.composer.take();
    let (mut to, body) = addressed(&text);
    let mut draft = Draft::new(body);
    let answer = state.answer.take();
    match &answer {
        // To whom an answer goes is known; somebody may be added.
        Some(answer) => {
            let named = answer.to.iter().filter(|address| !to.contains(address));
            let named: Vec<Address> = named.cloned().collect();
            to.splice(0..0, named);
            draft.re = Some(answer.re.clone());
        }
        None if to.is_empty() => to.push(state.view.place.address()),
        None => {}
    }
    draft.to = to;
    let key = match state.keyed.take() {
        Some((key, of)) if of == text => key,
        _ => {
            state.seed.1 += 1;
            format!("chat-{:x}-{}", state.seed.0, state.seed.1)
        }
    };
    draft.key = Some(key.clone());
    state.keyed = Some((key, text.clone()));
    state.sending = Some((text, answer));
    // What is not sent when this ends is there the next time, under its key.
    keep(state, wishes);
    wishes.push(Wish::Send(draft));
}

fn search(state: &mut State, wishes: &mut Vec<Wish>) {
    let words = state.asking.take().map(|asking| asking.text().to_owned());
    let words = words.filter(|words| words.contains(char::is_alphanumeric));
    if words.is_none() {
        state.say("nothing to search for: give letters or digits");
        return;
    }
    let view = View {
        place: state.view.place.clone(),
        words,
    };
    show(state, view, wishes);
    state.part = Part::Stream;
}
