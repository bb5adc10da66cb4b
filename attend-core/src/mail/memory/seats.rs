//! Seats: who sits where, what whoever comes finds, and rooms.

use std::collections::BTreeSet;
use std::collections::btree_map::Entry;
use std::path::Path;

use super::book::{Book, Delivery, Owner, Seat, Stage, Tray, Via};
use crate::mail::address::Place;
use crate::mail::around::{Around, Process};
use crate::mail::change::{Change, Changed};
use crate::mail::envelope::Seq;
use crate::mail::error::MailError;
use crate::mail::mute::Hush;
use crate::mail::name::{Name, RoomName, fold};
use crate::mail::persona::seat_name;
use crate::mail::seat::{Arrival, Epoch, ProjectId, SeatId, Seated, Sitter};

impl Book {
    pub(super) fn change(
        &mut self,
        change: &Change,
        around: &dyn Around,
    ) -> Result<Changed, MailError> {
        Ok(match change {
            Change::Sit(Sitter::Person(name)) => Changed::Sat(self.sit_person(name)),
            Change::Sit(Sitter::Session {
                session,
                process,
                place,
            }) => Changed::Sat(self.sit(session, process, place, around)),
            Change::Stand(reader) => {
                self.fence(reader, around)?;
                if let Owner::Project { occupant, run, .. } = &mut self.seat_mut(reader.seat)?.owner
                {
                    (*occupant, *run) = (None, None);
                }
                self.void(reader.seat);
                Changed::Done
            }
            Change::Register(reader) => {
                self.fence(reader, around)?;
                self.register(reader, around)?;
                Changed::Done
            }
            Change::Join { seat, room } => self.join(*seat, room)?,
            Change::Leave { seat, room } => self.leave(*seat, room, around)?,
            Change::Mute { seat, muted } => self.mute(*seat, muted, around)?,
            Change::Unmute { seat, what } => self.unmute(*seat, what.as_ref(), around)?,
            Change::Evidence(evidence) => self.evidence(evidence, around)?,
            Change::Looked(seat) => {
                self.seat(*seat)?;
                self.looks.insert(*seat, around.wall());
                Changed::Done
            }
            Change::Remind { seat, due, text } => self.remind(*seat, *due, text, around)?,
            Change::Cancel { seat, id } => self.cancel(*seat, id)?,
            Change::Due(seat) => self.send_due(*seat, around)?,
            Change::Sweep(sweep) => Changed::Swept(self.sweep(sweep, around)),
        })
    }

    fn sit_person(&mut self, name: &Name) -> Seated {
        let known = self.person(name);
        let id = known.unwrap_or_else(|| {
            let id = self.add_seat(name.as_str().to_owned(), Owner::Person);
            self.enter(id, &RoomName::open());
            id
        });
        self.seated(id, None)
    }

    /// The seat of a person.
    pub(super) fn person(&self, name: &Name) -> Option<SeatId> {
        let wanted = fold(name.as_str());
        let mut seats = self.seats.iter();
        let found =
            seats.find(|(_, seat)| seat.owner == Owner::Person && fold(&seat.name) == wanted);
        found.map(|(id, _)| *id)
    }

    fn sit(
        &mut self,
        session: &str,
        process: &Process,
        place: &Place,
        around: &dyn Around,
    ) -> Seated {
        let project = self.project(place);
        if let Some(seat) = self.occupied_by(process) {
            if self.project_of(seat) == Some(project) {
                self.place(seat, process);
                return self.stay(seat, session, &place.root, around);
            }
            // The session moved to another project: here it gives up its seat.
            if let Ok(Seat {
                owner: Owner::Project { occupant, run, .. },
                ..
            }) = self.seat_mut(seat)
            {
                (*occupant, *run) = (None, None);
            }
            self.void(seat);
        }
        let vacant: Vec<SeatId> = self
            .seats
            .iter()
            .filter(|(id, seat)| {
                self.project_of(**id) == Some(project) && !seat.is_occupied(around)
            })
            .map(|(id, _)| *id)
            .collect();
        let own = self
            .sessions
            .get(session)
            .filter(|seat| vacant.contains(seat));
        let same_root = |seat: &&SeatId| matches!(&self.seats[seat].owner, Owner::Project { root, .. } if *root == place.root);
        let found = own
            .or_else(|| vacant.iter().find(same_root))
            .or_else(|| vacant.first())
            .copied();
        let seat = found.unwrap_or_else(|| self.new_seat(project, place, session));
        self.take(
            seat,
            (session, process, &place.root),
            found.is_none(),
            around,
        )
    }

    /// The seat that `process` occupies.
    fn occupied_by(&self, process: &Process) -> Option<SeatId> {
        let mut seats = self.seats.iter();
        let found = seats.find(|(_, seat)| match &seat.owner {
            Owner::Project {
                occupant: Some(occupant),
                ..
            } => occupant.is(process),
            _ => false,
        });
        found.map(|(id, _)| *id)
    }

