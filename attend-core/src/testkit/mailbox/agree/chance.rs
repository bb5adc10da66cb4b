//! Which operation comes next.

use super::op::{From, Op, To, What};

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn index(&mut self, end: u64) -> usize {
        usize::try_from(self.below(end)).unwrap_or(0)
    }

    fn one_in(&mut self, chances: u64) -> bool {
        self.below(chances) == 0
    }

    fn maybe(&mut self, chances: u64, end: u64) -> Option<usize> {
        self.one_in(chances).then(|| self.index(end))
    }

    pub(super) fn op(&mut self) -> Op {
        match self.below(132) {
            0..12 => Op::Sit {
                session: self.below(6),
                slot: self.index(4),
                place: self.index(3),
            },
            12..14 => Op::Person {
                user: self.index(2),
                slot: self.index(8),
            },
            14..16 => Op::Stand(self.index(8)),
            16..18 => Op::Register {
                sat: self.index(8),
                slot: self.maybe(2, 8),
            },
            18..22 => Op::End(self.index(8)),
            22 => match self.below(4) {
                0 => Op::Reboot,
                1 => Op::Step(-3_600),
                _ => Op::Step([7, 70][self.index(2)]),
            },
            23..28 => Op::Pass([1, 14, 29, 30][self.index(4)]),
            28..50 => self.send(),
            50..66 => Op::Claim {
                sat: self.index(8),
                slot: self.index(8),
                what: self.what(),
            },
            66..80 => Op::Settle {
                claim: self.index(4),
                by: self.maybe(20, 8),
                most: self.index(6),
                counted: !self.one_in(4),
                tracked: self.one_in(2),
            },
            80..82 => Op::Seen(self.index(8)),
            82..86 => Op::Join {
                sat: self.index(8),
                room: self.index(3),
            },
            86..89 => Op::Leave {
                sat: self.index(8),
                room: self.index(3),
            },
            89..94 => self.ledger(),
            94..96 => Op::Message {
                sat: self.index(8),
                id: self.index(64),
            },
            96..98 => Op::Session(self.below(6)),
            98..103 => Op::Mute {
                sat: self.index(8),
                what: self.index(8),
                seconds: [None, Some(0), Some(10), Some(40)][self.index(4)],
            },
            103..106 => Op::Unmute {
                sat: self.index(8),
                what: self.maybe(2, 8),
            },
            106 => Op::Letters(self.index(8)),
            107..113 => Op::Missed {
                sat: self.index(8),
                seen: self.maybe(4, 3).unwrap_or(0),
                late: u32::from(self.one_in(3)),
                read: self.maybe(2, 9).map(|read| read as u64),
            },
            113..116 => Op::Lost {
                sat: self.index(8),
                times: 1 + self.index(4),
            },
            116..120 => Op::Remind {
                sat: self.index(8),
                seconds: [-100, 0, 1, 20, 50][self.index(5)],
                body: self.index(5),
            },
            120 => Op::Cancel {
                sat: self.index(8),
                id: self.index(64),
            },
            121..124 => Op::Due(self.index(8)),
            124 => Op::Looked(self.index(8)),
            125..128 => Op::Lists,
            _ => Op::Sweep {
                gone: self.below(8) | self.below(8),
                there: self.below(8) & self.below(8) & self.below(8),
                apart: [0, 0, 30][self.index(3)],
                most: 1 + self.index(6),
                all: self.one_in(4),
                dry: self.one_in(5),
            },
        }
    }

    fn send(&mut self) -> Op {
        let from = match self.below(5) {
            0 => From::Program,
            1 => From::Session(self.below(6), self.index(3)),
            _ => From::Sat(self.index(8)),
        };
        let to = (0..self.below(4)).map(|_| match self.below(9) {
            0 | 1 => To::Seat(self.index(8)),
            2 => To::Persona(self.index(8)),
            3 => To::Folder(self.index(3)),
            4 => To::User(self.index(2)),
            5 => To::Place(self.index(4)),
            _ => To::Room(self.index(3)),
        });
        Op::Send {
            from,
            to: to.collect(),
            key: self.maybe(6, 3).map(|key| key as u64),
            body: self.below(4),
            re: self.maybe(6, 64),
        }
    }

    fn what(&mut self) -> What {
        match self.below(8) {
            0..4 => What::New(self.index(3)),
            4 | 5 => What::Digest {
                above: self.index(4),
            },
            6 => What::Unread(1 + self.index(6)),
            _ => What::Show(self.index(64)),
        }
    }

    fn ledger(&mut self) -> Op {
        Op::Ledger {
            sat: self.index(8),
            limit: 1 + self.index(5),
            skip: self.index(3),
            before: self.maybe(3, 64),
            room: self.maybe(4, 3),
            from: self.maybe(4, 8),
            word: self.maybe(4, 4),
        }
    }
}
