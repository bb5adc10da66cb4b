//! Whole processes of `attend`, as people start them: many that send at once, and one after another.
//!
//! ```sh
//! cargo build --release -p attend-bin
//! cargo bench -p benches --bench senders -- DIR crowd [WRITERS SENDS] [along] [slow]
//! cargo bench -p benches --bench senders -- DIR one [ROUNDS]
//! ```
//!
//! `DIR` becomes ATTEND_HOME; a store that lies in `DIR/data` is used. `crowd` starts so many
//! writers, each of which sends one message after another to one of 8 readers and to `#open`, and
//! counts what arrived; `along` reads meanwhile; `slow` makes every fsync take 10 ms longer (it
//! needs strace, and the right to trace). `one` measures each command alone. Beside each time
//! stands that of two fsyncs of the same directory, taken in turns with it. Start it outside any
//! session of a host: below one, everybody would be that session.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement reads the clock, starts processes, prints, and ends where it cannot go on"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use self::processes::{Host, Place, tell, timed};

mod processes;

/// How many read.
const READERS: usize = 8;

/// How many messages a reader asks for at once.
const PAGE: &str = "1000";

/// What is asked of `attend`: the words of its arguments, and whether the caches are emptied first.
type Asked<'a> = (&'a str, &'a [&'a str], bool);

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let has = |word: &str| words.contains(&word);
    let [dir, what, ..] = words[..] else {
        println!("give a directory and `crowd` or `one`");
        return;
    };
    if has("slow") && std::env::var_os("SLOWED").is_none() {
        return slowed();
    }
    let numbers: Vec<usize> = words
        .iter()
        .skip(2)
        .filter_map(|word| word.parse().ok())
        .collect();
    let place = Place::new(Path::new(dir));
    match what {
        "crowd" => {
            let writers = numbers.first().copied().unwrap_or(64);
            let sends = numbers.get(1).copied().unwrap_or(200);
            crowd(&place, writers, sends, has("along"));
        }
        _ => one(&place, numbers.first().copied().unwrap_or(400)),
    }
}

/// Starts this program again with every fsync, its own too, slowed down.
fn slowed() {
    let mut strace = Command::new("strace");
    strace
        .args([
            "-f",
            "--seccomp-bpf",
            "-qq",
            "-o",
            "/dev/null",
            "-e",
            "trace=fsync,fdatasync",
        ])
        .args(["-e", "inject=fsync,fdatasync:delay_exit=10000"])
        .arg(std::env::current_exe().unwrap())
        .args(std::env::args().skip(1))
        .env("SLOWED", "1");
    let status = strace
        .status()
        .expect("strace is installed (apt-get install strace)");
    assert!(status.success(), "{status}");
}

