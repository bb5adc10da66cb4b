//! The durable mailbox with many messages in it: what each operation costs, as percentiles.
//!
//! `cargo bench -p benches --bench mail -- DIR [MESSAGES]` fills a store in `DIR` where there is
//! none yet (a directory in memory fills fastest) and measures it there.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::cast_possible_truncation,
    clippy::semicolon_if_nothing_returned,
    reason = "a measurement reads the clock, prints, and ends where it cannot go on"
)]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use attend_core::mail::{
    Address, Answer, ClaimRequest, Draft, Ledger, Mailbox, MailboxExt, Name, Place, Query, Reader,
    RoomName, Seated, Sender, Settled, Sitter, SqliteMailbox, Submission, Waiting, Wanted,
};
use attend_core::runtime::system::SystemAround;
use futures::executor::block_on;

/// How many seats of agents there are.
const SEATS: u32 = 50;

/// How often each operation is done.
const ROUNDS: usize = 400;

struct Measured {
    mailbox: SqliteMailbox,
    around: SystemAround,
    seats: Vec<Seated>,
    sam: Seated,
}

fn main() {
    let mut words = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"));
    let Some(dir) = words.next().map(PathBuf::from) else {
        println!("give a directory: cargo bench -p benches --bench mail -- DIR [MESSAGES]");
        return;
    };
    let messages: u64 = words.next().map_or(1_000_000, |n| n.parse().unwrap());
    let around = SystemAround::new();
    let mailbox = SqliteMailbox::open(&dir, Arc::new(around.clone())).unwrap();
    let measured = Measured::new(mailbox, around);
    measured.fill(messages);
    measured.measure();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM"));
    println!("{}", peak.unwrap_or("VmHWM: unknown"));
}

impl Measured {
    fn new(mailbox: SqliteMailbox, around: SystemAround) -> Self {
        let me = around.process(std::process::id());
        let seat = |n: u32| {
            // Each seat is held by this process, under a start of its own.
            let mut process = me.clone();
            process.pid = me.pid;
            process.namespace = 1_000 + u64::from(n);
            let project = format!("/projects/{}", n / 2);
            let sitter = Sitter::Session {
                session: format!("session-{n}"),
                process,
                place: Place::new(&project, &project),
            };
            block_on(mailbox.sit(sitter)).unwrap()
        };
        let seats: Vec<Seated> = (0..SEATS).map(seat).collect();
        let sam = Sitter::Person(Name::parse("sam").unwrap());
        let sam = block_on(mailbox.sit(sam)).unwrap();
        for seat in seats.iter().step_by(5) {
            block_on(mailbox.join(seat.seat, RoomName::parse("deploy").unwrap())).unwrap();
        }
        Self {
            mailbox,
            around,
            seats,
            sam,
        }
    }

    /// Sends until there are so many: half of it by name, a third in `#open`, the rest in a room
    /// of ten.
    fn fill(&self, messages: u64) {
        let there = self.head();
        let start = Instant::now();
        for n in there..messages {
            let from = &self.seats[(n % u64::from(SEATS)) as usize];
            let to = &self.seats[(n.wrapping_mul(7) % u64::from(SEATS)) as usize];
            let to = match n % 6 {
                0..3 => format!("@{}", to.name),
                3 | 4 => "#open".to_owned(),
                _ => "#deploy".to_owned(),
            };
            self.send(from, &to, &body(n));
            if n % 1_000 == 999 {
                self.read_up();
            }
            if n % 100_000 == 99_999 {
                println!("{} messages after {:?}", n + 1, start.elapsed());
            }
        }
    }

    /// Every seat reads what it has, so that nobody lies far behind.
    fn read_up(&self) {
        for (n, seat) in self.seats.iter().enumerate() {
            let reader = self.reader(n, seat);
            while self.take(&reader) > 0 {}
        }
    }

    fn head(&self) -> u64 {
        let page = Query::Ledger(Ledger::new(self.sam.seat, 1));
        let Answer::Ledger(page) = block_on(self.mailbox.read(&page)).unwrap() else {
            unreachable!()
        };
        page.entries.last().map_or(0, |entry| entry.seq.get())
    }

    fn reader(&self, n: usize, seat: &Seated) -> Reader {
        let process = self.around.process(std::process::id());
        seat.reader(format!("session-{n}"), process)
    }

