//! Senders killed at any instant: what was acknowledged is kept, and nothing is kept in part.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::thread;

use attend_core::mail::{Answer, Mailbox, MessageId, Query, RoomName, SqliteMailbox, State, Whole};
use attend_core::runtime::system::SystemAround;
use futures::executor::block_on;
use serde_json::Value;

use crate::desk::{Desk, ONE, alone, id, program};
use crate::world::World;

/// How many kill at once, and how many senders each.
const KILLERS: u64 = 4;
const KILLS: u64 = 24;

/// Numbers that are the same every time: xorshift64*.
pub(crate) struct Dice(u64);

impl Dice {
    /// Dice that fall as `seed`, which is not zero, says.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) % most.max(1)
    }
}

/// A sender, before its end is awaited.
struct Sending(Child);

impl Sending {
    fn start(world: &World, to: &str, name: &str) -> Self {
        let words = [
            "send",
            "--json",
            "--key",
            name,
            "--to",
            to,
            "--focus",
            "deploy",
            "--broadcast",
            "--",
            name,
        ];
        let mut command = alone(world, &words);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        Self(command.spawn().expect("it starts"))
    }

    /// Watches it until `begun`, then for so many looks; gives how many looks there were if it
    /// ended before.
    fn watch(&mut self, begun: impl Fn(u32) -> bool, looks: u64) -> Option<u64> {
        let mut left = None;
        for look in 0.. {
            if self.0.try_wait().expect("it can be asked").is_some() {
                return Some(look);
            }
            if left.is_none() && begun(self.0.id()) {
                left = Some(looks);
            }
            match left.as_mut() {
                Some(0) => return None,
                Some(left) => *left -= 1,
                None => {}
            }
            thread::yield_now();
        }
        None
    }

    /// Ends it, where it has not ended; gives the id of what it acknowledged, none where it was
    /// killed before.
    fn kill(mut self) -> Option<String> {
        let _ = self.0.kill();
        let mut out = String::new();
        let pipe = self.0.stdout.as_mut().expect("a pipe");
        pipe.read_to_string(&mut out).expect("UTF-8");
        let status = self.0.wait().expect("it ends");
        if status.success() {
            return Some(id(&serde_json::from_str(&out).expect("a receipt")));
        }
        assert_eq!(status.signal(), Some(9), "it was killed, and did not fail");
        None
    }
}

/// Whether the lock of the store names the process `pid`.
fn holds(lock: &Path, pid: u32) -> bool {
    let holder = fs::read_to_string(lock).unwrap_or_default();
    holder.split_whitespace().next() == Some(&pid.to_string())
}

/// What one sender after another acknowledged before it was killed.
fn kill_many(world: &World, to: &str, killer: u64) -> BTreeMap<String, Option<String>> {
    let lock = world.beside("attend/data/mail.lock");
    let mut dice = Dice::new(killer + 1);
    // How many looks a whole one takes, to begin with.
    let mut whole = {
        let mut first = Sending::start(world, to, &format!("whole-{killer}"));
        let looks = first.watch(|_| true, u64::MAX);
        first.kill().expect("nobody killed it");
        looks.expect("it ends")
    };
    let mut ended = BTreeMap::new();
    for n in 0..KILLS {
        let name = format!("{killer}/{n}");
        let mut sending = Sending::start(world, to, &name);
        // Every other one is killed while it writes, or soon after.
        let looked = if n % 2 == 0 {
            sending.watch(|_| true, dice.below(whole * 5 / 4))
        } else {
            sending.watch(|pid| holds(&lock, pid), dice.below(whole / 4))
        };
        if let Some(looks) = looked.filter(|_| n % 2 == 0) {
            whole = u64::midpoint(whole, looks);
        }
        ended.insert(name, sending.kill());
    }
    ended
}

fn all(desk: &mut Desk, more: &str) -> BTreeMap<String, Value> {
    let page = desk
        .run(&format!("attend inbox --json --limit 1000 {more}"))
        .json();
    let messages = page["messages"].as_array().expect("a list");
    let named = messages.iter().map(|message| {
        let body = message["body"].as_str().expect("a body");
        (body.to_owned(), message.clone())
    });
    let named: BTreeMap<_, _> = named.collect();
    assert_eq!(named.len(), messages.len(), "once each");
    named
}

fn whole(world: &World, message: &Value) -> Whole {
    let around = Arc::new(SystemAround::new());
    let opened = SqliteMailbox::existing(&world.beside("attend/data"), around);
    let mailbox = opened.expect("it opens").expect("it is there");
    let query = Query::Message {
        id: MessageId::parse(&id(message)).expect("an id"),
        seat: None,
    };
    match block_on(mailbox.read(&query)).expect("it answers") {
        Answer::Message(Some(whole)) => *whole,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_killed_senders_acknowledged_is_kept_and_nothing_in_part() {
    let world = World::new();
    let mut reader = Desk::new(&world, ONE);
    let to = reader.seat();
    reader.run("attend focus on deploy").ok();
    let ended: BTreeMap<String, Option<String>> = thread::scope(|scope| {
        let killers = (0..KILLERS).map(|n| {
            let (world, to) = (&world, &to);
            scope.spawn(move || kill_many(world, to, n))
        });
        let killers: Vec<_> = killers.collect();
        let ended = killers
            .into_iter()
            .map(|killer| killer.join().expect("no panic"));
        ended.flatten().collect()
    });
    assert_eq!(ended.len() as u64, KILLERS * KILLS);
    let killed = ended.values().filter(|id| id.is_none()).count();
    assert!(killed > 0, "nobody was killed in time");

    let kept = all(&mut reader, "");
    for (name, acknowledged) in &ended {
        if let Some(acknowledged) = acknowledged {
            assert_eq!(id(&kept[name]), *acknowledged);
        }
    }
    // Each is there by all of its ways: to the seat, and in both rooms.
    let names: BTreeSet<&String> = kept.keys().collect();
    for room in ["--room open", "--room deploy"] {
        let posted = all(&mut reader, room);
        assert_eq!(posted.keys().collect::<BTreeSet<_>>(), names, "{room}");
    }
    for message in kept.values() {
        let whole = whole(&world, message);
        assert_eq!(whole.entry.to, [&format!("@{to}"), "#deploy", "#open"]);
        assert_eq!(whole.states, BTreeMap::from([(to.clone(), State::New)]));
        let rooms = ["deploy", "open"].map(|name| (RoomName::parse(name).expect("a name"), (0, 1)));
        assert_eq!(whole.rooms, BTreeMap::from(rooms));
    }

    // Whoever was not answered tries again, with the key: then it is there once.
    for (name, acknowledged) in &ended {
        let receipt = program(
            &world,
            &[
                "send",
                "--json",
                "--key",
                name,
                "--to",
                &to,
                "--focus",
                "deploy",
                "--broadcast",
                "--",
                name,
            ],
        )
        .json();
        let known = kept.get(name).map(id);
        assert_eq!(receipt["repeated"], known.is_some(), "{name}");
        for before in [&known, acknowledged].into_iter().flatten() {
            assert_eq!(id(&receipt), *before, "{name}");
        }
    }
    let wanted = ended.len() + usize::try_from(KILLERS).expect("a few");
    assert_eq!(all(&mut reader, "").len(), wanted);
    let unread = all(&mut reader, "--unread");
    assert_eq!(unread.len(), wanted);
}
