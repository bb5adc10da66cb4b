//! The mail of a session, carried by a hook: what waits, and what was shown and not seen.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use attend_core::attention::{Head, split};
use attend_core::mail::{
    Awaited, Awaiting, Change, Clock as _, Evidence, MailError, MailErrorKind, MailboxExt, News,
    Reader, Seated, Settled, Sitter,
};
use attend_core::sensor::Shown;
use attend_sensors::host::claude_code::{SessionRecord, seen_in, transcript};
use futures::executor::block_on;

use super::answer::Answer;
use super::event::{Carrier, Event};
use super::page::{Page, joined};
use super::seat;
use crate::env::Env;
use crate::former;
use crate::mailbox::{Mail, Open};

/// How long a hook waits for the store; the host waits for the hook.
const PATIENCE: Duration = Duration::from_millis(5);

/// How long a live loop is left to deliver what came.
const LEAVE: Duration = Duration::from_secs(10);

/// How long the host has to have been at work before what it did not take up counts as missed.
const MISSED: Duration = Duration::from_mins(1);

/// From when on it counts as missed also where the host was at work only now and then.
const LONG_MISSED: Duration = Duration::from_mins(10);

/// From how many new messages on they are counted.
const DIGEST_ABOVE: usize = 8;

/// Everything that one hook works with.
struct Desk<'a> {
    event: &'a Event,
    mail: Mail,
    mailbox: Open,
    seated: Seated,
    reader: Reader,
    record: SessionRecord,
    transcript: Option<PathBuf>,
}

/// Shows the session what waits for it, where nobody else does.
///
/// # Errors
///
/// Why nothing was shown, or not marked as shown, for people. What only takes too long now is no
/// error: another hook comes.
pub(super) fn deliver(event: &Event, env: &Env) -> Result<ExitCode, String> {
    let Some(desk) = desk(event, env)? else {
        return Ok(ExitCode::SUCCESS);
    };
    match desk.answer() {
        Err(Trouble::Mail(error)) if error.kind() == MailErrorKind::Busy => Ok(ExitCode::SUCCESS),
        Err(Trouble::Mail(error)) => Err(error.to_string()),
        Err(Trouble::Output(why)) => Err(why),
        Ok(code) => Ok(code),
    }
}

/// What went wrong.
enum Trouble {
    Mail(MailError),
    Output(String),
}

impl From<MailError> for Trouble {
    fn from(error: MailError) -> Self {
        Self::Mail(error)
    }
}

/// The seat of the session whose hook this is; none where it has none, or there is no mail at
/// all.
fn desk<'a>(event: &'a Event, env: &Env) -> Result<Option<Desk<'a>>, String> {
    let mail = Mail::of(env).map_err(|failure| failure.to_string())?;
    let Some(sitting) = seat::of(event, &mail, env)? else {
        return Ok(None);
    };
    let opened = mail.existing_store().map_err(|error| error.to_string())?;
    let Some(mailbox) = opened.map(|store| store.patience(PATIENCE)) else {
        return Ok(None);
    };
    let mailbox: Open = std::sync::Arc::new(mailbox);
    if let (true, Sitter::Session { place, .. }) = (event.is_start(), &sitting.sitter) {
        former::look(&mailbox, &mail, place, env);
    }
    let seated = match block_on(mailbox.sit(sitting.sitter)) {
        Ok(seated) => seated,
        Err(error) if error.kind() == MailErrorKind::Busy => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let me = mail.around().process(std::process::id());
    let reader = seated.reader(&event.session, me);
    Ok(Some(Desk {
        event,
        mail,
        mailbox,
        seated,
        reader,
        record: sitting.record,
        transcript: transcript_of(event, env),
    }))
}

/// The session's own transcript: after `/clear` the host may still name the former one.
fn transcript_of(event: &Event, env: &Env) -> Option<PathBuf> {
    let is_own = |path: &&PathBuf| path.file_stem() == Some(event.session.as_ref());
    let named = event.transcript.as_ref().filter(is_own).cloned();
    let named = named.filter(|path| path.is_file());
    named.or_else(|| transcript(&env.host_root()?.join("projects"), &event.session, None))
}

