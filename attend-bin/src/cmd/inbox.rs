//! `attend inbox`: the ledger of a seat, and what is unread.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use attend_core::mail::{
    Answer, Clock, Ledger, MailErrorKind, MailboxExt, Name, Page, Query, Seated, Seq, State,
    Wanted, closest, fold,
};
use futures::executor::block_on;
use serde::Serialize;

use crate::cli::InboxArgs;
use crate::env::{self, Env};
use crate::letters::{self, Message};
use crate::mailbox::{Mail, Open, ask, unfit};
use crate::output::{Failure, document, print, print_json};
use crate::showing::{Showing, Shown};
use crate::speaker;

/// A page, as it is printed.
#[derive(Serialize, Debug)]
struct Listed<'a> {
    messages: Vec<Message<'a>>,
    /// What `--before` takes for the page before this one.
    next: Option<String>,
}

/// Prints a page of the ledger, or shows what is unread.
pub(crate) fn inbox(args: &InboxArgs, env: &Env) -> Result<(), Failure> {
    let mail = Mail::of(env)?;
    let speaker = speaker::find(None, env)?;
    if args.unread {
        let mailbox = mail.open()?;
        let seated = speaker::seat(&speaker, &mailbox)?;
        let wanted = Wanted::Unread {
            most: args.limit.into(),
        };
        let reader = speaker.reader(&seated, &mail);
        // A head inside of JSON is none: nobody would find it.
        let tracked = !args.json && speaker.has_transcript(env);
        let showing = Showing::claim(&mailbox, reader, wanted)??.tracked(tracked);
        return unread(showing, &mailbox, &seated, args.json);
    }
    let (mailbox, seated) = speaker::reading(&speaker, &mail)?;
    let query = ledger(args, &seated, &mail)?;
    let answer = ask(&mailbox, &Query::Ledger(query)).map_err(|error| {
        let (kind, text) = (error.kind(), error.to_string());
        let failure = Failure::from(error);
        match kind {
            MailErrorKind::UnknownRoom => {
                Failure::refused(format!("{failure}; `attend focus all` lists the rooms"))
            }
            MailErrorKind::UnknownMessage => Failure::refused(format!(
                "{text}; --before takes an id, a span such as 2h, or a time such as 14:30 or \
                 2026-11-30"
            )),
            _ => failure,
        }
    })?;
    if let (Some(from), Answer::Ledger(page)) = (&args.from, &answer)
        && page.entries.is_empty()
    {
        known(from, &mailbox)?;
    }
    match answer {
        Answer::Ledger(page) => list(&page, &mailbox, &seated, &mail, args),
        other => Err(unfit(&other)),
    }
}

/// Shows what is unread, oldest first.
fn unread(showing: Showing, mailbox: &Open, seated: &Seated, is_json: bool) -> Result<(), Failure> {
    let pieces: Vec<(Vec<Seq>, String)> = if is_json {
        let entries = showing.shown.iter().map(|Shown { entry, .. }| {
            // Once this is written, it is printed, unless it was seen before.
            let state = entry.state.filter(|state| *state == State::Seen);
            entry.clone().state(state.or(Some(State::Printed)))
        });
        let entries: Vec<_> = entries.collect();
        let text = document(&Listed {
            messages: entries
                .iter()
                .zip(&showing.shown)
                .map(|(entry, shown)| Message::shown(entry, shown.again))
                .collect(),
            next: None,
        })?;
        vec![(entries.iter().map(|entry| entry.seq).collect(), text)]
    } else {
        let lines = |shown: &Shown| (vec![shown.letter.seq], letters::lines(shown));
        showing.shown.iter().map(lines).collect()
    };
    let is_empty = showing.shown.is_empty();
    showing.write(mailbox, pieces)?;
    if is_json {
        return Ok(());
    }
    match block_on(mailbox.unread(seated.seat))? {
        0 if is_empty => print("nothing is unread\n"),
        0 => Ok(()),
        1 => print("1 more is unread: attend inbox --unread\n"),
        more => print(&format!("{more} more are unread: attend inbox --unread\n")),
    }
}

/// Refuses a name that nobody has, of whom there can be no messages.
fn known(from: &Name, mailbox: &Open) -> Result<(), Failure> {
    let Answer::Seats(seats) = ask(mailbox, &Query::Seats)? else {
        return Ok(());
    };
    let names = seats.iter().flat_map(|seat| {
        let persona = seat.seated.persona.iter();
        persona.chain([&seat.seated.name]).map(String::as_str)
    });
    let names: BTreeSet<&str> = names.chain(["program"]).collect();
    let wanted = fold(from.as_str());
    if names.iter().any(|name| fold(name) == wanted) {
        return Ok(());
    }
    let near = closest(from.as_str(), names);
    let hint = match near.as_slice() {
        [] => "`attend peers` lists who has a seat".to_owned(),
        near => format!("did you mean {}?", near.join(" or ")),
    };
    Err(Failure::refused(format!("nobody is called {from}; {hint}")))
}

/// Which page was asked for.
fn ledger(args: &InboxArgs, seated: &Seated, mail: &Mail) -> Result<Ledger, Failure> {
    let mut ledger = Ledger::new(seated.seat, args.limit.into());
    ledger.skip = args.page as usize;
    ledger.room.clone_from(&args.room);
    ledger.from = args.from.as_ref().map(|name| name.as_str().to_owned());
    if let Some(words) = &args.search
        && !words.contains(char::is_alphanumeric)
    {
        return Err(Failure::refused(format!(
            "there is no word to search for in {words:?}; give letters or digits"
        )));
    }
    ledger.words.clone_from(&args.search);
    if let Some(moment) = &args.before {
        let before = moment.before(mail.around().wall(), &env::time_zone());
        ledger.before = Some(before.ok_or_else(|| {
            Failure::refused("the time that --before names is none on this calendar; write another")
        })?);
    }
    Ok(ledger)
}

fn list(
    page: &Page,
    mailbox: &Open,
    seated: &Seated,
    mail: &Mail,
    args: &InboxArgs,
) -> Result<(), Failure> {
    if args.json {
        return print_json(&Listed {
            messages: page.entries.iter().map(Message::of).collect(),
            next: page.next.as_ref().map(ToString::to_string),
        });
    }
    let now = mail.around().wall();
    let mut text = String::new();
    if let Some(next) = &page.next {
        text = format!("earlier ones: the same with --before {next}\n\n");
    }
    for entry in &page.entries {
        text.push_str(&letters::listed(entry, now));
    }
    if page.entries.is_empty() {
        text.push_str(if page.next.is_some() {
            "nothing that fits from there on\n"
        } else {
            "no messages\n"
        });
    }
    let unread = block_on(mailbox.unread(seated.seat))?;
    if unread > 0 {
        let _ = writeln!(text, "\n{unread} unread: attend inbox --unread");
    }
    print(&text)
}
