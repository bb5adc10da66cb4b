//! The guidance of a session, carried by a hook: what its events call for, and what has faded.

use std::cell::OnceCell;
use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

use attend_core::runtime::config::WaysSettings;
use attend_core::runtime::system::SystemClock;
use attend_core::sensor::Clock as _;
use attend_core::ways::{CompactionSign, Fired, Loaded, Summary, Taken, Trigger, stamp, try_fire};

use super::event::{Carrier, Event};
use super::happening::Happening;
use super::standing::{self, Standing};
use crate::env::Env;
use crate::guidance::{Guidance, body};
use crate::ledger::Book;
use crate::place;

/// How long a hook waits for another one of the session: the host waits for it.
const PATIENCE: Duration = Duration::from_millis(20);

/// The same at a compaction, which nothing else tells.
const AT_COMPACTION: Duration = Duration::from_millis(500);

/// A way of more bytes never fits whole, and is cut.
const MOST: usize = 7_000;

/// Everything that one hook works with.
struct Desk<'a> {
    event: &'a Event,
    env: &'a Env,
    guidance: Guidance,
    /// The epoch, and the share of the window that is used; read only where a way asks for it.
    share: Option<(Option<String>, f64)>,
}

/// The bodies of the ways that the event calls for, as many as go into `room`, in bytes as JSON
/// quotes them. They are remembered as shown; what does not fit is not.
///
/// Nothing that goes wrong here is told: the host has to hear of nothing, and `ways lint` and
/// `ways list` tell people.
pub(super) fn given(event: &Event, room: usize, env: &Env, settings: &WaysSettings) -> Vec<String> {
    let lasting = lasting(event);
    let text = event.happening.text();
    let occasion = event.happening.occasion(&text).filter(|_| is_heard(event));
    if occasion.is_none() && lasting.is_empty() {
        return Vec::new();
    }
    let share = OnceCell::new();
    // Right after a compaction the last count is from before it.
    let is_told = !event.happening.is_compaction();
    let look = || is_told.then(|| standing::share(event, env)).flatten();
    let wanted = |summary: &Summary| {
        let fires = occasion.is_some_and(|occasion| summary.may_fire_on(&occasion));
        let is_reached = |above: f64| {
            let share: &Option<(_, f64)> = share.get_or_init(look);
            share.as_ref().is_some_and(|(_, share)| *share >= above)
        };
        fires || lasting.contains(&summary.trigger()) && summary.above().is_none_or(is_reached)
    };
    let guidance = Guidance::sought(&project(event), (env, settings.clone()), false, &wanted);
    let share = share.into_inner().flatten();
    if guidance.corpus.ways().next().is_none() && share.is_none() {
        return Vec::new();
    }
    let desk = Desk {
        event,
        env,
        guidance,
        share,
    };
    desk.give(room).unwrap_or_default()
}

/// Whether ways may fire on what happens itself. What becomes of the session is not for a
/// subagent.
fn is_heard(event: &Event) -> bool {
    let is_of_session = matches!(event.happening, Happening::Start(_) | Happening::Stop);
    event.carrier == Carrier::Context && (event.subagent.is_none() || !is_of_session)
}

/// The types of triggers whose occasion may have been before, and lasts.
fn lasting(event: &Event) -> &'static [&'static str] {
    match event.carrier {
        _ if event.subagent.is_some() => &[],
        Carrier::Nothing if event.happening == Happening::Compacted => &["PostCompact"],
        Carrier::Nothing => &[],
        _ => &["PostCompact", "context-threshold"],
    }
}

/// The project in which the session works.
fn project(event: &Event) -> PathBuf {
    let named = place::project(event.cwd.as_deref());
    let found = named.or_else(|_| place::project(None));
    found.unwrap_or_else(|_| event.cwd.clone().unwrap_or_default())
}