    fn project_of(&self, seat: SeatId) -> Option<ProjectId> {
        match self.seats.get(&seat)?.owner {
            Owner::Project { project, .. } => Some(project),
            Owner::Person => None,
        }
    }

    fn new_seat(&mut self, project: ProjectId, place: &Place, session: &str) -> SeatId {
        let ordinal = self
            .seats
            .keys()
            .filter(|id| self.project_of(**id) == Some(project))
            .count();
        let name = seat_name(&self.projects[&project].persona, ordinal as u64 + 1);
        let owner = Owner::Project {
            project,
            root: place.root.clone(),
            session: session.to_owned(),
            occupant: None,
            run: None,
        };
        self.add_seat(name, owner)
    }

    fn add_seat(&mut self, name: String, owner: Owner) -> SeatId {
        let id = SeatId::new(self.seats.len() as u64 + 1);
        let seat = Seat {
            name,
            owner,
            epoch: Epoch::new(0),
            last: Vec::new(),
        };
        self.seats.insert(id, seat);
        id
    }

    /// The same process goes on, maybe as another session or in another work tree.
    fn stay(&mut self, seat: SeatId, to: &str, at: &Path, around: &dyn Around) -> Seated {
        let mut is_other = false;
        let mut moved = false;
        if let Some(Seat {
            owner: Owner::Project { session, root, .. },
            ..
        }) = self.seats.get_mut(&seat)
        {
            is_other = session != to;
            moved = root != at;
            to.clone_into(session);
            at.clone_into(root);
        }
        self.sessions.insert(to.to_owned(), seat);
        if is_other {
            for (_, row) in self.rows_mut(Tray::Seat(seat)) {
                row.hand_over(false);
            }
            self.own_becomes_new(seat, to);
        }
        if moved {
            self.send_home(seat, at, is_other);
        }
        if is_other || moved {
            self.collect(seat, to, at, around);
        }
        self.seated(seat, None)
    }

    /// Another process takes the seat.
    fn take(
        &mut self,
        seat: SeatId,
        (by, process, at): (&str, &Process, &Path),
        is_new: bool,
        around: &dyn Around,
    ) -> Seated {
        self.void(seat);
        self.is_there(seat);
        let mut is_other = is_new;
        if let Some(Seat {
            owner:
                Owner::Project {
                    session,
                    root,
                    occupant,
                    run,
                    ..
                },
            epoch,
            ..
        }) = self.seats.get_mut(&seat)
        {
            is_other |= session != by;
            by.clone_into(session);
            at.clone_into(root);
            (*occupant, *run) = (Some(process.clone()), None);
            *epoch = Epoch::new(epoch.get() + 1);
        }
        self.sessions.insert(by.to_owned(), seat);
        if is_other {
            self.hand_over(seat, by);
        }
        self.send_home(seat, at, is_other);
        self.collect(seat, by, at, around);
        let arrival = is_other.then(|| {
            let open = self.posts(&RoomName::open(), Seq::new(0)).count() as u64;
            let waiting = self.rows(Tray::Seat(seat));
            let waiting = waiting.filter(|(_, row)| row.state == Stage::New).count() as u64;
            Arrival { open, waiting }
        });
        self.seated(seat, arrival)
    }

    /// A different session takes what its predecessor was sent by name, and is in no room but
    /// the open one, from now.
    fn hand_over(&mut self, seat: SeatId, by: &str) {
        let open = (seat, RoomName::open());
        let hush = self.members.get(&open).map(|member| member.hush);
        self.members.retain(|(of, _), _| *of != seat);
        self.enter(seat, &open.1);
        if let (Some(member), Some(Hush::Until(until))) = (self.members.get_mut(&open), hush) {
            member.hush = Hush::Until(until);
        }
        let tray = Tray::Seat(seat);
        self.drop_room_rows(tray);
        for (_, row) in self.rows_mut(tray) {
            row.hand_over(true);
        }
        self.own_becomes_new(seat, by);
        if let Some(seat) = self.seats.get_mut(&seat) {
            seat.last.clear();
        }
    }

    /// What may have been shown and may yet come by the project stays as nobody's, for its mark.
    fn drop_room_rows(&mut self, tray: Tray) {
        let waits = |row: &Delivery| matches!(row.via, Via::Project(_)) && row.state == Stage::New;
        let waiting = self.deliveries.iter().filter(|(_, row)| waits(row));
        let waiting: BTreeSet<Seq> = waiting.map(|((_, seq), _)| *seq).collect();
        self.deliveries.retain(|(of, seq), row| {
            let stays = row.attempted && waiting.contains(seq);
            if *of == tray && !row.is_directed() {
                row.state = Stage::Own;
            }
            *of != tray || row.is_directed() || stays
        });
    }

