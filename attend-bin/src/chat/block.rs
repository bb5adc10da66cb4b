//! One message as lines of the screen: its head, its words, and what became of it.

use std::time::SystemTime;

use attend_core::mail::{Entry, SenderKind, State as Reached};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::action::Fate;
use super::place::Place;
use super::state::State;
use super::text::{cut, wrapped};
use crate::letters::state_name;

/// How many lines of one message stand in the stream.
const MOST_LINES: usize = 30;

/// What stands before its words.
const INDENT: &str = "      ";

/// The lines of the message at `index`, in `width` columns.
pub(crate) fn block(state: &State, index: usize, width: u16) -> Vec<Line<'static>> {
    let Some(entry) = state.stream.get(index) else {
        return Vec::new();
    };
    let theme = &state.theme;
    let columns = usize::from(width);
    let mut lines = Vec::new();
    let before = index
        .checked_sub(1)
        .and_then(|index| state.stream.get(index));
    let day = day(entry.sent_at, &state.zone);
    let is_other_day = match before {
        Some(before) => self::day(before.sent_at, &state.zone) != day,
        None => state.stream.older().is_none(),
    };
    if is_other_day {
        lines.push(ruled(&day, columns, theme.faint));
    }
    if state.stream.fresh == Some(entry.seq) {
        lines.push(ruled("new", columns, theme.fresh));
    }
    lines.push(head(state, entry, columns));
    let room = columns.saturating_sub(INDENT.len()).max(1);
    if let Some(re) = &entry.re {
        let told = match quoted(state, entry) {
            Some(first) => format!("↳ {}: {}", first.from, first.body),
            None => format!("↳ answers {re}"),
        };
        lines.push(indented(&cut(&told, room), theme.faint));
    }
    let (words, is_all) = wrapped(&entry.body, room, MOST_LINES);
    lines.extend(words.iter().map(|line| indented(line, theme.plain)));
    if !is_all {
        lines.push(indented("… Enter shows the rest", theme.faint));
    }
    if state.is_own(entry)
        && let Some(fate) = state.fates.get(&entry.id)
    {
        let told = fate_told(fate);
        if !told.is_empty() {
            lines.push(indented(&cut(&told, room), theme.faint));
        }
    }
    lines
}

/// The message that began a thread, where it is loaded.
fn quoted<'a>(state: &'a State, entry: &Entry) -> Option<&'a Entry> {
    let re = entry.re.as_ref()?;
    state.stream.entries().find(|other| other.id == *re)
}

fn head(state: &State, entry: &Entry, columns: usize) -> Line<'static> {
    let theme = &state.theme;
    let name = match entry.kind {
        SenderKind::Program if entry.from != "program" => format!("{} (program)", entry.from),
        SenderKind::Person if !state.is_own(entry) => format!("{} (person)", entry.from),
        _ => entry.from.clone(),
    };
    let style = if state.is_own(entry) {
        theme.own
    } else {
        theme.name(&entry.from)
    };
    let here = state.view.place.title();
    let to: Vec<&str> = entry.to.iter().map(String::as_str).collect();
    let is_here = matches!(state.view.place, Place::Room(_)) && to == [here.as_str()];
    let to = if is_here {
        String::new()
    } else {
        format!(" → {}", to.join(", "))
    };
    let time = clock(entry.sent_at, &state.zone);
    let id = entry.id.to_string();
    let name = cut(&name, columns.saturating_sub(7));
    let used = 6 + super::text::width(&name);
    let to = cut(&to, columns.saturating_sub(used + 2));
    let used = used + super::text::width(&to);
    let mut spans = vec![
        Span::styled(format!("{time} "), theme.faint),
        Span::styled(name, style),
        Span::styled(to, theme.faint),
    ];
    let is_fresh = entry.state.is_some_and(Reached::is_unread) && !state.is_own(entry);
    if is_fresh && used + 2 <= columns {
        spans.push(Span::styled(" •", theme.fresh));
    }
    let used = used + if is_fresh { 2 } else { 0 };
    if let Some(gap) = columns
        .checked_sub(used + id.len() + 1)
        .filter(|gap| *gap > 0)
    {
        spans.push(Span::raw(" ".repeat(gap)));
        spans.push(Span::styled(id, theme.faint));
    }
    Line::from(spans)
}

/// How far a message of one's own got: `seen by Cleo-alpha · new for Tam · #open: seen by 1 of 3`.
pub(crate) fn fate_told(fate: &Fate) -> String {
    let mut told = Vec::new();
    for wanted in [
        Reached::Seen,
        Reached::Printed,
        Reached::Unseen,
        Reached::Counted,
        Reached::New,
    ] {
        let names = fate.states.iter().filter(|(_, state)| *state == wanted);
        let names: Vec<&str> = names.map(|(name, _)| name.as_str()).collect();
        if !names.is_empty() {
            let how = match wanted {
                Reached::Seen => "✓✓ seen by",
                Reached::Printed => "✓ printed for",
                Reached::New => "waits for",
                other => state_name(other),
            };
            told.push(format!("{how} {}", names.join(", ")));
        }
    }
    for (room, seen, members) in &fate.rooms {
        if *members > 0 {
            told.push(format!("{room}: seen by {seen} of {members}"));
        }
    }
    told.join(" · ")
}

fn indented(text: &str, style: Style) -> Line<'static> {
    Line::from(vec![
        Span::raw(INDENT),
        Span::styled(text.to_owned(), style),
    ])
}

/// A line across with a word in it.
fn ruled(word: &str, columns: usize, style: Style) -> Line<'static> {
    let word = format!("── {word} ");
    let rest = columns.saturating_sub(super::text::width(&word));
    Line::styled(format!("{word}{}", "─".repeat(rest)), style)
}

/// The time of day: `09:41`.
pub(crate) fn clock(time: SystemTime, zone: &TimeZone) -> String {
    in_zone(time, zone, "%H:%M")
}

fn day(time: SystemTime, zone: &TimeZone) -> String {
    in_zone(time, zone, "%a %-d %b %Y")
}

fn in_zone(time: SystemTime, zone: &TimeZone, form: &str) -> String {
    let time = Timestamp::try_from(time).unwrap_or_default();
    time.to_zoned(zone.clone()).strftime(form).to_string()
}
