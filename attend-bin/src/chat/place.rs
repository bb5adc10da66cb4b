//! Places of a conversation: everything, a room, or a talk with somebody; and what belongs there.

use attend_core::mail::{Address, Entry, Name, RoomName, fold};

/// What one looks at.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Place {
    /// Everything that is said to one, in one's rooms, and by oneself.
    All,
    /// What is said in a room.
    Room(RoomName),
    /// What is said between oneself and somebody.
    Talk(Peer),
}

/// Somebody to talk with.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Peer {
    /// The name of the seat, or of the person.
    pub(crate) name: String,
    /// The name of the project; none for a person.
    pub(crate) persona: Option<String>,
}

/// A place, or what of it has some words.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct View {
    pub(crate) place: Place,
    /// Words that are looked for.
    pub(crate) words: Option<String>,
}

impl Place {
    /// The room of everybody.
    pub(crate) fn open() -> Self {
        Self::Room(RoomName::open())
    }

    /// The place that `text` names, as [`title`](Self::title) gave it.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::All);
        }
        match Address::parse(text)? {
            Address::Room(room) => Some(Self::Room(room)),
            Address::Name(name) => Some(Self::Talk(Peer {
                name: name.as_str().to_owned(),
                persona: None,
            })),
            _ => None,
        }
    }

    /// What it is called: `#deploy`, `@Cleo-alpha`; nothing for everything.
    pub(crate) fn title(&self) -> String {
        match self {
            Self::All => String::new(),
            Self::Room(room) => room.to_string(),
            Self::Talk(peer) => format!("@{}", peer.name),
        }
    }

    /// Whom words go to that name nobody.
    pub(crate) fn address(&self) -> Address {
        match self {
            Self::All => RoomName::open().into(),
            Self::Room(room) => room.clone().into(),
            Self::Talk(peer) => match Name::parse(&peer.name) {
                Some(name) => name.into(),
                None => RoomName::open().into(),
            },
        }
    }
}

impl Peer {
    /// Whether this is said between `me` and them.
    pub(crate) fn has(&self, me: &str, entry: &Entry) -> bool {
        let own = [me];
        let theirs: Vec<&str> = [Some(self.name.as_str()), self.persona.as_deref()]
            .into_iter()
            .flatten()
            .collect();
        if is_called(&entry.from, &own) {
            return is_to(entry, &theirs);
        }
        is_called(&entry.from, &theirs) && is_to(entry, &own)
    }
}

fn is_called(name: &str, names: &[&str]) -> bool {
    let name = fold(name);
    names.iter().any(|other| fold(other) == name)
}

fn is_to(entry: &Entry, names: &[&str]) -> bool {
    let mut to = entry.to.iter().filter_map(|to| to.strip_prefix('@'));
    to.any(|to| is_called(to, names))
}

impl View {
    /// All of a place.
    pub(crate) fn of(place: Place) -> Self {
        Self { place, words: None }
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use attend_core::mail::{MessageId, SenderKind, Seq};

    use super::*;

    fn entry(from: &str, to: &[&str]) -> Entry {
        let to = to.iter().map(ToString::to_string).collect();
        let (seq, at) = (Seq::new(1), SystemTime::UNIX_EPOCH);
        let id = MessageId::new("7F3K2A");
        Entry::new(seq, id, at, from, SenderKind::Agent, to, None, "hi")
    }

    #[test]
    fn a_talk_has_what_two_say_to_each_other() {
        let peer = Peer {
            name: "Cleo-alpha".to_owned(),
            persona: Some("Cleo".to_owned()),
        };
        for (from, to, is_there) in [
            ("sam", &["@Cleo"][..], true),
            ("sam", &["@cleo-ALPHA", "#open"], true),
            ("Cleo-alpha", &["@sam"], true),
            ("Cleo-alpha", &["#open"], false),
            ("Tam-alpha", &["@sam"], false),
            ("sam", &["@Tam"], false),
        ] {
            assert_eq!(peer.has("sam", &entry(from, to)), is_there, "{from} {to:?}");
        }
    }

    #[test]
    fn a_place_is_found_by_its_title() {
        for place in [Place::All, Place::open()] {
            assert_eq!(Place::parse(&place.title()), Some(place));
        }
        let talk = Place::parse("@Cleo-alpha").unwrap();
        assert_eq!(talk.address().to_string(), "@Cleo-alpha");
        assert_eq!(Place::All.address().to_string(), "#open");
    }
}
