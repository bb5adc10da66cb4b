//! A reader whose stdout has no room: it claims nothing and rests, and says all of it later.

use std::fs;
use std::io::{self, Read};
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::delivered::Delivered;
use crate::hosts_fake::SILENCE;
use crate::live::{Live, eventually};
use crate::monitor_pipe::MonitorPipe;
use crate::outputs::fill;
use crate::reader::Session;
use crate::world::World;

/// How often the threads of a process slept, and how long they ran.
fn used(pid: u32) -> (u64, Duration) {
    let (mut sleeps, mut ran) = (0, 0);
    for task in fs::read_dir(format!("/proc/{pid}/task")).expect("it runs") {
        let task = task.expect("a thread").path();
        let read = |name: &str| fs::read_to_string(task.join(name)).unwrap_or_default();
        let number = |text: &str| text.trim().parse::<u64>().unwrap_or_default();
        let status = read("status");
        let slept = status
            .lines()
            .find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        sleeps += slept.map_or(0, number);
        ran += read("schedstat").split(' ').next().map_or(0, number);
    }
    (sleeps, Duration::from_nanos(ran))
}

#[test]
fn a_reader_without_room_claims_nothing_does_not_spin_and_says_it_later() {
    let world = World::new();
    let mut session = Session::new(&world, 0);
    let (mut pipe, writer) = io::pipe().expect("a pipe");
    let ours = writer.try_clone().expect("a descriptor");
    let live = Live::start_on(&mut session.attend(&["run"]), writer.into());
    let mut banner = Vec::new();
    while !banner.ends_with(b"\n") {
        let mut chunk = [0; 4_096];
        let read = pipe.read(&mut chunk).expect("it can be read");
        banner.extend_from_slice(&chunk[..read]);
    }
    let filled = fill(&ours);
    drop(ours);
    let ids: Vec<String> = (0..5)
        .map(|n| session.told(&format!("number {n}")))
        .collect();
    // It has looked once the first of them changed something; then it rests.
    let begun = Instant::now();
    let before = used(live.pid());
    eventually("time passes", || begun.elapsed() >= SILENCE);
    let after = used(live.pid());
    let sleeps = after.0 - before.0;
    assert!(
        sleeps < 60,
        "it slept {sleeps} times in {:?}",
        begun.elapsed()
    );
    let ran = after.1.saturating_sub(before.1);
    assert!(ran * 5 < begun.elapsed(), "it ran for {ran:?}");
    let page = session.desk.run("attend inbox --json").json();
    let messages = page["messages"].as_array().expect("a list");
    assert!(
        messages.iter().all(|message| message["state"] == "new"),
        "{page}"
    );

    let mut noise = vec![0; filled];
    pipe.read_exact(&mut noise).expect("the pipe was full");
    // A Monitor that goes on. What it stood still before was noise, of which it would make lines.
    let delivered = Delivered::by(MonitorPipe::at(pipe));
    // A claim would have left a mark.
    delivered.assert_told(&ids);
    live.signal(Signal::TERM);
    assert_eq!(live.silent_end(), (Some(0), String::new()));
}
