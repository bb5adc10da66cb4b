//! Sending: a message once, with a row for each tray and a post for each room.

use std::collections::BTreeSet;

use rusqlite::{OptionalExtension, Transaction};

use super::column::{named_params, params};
use super::error::Done;
use super::names::{Target, project, resolve};
use super::quiet::end_quiet;
use super::rooms::post;
use super::row::{
    count, kind_number, list, list_text, nanos, path_bytes, process, project_tray, seq, stage,
    tray, via, wall_nanos,
};
use super::seen::{by_id, is_reminder, occupied, presence};
use crate::mail::around::Around;
use crate::mail::envelope::{Draft, MessageId, Seq};
use crate::mail::error::MailError;
use crate::mail::name::RoomName;
use crate::mail::request::{Receipt, Recipient, Submission};
use crate::mail::seat::{Presence, SeatId, Sender};
use crate::mail::speaker::Speaker;

/// Gives the receipt, and the seats whose doorbells are to be rung.
pub(super) fn send(
    tx: &Transaction<'_>,
    submission: &Submission,
    around: &dyn Around,
) -> Done<(Receipt, Vec<i64>)> {
    let draft = &submission.draft;
    draft.check()?;
    let from = sender(tx, &submission.sender)?;
    let asked: Vec<String> = draft.to.iter().map(ToString::to_string).collect();
    if let Some(key) = &draft.key
        && let Some(receipt) = sent_before(tx, (&from.space, key), (draft, &asked), around)?
    {
        return Ok((receipt, Vec::new()));
    }
    if let Some(re) = &draft.re
        && by_id(tx, re)?.is_none()
    {
        return Err(MailError::no_message(re).into());
    }
    let targets = resolve(tx, &draft.to)?;
    let told: Vec<String> = targets.iter().map(Target::told).collect();
    let (id, seq) = keep(tx, &from, draft, (&told, &asked), around)?;
    let rooms = targets.iter().filter_map(|target| match target {
        Target::Room { room, .. } => Some(*room),
        _ => None,
    });
    let rooms: Vec<i64> = rooms.collect();
    for (index, target) in targets.iter().enumerate() {
        deliver(
            tx,
            target,
            (index, seq, !rooms.is_empty()),
            from.seat,
            around,
        )?;
    }
    let before = Seq::new(seq.get().saturating_sub(1));
    for room in &rooms {
        end_quiet(tx, *room, before, around)?;
        post(tx, *room, (seq, rooms.len() > 1), from.seat)?;
    }
    let receipt = Receipt::new(id, seq, recipients(tx, seq, around)?);
    Ok((receipt, told_of(tx, seq, &rooms, from.seat)?))
}

