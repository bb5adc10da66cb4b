//! `attend send`: a message on its way, and whom it reaches.

use attend_core::mail::{
    Address, Answer, Draft, MailError, MailErrorKind, Query, Receipt, RoomName, Sender, Submission,
};
use futures::executor::block_on;

use crate::cli::{SendArgs, To};
use crate::env::Env;
use crate::mailbox::{Mail, Open, ask};
use crate::output::Failure;
use crate::{receipt, speaker, tree, waiting, words};

/// What to do where a name is not known.
const BY_PATH: &str =
    "a project that has no name in mail yet is addressed by its path: --to ../api";

/// What to do where words were taken for an address.
const AS_TEXT: &str = "a leading @name or #room is an address; to send it as text, put `--` before \
                       it, give it on standard input (`-`), or name the addressee with --to";

/// Sends what was said, and prints the receipt.
pub(crate) fn send(args: &SendArgs, env: &Env) -> Result<(), Failure> {
    let has_flag = !args.to.is_empty() || !args.focus.is_empty() || args.broadcast;
    let said = words::said(&args.words, !has_flag);
    let mut draft = Draft::new(said.body.read()?);
    let leads = !said.to.is_empty();
    draft.to = said.to;
    for to in &args.to {
        draft = draft.to(address(to, env)?);
    }
    for room in &args.focus {
        draft = draft.to(room.clone());
    }
    if args.broadcast {
        draft = draft.to(RoomName::open());
    }
    (draft.re, draft.key) = (args.re.clone(), args.key.clone());
    if args.wait.is_some() {
        waiting::check(&draft.to)?;
    }
    let mail = Mail::of(env)?;
    let (mailbox, sender) = sender(&mail, env)?;
    let to = draft.to.clone();
    let sent = submit(&mailbox, sender, draft);
    let receipt = sent.map_err(|error| match error.kind() {
        MailErrorKind::UnknownName | MailErrorKind::UnknownRoom => {
            let room = unknown_room(&mailbox, &to);
            unknown(&error, room, leads)
        }
        _ => Failure::from(error),
    })?;
    let Some(goal) = args.wait.map(|goal| (goal, args.timeout)) else {
        return receipt::tell(&receipt, None, args.json);
    };
    if !args.json {
        receipt::tell(&receipt, None, false)?;
    }
    let waited = waiting::wait((&mailbox, &mail), &receipt, goal);
    // Whoever sent it again, because the waiting failed, would send it twice.
    let (states, is_reached) =
        waited.map_err(|failure| failure.after(&format!("{} was sent", receipt.id)))?;
    if args.json {
        receipt::tell(&receipt, Some(&states), true)?;
    } else {
        receipt::tell_states(&states)?;
    }
    if is_reached {
        return Ok(());
    }
    Err(waiting::missed(&receipt, &states, goal))
}

/// The first addressee that is a room, and is not there.
fn unknown_room<'a>(mailbox: &Open, to: &'a [Address]) -> Option<&'a RoomName> {
    let Ok(Answer::Rooms(rooms)) = ask(mailbox, &Query::Rooms(None)) else {
        return None;
    };
    let is_there = |room: &&RoomName| rooms.iter().any(|info| info.name == **room);
    let named = to.iter().filter_map(|to| match to {
        Address::Room(room) => Some(room),
        _ => None,
    });
    named.into_iter().find(|room| !is_there(room))
}

/// Somebody is not known, or a room: what may have been meant. `leads` where the address stood
/// before the words.
fn unknown(error: &MailError, room: Option<&RoomName>, leads: bool) -> Failure {
    let text = error.to_string();
    let makes = room.map(|room| {
        let room = room.as_str();
        format!("`attend focus on {room}` makes a room of that name")
    });
    let by_name = match room {
        _ if leads => Some(AS_TEXT.to_owned()),
        _ if error.kind() == MailErrorKind::UnknownRoom => None,
        _ => Some(BY_PATH.to_owned()),
    };
    let told: Vec<String> = [Some(text), makes, by_name].into_iter().flatten().collect();
    Failure::refused(told.join("; "))
}

/// The mailbox, and who sends.
fn sender(mail: &Mail, env: &Env) -> Result<(Open, Sender), Failure> {
    let speaker = speaker::find(None, env)?;
    let mailbox = mail.open()?;
    let seated = speaker.sit(&mailbox)?;
    Ok((mailbox, speaker.sender(seated.as_ref())))
}

/// Sends a draft.
pub(super) fn submit(mailbox: &Open, sender: Sender, draft: Draft) -> Result<Receipt, MailError> {
    block_on(mailbox.send(&Submission::new(sender, draft)))
}

/// Whom `--to` names; a path has to be there.
fn address(to: &To, env: &Env) -> Result<Address, Failure> {
    let text = match to {
        To::Address(address) => return Ok(address.clone()),
        To::Path(text) => text,
    };
    let path = match text.strip_prefix('~') {
        None => Some(text.into()),
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            let home = env.home();
            home.map(|home| home.join(rest.trim_start_matches('/')))
        }
        Some(_) => None,
    };
    let path: std::path::PathBuf = path.ok_or_else(|| {
        Failure::refused(format!(
            "cannot send to {text}: nobody knows that home; write the path from / on"
        ))
    })?;
    let place = tree::tracked_place(&path, env.host_root().as_deref());
    place.map(Address::Place).map_err(|error| {
        Failure::refused(format!(
            "cannot send to {text}: {error}; name a directory that is there, or somebody by name"
        ))
    })
}
