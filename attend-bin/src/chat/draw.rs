//! The view: the state as a picture, without changing anything.

mod list;
mod over;

pub(crate) use self::list::first_place;
pub(crate) use self::over::lowest;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::block::block;
use super::complete;
use super::layout::{PROMPT, Regions, Window, has_room, regions, window};
use super::place::Place;
use super::scroll::on_screen;
use super::state::{Part, State};
use super::text::{cut, width};

/// Draws everything.
pub(crate) fn draw(state: &State, frame: &mut Frame<'_>) {
    let area = frame.area();
    let buffer = frame.buffer_mut();
    if (area.width, area.height) != state.size {
        // The terminal has changed since, which the state is about to learn.
        return;
    }
    if !has_room(state) {
        put(buffer, buffer.area, 0, &Line::raw("too small"));
        return;
    }
    let at = regions(state);
    if let Some(area) = at.list {
        list::draw(state, area, buffer);
        let rule = area.right();
        for row in area.top()..area.bottom() {
            if rule < buffer.area.right() {
                buffer.set_string(rule, row, "│", state.theme.faint);
            }
        }
    }
    if at.stream.width > 0 {
        head(state, at.head, buffer);
        stream(state, at.stream, buffer);
        composer(state, at.composer, buffer);
        offered(state, &at, buffer);
    }
    status(state, at.status, buffer);
    if let Some(over) = &state.over {
        over::draw(state, over, buffer);
        return;
    }
    if (state.part == Part::Composer || state.asking.is_some()) && at.composer.width > 0 {
        let (column, line) = shown(state, at.composer).cursor;
        let x = (at.composer.x + PROMPT + column).min(at.composer.right().saturating_sub(1));
        let y = at.composer.y + 1 + line;
        frame.set_cursor_position((x, y.min(at.composer.bottom().saturating_sub(1))));
    }
}

/// Writes a line into the row `row` of `area`, where there is one.
fn put(buffer: &mut Buffer, area: Rect, row: u16, line: &Line<'_>) {
    if row < area.height {
        buffer.set_line(area.x, area.y + row, line, area.width);
    }
}

fn head(state: &State, area: Rect, buffer: &mut Buffer) {
    let theme = &state.theme;
    let title = match &state.view.place {
        Place::All => "everything".to_owned(),
        place => place.title(),
    };
    let mut told = vec![Span::styled(cut(&title, area.width.into()), theme.accent)];
    if let Some(words) = &state.view.words {
        told.push(Span::styled(
            format!("  search: {}", cut(words, 40)),
            theme.fresh,
        ));
    }
    if let Place::Room(room) = &state.view.place
        && let Some(info) = state.overview.rooms.iter().find(|info| info.name == *room)
    {
        let count = info.members.len();
        let noun = if count == 1 { "member" } else { "members" };
        let joined = if info.joined {
            ""
        } else {
            ", not joined: F4 joins"
        };
        told.push(Span::styled(
            format!("  {count} {noun}{joined}"),
            theme.faint,
        ));
    }
    if let Place::Talk(_) = &state.view.place {
        let places = state.places();
        let item = &places[state.position(&places)];
        let facts = list::facts(item).join(", ");
        told.push(Span::styled(format!("  {facts}"), theme.faint));
    }
    put(buffer, area, 0, &Line::from(told));
}

fn stream(state: &State, area: Rect, buffer: &mut Buffer) {
    if state.stream.len() == 0 {
        let told = match (state.stream.is_loaded, &state.view.words) {
            (false, _) => "…",
            (true, Some(_)) if state.stream.older().is_some() => "looking further back …",
            (true, Some(words)) => &format!("nothing here has {}", cut(words, 40)),
            (true, None) => "nothing was said here yet",
        };
        put(
            buffer,
            area,
            0,
            &Line::styled(told.to_owned(), state.theme.faint),
        );
        return;
    }
    // From the lower edge up; where there is less than a screen, it begins at the top.
    let shown = on_screen(state);
    let filled: usize = shown.iter().map(|(_, lines)| lines).sum();
    let mut edge = usize::from(area.height).min(filled);
    for (index, lines) in shown {
        let all = block(state, index, area.width);
        let top = edge.saturating_sub(lines);
        // Of the highest message the first lines may be above the edge.
        let above = lines - (edge - top);
        for (row, line) in (top..edge).zip(all.iter().skip(above)) {
            let row = u16::try_from(row).unwrap_or(u16::MAX);
            put(buffer, area, row, line);
            let seq = state.stream.get(index).map(|entry| entry.seq);
            if seq.is_some() && seq == state.stream.selected && state.part == Part::Stream {
                let row = Rect::new(area.x, area.y + row, area.width, 1);
                buffer.set_style(row, state.theme.chosen);
            }
        }
        edge = top;
    }
}

/// What of that which is written is shown in `area`, below the line above it.
fn shown(state: &State, area: Rect) -> Window {
    let composer = state.writes();
    let rows = area.height.saturating_sub(1);
    window(composer.text(), composer.before().len(), area.width, rows)
}

