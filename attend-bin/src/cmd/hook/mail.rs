//! The mail of a session, carried by a hook: what waits, and what was shown and not seen.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use attend_core::attention::{Head, split};
use attend_core::mail::{
    Awaited, Awaiting, Change, Clock as _, Evidence, MISSED_AFTER, MailError, MailErrorKind,
    MailboxExt, MessageId, News, Reader, Seated, Settled, Sitter, SqliteMailbox, Waiting,
};
use attend_core::sensor::Shown;
use attend_sensors::host::claude_code::{SessionRecord, seen_in, transcript};
use futures::executor::block_on;

use super::event::{Carrier, Event};
use super::page::{Page, joined};
use super::reply::Reply;
use super::seat;
use crate::env::Env;
use crate::former;
use crate::mailbox::{Mail, Open};
use crate::output::{Failure, complain};
use crate::place::Own;

/// How long a hook waits for the store before it has taken anything: the host waits for it, and
/// another hook comes.
const PATIENCE: Duration = Duration::from_millis(5);

/// The same at the start of a session, of which there is no other.
const AT_START: Duration = Duration::from_millis(500);

/// How long it waits to say what it has written: else that would be shown again.
const TO_SETTLE: Duration = Duration::from_secs(2);

/// How long a live loop is left to deliver what came.
const LEAVE: Duration = Duration::from_secs(10);

/// From when on it counts as missed also where the host was at work only now and then.
const LONG_MISSED: Duration = Duration::from_mins(10);

/// Everything that one hook works with.
struct Desk<'a> {
    event: &'a Event,
    mail: Mail,
    store: Arc<SqliteMailbox>,
    mailbox: Open,
    sitter: Sitter,
    seated: Seated,
    reader: Reader,
    record: SessionRecord,
    transcript: Option<PathBuf>,
    /// More new messages than this are counted.
    digest_above: usize,
}

/// Shows the session what waits for it in `reply`, where nobody else does.
///
/// # Errors
///
/// Why nothing was shown, or not marked as shown, for people. What only takes too long now is no
/// error: another hook comes.
pub(super) fn deliver(
    event: &Event,
    (env, own): (&Env, &Own),
    reply: &mut Reply<'_>,
) -> Result<(), String> {
    let Some(desk) = desk(event, env, own)? else {
        return Ok(());
    };
    match desk.answer(reply) {
        Err(Trouble::Mail(error)) if error.kind() == MailErrorKind::Busy => Ok(()),
        Err(Trouble::Mail(error)) => Err(Failure::from(error).to_string()),
        Err(Trouble::Output(why)) => Err(why),
        Ok(()) => Ok(()),
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
fn desk<'a>(event: &'a Event, env: &Env, own: &Own) -> Result<Option<Desk<'a>>, String> {
    let mail = Mail::of(env).map_err(|failure| failure.to_string())?;
    let Some(sitting) = seat::of(event, &mail, env)? else {
        return Ok(None);
    };
    // A session that starts is told of its doorbell, and one that was woken has mail.
    let may_rest = event.carrier == Carrier::Context && !event.is_start();
    if may_rest && mail.is_still(&sitting.sitter) {
        return Ok(None);
    }
    let told = |error| Failure::from(error).to_string();
    // Whoever writes the first message finds a session that listens.
    let made = event.is_start().then(|| mail.open_store().ok()).flatten();
    let store = match made {
        Some(made) => Some(made),
        None => mail.existing_here().map_err(told)?,
    };
    let Some(store) = store else {
        return Ok(None);
    };
    let store = Arc::new(store.patience(if event.is_start() { AT_START } else { PATIENCE }));
    let mailbox: Open = store.clone();
    let host_root = env.host_root();
    let sat = former::sit(
        &mailbox,
        mail.around(),
        sitting.sitter.clone(),
        host_root.as_deref(),
    );
    let seated = match sat {
        Ok(seated) => seated,
        Err(error) if error.kind() == MailErrorKind::Busy => return Ok(None),
        Err(error) => return Err(told(error)),
    };
    let me = mail.around().process(std::process::id());
    let reader = seated.reader(&event.session, me);
    Ok(Some(Desk {
        event,
        mail,
        store,
        mailbox,
        sitter: sitting.sitter,
        seated,
        reader,
        record: sitting.record,
        transcript: transcript_of(event, env),
        digest_above: own.digest_above,
    }))
}

/// The session's own transcript: after `/clear` the host may still name the former one.
fn transcript_of(event: &Event, env: &Env) -> Option<PathBuf> {
    let is_own = |path: &&PathBuf| path.file_stem() == Some(event.session.as_ref());
    let named = event.transcript.as_ref().filter(is_own).cloned();
    let named = named.filter(|path| path.is_file());
    named.or_else(|| transcript(&env.host_root()?.join("projects"), &event.session, None))
}

