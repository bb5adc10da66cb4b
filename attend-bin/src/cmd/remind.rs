//! `attend remind` and `attend reminders`: messages to oneself, for later.

use std::fmt::Write as _;
use std::time::SystemTime;

use attend_core::attention::sanitise;
use attend_core::mail::{Clock as _, MailboxExt, MessageId, Reminder};
use attend_core::runtime::config::Span;
use futures::executor::block_on;
use serde::Serialize;

use crate::cli::{RemindArgs, RemindersArgs, RemindersCommand, Words};
use crate::env::{self, Env};
use crate::mailbox::{Mail, Open};
use crate::output::{Failure, print, print_json};
use crate::speaker;
use crate::{moment, words};

const EXAMPLE: &str = "attend remind 20m 'look at the build'";

/// The most of a text that a list shows, in characters.
const MOST_CHARS: usize = 200;

/// A reminder, as it is printed.
#[derive(Serialize, Debug)]
struct Told<'a> {
    id: &'a str,
    due: String,
    text: &'a str,
}

/// The reminders, as they are printed.
#[derive(Serialize, Debug)]
struct Listed<'a> {
    reminders: Vec<Told<'a>>,
}

impl<'a> Told<'a> {
    fn of(reminder: &'a Reminder) -> Self {
        Self {
            id: reminder.id.as_str(),
            due: moment::stamp(reminder.due),
            text: &reminder.text,
        }
    }
}

/// Keeps a reminder, and says when it comes.
pub(crate) fn remind(args: &RemindArgs, env: &Env) -> Result<(), Failure> {
    let mail = Mail::of(env)?;
    let now = mail.around().wall();
    let (due, words) = due(args, now)?;
    let said = words::said(&words, false).body;
    if said.is_empty() {
        return Err(Failure::refused(format!(
            "there is nothing to be reminded of; say what: {EXAMPLE}"
        )));
    }
    let text = said.read()?;
    let speaker = speaker::find(None, env)?;
    let mailbox = mail.open()?;
    let seat = speaker::seat(&speaker, &mailbox)?.seat;
    let id = block_on(mailbox.remind(seat, due, text.clone()))?;
    let reminder = Reminder::new(id, due, text);
    let printed = if args.json {
        print_json(&Told::of(&reminder))
    } else {
        let when = moment::to_come(due, now, &env::time_zone());
        print(&format!("{} comes {when}\n", reminder.id))
    };
    // Whoever set it again, because this failed, would be reminded twice.
    printed.map_err(|failure| failure.after(&format!("{} was kept", reminder.id)))
}

/// When, and what is left of the words.
fn due(args: &RemindArgs, now: SystemTime) -> Result<(SystemTime, Words), Failure> {
    let (mut text, rest) = (args.words.text.clone(), args.words.rest.clone());
    if let Some(at) = &args.at {
        let due = at.after(now, &env::time_zone()).ok_or_else(|| {
            Failure::refused(
                "--at names no time to come; write one such as 14:30 or 2026-12-01 14:30",
            )
        })?;
        return Ok((due, Words { text, rest }));
    }
    // In whole sentences, too: in 20m look.
    if text.len() > 1 && text.first().is_some_and(|word| word == "in") {
        text.remove(0);
    }
    if text.is_empty() {
        return Err(Failure::usage(format!("say when and what: {EXAMPLE}")));
    }
    let first = text.remove(0);
    let span = first.parse::<Span>().map_err(|error| {
        Failure::refused(format!(
            "the first word says in how long, such as 20m ({error}); or name a time: --at 14:30"
        ))
    })?;
    let due = now
        .checked_add(span.into())
        .ok_or_else(|| Failure::refused(format!("{first} from now is no time on this calendar")))?;
    Ok((due, Words { text, rest }))
}

/// Lists the reminders of this seat, or takes one back.
pub(crate) fn reminders(args: &RemindersArgs, env: &Env) -> Result<(), Failure> {
    let mail = Mail::of(env)?;
    let speaker = speaker::find(None, env)?;
    if let Some(RemindersCommand::Cancel { id, json }) = &args.command {
        let mailbox = mail.open()?;
        let seat = speaker::seat(&speaker, &mailbox)?.seat;
        cancel(&mailbox, seat, id)?;
        if *json {
            return list(
                &block_on(mailbox.reminders(seat))?,
                mail.around().wall(),
                true,
            );
        }
        return print(&format!("{id} is cancelled\n"));
    }
    let (mailbox, seated) = speaker::reading(&speaker, &mail)?;
    let reminders = block_on(mailbox.reminders(seated.seat))?;
    list(&reminders, mail.around().wall(), args.json)
}

fn cancel(mailbox: &Open, seat: attend_core::mail::SeatId, id: &MessageId) -> Result<(), Failure> {
    if block_on(mailbox.cancel(seat, id.clone()))? {
        return Ok(());
    }
    Err(Failure::refused(format!(
        "there is no reminder {id} of yours: it has come already, or was cancelled; `attend \
         reminders` lists those that are left"
    )))
}

fn list(reminders: &[Reminder], now: SystemTime, is_json: bool) -> Result<(), Failure> {
    if is_json {
        return print_json(&Listed {
            reminders: reminders.iter().map(Told::of).collect(),
        });
    }
    let zone = env::time_zone();
    let mut text = String::new();
    for reminder in reminders {
        let when = moment::to_come(reminder.due, now, &zone);
        let kept: String = reminder.text.chars().take(MOST_CHARS).collect();
        let _ = writeln!(text, "{}  {when}  {}", reminder.id, sanitise(&kept));
    }
    if reminders.is_empty() {
        text.push_str("no reminders\n");
    }
    print(&text)
}
