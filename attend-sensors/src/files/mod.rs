//! The `files` sensor: files that the configuration names, created, changed and removed.
//!
//! | key | magnitude | says |
//! |---|---|---|
//! | the path or glob, as it is written | that of the rule, by default 2.0 | `changed Cargo.lock`, `12 files created: a.sql, b.sql, c.sql and 9 more`, `3 files: 1 created (a), 2 removed (b, c)` |
//!
//! What changes within two minutes is one event for each rule, which counts. A change is told
//! when nothing happened for two seconds, and after ten at the latest: a file that an editor
//! saves by way of others has changed, and was neither removed nor created.
//!
//! What the session changed itself is no news to it, and only becomes what the next look is
//! compared with: files of its own edits, and in the project what changes while a shell call of
//! its own runs that names a version-control tool.
//!
//! With a watch, a look costs what changed. Without one everything is looked at, by interval. A
//! file is known by its time, its length and its place; none is ever opened. Links are followed
//! where they lie in a path that says their name, and never out of the project.
//!
//! What it does not do: read files, run without paths, look at more than 20,000 entries, or tell
//! of directories.

mod pattern;
pub use pattern::{NameGlob, Pattern};

mod config;
pub use config::{FilesConfig, Rule};

mod scope;

mod sight;

mod walk;

mod waiting;

mod eyes;

mod known;

mod compare;

mod own;

mod judge;

mod recent;

use std::collections::BTreeMap;
use std::path::Path;

use async_trait::async_trait;
use attend_core::dynamics::Tick;
use attend_core::sensor::{
    BuildContext, ConfigError, Event, PollContext, Profile, Sensor, SensorError, SensorSpec,
    Snapshot, WakeHandle,
};

use eyes::{Eyes, Look};
use judge::{Case, Judged};
use known::Known;
use recent::Recent;
use scope::Scope;
use sight::Sight;
use waiting::{Waiting, What};
use walk::{MAX_ENTRIES, Meant, Seen};

use crate::name::Name;

impl SensorSpec for FilesConfig {
    const KIND: &'static str = "files";
    const ABOUT: &'static str = "files that are named: created, changed, removed";

    fn check(&self) -> Result<(), ConfigError> {
        self.refuse()
    }

    fn check_project(&self) -> Result<(), ConfigError> {
        self.refuse_outside()
    }

    fn idle(&self) -> Option<&'static str> {
        self.paths.is_empty().then_some("no paths are named")
    }

    fn build(self, cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        let watch = self.watch && !self.paths.is_empty();
        let scope = Scope::new(self, cx.roots())?;
        let eyes = Eyes::new(cx, watch);
        Ok(Box::new(Files {
            scope,
            eyes,
            known: None,
            waiting: Waiting::default(),
            recent: BTreeMap::new(),
            checked: None,
            wake: cx.wake(),
        }))
    }

    fn profile() -> Profile {
        Profile::new(30, 1, 2_000, 4)
    }

    #[cfg(feature = "schema")]
    fn schema() -> attend_core::sensor::Schema {
        attend_core::sensor::Schema::of::<Self>()
    }
}

#[derive(Debug)]
struct Files {
    scope: Scope,
    eyes: Eyes,
    known: Option<Known>,
    waiting: Waiting,
    /// What each rule told a moment ago.
    recent: BTreeMap<usize, Recent>,
    /// When it was last certain that nothing else was different from what is known.
    checked: Option<Tick>,
    wake: WakeHandle,
}

#[async_trait]
impl Sensor for Files {
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        if self.scope.is_empty() {
            return Ok(());
        }
        let now = cx.now();
        self.eyes.gather();
        let mut look = self.eyes.look(now, !self.waiting.is_empty());
        if let Look::Paths(paths) = &look {
            if paths.is_empty() && self.waiting.is_empty() {
                self.checked = Some(now);
                return Ok(());
            }
            if paths.iter().any(|path| self.leads_on(path)) {
                look = Look::All;
            }
        }
        let seen = match look {
            Look::All => Some(self.eyes.walk(&self.scope, now).await?),
            Look::Paths(_) => None,
        };
        let judged = match &self.known {
            Some(known) => {
                let case = Case {
                    scope: &self.scope,
                    known,
                    waiting: &self.waiting,
                    since: self.checked.unwrap_or(known.at).min(now),
                    look: &look,
                    seen: seen.as_ref(),
                };
                Some(case.judge(cx).await)
            }
            None => None,
        };

        if let Some(warning) = self.eyes.looked(now, &look) {
            cx.warn(warning);
        }
        if let Some(seen) = &seen {
            warn(cx, seen);
        }
        match judged {
            Some(judged) => {
                self.tell(cx, judged);
                if let (Some(known), Some(seen)) = (&mut self.known, &seen) {
                    known.reached(seen, &self.scope);
                }
            }
            None => self.known = seen.map(|seen| Known::baseline(seen, &self.scope, now)),
        }
        if look == Look::All || self.eyes.is_certain() {
            self.checked = Some(now);
        }
        if !self.waiting.is_empty() {
            self.wake.wake();
        }
        Ok(())
    }

    fn snapshot(&self) -> Option<Snapshot> {
        self.known.as_ref()?.write(&self.scope)
    }

    fn restore(&mut self, from: &Snapshot) -> Result<(), SensorError> {
        self.known = Known::read(from, &self.scope)?;
        Ok(())
    }
}

impl Files {
    /// Whether what happened at `path` may concern what lies below it.
    fn leads_on(&self, path: &Path) -> bool {
        self.scope.find(path).into_iter().any(|found| {
            if self.scope.below(&found.places, false).is_empty() {
                return false;
            }
            match Sight::of(path, None) {
                Sight::Directory | Sight::Linked(_) | Sight::Unknown(_) => true,
                Sight::Nothing | Sight::File(_) => {
                    let known = self.known.as_ref();
                    known.is_some_and(|known| known.holds_below(&found.name))
                }
            }
        })
    }

    /// Takes over what was found, and tells what is news.
    fn tell(&mut self, cx: &mut PollContext, judged: Judged) {
        let (now, Some(known)) = (cx.now(), &mut self.known) else {
            return;
        };
        self.waiting = judged.waiting;
        let mut told: BTreeMap<usize, Vec<(Name, What)>> = BTreeMap::new();
        if !judged.ripe.is_empty() || !judged.taken.is_empty() {
            known.at = now;
        }
        known.files.extend(judged.taken);
        for (name, made) in judged.ripe {
            let Some(change) = self.waiting.take(&name) else {
                continue;
            };
            match change.stamp {
                Some(stamp) => {
                    let rule = change.rule;
                    known.files.insert(name.clone(), Meant { stamp, rule });
                }
                None => _ = known.files.remove(&name),
            }
            if !made {
                told.entry(change.rule)
                    .or_default()
                    .push((name, change.what));
            }
        }
        for (rule, told) in told {
            let Some((text, magnitude)) = self.scope.rule(rule) else {
                continue;
            };
            let recent = self.recent.entry(rule).or_default();
            recent.add(told, now);
            let said = recent.text(|name| self.scope.shown(name));
            cx.report(Event::new(magnitude.get(), said).key(text));
        }
    }
}

/// Says what a walk could not look at.
fn warn(cx: &mut PollContext, seen: &Seen) {
    for trouble in &seen.troubles {
        cx.warn(trouble.clone());
    }
    if seen.truncated {
        cx.warn(SensorError::unavailable(format!(
            "more than {MAX_ENTRIES} entries lie where files are looked for, and those beyond are \
             not looked at: name narrower paths, or more names under `skip`"
        )));
    }
}
