//! Names: whom an address means, and what new projects are called.

use std::path::PathBuf;

use rusqlite::{OptionalExtension, Row, Transaction};

use super::column::params;
use super::error::Done;
use super::row::{count, path_bytes, path_of};
use crate::mail::address::{Address, Place};
use crate::mail::closest::closest;
use crate::mail::error::MailError;
use crate::mail::name::{Name, RoomName, fold};
use crate::mail::persona::persona;
use crate::mail::seat::{ProjectId, SeatId};

/// One address, understood.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Target {
    Seat {
        seat: SeatId,
        name: String,
    },
    Project {
        project: ProjectId,
        persona: String,
        root: Option<PathBuf>,
    },
    Room {
        room: i64,
        name: RoomName,
    },
}

impl Target {
    /// The target in the words in which it is told.
    pub(super) fn told(&self) -> String {
        match self {
            Self::Seat { name, .. } => format!("@{name}"),
            Self::Project { persona, .. } => format!("@{persona}"),
            Self::Room { name, .. } => name.to_string(),
        }
    }
}

/// All addresses, understood: each once, in order. All or nothing.
pub(super) fn resolve(tx: &Transaction<'_>, to: &[Address]) -> Done<Vec<Target>> {
    let mut targets: Vec<Option<Target>> = Vec::new();
    let mut unknown = Vec::new();
    for address in to {
        targets.push(match address {
            Address::Room(name) => {
                let found = room(tx, name)?;
                if found.is_none() {
                    unknown.push((name.to_string(), near_rooms(tx, name)?));
                }
                found.map(|room| Target::Room {
                    room,
                    name: name.clone(),
                })
            }
            Address::Name(name) => {
                let found = named(tx, name)?;
                if found.is_none() {
                    unknown.push((name.to_string(), near(tx, name)?));
                }
                found
            }
            // A place is somewhere even where nobody has been yet. It is made below, when all
            // else is known.
            Address::Place(_) => None,
        });
    }
    if !unknown.is_empty() {
        return Err(MailError::unknown(&unknown).into());
    }
    let mut all = Vec::new();
    for (address, target) in to.iter().zip(targets) {
        let target = match address {
            Address::Place(place) => {
                let (project, persona) = project(tx, place)?;
                let root = Some(place.root.clone());
                Some(Target::Project {
                    project,
                    persona,
                    root,
                })
            }
            _ => target,
        };
        all.extend(target.filter(|target| !all.contains(target)));
    }
    if all.is_empty() {
        let name = RoomName::open();
        let room = room(tx, &name)?.unwrap_or_default();
        all.push(Target::Room { room, name });
    }
    Ok(all)
}

/// The number of a room, where there is one of that name.
pub(super) fn room(tx: &Transaction<'_>, name: &RoomName) -> Done<Option<i64>> {
    let mut sql = tx.prepare_cached("SELECT id FROM room WHERE name = ?")?;
    Ok(sql
        .query_row([name.as_str()], |row| row.get(0))
        .optional()?)
}

/// Whom a name means: the first class in which somebody has it.
fn named(tx: &Transaction<'_>, name: &Name) -> Done<Option<Target>> {
    let wanted = fold(name.as_str());
    let seat = |sql: &str| -> rusqlite::Result<Option<Target>> {
        let found = |row: &Row<'_>| {
            let seat = SeatId::new(count(row.get(0)?));
            Ok(Target::Seat {
                seat,
                name: row.get(1)?,
            })
        };
        tx.prepare_cached(sql)?
            .query_row([&wanted], found)
            .optional()
    };
    let project = |row: &Row<'_>| -> rusqlite::Result<(ProjectId, String, Vec<u8>)> {
        Ok((ProjectId::new(count(row.get(0)?)), row.get(1)?, row.get(2)?))
    };
    let by_persona = || -> rusqlite::Result<Option<Target>> {
        let sql = "SELECT id, persona, path FROM project WHERE folded = ?";
        let found = tx
            .prepare_cached(sql)?
            .query_row([&wanted], project)
            .optional()?;
        Ok(found.map(|(project, persona, _)| Target::Project {
            project,
            persona,
            root: None,
        }))
    };
    let by_folder = || -> rusqlite::Result<Vec<(ProjectId, String, Vec<u8>)>> {
        let sql = "SELECT id, persona, path FROM project WHERE folded_folder = ? ORDER BY id";
        tx.prepare_cached(sql)?
            .query_map([&wanted], project)?
            .collect()
    };
    let of_session = "SELECT id, name FROM seat WHERE folded = ? AND project IS NOT NULL";
    let of_person = "SELECT id, name FROM seat WHERE folded = ? AND project IS NULL";
    if let Some(seat) = seat(of_session)? {
        return Ok(Some(seat));
    }
    if let Some(project) = by_persona()? {
        return Ok(Some(project));
    }
    if let Some(person) = seat(of_person)? {
        return Ok(Some(person));
    }
    let mut found = by_folder()?;
    if found.len() > 1 {
        let told = |(_, persona, path): (ProjectId, String, Vec<u8>)| {
            format!("@{persona} ({})", path_of(path).display())
        };
        let candidates: Vec<String> = found.into_iter().map(told).collect();
        return Err(MailError::ambiguous(&name.to_string(), &candidates).into());
    }
    Ok(found.pop().map(|(project, persona, _)| Target::Project {
        project,
        persona,
        root: None,
    }))
}

