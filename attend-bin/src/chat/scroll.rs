//! Going through the stream: by lines, by screens, and from message to message.

use attend_core::mail::Seq;

use super::block::block;
use super::layout::regions;
use super::state::State;

/// How many lines a message takes in `width` columns.
fn height(state: &State, index: usize, width: u16) -> usize {
    block(state, index, width).len()
}

/// How wide the stream is, and how many lines it has.
fn room(state: &State) -> (u16, usize) {
    let stream = regions(state).stream;
    (stream.width, usize::from(stream.height))
}

/// The messages on the screen, the lowest first: each with the number of its lines that are
/// above the lower edge.
pub(crate) fn on_screen(state: &State) -> Vec<(usize, usize)> {
    let (width, room) = room(state);
    let mut found = Vec::new();
    let (mut filled, mut hidden) = (0, state.stream.hidden);
    let mut next = (state.stream.len() > 0).then_some(state.stream.bottom);
    while let Some(index) = next.filter(|_| filled < room) {
        let lines = height(state, index, width).saturating_sub(hidden);
        hidden = 0;
        filled += lines;
        found.push((index, lines));
        next = index.checked_sub(1);
    }
    found
}

/// Goes so many lines up, not beyond the first message that is loaded.
pub(crate) fn up(state: &mut State, lines: usize) {
    state.stream.ask_again();
    state.stream.hidden += lines;
    fill(state);
}

/// Sees to it that the screen is full, as far as there is enough that is loaded.
pub(crate) fn fill(state: &mut State) {
    if state.stream.len() == 0 {
        return;
    }
    let (width, room) = room(state);
    // The end of the screen lies in a message that has a line above it.
    loop {
        let lines = height(state, state.stream.bottom, width);
        if state.stream.hidden < lines {
            break;
        }
        if state.stream.bottom == 0 {
            state.stream.hidden = lines.saturating_sub(1);
            break;
        }
        state.stream.hidden -= lines;
        state.stream.bottom -= 1;
    }
    let filled: usize = on_screen(state).iter().map(|(_, lines)| lines).sum();
    if filled < room {
        top_at(state, 0);
    }
}

/// Goes so many lines down, not beyond the last message that is loaded.
pub(crate) fn down(state: &mut State, mut lines: usize) {
    state.stream.ask_again();
    let (width, _) = room(state);
    while lines > 0 {
        let step = lines.min(state.stream.hidden);
        state.stream.hidden -= step;
        lines -= step;
        if lines == 0 {
            return;
        }
        if state.stream.bottom + 1 >= state.stream.len() {
            return;
        }
        state.stream.bottom += 1;
        state.stream.hidden = height(state, state.stream.bottom, width);
    }
}

/// Lets the screen begin with the message at `index`, as far as there is enough below it.
pub(crate) fn top_at(state: &mut State, index: usize) {
    let (width, room) = room(state);
    let mut filled = 0;
    for at in index..state.stream.len() {
        filled += height(state, at, width);
        if filled >= room {
            state.stream.bottom = at;
            state.stream.hidden = filled - room;
            return;
        }
    }
    state.stream.end_at_last();
}

/// Chooses the message above or below the chosen one; at first the lowest on the screen.
pub(crate) fn choose(state: &mut State, is_up: bool) {
    state.stream.ask_again();
    let chosen = state
        .stream
        .selected
        .and_then(|seq| state.stream.index(seq));
    let index = match chosen {
        None => state.stream.bottom,
        Some(index) if is_up => index.saturating_sub(1),
        Some(index) => (index + 1).min(state.stream.len().saturating_sub(1)),
    };
    state.stream.selected = seq(state, index);
    reveal(state, index);
}

fn seq(state: &State, index: usize) -> Option<Seq> {
    state.stream.get(index).map(|entry| entry.seq)
}

/// Brings the message at `index` onto the screen.
fn reveal(state: &mut State, index: usize) {
    if index > state.stream.bottom || index == state.stream.bottom && state.stream.hidden > 0 {
        state.stream.bottom = index;
        state.stream.hidden = 0;
        return;
    }
    let shown = on_screen(state);
    let filled: usize = shown.iter().map(|(_, lines)| lines).sum();
    let top = shown.last().map_or(0, |(index, _)| *index);
    if index < top || index == top && filled > room(state).1 {
        top_at(state, index);
    }
}

/// The chosen message goes along with a screen that moved.
pub(crate) fn keep_chosen(state: &mut State) {
    let Some(index) = state
        .stream
        .selected
        .and_then(|seq| state.stream.index(seq))
    else {
        return;
    };
    let shown = on_screen(state);
    let (Some(low), Some(high)) = (shown.first(), shown.last()) else {
        return;
    };
    state.stream.selected = seq(state, index.clamp(high.0, low.0));
}

/// The message in the line `row` of the stream.
pub(crate) fn at_row(state: &State, row: u16) -> Option<Seq> {
    let shown = on_screen(state);
    let (_, room) = room(state);
    let filled: usize = shown.iter().map(|(_, lines)| lines).sum();
    // A short conversation stands at the top.
    let mut edge = room.min(filled);
    let row = usize::from(row);
    if row >= edge {
        return None;
    }
    for (index, lines) in shown {
        edge = edge.saturating_sub(lines);
        if row >= edge {
            return seq(state, index);
        }
    }
    None
}
