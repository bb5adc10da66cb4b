//! Delivery by real `attend run` processes: killed readers, a crowd of senders, the time to the line, and what others cost.
//!
//! ```sh
//! cargo build --release -p attend-bin
//! cargo bench -p benches --bench delivery -- DIR killed [MESSAGES [SEED]]
//! cargo bench -p benches --bench delivery -- DIR crowd [WRITERS SENDS]
//! cargo bench -p benches --bench delivery -- DIR latency [ROUNDS [OTHERS]] [busy]
//! cargo bench -p benches --bench delivery -- DIR others [MESSAGES]
//! ```
//!
//! `DIR` becomes ATTEND_HOME; it should be a new directory on the disk that is meant. `killed`
//! kills a reader behind a simulated Monitor at random instants while so many messages come, and
//! counts what its readers printed. `crowd` starts so many writers, which send to 8 readers, and
//! counts what each printed. `latency` measures from the return of `send` to the line, in turns
//! with an fsync of the same directory, while so many other readers run and, with `busy`, while
//! every core is. `others` measures what a reader costs while messages for another seat are sent.
//! Start it outside any session of a host: below one, everybody would be that session.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement reads the clock, starts processes, prints, and ends where it cannot go on"
)]

use std::path::Path;

use self::processes::Place;

#[path = "delivery/crowd.rs"]
mod crowd;
#[path = "delivery/killed.rs"]
mod killed;
#[path = "delivery/latency.rs"]
mod latency;
#[path = "delivery/others.rs"]
mod others;
mod processes;
#[path = "delivery/reading.rs"]
mod reading;

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let [dir, what, ref rest @ ..] = words[..] else {
        println!("give a directory and `killed`, `crowd`, `latency` or `others`");
        return;
    };
    let numbers: Vec<usize> = rest.iter().filter_map(|word| word.parse().ok()).collect();
    let number = |at: usize, default: usize| numbers.get(at).copied().unwrap_or(default);
    let place = Place::new(Path::new(dir));
    match what {
        "killed" => killed::killed(&place, number(0, 2_000), number(1, 1) as u64),
        "crowd" => crowd::crowd(&place, number(0, 64), number(1, 200)),
        "latency" => latency::latency(&place, number(0, 200), number(1, 0), rest.contains(&"busy")),
        _ => others::others(&place, number(0, 1_000)),
    }
}
