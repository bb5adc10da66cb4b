//! What is known of projects, so that somebody can tell whether they are still there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use rusqlite::{OptionalExtension, Transaction};

use super::column::params;
use super::error::Done;
use super::row::{count, path_of};
use super::seen::age;
use crate::mail::around::Around;
use crate::mail::cleanup::{ProjectInfo, Projects};
use crate::mail::seat::ProjectId;

pub(super) fn projects(tx: &Transaction<'_>, around: &dyn Around) -> Done<Projects> {
    let mut roots: BTreeMap<i64, BTreeSet<PathBuf>> = BTreeMap::new();
    let mut sql = tx.prepare_cached(
        "SELECT project, root FROM seat WHERE project IS NOT NULL AND root IS NOT NULL",
    )?;
    for row in sql.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))? {
        let (project, root) = row?;
        roots.entry(project).or_default().insert(path_of(root));
    }
    let mut sessions: BTreeMap<i64, Vec<String>> = BTreeMap::new();
    let mut sql = tx.prepare_cached(
        "SELECT seat.project, session.id FROM session JOIN seat ON seat.id = session.seat
         WHERE seat.project IS NOT NULL ORDER BY session.id",
    )?;
    for row in sql.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))? {
        let (project, session) = row?;
        sessions.entry(project).or_default().push(session);
    }
    let mut sql = tx.prepare_cached(
        "SELECT project.id, path, persona, host_root, gone_up, boot.name FROM project
         LEFT JOIN boot ON boot.id = gone_boot ORDER BY project.id",
    )?;
    let found = sql.query_map([], |row| {
        let id = row.get(0)?;
        let path = path_of(row.get(1)?);
        let mut info = ProjectInfo::new(ProjectId::new(count(id)), path, row.get::<_, String>(2)?);
        info.host_root = row.get::<_, Option<Vec<u8>>>(3)?.map(path_of);
        info.roots = roots.remove(&id).into_iter().flatten().collect();
        info.sessions = sessions.remove(&id).unwrap_or_default();
        let gone: Option<i64> = row.get(4)?;
        let boot: Option<String> = row.get(5)?;
        info.gone = gone.zip(boot).map(|(up, boot)| age(up, &boot, around));
        Ok(info)
    })?;
    let all = found.collect::<Result<_, _>>()?;
    let mut sql =
        tx.prepare_cached("SELECT up, name FROM sweep JOIN boot ON boot.id = sweep.boot")?;
    let swept = sql.query_row([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)));
    let swept = swept.optional()?.map(|(up, boot)| age(up, &boot, around));
    Ok(Projects::new(all, swept))
}

/// Somebody sits down in a project, which is not gone then.
pub(super) fn is_there(tx: &Transaction<'_>, project: ProjectId) -> Done<()> {
    tx.prepare_cached(
        "UPDATE project SET gone_boot = NULL, gone_up = NULL WHERE id = ? AND gone_boot IS NOT NULL",
    )?
    .execute(params![project])?;
    Ok(())
}
