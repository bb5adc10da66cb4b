//! Keys, the mouse, and what is pasted.

use attend_core::mail::{Address, Name, SenderKind};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Position, Rect};

use super::written::{write, writing};
use super::{keep, newest, show, visit};
use crate::chat::action::Wish;
use crate::chat::composer::Composer;
use crate::chat::draw::{first_place, lowest};
use crate::chat::keys::{Command, When, meaning};
use crate::chat::layout::regions;
use crate::chat::place::Place;
use crate::chat::scroll;
use crate::chat::state::{Answered, Over, Part, State};

pub(super) fn key(state: &mut State, key: KeyEvent, wishes: &mut Vec<Wish>) {
    if key.kind == KeyEventKind::Release {
        return;
    }
    let is_writing = state.part == Part::Composer || state.asking.is_some();
    let when = match (is_writing && state.over.is_none(), state.part) {
        (true, _) => When::Writing,
        (false, Part::List) if state.over.is_none() => When::Listing,
        _ => When::Reading,
    };
    let Some(command) = meaning(key, when) else {
        if let KeyCode::Char(c) = key.code
            && is_writing
            && state.over.is_none()
            && !key
                .modifiers
                .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
        {
            write(state, c.encode_utf8(&mut [0; 4]));
        }
        return;
    };
    state.notice = None;
    if state.over.is_some() {
        over(state, command, wishes);
        return;
    }
    match command {
        Command::Help => state.over = Some(Over::Help(0)),
        Command::Quit => end(state, wishes),
        Command::Redraw => wishes.push(Wish::Redraw),
        Command::Stop => wishes.push(Wish::Stop),
        Command::NextPlace => step(state, 1, wishes),
        Command::PreviousPlace => step(state, -1, wishes),
        Command::NextUnread => next_unread(state, wishes),
        Command::NextPart => next_part(state),
        Command::Search => state.asking = Some(Composer::default()),
        Command::List => list(state),
        Command::Member => member(state, wishes),
        Command::ScreenUp => screen(state, true),
        Command::ScreenDown => screen(state, false),
        Command::Oldest => {
            state.stream.ask_again();
            scroll::top_at(state, 0);
            scroll::keep_chosen(state);
        }
        Command::Newest => to_newest(state, wishes),
        Command::Back => back(state, wishes),
        Command::Compose => state.part = Part::Composer,
        Command::Reply => reply(state),
        command => match (is_writing, state.part) {
            (true, _) => writing(state, command, wishes),
            (false, Part::List) => listing(state, command, wishes),
            _ => reading(state, command, wishes),
        },
    }
}

/// What is pasted is written, and nothing of it is a command.
pub(super) fn paste(state: &mut State, text: &str) {
    if state.over.is_none() {
        if state.asking.is_none() {
            state.part = Part::Composer;
        }
        write(state, text);
    }
}

/// Turns what lies on top, or the stream.
pub(super) fn wheel(state: &mut State, is_up: bool, lines: usize) {
    let lowest = state.over.as_ref().map(|over| lowest(state, over));
    match &mut state.over {
        Some(Over::Help(at) | Over::Whole(_, at)) => {
            let lowest = lowest.unwrap_or_default();
            *at = if is_up {
                (*at).min(lowest).saturating_sub(lines)
            } else {
                (*at + lines).min(lowest)
            };
        }
        None if is_up => scroll::up(state, lines),
        None => scroll::down(state, lines),
    }
}

pub(super) fn click(state: &mut State, (column, row): (u16, u16), wishes: &mut Vec<Wish>) {
    if state.over.take().is_some() {
        return;
    }
    let at = regions(state);
    let is_in = |rect: Rect| rect.contains(Position::new(column, row));
    if let Some(list) = at.list.filter(|list| is_in(*list)) {
        let places = state.places();
        let line = usize::from(row - list.y);
        let first = first_place(state, places.len(), list.height);
        if let Some(item) = line
            .checked_sub(1)
            .and_then(|line| places.get(first + line))
        {
            visit(state, item.place.clone(), wishes);
            state.part = Part::Composer;
        }
    } else if is_in(at.stream) {
        state.part = Part::Stream;
        state.stream.selected = scroll::at_row(state, row - at.stream.y);
    } else if is_in(at.composer) {
        state.part = Part::Composer;
    }
}

/// Keys while something lies on top.
fn over(state: &mut State, command: Command, wishes: &mut Vec<Wish>) {
    let page = usize::from(state.size.1.saturating_sub(4)).max(1);
    match command {
        Command::Up => wheel(state, true, 1),
        Command::Down => wheel(state, false, 1),
        Command::ScreenUp => wheel(state, true, page),
        Command::ScreenDown => wheel(state, false, page),
        Command::Quit => end(state, wishes),
        Command::Redraw => wishes.push(Wish::Redraw),
        Command::Stop => wishes.push(Wish::Stop),
        Command::Reply => {
            let taken = state.over.take();
            if let Some(Over::Whole(whole, _)) = taken {
                answer(state, &whole.entry);
            }
        }
        _ => state.over = None,
    }
}

