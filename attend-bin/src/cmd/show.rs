//! `attend show`: one message whole, its thread, and what became of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use attend_core::attention::sanitise;
use attend_core::mail::{Answer, Clock, MailError, Query, Seated, Seq, State, Wanted, Whole};
use serde::Serialize;

use crate::cli::ShowArgs;
use crate::env::{self, Env};
use crate::letters::{self, Message};
use crate::mailbox::{Mail, Open, ask, unfit};
use crate::moment;
use crate::output::{Failure, complain, document, print};
use crate::showing::{Showing, Shown};
use crate::speaker::{self, Speaker};

/// A message, as it is printed.
#[derive(Serialize, Debug)]
struct Document<'a> {
    #[serde(flatten)]
    message: Message<'a>,
    /// How far it got with each addressee, by name.
    states: &'a BTreeMap<String, State>,
    /// Of each room: how many of its members saw it.
    rooms: BTreeMap<String, Seen>,
    /// What it answers and what answers it.
    thread: Vec<Message<'a>>,
}

#[derive(Serialize, Debug)]
struct Seen {
    seen: u64,
    members: u64,
}

/// Shows a message. Where it is for the seat that asks, it counts as shown.
pub(crate) fn show(args: &ShowArgs, env: &Env) -> Result<(), Failure> {
    let mail = Mail::of(env)?;
    let speaker = speaker::find(None, env)?;
    let no_message = || Failure::from(MailError::no_message(&args.id));
    let mailbox = mail.existing()?.ok_or_else(no_message)?;
    let known = speaker.seated(&mailbox)?;
    let mut whole = whole(&mailbox, args, known.as_ref())?.ok_or_else(no_message)?;
    let Some(seated) = addressee(&speaker, &mailbox, known.as_ref(), &whole)? else {
        return print(&told(&whole, None, &mail, args.json)?);
    };
    let wanted = Wanted::Show(args.id.clone());
    let reader = speaker.reader(&seated, &mail);
    let showing = match Showing::claim(&mailbox, reader, wanted)? {
        Err(error) if speaker::is_read_only(&error) => {
            unmarked(error);
            return print(&told(&whole, None, &mail, args.json)?);
        }
        claimed => claimed?.tracked(!args.json && speaker.has_transcript(env)),
    };
    let seqs: Vec<Seq> = showing.shown.iter().map(|shown| shown.entry.seq).collect();
    let shown = showing.shown.first();
    if shown.is_some() {
        let state = whole.entry.state.filter(|state| *state == State::Seen);
        whole.entry.state = state.or(Some(State::Printed));
    }
    let told = told(&whole, shown, &mail, args.json)?;
    showing.write(&mailbox, [(seqs, told)])
}

fn whole(
    mailbox: &Open,
    args: &ShowArgs,
    seated: Option<&Seated>,
) -> Result<Option<Box<Whole>>, Failure> {
    let query = Query::Message {
        id: args.id.clone(),
        seat: seated.map(|seated| seated.seat),
    };
    match ask(mailbox, &query)? {
        Answer::Message(whole) => Ok(whole),
        other => Err(unfit(&other)),
    }
}

/// The seat that the message is shown to; none where it is for another, or where nobody sits.
fn addressee(
    speaker: &Speaker,
    mailbox: &Open,
    known: Option<&Seated>,
    whole: &Whole,
) -> Result<Option<Seated>, Failure> {
    if known.is_some() && whole.entry.state.is_none() {
        return Ok(None);
    }
    match speaker.sit(mailbox) {
        // It can be read all the same, where no mark can be set.
        Err(error) if speaker::is_read_only(&error) => {
            unmarked(error);
            Ok(None)
        }
        seated => Ok(seated?),
    }
}

/// It can be read all the same, where no mark can be set.
fn unmarked(error: MailError) {
    let why = Failure::from(error);
    complain(&format!("it is not marked as shown: {why}"));
}

/// The message with everything that is known of it, as a showing to a seat where it is one.
fn told(
    whole: &Whole,
    showing: Option<&Shown>,
    mail: &Mail,
    is_json: bool,
) -> Result<String, Failure> {
    if is_json {
        let rooms = whole.rooms.iter();
        return document(&Document {
            message: match showing {
                Some(shown) => Message::shown(&whole.entry, shown.again),
                None => Message::of(&whole.entry),
            },
            states: &whole.states,
            rooms: rooms
                .map(|(room, (seen, members))| {
                    let (seen, members) = (*seen, *members);
                    (room.to_string(), Seen { seen, members })
                })
                .collect(),
            thread: whole.thread.iter().map(Message::of).collect(),
        });
    }
    let now = mail.around().wall();
    let mut text = match showing {
        Some(shown) => letters::whole(shown),
        None => letters::whole_listed(&whole.entry, now),
    };
    let at = moment::told(whole.entry.sent_at, now, &env::time_zone());
    let _ = writeln!(text, "sent {at}");
    for (name, state) in &whole.states {
        let _ = writeln!(text, "{}: {}", sanitise(name), letters::state_name(*state));
    }
    for (room, (seen, members)) in &whole.rooms {
        let _ = writeln!(text, "{room}: seen by {seen} of {members}");
    }
    for entry in &whole.thread {
        let _ = write!(text, "\n{}", letters::listed(entry, now));
    }
    Ok(text)
}
