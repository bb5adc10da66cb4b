//! The durable store keeps the contract, and does what the store in memory does.

use std::cell::RefCell;
use std::time::SystemTime;

use super::*;
use crate::mail::{Clock, Life, Mailbox, MemoryMailbox, MessageId, Process};
use crate::testkit::{FakeAround, mailbox_conformance, mailboxes_agree};

/// Makes stores in fresh directories, which last as long as this.
#[derive(Default)]
struct Homes(RefCell<Vec<TempDir>>);

impl Homes {
    fn make(&self, around: FakeAround) -> Box<dyn Mailbox> {
        let home = tempfile::tempdir().unwrap();
        let mailbox = SqliteMailbox::open(&home.path().join("data"), Arc::new(around)).unwrap();
        self.0.borrow_mut().push(home);
        Box::new(mailbox)
    }

    /// The same, which works on the thread that asks.
    fn make_here(&self, around: &FakeAround) -> Box<dyn Mailbox> {
        let home = tempfile::tempdir().unwrap();
        let data = home.path().join("data");
        drop(SqliteMailbox::open(&data, Arc::new(around.clone())).unwrap());
        let mailbox = SqliteMailbox::existing_here(&data, Arc::new(around.clone()));
        self.0.borrow_mut().push(home);
        Box::new(mailbox.unwrap().unwrap())
    }

    /// The same store opened twice, as by two processes.
    fn make_two(&self, around: &FakeAround) -> Box<dyn Mailbox> {
        let home = tempfile::tempdir().unwrap();
        let open = || SqliteMailbox::open(&home.path().join("data"), Arc::new(around.clone()));
        let (writes, reads) = (open().unwrap(), open().unwrap());
        self.0.borrow_mut().push(home);
        Box::new(Two { writes, reads })
    }
}

/// A store of which one process reads what another wrote.
struct Two {
    writes: SqliteMailbox,
    reads: SqliteMailbox,
}

#[async_trait]
impl Mailbox for Two {
    async fn send(&self, submission: &Submission) -> Result<Receipt, MailError> {
        self.writes.send(submission).await
    }

    async fn claim(&self, request: &ClaimRequest) -> Result<Claim, MailError> {
        self.writes.claim(request).await
    }

    async fn settle(&self, claim: ClaimId, settled: &Settled) -> Result<(), MailError> {
        self.writes.settle(claim, settled).await
    }

    async fn read(&self, query: &Query) -> Result<Answer, MailError> {
        self.reads.read(query).await
    }

    async fn change(&self, change: &Change) -> Result<Changed, MailError> {
        self.writes.change(change).await
    }

    fn waker(&self, reader: &Reader) -> Option<MailWaker> {
        self.reads.waker(reader)
    }
}

fn memory(around: FakeAround) -> Box<dyn Mailbox> {
    Box::new(MemoryMailbox::new(Arc::new(around)))
}

#[test]
fn it_keeps_the_contract() {
    let homes = Homes::default();
    mailbox_conformance(|around| homes.make(around));
}

#[test]
fn it_keeps_the_contract_on_the_thread_that_asks() {
    let homes = Homes::default();
    mailbox_conformance(|around| homes.make_here(&around));
}

#[test]
fn it_keeps_the_contract_between_two_processes() {
    let homes = Homes::default();
    mailbox_conformance(|around| homes.make_two(&around));
}

/// Set `ATTEND_HISTORIES` at build time to try more.
#[test]
fn it_does_what_the_store_in_memory_does() {
    let first = option_env!("ATTEND_FIRST").map_or(0, |n| n.parse().unwrap());
    let histories = option_env!("ATTEND_HISTORIES").map_or(12, |n| n.parse().unwrap());
    for seed in first..first + histories {
        let homes = Homes::default();
        mailboxes_agree(seed, 150, memory, |around| {
            if seed % 2 == 0 {
                homes.make(around)
            } else {
                homes.make_two(&around)
            }
        });
    }
}

/// A machine where chance gives the same for ever.
struct Stuck(FakeAround);

impl Clock for Stuck {
    fn wall(&self) -> SystemTime {
        self.0.wall()
    }

    fn boot(&self) -> Duration {
        self.0.boot()
    }
}

impl Around for Stuck {
    fn boot_id(&self) -> String {
        self.0.boot_id()
    }

    fn random(&self) -> u64 {
        7
    }

    fn life(&self, process: &Process) -> Life {
        self.0.life(process)
    }
}

#[test]
fn a_reminder_has_the_id_of_no_message_nor_a_message_that_of_a_reminder() {
    let home = tempfile::tempdir().unwrap();
    let around = Arc::new(Stuck(FakeAround::new()));
    let memory = MemoryMailbox::new(around.clone());
    let durable = SqliteMailbox::open(&home.path().join("data"), around.clone()).unwrap();
    for mailbox in [&memory as &dyn Mailbox, &durable] {
        let sam = Sitter::Person(Name::parse("sam").unwrap());
        let seat = block_on(mailbox.sit(sam)).unwrap().seat;
        let mut ids: Vec<MessageId> = Vec::new();
        for n in 0..6 {
            ids.push(if n % 2 == 0 {
                let due = around.wall() + Duration::from_secs(1);
                block_on(mailbox.remind(seat, due, "tea".to_owned())).unwrap()
            } else {
                let open = Draft::new("hi").to(Address::parse("#open").unwrap());
                let submission = Submission::new(Sender::Program, open);
                block_on(mailbox.send(&submission)).unwrap().id
            });
        }
        let lengths: Vec<usize> = ids.iter().map(|id| id.as_str().len()).collect();
        assert_eq!(lengths, [6, 7, 8, 9, 10, 11]);
    }
}
