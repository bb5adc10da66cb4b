//! Trust: what a person allowed projects to have run on this machine.

use std::path::{Path, PathBuf};

use attend_core::runtime::config::{Asked, Trust};
use attend_core::runtime::{StateDir, StateError, StatePlace};
use attend_core::sensor::{Roots, SensorSpec, Value};
use attend_sensors::exact_path;
use attend_sensors::script::{Pin, ScriptConfig};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::env::Env;
use crate::session;

/// Where it is written down, below the directory for state.
const DIRECTORY: &str = "trust";
const NAME: &str = "allowed.json";

/// A file larger than this is not one of attend's, in bytes.
const MOST_BYTES: u64 = 4 << 20;

/// How many are kept: the oldest go.
const MOST: usize = 1_000;

/// The key that switches a sensor off.
const ENABLED: &str = "enabled";

const HOW: &str = "a person can allow it, at a terminal: attend config trust";

/// Everything that was allowed.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Book {
    allowed: Vec<Allowed>,
}

/// One sensor of one project, as it was allowed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Allowed {
    #[serde(with = "exact_path")]
    project: PathBuf,
    sensor: String,
    fingerprint: String,
}

/// How what is asked for stands to what was allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Permission {
    /// It is allowed as it is.
    Allowed,
    /// Something else was allowed under its name.
    Changed,
    /// Nobody allowed it.
    New,
}

/// The file in which it is written down, where there is a place for it.
pub(crate) fn file(env: &Env) -> Option<PathBuf> {
    env.state()
        .map(|state| state.join(DIRECTORY).path().join(NAME))
}

/// The directory of that.
pub(crate) fn place(env: &Env) -> Option<StatePlace> {
    env.state().map(|state| state.join(DIRECTORY))
}

/// What a project asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Wanted {
    pub(crate) sensor: String,
    pub(crate) config: ScriptConfig,
    /// What it would run.
    pub(crate) pin: Pin,
    /// What is said of it that every sensor understands.
    pub(crate) common: Map<String, Json>,
}

impl Wanted {
    /// What `asked` is.
    ///
    /// # Errors
    ///
    /// Nobody can allow it, and why.
    pub(crate) fn of(asked: &Asked, roots: &Roots) -> Result<Self, String> {
        if asked.kind != ScriptConfig::KIND {
            return Err("it runs commands: only the user's own file may say this".to_owned());
        }
        let config = serde_json::to_value(&asked.config);
        let config = config.and_then(|config| ScriptConfig::deserialize(&config));
        let config = config.map_err(|error| error.to_string())?;
        let pin = Pin::of(&asked.name, &config, roots);
        let common = serde_json::to_value(&asked.common).ok();
        Ok(Self {
            sensor: asked.name.to_string(),
            pin: pin.map_err(|why| format!("it is not run: {why}"))?,
            common: match common {
                Some(Json::Object(common)) => common,
                _ => Map::new(),
            },
            config,
        })
    }

    /// Stands for all of it.
    pub(crate) fn fingerprint(&self) -> String {
        self.fingerprint_of(&self.common)
    }

    fn fingerprint_of(&self, common: &Map<String, Json>) -> String {
        // A mapping with texts for keys can always be written.
        let common = serde_json::to_vec(common).unwrap_or_default();
        self.pin.fingerprint_with(&common)
    }

    /// The same but switched on, where it is switched off: what may run may also rest.
    fn switched_on(&self) -> Option<String> {
        let mut common = self.common.clone();
        let is_off = common.remove(ENABLED) == Some(Json::Bool(false));
        is_off.then(|| self.fingerprint_of(&common))
    }
}

impl Book {
    /// What is written down in `dir`.
    pub(crate) fn read(dir: &StateDir) -> Result<Self, String> {
        let kept = dir.kept(NAME, MOST_BYTES).map_err(|e| e.to_string())?;
        let Some(bytes) = kept else {
            return Ok(Self::default());
        };
        serde_json::from_slice(&bytes).map_err(|error| {
            let path = dir.path().join(NAME);
            format!("{} is damaged ({error}); remove it", path.display())
        })
    }

    /// Writes it down in `dir`.
    pub(crate) fn write(&self, dir: &StateDir) -> Result<(), StateError> {
        // Texts and lists of bytes can always be written.
        let bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        dir.keep(NAME, &bytes)
    }