    /// What an earlier session sent to this seat is for the one that sits there now; what this one
    /// sent is its own, also where it comes back.
    fn own_becomes_new(&mut self, seat: SeatId, by: &str) {
        let messages = &self.messages;
        let tray = (Tray::Seat(seat), Seq::new(0))..=(Tray::Seat(seat), Seq::new(u64::MAX));
        for ((_, seq), row) in self.deliveries.range_mut(tray) {
            let message = &messages[seq];
            let is_by_this = message.session.as_deref() == Some(by);
            if message.seat == Some(seat) && row.is_directed() {
                row.state = match row.state {
                    Stage::Own if !is_by_this => Stage::New,
                    Stage::New if is_by_this => Stage::Own,
                    other => other,
                };
            }
        }
    }

    /// What was sent to another work tree and that nobody has seen waits for that one.
    fn send_home(&mut self, seat: SeatId, at: &Path, is_other: bool) {
        let Some(project) = self.project_of(seat) else {
            return;
        };
        let strangers: Vec<Seq> = self
            .rows(Tray::Seat(seat))
            .filter(|(_, row)| {
                let elsewhere = matches!(&row.via, Via::Project(Some(root)) if root != at);
                elsewhere && row.state == Stage::New
            })
            .map(|(seq, _)| seq)
            .collect();
        for seq in strangers {
            let stays = self.is_posted_to(seat, seq) || !is_other && self.is_posted(seq);
            self.move_row(Tray::Seat(seat), Tray::Project(project), seq, stays);
        }
    }

    /// Takes what was sent to the project and that nobody has seen: from its own tray, and from
    /// vacant seats.
    fn collect(&mut self, seat: SeatId, by: &str, at: &Path, around: &dyn Around) {
        let Some(project) = self.project_of(seat) else {
            return;
        };
        let vacant = |id: &SeatId| {
            self.project_of(*id) == Some(project) && !self.seats[id].is_occupied(around)
        };
        let mut trays: Vec<Tray> = vec![Tray::Project(project)];
        let seats = self.seats.keys().filter(|id| **id != seat && vacant(id));
        trays.extend(seats.map(|id| Tray::Seat(*id)));
        let mut found = Vec::new();
        for tray in trays {
            for (seq, row) in self.rows(tray) {
                let fits = match &row.via {
                    Via::Project(root) => root.as_ref().is_none_or(|root| root == at),
                    _ => false,
                };
                let is_own = self.messages[&seq].session.as_deref() == Some(by);
                let is_new = row.state == Stage::New && row.sessions < 2;
                if fits && is_new && !is_own && !self.was_seen_by_any(seq) {
                    found.push((tray, seq));
                }
            }
        }
        for (tray, seq) in found {
            let stays = tray != Tray::Project(project) && self.is_posted(seq);
            self.move_row(tray, Tray::Seat(seat), seq, stays);
        }
    }

    /// Whether a delivery to the message's project was shown to anybody.
    fn was_seen_by_any(&self, seq: Seq) -> bool {
        let rows = self.deliveries.iter().filter(|((_, of), _)| *of == seq);
        rows.filter(|(_, row)| matches!(row.via, Via::Project(_)))
            .any(|(_, row)| !matches!(row.state, Stage::New | Stage::Own))
    }

    /// Moves a delivery that nobody has seen; as a room's it `stays` with the session that was in
    /// the room. Where there was one before, the two become one.
    fn move_row(&mut self, from: Tray, to: Tray, seq: Seq, stays: bool) {
        let Some(mut row) = self.deliveries.remove(&(from, seq)) else {
            return;
        };
        row.claim = None;
        if stays {
            let mut stays = Delivery::new(Via::Room, row.state);
            stays.attempted = row.attempted;
            self.deliveries.insert((from, seq), stays);
        }
        match self.deliveries.entry((to, seq)) {
            Entry::Vacant(place) => _ = place.insert(row),
            Entry::Occupied(mut known) => known.get_mut().join(row),
        }
    }

    /// Whether a message was posted to any room; who has left it may still wait for it.
    fn is_posted(&self, seq: Seq) -> bool {
        !self.messages[&seq].rooms.is_empty()
    }

    /// Whether a message was posted to a room after the seat joined it.
    fn is_posted_to(&self, seat: SeatId, seq: Seq) -> bool {
        let rooms = self.messages[&seq].rooms.iter();
        let mut members = rooms.filter_map(|room| self.members.get(&(seat, room.clone())));
        members.any(|member| seq > member.since)
    }

    fn void(&mut self, seat: SeatId) {
        self.claims.retain(|_, claim| claim.reader.seat != seat);
    }
}