impl Desk<'_> {
    fn answer(&self) -> Result<ExitCode, Trouble> {
        let bell = self.mailbox.waker(&self.reader).map(|waker| waker.path);
        if self.event.carrier == Carrier::Waking && self.event.file != bell {
            return Ok(ExitCode::SUCCESS);
        }
        let watch: Vec<String> = match &bell {
            Some(bell) if self.event.is_start() => vec![bell.display().to_string()],
            _ => Vec::new(),
        };
        // Whoever writes to this seat may count on a hook soon.
        block_on(self.mailbox.change(&Change::Looked(self.seated.seat)))?;
        let (news, note) = self.news()?;
        let is_left = news.is_read && news.oldest.is_none_or(|age| age < LEAVE);
        let mut page = Page::of(&news.waiting, self.is_first()?);
        if is_left || page.is_empty() {
            let text = note.unwrap_or_default();
            return Answer::of(self.event, &text, &watch)
                .write()
                .map_err(Trouble::Output);
        }
        let claim = block_on(self.mailbox.claim(&page.request(self.reader.clone())))?;
        let text = page.text(&claim, note.as_deref());
        let written = Answer::of(self.event, &text, &watch).write();
        let shown = if written.is_ok() {
            page.shown()
        } else {
            Vec::new()
        };
        let settled = Settled::printed(self.reader.clone(), shown)
            .counted(written.is_ok() && claim.counts.is_some())
            .tracked(self.transcript.is_some());
        block_on(self.mailbox.settle(claim.id, &settled))?;
        written.map_err(Trouble::Output)
    }

    /// Whether nothing was ever shown at this seat.
    fn is_first(&self) -> Result<bool, MailError> {
        use attend_core::mail::{Answer, Query};
        match block_on(self.mailbox.read(&Query::LastShown(self.seated.seat)))? {
            Answer::Entries(last) => Ok(last.is_empty()),
            _ => Ok(false),
        }
    }

    /// What waits, after what is due was sent and what was missed is new again; and what has to
    /// be said of that.
    fn news(&self) -> Result<(News, Option<String>), MailError> {
        let look = || block_on(self.mailbox.news(&self.reader, DIGEST_ABOVE));
        let mut news = look()?;
        let mut note = None;
        let is_due = news.due.is_some_and(|due| due <= self.mail.around().wall());
        if is_due {
            block_on(self.mailbox.change(&Change::Due(self.seated.seat)))?;
        }
        let mut changed = is_due;
        if news.is_awaited
            && let Some(evidence) = self.evidence()?
        {
            let tracking = block_on(self.mailbox.evidence(evidence))?;
            note = tracking
                .notice()
                .map(|text| joined(&split(&Head::notice(), text, "attend status")));
            changed = true;
        }
        if changed {
            news = look()?;
        }
        Ok((news, note))
    }

    /// What the transcript says of what was shown a while ago; none where nothing was, or it says
    /// nothing new.
    fn evidence(&self) -> Result<Option<Evidence>, MailError> {
        let Some(transcript) = &self.transcript else {
            return Ok(None);
        };
        let awaiting = block_on(self.mailbox.awaited(&self.reader))?;
        let is_old = |message: &Awaited| message.age.is_none_or(|age| age >= MISSED);
        if !awaiting.is_tracked || !awaiting.messages.iter().any(is_old) {
            return Ok(None);
        }
        Ok(self.look_into(transcript, &awaiting))
    }

    fn look_into(&self, transcript: &Path, awaiting: &Awaiting) -> Option<Evidence> {
        let ids = awaiting.messages.iter().map(|message| message.id.clone());
        let seen = seen_in(transcript, &Shown::new(ids).after(awaiting.read)).ok()?;
        let active = self.record.active_for(self.mail.around().wall());
        let is_missed = |message: &&Awaited| {
            let enough = match active {
                Some(active) if active < MISSED => LONG_MISSED,
                _ => MISSED,
            };
            message.is_open && message.age.is_none_or(|age| age >= enough)
        };
        let (there, rest): (Vec<&Awaited>, Vec<&Awaited>) = awaiting
            .messages
            .iter()
            .partition(|message| seen.ids.contains(&message.id));
        let missing = rest
            .into_iter()
            .filter(|message| seen.complete && is_missed(message));
        let evidence = Evidence::new(self.reader.clone(), Some(seen.upto))
            .seen(there.iter().map(|message| message.seq))
            .missing(missing.map(|message| (message.seq, message.shown)));
        let says = !evidence.seen.is_empty() || !evidence.missing.is_empty();
        says.then_some(evidence)
    }
}
