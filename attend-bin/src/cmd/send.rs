//! `attend send`: a message on its way, and whom it reaches.

use attend_core::mail::{
    Address, Draft, MailError, MailErrorKind, Receipt, RoomName, Sender, Submission,
};
use futures::executor::block_on;

use crate::cli::{SendArgs, To};
use crate::env::Env;
use crate::mailbox::{Mail, Open};
use crate::output::Failure;
use crate::{receipt, speaker, tree, words};

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
    let (mailbox, sender) = sender(env)?;
    let receipt = submit(&mailbox, sender, draft).map_err(|error| {
        let is_text = leads && error.kind() == MailErrorKind::Unknown;
        match Failure::from(error) {
            failure if is_text => Failure::refused(format!("{failure}; {AS_TEXT}")),
            failure => failure,
        }
    })?;
    receipt::tell(&receipt, args.json)
}

/// The mailbox, and who sends.
fn sender(env: &Env) -> Result<(Open, Sender), Failure> {
    let speaker = speaker::find(None, env)?;
    let mailbox = Mail::of(env)?.open()?;
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