/// Many send at once, some read, and everything is counted.
fn crowd(place: &Place, writers: usize, sends: usize, along: bool) {
    let readers: Vec<Host> = (0..READERS).map(|n| place.host(n)).collect();
    let seat = |host| {
        place.json(host, &["whoami", "--json"])["seat"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let seats: Vec<String> = readers.iter().map(seat).collect();
    // Half of them are sessions, which sit down each time; the rest are programs.
    let hosts = (0..writers).map(|n| (n % 2 == 0).then(|| place.host(READERS + n)));
    let hosts: Vec<Option<Host>> = hosts.collect();
    let (start, left) = (Barrier::new(writers + 1), AtomicUsize::new(writers));
    let mut probe = place.probe();
    let ((times, failed, took), read) = thread::scope(|scope| {
        let write = |writer: usize| {
            let (host, seats, start, left) = (hosts[writer].as_ref(), &seats, &start, &left);
            scope.spawn(move || {
                start.wait();
                let done = writes(place, host, seats, writer, sends);
                left.fetch_sub(1, Ordering::SeqCst);
                done
            })
        };
        let writing: Vec<_> = (0..writers).map(write).collect();
        start.wait();
        let begun = Instant::now();
        let reading: Vec<_> = readers
            .iter()
            .filter(|_| along)
            .map(|host| scope.spawn(|| reads(place, host, &left)))
            .collect();
        while left.load(Ordering::SeqCst) > 0 {
            probe.syncs(2);
            thread::sleep(Duration::from_millis(50));
        }
        let took = begun.elapsed();
        let (mut times, mut failed) = (Vec::new(), Vec::new());
        for writer in writing {
            let (some, errors) = writer.join().unwrap();
            times.extend(some);
            failed.extend(errors);
        }
        let read: Vec<_> = reading.into_iter().map(|one| one.join().unwrap()).collect();
        ((times, failed, took), read)
    });
    let read = if along {
        read
    } else {
        readers
            .iter()
            .map(|host| reads(place, host, &left))
            .collect()
    };
    println!(
        "{writers} writers, {sends} sends each: {} sent, {} failed, in {took:.1?}",
        times.len(),
        failed.len()
    );
    for error in failed.iter().take(5) {
        println!("  {error}");
    }
    let locked = failed
        .iter()
        .filter(|error| error.contains("locked"))
        .count();
    println!("\"database is locked\": {locked}");
    tell("one send, whole process", &times);
    let first: Vec<Duration> = times.iter().step_by(sends).copied().collect();
    tell("the first of each writer", &first);
    tell("two fsyncs, meanwhile", &probe.taken);
    let two = probe.taken.iter().sum::<Duration>() / u32::try_from(probe.taken.len()).unwrap();
    println!(
        "budget of the longest: {:.1?}",
        Duration::from_secs(1) + 64 * two
    );
    for (seat, read) in seats.iter().zip(&read) {
        check(seat, read, writers * sends - failed.len());
    }
}

/// What one writer does; gives how long each send took, and what the failed ones said.
fn writes(
    place: &Place,
    host: Option<&Host>,
    seats: &[String],
    writer: usize,
    sends: usize,
) -> (Vec<Duration>, Vec<String>) {
    let (mut times, mut failed) = (Vec::new(), Vec::new());
    for n in 0..sends {
        let to = format!("@{}", seats[(writer + n) % seats.len()]);
        let body = format!("{writer}/{n}");
        let (time, output) = timed(place.attend(host, &["send", &to, "#open", &body]));
        if output.status.success() {
            times.push(time);
        } else {
            failed.push(String::from_utf8_lossy(&output.stderr).into_owned());
        }
    }
    (times, failed)
}

/// The places and words of all that a reader is shown, until nothing is left and nobody writes.
fn reads(place: &Place, host: &Host, left: &AtomicUsize) -> Vec<(u64, String)> {
    let mut read = Vec::new();
    loop {
        let is_last = left.load(Ordering::SeqCst) == 0;
        let page = place.json(host, &["inbox", "--unread", "--json", "--limit", PAGE]);
        let messages = page["messages"].as_array().unwrap();
        if messages.is_empty() && is_last {
            return read;
        }
        let one = |message: &Value| {
            let body = message["body"].as_str().unwrap().to_owned();
            (message["seq"].as_u64().unwrap(), body)
        };
        read.extend(messages.iter().map(one));
    }
}

/// Counts what a reader was shown: all of it once, in the order of the sequence and of each writer.
fn check(seat: &str, read: &[(u64, String)], all: usize) {
    let in_order = read.is_sorted_by(|a, b| a.0 < b.0);
    let mut of_writers = BTreeMap::<&str, Vec<u64>>::new();
    for (_, body) in read {
        let (writer, n) = body.split_once('/').unwrap();
        of_writers
            .entry(writer)
            .or_default()
            .push(n.parse().unwrap());
    }
    let by_writer = of_writers
        .values()
        .all(|one| one.is_sorted_by(|a, b| a < b));
    println!(
        "{seat}: {} of {all} shown, once each and in sequence: {in_order}, in the order of each writer: {by_writer}",
        read.len()
    );
}

/// Each command alone, one after another.
fn one(place: &Place, rounds: usize) {
    let (host, reader) = (place.host(1), place.host(2));
    let seat = place.json(&reader, &["whoami", "--json"])["seat"]
        .as_str()
        .unwrap()
        .to_owned();
    place.json(&host, &["whoami", "--json"]);
    let to = format!("@{seat}");
    let store = place.dir.join("data/mail.db");
    let bytes = |file: &Path| fs::metadata(file).map_or(0, |file| file.len()) >> 20;
    println!("the store has {} MiB", bytes(&store));
    let send: &[&str] = &["send", &to, "the build is green"];
    let measure = |host: Option<&Host>, (what, args, cold): Asked<'_>, rounds: usize| {
        let (mut times, mut probe) = (Vec::new(), place.probe());
        for _ in 0..rounds {
            if cold {
                forget(&[&store, &store.with_extension("db-wal"), &place.attend]);
            }
            probe.syncs(2);
            let (time, output) = timed(place.attend(host, args));
            assert!(output.status.success(), "{output:?}");
            times.push(time);
        }
        tell(what, &times);
        tell("  two fsyncs, in turns with it", &probe.taken);
    };
    measure(None, ("attend --version", &["--version"], false), rounds);
    measure(None, ("send, a program", send, false), rounds);
    measure(Some(&host), ("send, a session", send, false), rounds);
    let mut reading = vec![
        ("inbox", &["inbox"][..], false),
        ("inbox of #open", &["inbox", "--room", "open"][..], false),
        (
            "search, common word",
            &["inbox", "--room", "open", "--search", "deploy"][..],
            false,
        ),
        (
            "search, rare word",
            &["inbox", "--room", "open", "--search", "rare4711"][..],
            false,
        ),
        (
            "search, no match",
            &["inbox", "--room", "open", "--search", "dep gree"][..],
            false,
        ),
    ];
    reading.push((
        "inbox of #open, cold",
        &["inbox", "--room", "open"][..],
        true,
    ));
    for asked in reading {
        measure(
            Some(&reader),
            asked,
            if asked.2 { rounds / 10 } else { rounds / 2 },
        );
    }
}

/// Drops files from the system's cache.
fn forget(files: &[&Path]) {
    for file in files {
        let mut dd = Command::new("dd");
        dd.arg(format!("if={}", file.display()))
            .args(["iflag=nocache", "count=0", "status=none"]);
        assert!(dd.status().unwrap().success());
    }
}
