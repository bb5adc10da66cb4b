//! Questions to one of two mailboxes.

use super::op::Op;
use super::side::{Side, WORDS, pick, place, room};
use crate::mail::{Before, Ledger, Query, Seq};

impl Side {
    /// Answers what changes nothing.
    pub(super) fn ask(&self, op: &Op) -> String {
        match op {
            Op::Ledger {
                sat,
                limit,
                skip,
                before,
                room: of,
                from,
                word,
            } => {
                let Some(sat) = pick(&self.sats, *sat) else {
                    return String::new();
                };
                let mut ledger = Ledger::new(sat.seated.seat, *limit);
                ledger.skip = *skip;
                let before = before.and_then(|id| pick(&self.ids, id));
                ledger.before = before.map(Before::Id);
                ledger.room = of.map(room);
                let from = from.and_then(|from| pick(&self.sats, from));
                ledger.from = from.map(|from| from.seated.name);
                ledger.words = word.map(|word| WORDS[word % WORDS.len()].to_owned());
                self.read(&Query::Ledger(ledger))
            }
            Op::Message { sat, id } => {
                let (reader, id) = (pick(&self.sats, *sat), pick(&self.ids, *id));
                let seat = reader.map(|reader| reader.seated.seat);
                let message = id.map(|id| self.read(&Query::Message { id, seat }));
                let shown = seat.map(|seat| self.read(&Query::LastShown(seat)));
                format!("{message:?} {shown:?}")
            }
            Op::Letters(sat) => {
                let Some(sat) = pick(&self.sats, *sat) else {
                    return String::new();
                };
                self.read(&Query::Letters {
                    seat: sat.seated.seat,
                    seqs: (0..=self.ids.len() as u64).map(Seq::new).collect(),
                })
            }
            Op::Session(session) => {
                let session = format!("s{session}");
                self.read(&Query::SeatOf { session })
            }
            _ => {
                let seat = self.sats.last().map(|sat| sat.seated.seat);
                let projects: Vec<String> = (0..4)
                    .map(|index| self.read(&Query::Project(place(index))))
                    .collect();
                let rooms = self.read(&Query::Rooms(seat));
                format!("{} {rooms} {projects:?}", self.read(&Query::Seats))
            }
        }
    }
}