/// The seats that something has come for, by name or in rooms.
fn told_of(tx: &Transaction<'_>, seq: Seq, rooms: &[i64], from: Option<SeatId>) -> Done<Vec<i64>> {
    let mut sql = tx.prepare_cached(
        "SELECT tray FROM delivery INDEXED BY delivery_seq WHERE seq = ? AND tray > 0 AND state = 0",
    )?;
    let mut seats: BTreeSet<i64> = sql
        .query_map(params![seq], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let mut sql = tx.prepare_cached(
        "SELECT seat FROM member INDEXED BY member_room WHERE room = ? AND seat IS NOT ?",
    )?;
    for room in rooms {
        for seat in sql.query_map(params![room, from], |row| row.get(0))? {
            seats.insert(seat?);
        }
    }
    Ok(seats.into_iter().collect())
}

/// Who speaks, as the mailbox knows them.
fn sender(tx: &Transaction<'_>, sender: &Sender) -> Done<Speaker> {
    Ok(match sender {
        Sender::Seat { seat, session } => {
            let mut sql =
                tx.prepare_cached("SELECT name, project IS NULL FROM seat WHERE id = ?")?;
            let found = sql.query_row(params![seat], |row| Ok((row.get(0)?, row.get(1)?)));
            let (name, is_person) = found.optional()?.ok_or_else(MailError::no_seat)?;
            if is_person {
                Speaker::person(name, *seat, session.clone())
            } else {
                Speaker::seated(name, *seat, session.clone())
            }
        }
        Sender::Session { session, place } => Speaker::session(project(tx, place)?.1, session),
        Sender::Program => Speaker::program(),
    })
}

/// What was sent under the same key before, which has to say the same to the same.
fn sent_before(
    tx: &Transaction<'_>,
    (space, key): (&str, &str),
    (draft, asked): (&Draft, &[String]),
    around: &dyn Around,
) -> Done<Option<Receipt>> {
    let mut sql =
        tx.prepare_cached("SELECT seq, id, asked, body FROM message WHERE space = ? AND key = ?")?;
    let found = sql.query_row([space, key], |row| {
        let id = MessageId::new(row.get::<_, String>(1)?);
        Ok((
            seq(row, 0)?,
            id,
            row.get::<_, String>(2)?,
            row.get::<_, String>(3)?,
        ))
    });
    let Some((at, id, known, body)) = found.optional()? else {
        return Ok(None);
    };
    if body != draft.body || list(&known) != asked {
        return Err(MailError::key_reused(key, &id).into());
    }
    let receipt = Receipt::new(id, at, recipients(tx, at, around)?);
    Ok(Some(receipt.repeated()))
}

/// Keeps the message itself, under a free id.
fn keep(
    tx: &Transaction<'_>,
    from: &Speaker,
    draft: &Draft,
    (told, asked): (&[String], &[String]),
    around: &dyn Around,
) -> Done<(MessageId, Seq)> {
    let id = free_id(tx, around)?;
    let mut sql = tx.prepare_cached(
        "INSERT INTO message (id, sent_at, boot, up, sender, kind, seat, session, addressees, re, space, key, asked, body)
         VALUES (:id, :sent_at, :boot, :up, :sender, :kind, :seat, :session, :addressees, :re, :space, :key, :asked, :body)",
    )?;
    let key = draft.key.as_deref();
    sql.execute(named_params! {
        ":id": id.as_str(),
        ":sent_at": wall_nanos(around.wall()),
        ":boot": boot(tx, &around.boot_id())?,
        ":up": nanos(around.boot()),
        ":sender": from.name,
        ":kind": kind_number(from.kind),
        ":seat": from.seat,
        ":session": from.session,
        ":addressees": list_text(told),
        ":re": draft.re.as_ref().map(MessageId::as_str),
        ":space": key.map(|_| &from.space),
        ":key": key,
        ":asked": key.map(|_| list_text(asked)),
        ":body": draft.body,
    })?;
    let seq = Seq::new(count(tx.last_insert_rowid()));
    let mut sql = tx.prepare_cached("INSERT INTO words (rowid, body) VALUES (?, ?)")?;
    sql.execute(params![seq, draft.body])?;
    Ok((id, seq))
}

pub(super) fn free_id(tx: &Transaction<'_>, around: &dyn Around) -> Done<MessageId> {
    let mut length = MessageId::SHORTEST;
    loop {
        for _ in 0..4 {
            let id = MessageId::from_bits(around.random(), length);
            if by_id(tx, &id)?.is_none() && !is_reminder(tx, &id)? {
                return Ok(id);
            }
        }
        length = (length + 1).min(MessageId::LONGEST);
    }
}

/// The number of a boot.
pub(super) fn boot(tx: &Transaction<'_>, name: &str) -> Done<i64> {
    let mut sql = tx.prepare_cached("SELECT id FROM boot WHERE name = ?")?;
    if let Some(known) = sql.query_row([name], |row| row.get(0)).optional()? {
        return Ok(known);
    }
    tx.prepare_cached("INSERT INTO boot (name) VALUES (?)")?
        .execute([name])?;
    Ok(tx.last_insert_rowid())
}

/// Writes the rows of one target, the sender's own seat left out of a project.
fn deliver(
    tx: &Transaction<'_>,
    target: &Target,
    (index, seq, posted): (usize, Seq, bool),
    from: Option<SeatId>,
    around: &dyn Around,
) -> Done<()> {
    let mut root = None;
    let (trays, how) = match target {
        Target::Room { .. } => return Ok(()),
        Target::Seat { seat, .. } => (vec![tray(*seat)], via::SEAT),
        Target::Project {
            project, root: at, ..
        } => {
            root = at.as_deref().map(path_bytes);
            let mut sql = tx.prepare_cached(
                "SELECT id, pid, started, boot, namespace FROM seat
                 WHERE project = ?1 AND (?2 IS NULL OR root = ?2) AND id IS NOT ?3 AND pid IS NOT NULL",
            )?;
            let seats = sql.query_map(params![project, root, from], |row| {
                Ok((row.get::<_, i64>(0)?, process(row, 1)?))
            })?;
            let mut trays = Vec::new();
            for seat in seats {
                let (tray, occupant) = seat?;
                if occupied(occupant.as_ref(), around) {
                    trays.push(tray);
                }
            }
            if trays.is_empty() {
                trays.push(project_tray(*project));
            }
            (trays, via::PROJECT)
        }
    };
    let mut sql = tx.prepare_cached(&format!(
        "INSERT INTO delivery (tray, seq, state, via, root, posted, named)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (tray, seq) DO UPDATE SET named = named | excluded.named, {WIDER}",
    ))?;
    for tray in trays {
        let is_own = from.is_some_and(|from| self::tray(from) == tray);
        let state = if is_own { stage::OWN } else { stage::NEW };
        sql.execute(params![tray, seq, state, how, root, posted, 1_i64 << index])?;
    }
    Ok(())
}

/// What is left of two ways to one tray: the one that binds the message less to a work tree. Of
/// two work trees whichever comes first takes it, or one of a third, lest it be lost.
pub(super) const WIDER: &str = "
    root = CASE
        WHEN min(via, excluded.via) = 0 THEN NULL
        WHEN via = 2 THEN excluded.root
        WHEN excluded.via = 2 OR root IS excluded.root THEN root
        ELSE NULL END,
    via = min(via, excluded.via)";

/// Whom the message at `seq` reached, in the order of its addresses.
fn recipients(tx: &Transaction<'_>, seq: Seq, around: &dyn Around) -> Done<Vec<Recipient>> {
    let (addressees, from) = tx
        .prepare_cached("SELECT addressees, seat FROM message WHERE seq = ?")?
        .query_row(params![seq], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, Option<i64>>(1)?))
        })?;
    let mut trays = Vec::new();
    let mut sql = tx.prepare_cached(
        "SELECT tray, named FROM delivery WHERE seq = ? AND named <> 0 ORDER BY tray <= 0, abs(tray)",
    )?;
    for row in sql.query_map(params![seq], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))
    })? {
        let (tray, named) = row?;
        let (seat, presence) = if tray > 0 {
            let (name, presence) = presence(tx, tray, around)?;
            (Some(name), presence)
        } else {
            (None, Presence::Waiting)
        };
        trays.push((named, seat, presence));
    }
    let mut recipients = Vec::new();
    for (index, address) in list(&addressees).into_iter().enumerate() {
        if let Some(room) = address.strip_prefix('#').and_then(RoomName::parse) {
            let members: i64 = tx
                .prepare_cached(
                    "SELECT count(*) FROM member JOIN room ON room.id = member.room
                     WHERE room.name = ? AND member.seat IS NOT ?",
                )?
                .query_row(params![room.as_str(), from], |row| row.get(0))?;
            recipients.push(Recipient::Room {
                room,
                members: count(members),
            });
            continue;
        }
        for (named, seat, presence) in &trays {
            if named & (1 << index) != 0 {
                recipients.push(Recipient::Tray {
                    address: address.clone(),
                    seat: seat.clone(),
                    presence: *presence,
                });
            }
        }
    }
    Ok(recipients)
}
