//! Compares what is there with what is known: what changed, and what is taken in silently.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use attend_core::dynamics::Tick;

use super::known::Known;
use super::scope::{Base, Scope};
use super::sight::{self, Confine, Sight, Stamp};
use super::waiting::{Change, Moment, Waiting, What};
use super::walk::{Meant, Seen};
use crate::name::Name;

/// One comparison.
#[derive(Debug)]
pub(super) struct Compare<'a> {
    pub(super) scope: &'a Scope,
    pub(super) known: &'a Known,
    /// What waits, and more of it after the comparison.
    pub(super) waiting: Waiting,
    /// Files that may have been there all the time.
    pub(super) taken: Vec<(Name, Meant)>,
    /// When everything was as it is known, but for what waits.
    pub(super) since: Tick,
    pub(super) now: Tick,
    /// The time of day then.
    pub(super) wall: SystemTime,
    confine: Option<Confine>,
    /// The directory that was asked for last, and whether it lies outside the project.
    directory: Option<(PathBuf, bool)>,
}

impl<'a> Compare<'a> {
    pub(super) fn new(
        scope: &'a Scope,
        known: &'a Known,
        waiting: Waiting,
        (since, now): (Tick, Tick),
        wall: SystemTime,
    ) -> Self {
        Self {
            scope,
            known,
            waiting,
            taken: Vec::new(),
            since,
            now,
            wall,
            confine: Confine::new(scope.work()).ok(),
            directory: None,
        }
    }

    /// Compares with what a walk found.
    pub(super) fn all(&mut self, seen: &Seen) {
        for (name, meant) in &seen.files {
            let is_new = !self.known.files.contains_key(name) && self.waiting.get(name).is_none();
            let path = self.scope.path(name);
            if is_new && (seen.truncated || self.known.may_hold(&path, self.scope)) {
                self.taken.push((name.clone(), *meant));
            } else {
                self.note(name, &path, meant.rule, Some(meant.stamp));
            }
        }
        // What was not come by is gone only where nothing is there.
        let known = self
            .known
            .files
            .iter()
            .map(|(name, meant)| (name, meant.rule));
        let waiting = self.waiting.names().filter_map(|name| {
            let change = self.waiting.get(name)?;
            Some((name, change.rule))
        });
        let missed = known
            .chain(waiting)
            .filter(|(name, _)| !seen.files.contains_key(*name));
        let missed: Vec<(Name, usize)> = missed.map(|(name, rule)| (name.clone(), rule)).collect();
        for (name, rule) in missed {
            self.again(&name, rule);
        }
    }

    /// Compares with what is at `paths`, and looks again at what waits.
    pub(super) fn some(&mut self, paths: &[PathBuf]) {
        let mut names: Vec<(Name, usize)> = Vec::new();
        for path in paths {
            let found = self.scope.find(path).into_iter();
            names.extend(found.filter_map(|found| {
                // Where a link lies on the way, another rule than the first may have led there.
                let known = self.known.files.get(&found.name);
                let rule = known.map(|known| known.rule);
                let rule = rule.or_else(|| self.scope.accepts(&found.places))?;
                Some((found.name, rule))
            }));
        }
        let waiting = self.waiting.names().filter_map(|name| {
            let change = self.waiting.get(name)?;
            Some((name.clone(), change.rule))
        });
        names.extend(waiting);
        names.sort_unstable();
        names.dedup_by(|one, other| one.0 == other.0);
        for (name, rule) in names {
            self.again(&name, rule);
        }
    }

    fn again(&mut self, name: &Name, rule: usize) {
        let path = self.scope.path(name);
        let in_project = Scope::base(name) == Base::Project;
        let sight = if in_project && self.leads_out(&path) {
            Sight::Nothing
        } else {
            Sight::of(&path, self.confine.as_ref().filter(|_| in_project))
        };
        let stamp = match sight {
            Sight::File(stamp) | Sight::Linked(stamp) => Some(stamp),
            Sight::Directory | Sight::Nothing => None,
            Sight::Unknown(_) => return,
        };
        self.note(name, &path, rule, stamp);
    }

    /// Whether the directory of `path`, which nobody walked through, lies outside the project by
    /// now.
    fn leads_out(&mut self, path: &Path) -> bool {
        let (Some(confine), Some(directory)) = (&self.confine, path.parent()) else {
            return false;
        };
        if let Some((known, out)) = &self.directory
            && known == directory
        {
            return *out;
        }
        let out = directory.exists() && !confine.holds(directory);
        self.directory = Some((directory.to_owned(), out));
        out
    }

    fn note(&mut self, name: &Name, path: &Path, rule: usize, stamp: Option<Stamp>) {
        let was = self.known.files.get(name).map(|known| known.stamp);
        let what = match (was, stamp) {
            (None, None) => return self.waiting.forget(name),
            (Some(was), Some(is)) if was == is => return self.waiting.forget(name),
            (None, Some(_)) => What::Created,
            (Some(_), Some(_)) => What::Changed,
            (Some(_), None) => What::Removed,
        };
        let before = self.waiting.get(name);
        if before.is_some_and(|before| before.stamp == stamp)
            || before.is_none() && was.is_none() && !self.known.has_room(self.waiting.len())
        {
            return;
        }
        let change = Change {
            what,
            stamp,
            rule,
            since: self.since,
            found: self.now,
            at: self.moment(match &stamp {
                Some(stamp) => stamp.written(),
                None => sight::left(path),
            }),
        };
        self.waiting.note(name.clone(), change);
    }

    /// When what the file system dates to `time` came about: a time that it cannot have is no
    /// more than a claim of whoever set it.
    fn moment(&self, time: Option<SystemTime>) -> Moment {
        let tick = time.and_then(|time| {
            let age = self.wall.duration_since(time).ok()?.as_secs();
            Some(Tick::new(self.now.get().checked_sub(age)?))
        });
        match tick {
            Some(tick) if tick > self.since => Moment::Known(tick),
            _ => Moment::By(self.now),
        }
    }
}