/// Makes the doorbell where it is missing: whoever rings makes none. Without it the next tool call
/// tells what came.
fn hang(bell: &Path) {
    let mut options = OpenOptions::new();
    let _ = options.append(true).create(true).mode(0o600).open(bell);
}

impl Desk<'_> {
    fn answer(&self, reply: &mut Reply<'_>) -> Result<(), Trouble> {
        let bell = self.mailbox.waker(&self.reader).map(|waker| waker.path);
        if self.event.carrier == Carrier::Waking && self.event.file != bell {
            return Ok(());
        }
        let watch: Vec<String> = match &bell {
            Some(bell) if self.event.is_start() => {
                hang(bell);
                vec![bell.display().to_string()]
            }
            _ => Vec::new(),
        };
        // Whoever writes to this seat may count on a hook soon.
        block_on(self.mailbox.change(&Change::Looked(self.seated.seat)))?;
        let (news, note) = self.news()?;
        let is_left = news.is_read && news.oldest.is_none_or(|age| age < LEAVE);
        let is_quiet = matches!(&news.waiting, Waiting::Few(letters) if letters.is_empty());
        let is_first = !is_left && !is_quiet && self.is_first()?;
        let mut page = Page::of(&news.waiting, is_first);
        if note.is_none() {
            // Where that cannot be noted, the next hook looks once more.
            let _ = self.store.note_still(&self.sitter, self.seated.seat, &news);
        }
        if is_left || page.is_empty() {
            let text = note.unwrap_or_default();
            return reply.write(&text, &watch).map_err(Trouble::Output);
        }
        let is_tracked = self.begin_record()?;
        let claimed = block_on(self.mailbox.claim(&page.request(self.reader.clone())));
        let claim = match (claimed, &note) {
            (Ok(claim), _) => claim,
            // What was said once has to be heard.
            (Err(_), Some(note)) => return reply.write(note, &watch).map_err(Trouble::Output),
            (Err(error), None) => return Err(error.into()),
        };
        let written = reply.write(&page.text(&claim, note.as_deref()), &watch);
        let shown = if written.is_ok() {
            page.shown()
        } else {
            Vec::new()
        };
        let settled = Settled::printed(self.reader.clone(), shown)
            .counted(written.is_ok() && claim.counts.is_some())
            .tracked(is_tracked);
        self.store.be_patient(TO_SETTLE);
        if let Err(error) = block_on(self.mailbox.settle(claim.id, &settled)) {
            // It was written all the same: the host has to hear of it.
            self.complain(&format!(
                "what was shown is not marked as shown, so it may be shown again: {error}"
            ));
        }
        written.map_err(Trouble::Output)
    }

    /// Says something for people, where stderr is not what the model reads.
    fn complain(&self, why: &str) {
        if self.event.carrier != Carrier::Waking {
            complain(&format!("hook: {why}"));
        }
    }

    /// Notes where the transcript ends before anything is shown: what is shown now stands behind
    /// that. Gives whether it can be found there; how the host writes down what woke it, nobody
    /// knows.
    fn begin_record(&self) -> Result<bool, MailError> {
        let Some(transcript) = &self.transcript else {
            return Ok(false);
        };
        if self.event.carrier == Carrier::Waking {
            return Ok(false);
        }
        let awaiting = block_on(self.mailbox.awaited(&self.reader))?;
        if awaiting.read.is_none()
            && awaiting.messages.is_empty()
            && let Ok(end) = seen_in(transcript, &Shown::new([]))
        {
            let noted = Evidence::new(self.reader.clone(), Some(end.upto));
            block_on(self.mailbox.evidence(noted))?;
        }
        Ok(true)
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
        let look = || block_on(self.mailbox.news(&self.reader, self.digest_above));
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
        let is_old = |message: &Awaited| message.age.is_none_or(|age| age >= MISSED_AFTER);
        if !awaiting.is_tracked || !awaiting.messages.iter().any(is_old) {
            return Ok(None);
        }
        Ok(self.look_into(transcript, &awaiting))
    }

    fn look_into(&self, transcript: &Path, awaiting: &Awaiting) -> Option<Evidence> {
        let ids = awaiting.messages.iter().map(|message| message.id.clone());
        let seen = seen_in(transcript, &Shown::new(ids).after(awaiting.read)).ok()?;
        let active = self.record.active_for(self.mail.around().wall());
        let enough = match active {
            Some(active) if active < MISSED_AFTER => LONG_MISSED,
            _ => MISSED_AFTER,
        };
        let is_missed =
            |message: &Awaited| seen.complete && message.age.is_none_or(|age| age >= enough);
        let found = |id: &MessageId| seen.ids.contains(id);
        let evidence = awaiting.judge(self.reader.clone(), found, is_missed, Some(seen.upto));
        // Where there is more to be read, the next hook goes on from there.
        (!evidence.is_empty() || !seen.complete).then_some(evidence)
    }
}
