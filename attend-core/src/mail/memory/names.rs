//! Names: whom an address means, and what new projects are called.

use std::path::{Path, PathBuf};

use super::book::{Book, Owner, Project};
use crate::mail::address::{Address, Place};
use crate::mail::closest::closest;
use crate::mail::error::MailError;
use crate::mail::name::{Name, RoomName, fold};
use crate::mail::persona::persona;
use crate::mail::seat::{ProjectId, SeatId};

/// One address, understood.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Target {
    Seat(SeatId),
    Project(ProjectId, Option<PathBuf>),
    Room(RoomName),
}

impl Book {
    /// All addresses, understood: each once, in order. All or nothing.
    pub(super) fn resolve(&mut self, to: &[Address]) -> Result<Vec<Target>, MailError> {
        let mut targets = Vec::new();
        let mut unknown = Vec::new();
        for address in to {
            match address {
                Address::Room(room) if room.is_open() || self.rooms.contains_key(room) => {
                    targets.push(Target::Room(room.clone()));
                }
                Address::Room(room) => {
                    unknown.push((room.to_string(), self.near_rooms(room)));
                }
                Address::Name(name) => match self.named(name)? {
                    Some(target) => targets.push(target),
                    None => unknown.push((name.to_string(), self.near(name))),
                },
                // A place is somewhere even where nobody has been yet. It is made below, when
                // all else is known.
                Address::Place(_) => {}
            }
        }
        if !unknown.is_empty() {
            return Err(MailError::unknown(&unknown));
        }
        let mut found = targets.into_iter();
        let mut all = Vec::new();
        for address in to {
            let target = match address {
                Address::Place(place) => Some(Target::Project(
                    self.project(place),
                    Some(place.root.clone()),
                )),
                _ => found.next(),
            };
            all.extend(target.filter(|target| !all.contains(target)));
        }
        if all.is_empty() {
            all.push(Target::Room(RoomName::open()));
        }
        Ok(all)
    }

    /// Whom a name means: the first class in which somebody has it.
    fn named(&self, name: &Name) -> Result<Option<Target>, MailError> {
        let wanted = fold(name.as_str());
        let is_wanted = |known: &str| fold(known) == wanted;
        let seat = |is_person: bool| {
            let mut seats = self.seats.iter().filter(|(_, seat)| {
                (seat.owner == Owner::Person) == is_person && is_wanted(&seat.name)
            });
            seats.next().map(|(id, _)| Target::Seat(*id))
        };
        let projects = |named: &dyn Fn(&Project) -> bool| -> Vec<ProjectId> {
            let found = self.projects.iter().filter(|(_, project)| named(project));
            found.map(|(id, _)| *id).collect()
        };
        if let Some(seat) = seat(false) {
            return Ok(Some(seat));
        }
        if let [project] = projects(&|project| is_wanted(&project.persona))[..] {
            return Ok(Some(Target::Project(project, None)));
        }
        if let Some(person) = seat(true) {
            return Ok(Some(person));
        }
        match projects(&|project| is_wanted(&project.folder)).as_slice() {
            [] => Ok(None),
            [project] => Ok(Some(Target::Project(*project, None))),
            several => {
                let told = |id: &ProjectId| {
                    let project = &self.projects[id];
                    format!("@{} ({})", project.persona, shown(&project.path))
                };
                let candidates: Vec<String> = several.iter().map(told).collect();
                Err(MailError::ambiguous(&name.to_string(), &candidates))
            }
        }
    }

    /// The rooms whose names are close, as they are told.
    pub(super) fn near_rooms(&self, room: &RoomName) -> Vec<String> {
        let rooms = self.rooms.keys().map(RoomName::as_str);
        let near = closest(room.as_str(), rooms);
        near.into_iter().map(|room| format!("#{room}")).collect()
    }

    fn near(&self, name: &Name) -> Vec<String> {
        let seats = self.seats.values().map(|seat| seat.name.as_str());
        let projects = self.projects.values();
        let projects = projects.flat_map(|project| [&*project.persona, &*project.folder]);
        let near = closest(name.as_str(), seats.chain(projects));
        near.into_iter().map(|name| format!("@{name}")).collect()
    }

    /// A target in the words in which it is told.
    pub(super) fn told(&self, target: &Target) -> String {
        match target {
            Target::Seat(seat) => format!("@{}", self.seats[seat].name),
            Target::Project(project, _) => format!("@{}", self.projects[project].persona),
            Target::Room(room) => room.to_string(),
        }
    }

    /// The project of a place, which gets a persona where it is new.
    pub(super) fn project(&mut self, place: &Place) -> ProjectId {
        let known = self
            .projects
            .iter_mut()
            .find(|(_, project)| project.path == place.project);
        if let Some((id, project)) = known {
            if place.host_root.is_some() {
                project.host_root.clone_from(&place.host_root);
            }
            return *id;
        }
        let is_free = |name: &str| {
            let taken = self.projects.values().map(|project| &project.persona);
            let taken = taken.chain(self.seats.values().map(|seat| &seat.name));
            !taken.into_iter().any(|other| fold(other) == fold(name))
        };
        let project = Project {
            path: place.project.clone(),
            folder: place.folder(),
            persona: persona(&place.project, is_free),
            host_root: place.host_root.clone(),
            gone: None,
        };
        let id = ProjectId::new(self.projects.len() as u64 + 1);
        self.projects.insert(id, project);
        id
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
