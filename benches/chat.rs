//! The chat before a long history: how soon it opens, and how long its frames take.
//!
//! `cargo bench -p benches --bench chat -- DIR [MESSAGES]` fills a store in `DIR` where there is
//! none yet (a directory in memory fills fastest) and measures there, into a terminal in memory.
//! What the mailbox takes is part of every figure but those of the wheel, though the program asks it
//! on another thread.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement reads the clock, prints, and ends where it cannot go on"
)]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use attend_bin::chat::Rehearsal;
use attend_core::mail::{
    Answer, Clock as _, Draft, Ledger, Mailbox, MailboxExt as _, Name, Place, Query, RoomName,
    Seated, Sender, Sitter, SqliteMailbox, Submission, addressed,
};
use attend_core::runtime::system::SystemAround;
use futures::executor::block_on;

/// The terminal.
const SIZE: (u16, u16) = (120, 40);

/// How many frames are scrolled through.
const FRAMES: usize = 1_000;

/// How many messages arrive at once.
const BURST: u64 = 10_000;

fn main() {
    let words = std::env::args().skip(1);
    let mut words = words.filter(|word| !word.starts_with("--"));
    let Some(dir) = words.next().map(PathBuf::from) else {
        println!("give a directory: cargo bench -p benches --bench chat -- DIR [MESSAGES]");
        return;
    };
    let messages: u64 = words.next().map_or(100_000, |n| n.parse().unwrap());
    let around = SystemAround::new();
    let cleo = {
        let mailbox = open(&dir, &around);
        let (sam, cleo) = (person(&mailbox), agent(&mailbox, &around));
        for n in head(&mailbox, &sam)..messages {
            let to = ["#open", "#deploy", "@sam"][usize::try_from(n % 3).unwrap()];
            say(&mailbox, &cleo, to, n);
        }
        cleo
    };
    let mut opened = Vec::new();
    for _ in 0..20 {
        let start = Instant::now();
        let chat = chat(&dir, &around);
        opened.push(start.elapsed());
        drop(chat);
    }
    told("open, first frame", opened);
    let mut chat = chat(&dir, &around);
    chat.press("<c-p><c-end>");
    scrolled(&mut chat, true);
    scrolled(&mut chat, false);
    chat.press("<c-end>");
    let typed = (0..FRAMES).map(|_| timed(|| chat.press("x"))).collect();
    told("frame, a letter is typed", typed);
    let mailbox = open(&dir, &around);
    let there = head(&mailbox, &person(&mailbox));
    for n in 0..BURST {
        say(&mailbox, &cleo, "#open", there + n);
    }
    let rung = (0..20).map(|_| timed(|| chat.ring())).collect();
    told("frame, 10,000 have arrived", rung);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM"));
    println!("{}", peak.unwrap_or("VmHWM: unknown"));
}

fn scrolled(chat: &mut Rehearsal, is_up: bool) {
    let (mut frames, mut asked) = (Vec::new(), Vec::new());
    for _ in 0..FRAMES {
        frames.push(timed(|| chat.wheel(is_up)));
        asked.push(timed(|| chat.catch_up()));
    }
    let way = if is_up { "up" } else { "down" };
    told(&format!("frame, wheel {way}"), frames);
    told("  and what the mailbox is asked meanwhile", asked);
}

fn open(dir: &Path, around: &SystemAround) -> Arc<dyn Mailbox> {
    Arc::new(SqliteMailbox::open(dir, Arc::new(around.clone())).unwrap())
}

fn chat(dir: &Path, around: &SystemAround) -> Rehearsal {
    let mailbox = open(dir, around);
    let sam = person(&mailbox);
    let process = around.process(std::process::id());
    Rehearsal::open(mailbox, sam, process, SIZE, around.wall())
}

fn person(mailbox: &Arc<dyn Mailbox>) -> Seated {
    let sam = Sitter::Person(Name::parse("sam").unwrap());
    let sam = block_on(mailbox.sit(sam)).unwrap();
    block_on(mailbox.join(sam.seat, RoomName::parse("deploy").unwrap())).unwrap();
    sam
}

fn agent(mailbox: &Arc<dyn Mailbox>, around: &SystemAround) -> Seated {
    let sitter = Sitter::Session {
        session: "session".to_owned(),
        process: around.process(std::process::id()),
        place: Place::new("/projects/api", "/projects/api"),
    };
    block_on(mailbox.sit(sitter)).unwrap()
}

/// How many messages there are.
fn head(mailbox: &Arc<dyn Mailbox>, sam: &Seated) -> u64 {
    let page = Query::Ledger(Ledger::new(sam.seat, 1));
    match block_on(mailbox.read(&page)).unwrap() {
        Answer::Ledger(page) => page.entries.last().map_or(0, |entry| entry.seq.get()),
        other => panic!("{other:?}"),
    }
}

fn say(mailbox: &Arc<dyn Mailbox>, from: &Seated, to: &str, n: u64) {
    let body = format!(
        "message {n}: the deploy waits for the migration of the store\n  and this is its second line"
    );
    let mut draft = Draft::new(body);
    draft.to = addressed(to).0;
    let sender = Sender::Seat {
        seat: from.seat,
        session: Some("session".to_owned()),
    };
    block_on(mailbox.send(&Submission::new(sender, draft))).unwrap();
}

fn timed(action: impl FnOnce()) -> Duration {
    let start = Instant::now();
    action();
    start.elapsed()
}

fn told(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    println!(
        "{what}: median {:?}, 99th {:?}, longest {:?}",
        at(50),
        at(99),
        at(100)
    );
}
