//! `attend doctor`: whether everything that attend needs is there, and what to do where it is not.

mod check;

mod place;

mod host;

mod project;

mod mail;

mod way_in;

use std::path::PathBuf;

use self::check::Report;
use self::host::Here;
use crate::cli::DoctorArgs;
use crate::env::Env;
use crate::output::{Failure, print, print_json};

/// Looks at everything, from the ground up, and says what was found.
pub(crate) fn doctor(args: &DoctorArgs, env: &Env) -> Result<(), Failure> {
    let mut report = Report::default();
    place::home(&mut report, env);
    let store = place::store(&mut report, env);
    let here = Here::look(env);
    let project: Result<PathBuf, Failure> = match &args.project {
        Some(named) => crate::place::project(Some(named)),
        None => here.project(),
    };
    place::watching(&mut report, project.as_deref().ok(), env);
    here.tell(&mut report, env);
    match &project {
        Ok(root) => project::tell(&mut report, root, &here, env),
        Err(failure) => {
            let remedy = "name a directory that is there: attend doctor --project DIR";
            report.told("project", &failure.to_string(), remedy);
        }
    }
    if let Some(store) = &store {
        mail::tell(&mut report, store, &here);
    }
    way_in::tell(&mut report, &here, env);
    if args.json {
        print_json(&report)?;
    } else {
        print(&report.to_text())?;
    }
    if report.findings > 0 {
        return Err(Failure::findings());
    }
    Ok(())
}
