//! The files: read once, and again when they change.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::finding::{Finding, Layer, Problem};
use super::resolve::{Config, File, Parsed, resolve_parsed};
use super::trust::Trust;
use crate::runtime::{Plan, SensorSetup};
use crate::sensor::{Registry, SensorName};

/// A file larger than this is no configuration.
const MOST_BYTES: u64 = 1 << 20;

/// Where the files of configuration lie, whether or not they are there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Places {
    /// The user's file; none where there is no place for it.
    pub user: Option<PathBuf>,
    /// The project's file.
    pub project: Option<PathBuf>,
}

impl Places {
    /// The files of a user, and of the project whose directory is `root`:
    /// `.claude/attend.yaml` in it.
    pub fn new(user: Option<PathBuf>, root: &Path) -> Self {
        Self {
            user,
            project: Some(root.join(".claude").join("attend.yaml")),
        }
    }

    /// The paths, the user's first.
    pub fn paths(&self) -> impl Iterator<Item = (Layer, &Path)> {
        let user = self.user.as_deref().map(|path| (Layer::User, path));
        let project = self.project.as_deref().map(|path| (Layer::Project, path));
        user.into_iter().chain(project)
    }

    /// Reads those that are there. One that cannot be read is a finding.
    pub fn read(&self) -> (Vec<File>, Vec<Finding>) {
        let (mut files, mut findings) = (Vec::new(), Vec::new());
        for (layer, path) in self.paths() {
            match read(path) {
                Ok(bytes) => files.extend(bytes.map(|bytes| File {
                    layer,
                    path: path.to_owned(),
                    bytes,
                })),
                Err(error) => {
                    let text = format!("this cannot be read: {error}");
                    findings.push(Finding::new(path, None, Problem::Unreadable, text));
                }
            }
        }
        (files, findings)
    }
}

/// Reads the configuration, and again what changed of it.
///
/// A file that cannot be understood any more, as when it is half written, is a finding; what it
/// said before goes on to hold. One that is gone says nothing.
#[derive(Debug)]
pub struct Reader {
    places: Places,
    registry: Registry,
    last: Option<(Vec<File>, Vec<Finding>)>,
    good: Vec<Parsed>,
    said: Vec<Finding>,
    /// The notice that says them.
    notice: Option<String>,
    hostless: bool,
    trust: Option<Box<dyn Trust>>,
}

impl Reader {
    /// A reader of the files in `places`, for a program that knows the kinds in `registry`.
    pub fn new(places: Places, registry: Registry) -> Self {
        Self {
            places,
            registry,
            last: None,
            good: Vec::new(),
            said: Vec::new(),
            notice: None,
            hostless: false,
            trust: None,
        }
    }

    /// The same for a program that runs beside no host: sensors that need one do not run.
    #[must_use]
    pub fn without_host(mut self) -> Self {
        self.hostless = true;
        self
    }

    /// The same where `trust` says what of a project's file may be run; otherwise nothing may.
    #[must_use]
    pub fn trusting(mut self, trust: impl Trust + 'static) -> Self {
        self.trust = Some(Box::new(trust));
        self
    }

    /// The files that it reads.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// The kinds of sensor that there are.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Reads the files; none where they, and what is trusted, are as they were the last time.
    pub fn changed(&mut self) -> Option<Config> {
        let now = self.places.read();
        let renewed = self.trust.as_mut().is_some_and(|trust| trust.renew());
        if self.last.as_ref() == Some(&now) && !renewed {
            return None;
        }
        Some(self.take(now))
    }

    /// Reads the files. Whoever asks says what is wrong in them.
    pub fn read(&mut self) -> Config {
        let now = self.places.read();
        if let Some(trust) = &mut self.trust {
            trust.renew();
        }
        let config = self.take(now);
        self.said.clone_from(&config.findings);
        self.notice = config.notice();
        config
    }

    /// The sensors that run.
    pub fn setups(&self, config: &Config) -> Vec<SensorSetup> {
        let mut setups = config.setups(&self.registry);
        setups.retain(|setup| !self.lacks_host(setup.kind()));
        setups
    }

    /// The names of the sensors that are switched on and do not run, for want of a host.
    pub fn left_out<'a>(&self, config: &'a Config) -> Vec<&'a SensorName> {
        let sensors = config.sensors.iter().filter(|sensor| sensor.enabled);
        let left_out = sensors.filter(|sensor| self.lacks_host(&sensor.kind));
        left_out.map(|sensor| &sensor.name).collect()
    }

    fn lacks_host(&self, kind: &str) -> bool {
        let kind = self.registry.get(kind);
        self.hostless && kind.is_some_and(|kind| kind.declares().needs_host)
    }

    /// What a driver is to do from now on; none where the files are as they were the last time.
    /// Findings that were there then are not said again.
    pub fn plan(&mut self) -> Option<Plan> {
        let config = self.changed()?;
        let plan = Plan::new(config.settings.clone(), self.setups(&config));
        let mut plan = plan.cleanup(config.cleanup);
        let said = std::mem::replace(&mut self.said, config.findings.clone());
        if said != config.findings {
            plan.notice = config.notice();
            plan.solved = std::mem::replace(&mut self.notice, plan.notice.clone());
        }
        Some(plan)
    }

    fn take(&mut self, now: (Vec<File>, Vec<Finding>)) -> Config {
        let (files, unread) = self.last.insert(now);
        let mut findings = unread.clone();
        let mut good = Vec::new();
        for (_, path) in self.places.paths() {
            let file = files.iter().find(|file| file.path == path);
            let broken = match file.map(Parsed::of) {
                Some(Ok(parsed)) => {
                    good.push(parsed);
                    continue;
                }
                Some(Err(finding)) => Some(*finding),
                None => None,
            };
            let is_gone = broken.is_none() && !findings.iter().any(|finding| finding.file == path);
            findings.extend(broken);
            if !is_gone {
                good.extend(
                    self.good
                        .iter()
                        .find(|former| former.path() == path)
                        .cloned(),
                );
            }
        }
        self.good = good;
        let trust = self.trust.as_deref();
        resolve_parsed(&self.good, findings, &self.registry, trust)
    }
}

/// The content of the file at `path`; none where there is no file.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    // Opening a pipe would wait for somebody to write to it.
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => return Err(io::Error::other("it is not a regular file")),
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(error),
    }
    let file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::other("it is larger than 1 MiB"));
    }
    Ok(Some(bytes))
}

fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}
