//! The state of the chat: everything that the screen shows, and nothing that does anything.

use std::collections::{HashMap, HashSet};
use std::time::SystemTime;

use attend_core::mail::{Address, Entry, MessageId, Seq, Whole, fold};
use jiff::tz::TimeZone;

use super::action::{Fate, Kept, KeptAnswer, Overview};
use super::composer::Composer;
use super::list::{self, Item};
use super::place::{Place, View};
use super::stream::Stream;
use super::theme::{Colours, Theme};

/// Everything there is.
#[derive(Debug)]
pub(crate) struct State {
    /// By which name one is called.
    pub(crate) me: String,
    pub(crate) now: SystemTime,
    pub(crate) zone: TimeZone,
    pub(crate) theme: Theme,
    /// Width and height of the terminal.
    pub(crate) size: (u16, u16),
    pub(crate) view: View,
    pub(crate) stream: Stream,
    pub(crate) overview: Overview,
    pub(crate) composer: Composer,
    /// Which of the names offered is chosen.
    pub(crate) choice: usize,
    /// What is answered.
    pub(crate) answer: Option<Answered>,
    pub(crate) part: Part,
    /// What lies over everything.
    pub(crate) over: Option<Over>,
    /// The words to search for, while they are being written.
    pub(crate) asking: Option<Composer>,
    /// Which line of the list is chosen.
    pub(crate) chosen: usize,
    pub(crate) shows_list: bool,
    pub(crate) notice: Option<Notice>,
    /// How far own messages got, as far as is known.
    pub(crate) fates: HashMap<MessageId, Fate>,
    /// Whose fates are as they were last seen to be.
    pub(crate) known_fates: HashSet<MessageId>,
    /// Whose fates were asked for and have not come.
    pub(crate) asked_fates: HashSet<MessageId>,
    /// What is being settled.
    pub(crate) marking: HashSet<Seq>,
    /// What could not be settled: that is tried again once something stirs, not at each frame.
    pub(crate) unmarked: HashSet<Seq>,
    /// What is on its way, and what that answers.
    pub(crate) sending: Option<(String, Option<Answered>)>,
    /// The key under which a text may have been sent already.
    pub(crate) keyed: Option<(String, String)>,
    /// What makes the keys of this window its own, and how many there were.
    pub(crate) seed: (u64, u64),
    /// What was kept last.
    pub(crate) kept: Kept,
    /// Whether a look at the places is under way.
    pub(crate) looking: Looking,
    /// The same for the newest page.
    pub(crate) newest: Looking,
}

/// Where the keys go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Composer,
    Stream,
    List,
}

/// Whether a question is under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Looking {
    No,
    Yes,
    /// Something has come since: it is asked again.
    Again,
}

/// What lies over everything.
#[derive(Debug)]
pub(crate) enum Over {
    /// The keys, from this line on.
    Help(usize),
    /// One message, from this line on.
    Whole(Box<Whole>, usize),
}

/// The message that is answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Answered {
    /// The message that began the thread.
    pub(crate) re: MessageId,
    /// Whom the answer goes to.
    pub(crate) to: Vec<Address>,
    /// Who wrote it, and what.
    pub(crate) from: String,
    pub(crate) text: String,
}

/// Something that is said in the last line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Notice {
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

impl State {
    /// The state at the beginning, for somebody called `me`, with what was kept.
    pub(crate) fn new(me: impl Into<String>, now: SystemTime, zone: TimeZone, kept: Kept) -> Self {
        let place = kept.place.as_deref().and_then(Place::parse);
        let mut composer = Composer::default();
        composer.restore(kept.draft.clone(), kept.history.clone());
        Self {
            me: me.into(),
            now,
            zone,
            size: (80, 24),
            view: View::of(place.unwrap_or_else(Place::open)),
            stream: Stream::default(),
            overview: Overview::default(),
            composer,
            choice: 0,
            answer: kept.answer.as_ref().and_then(KeptAnswer::answered),
            part: Part::Composer,
            over: None,
            asking: None,
            chosen: 0,
            shows_list: true,
            notice: None,
            fates: HashMap::new(),
            known_fates: HashSet::new(),
            asked_fates: HashSet::new(),
            marking: HashSet::new(),
            unmarked: HashSet::new(),
            sending: None,
            keyed: kept.key.clone().map(|key| (key, kept.draft.clone())),
            seed: (0, 0),
            theme: Theme::of(Colours::Dark),
            kept,
            looking: Looking::No,
            newest: Looking::No,
        }
    }

    /// The list of places.
    pub(crate) fn places(&self) -> Vec<Item> {
        list::places(&self.overview, &self.me)
    }

    /// Where in the list one is.
    pub(crate) fn position(&self, places: &[Item]) -> usize {
        let mut places = places.iter();
        let here = |item: &Item| item.place.title() == self.view.place.title();
        places.position(here).unwrap_or(0)
    }

    /// What is being written: words to search for, else a message.
    pub(crate) fn writes(&self) -> &Composer {
        self.asking.as_ref().unwrap_or(&self.composer)
    }

    /// Whether somebody wrote this oneself.
    pub(crate) fn is_own(&self, entry: &Entry) -> bool {
        fold(&entry.from) == fold(&self.me)
    }

    /// What would be kept now.
    pub(crate) fn to_keep(&self) -> Kept {
        let (draft, answer) = match &self.sending {
            Some((text, answer)) => (text.clone(), answer.as_ref()),
            None => (self.composer.text().to_owned(), self.answer.as_ref()),
        };
        Kept {
            place: Some(self.view.place.title()),
            draft,
            answer: answer.map(KeptAnswer::of),
            key: self.keyed.clone().map(|(key, _)| key),
            history: self.composer.history().to_vec(),
        }
    }

    /// How far messages got is asked again at the next frame, where it may have changed.
    pub(crate) fn fates_again(&mut self) {
        let fates = &self.fates;
        self.known_fates
            .retain(|id| fates.get(id).is_some_and(Fate::is_final));
    }

    pub(crate) fn say(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            is_error: false,
        });
    }

    pub(crate) fn complain(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            is_error: true,
        });
    }
}
