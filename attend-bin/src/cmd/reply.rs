//! `attend reply`: an answer to the sender and the rooms of a message.

use attend_core::attention::sanitise;
use attend_core::mail::{
    Address, Answer, Draft, Entry, MailError, MessageId, Name, Query, Seated, SenderKind,
};

use crate::cli::ReplyArgs;
use crate::env::Env;
use crate::mailbox::{Mail, Open, ask, unfit};
use crate::output::Failure;
use crate::{receipt, speaker, words};

use super::send::submit;

/// Answers a message, and prints the receipt.
pub(crate) fn reply(args: &ReplyArgs, env: &Env) -> Result<(), Failure> {
    let body = words::said(&args.words, false).body.read()?;
    let speaker = speaker::find(None, env)?;
    let mailbox = Mail::of(env)?.open()?;
    let seated = speaker.sit(&mailbox)?;
    let entry = match (&args.re, &seated) {
        (Some(id), _) => message(&mailbox, id)?,
        (None, Some(seated)) => last_shown(&mailbox, seated)?,
        (None, None) => {
            return Err(Failure::refused(
                "nothing was shown to you, since you have no seat; name a message with --re ID",
            ));
        }
    };
    let mut draft = Draft::new(body);
    draft.to = addressees(&entry, seated.as_ref())?;
    // Threads have one level: an answer to an answer belongs to the message that began it.
    draft.re = entry.re.or(Some(entry.id));
    let receipt = submit(&mailbox, speaker.sender(seated.as_ref()), draft)?;
    receipt::tell(&receipt, None, args.json)
}

fn message(mailbox: &Open, id: &MessageId) -> Result<Entry, Failure> {
    let query = Query::Message {
        id: id.clone(),
        seat: None,
    };
    match ask(mailbox, &query)? {
        Answer::Message(Some(whole)) => Ok(whole.entry),
        Answer::Message(None) => Err(MailError::no_message(id).into()),
        other => Err(unfit(&other)),
    }
}

/// The one message that was shown by the last write to this seat.
fn last_shown(mailbox: &Open, seated: &Seated) -> Result<Entry, Failure> {
    let mut shown = match ask(mailbox, &Query::LastShown(seated.seat))? {
        Answer::Entries(shown) => shown,
        other => return Err(unfit(&other)),
    };
    match (shown.pop(), shown.as_slice()) {
        (Some(one), []) => Ok(one),
        (None, _) => Err(Failure::refused(
            "nothing was shown here yet; name a message with --re ID (attend inbox lists them)",
        )),
        (Some(last), others) => {
            let told = |entry: &Entry| format!("{} from {}", entry.id, sanitise(&entry.from));
            let told: Vec<String> = others.iter().chain([&last]).map(told).collect();
            Err(Failure::refused(format!(
                "the last write here held {} messages, so say which one you answer, with --re ID: {}",
                told.len(),
                told.join(", ")
            )))
        }
    }
}

/// The sender and the rooms of a message; of one's own, everybody that it went to.
fn addressees(entry: &Entry, seated: Option<&Seated>) -> Result<Vec<Address>, Failure> {
    let named = entry.to.iter().filter_map(|to| Address::parse(to));
    if seated.is_some_and(|seated| seated.name == entry.from) {
        return Ok(named.collect());
    }
    let mut to: Vec<Address> = named
        .filter(|address| matches!(address, Address::Room(_)))
        .collect();
    if entry.kind != SenderKind::Program
        && let Some(name) = Name::parse(&entry.from)
    {
        to.insert(0, name.into());
    }
    if to.is_empty() {
        let (id, from) = (&entry.id, sanitise(&entry.from));
        return Err(Failure::refused(format!(
            "{id} came from {from}, which reads no mail; send to somebody by name with attend send --re {id}"
        )));
    }
    Ok(to)
}