fn near(tx: &Transaction<'_>, name: &Name) -> Done<Vec<String>> {
    let sql = "SELECT name FROM seat UNION ALL SELECT persona FROM project UNION ALL SELECT folder FROM project";
    let names = column(tx, sql)?;
    let near = closest(name.as_str(), names.iter().map(String::as_str));
    Ok(near.into_iter().map(|name| format!("@{name}")).collect())
}

/// The rooms whose names are close, as they are told.
pub(super) fn near_rooms(tx: &Transaction<'_>, name: &RoomName) -> Done<Vec<String>> {
    let names = column(tx, "SELECT name FROM room ORDER BY name")?;
    let near = closest(name.as_str(), names.iter().map(String::as_str));
    Ok(near.into_iter().map(|room| format!("#{room}")).collect())
}

fn column(tx: &Transaction<'_>, sql: &str) -> Done<Vec<String>> {
    let mut sql = tx.prepare_cached(sql)?;
    let names = sql.query_map([], |row| row.get(0))?;
    Ok(names.collect::<Result<_, _>>()?)
}

/// Whether the project `id` lies at `place`, and [`project`] would change nothing.
pub(super) fn is_known(tx: &Transaction<'_>, id: ProjectId, place: &Place) -> Done<bool> {
    let path = path_bytes(&place.project);
    let host_root = place.host_root.as_deref().map(path_bytes);
    let mut sql = tx.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM project
             WHERE id = ?1 AND path = ?2 AND (?3 IS NULL OR host_root IS ?3))",
    )?;
    Ok(sql.query_row(params![id, path, host_root], |row| row.get(0))?)
}

/// The project of a place and its persona, which it gets where it is new.
pub(super) fn project(tx: &Transaction<'_>, place: &Place) -> Done<(ProjectId, String)> {
    let path = path_bytes(&place.project);
    let host_root = place.host_root.as_deref().map(path_bytes);
    let known = tx
        .prepare_cached("SELECT id, persona, host_root FROM project WHERE path = ?")?
        .query_row([path], |row| {
            let host: Option<Vec<u8>> = row.get(2)?;
            Ok((ProjectId::new(count(row.get(0)?)), row.get(1)?, host))
        })
        .optional()?;
    if let Some((id, persona, host)) = known {
        if host_root.is_some() && host.as_deref() != host_root {
            let sql = "UPDATE project SET host_root = ? WHERE id = ?";
            tx.prepare_cached(sql)?.execute(params![host_root, id])?;
        }
        return Ok((id, persona));
    }
    let mut taken = tx.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM project WHERE folded = ?1) OR EXISTS (SELECT 1 FROM seat WHERE folded = ?1)",
    )?;
    let mut failure = None;
    let persona = persona(&place.project, |name| {
        match taken.query_row([fold(name)], |row| row.get::<_, bool>(0)) {
            Ok(taken) => !taken,
            Err(error) => {
                failure = Some(error);
                true
            }
        }
    });
    if let Some(error) = failure {
        return Err(error.into());
    }
    let folder = place.folder();
    tx.prepare_cached(
        "INSERT INTO project (path, folder, folded_folder, persona, folded, host_root) VALUES (?, ?, ?, ?, ?, ?)",
    )?
    .execute(params![path, folder, fold(&folder), persona, fold(&persona), host_root])?;
    Ok((ProjectId::new(count(tx.last_insert_rowid())), persona))
}
