//! Disclosure: the batch that leaves now, made of mail, events, a footnote and notices.

use std::cmp::Reverse;
use std::time::Duration;

use crate::dynamics::Tick;
use crate::mail::age;
use crate::sensor::SensorName;

use super::batch::{BATCH_LIMIT, Batch, Cargo, Charge, FOOTNOTE_UNITS, MAX_EVENTS, Page, size};
use super::engine::Attention;
use super::footnote::{self, Aside};
use super::gate::Verdict;
use super::held::{Entry, Held, Landing, Reach};
use super::id::{BatchId, EventId};
use super::lane::MailPage;
use super::line::{Head, Line, split};
use super::mode::{Mode, phrase};

/// The command that tells more about an event.
const EXPLAIN: &str = "attend explain";

/// Units that one event with its block may take: a batch, less its footnote.
const EVENT_UNITS: usize = BATCH_LIMIT - FOOTNOTE_UNITS;

/// One event that may get a line.
struct Candidate<'a> {
    place: usize,
    entry: &'a Entry,
    /// The first of its sensor: it goes before any second event of another.
    leads: bool,
    lines: Vec<Line>,
}

impl Candidate<'_> {
    fn is_critical(&self) -> bool {
        self.entry.mode == Mode::Critical
    }
}

/// What was laid out, and how.
struct Layout {
    page: Page,
    boarded: Vec<(EventId, Landing)>,
    critical: bool,
    /// Events that found no room.
    waiting: Vec<EventId>,
}

impl Layout {
    fn lines(&self) -> usize {
        self.boarded
            .iter()
            .filter(|(_, landing)| *landing == Landing::Shown)
            .count()
    }
}

impl Attention {
    /// Makes the batch that leaves at `now`: behind `mail` where some leaves, else because a
    /// sensor was admitted or the banner is due.
    pub(super) fn compose(&mut self, now: Tick, mail: Option<MailPage>) -> Batch {
        let id = self.next_batch();
        let rides = mail.is_some() || self.banner.is_some();
        let (mut mailing, mut page, reply_hint) = match mail {
            Some(mail) => (Some(mail.mailing), mail.page, mail.hint),
            None => (None, Page::new(), false),
        };
        let banner = self
            .banner
            .take_if(|text| page.lead(split(&Head::own(), text, EXPLAIN)));
        if let (Some(mailing), Some(banner)) = (&mut mailing, &banner) {
            let lines = split(&Head::own(), banner, EXPLAIN).len();
            mailing.ends = std::mem::take(&mut mailing.ends).moved(lines);
        }
        let mut layout = self.lay_out(now, page, rides);
        let charged = layout.lines() > 0 || (!rides && !layout.boarded.is_empty());
        let charge = charged.then_some(Charge {
            critical: layout.critical,
        });
        let said = |text: &&String| layout.page.push(split(&Head::notice(), text, EXPLAIN));
        let said = self.notices.iter().take_while(said).count();
        let notices = self.notices.drain(..said).collect();
        layout.boarded.sort_unstable_by_key(|(id, _)| *id);
        layout.waiting.sort_unstable();
        let sensors = self.board(now, id, &layout.boarded);
        let cargo = Cargo {
            sensors,
            waiting: layout.waiting,
            charge,
            notices,
            banner,
            reply_hint,
        };
        let batch = Batch {
            id,
            tick: now,
            lines: layout.page.lines,
            mail: mailing,
            cargo,
        };
        self.flight = Some(batch.clone());
        batch
    }

    /// Lays out the events that leave, behind what stands on `page`.
    fn lay_out(&self, now: Tick, page: Page, rides: bool) -> Layout {
        let (mut full, mut aside) = (Vec::new(), Vec::new());
        for (place, held) in self.events.sensors.iter().enumerate() {
            let waited = held.outlook.waited_since.is_some();
            let footnote = held.reach() == Reach::Footnote;
            let alone =
                || !rides && self.events.verdict(place, now, &self.settings) == Verdict::Admit;
            let whole = held.is_ready(now) || (footnote && !waited && alone());
            if whole || waited {
                full.extend(self.candidates(place, held, now, whole));
            }
            if footnote && !whole {
                let rest = held.counted().filter(|entry| entry.waited_since.is_none());
                aside.extend(rest.map(|entry| (place, entry)));
            }
        }
        full.sort_by_key(|c| {
            let waited = c.entry.waited_since.is_some();
            let magnitude = Reverse(c.entry.event.magnitude());
            (
                !c.is_critical(),
                !c.leads,
                !waited,
                magnitude,
                c.entry.first,
                c.entry.id,
            )
        });
        aside.sort_by_key(|(_, entry)| (Reverse(entry.event.magnitude()), entry.first, entry.id));
        if aside.is_empty() {
            let layout = self.place(now, page.clone(), &full, None);
            if layout.boarded.len() == full.len() {
                return layout;
            }
        }
        self.place(now, page, &full, Some(aside))
    }

