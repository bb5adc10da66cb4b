//! Cleaning up after projects that are gone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::book::{Book, Message, Moment, Owner, Stage, Tray};
use crate::mail::around::Around;
use crate::mail::cleanup::{ProjectInfo, Projects, Sweep, Swept};
use crate::mail::envelope::{SenderKind, Seq, State};
use crate::mail::seat::{ProjectId, SeatId};

/// The projects that are gone, and their seats.
struct Gone {
    personas: BTreeSet<String>,
    projects: BTreeSet<ProjectId>,
    seats: BTreeSet<SeatId>,
}

impl Gone {
    fn has(&self, tray: Tray) -> bool {
        match tray {
            Tray::Seat(seat) => self.seats.contains(&seat),
            Tray::Project(project) => self.projects.contains(&project),
        }
    }

    fn trays(&self) -> Vec<Tray> {
        let projects = self.projects.iter().copied().map(Tray::Project);
        let seats = self.seats.iter().copied().map(Tray::Seat);
        projects.chain(seats).collect()
    }

    fn sent(&self, message: &Message) -> bool {
        match message.seat {
            Some(seat) => self.seats.contains(&seat),
            None => message.kind == SenderKind::Agent && self.personas.contains(&message.from),
        }
    }
}

impl Book {
    pub(super) fn known_projects(&self, around: &dyn Around) -> Projects {
        let mut roots: BTreeMap<ProjectId, BTreeSet<PathBuf>> = BTreeMap::new();
        let mut sessions: BTreeMap<ProjectId, Vec<String>> = BTreeMap::new();
        for seat in self.seats.values() {
            if let Owner::Project { project, root, .. } = &seat.owner {
                roots.entry(*project).or_default().insert(root.clone());
            }
        }
        for (session, seat) in &self.sessions {
            if let Owner::Project { project, .. } = &self.seats[seat].owner {
                sessions.entry(*project).or_default().push(session.clone());
            }
        }
        let info = |(id, project): (&ProjectId, &super::book::Project)| {
            let mut info = ProjectInfo::new(*id, &project.path, &project.persona);
            info.host_root.clone_from(&project.host_root);
            info.roots = roots.remove(id).into_iter().flatten().collect();
            info.sessions = sessions.remove(id).unwrap_or_default();
            info.gone = project.gone.as_ref().map(|at| at.age_at_least(around));
            info
        };
        let swept = self.swept.as_ref().map(|at| at.age_at_least(around));
        Projects::new(self.projects.iter().map(info).collect(), swept)
    }

    /// Somebody sits down in a project, which is not gone then.
    pub(super) fn is_there(&mut self, seat: SeatId) {
        if let Owner::Project { project, .. } = self.seats[&seat].owner
            && let Some(project) = self.projects.get_mut(&project)
        {
            project.gone = None;
        }
    }

    pub(super) fn sweep(&mut self, sweep: &Sweep, around: &dyn Around) -> Swept {
        if sweep.dry {
            let all = sweep.clone().dry(false).most(usize::MAX);
            return self.clone().sweep(&all, around);
        }
        let gone = self.gone(sweep, around);
        self.note(sweep, around);
        let (mut swept, mut left) = (Swept::default(), sweep.most);
        for tray in gone.trays() {
            self.clear(tray, (&mut swept, &mut left));
        }
        let sent = self.messages.iter().filter(|(_, sent)| gone.sent(sent));
        let going = sent.filter(|(seq, sent)| {
            !sent.rooms.is_empty() && !self.is_wanted(**seq, sent, (&gone, sweep.all))
        });
        for seq in going.map(|(seq, _)| *seq).collect::<Vec<_>>() {
            if left == 0 {
                swept.is_more = true;
                break;
            }
            left -= 1;
            swept.messages += 1;
            self.remove(seq);
        }
        swept
    }

    /// Those that are seen gone, were seen gone long enough ago, and where nobody sits.
    fn gone(&self, sweep: &Sweep, around: &dyn Around) -> Gone {
        let is_gone = |(id, project): &(&ProjectId, &super::book::Project)| {
            let age = project.gone.as_ref().map(|at| at.age_at_least(around));
            let is_seen = sweep.seen.gone.contains(id) && !sweep.seen.there.contains(id);
            is_seen && age.is_some_and(|age| age >= sweep.apart) && !self.sits_any(**id, around)
        };
        let found: Vec<_> = self.projects.iter().filter(is_gone).collect();
        let projects: BTreeSet<ProjectId> = found.iter().map(|(id, _)| **id).collect();
        let personas = found.iter().map(|(_, project)| project.persona.clone());
        let seats = self.seats.iter().filter(|(_, seat)| {
            matches!(&seat.owner, Owner::Project { project, .. } if projects.contains(project))
        });
        Gone {
            personas: personas.collect(),
            seats: seats.map(|(id, _)| *id).collect(),
            projects,
        }
    }

