//! A mailbox on a machine of its own, with words short enough for a check.

use std::time::Duration;

use futures::executor::block_on;

use super::words::{Sat, all_of, draft, marks, name, room, seqs};
use crate::mail::{
    Answer, Change, Changed, Claim, ClaimRequest, Clock as _, Counts, Draft, Entry, Evidence,
    Ledger, Letter, MailError, Mailbox, Muted, Page, Place, Process, Query, Quiet, Reader, Receipt,
    RoomInfo, SeatId, SeatInfo, Sender, Seq, Settled, Sitter, State, Submission, Waiting, Wanted,
    Whole,
};
use crate::testkit::around::FakeAround;

/// A rule, and what checks it.
pub(super) type Check = (&'static str, fn(&Desk<'_>));

/// How a check makes mailboxes.
pub(super) type Make<'a> = &'a dyn Fn(FakeAround) -> Box<dyn Mailbox>;

/// A mailbox, and the machine around it.
pub(super) struct Desk<'a> {
    pub(super) around: FakeAround,
    pub(super) mailbox: Box<dyn Mailbox>,
    make: Make<'a>,
}

impl<'a> Desk<'a> {
    pub(super) fn new(make: Make<'a>) -> Self {
        let around = FakeAround::new();
        let mailbox = make(around.clone());
        Self {
            around,
            mailbox,
            make,
        }
    }

    /// Another mailbox, on another machine.
    pub(super) fn another(&self) -> Self {
        Self::new(self.make)
    }

    pub(super) fn pass(&self, seconds: u64) {
        self.around.clock().advance(Duration::from_secs(seconds));
    }

    /// A process that holds no session.
    pub(super) fn process(&self, pid: u32) -> Process {
        self.around.process(pid)
    }

    #[track_caller]
    pub(super) fn sit(&self, session: &str, pid: u32, place: Place) -> Sat {
        self.sit_as(session, self.process(pid), place)
    }

    #[track_caller]
    pub(super) fn sit_as(&self, session: &str, process: Process, place: Place) -> Sat {
        let sitter = Sitter::Session {
            session: session.to_owned(),
            process: process.clone(),
            place,
        };
        self.sat(sitter, session, process)
    }

    #[track_caller]
    pub(super) fn person(&self, user: &str, pid: u32) -> Sat {
        self.sat(Sitter::Person(name(user)), user, self.process(pid))
    }

    #[track_caller]
    fn sat(&self, sitter: Sitter, session: &str, process: Process) -> Sat {
        match self.changed(&Change::Sit(sitter)) {
            Changed::Sat(seated) => Sat {
                seated,
                session: session.to_owned(),
                process,
            },
            other => panic!("sitting down gave {other:?}"),
        }
    }

    /// The session ends, with its process.
    #[track_caller]
    pub(super) fn leave_seat(&self, sat: &Sat) {
        self.changed(&Change::Stand(sat.reader()));
        self.around.end(&sat.process);
    }

    pub(super) fn change(&self, change: &Change) -> Result<Changed, MailError> {
        block_on(self.mailbox.change(change))
    }

    #[track_caller]
    pub(super) fn changed(&self, change: &Change) -> Changed {
        let done = self.change(change);
        done.unwrap_or_else(|error| panic!("{change:?} was refused: {error}"))
    }

    /// Joins; how many messages were there, none where it was in.
    #[track_caller]
    pub(super) fn join(&self, who: &Sat, to: &str) -> Option<u64> {
        let (seat, room) = (who.seat(), room(to));
        match self.changed(&Change::Join { seat, room }) {
            Changed::Joined { earlier, is_new } => is_new.then_some(earlier),
            other => panic!("joining gave {other:?}"),
        }
    }

    /// Leaves; how many stay to be delivered, none where it was not in.
    #[track_caller]
    pub(super) fn leave(&self, who: &Sat, from: &str) -> Option<u64> {
        let (seat, room) = (who.seat(), room(from));
        match self.changed(&Change::Leave { seat, room }) {
            Changed::Left { was_member, unread } => was_member.then_some(unread),
            other => panic!("leaving gave {other:?}"),
        }
    }

