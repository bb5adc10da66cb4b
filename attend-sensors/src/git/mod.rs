//! The `git` sensor: branch, commits, dirty files, upstream, operations in progress and conflicts.
//!
//! It covers the repository around the session's root: all of its work tree, also where the
//! root is only a part of it. A look is one `git status`; what moved costs one or two more
//! commands. With a watch on the work tree, a look at which nothing changed starts no process.
//! No command takes a lock or writes.
//!
//! | key | magnitude | says |
//! |---|---|---|
//! | `branch` | 3.0 | `branch changed: main → feat/x` |
//! | `head` | 2.0 | `2 new commits on main, newest: "…"`; HEAD moved elsewhere; how an operation ended |
//! | `dirty` | 1.5, from 5 files on 2.0, from 20 on 3.0 | what became dirty within two minutes; where 20 and more do again and again, 3.0 where that begins, then 1.5 until half an hour was calm |
//! | `clean` | 1.0 | `work tree clean again` |
//! | `upstream` | 2.5 | `origin/main moved: 3 commits to pull` |
//! | `ahead` | 1.0 | `2 commits ahead of origin/main` |
//! | `detached` | 3.0, standing | `HEAD detached at 1a2b3c4 (was main)` |
//! | `operation` | 3.0, standing | `rebase in progress on feat/x`; holds back what it changes |
//! | `conflict` | 4.0, standing | `conflicts in 2 files: a.rs, b.rs` |
//!
//! What the session changed itself is no news to it, and only becomes what the next look is
//! compared with: files of its own edits, and whatever happens to the repository while a shell
//! call of its own runs that names a version-control tool. A rebase or a conflict that it brought
//! about so is not told of either, until somebody else changes it. Since hosts write down late
//! what they do, news is held back for two seconds while the host is busy.
//!
//! What it does not do: fetch, look into stashes or other branches, or tell of untracked
//! directories file by file.

mod name;

mod parse;

mod operation;

mod dirty;

mod state;

mod questions;

mod phrase;

mod command;

mod own;

mod news;

mod hold;

mod judge;

mod tree;

mod watching;

mod absent;

use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use attend_core::dynamics::Tick;
use attend_core::sensor::{
    BuildContext, ConfigError, PollContext, Profile, Sensor, SensorError, SensorSpec, Snapshot,
    WakeHandle,
};
use serde::{Deserialize, Serialize};

use absent::Absent;
use command::Place;
use hold::Held;
use judge::{Case, Found};
use name::Name;
use news::News;
use parse::Status;
use questions::Questions;
use state::{Known, Memory, Seen};
use watching::Eyes;

/// How long one look may take: that of a first one, whose few commands are slow on a cold tree.
const LOOK: Duration = Duration::from_mins(2);

/// How the `git` sensor is configured.
///
/// ```
/// use attend_core::sensor::SensorSpec;
/// use attend_sensors::git::GitConfig;
///
/// assert_eq!(GitConfig::KIND, "git");
/// assert!(GitConfig::default().watch);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
#[non_exhaustive]
pub struct GitConfig {
    /// Whether the work tree is watched, so that nothing is run while nothing changes.
    pub watch: bool,
}

impl GitConfig {
    /// The same, by interval only: for a work tree that would take too many watches.
    #[must_use]
    pub fn by_interval(mut self) -> Self {
        self.watch = false;
        self
    }
}

impl Default for GitConfig {
    fn default() -> Self {
        Self { watch: true }
    }
}

impl SensorSpec for GitConfig {
    const KIND: &'static str = "git";
    const ABOUT: &'static str = "repository and work tree of the session's root";

    fn build(self, cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        Ok(Box::new(Git {
            place: None,
            absent: None,
            memory: None,
            eyes: Eyes::new(cx, self.watch),
            checked: None,
            held: None,
            wake: cx.wake(),
        }))
    }

    fn deadline() -> Duration {
        LOOK
    }

    fn profile() -> Profile {
        Profile::new(30, 5, 2_000, 4)
    }

    #[cfg(feature = "schema")]
    fn schema() -> attend_core::sensor::Schema {
        attend_core::sensor::Schema::of::<Self>()
    }
}

#[derive(Debug)]
struct Git {
    /// Where the repository lies; found again after a look that failed.
    place: Option<Place>,
    /// Why there is none.
    absent: Option<Absent>,
    memory: Option<Memory>,
    eyes: Eyes,
    /// When it was last certain that nothing was different from what is known.
    checked: Option<Tick>,
    held: Option<Held>,
    wake: WakeHandle,
}

/// What a look that succeeded leaves behind.
struct Looked {
    place: Place,
    ignored: Vec<Name>,
    found: Found,
}

