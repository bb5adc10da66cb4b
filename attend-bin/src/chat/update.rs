//! What changes when something happens, and what is to be done about it.

mod came;
mod pressed;
mod written;

use attend_core::mail::{SenderKind, State as Reached};

use super::action::{Action, Asked, Part, Shown, Wish};
use super::layout;
use super::place::{Place, View};
use super::scroll;
use super::state::{Looking, State};
use super::stream::{PAGE, Paging, Stream};

/// How many lines the wheel goes.
const WHEEL: usize = 3;

/// Changes the state by what happened; gives what is to be done.
pub(crate) fn update(state: &mut State, action: Action) -> Vec<Wish> {
    let mut wishes = Vec::new();
    match action {
        Action::Key(key) => pressed::key(state, key, &mut wishes),
        Action::Paste(text) => pressed::paste(state, &text),
        Action::Wheel { is_up } => pressed::wheel(state, is_up, WHEEL),
        Action::Click(column, row) => pressed::click(state, (column, row), &mut wishes),
        Action::Resize(width, height) => {
            state.size = (width, height);
            scroll::fill(state);
        }
        Action::Stirred => {
            state.unmarked.clear();
            state.stream.ask_again();
            look(state, &mut wishes);
            newest(state, &mut wishes);
        }
        Action::Time(now) => {
            state.now = now;
            keep(state, &mut wishes);
        }
        Action::Drawn => drawn(state, &mut wishes),
        Action::Done(done) => came::done(state, done, &mut wishes),
    }
    page(state, &mut wishes);
    wishes
}

/// The wishes with which a chat begins.
pub(crate) fn begin(state: &mut State) -> Vec<Wish> {
    update(state, Action::Stirred)
}

/// Goes to another place.
pub(super) fn visit(state: &mut State, place: Place, wishes: &mut Vec<Wish>) {
    show(state, View::of(place), wishes);
}

/// Shows another view. What is answered stays so in the place where it was said.
pub(super) fn show(state: &mut State, view: View, wishes: &mut Vec<Wish>) {
    if view.place.title() != state.view.place.title() {
        state.answer = None;
    }
    state.view = view;
    state.stream = Stream::default();
    state.newest = Looking::No;
    let places = state.places();
    state.chosen = state.position(&places);
    newest(state, wishes);
}

/// Asks for rooms, seats and counts, one question at a time.
pub(super) fn look(state: &mut State, wishes: &mut Vec<Wish>) {
    if state.looking != Looking::No {
        state.looking = Looking::Again;
        return;
    }
    state.looking = Looking::Yes;
    wishes.push(Wish::Look);
}

/// Asks for the newest page.
pub(super) fn newest(state: &mut State, wishes: &mut Vec<Wish>) {
    // Whoever searches sees what there was when they asked.
    let is_search = state.view.words.is_some() && state.stream.is_loaded;
    if is_search {
        return;
    }
    if state.newest != Looking::No {
        state.newest = Looking::Again;
        return;
    }
    state.newest = Looking::Yes;
    wishes.push(Wish::Page(Asked {
        view: state.view.clone(),
        part: Part::Newest,
        before: None,
    }));
}

/// Asks for what lies beyond the ends of what is loaded, where the screen comes near.
fn page(state: &mut State, wishes: &mut Vec<Wish>) {
    let stream = &mut state.stream;
    if !stream.is_loaded {
        return;
    }
    let near = PAGE / 2;
    if let (Some(before), Paging::Ready) = (stream.older().cloned(), stream.asked_older)
        && stream.bottom < near
    {
        stream.asked_older = Paging::Asked;
        wishes.push(Wish::Page(Asked {
            view: state.view.clone(),
            part: Part::Older,
            before: Some(before),
        }));
    }
    let stream = &mut state.stream;
    if let (Some(before), Paging::Ready) = (stream.newer().cloned(), stream.asked_newer)
        && stream.bottom + near / 2 >= stream.len()
    {
        stream.asked_newer = Paging::Asked;
        wishes.push(Wish::Page(Asked {
            view: state.view.clone(),
            part: Part::Newer,
            before,
        }));
    }
}

/// What was displayed is settled, and how far one's own messages got is asked for.
fn drawn(state: &mut State, wishes: &mut Vec<Wish>) {
    if state.over.is_some() || !layout::shows_messages(state) {
        return;
    }
    let mut shown = Vec::new();
    let mut own = Vec::new();
    for (index, _) in scroll::on_screen(state) {
        let Some(entry) = state.stream.get(index) else {
            continue;
        };
        if state.is_own(entry) && entry.kind == SenderKind::Person {
            if !state.known_fates.contains(&entry.id) && !state.asked_fates.contains(&entry.id) {
                own.push(entry.id.clone());
            }
        } else if let Some(reached) = entry.state.filter(|reached| Reached::is_unread(*reached))
            && !state.marking.contains(&entry.seq)
            && !state.unmarked.contains(&entry.seq)
        {
            shown.push(Shown {
                seq: entry.seq,
                id: entry.id.clone(),
                state: reached,
            });
        }
    }
    if !shown.is_empty() {
        state.marking.extend(shown.iter().map(|shown| shown.seq));
        wishes.push(Wish::Mark(shown));
    }
    if !own.is_empty() {
        state.asked_fates.extend(own.iter().cloned());
        wishes.push(Wish::Fates(own));
    }
}

/// Keeps what is being written, where it changed.
pub(super) fn keep(state: &mut State, wishes: &mut Vec<Wish>) {
    let kept = state.to_keep();
    if kept != state.kept {
        state.kept = kept.clone();
        wishes.push(Wish::Keep(kept));
    }
}