    /// Mutes something for so many seconds, or until it is taken back.
    #[track_caller]
    pub(super) fn mute(&self, who: &Sat, what: Quiet, seconds: Option<u64>) {
        let until = seconds.map(|seconds| self.wall() + Duration::from_secs(seconds));
        let (seat, muted) = (who.seat(), Muted::new(what, until));
        let done = self.changed(&Change::Mute { seat, muted });
        assert_eq!(done, Changed::Done);
    }

    /// What was muted until now.
    #[track_caller]
    pub(super) fn unmute(&self, who: &Sat, what: Option<Quiet>) -> Vec<Quiet> {
        let seat = who.seat();
        match self.changed(&Change::Unmute { seat, what }) {
            Changed::Unmuted(ended) => ended.into_iter().map(|muted| muted.what).collect(),
            other => panic!("unmuting gave {other:?}"),
        }
    }

    #[track_caller]
    pub(super) fn mutes(&self, seat: SeatId) -> Vec<Muted> {
        match self.ask(&Query::Mutes(seat)) {
            Answer::Mutes(mutes) => mutes,
            other => panic!("the mutes gave {other:?}"),
        }
    }

    /// Claims and settles a digest of all that is counted, up to where the look counted it.
    #[track_caller]
    pub(super) fn digest(&self, reader: &Reader, upto: Seq) -> Option<Counts> {
        let print = Vec::new();
        let claim = self.claimed(reader, Wanted::Digest { print, upto });
        self.printed(reader, &claim);
        claim.counts
    }

    pub(super) fn send(&self, sender: &Sender, draft: Draft) -> Result<Receipt, MailError> {
        block_on(self.mailbox.send(&Submission::new(sender.clone(), draft)))
    }

    #[track_caller]
    pub(super) fn sent(&self, sender: &Sender, draft: Draft) -> Receipt {
        let words = format!("{:?}", draft.to);
        let done = self.send(sender, draft);
        done.unwrap_or_else(|error| panic!("sending to {words} was refused: {error}"))
    }

    /// A program says something; words may begin with an address.
    #[track_caller]
    pub(super) fn say(&self, text: &str) -> Seq {
        self.sent(&Sender::Program, draft(text)).seq
    }

    /// Somebody who sits says something.
    #[track_caller]
    pub(super) fn say_as(&self, sat: &Sat, text: &str) -> Seq {
        self.sent(&sat.sender(), draft(text)).seq
    }

    pub(super) fn look(&self, reader: &Reader, above: usize) -> Result<Waiting, MailError> {
        let reader = reader.clone();
        match block_on(self.mailbox.read(&Query::New { reader, above }))? {
            Answer::New(news) => Ok(news.waiting),
            other => panic!("a look gave {other:?}"),
        }
    }

    /// There is evidence that the reader's session saw these.
    #[track_caller]
    pub(super) fn saw(&self, reader: &Reader, seqs: &[Seq]) {
        let found = Evidence::new(reader.clone(), None).seen(seqs.iter().copied());
        self.changed(&Change::Evidence(found));
    }

    /// Everything that is new, however much.
    #[track_caller]
    pub(super) fn letters(&self, reader: &Reader) -> Vec<Letter> {
        match self.look(reader, 1_000) {
            Ok(Waiting::Few(letters)) => letters,
            other => panic!("a look that counts nothing gave {other:?}"),
        }
    }

    #[track_caller]
    pub(super) fn news(&self, reader: &Reader) -> Vec<Seq> {
        seqs(&self.letters(reader))
    }

    /// The counts of a look that finds more than `above`.
    #[track_caller]
    pub(super) fn many(&self, reader: &Reader, above: usize) -> (Counts, Seq, Vec<Letter>) {
        match self.look(reader, above) {
            Ok(Waiting::Many {
                counts,
                upto,
                directed,
            }) => (counts, upto, directed),
            other => panic!("a look above {above} gave {other:?}"),
        }
    }

    pub(super) fn claim(&self, reader: &Reader, what: Wanted) -> Result<Claim, MailError> {
        block_on(self.mailbox.claim(&ClaimRequest::new(reader.clone(), what)))
    }

    #[track_caller]
    pub(super) fn claimed(&self, reader: &Reader, what: Wanted) -> Claim {
        let words = format!("{what:?}");
        let done = self.claim(reader, what);
        done.unwrap_or_else(|error| panic!("{words} was refused: {error}"))
    }

    #[track_caller]
    pub(super) fn print(&self, reader: &Reader, seqs: &[Seq]) -> Claim {
        self.claimed(reader, Wanted::Print(seqs.to_vec()))
    }

