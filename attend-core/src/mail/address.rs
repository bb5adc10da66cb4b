//! Addresses: whom a message is for, and how they are read from what somebody typed.

use std::fmt;
use std::path::PathBuf;

use super::name::{Name, RoomName};

/// One addressee as it was written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Address {
    /// A seat, a persona, a person, or the folder of a project.
    Name(Name),
    /// A room.
    Room(RoomName),
    /// The sessions of one work tree, named by its path.
    Place(Place),
}

impl Address {
    /// The address `@name` or `#room`; none where it is neither.
    ///
    /// ```
    /// use attend_core::mail::Address;
    ///
    /// assert_eq!(Address::parse("#all").unwrap().to_string(), "#open");
    /// assert_eq!(Address::parse("Cleo"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(name) = text.strip_prefix('@') {
            return Name::parse(name).map(Self::Name);
        }
        RoomName::parse(text.strip_prefix('#')?).map(Self::Room)
    }
}

impl From<Name> for Address {
    fn from(name: Name) -> Self {
        Self::Name(name)
    }
}

impl From<RoomName> for Address {
    fn from(room: RoomName) -> Self {
        Self::Room(room)
    }
}

impl From<Place> for Address {
    fn from(place: Place) -> Self {
        Self::Place(place)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => name.fmt(f),
            Self::Room(room) => room.fmt(f),
            Self::Place(place) => place.root.display().fmt(f),
        }
    }
}

/// A work tree, and the project that it belongs to.
///
/// Two work trees of one repository are two places in one project.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub struct Place {
    /// What makes it one project: the repository's common directory, else the directory itself;
    /// canonical, with every symbolic link resolved.
    pub project: PathBuf,
    /// The top of the work tree, canonical.
    pub root: PathBuf,
    /// The host's configuration root, where a host tracks the project.
    pub host_root: Option<PathBuf>,
}

impl Place {
    /// The work tree at `root` of the project that `project` identifies.
    pub fn new(project: impl Into<PathBuf>, root: impl Into<PathBuf>) -> Self {
        Self {
            project: project.into(),
            root: root.into(),
            host_root: None,
        }
    }

    /// The same place, tracked by a host whose configuration lies at `root`.
    #[must_use]
    pub fn tracked_at(mut self, root: impl Into<PathBuf>) -> Self {
        self.host_root = Some(root.into());
        self
    }

    /// The name of the project's folder: of the directory that holds the repository, or of the
    /// directory itself. Empty for the root of the file system.
    pub fn folder(&self) -> String {
        let is_git = self.project.file_name().is_some_and(|name| name == ".git");
        let folder = match self.project.parent() {
            Some(parent) if is_git => parent.file_name(),
            _ => self.project.file_name(),
        };
        folder
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default()
    }
}

/// Reads the leading run of `@name` and `#room` tokens as the address, and the rest as the body.
///
/// `--` ends the address, and so does a token of another form: an issue number such as `#12`, or
/// `@this,that`. One `,` or `:` at the end of a token is dropped. The body is kept as it stands.
///
/// ```
/// use attend_core::mail::addressed;
///
/// let (to, body) = addressed("@Cleo, #deploy: ship it");
/// let to: Vec<String> = to.iter().map(ToString::to_string).collect();
/// assert_eq!((to, body), (vec!["@Cleo".to_owned(), "#deploy".to_owned()], "ship it"));
///
/// assert_eq!(addressed("#12 is fixed"), (vec![], "#12 is fixed"));
/// assert_eq!(addressed("-- @dataclass is broken"), (vec![], "@dataclass is broken"));
/// ```
pub fn addressed(text: &str) -> (Vec<Address>, &str) {
    let mut to = Vec::new();
    let mut rest = text.trim_start();
    loop {
        let (token, after) = match rest.split_once(char::is_whitespace) {
            Some((token, after)) => (token, after),
            None => (rest, ""),
        };
        if token == "--" {
            return (to, after.trim_start());
        }
        let token = token.strip_suffix([',', ':']).unwrap_or(token);
        let Some(address) = Address::parse(token) else {
            return (to, rest);
        };
        if !to.contains(&address) {
            to.push(address);
        }
        rest = after.trim_start();
    }
}