#[async_trait]
impl Sensor for Git {
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        let now = cx.now();
        self.eyes.gather(self.place.as_ref());
        if !self.eyes.due(now) {
            self.checked = Some(now);
            return Ok(());
        }
        let signs = absent::signs(cx.roots().work());
        if let Some(absent) = &self.absent {
            self.eyes.forget();
            absent.still(now, signs)?;
        }
        let looked = match self.look(cx, now).await {
            Ok(looked) => looked,
            Err(error) => {
                self.place = None;
                self.miss(cx.roots().work(), Absent::new(&error, now, signs));
                return Err(error);
            }
        };
        self.absent = None;
        match looked.found {
            Found::Held(held) => {
                // The same is looked at again; nothing was seen yet.
                self.held = Some(held);
                self.wake.wake();
            }
            Found::Known(news, next) => {
                for news in news {
                    match news {
                        News::Tell(event) => cx.report(event),
                        News::Clear(key) => cx.clear(key),
                    }
                }
                let said = self.eyes.looked(now, &looked.place.top, &looked.ignored);
                if let Some(said) = said {
                    cx.warn(said);
                }
                self.held = None;
                self.checked = Some(now);
                self.remember(looked.place.names(), *next, now);
            }
        }
        self.place = Some(looked.place);
        Ok(())
    }

    fn snapshot(&self) -> Option<Snapshot> {
        self.memory.as_ref()?.write().ok()
    }

    fn restore(&mut self, from: &Snapshot) -> Result<(), SensorError> {
        self.memory = Some(Memory::read(from)?);
        Ok(())
    }
}

impl Git {
    /// Looks without changing anything but the watch, which a look that is cancelled leaves in
    /// order: the next one covers the tree again or finds it covered.
    async fn look(&mut self, cx: &PollContext, now: Tick) -> Result<Looked, SensorError> {
        let place = match &self.place {
            Some(place) => place.clone(),
            None => command::place(cx).await?,
        };
        let moved = self.place.as_ref() != Some(&place);
        if self.eyes.wants_plan(now, moved) {
            let plan = watching::plan(cx, &place).await?;
            self.eyes.cover(&plan, &place, now).await;
        }
        // Seen before or after the status, an operation covers it: nothing that git does half
        // way is taken for a change.
        let before = operation::operation(&place.git_dir);
        let status = command::status(cx, &place.top, self.eyes.index()).await?;
        let operation = before.or_else(|| operation::operation(&place.git_dir));

        let names = place.names();
        let known = self.memory.as_ref().filter(|memory| memory.place == names);
        let known = known.map(|memory| &memory.known);
        let upstream = if asks_upstream(known, &status, self.eyes.refs()) {
            command::upstream(cx, &place.top).await
        } else {
            None
        };
        let mut seen = Seen {
            status,
            operation,
            upstream,
        };
        let asked = known
            .map(|known| Questions::new(known, &seen, now))
            .unwrap_or_default();
        let answers = command::answers(cx, &place.top, &asked).await;
        let at = self.memory.as_ref().map(|memory| memory.at);
        let case = Case {
            place: &place,
            known,
            seen: &seen,
            answers: &answers,
            since: self.checked.or(at).unwrap_or(now),
            held: self.held.as_ref(),
        };
        let found = case.judge(cx).await;
        Ok(Looked {
            place,
            ignored: std::mem::take(&mut seen.status.ignored),
            found,
        })
    }

    /// Waits for a repository to appear, where the look found that there is none.
    fn miss(&mut self, work: &Path, absent: Option<Absent>) {
        self.absent = absent;
        let Some(absent) = &self.absent else { return };
        self.eyes.wait(work);
        // It may have appeared before it could be seen to.
        if absent.has_changed(absent::signs(work)) {
            self.wake.wake();
        }
    }

    fn remember(&mut self, place: [Name; 2], known: Known, now: Tick) {
        let before = self.memory.take();
        let same = before.filter(|before| before.place == place && before.known == known);
        self.memory = Some(Memory {
            place,
            known,
            at: same.map_or(now, |same| same.at),
        });
    }
}

/// Whether the commit of the upstream may be another than the one that is known. `refs` says
/// that branches may have moved.
fn asks_upstream(known: Option<&Known>, status: &Status, refs: bool) -> bool {
    let Some(tracking) = &status.upstream else {
        return false;
    };
    let Some(counts) = tracking.counts else {
        return false;
    };
    let Some(known) = known else { return true };
    let same = known.upstream.as_ref().is_some_and(|before| {
        before.oid.is_some()
            && before.name == tracking.name
            && (before.ahead, before.behind) == counts
    });
    refs || !same || known.head != status.head
}

impl Place {
    /// The names by which a snapshot knows it.
    fn names(&self) -> [Name; 2] {
        let name = |path: &Path| Name::new(path.as_os_str().as_bytes());
        [name(&self.top), name(&self.git_dir)]
    }
}
