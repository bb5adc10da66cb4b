//! `ways lint`: mistakes in the files of ways, with their lines.

use std::fmt::Write as _;
use std::path::PathBuf;

use attend_core::attention::sanitise;
use attend_core::ways::{Finding, lint as look};
use serde::Serialize;

use crate::cli::LintArgs;
use crate::env::Env;
use crate::guidance::roots;
use crate::output::{Failure, print, print_json};
use crate::place;

/// Mistakes, as they are printed.
#[derive(Serialize, Debug)]
struct Linted {
    files: usize,
    findings: Vec<Finding>,
}

/// Looks at the paths that were named, or at those where ways lie.
pub(crate) fn lint(args: &LintArgs, env: &Env) -> Result<(), Failure> {
    let gone = args.paths.iter().find(|path| !path.exists());
    if let Some(gone) = gone {
        let gone = gone.display();
        return Err(Failure::refused(format!("there is no {gone} to look at")));
    }
    let paths = if args.paths.is_empty() {
        usual(env)?
    } else {
        args.paths.clone()
    };
    let mut linted = Linted {
        files: 0,
        findings: Vec::new(),
    };
    for path in &paths {
        let (files, findings) = look(path);
        linted.files += files;
        linted.findings.extend(findings);
    }
    if args.json {
        print_json(&linted)?;
    } else {
        print(&linted.to_text(&paths))?;
    }
    match linted.findings.as_slice() {
        [] => Ok(()),
        _ => Err(Failure::findings()),
    }
}

fn usual(env: &Env) -> Result<Vec<PathBuf>, Failure> {
    let project = place::project(None)?;
    let settings = place::config(&project, env).read().ways;
    let roots = roots(&project, &settings, env).into_iter();
    let paths = roots.map(|root| root.path);
    Ok(paths.filter(|path| path.is_dir()).collect())
}

impl Linted {
    fn to_text(&self, paths: &[PathBuf]) -> String {
        let mut text = String::new();
        for finding in &self.findings {
            let _ = writeln!(text, "{}", sanitise(&finding.to_string()));
        }
        if !text.is_empty() {
            return text;
        }
        match self.files {
            0 if paths.is_empty() => {
                "there are no ways of yours or of the project to look at\n".to_owned()
            }
            1 => "1 file, nothing wrong in it\n".to_owned(),
            files => format!("{files} files, nothing wrong in them\n"),
        }
    }
}