    /// How what the project at `root` wants stands.
    pub(crate) fn permission(&self, root: &Path, wanted: &Wanted) -> Permission {
        let Some(allowed) = self.of(root, &wanted.sensor) else {
            return Permission::New;
        };
        let is_it = |fingerprint: &String| *fingerprint == allowed.fingerprint;
        if is_it(&wanted.fingerprint()) || wanted.switched_on().as_ref().is_some_and(is_it) {
            Permission::Allowed
        } else {
            Permission::Changed
        }
    }

    /// What was allowed under the name `sensor` of the project at `root`.
    fn of(&self, root: &Path, sensor: &str) -> Option<&Allowed> {
        let mut all = self.allowed.iter();
        all.find(|allowed| allowed.project == root && allowed.sensor == sensor)
    }

    /// Allows it, in place of what was allowed under its name.
    pub(crate) fn allow(&mut self, root: &Path, sensor: &str, fingerprint: &str) {
        let is_it = |allowed: &Allowed| allowed.project == root && allowed.sensor == sensor;
        self.allowed.retain(|allowed| !is_it(allowed));
        self.allowed.push(Allowed {
            project: root.to_owned(),
            sensor: sensor.to_owned(),
            fingerprint: fingerprint.to_owned(),
        });
        let over = self.allowed.len().saturating_sub(MOST);
        self.allowed.drain(..over);
    }

    /// Allows nothing of the project at `root` any more. Returns the names of what was allowed.
    pub(crate) fn withdraw(&mut self, root: &Path) -> Vec<String> {
        let all = std::mem::take(&mut self.allowed);
        let (gone, kept) = all
            .into_iter()
            .partition::<Vec<_>, _>(|allowed| allowed.project == root);
        self.allowed = kept;
        gone.into_iter().map(|allowed| allowed.sensor).collect()
    }
}

/// What is allowed of one project, read again when that is asked for.
#[derive(Debug)]
pub(crate) struct Trusted {
    place: Option<StatePlace>,
    roots: Roots,
    book: Result<Book, String>,
}

impl Trusted {
    /// What is allowed of the project at `root`.
    pub(crate) fn new(root: &Path, env: &Env) -> Self {
        Self {
            place: place(env),
            roots: session::roots(root, env),
            book: Ok(Book::default()),
        }
    }

    fn read(&self) -> Result<Book, String> {
        let dir = self.place.clone().map(StateDir::existing).transpose();
        match dir.map_err(|error| error.to_string())?.flatten() {
            Some(dir) => Book::read(&dir),
            None => Ok(Book::default()),
        }
    }
}

impl Trust for Trusted {
    fn renew(&mut self) -> bool {
        let now = self.read();
        let before = std::mem::replace(&mut self.book, now);
        before != self.book
    }

    fn judge(&self, asked: &Asked) -> Result<Value, String> {
        let wanted = Wanted::of(asked, &self.roots)?;
        let book = self.book.as_ref().map_err(|why| {
            format!("it is not run: what was allowed on this machine cannot be read: {why}")
        })?;
        let root = self.roots.work();
        match book.permission(root, &wanted) {
            Permission::Allowed => {
                let pinned = wanted.config.pinned(wanted.pin.fingerprint);
                Value::of(&pinned).map_err(|error| error.to_string())
            }
            Permission::Changed => Err(format!(
                "it is not run: it is no longer what was allowed; {HOW}"
            )),
            Permission::New => Err(format!(
                "it is not run: this file comes with the project, and nobody allowed it on this machine; {HOW}"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[test]
    fn a_project_whose_path_is_no_text_takes_nothing_from_the_others() {
        let home = tempfile::tempdir().unwrap();
        let dir = StateDir::open(home.path().join("state")).unwrap();
        let odd = Path::new(OsStr::from_bytes(b"/srv/caf\xe9"));
        let mut book = Book::default();
        book.allow(Path::new("/srv/web"), "a", "one");
        book.allow(odd, "a", "two");
        book.write(&dir).unwrap();
        let kept = Book::read(&dir).unwrap();
        assert_eq!(kept, book);
        let of = |path| {
            kept.of(path, "a")
                .map(|allowed| allowed.fingerprint.as_str())
        };
        assert_eq!(of(Path::new("/srv/web")), Some("one"));
        assert_eq!(of(odd), Some("two"));
        assert_eq!(of(Path::new(OsStr::from_bytes(b"/srv/caf\xe8"))), None);
    }
}
