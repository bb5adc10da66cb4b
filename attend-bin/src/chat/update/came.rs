//! What came of a wish.

use attend_core::mail::{MailErrorKind, Presence, Receipt, Recipient};

use super::{look, newest};
use crate::chat::action::{Asked, Done, Part, Wish};
use crate::chat::place::View;
use crate::chat::scroll;
use crate::chat::state::{Looking, Over, State};
use crate::chat::stream::{Paging, Sheet};

/// How many fates are remembered.
const MOST_FATES: usize = 2_000;

pub(super) fn done(state: &mut State, done: Done, wishes: &mut Vec<Wish>) {
    match done {
        Done::Page(asked, sheet) => page(state, &asked, sheet, wishes),
        Done::Look(overview) => {
            let last = std::mem::replace(&mut state.looking, Looking::No);
            match overview {
                Ok(overview) => {
                    let places = state.places();
                    let chosen = places.get(state.chosen).map(|item| item.place.clone());
                    state.overview = overview;
                    let places = state.places();
                    // The same place stays chosen, where it has moved.
                    let at = places
                        .iter()
                        .position(|item| Some(&item.place) == chosen.as_ref());
                    state.chosen = at.unwrap_or_else(|| state.position(&places));
                    know_persona(state, wishes);
                }
                Err(text) => state.complain(text),
            }
            state.fates_again();
            if last == Looking::Again {
                look(state, wishes);
            }
        }
        Done::Sent(sent) => sent_now(state, sent, wishes),
        Done::Marked(seqs, marked) => {
            for seq in &seqs {
                state.marking.remove(seq);
            }
            match marked {
                Ok(()) => {
                    state.stream.shown(&seqs);
                    look(state, wishes);
                }
                Err(text) => {
                    state.unmarked.extend(seqs);
                    state.complain(text);
                }
            }
        }
        Done::Fates(fates) => {
            if state.fates.len() > MOST_FATES {
                state.fates.clear();
                state.known_fates.clear();
            }
            for (id, fate) in fates {
                state.asked_fates.remove(&id);
                // What cannot be told is asked again after the next look.
                state.known_fates.insert(id.clone());
                state.fates.extend(fate.map(|fate| (id, fate)));
            }
        }
        Done::Whole(Ok(whole)) => state.over = Some(Over::Whole(whole, 0)),
        Done::Member(Ok(text)) => {
            state.say(text);
            look(state, wishes);
            newest(state, wishes);
        }
        Done::Kept(Ok(())) => {}
        Done::Whole(Err(text)) | Done::Member(Err(text)) | Done::Kept(Err(text)) => {
            state.complain(text);
        }
    }
}

/// A talk that was kept by its name alone learns of which project it is.
fn know_persona(state: &mut State, wishes: &mut Vec<Wish>) {
    let places = state.places();
    let here = &places[state.position(&places)];
    if here.place.title() == state.view.place.title() && here.place != state.view.place {
        let view = View {
            place: here.place.clone(),
            words: state.view.words.clone(),
        };
        super::show(state, view, wishes);
    }
}

fn page(
    state: &mut State,
    asked: &Asked,
    sheet: Result<Sheet, (MailErrorKind, String)>,
    wishes: &mut Vec<Wish>,
) {
    if asked.view != state.view {
        return;
    }
    if asked.part == Part::Newest {
        let last = std::mem::replace(&mut state.newest, Looking::No);
        if last == Looking::Again {
            newest(state, wishes);
        }
    }
    let sheet = match sheet {
        Ok(sheet) => sheet,
        Err((kind, text)) => {
            if asked.part == Part::Newest && kind == MailErrorKind::UnknownRoom {
                // The room was kept, and is gone.
                super::show(state, View::of(crate::chat::place::Place::open()), wishes);
            }
            let (end, word) = match asked.part {
                Part::Newest => return state.complain(text),
                Part::Older => (&mut state.stream.asked_older, "older"),
                Part::Newer => (&mut state.stream.asked_newer, "newer"),
            };
            *end = Paging::Failed;
            let text = format!("{word} messages are missing, scroll to try again: {text}");
            state.stream.trouble = Some(text);
            state.notice = None;
            return;
        }
    };
    match asked.part {
        Part::Newest => {
            let is_first = !state.stream.is_loaded;
            state.stream.take_newest(sheet);
            if is_first {
                opened(state);
            }
        }
        Part::Older => state.stream.take_older(sheet),
        Part::Newer => state.stream.take_newer(sheet),
    }
    scroll::fill(state);
}

/// A place is opened where it was left: at the first message that is unread.
fn opened(state: &mut State) {
    let is_fresh = |entry: &&attend_core::mail::Entry| {
        entry.state.is_some_and(attend_core::mail::State::is_unread) && !state.is_own(entry)
    };
    let fresh = state.stream.entries().find(is_fresh).map(|entry| entry.seq);
    state.stream.fresh = fresh;
    if let Some(index) = fresh.and_then(|seq| state.stream.index(seq)) {
        scroll::top_at(state, index);
    }
}

fn sent_now(
    state: &mut State,
    sent: Result<Receipt, (MailErrorKind, String)>,
    wishes: &mut Vec<Wish>,
) {
    let sending = state.sending.take();
    match sent {
        Ok(receipt) => {
            state.keyed = None;
            state.say(told(&receipt));
            state.stream.fresh = None;
            if state.view.words.is_none() && state.stream.has_end() {
                state.stream.end_at_last();
            } else {
                let place = state.view.place.clone();
                super::visit(state, place, wishes);
            }
            newest(state, wishes);
        }
        Err((kind, error)) => {
            // It may be there all the same: the same text again is sent under the same key.
            state.keyed = state
                .keyed
                .take()
                .filter(|_| kind != MailErrorKind::KeyReused);
            if let Some((text, answer)) = sending {
                if state.composer.is_empty() {
                    state.composer.set(text);
                    state.answer = answer;
                    state.complain(error);
                } else {
                    state.complain(format!("{error}; Up brings back what was not sent"));
                }
            }
        }
    }
    super::keep(state, wishes);
}

/// What a receipt says, in a line.
fn told(receipt: &Receipt) -> String {
    let mut parts = Vec::new();
    for recipient in &receipt.recipients {
        parts.push(match recipient {
            Recipient::Tray {
                address,
                seat,
                presence,
            } => {
                let whom = seat.as_deref().unwrap_or(address).trim_start_matches('@');
                match presence {
                    Presence::Listening => format!("{whom} listens"),
                    Presence::NoReader => format!("{whom} is there, and reads no mail"),
                    _ => format!("waits for {whom}"),
                }
            }
            Recipient::Room { room, members } => match members {
                0 => format!("nobody else is in {room}"),
                1 => format!("{room}: 1 other member"),
                members => format!("{room}: {members} other members"),
            },
            _ => continue,
        });
    }
    let again = if receipt.repeated { " before" } else { "" };
    format!("{} sent{again} · {}", receipt.id, parts.join(" · "))
}
