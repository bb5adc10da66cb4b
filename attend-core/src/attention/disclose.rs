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
    waited: bool,
    lines: Vec<Line>,
}

/// What was laid out, and how.
struct Layout {
    page: Page,
    shown: Vec<(usize, EventId)>,
    footnoted: Vec<(usize, EventId)>,
    critical: bool,
    /// Sensors that found no room for something.
    waiting: Vec<usize>,
}

impl Attention {
    /// Makes the batch that leaves at `now`: behind `mail` where some leaves, else because a
    /// sensor was admitted or the banner is due.
    pub(super) fn compose(&mut self, now: Tick, mail: Option<MailPage>) -> Batch {
        let id = self.next_batch();
        let rides = mail.is_some() || self.banner.is_some();
        let (mailing, mut page, reply_hint) = match mail {
            Some(mail) => (Some(mail.mailing), mail.page, mail.hint),
            None => (None, Page::new(), false),
        };
        let banner = self
            .banner
            .as_ref()
            .is_some_and(|text| page.lead(split(&Head::own(), text, EXPLAIN)));
        let Layout {
            mut page,
            shown,
            footnoted,
            critical,
            waiting,
        } = self.lay_out(now, page, rides);
        let charged = !shown.is_empty() || (!rides && !footnoted.is_empty());
        let charge = charged.then_some(Charge { critical });
        let said = |text: &&String| page.push(split(&Head::notice(), text, EXPLAIN));
        let notices = self.notices.iter().take_while(said).count();
        let waiting = waiting
            .iter()
            .map(|place| self.events.sensors[*place].name.clone())
            .collect();
        let sensors = self.board(now, id, &shown, &footnoted);
        let cargo = Cargo {
            sensors,
            waiting,
            charge,
            notices,
            banner,
            reply_hint,
        };
        let batch = Batch {
            id,
            tick: now,
            lines: page.lines,
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
            let alone =
                || !rides && self.events.verdict(place, now, &self.settings) == Verdict::Admit;
            if held.is_ready(now) || (held.reach() == Reach::Footnote && alone()) {
                full.extend(self.candidates(place, held, now));
            } else if held.reach() == Reach::Footnote {
                aside.extend(held.counted().map(|entry| (place, entry)));
            }
        }
        full.sort_by_key(|c| {
            let entry = c.entry;
            let critical = entry.mode == Mode::Critical;
            (
                !c.leads,
                !critical,
                !c.waited,
                Reverse(entry.event.magnitude()),
                entry.first,
                entry.id,
            )
        });
        aside.sort_by_key(|(_, entry)| (Reverse(entry.event.magnitude()), entry.first, entry.id));
        if aside.is_empty() {
            let layout = self.place(now, page.clone(), &full, None);
            if layout.waiting.is_empty() && layout.shown.len() == full.len() {
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
        let (mut shown, mut waiting, mut critical) = (Vec::new(), Vec::new(), false);
        let mut rest: Vec<(usize, &Entry)> = Vec::new();
        for candidate in full {
            let Candidate { place, entry, .. } = *candidate;
            let has_line = shown.iter().any(|(other, _)| *other == place);
            let may = candidate.leads || has_line;
            if may && shown.len() < MAX_EVENTS && page.push(candidate.lines.clone()) {
                shown.push((place, entry.id));
                critical |= entry.mode == Mode::Critical;
            } else if has_line && has_footnote && entry.event.block().is_empty() {
                rest.push((place, entry));
            } else {
                waiting.push(place);
            }
        }
        if has_footnote {
            rest.extend(aside.unwrap_or_default());
        }
        let mut footnoted = Vec::new();
        if !rest.is_empty() {
            page.release();
            let asides = rest.iter().map(|(place, entry)| Aside {
                place: *place,
                text: entry.event.text().to_owned(),
                age: self.age(entry, now),
            });
            if page.push(footnote::line(&asides.collect::<Vec<_>>())) {
                footnoted = rest
                    .iter()
                    .map(|(place, entry)| (*place, entry.id))
                    .collect();
            }
        }
        waiting.dedup();
        Layout {
            page,
            shown,
            footnoted,
            critical,
            waiting,
        }
    }

    /// The events of one sensor that passed its gates, rendered; the most important one leads.
    fn candidates<'a>(&self, place: usize, held: &'a Held, now: Tick) -> Vec<Candidate<'a>> {
        let prefix = Head::event(held.name(), held.outlook.priority);
        let rank = |entry: &&Entry| {
            (
                entry.mode == Mode::Critical,
                entry.event.magnitude(),
                Reverse(entry.id),
            )
        };
        let first = held.counted().max_by_key(rank).map(|entry| entry.id);
        let candidate = |entry: &'a Entry| Candidate {
            place,
            entry,
            leads: Some(entry.id) == first,
            waited: held.waited,
            lines: self.render(&prefix, entry, now),
        };
        held.counted().map(candidate).collect()
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
        shown: &[(usize, EventId)],
        footnoted: &[(usize, EventId)],
    ) -> Vec<(SensorName, bool)> {
        let mut boarded = Vec::new();
        for (place, held) in self.events.sensors.iter_mut().enumerate() {
            let of = |list: &[(usize, EventId)]| -> Vec<EventId> {
                list.iter()
                    .filter(|(other, _)| *other == place)
                    .map(|(_, id)| *id)
                    .collect()
            };
            let (lines, asides) = (of(shown), of(footnoted));
            if lines.is_empty() && asides.is_empty() {
                continue;
            }
            boarded.push((held.name.clone(), !lines.is_empty() && held.is_ready(now)));
            held.board(id, &lines, Landing::Shown);
            held.board(id, &asides, Landing::Footnoted);
        }
        boarded
    }
}