fn reading(state: &mut State, command: Command, wishes: &mut Vec<Wish>) {
    match command {
        Command::Up => scroll::choose(state, true),
        Command::Down => scroll::choose(state, false),
        Command::Enter => {
            let seq = state.stream.selected;
            let index = seq.and_then(|seq| state.stream.index(seq));
            if let Some(entry) = index.and_then(|index| state.stream.get(index)) {
                wishes.push(Wish::Whole(entry.id.clone()));
            }
        }
        _ => {}
    }
}

fn listing(state: &mut State, command: Command, wishes: &mut Vec<Wish>) {
    let places = state.places();
    match command {
        Command::Up => state.chosen = state.chosen.saturating_sub(1),
        Command::Down => state.chosen = (state.chosen + 1).min(places.len() - 1),
        Command::Enter => {
            if let Some(item) = places.get(state.chosen) {
                visit(state, item.place.clone(), wishes);
                state.part = Part::Composer;
            }
        }
        _ => {}
    }
}

/// Goes so many places down the list.
fn step(state: &mut State, by: isize, wishes: &mut Vec<Wish>) {
    let places = state.places();
    let at = state.position(&places).saturating_add_signed(by);
    if let Some(item) = places.get(at)
        && item.place.title() != state.view.place.title()
    {
        visit(state, item.place.clone(), wishes);
    }
}

fn next_unread(state: &mut State, wishes: &mut Vec<Wish>) {
    let places = state.places();
    let here = state.position(&places);
    let rest = places.iter().cycle().skip(here + 1).take(places.len());
    let mut unread = rest.filter(|item| item.unread > 0 && item.place != Place::All);
    match unread.next() {
        Some(item) => visit(state, item.place.clone(), wishes),
        None if state.overview.counts.total() > 0 => visit(state, Place::All, wishes),
        None => state.say("nothing is unread"),
    }
}

fn next_part(state: &mut State) {
    state.asking = None;
    state.part = match state.part {
        Part::Composer => Part::Stream,
        Part::Stream => Part::List,
        Part::List => Part::Composer,
    };
    if state.part == Part::Stream && state.stream.selected.is_none() {
        scroll::choose(state, false);
    }
    if state.part == Part::List {
        state.shows_list = true;
        let places = state.places();
        state.chosen = state.position(&places);
    }
}

fn list(state: &mut State) {
    let has_room = state.size.0 >= crate::chat::layout::NARROW;
    if has_room {
        state.shows_list = !state.shows_list;
    }
    let closes = state.part == Part::List || has_room;
    state.part = if closes { Part::Composer } else { Part::List };
}

fn member(state: &mut State, wishes: &mut Vec<Wish>) {
    let Place::Room(room) = state.view.place.clone() else {
        state.say("this is no room; choose one in the list");
        return;
    };
    let mut rooms = state.overview.rooms.iter();
    let joins = !rooms.any(|info| info.name == room && info.joined);
    wishes.push(Wish::Member { room, joins });
}

fn screen(state: &mut State, is_up: bool) {
    let lines = usize::from(regions(state).stream.height.saturating_sub(1)).max(1);
    wheel(state, is_up, lines);
    scroll::keep_chosen(state);
}

fn to_newest(state: &mut State, wishes: &mut Vec<Wish>) {
    if !state.stream.has_end() {
        let view = state.view.clone();
        show(state, view, wishes);
        return;
    }
    state.stream.end_at_last();
    scroll::keep_chosen(state);
    newest(state, wishes);
}

/// One step back, whatever that is.
fn back(state: &mut State, wishes: &mut Vec<Wish>) {
    if state.asking.take().is_some() {
        return;
    }
    if state.view.words.is_some() {
        let place = state.view.place.clone();
        visit(state, place, wishes);
        state.part = Part::Composer;
    } else if state.answer.take().is_some() {
    } else if state.part == Part::Composer {
        next_part(state);
    } else {
        state.part = Part::Composer;
        state.stream.selected = None;
    }
}

fn reply(state: &mut State) {
    let seq = state.stream.selected;
    let index = seq.and_then(|seq| state.stream.index(seq));
    if let Some(entry) = index.and_then(|index| state.stream.get(index)).cloned() {
        answer(state, &entry);
    }
}

/// What is written next answers `entry`: to its sender and its rooms; of one's own, to everybody
/// that it went to.
fn answer(state: &mut State, entry: &attend_core::mail::Entry) {
    let named = entry.to.iter().filter_map(|to| Address::parse(to));
    let is_own = state.is_own(entry);
    let mut to: Vec<Address> = named
        .filter(|address| is_own || matches!(address, Address::Room(_)))
        .collect();
    if !is_own
        && entry.kind != SenderKind::Program
        && let Some(name) = Name::parse(&entry.from)
    {
        to.insert(0, name.into());
    }
    if to.is_empty() {
        state.complain("its sender reads no mail, so nobody would get the answer");
        return;
    }
    state.answer = Some(Answered {
        re: entry.re.clone().unwrap_or_else(|| entry.id.clone()),
        to,
        from: entry.from.clone(),
        text: entry.body.clone(),
    });
    state.part = Part::Composer;
}

fn end(state: &mut State, wishes: &mut Vec<Wish>) {
    keep(state, wishes);
    wishes.push(Wish::End);
}