    /// Places lines, the leading event of each sensor first, then a footnote where there may be
    /// one: for `aside`, and for what found no line though its sensor did.
    fn place(
        &self,
        now: Tick,
        mut page: Page,
        full: &[Candidate<'_>],
        aside: Option<Vec<(usize, &Entry)>>,
    ) -> Layout {
        let has_footnote = aside.is_some() && page.reserve(FOOTNOTE_UNITS);
        let mut layout = Layout {
            page,
            boarded: Vec::new(),
            critical: false,
            waiting: Vec::new(),
        };
        let (mut with_line, mut rest) = (Vec::new(), Vec::new());
        for candidate in full {
            let Candidate { place, entry, .. } = *candidate;
            let has_line = with_line.contains(&place);
            let may = (candidate.leads || has_line) && layout.lines() < MAX_EVENTS;
            if may && layout.page.push(candidate.lines.clone()) {
                layout.boarded.push((entry.id, Landing::Shown));
                layout.critical |= candidate.is_critical();
                with_line.push(place);
            } else if has_line
                && has_footnote
                && entry.event.block().is_empty()
                && !candidate.is_critical()
            {
                rest.push((place, entry));
            } else {
                layout.waiting.push(entry.id);
            }
        }
        if has_footnote {
            rest.extend(aside.unwrap_or_default());
        }
        if !rest.is_empty() {
            layout.page.release();
            self.add_footnote(now, &mut layout, &rest);
        }
        layout
    }

    /// Names `rest` below the lines, where that still fits.
    fn add_footnote<'a>(&self, now: Tick, layout: &mut Layout, rest: &[(usize, &'a Entry)]) {
        let aside = |&(place, entry): &(usize, &'a Entry)| Aside {
            place,
            text: entry.event.text(),
            age: self.age(entry, now),
        };
        let (line, named) = footnote::line(&rest.iter().map(aside).collect::<Vec<_>>());
        if layout.page.push(vec![line]) {
            let landed = rest.iter().zip(named).map(|((_, entry), named)| {
                (
                    entry.id,
                    if named {
                        Landing::Named
                    } else {
                        Landing::Counted
                    },
                )
            });
            layout.boarded.extend(landed);
        }
    }

    /// The events of one sensor that passed its gates, rendered: all that count where `whole`,
    /// else those that wait for room. The most important one leads.
    fn candidates<'a>(
        &self,
        place: usize,
        held: &'a Held,
        now: Tick,
        whole: bool,
    ) -> Vec<Candidate<'a>> {
        let passed = || {
            held.counted()
                .filter(move |entry| whole || entry.waited_since.is_some())
        };
        let prefix = Head::event(held.name(), held.outlook.priority);
        let rank = |entry: &&Entry| {
            (
                entry.mode == Mode::Critical,
                entry.event.magnitude(),
                Reverse(entry.id),
            )
        };
        let first = passed().max_by_key(rank).map(|entry| entry.id);
        let candidate = |entry: &'a Entry| Candidate {
            place,
            entry,
            leads: Some(entry.id) == first,
            lines: self.render(&prefix, entry, now),
        };
        passed().map(candidate).collect()
    }

    /// The lines of one event: its text, then its block, cut where rendering made it too long.
    fn render(&self, head: &Head, entry: &Entry, now: Tick) -> Vec<Line> {
        let text = format!(
            "{}{}",
            phrase(&entry.event, &self.handled),
            self.age(entry, now)
        );
        let mut lines = split(head, &text, EXPLAIN);
        lines.extend(
            entry
                .event
                .block()
                .iter()
                .flat_map(|line| split(head, line, EXPLAIN)),
        );
        if size(&lines) > EVENT_UNITS {
            let last = split(head, &format!("… {EXPLAIN}"), EXPLAIN);
            while size(&lines) + size(&last) > EVENT_UNITS {
                lines.pop();
            }
            lines.extend(last);
        }
        lines
    }

    /// ` (12m ago)` for what was not reported lately.
    fn age(&self, entry: &Entry, now: Tick) -> String {
        let since = now.since(entry.last);
        if since > self.settings.tell_age_after {
            format!(" ({} ago)", age(Duration::from_secs(since.get())))
        } else {
            String::new()
        }
    }

    /// Marks the events of a batch, and says which sensors fire by it: those that were ready and
    /// had a line. A footnote is no fire, also where it leaves alone.
    fn board(
        &mut self,
        now: Tick,
        id: BatchId,
        boarded: &[(EventId, Landing)],
    ) -> Vec<(SensorName, bool)> {
        let mut sensors = Vec::new();
        for held in &mut self.events.sensors {
            let fires = held.is_ready(now) || held.outlook.waited_since.is_some();
            if let Some(has_line) = held.board(id, boarded) {
                sensors.push((held.name.clone(), fires && has_line));
            }
        }
        sensors
    }
}
