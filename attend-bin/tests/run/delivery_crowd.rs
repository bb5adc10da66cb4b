//! Many that send at once to readers that run: each prints what is its own, once each and in sequence.

use std::collections::BTreeMap;
use std::sync::Barrier;
use std::thread;

use crate::desk::{id, program};
use crate::hosts_fake::SILENCE;
use crate::live::Live;
use crate::reader::{Session, Shown, next, without_cooldown};
use crate::world::World;

const SENDERS: usize = 8;
const SENDS: usize = 10;
const READERS: usize = 3;

#[test]
fn what_many_send_at_once_is_printed_by_each_reader_once_and_in_sequence() {
    let world = World::new();
    without_cooldown(&world);
    let mut sessions: Vec<Session<'_>> = (0..READERS).map(|n| Session::new(&world, n)).collect();
    let mut readers: Vec<Live> = sessions.iter().map(Session::reader).collect();
    let seats: Vec<String> = sessions.iter().map(|one| one.seat.clone()).collect();
    let start = Barrier::new(SENDERS);
    let sent: Vec<(usize, String, String)> = thread::scope(|scope| {
        let write = |sender: usize| {
            let (world, seats, start) = (&world, &seats, &start);
            scope.spawn(move || {
                start.wait();
                let send = |n: usize| {
                    let (to, body) = ((sender + n) % READERS, format!("{sender}/{n}"));
                    let args = ["send", "--json", "--to", &seats[to], &body];
                    (to, id(&program(world, &args).json()), body)
                };
                (0..SENDS).map(send).collect::<Vec<_>>()
            })
        };
        let writers: Vec<_> = (0..SENDERS).map(write).collect();
        let sent = writers.into_iter().map(|one| one.join().expect("no panic"));
        sent.flatten().collect()
    });
    for (reader, live) in readers.iter_mut().enumerate() {
        let own: BTreeMap<&str, &str> = sent
            .iter()
            .filter(|(to, ..)| *to == reader)
            .map(|(_, id, body)| (id.as_str(), body.as_str()))
            .collect();
        let printed: Vec<Shown> = own.iter().map(|_| next(live)).collect();
        let told: BTreeMap<&str, &str> = printed
            .iter()
            .map(|shown| (shown.id.as_str(), shown.body.as_str()))
            .collect();
        assert_eq!(told, own);
        assert!(printed.iter().all(|shown| !shown.again), "{printed:?}");
        let page = sessions[reader]
            .desk
            .run("attend inbox --json --limit 1000")
            .json();
        let kept = page["messages"].as_array().expect("a list").iter().map(id);
        let kept: Vec<String> = kept.collect();
        assert_eq!(kept.len(), own.len());
        live.assert_told(&kept);
    }
    for live in &mut readers {
        assert_eq!(live.line_within(SILENCE), None, "and nothing else");
    }
}
