//! The clerk: carries out wishes at the mailbox, one after the other.

use attend_core::mail::{
    Answer, Before, ClaimRequest, Counts, Ledger, Letter, MailError, MailErrorKind, MailboxExt,
    MessageId, Query, Reader, RoomName, SeatInfo, Seated, Sender, Seq, Settled, State as Reached,
    Submission, Waiting, Wanted,
};
use futures::executor::block_on;

use super::action::{Asked, Done, Fate, Kept, Occupant, Overview, Part, Shown, Wish, shorten};
use super::place::{Peer, Place};
use super::stream::{PAGE, Sheet};
use crate::mailbox::Open;

/// How many new messages are looked at for who wrote them.
const MOST_WRITERS: usize = 200;

/// How often an empty page of a talk is looked behind at once.
const MOST_LOOKS: usize = 20;

/// What is known of those who sit somewhere.
pub(crate) type Occupants = Box<dyn Fn(Vec<SeatInfo>) -> Vec<Occupant> + Send>;

/// Where something is kept from one time to the next.
pub(crate) type Keeper = Box<dyn Fn(&Kept) -> Result<(), String> + Send>;

/// Somebody's way to the mailbox.
pub(crate) struct Clerk {
    mailbox: Open,
    seated: Seated,
    reader: Reader,
    occupants: Occupants,
    keeper: Keeper,
}

impl std::fmt::Debug for Clerk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Clerk")
            .field("seated", &self.seated)
            .finish_non_exhaustive()
    }
}

/// The mailbox gave an answer of another kind.
fn unfit() -> MailError {
    let text = "the mailbox gave an answer of another kind; that is a defect of attend";
    MailError::new(MailErrorKind::Failed, text)
}

impl Clerk {
    /// The clerk of whoever sits at `seated` and reads as `reader`.
    pub(crate) fn new(mailbox: Open, seated: Seated, reader: Reader) -> Self {
        Self {
            mailbox,
            seated,
            reader,
            occupants: Box::new(|seats| seats.into_iter().map(Occupant::of).collect()),
            keeper: Box::new(|_| Ok(())),
        }
    }

    /// What is known of those who sit somewhere comes from `occupants`.
    pub(crate) fn knowing(
        mut self,
        occupants: impl Fn(Vec<SeatInfo>) -> Vec<Occupant> + Send + 'static,
    ) -> Self {
        self.knows(occupants);
        self
    }

    pub(crate) fn knows(
        &mut self,
        occupants: impl Fn(Vec<SeatInfo>) -> Vec<Occupant> + Send + 'static,
    ) {
        self.occupants = Box::new(occupants);
    }

    /// Something is kept by `keeper`.
    pub(crate) fn keeping(
        mut self,
        keeper: impl Fn(&Kept) -> Result<(), String> + Send + 'static,
    ) -> Self {
        self.keeper = Box::new(keeper);
        self
    }

    /// Carries out a wish; gives what came of it, where it was one for the mailbox.
    pub(crate) fn carry_out(&self, wish: Wish) -> Option<Done> {
        let told = |error: MailError| error.to_string();
        Some(match wish {
            Wish::Page(asked) => {
                let sheet = self.sheet(&asked);
                let sheet = sheet.map_err(|error| (error.kind(), error.to_string()));
                Done::Page(asked, sheet)
            }
            Wish::Look => Done::Look(self.look().map_err(told)),
            Wish::Send(draft) => {
                let sender = Sender::Seat {
                    seat: self.seated.seat,
                    session: None,
                };
                let sent = block_on(self.mailbox.send(&Submission::new(sender, draft)));
                Done::Sent(sent.map_err(|error| (error.kind(), error.to_string())))
            }
            Wish::Mark(shown) => {
                let marked = self.mark(&shown).map_err(told);
                Done::Marked(shown.iter().map(|shown| shown.seq).collect(), marked)
            }
            Wish::Fates(ids) => {
                let fates = ids.into_iter().map(|id| {
                    let query = Query::Message {
                        id: id.clone(),
                        seat: None,
                    };
                    let fate = match self.ask(&query) {
                        Ok(Answer::Message(Some(whole))) => Some(Fate::of(&whole)),
                        _ => None,
                    };
                    (id, fate)
                });
                Done::Fates(fates.collect())
            }
            Wish::Whole(id) => {
                let query = Query::Message {
                    id: id.clone(),
                    seat: Some(self.seated.seat),
                };
                Done::Whole(match self.ask(&query) {
                    Ok(Answer::Message(Some(whole))) => Ok(whole),
                    Ok(Answer::Message(None)) => Err(MailError::no_message(&id).to_string()),
                    Ok(_) => Err(unfit().to_string()),
                    Err(error) => Err(error.to_string()),
                })
            }
            Wish::Member { room, joins } => Done::Member(self.member(&room, joins).map_err(told)),
            Wish::Keep(kept) => Done::Kept((self.keeper)(&kept)),
            Wish::Redraw | Wish::Stop | Wish::End => return None,
        })
    }

