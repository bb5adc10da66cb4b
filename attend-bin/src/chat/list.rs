//! The list of places: rooms, agents and people, with what is unread and what each does.

use attend_core::mail::{Origin, Presence, RoomName, SenderKind, fold};

use super::action::Overview;
use super::place::{Peer, Place};

/// One line of the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Item {
    pub(crate) place: Place,
    /// How many new messages it holds.
    pub(crate) unread: u64,
    /// What somebody does.
    pub(crate) state: Option<&'static str>,
    /// How much of its window is used, in percent.
    pub(crate) context: Option<u64>,
    /// Whether one belongs to it, or somebody is there.
    pub(crate) is_live: bool,
}

/// Every place, in the order of the list: everything, one's rooms, the others, who is there, who
/// is not.
pub(crate) fn places(overview: &Overview, me: &str) -> Vec<Item> {
    let total = overview.counts.total();
    let mut items = vec![item(Place::All, total, true)];
    let in_room = |room: &RoomName| {
        let named = room.to_string();
        let mut origins = overview.counts.origins().iter();
        let found = origins.find(|(origin, _)| *origin == Origin::Room(named.clone()));
        found.map_or(0, |(_, count)| *count)
    };
    let mut rooms: Vec<Item> = overview
        .rooms
        .iter()
        .map(|info| {
            item(
                Place::Room(info.name.clone()),
                in_room(&info.name),
                info.joined,
            )
        })
        .collect();
    if !rooms.iter().any(|item| item.place == Place::open()) {
        rooms.push(item(Place::open(), 0, true));
    }
    rooms.sort_by_key(|item| (item.place != Place::open(), !item.is_live));
    items.append(&mut rooms);
    let others = overview.seats.iter();
    let others = others.filter(|occupant| fold(&occupant.info.seated.name) != fold(me));
    let mut seats: Vec<Item> = others
        .map(|occupant| {
            let seated = &occupant.info.seated;
            let wrote = overview.writers.iter();
            let wrote = wrote
                .filter(|name| fold(name) == fold(&seated.name))
                .count();
            let is_person = occupant.info.kind == SenderKind::Person;
            Item {
                place: Place::Talk(Peer {
                    name: seated.name.clone(),
                    persona: seated.persona.clone(),
                }),
                unread: wrote as u64,
                state: occupant.state,
                context: occupant.context,
                is_live: is_person || occupant.info.presence != Presence::Waiting,
            }
        })
        .collect();
    seats.sort_by_key(|item| !item.is_live);
    items.append(&mut seats);
    items
}

fn item(place: Place, unread: u64, is_live: bool) -> Item {
    Item {
        place,
        unread,
        state: None,
        context: None,
        is_live,
    }
}
