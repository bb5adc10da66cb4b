//! What a session did itself, out of the rows of its transcripts.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};

use super::raw::Id;
use super::row::{Call, Done, Kind, Row, Tool};
use super::stamp::Millis;

/// How many files, shell calls and open edits are remembered of one transcript.
const FILES: usize = 512;
const CALLS: usize = 256;
const OPEN: usize = 64;

/// What one transcript tells of its session's own doings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Own {
    /// Whether the rows were seen from the first one on, and nothing was forgotten since.
    pub(super) complete: bool,
    edited: HashMap<PathBuf, Edit>,
    open: VecDeque<(Id, PathBuf, Millis)>,
    calls: VecDeque<ShellCall>,
    /// The time of the last row that had one: a row without stands beside it.
    last: Millis,
}

/// An edit of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Edit {
    pub(super) id: Id,
    pub(super) from: Millis,
    pub(super) until: Option<Millis>,
}

/// A shell call, of which nothing else is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ShellCall {
    id: Id,
    /// The background task in which it goes on.
    task: Option<Id>,
    pub(super) from: Millis,
    pub(super) until: Option<Millis>,
    pub(super) background: bool,
    pub(super) version_control: bool,
}

impl Own {
    pub(super) fn new(complete: bool) -> Self {
        Self {
            complete,
            ..Self::default()
        }
    }

    pub(super) fn row(&mut self, row: &Row) {
        self.last = row.at.unwrap_or(self.last);
        let at = self.last;
        match &row.kind {
            Kind::Answer { calls, .. } => calls.iter().for_each(|call| self.began(at, call)),
            Kind::Results(results) => results.iter().for_each(|done| self.ended(at, done)),
            // A turn that is over left nothing running but what is in the background.
            Kind::Turn(turn) if !row.side => {
                self.end_all(at);
                turn.ended
                    .iter()
                    .for_each(|task| self.task_ended(at, *task));
            }
            Kind::Interrupted if !row.side => self.end_all(at),
            Kind::TaskEnded(task) => self.task_ended(at, *task),
            _ => {}
        }
    }

    /// Files that were edited, each with its last edit; then edits without a result yet.
    pub(super) fn edits(&self) -> impl Iterator<Item = (&Path, Edit)> {
        let open = self.open.iter().map(|(id, path, from)| {
            let (id, from, until) = (*id, *from, None);
            (path.as_path(), Edit { id, from, until })
        });
        let edited = self.edited.iter();
        let edited = edited.map(|(path, edit)| (path.as_path(), *edit));
        edited.chain(open)
    }

    /// Shell calls, oldest first.
    pub(super) fn calls(&self) -> impl Iterator<Item = &ShellCall> {
        self.calls.iter()
    }

    fn began(&mut self, at: Millis, call: &Call) {
        match &call.tool {
            Tool::Edit(path) => {
                if self.open.iter().any(|(id, ..)| *id == call.id) {
                    return;
                }
                self.complete &= push(&mut self.open, (call.id, path.clone(), at), OPEN);
            }
            Tool::Shell {
                version_control,
                background,
            } => {
                if self.calls.iter().any(|known| known.id == call.id) {
                    return;
                }
                let call = ShellCall {
                    id: call.id,
                    task: None,
                    from: at,
                    until: None,
                    background: *background,
                    version_control: *version_control,
                };
                self.complete &= push(&mut self.calls, call, CALLS);
            }
        }
    }

    fn ended(&mut self, at: Millis, done: &Done) {
        if let Some(place) = self.open.iter().position(|(id, ..)| *id == done.id) {
            let edit = self.open.remove(place);
            if let Some((id, path, from)) = edit.filter(|_| !done.failed) {
                let until = Some(at);
                self.edited(path, Edit { id, from, until });
            }
            return;
        }
        let Some(call) = self.calls.iter_mut().find(|call| call.id == done.id) else {
            return;
        };
        call.background |= done.task.is_some();
        if call.background && done.task.is_some() && !done.failed {
            call.task = done.task;
        } else if call.until.is_none() {
            call.until = Some(at);
        }
    }

    fn edited(&mut self, path: PathBuf, edit: Edit) {
        self.edited.insert(path, edit);
        if self.edited.len() > FILES {
            let oldest = self.edited.iter().min_by_key(|(_, edit)| edit.until);
            if let Some(path) = oldest.map(|(path, _)| path.clone()) {
                self.edited.remove(&path);
                self.complete = false;
            }
        }
    }

    fn task_ended(&mut self, at: Millis, task: Id) {
        let ended = self
            .calls
            .iter_mut()
            .find(|call| call.task == Some(task) && call.until.is_none());
        if let Some(call) = ended {
            call.until = Some(at);
        }
    }

    fn end_all(&mut self, at: Millis) {
        self.open.clear();
        let running = self
            .calls
            .iter_mut()
            .filter(|call| call.until.is_none() && !call.background);
        running.for_each(|call| call.until = Some(at));
    }
}

/// Adds an item; answers whether no older one had to go.
fn push<T>(queue: &mut VecDeque<T>, item: T, most: usize) -> bool {
    let room = queue.len() < most;
    if !room {
        queue.pop_front();
    }
    queue.push_back(item);
    room
}