    pub(super) fn settle(&self, claim: &Claim, settled: &Settled) -> Result<(), MailError> {
        block_on(self.mailbox.settle(claim.id, settled))
    }

    /// Settles all that was granted, as printed.
    #[track_caller]
    pub(super) fn printed(&self, reader: &Reader, claim: &Claim) {
        self.settled(claim, &all_of(reader, claim));
    }

    #[track_caller]
    pub(super) fn settled(&self, claim: &Claim, settled: &Settled) {
        let done = self.settle(claim, settled);
        done.unwrap_or_else(|error| panic!("settling was refused: {error}"));
    }

    /// Looks, claims and settles: what was shown, each with its mark.
    #[track_caller]
    pub(super) fn show(&self, reader: &Reader) -> Vec<(Seq, bool)> {
        let claim = self.print(reader, &self.news(reader));
        self.printed(reader, &claim);
        marks(&claim)
    }

    /// The same, with somebody who looks for evidence.
    #[track_caller]
    pub(super) fn show_tracked(&self, reader: &Reader) -> Vec<(Seq, bool)> {
        let claim = self.print(reader, &self.news(reader));
        self.printed_tracked(reader, &claim);
        marks(&claim)
    }

    /// Settles all that was granted, as printed, with somebody who looks for evidence.
    #[track_caller]
    pub(super) fn printed_tracked(&self, reader: &Reader, claim: &Claim) {
        self.settled(claim, &all_of(reader, claim).tracked(true));
    }

    #[track_caller]
    pub(super) fn ask(&self, query: &Query) -> Answer {
        let answer = block_on(self.mailbox.read(query));
        answer.unwrap_or_else(|error| panic!("{query:?} was refused: {error}"))
    }

    #[track_caller]
    pub(super) fn unread(&self, seat: SeatId) -> u64 {
        match self.ask(&Query::Unread(seat)) {
            Answer::Unread(count) => count,
            other => panic!("what is unread gave {other:?}"),
        }
    }

    #[track_caller]
    pub(super) fn entries(&self, query: &Query) -> Vec<Entry> {
        match self.ask(query) {
            Answer::Entries(entries) => entries,
            other => panic!("{query:?} gave {other:?}"),
        }
    }

    /// How far a message got with a seat.
    #[track_caller]
    pub(super) fn state(&self, seat: SeatId, seq: Seq) -> Option<State> {
        let seqs = vec![seq];
        match self.entries(&Query::Entries { seat, seqs }).as_slice() {
            [entry] => entry.state,
            other => panic!("the message at {seq:?} gave {other:?}"),
        }
    }

    /// The message at a position, as it is kept.
    #[track_caller]
    pub(super) fn entry(&self, seat: SeatId, seq: Seq) -> Entry {
        let seqs = vec![seq];
        let mut entries = self.entries(&Query::Entries { seat, seqs });
        let entry = entries.pop();
        entry.unwrap_or_else(|| panic!("there is no message at {seq:?}"))
    }

    #[track_caller]
    pub(super) fn whole(&self, seat: SeatId, seq: Seq) -> Whole {
        let id = self.entry(seat, seq).id;
        let seat = Some(seat);
        match self.ask(&Query::Message { id, seat }) {
            Answer::Message(Some(whole)) => *whole,
            other => panic!("a message that is there gave {other:?}"),
        }
    }

    #[track_caller]
    pub(super) fn page(&self, ledger: &Ledger) -> Page {
        match self.ask(&Query::Ledger(ledger.clone())) {
            Answer::Ledger(page) => page,
            other => panic!("a page gave {other:?}"),
        }
    }

    #[track_caller]
    pub(super) fn rooms(&self, seat: Option<SeatId>) -> Vec<RoomInfo> {
        match self.ask(&Query::Rooms(seat)) {
            Answer::Rooms(rooms) => rooms,
            other => panic!("the rooms gave {other:?}"),
        }
    }

    #[track_caller]
    pub(super) fn seats(&self) -> Vec<SeatInfo> {
        match self.ask(&Query::Seats) {
            Answer::Seats(seats) => seats,
            other => panic!("the seats gave {other:?}"),
        }
    }

    pub(super) fn wall(&self) -> std::time::SystemTime {
        self.around.wall()
    }
}
