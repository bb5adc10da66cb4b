//! A look that found nothing saves the next one, and never hides anything.

use std::time::SystemTime;

use super::*;
use crate::mail::{Clock, Process, Wanted};
use crate::testkit::FakeAround;

/// A session that looks now and then, each time as a process of its own.
struct Desk {
    home: TempDir,
    around: FakeAround,
    sitter: Sitter,
}

impl Desk {
    /// On a machine whose time of day is a day later than what is written says.
    fn new() -> Self {
        let around = FakeAround::new();
        around.clock().set_wall(later(24 * 60 * 60));
        let desk = Self {
            home: tempfile::tempdir().unwrap(),
            sitter: Sitter::Session {
                session: "session".to_owned(),
                process: around.process(7),
                place: Place::new("/projects/1", "/projects/1"),
            },
            around,
        };
        block_on(desk.open().sit(desk.sitter.clone())).unwrap();
        desk
    }

    fn dir(&self) -> PathBuf {
        self.home.path().join("data")
    }

    fn open(&self) -> SqliteMailbox {
        SqliteMailbox::open(&self.dir(), Arc::new(self.around.clone())).unwrap()
    }

    fn is_still(&self) -> bool {
        SqliteMailbox::is_still(&self.dir(), &self.sitter, &self.around)
    }

    /// Looks, unless nothing can have come; gives how many letters were found.
    fn look(&self) -> usize {
        if self.is_still() {
            return 0;
        }
        let mailbox = SqliteMailbox::existing_here(&self.dir(), Arc::new(self.around.clone()));
        let mailbox = mailbox.unwrap().unwrap();
        let seated = block_on(mailbox.sit(self.sitter.clone())).unwrap();
        let reader = seated.reader("session", self.around.process(9));
        let news = block_on(mailbox.news(&reader, 8)).unwrap();
        let found = match &news.waiting {
            Waiting::Few(letters) => letters.len(),
            Waiting::Many { directed, .. } => directed.len(),
        };
        mailbox
            .note_still(&self.sitter, seated.seat, &news)
            .unwrap();
        found
    }

    /// Looks, which finds nothing; after that it is still.
    #[track_caller]
    fn rests(&self) {
        assert_eq!(self.look(), 0);
        assert!(self.is_still());
    }
}

fn later(seconds: u64) -> SystemTime {
    let now = crate::runtime::system::SystemClock.wall();
    now + Duration::from_secs(seconds)
}

#[test]
fn nothing_is_opened_until_something_is_written() {
    let desk = Desk::new();
    assert!(!desk.is_still(), "nobody has looked");
    desk.rests();
    // Somebody who only reads changes nothing.
    let mailbox = desk.open();
    let sam = sam(&mailbox).seat;
    desk.rests();
    let name = block_on(mailbox.sit(desk.sitter.clone())).unwrap().name;
    send(&mailbox, sam, &format!("@{name}"), "hello");
    assert!(!desk.is_still());
    assert_eq!(desk.look(), 1);
    assert_eq!(desk.look(), 1, "what waits is found again");
}

#[test]
fn it_holds_for_one_session_in_one_place_alone() {
    let desk = Desk::new();
    desk.rests();
    let Sitter::Session {
        session,
        process,
        place,
    } = desk.sitter.clone()
    else {
        unreachable!()
    };
    let is_still = |session: &str, process: &Process, place: &Place| {
        let sitter = Sitter::Session {
            session: session.to_owned(),
            process: process.clone(),
            place: place.clone(),
        };
        SqliteMailbox::is_still(&desk.dir(), &sitter, &desk.around)
    };
    assert!(is_still(&session, &process, &place));
    assert!(!is_still("another", &process, &place));
    assert!(!is_still(&session, &desk.around.stranger(7), &place));
    assert!(!is_still(&session, &desk.around.process(8), &place));
    let moved = Place::new("/projects/1", "/projects/2");
    assert!(!is_still(&session, &process, &moved));
    let note = desk.dir().join("run/7.still");
    let text = std::fs::read(&note).unwrap();
    std::fs::write(&note, &text[..text.len() / 2]).unwrap();
    assert!(!desk.is_still(), "half of a note is none");
}

#[test]
fn what_was_just_written_may_be_written_again_within_one_step_of_the_clock() {
    let desk = Desk::new();
    desk.around.clock().set_wall(later(0));
    assert_eq!(desk.look(), 0);
    assert!(!desk.is_still());
    desk.around.clock().set_wall(later(60));
    desk.rests();
}

#[test]
fn what_time_alone_may_bring_is_looked_for() {
    let desk = Desk::new();
    let mailbox = desk.open();
    let seated = block_on(mailbox.sit(desk.sitter.clone())).unwrap();
    let remind = Change::Remind {
        seat: seated.seat,
        due: desk.around.wall() + Duration::from_mins(1),
        text: "now".to_owned(),
    };
    let Changed::Reminding(reminder) = block_on(mailbox.change(&remind)).unwrap() else {
        unreachable!()
    };
    assert_eq!(desk.look(), 0);
    assert!(!desk.is_still(), "a reminder is set");
    let cancel = Change::Cancel {
        seat: seated.seat,
        id: reminder.clone(),
    };
    block_on(mailbox.change(&cancel)).unwrap();
    desk.rests();
    // Another reader has claimed what waits, and may end without a word.
    send(
        &mailbox,
        sam(&mailbox).seat,
        &format!("@{}", seated.name),
        "hello",
    );
    let other = seated.reader("session", desk.around.process(11));
    let waiting = letters(&mailbox, &other);
    let wanted = Wanted::Print(waiting.iter().map(|letter| letter.seq).collect());
    block_on(mailbox.claim(&ClaimRequest::new(other, wanted))).unwrap();
    assert_eq!(desk.look(), 0, "it is claimed");
    assert!(!desk.is_still());
    desk.around.end(&desk.around.process(11));
    assert_eq!(desk.look(), 1);
}
