//! The list of places: rooms, agents and people.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::put;
use crate::chat::list::Item;
use crate::chat::place::Place;
use crate::chat::state::{Part, State};
use crate::chat::text::{cut, width};

/// The first place that is shown of `count`, so that the one that matters is on the screen.
pub(crate) fn first_place(state: &State, count: usize, height: u16) -> usize {
    let room = usize::from(height.saturating_sub(1)).max(1);
    let at = if state.part == Part::List {
        state.chosen
    } else {
        state.position(&state.places())
    };
    (at + 1)
        .saturating_sub(room)
        .min(count.saturating_sub(room))
}

pub(super) fn draw(state: &State, area: Rect, buffer: &mut Buffer) {
    let theme = &state.theme;
    let places = state.places();
    let here = state.position(&places);
    let style = if state.part == Part::List {
        theme.accent
    } else {
        theme.faint
    };
    put(buffer, area, 0, &Line::styled("places", style));
    let first = first_place(state, places.len(), area.height);
    let room = usize::from(area.height.saturating_sub(1));
    for (row, (index, item)) in places.iter().enumerate().skip(first).take(room).enumerate() {
        let row = u16::try_from(row + 1).unwrap_or(u16::MAX);
        put(
            buffer,
            area,
            row,
            &line(state, item, area.width.into(), index == here),
        );
        let is_chosen = state.part == Part::List && index == state.chosen;
        if is_chosen || state.part != Part::List && index == here {
            let row = Rect::new(area.x, area.y + row, area.width, 1);
            buffer.set_style(row, theme.chosen);
        }
    }
}

fn line<'a>(state: &State, item: &Item, columns: usize, is_here: bool) -> Line<'a> {
    let theme = &state.theme;
    let name = match &item.place {
        Place::All => "everything".to_owned(),
        place => place.title(),
    };
    let style = match (item.unread, item.is_live) {
        (1.., _) => theme.fresh,
        (0, true) => theme.plain,
        (0, false) => theme.faint,
    };
    let unread = match item.unread {
        0 => String::new(),
        many @ 1..1000 => many.to_string(),
        _ => "999+".to_owned(),
    };
    let mut facts = facts(item).join(" ");
    let name = cut(&name, columns.saturating_sub(width(&unread) + 3));
    let room = columns.saturating_sub(width(&name) + width(&unread) + 4);
    if width(&facts) > room {
        // What does not fit whole says less than nothing.
        facts = item
            .context
            .map(|percent| format!("{percent}%"))
            .unwrap_or_default();
        if width(&facts) > room {
            facts.clear();
        }
    }
    let used = 1 + width(&name) + width(&facts) + 1 + width(&unread);
    let gap = " ".repeat(columns.saturating_sub(used + usize::from(!unread.is_empty())));
    let sign = if is_here { "›" } else { " " };
    let mut spans = vec![
        Span::styled(sign, theme.accent),
        Span::styled(name, style),
        Span::raw(gap),
        Span::styled(facts, theme.faint),
    ];
    if !unread.is_empty() {
        spans.push(Span::styled(format!(" {unread}"), theme.fresh));
    }
    Line::from(spans)
}

/// What is known of a place beside its name: what somebody does, how much of the window is used.
pub(super) fn facts(item: &Item) -> Vec<String> {
    let state = item.state.filter(|state| *state != "unknown");
    let mut facts: Vec<String> = state.map(str::to_owned).into_iter().collect();
    facts.extend(item.context.map(|percent| format!("{percent}%")));
    facts
}
