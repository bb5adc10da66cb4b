//! What lies over everything: the keys, and one message with its thread and who saw it.

use attend_core::mail::{Entry, Whole};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{clear, put};
use crate::chat::action::Fate;
use crate::chat::block::{clock, fate_told};
use crate::chat::keys::told;
use crate::chat::state::{Over, State};
use crate::chat::text::{cut, width, wrapped};

/// How many lines of one message can be read here; `attend show` has the rest.
const MOST_LINES: usize = 20_000;

pub(super) fn draw(state: &State, over: &Over, buffer: &mut Buffer) {
    let area = area(state);
    clear(buffer, area, state.theme.plain);
    let (title, from) = match over {
        Over::Help(from) => ("keys".to_owned(), *from),
        Over::Whole(whole, from) => (format!("message {}", whole.entry.id), *from),
    };
    let lines = lines(state, over);
    let room = usize::from(area.height.saturating_sub(1));
    let from = from.min(lines.len().saturating_sub(room));
    let at = format!(
        "  {} to {} of {}",
        from + 1,
        lines.len().min(from + room),
        lines.len()
    );
    let head = vec![
        Span::styled(title, state.theme.accent),
        Span::styled(at, state.theme.faint),
    ];
    put(buffer, area, 0, &Line::from(head));
    for (row, line) in lines.iter().skip(from).take(room).enumerate() {
        put(
            buffer,
            area,
            u16::try_from(row + 1).unwrap_or(u16::MAX),
            line,
        );
    }
}

/// From which line on the last ones fill the screen.
pub(crate) fn lowest(state: &State, over: &Over) -> usize {
    let room = usize::from(area(state).height.saturating_sub(1));
    lines(state, over).len().saturating_sub(room)
}

/// Everything but the line that tells what stands elsewhere.
fn area(state: &State) -> Rect {
    let (columns, rows) = state.size;
    Rect::new(0, 0, columns, rows.saturating_sub(1))
}

fn lines(state: &State, over: &Over) -> Vec<Line<'static>> {
    match over {
        Over::Help(_) => help(state, state.size.0),
        Over::Whole(whole, _) => message(state, whole, state.size.0),
    }
}

fn help(state: &State, columns: u16) -> Vec<Line<'static>> {
    let theme = &state.theme;
    let longest = told()
        .flat_map(|(_, keys)| keys)
        .map(|(called, _)| width(called));
    let left = longest.max().unwrap_or(0).min(usize::from(columns / 2));
    let mut lines = Vec::new();
    for (heading, keys) in told() {
        lines.push(Line::raw(""));
        lines.push(Line::styled(heading, theme.strong));
        for (called, does) in keys {
            let room = usize::from(columns).saturating_sub(left + 3);
            let (words, _) = wrapped(does, room, 10);
            for (at, words) in words.into_iter().enumerate() {
                let called = if at == 0 {
                    cut(called, left)
                } else {
                    String::new()
                };
                let gap = " ".repeat(left - width(&called) + 2);
                lines.push(Line::from(vec![
                    Span::raw(" "),
                    Span::styled(called, theme.accent),
                    Span::raw(gap),
                    Span::styled(words, theme.plain),
                ]));
            }
        }
    }
    lines
}

fn message(state: &State, whole: &Whole, columns: u16) -> Vec<Line<'static>> {
    let theme = &state.theme;
    let columns = usize::from(columns);
    let mut lines = vec![Line::raw("")];
    heading(state, &whole.entry, columns, &mut lines);
    body(state, &whole.entry, columns, MOST_LINES, &mut lines);
    let fate = fate_told(&Fate::of(whole));
    if !fate.is_empty() {
        lines.push(Line::raw(""));
        let (words, _) = wrapped(&fate, columns, 20);
        lines.extend(
            words
                .into_iter()
                .map(|line| Line::styled(line, theme.faint)),
        );
    }
    if !whole.thread.is_empty() {
        lines.push(Line::raw(""));
        lines.push(Line::styled("thread", theme.strong));
        for entry in &whole.thread {
            heading(state, entry, columns, &mut lines);
            body(state, entry, columns, 10, &mut lines);
        }
    }
    lines
}

fn heading(state: &State, entry: &Entry, columns: usize, lines: &mut Vec<Line<'static>>) {
    let theme = &state.theme;
    let to = entry.to.join(", ");
    let name = cut(&entry.from, columns / 2);
    let style = if state.is_own(entry) {
        theme.own
    } else {
        theme.name(&entry.from)
    };
    let room = columns.saturating_sub(width(&name) + 9);
    let at = clock(entry.sent_at, &state.zone);
    lines.push(Line::from(vec![
        Span::styled(format!("{at} "), theme.faint),
        Span::styled(name, style),
        Span::styled(cut(&format!(" → {to}  {}", entry.id), room), theme.faint),
    ]));
}

fn body(state: &State, entry: &Entry, columns: usize, most: usize, lines: &mut Vec<Line<'static>>) {
    let theme = &state.theme;
    let (words, is_all) = wrapped(&entry.body, columns.saturating_sub(6), most);
    let indented = |line: String| Line::styled(format!("      {line}"), theme.plain);
    lines.extend(words.into_iter().map(indented));
    if !is_all {
        let rest = format!("      … attend show {}", entry.id);
        lines.push(Line::styled(rest, theme.faint));
    }
}
