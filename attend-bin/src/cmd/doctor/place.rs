//! Where attend keeps things: what can be written, the mail store, and whether changes are told.

use std::path::{Path, PathBuf};
use std::time::Duration;

use attend_core::mail::{MailErrorKind, SqliteMailbox};
use attend_core::runtime::StateDir;
use attend_core::runtime::system::{Ground, limit_named, watchable};
use futures::executor::block_on;

use super::check::Report;
use crate::env::Env;
use crate::mailbox::Mail;
use crate::output::Failure;
use crate::place::ADVICE;

/// How long the store may be another's: here nothing waits.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether there is a home, and whether it can be written.
pub(super) fn home(report: &mut Report, env: &Env) {
    let (Some(state), Some(data)) = (env.state(), env.data()) else {
        let text = "there is no place for anything: neither ATTEND_HOME nor HOME names a directory";
        return report.found("home", text, ADVICE);
    };
    let places = [("state", state.path()), ("mail", data)];
    let mut fit = Vec::new();
    // Both lie on one disk, as a rule.
    let mut unfit: Vec<(String, &str, Vec<String>)> = Vec::new();
    for (what, path) in places {
        let place = format!("{what} in {}", path.display());
        let (why, remedy) = match Ground::at(&path) {
            Err(error) => (format!("nothing can be written ({error})"), "allow writing"),
            Ok(ground) if ground.is_full => {
                let left = ground.free >> 10;
                let why = format!("the disk is full, with {left} KiB left");
                (why, "make room")
            }
            Ok(_) => {
                fit.push(place);
                continue;
            }
        };
        match unfit.iter_mut().find(|(known, ..)| *known == why) {
            Some((.., places)) => places.push(place),
            None => unfit.push((why, remedy, vec![place])),
        }
    }
    for (why, remedy, places) in &unfit {
        let text = format!("{why}: {}", places.join(", "));
        report.found("home", text, &format!("{remedy} there, or {ADVICE}"));
    }
    match StateDir::existing(state) {
        Err(error) => report.told("home", &format!("{error}; {ADVICE}"), ADVICE),
        Ok(_) if fit.is_empty() => {}
        Ok(_) => report.fine("home", format!("can be written: {}", fit.join(", "))),
    }
}

/// The mail store, where there is a sound one.
pub(super) fn store(report: &mut Report, env: &Env) -> Option<SqliteMailbox> {
    let mail = match Mail::of(env) {
        Ok(mail) => mail,
        Err(failure) => {
            report.told("store", &failure.to_string(), ADVICE);
            return None;
        }
    };
    let existing = mail.is_carried().and_then(|()| mail.existing_here());
    let sound = existing.and_then(|store| {
        let Some(store) = store else { return Ok(None) };
        let store = store.patience(PATIENCE);
        block_on(store.check())?;
        Ok(Some(store))
    });
    match sound {
        Ok(Some(store)) => {
            report.fine("store", "the mail store is whole, and of this version");
            Some(store)
        }
        Ok(None) => {
            report.fine(
                "store",
                "there is no mail yet; the first `attend send` makes the store",
            );
            None
        }
        Err(error) => {
            let name = match error.kind() {
                MailErrorKind::Newer => "versions",
                _ => "store",
            };
            let remedy = format!("move away what lies there, or {ADVICE}");
            report.told(name, &Failure::from(error).to_string(), &remedy);
            None
        }
    }
}

/// Whether what changes is told, or has to be looked for.
pub(super) fn watching(report: &mut Report, project: Option<&Path>, env: &Env) {
    let bells = env.data().map(|data| data.join("run"));
    let places = project.map(Path::to_owned).into_iter().chain(bells);
    let (mut is_told, mut is_limited) = (false, false);
    for place in places {
        let Some(Err(error)) = nearest(&place).map(|there| watchable(&there)) else {
            continue;
        };
        let text = error.to_string();
        is_told = true;
        match limit_named(&text) {
            // One limit keeps everything from being watched.
            Some(_) if is_limited => {}
            Some(limit) => {
                is_limited = true;
                let text = format!("{text}: what changes is looked for now and then");
                let remedy = format!(
                    "end what watches so much, or raise the limit as root: sysctl {limit}=MORE"
                );
                report.found("watching", text, &remedy);
            }
            None => report.found(
                "watching",
                format!(
                    "{text}: what changes in {} is looked for now and then",
                    place.display()
                ),
                "keep it on a local file system where it has to be told at once",
            ),
        }
    }
    if !is_told {
        report.fine("watching", "changes of files are told at once");
    }
}

/// What there is of the way to `path`.
fn nearest(path: &Path) -> Option<PathBuf> {
    let mut way = path.ancestors();
    way.find(|part| part.exists()).map(Path::to_owned)
}
