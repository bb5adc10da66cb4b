//! What a running loop follows: its configuration, and which signals have guidance.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use attend_core::runtime::Plan;
use attend_core::runtime::config::Reader;
use attend_core::ways::{Root, files};

use crate::env::Env;
use crate::guidance::Guidance;

/// The configuration and the ways of a project, as they were read last.
#[derive(Debug)]
pub(crate) struct Following {
    project: PathBuf,
    env: Env,
    reader: Reader,
    roots: Vec<Root>,
    /// The files of ways, as they were.
    seen: Vec<Seen>,
    /// What was said of ways that cannot be read.
    said: Vec<String>,
    /// What holds, without what was said of it.
    last: Plan,
}

#[derive(PartialEq, Eq, Debug)]
struct Seen {
    file: PathBuf,
    size: u64,
    changed: Option<SystemTime>,
}

impl Following {
    /// Follows what `reader` reads and the ways of `guidance`, of which `last` was made.
    pub(crate) fn new(
        project: &Path,
        env: &Env,
        reader: Reader,
        guidance: &Guidance,
        last: Plan,
    ) -> Self {
        let roots = guidance.roots(project, env);
        Self {
            project: project.to_owned(),
            env: env.clone(),
            reader,
            seen: seen(&roots),
            roots,
            said: guidance.corpus.warnings().to_vec(),
            last,
        }
    }

    /// The directories in which ways lie, or may.
    pub(crate) fn below(&self) -> Vec<PathBuf> {
        self.roots.iter().map(|root| root.path.clone()).collect()
    }

    /// What holds from now on; none where everything is as it was the last time. Files of ways
    /// are not read unless one of them, or the configuration, is another one now.
    pub(crate) fn plan(&mut self) -> Option<Plan> {
        let configured = self.reader.plan();
        if configured.is_none() && seen(&self.roots) == self.seen {
            return None;
        }
        let guidance = Guidance::quietly(&self.project, &self.env);
        self.roots = guidance.roots(&self.project, &self.env);
        self.seen = seen(&self.roots);
        let mut plan = configured.unwrap_or_else(|| self.last.clone());
        plan = plan.handled(guidance.handled()).below(self.below());
        self.last = plan.clone();
        (self.last.notice, self.last.solved) = (None, None);
        let warnings = guidance.corpus.warnings();
        let news = warnings.iter().find(|text| !self.said.contains(text));
        // A mistake in the configuration goes first; `ways lint` tells of all ways.
        if plan.notice.is_none() {
            plan.notice = news.cloned();
        }
        self.said = warnings.to_vec();
        Some(plan)
    }
}

fn seen(roots: &[Root]) -> Vec<Seen> {
    let files = roots.iter().flat_map(|root| files(&root.path));
    let seen = files.map(|file| {
        let metadata = fs::metadata(&file).ok();
        Seen {
            size: metadata.as_ref().map_or(0, fs::Metadata::len),
            changed: metadata.and_then(|metadata| metadata.modified().ok()),
            file,
        }
    });
    seen.collect()
}
