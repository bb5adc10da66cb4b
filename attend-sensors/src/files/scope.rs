//! Which files a configuration means, and by what names they are known.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use attend_core::sensor::{ConfigError, Magnitude, Root, Roots};

use super::config::FilesConfig;
use super::pattern::{NameGlob, Place, Start, Track};
use crate::name::{self, Name};

/// What is looked at.
#[derive(Debug)]
pub(super) struct Scope {
    rules: Vec<Tracked>,
    skip: Vec<NameGlob>,
    work: PathBuf,
    home: Option<PathBuf>,
}

/// One rule, ready to be followed.
#[derive(Debug)]
struct Tracked {
    text: String,
    magnitude: Magnitude,
    base: Base,
    track: Track,
}

/// The directory from which tracks lead on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Base {
    /// The project's, out of which nothing leads.
    Project,
    /// `/`.
    Top,
}

/// Where the rules stand at some path: of each that leads there, its number and its places.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Places(Vec<(usize, Vec<Place>)>);

/// A path that rules lead to.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) name: Name,
    pub(super) places: Places,
}

impl Scope {
    /// What `config` means with these `roots`.
    ///
    /// # Errors
    ///
    /// A path begins in a home, and there is none.
    pub(super) fn new(config: FilesConfig, roots: &Roots) -> Result<Self, ConfigError> {
        let home = roots.get(Root::Home);
        let mut rules = Vec::new();
        for (at, rule) in config.paths.into_iter().enumerate() {
            let Some(track) = rule.path.track(home) else {
                let why = format!("`{}`: no home is known here", rule.path);
                return Err(ConfigError::at(format!("paths.{at}"), why));
            };
            let base = match rule.path.start() {
                Start::Project => Base::Project,
                Start::Home | Start::Top => Base::Top,
            };
            rules.push(Tracked {
                text: rule.path.into(),
                magnitude: rule.magnitude,
                base,
                track,
            });
        }
        Ok(Self {
            rules,
            skip: config.skip,
            work: roots.work().to_owned(),
            home: home.map(Path::to_owned),
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// What is looked at, as it was written.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        let skip = self.skip.iter().map(NameGlob::as_str);
        self.rules
            .iter()
            .map(|rule| rule.text.as_str())
            .chain(["\0"])
            .chain(skip)
    }

    /// The text of a rule, and how much its changes matter.
    pub(super) fn rule(&self, rule: usize) -> Option<(&str, Magnitude)> {
        let rule = self.rules.get(rule)?;
        Some((&rule.text, rule.magnitude))
    }

    pub(super) fn work(&self) -> &Path {
        &self.work
    }

    /// Where the rules begin that lead on from `base`.
    pub(super) fn begin(&self, base: Base) -> Places {
        let rules = self.rules.iter().enumerate();
        let own = rules.filter(|(_, rule)| rule.base == base);
        Places(own.map(|(at, _)| (at, vec![Track::begin()])).collect())
    }

    /// The directory of `base`.
    pub(super) fn directory(&self, base: Base) -> &Path {
        match base {
            Base::Project => &self.work,
            Base::Top => Path::new("/"),
        }
    }

    /// Where the entry `name` of a directory leads, at which the rules stand at `places`.
    pub(super) fn next(&self, places: &Places, name: &OsStr) -> Places {
        let skipped = self.skip.iter().any(|glob| glob.matches(name));
        let next = places.0.iter().filter_map(|(at, places)| {
            let next = self.rules.get(*at)?.track.next(places, name, skipped);
            (!next.is_empty()).then_some((*at, next))
        });
        Places(next.collect())
    }

    /// The first rule by which a file at `places` is meant.
    pub(super) fn accepts(&self, places: &Places) -> Option<usize> {
        let mut places = places.0.iter();
        let accepting = places.find(|(at, places)| {
            let rule = self.rules.get(*at);
            rule.is_some_and(|rule| places.iter().any(|place| rule.track.accepts(*place)))
        });
        accepting.map(|(at, _)| *at)
    }

    /// From where the rules lead on, below a directory at `places`; through a link only those
    /// that say its name.
    pub(super) fn below(&self, places: &Places, linked: bool) -> Places {
        let below = places.0.iter().filter_map(|(at, places)| {
            let track = &self.rules.get(*at)?.track;
            let places = places.iter().copied();
            let below: Vec<Place> = places
                .filter(|place| track.goes_on(*place) && (place.named || !linked))
                .collect();
            (!below.is_empty()).then_some((*at, below))
        });
        Places(below.collect())
    }

    /// The only names that lead on from `places`; none where any may.
    pub(super) fn names(&self, places: &Places) -> Option<BTreeSet<OsString>> {
        let mut names = BTreeSet::new();
        for (at, places) in &places.0 {
            let more = self.rules.get(*at)?.track.names(places)?;
            names.extend(more.into_iter().map(OsStr::to_owned));
        }
        Some(names)
    }

    /// What the rules say of `path`, from each base from which some lead there.
    pub(super) fn find(&self, path: &Path) -> Vec<Found> {
        let found = [Base::Project, Base::Top].into_iter().filter_map(|base| {
            let below = path.strip_prefix(self.directory(base)).ok()?;
            let mut places = self.begin(base);
            for name in below {
                places = self.below(&places, false);
                places = self.next(&places, name);
            }
            let name = self.name(base, path)?;
            (!places.is_empty()).then_some(Found { name, places })
        });
        found.collect()
    }

    /// The name by which `path` is known.
    pub(super) fn name(&self, base: Base, path: &Path) -> Option<Name> {
        let path = match base {
            Base::Project => path.strip_prefix(&self.work).ok()?,
            Base::Top => path,
        };
        Some(Name::new(path.as_os_str().as_bytes()))
    }

    /// The path that is known as `name`.
    pub(super) fn path(&self, name: &Name) -> PathBuf {
        self.work.join(name::path(name.as_bytes()))
    }

    /// From where `path` is known.
    pub(super) fn base_of(&self, path: &Path) -> Base {
        if path.starts_with(&self.work) {
            Base::Project
        } else {
            Base::Top
        }
    }

    /// From where what is called `name` is known.
    pub(super) fn base(name: &Name) -> Base {
        if name.as_bytes().starts_with(b"/") {
            Base::Top
        } else {
            Base::Project
        }
    }

    /// `name` for people.
    pub(super) fn shown(&self, name: &Name) -> String {
        let path = name::path(name.as_bytes());
        let home = self.home.as_ref().filter(|home| home.parent().is_some());
        match home.and_then(|home| path.strip_prefix(home).ok()) {
            Some(below) => Name::new(Path::new("~").join(below).as_os_str().as_bytes()).shown(),
            None => name.shown(),
        }
    }
}

impl Places {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_in_a_home_needs_one() {
        let scope = |roots: &Roots| {
            let config = FilesConfig::default().path("a", 1.0).unwrap();
            Scope::new(config.path("~/b", 1.0).unwrap(), roots)
        };
        let roots = Roots::new("/w");
        let refused = scope(&roots).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "`paths.1`: `~/b`: no home is known here"
        );
        let scope = scope(&roots.with(Root::Home, "/h")).unwrap();
        let name = |path: &str| {
            let found = scope.find(Path::new(path)).into_iter();
            let meant = found.filter(|found| scope.accepts(&found.places).is_some());
            let names: Vec<String> = meant.map(|found| scope.shown(&found.name)).collect();
            names
        };
        assert_eq!(name("/w/a"), ["a"]);
        assert_eq!(name("/h/b"), ["~/b"]);
        assert_eq!(name("/h/b/c"), ["~/b/c"]);
        assert!(name("/w/b").is_empty() && name("/h").is_empty() && name("/a").is_empty());
    }
}