    fn sits_any(&self, id: ProjectId, around: &dyn Around) -> bool {
        self.seats.values().any(|seat| {
            let is_theirs = matches!(&seat.owner, Owner::Project { project, .. } if *project == id);
            is_theirs && seat.is_occupied(around)
        })
    }

    fn note(&mut self, sweep: &Sweep, around: &dyn Around) {
        let now = Moment::now(around);
        for (id, project) in &mut self.projects {
            if sweep.seen.there.contains(id) {
                project.gone = None;
            } else if sweep.seen.gone.contains(id) {
                project.gone.get_or_insert_with(|| now.clone());
            }
        }
        self.swept = Some(now);
    }

    /// Takes out of a tray what there is room for, and in the end all else that belongs to it.
    fn clear(&mut self, tray: Tray, (swept, left): (&mut Swept, &mut usize)) {
        if !self.holds_any(tray) {
            return;
        }
        let rows: Vec<Seq> = self.rows(tray).map(|(seq, _)| seq).collect();
        for seq in rows {
            if *left == 0 {
                swept.is_more = true;
                return;
            }
            *left -= 1;
            self.deliveries.remove(&(tray, seq));
            let is_kept = self.deliveries.keys().any(|(_, of)| *of == seq);
            if !is_kept && self.messages[&seq].rooms.is_empty() {
                swept.messages += 1;
                self.remove(seq);
            }
        }
        swept.trays += 1;
        let Tray::Seat(seat) = tray else { return };
        self.members.retain(|(of, _), _| *of != seat);
        self.mutes.retain(|(of, _), _| *of != seat);
        self.reminders.retain(|_, (of, ..)| *of != seat);
        self.claims.retain(|_, claim| claim.reader.seat != seat);
        let theirs = self.sessions.iter().filter(|(_, of)| **of == seat);
        for session in theirs.map(|(id, _)| id.clone()).collect::<Vec<_>>() {
            self.sessions.remove(&session);
            self.tracks.remove(&session);
        }
        if let Some(seat) = self.seats.get_mut(&seat) {
            seat.last.clear();
            if let Owner::Project { session, .. } = &mut seat.owner {
                session.clear();
            }
        }
    }

    fn holds_any(&self, tray: Tray) -> bool {
        let has_session = |seat| matches!(&self.seats[&seat].owner, Owner::Project { session, .. } if !session.is_empty());
        let more = match tray {
            Tray::Project(_) => false,
            Tray::Seat(seat) => {
                has_session(seat)
                    || self.members.keys().any(|(of, _)| *of == seat)
                    || self.mutes.keys().any(|(of, _)| *of == seat)
                    || self.reminders.values().any(|(of, ..)| *of == seat)
            }
        };
        more || self.rows(tray).next().is_some()
    }

    /// Whether anybody who is not gone still needs a message in a room.
    fn is_wanted(&self, seq: Seq, message: &Message, (gone, all): (&Gone, bool)) -> bool {
        let rows = self.deliveries.iter().filter(|((_, of), _)| *of == seq);
        let mut rows = rows.filter(|((tray, _), _)| !gone.has(*tray));
        let by_row = rows.any(|(_, row)| {
            let awaits = matches!(row.state, Stage::Printed { tracked: true });
            let is_open = awaits || row.state.state().is_some_and(State::is_unread);
            row.is_directed() || !all && is_open
        });
        let mut seats = self.seats.iter().filter(|(id, _)| !gone.seats.contains(id));
        let by_seat = seats.any(|(id, seat)| {
            let mut rooms = message.rooms.iter();
            let by_mark = !all
                && self.row(*id, seq).is_none()
                && rooms.any(|room| {
                    let member = self.members.get(&(*id, room.clone()));
                    member.is_some_and(|member| seq > member.read)
                });
            by_mark || seat.last.contains(&seq)
        });
        by_row || by_seat
    }

    /// Removes a message from everywhere.
    fn remove(&mut self, seq: Seq) {
        self.removed = self.removed.max(seq);
        self.messages.remove(&seq);
        self.deliveries.retain(|(_, of), _| *of != seq);
        for posts in self.rooms.values_mut() {
            posts.remove(&seq);
        }
    }
}
