//! `attend config`: show, check or begin the configuration.

use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use attend_core::attention::sanitise;
use attend_core::runtime::config::{Config, Origin, Setting, document, sample, schema};
use attend_core::runtime::{StateDir, StatePlace};
use attend_core::sensor::Value;
use attend_sensors::built_in;
use serde::Serialize;

use crate::cli::{ConfigCommand, OfProject};
use crate::cmd::trust;
use crate::env::Env;
use crate::output::{Failure, complain, print, print_json};
use crate::place::{self, ADVICE};
use crate::session;

/// Does what `command` says.
pub(crate) fn config(command: &ConfigCommand, env: &Env) -> Result<(), Failure> {
    match command {
        ConfigCommand::Show(of) => show(of, env),
        ConfigCommand::Path { project } => path(project.as_deref(), env),
        ConfigCommand::Init { stdout: true } => print(&sample(&built_in())),
        ConfigCommand::Init { stdout: false } => init(env),
        ConfigCommand::Check(of) => check(of, env),
        ConfigCommand::Trust(args) => trust::trust(args, env),
        ConfigCommand::Schema { markdown: true } => print(&document(&built_in())),
        ConfigCommand::Schema { markdown: false } => print_json(&schema(&built_in())),
    }
}

/// What holds, as it is printed.
#[derive(Serialize, Debug)]
struct Shown<'a> {
    project: String,
    values: Vec<ShownValue<'a>>,
    /// How many mistakes `attend config check` finds.
    findings: usize,
}

#[derive(Serialize, Debug)]
struct ShownValue<'a> {
    key: &'a str,
    value: &'a Value,
    #[serde(flatten)]
    origin: &'a Origin,
}

fn read(project: Option<&Path>, env: &Env) -> Result<(PathBuf, Config), Failure> {
    let root = place::project(project)?;
    let config = place::config(&root, env).read();
    Ok((root, config))
}

fn show(of: &OfProject, env: &Env) -> Result<(), Failure> {
    let (root, config) = read(of.project.as_deref(), env)?;
    if of.json {
        let values = config.values.iter().map(|setting| ShownValue {
            key: &setting.key,
            value: &setting.value,
            origin: &setting.origin,
        });
        return print_json(&Shown {
            project: sanitise(&root.display().to_string()),
            values: values.collect(),
            findings: config.findings.len(),
        });
    }
    let lines: Vec<(String, String)> = config.values.iter().map(line).collect();
    let width = lines
        .iter()
        .map(|(value, _)| value.chars().count())
        .filter(|width| *width <= 48);
    let width = width.max().unwrap_or(0);
    let mut text = String::new();
    for (value, origin) in &lines {
        let _ = writeln!(text, "{value:width$}  # {origin}");
    }
    print(&text)?;
    if let count @ 1.. = config.findings.len() {
        let mistakes = if count == 1 { "mistake" } else { "mistakes" };
        complain(&format!(
            "the files hold {count} {mistakes}; they are told by: attend config check"
        ));
    }
    Ok(())
}

fn line(setting: &Setting) -> (String, String) {
    let origin = match &setting.origin {
        Origin::User { file, line } | Origin::Project { file, line } => {
            format!("{}:{line}", file.display())
        }
        _ => "default".to_owned(),
    };
    (sanitise(&setting.to_string()), sanitise(&origin))
}

fn path(project: Option<&Path>, env: &Env) -> Result<(), Failure> {
    let root = place::project(project)?;
    let mut text = String::new();
    for (_, path) in place::config(&root, env).places().paths() {
        let _ = writeln!(text, "{}", sanitise(&path.display().to_string()));
    }
    print(&text)
}

/// Mistakes, as they are printed.
#[derive(Serialize, Debug)]
struct Checked<'a> {
    project: String,
    findings: &'a [attend_core::runtime::config::Finding],
}

fn check(of: &OfProject, env: &Env) -> Result<(), Failure> {
    let (root, mut config) = read(of.project.as_deref(), env)?;
    let found = config.examine(&built_in(), &session::roots(&root, env));
    config.findings.extend(found);
    if of.json {
        print_json(&Checked {
            project: sanitise(&root.display().to_string()),
            findings: &config.findings,
        })?;
    } else {
        let mut text = String::new();
        for finding in &config.findings {
            let _ = writeln!(text, "{}", sanitise(&finding.to_string()));
        }
        if config.findings.is_empty() {
            text.push_str("no mistakes found\n");
        }
        print(&text)?;
    }
    match config.findings.as_slice() {
        [] => Ok(()),
        _ => Err(Failure::findings()),
    }
}

fn init(env: &Env) -> Result<(), Failure> {
    let Some(directory) = env.config() else {
        return Err(Failure::refused(format!(
            "there is no place for a configuration: neither ATTEND_HOME nor HOME names a directory; {ADVICE}"
        )));
    };
    let path = directory.join("config.yaml");
    let failed = |error: std::io::Error| {
        let path = path.display();
        Failure::refused(match error.kind() {
            std::io::ErrorKind::AlreadyExists => format!(
                "{path} is there already and stays as it is; print a sample to compare it with: attend config init --stdout"
            ),
            _ => format!(
                "cannot write {path}: {error}; {ADVICE}, or print the sample: attend config init --stdout"
            ),
        })
    };
    // Below a directory of attend's own, the configuration is as private as its state.
    if let Some(root) = env.root() {
        StateDir::open(StatePlace::new(root).join("config")).map_err(|error| {
            Failure::refused(format!(
                "cannot write {}: {error}; {ADVICE}, or print the sample: attend config init --stdout",
                path.display()
            ))
        })?;
    }
    fs::create_dir_all(&directory).map_err(failed)?;
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&path)
        .map_err(failed)?;
    if let Err(error) = file.write_all(sample(&built_in()).as_bytes()) {
        // Half a sample is none, and would be in the way of the next try.
        let _ = fs::remove_file(&path);
        return Err(failed(error));
    }
    print(&format!(
        "wrote {}\n",
        sanitise(&path.display().to_string())
    ))
}
