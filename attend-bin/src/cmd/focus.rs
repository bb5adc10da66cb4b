//! `attend focus`: rooms, joined, left and listed.

use std::fmt::Write as _;

use attend_core::attention::sanitise;
use attend_core::mail::{Answer, MailboxExt, Muted, Query, Quiet, RoomInfo, RoomName};
use futures::executor::block_on;
use serde::Serialize;

use crate::cli::{FocusArgs, FocusCommand, FocusRoom};
use crate::env::Env;
use crate::mailbox::{Mail, ask, unfit};
use crate::output::{Failure, print, print_json};
use crate::speaker;

/// A room, as it is printed.
#[derive(Serialize, Debug)]
struct Room {
    name: String,
    joined: bool,
    members: Vec<String>,
    messages: u64,
}

#[derive(Serialize, Debug)]
struct Rooms {
    rooms: Vec<Room>,
}

#[derive(Serialize, Debug)]
struct Joined {
    room: String,
    /// It was no member before.
    changed: bool,
    /// The messages from before, which are not shown by themselves.
    earlier: u64,
}

#[derive(Serialize, Debug)]
struct Left {
    room: String,
    /// It was a member before.
    changed: bool,
    /// The unread messages, which are still delivered.
    unread: u64,
}

/// Joins, leaves or lists rooms.
pub(crate) fn focus(args: &FocusArgs, env: &Env) -> Result<(), Failure> {
    match &args.command {
        FocusCommand::On(room) => join(room, env),
        FocusCommand::Off(room) => leave(room, env),
        FocusCommand::List { json } => mine(*json, env),
        FocusCommand::All { json } => all(*json, env),
        FocusCommand::Other(words) => {
            let word = words.first().map_or("", String::as_str);
            let name = RoomName::parse(word.trim_start_matches('#'));
            let room = name.map_or_else(|| "ROOM".to_owned(), |room| room.as_str().to_owned());
            Err(Failure::usage(format!(
                "`{word}` is nothing that `attend focus` does; to join a room: attend focus on \
                 {room}; all that it does: attend focus --help"
            )))
        }
    }
}

fn join(args: &FocusRoom, env: &Env) -> Result<(), Failure> {
    let speaker = speaker::find(None, env)?;
    let mailbox = Mail::of(env)?.open()?;
    let seat = speaker::seat(&speaker, &mailbox)?.seat;
    let room = &args.room;
    let joined = block_on(mailbox.join(seat, room.clone()))?;
    if args.json {
        return print_json(&Joined {
            room: room.as_str().to_owned(),
            changed: joined.is_some(),
            earlier: joined.unwrap_or_default(),
        });
    }
    print(&match joined {
        None => format!("you are in {room} already\n"),
        Some(0) => format!("joined {room}\n"),
        Some(1) => format!("joined {room}; 1 earlier message: {}\n", reading(room)),
        Some(earlier) => format!(
            "joined {room}; {earlier} earlier messages: {}\n",
            reading(room)
        ),
    })
}

/// The command that reads what was said in a room.
fn reading(room: &RoomName) -> String {
    format!("attend inbox --room {}", room.as_str())
}

fn leave(args: &FocusRoom, env: &Env) -> Result<(), Failure> {
    let speaker = speaker::find(None, env)?;
    let mailbox = Mail::of(env)?.open()?;
    let seat = speaker::seat(&speaker, &mailbox)?.seat;
    let room = &args.room;
    let mutes = block_on(mailbox.mutes(seat))?;
    let is_muted = |muted: &Muted| muted.what == Quiet::Room(room.clone());
    let was_muted = mutes.iter().any(is_muted);
    let left = block_on(mailbox.leave(seat, room.clone()))?;
    if args.json {
        return print_json(&Left {
            room: room.as_str().to_owned(),
            changed: left.is_some(),
            unread: left.unwrap_or_default(),
        });
    }
    print(&match left {
        None => format!("you are not in {room}\n"),
        Some(0) => format!("left {room}\n"),
        Some(unread) if was_muted => {
            let noun = if unread == 1 { "message" } else { "messages" };
            format!("left {room}, which was muted; {unread} unread {noun}: attend inbox --unread\n")
        }
        Some(1) => format!("left {room}; 1 unread message from before is still delivered\n"),
        Some(unread) => {
            format!("left {room}; {unread} unread messages from before are still delivered\n")
        }
    })
}

fn mine(is_json: bool, env: &Env) -> Result<(), Failure> {
    let speaker = speaker::find(None, env)?;
    let (mailbox, seated) = speaker::reading(&speaker, &Mail::of(env)?)?;
    let rooms = match ask(&mailbox, &Query::Rooms(Some(seated.seat)))? {
        Answer::Rooms(rooms) => rooms,
        other => return Err(unfit(&other)),
    };
    tell(rooms.into_iter().filter(|room| room.joined), is_json)
}

fn all(is_json: bool, env: &Env) -> Result<(), Failure> {
    let speaker = speaker::find(None, env)?;
    let Some(mailbox) = Mail::of(env)?.existing()? else {
        return tell([], is_json);
    };
    let seat = speaker.seated(&mailbox)?.map(|seated| seated.seat);
    match ask(&mailbox, &Query::Rooms(seat))? {
        Answer::Rooms(rooms) => tell(rooms, is_json),
        other => Err(unfit(&other)),
    }
}

fn tell(rooms: impl IntoIterator<Item = RoomInfo>, is_json: bool) -> Result<(), Failure> {
    let room = |info: RoomInfo| Room {
        name: info.name.as_str().to_owned(),
        joined: info.joined,
        members: info.members,
        messages: info.posts,
    };
    let rooms: Vec<Room> = rooms.into_iter().map(room).collect();
    if is_json {
        return print_json(&Rooms { rooms });
    }
    let mut text = String::new();
    for room in &rooms {
        let members: Vec<String> = room.members.iter().map(|name| sanitise(name)).collect();
        let members = if members.is_empty() {
            "nobody".to_owned()
        } else {
            members.join(", ")
        };
        let noun = if room.messages == 1 {
            "message"
        } else {
            "messages"
        };
        let you = if room.joined { ", you are in it" } else { "" };
        let _ = writeln!(
            text,
            "#{}: {members} ({} {noun}{you})",
            room.name, room.messages
        );
    }
    if rooms.is_empty() {
        text.push_str("no rooms yet: attend focus on NAME\n");
    }
    print(&text)
}
