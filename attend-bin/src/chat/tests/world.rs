//! A mailbox in memory with a person and two agents.

use std::sync::Arc;

use attend_core::mail::{
    Address, Answer, Clock as _, Draft, Entry, Ledger, Mailbox, MailboxExt as _, MemoryMailbox,
    MessageId, Name, Place, Query, Receipt, RoomName, Seated, Sender, SenderKind, Sitter,
    State as Reached, Submission, addressed,
};
use attend_core::testkit::FakeAround;
use futures::executor::block_on;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::chat::action::{Action, Kept};
use crate::chat::rehearsal::Rehearsal;

pub(super) struct World {
    pub(super) around: FakeAround,
    pub(super) mailbox: Arc<dyn Mailbox>,
    pub(super) sam: Seated,
    pub(super) cleo: Seated,
    pub(super) tam: Seated,
}

impl World {
    pub(super) fn new() -> Self {
        let around = FakeAround::new();
        let mailbox: Arc<dyn Mailbox> = Arc::new(MemoryMailbox::new(Arc::new(around.clone())));
        let agent = |n: u32, project: &str| {
            let process = around.process(n);
            let place = Place::new(
                format!("/projects/{project}"),
                format!("/projects/{project}"),
            );
            let sitter = Sitter::Session {
                session: format!("session-{n}"),
                process,
                place,
            };
            block_on(mailbox.sit(sitter)).unwrap()
        };
        let cleo = agent(11, "api");
        let tam = agent(12, "web");
        let sam = Sitter::Person(Name::parse("sam").unwrap());
        let sam = block_on(mailbox.sit(sam)).unwrap();
        let deploy = RoomName::parse("deploy").unwrap();
        block_on(mailbox.join(cleo.seat, deploy)).unwrap();
        Self {
            around,
            mailbox,
            sam,
            cleo,
            tam,
        }
    }

    /// A chat of sam's on a screen of this size.
    pub(super) fn chat(&self, size: (u16, u16)) -> Rehearsal {
        self.chat_with(Kept::default(), size)
    }

    pub(super) fn chat_with(&self, kept: Kept, size: (u16, u16)) -> Rehearsal {
        let process = self.around.process(20);
        let mailbox = self.mailbox.clone();
        Rehearsal::open_with(
            kept,
            (mailbox, self.sam.clone(), process),
            size,
            self.around.wall(),
        )
    }

    /// `from` sends `body` to `to`.
    pub(super) fn say(&self, from: &Seated, to: &str, body: &str) -> Receipt {
        let (to, _) = addressed(to);
        self.send(from, to, body)
    }

    pub(super) fn send(&self, from: &Seated, to: Vec<Address>, body: &str) -> Receipt {
        let mut draft = Draft::new(body);
        draft.to = to;
        let sender = Sender::Seat {
            seat: from.seat,
            session: from.persona.is_some().then(|| "a session".to_owned()),
        };
        block_on(self.mailbox.send(&Submission::new(sender, draft))).unwrap()
    }

    /// `from` answers a message, in the open.
    pub(super) fn answer(&self, from: &Seated, re: &MessageId, body: &str) -> Receipt {
        let draft = Draft::new(body).re(re.clone());
        let sender = Sender::Seat {
            seat: from.seat,
            session: Some("a session".to_owned()),
        };
        block_on(self.mailbox.send(&Submission::new(sender, draft))).unwrap()
    }

    fn ledger(&self) -> Vec<Entry> {
        let query = Query::Ledger(Ledger::new(self.sam.seat, 100_000));
        match block_on(self.mailbox.read(&query)).unwrap() {
            Answer::Ledger(page) => page.entries,
            other => panic!("{other:?}"),
        }
    }

    /// The message that says `body`, in whatever room.
    pub(super) fn entry(&self, body: &str) -> Entry {
        let deploy = RoomName::parse("deploy").unwrap();
        let mut query = Ledger::new(self.sam.seat, 100);
        query.room = Some(deploy);
        match block_on(self.mailbox.read(&Query::Ledger(query))).unwrap() {
            Answer::Ledger(page) => page.entries.into_iter().find(|entry| entry.body == body),
            other => panic!("{other:?}"),
        }
        .unwrap()
    }

    /// What sam said: to whom, and what.
    pub(super) fn said(&self) -> Vec<(String, String)> {
        let own = self.ledger().into_iter();
        let own = own.filter(|entry| entry.kind == SenderKind::Person);
        own.map(|entry| (entry.to.join(" "), entry.body)).collect()
    }

    /// How far everything got with sam.
    pub(super) fn states(&self) -> Vec<Option<Reached>> {
        self.ledger().into_iter().map(|entry| entry.state).collect()
    }

    /// The last message, and how far it got.
    pub(super) fn last(&self) -> (Entry, Option<Reached>) {
        let entry = self.ledger().pop().unwrap();
        let state = entry.state;
        (entry, state)
    }

    pub(super) fn enter() -> Action {
        Action::Key(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE))
    }
}

/// The numbers in `line 7.`, in the order of the screen.
pub(super) fn names(screen: &str) -> Vec<usize> {
    let lines = screen.split("line ").skip(1);
    let numbers = lines.filter_map(|rest| rest.split_once('.')?.0.parse().ok());
    numbers.collect()
}