    fn ask(&self, query: &Query) -> Result<Answer, MailError> {
        block_on(self.mailbox.read(query))
    }

    fn ledger(&self, ledger: Ledger) -> Result<Sheet, MailError> {
        let Answer::Ledger(mut page) = self.ask(&Query::Ledger(ledger))? else {
            return Err(unfit());
        };
        page.entries.iter_mut().for_each(shorten);
        let floor = match (&page.next, page.entries.first()) {
            (None, _) => None,
            (Some(_), Some(first)) => Some(first.seq),
            // It looked in vain as far as it looks at once.
            (Some(next), None) => Some(self.position(next)?),
        };
        Ok(Sheet {
            entries: page.entries,
            next: page.next,
            floor,
        })
    }

    fn position(&self, id: &MessageId) -> Result<Seq, MailError> {
        let query = Query::Message {
            id: id.clone(),
            seat: None,
        };
        match self.ask(&query)? {
            Answer::Message(Some(whole)) => Ok(whole.entry.seq),
            Answer::Message(None) => Err(MailError::no_message(id)),
            _ => Err(unfit()),
        }
    }

    fn sheet(&self, asked: &Asked) -> Result<Sheet, MailError> {
        // The newest page has to reach back to what was held before it.
        let limit = match (asked.part, &asked.before) {
            (Part::Newer, None) => 2 * PAGE,
            _ => PAGE,
        };
        let mut ledger = Ledger::new(self.seated.seat, limit);
        ledger.before = asked.before.clone().map(Before::Id);
        ledger.words.clone_from(&asked.view.words);
        match &asked.view.place {
            Place::All => self.ledger(ledger),
            Place::Room(room) => {
                ledger.room = Some(room.clone());
                self.ledger(ledger)
            }
            Place::Talk(peer) => self.talk(peer, &ledger),
        }
    }

    /// A page of what two say to each other: what either wrote, as far back as both are known.
    fn talk(&self, peer: &Peer, ledger: &Ledger) -> Result<Sheet, MailError> {
        let mut before = ledger.before.clone();
        for _ in 0..MOST_LOOKS {
            let said_by = |name: &str| {
                let mut ledger = ledger.clone();
                ledger.before.clone_from(&before);
                ledger.from = Some(name.to_owned());
                self.ledger(ledger)
            };
            let (theirs, own) = (said_by(&peer.name)?, said_by(&self.seated.name)?);
            let floor = theirs.floor.max(own.floor);
            let farther = if theirs.floor >= own.floor {
                &theirs
            } else {
                &own
            };
            let next = farther.next.clone();
            let all = theirs.entries.into_iter().chain(own.entries);
            let is_known = |seq: Seq| floor.is_none_or(|floor| seq >= floor);
            let mut entries: Vec<_> = all
                .filter(|entry| is_known(entry.seq) && peer.has(&self.seated.name, entry))
                .collect();
            entries.sort_by_key(|entry| entry.seq);
            entries.dedup_by_key(|entry| entry.seq);
            if !entries.is_empty() || next.is_none() {
                return Ok(Sheet {
                    entries,
                    next,
                    floor,
                });
            }
            before = next.map(Before::Id);
        }
        let next = match before {
            Some(Before::Id(id)) => Some(id),
            _ => None,
        };
        Ok(Sheet {
            entries: Vec::new(),
            next,
            floor: Some(Seq::new(u64::MAX)),
        })
    }