fn composer(state: &State, area: Rect, buffer: &mut Buffer) {
    let theme = &state.theme;
    let columns = usize::from(area.width);
    let has_keys = state.part == Part::Composer || state.asking.is_some();
    let (word, style) = match (&state.asking, &state.answer) {
        (Some(_), _) => ("search".to_owned(), theme.accent),
        (None, Some(answer)) => {
            let to: Vec<String> = answer.to.iter().map(ToString::to_string).collect();
            let told = format!("answer to {}: {}", answer.from, answer.text);
            let to = to.join(" ");
            let room = columns.saturating_sub(width(&to) + 8);
            (format!("{to} · {}", cut(&told, room)), theme.accent)
        }
        (None, None) => {
            let style = if has_keys { theme.accent } else { theme.faint };
            (state.view.place.address().to_string(), style)
        }
    };
    let word = format!("── {} ", cut(&word, columns.saturating_sub(4)));
    let rest = "─".repeat(columns.saturating_sub(width(&word)));
    let rule = vec![Span::styled(word, style), Span::styled(rest, theme.faint)];
    put(buffer, area, 0, &Line::from(rule));
    let sign = if state.asking.is_some() { "/ " } else { "› " };
    let shown = shown(state, area);
    for (row, line) in shown.lines.iter().enumerate() {
        let sign = if row == 0 && shown.is_first {
            sign
        } else {
            "  "
        };
        let line = vec![
            Span::styled(sign, style),
            Span::styled(line.as_str(), theme.plain),
        ];
        put(
            buffer,
            area,
            u16::try_from(row + 1).unwrap_or(u16::MAX),
            &Line::from(line),
        );
    }
    if state.writes().is_empty() {
        let hint = match (&state.asking, &state.sending) {
            (Some(_), _) => "words to search for",
            (None, Some(_)) => "sending …",
            (None, None) => "write; @name and #room address it; F1 shows the keys",
        };
        let line = vec![
            Span::styled(sign, style),
            Span::styled(cut(hint, columns.saturating_sub(3)), theme.faint),
        ];
        put(buffer, area, 1, &Line::from(line));
    }
}

/// The names that a word may become, above the composer.
fn offered(state: &State, at: &Regions, buffer: &mut Buffer) {
    if state.asking.is_some() || state.over.is_some() || state.part != Part::Composer {
        return;
    }
    let offered = complete::candidates(state.composer.before(), &state.places());
    let most = usize::from(at.stream.height);
    let columns = offered.iter().map(|name| width(name)).max().unwrap_or(0) + 2;
    let columns = u16::try_from(columns).unwrap_or(u16::MAX);
    let left = at.composer.x + PROMPT;
    let columns = columns.min(at.composer.right().saturating_sub(left));
    let rows = u16::try_from(offered.len().min(most)).unwrap_or(0);
    let area = Rect::new(left, at.composer.y - rows, columns, rows);
    for (row, name) in offered.iter().take(most).enumerate() {
        let is_chosen = row == state.choice.min(offered.len() - 1);
        let style = if is_chosen {
            state.theme.chosen.patch(state.theme.accent)
        } else {
            state.theme.faint
        };
        let text = format!(" {} ", cut(name, usize::from(columns.saturating_sub(2))));
        let row = u16::try_from(row).unwrap_or(u16::MAX);
        clear(
            buffer,
            Rect::new(area.x, area.y + row, area.width, 1),
            style,
        );
        put(buffer, area, row, &Line::styled(text, style));
    }
}

/// Nothing is left of what was there.
fn clear(buffer: &mut Buffer, area: Rect, style: Style) {
    for row in area.top()..area.bottom() {
        for column in area.left()..area.right() {
            if let Some(cell) = buffer.cell_mut((column, row)) {
                cell.reset();
                cell.set_style(style);
            }
        }
    }
}

fn status(state: &State, area: Rect, buffer: &mut Buffer) {
    let theme = &state.theme;
    let columns = usize::from(area.width);
    let (text, style) = match (&state.notice, &state.stream.trouble) {
        (Some(notice), _) if notice.is_error => (notice.text.clone(), theme.alarm),
        (Some(notice), _) => (notice.text.clone(), theme.plain),
        (None, Some(trouble)) => (trouble.clone(), theme.alarm),
        _ if state.over.is_some() => ("Esc closes · PgDn goes on".to_owned(), theme.faint),
        _ if !state.stream.follows() && state.stream.is_loaded => (
            "further down there is more: Ctrl-End".to_owned(),
            theme.fresh,
        ),
        _ => {
            let keys = match state.part {
                Part::Composer => "Enter sends · Tab completes · Esc messages",
                Part::Stream => "Enter opens · r answers · / searches · i writes",
                Part::List => "Enter goes there · i writes",
            };
            (format!("{keys} · F1 keys"), theme.faint)
        }
    };
    let total = state.overview.counts.total();
    let right = match total {
        total if total > 0 && columns < 60 => format!("{total} unread"),
        0 => state.me.clone(),
        total => format!("{total} unread · {}", state.me),
    };
    let right = cut(&right, columns / 3);
    let left = cut(&text, columns.saturating_sub(width(&right) + 1));
    put(buffer, area, 0, &Line::styled(left, style));
    let x = area
        .right()
        .saturating_sub(u16::try_from(width(&right)).unwrap_or(0));
    let style = if total > 0 { theme.fresh } else { theme.faint };
    buffer.set_string(x, area.y, right, style);
}