impl Desk<'_> {
    fn give(&self, room: usize) -> Option<Vec<String>> {
        // Most hooks have nothing to give: they do not wait for those that have.
        let look = self.opened(Book::look(&self.event.session, self.env).ok()?)?;
        let before = look.taken();
        let (taken, due) = self.due(&before);
        let may_fire = || {
            if due.is_empty() {
                return false;
            }
            let standing = Standing::of(self.event, &taken, self.env);
            due.iter().any(|loaded| {
                let stamp = stamp(&look, &loaded.way.id).unwrap_or_default();
                let curve = self.guidance.curve(&loaded.way, standing.window());
                let gate = standing.gate(stamp.as_ref());
                gate.admits(stamp.as_ref(), &curve) || is_waiting(loaded)
            })
        };
        if before == taken && !may_fire() {
            return None;
        }
        let patience = match self.event.happening {
            Happening::Compacted | Happening::Start(_) => AT_COMPACTION,
            _ => PATIENCE,
        };
        let book = Book::hold_within(patience, &self.event.session, self.env).ok()?;
        Some(self.fire(self.opened(book)?, room))
    }

    fn opened(&self, book: Book) -> Option<Book> {
        match &self.event.subagent {
            Some(id) => book.of_subagent(id),
            None => Some(book),
        }
    }

    /// What has been taken as of now, of which `before` was kept, and the ways that are due.
    fn due(&self, before: &Taken) -> (Taken, Vec<&Loaded>) {
        let mut taken = before.clone();
        let corpus = &self.guidance.corpus;
        if self.event.happening.is_compaction() {
            let sign = match self.event.happening {
                Happening::Compacted => CompactionSign::PostCompact,
                _ => CompactionSign::SessionStart,
            };
            taken.compacted(sign, corpus);
        }
        if let Some((epoch, share)) = &self.share {
            taken.reached(epoch.as_deref(), *share, corpus);
        }
        let is_subagent = self.event.subagent.is_some();
        let is_open = taken.is_open(self.event.turn.as_deref());
        let share = self.share.as_ref().map(|(_, share)| *share);
        let text = self.event.happening.text();
        let occasion = self.event.happening.occasion(&text);
        let is_due = |loaded: &&Loaded| {
            let way = &loaded.way;
            let is_meant = way.scope.takes(is_subagent);
            let fires = occasion.is_some_and(|occasion| way.trigger.fires_on(&occasion));
            let fires = fires && (is_open || way.trigger != Trigger::Stop);
            is_meant && (fires || taken.is_due(way.id.as_str(), &way.trigger, share))
        };
        let carries = self.event.carrier != Carrier::Nothing;
        let due = corpus.ways().filter(is_due).filter(|_| carries).collect();
        (taken, due)
    }

    /// Fires what the gate lets through and what fits, and keeps what was taken.
    fn fire(&self, mut book: Book, mut room: usize) -> Vec<String> {
        let before = book.taken();
        let (mut taken, due) = self.due(&before);
        let standing = Standing::of(self.event, &taken, self.env);
        let since = SystemClock.wall().duration_since(UNIX_EPOCH);
        let at = since.map_or(0, |since| since.as_secs());
        let mut bodies = Vec::new();
        for loaded in due {
            let way = &loaded.way;
            // What is remembered of one way cannot be read: the others do not wait for it.
            let Ok(kept) = stamp(&book, &way.id) else {
                continue;
            };
            let gate = standing.gate(kept.as_ref());
            let curve = self.guidance.curve(way, standing.window());
            let text = shortened(loaded);
            let size = quoted(&text);
            if gate.admits(kept.as_ref(), &curve) {
                if size > room {
                    continue;
                }
                let fired = try_fire(&mut book, &gate, &[(way, curve)], at);
                if !matches!(fired, Ok(Fired::Whole(_))) {
                    continue;
                }
                room -= size;
                bodies.push(text);
            }
            taken.take(way.id.as_str(), &way.trigger, self.event.turn.as_deref());
        }
        if taken != before && self.event.subagent.is_none() {
            // What cannot be kept counts again: the gate still holds.
            let _ = book.keep_taken(&taken);
        }
        bodies
    }
}

/// Whether the occasion of `loaded` lasts until it is taken.
fn is_waiting(loaded: &Loaded) -> bool {
    matches!(
        loaded.way.trigger,
        Trigger::PostCompact | Trigger::ContextThreshold { .. }
    )
}

/// The body of a way; of one that would never fit, as much as does, and where the rest is.
fn shortened(loaded: &Loaded) -> String {
    let text = body(&loaded.way.body);
    if quoted(&text) <= MOST {
        return text;
    }
    let mut left = MOST;
    let mut cut = String::new();
    for line in text.split_inclusive('\n') {
        let size = quoted(line);
        if size > left {
            break;
        }
        left -= size;
        cut.push_str(line);
    }
    let file = loaded.file.as_ref().map(|file| file.display().to_string());
    let file = file.unwrap_or_else(|| loaded.way.id.to_string());
    let rest = attend_core::attention::sanitise(&file);
    cut + &format!("(this is cut: the rest stands in {rest})\n")
}

/// Bytes, as JSON quotes them, and those of the line between it and what stands before.
fn quoted(text: &str) -> usize {
    serde_json::to_string(text).map_or(usize::MAX, |quoted| quoted.len())
}