    fn send(&self, from: &Seated, to: &str, body: &str) {
        let sender = Sender::Seat {
            seat: from.seat,
            session: None,
        };
        let draft = Draft::new(body).to(Address::parse(to).unwrap());
        block_on(self.mailbox.send(&Submission::new(sender, draft))).unwrap();
    }

    /// One look, claim and settlement; gives how many messages it took.
    fn take(&self, reader: &Reader) -> usize {
        let (wanted, counted) = match block_on(self.mailbox.look(reader, 8)).unwrap() {
            Waiting::Few(letters) if letters.is_empty() => return 0,
            Waiting::Few(letters) => (
                Wanted::Print(letters.iter().map(|l| l.seq).collect()),
                false,
            ),
            Waiting::Many { upto, directed, .. } => {
                let print = directed.iter().map(|letter| letter.seq).collect();
                (Wanted::Digest { print, upto }, true)
            }
            _ => unreachable!(),
        };
        let request = ClaimRequest::new(reader.clone(), wanted);
        let claim = block_on(self.mailbox.claim(&request)).unwrap();
        let printed = claim.granted.iter().map(|granted| granted.seq);
        let settled = Settled::printed(reader.clone(), printed).counted(counted);
        block_on(self.mailbox.settle(claim.id, &settled)).unwrap();
        claim.granted.len() + usize::from(counted)
    }

    fn measure(&self) {
        self.read_up();
        let (seat, other) = (&self.seats[0], &self.seats[1]);
        let reader = self.reader(0, seat);
        let nothing = || block_on(self.mailbox.look(&reader, 8)).unwrap();
        tell("look, nothing new", ROUNDS, || _ = nothing());
        tell("send to one seat", ROUNDS, || {
            self.send(other, &format!("@{}", seat.name), "ship it")
        });
        tell("look behind 400 directed", ROUNDS, || _ = nothing());
        tell(
            "look, claim and settle of 8 and a count",
            ROUNDS / 8,
            || _ = self.take(&reader),
        );
        while self.take(&reader) > 0 {}
        tell("send to #open", ROUNDS, || {
            self.send(other, "#open", "the build is green")
        });
        tell("look, claim and settle of a digest of 400", 1, || {
            _ = self.take(&reader)
        });
        let page = Query::Ledger(Ledger::new(seat.seat, 25));
        tell("page of 25", ROUNDS, || {
            _ = block_on(self.mailbox.read(&page)).unwrap()
        });
        for words in ["rare4711", "deploy", "build gree", "dep gree"] {
            let mut ledger = Ledger::new(seat.seat, 25);
            ledger.words = Some(words.to_owned());
            let page = Query::Ledger(ledger);
            let what = format!("search for {words:?}");
            tell(&what, ROUNDS / 4, || {
                _ = block_on(self.mailbox.read(&page)).unwrap()
            });
        }
        tell("unread", ROUNDS, || {
            _ = block_on(self.mailbox.unread(seat.seat)).unwrap()
        });
        let mut n = 0;
        tell("sit down on a vacant seat", ROUNDS, || {
            n += 1;
            self.sit_again(n);
        });
    }

    /// The next session sits down where the one before it has stood up.
    fn sit_again(&self, n: u64) {
        let mut process = self.around.process(std::process::id());
        process.namespace = 5_000 + n;
        let session = format!("guest-{n}");
        let sitter = Sitter::Session {
            session: session.clone(),
            process: process.clone(),
            place: Place::new("/projects/guests", "/projects/guests"),
        };
        let seated = block_on(self.mailbox.sit(sitter)).unwrap();
        let stand = attend_core::mail::Change::Stand(seated.reader(session, process));
        block_on(self.mailbox.change(&stand)).unwrap();
    }
}

fn body(n: u64) -> String {
    let what = [
        "the deploy waits",
        "the build is green",
        "please review",
        "tests fail on main",
    ];
    format!("{} rare{n} in step {}", what[(n % 4) as usize], n % 97)
}

/// Does it so often, and prints the least, the middle, the 99th percentile and the greatest.
fn tell(what: &str, rounds: usize, mut action: impl FnMut()) {
    let mut times: Vec<Duration> = (0..rounds.max(1))
        .map(|_| {
            let start = Instant::now();
            action();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    println!(
        "{what}: min {:?}, p50 {:?}, p99 {:?}, max {:?}",
        at(0),
        at(50),
        at(99),
        at(100)
    );
}