    fn look(&self) -> Result<Overview, MailError> {
        let Answer::Rooms(rooms) = self.ask(&Query::Rooms(Some(self.seated.seat)))? else {
            return Err(unfit());
        };
        let Answer::Seats(seats) = self.ask(&Query::Seats)? else {
            return Err(unfit());
        };
        let (counts, writers) = self.unread()?;
        Ok(Overview {
            rooms,
            seats: (self.occupants)(seats),
            counts,
            writers,
        })
    }

    /// How much is new, by where it was said; and who wrote what of it is to oneself, the oldest
    /// few.
    fn unread(&self) -> Result<(Counts, Vec<String>), MailError> {
        let (counts, directed) = match self.news(MOST_WRITERS)? {
            Waiting::Many {
                counts, directed, ..
            } => (counts, directed),
            Waiting::Few(letters) if !letters.is_empty() => self.few()?,
            _ => (Counts::default(), Vec::new()),
        };
        let writers = directed.into_iter().map(|letter| letter.from);
        Ok((counts, writers.collect()))
    }

    /// The same where letters alone would be told, of which nothing says whom they are to: what is
    /// counted has its own.
    fn few(&self) -> Result<(Counts, Vec<Letter>), MailError> {
        let Waiting::Many { counts, .. } = self.news(0)? else {
            return Ok((Counts::default(), Vec::new()));
        };
        let most = usize::try_from(counts.directed()).unwrap_or(MOST_WRITERS);
        let directed = match self.news(most)? {
            // Nothing else is new.
            Waiting::Few(letters) => letters,
            Waiting::Many { directed, .. } => directed,
            _ => Vec::new(),
        };
        Ok((counts, directed))
    }

    fn news(&self, above: usize) -> Result<Waiting, MailError> {
        Ok(block_on(self.mailbox.news(&self.reader, above))?.waiting)
    }

    /// Settles as printed what was displayed.
    fn mark(&self, shown: &[Shown]) -> Result<(), MailError> {
        let new = shown.iter().filter(|shown| shown.state == Reached::New);
        let new: Vec<Seq> = new.map(|shown| shown.seq).collect();
        if !new.is_empty() {
            self.claim(Wanted::Print(new))?;
        }
        for shown in shown.iter().filter(|shown| shown.state != Reached::New) {
            self.claim(Wanted::Show(shown.id.clone()))?;
        }
        Ok(())
    }

    fn claim(&self, wanted: Wanted) -> Result<(), MailError> {
        let request = ClaimRequest::new(self.reader.clone(), wanted);
        let claim = block_on(self.mailbox.claim(&request))?;
        if claim.is_empty() {
            return Ok(());
        }
        let printed = claim.granted.iter().map(|granted| granted.seq);
        let settled = Settled::printed(self.reader.clone(), printed);
        block_on(self.mailbox.settle(claim.id, &settled))
    }

    fn member(&self, room: &RoomName, joins: bool) -> Result<String, MailError> {
        let (seat, name) = (self.seated.seat, room.clone());
        if joins {
            let earlier = block_on(self.mailbox.join(seat, name))?;
            return Ok(match earlier {
                Some(earlier) => format!("you are in {room} from now on; it held {earlier} before"),
                None => format!("you are in {room} already"),
            });
        }
        let unread = block_on(self.mailbox.leave(seat, name))?;
        Ok(match unread {
            Some(0) => format!("you left {room}"),
            Some(unread) => format!("you left {room}; {unread} unread are still delivered"),
            None => format!("you are not in {room}"),
        })
    }
}

impl Occupant {
    /// A seat of which no more is known.
    pub(crate) fn of(info: SeatInfo) -> Self {
        Self {
            info,
            state: None,
            context: None,
        }
    }
}
