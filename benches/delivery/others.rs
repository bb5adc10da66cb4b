//! What a reader costs while messages for somebody else are sent.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use super::processes::{Place, timed};
use super::reading::{Reading, spoken};

/// How long a reader is left alone before it is looked at.
const REST: Duration = Duration::from_secs(20);

/// What a process used until now.
#[derive(Clone, Copy)]
struct Used {
    /// On a CPU, in nanoseconds, over all of its threads.
    cpu: u64,
    /// How often its threads slept.
    sleeps: u64,
    at: Instant,
}

impl Used {
    fn by(pid: u32) -> Self {
        let (mut cpu, mut sleeps) = (0, 0);
        for task in fs::read_dir(format!("/proc/{pid}/task")).unwrap() {
            let task = task.unwrap().path();
            let read = |name: &str| fs::read_to_string(task.join(name)).unwrap();
            let first = |text: &str| text.split_whitespace().next().unwrap().parse::<u64>();
            cpu += first(&read("schedstat")).unwrap();
            let status = read("status");
            let line = status
                .lines()
                .find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
            sleeps += first(line.unwrap()).unwrap();
        }
        let at = Instant::now();
        Self { cpu, sleeps, at }
    }
}

/// Counts what a reader uses in silence, and while so many messages go to another seat, to which
/// first nobody and then another reader listens.
pub(crate) fn others(place: &Place, messages: usize) {
    let (host, _) = spoken(place, 1);
    let reading = Reading::start(place, &host);
    let (other, seat) = spoken(place, 2);
    thread::sleep(REST);
    let silent = Used::by(reading.pid());
    thread::sleep(REST);
    let idle = tell(silent, Used::by(reading.pid()), "in silence", None);
    let send = |what: &str| {
        let before = Used::by(reading.pid());
        for n in 0..messages {
            let (_, output) = timed(place.attend(None, &["send", "--to", &seat, &n.to_string()]));
            assert!(output.status.success(), "{output:?}");
        }
        let after = Used::by(reading.pid());
        tell(before, after, what, Some((messages, idle)));
    };
    send("to a seat that nobody reads");
    let listening = Reading::start(place, &other);
    send("to a seat that another reads");
    drop(listening);
    let shown = reading.message_within(Duration::ZERO);
    assert_eq!(shown, None, "it is shown nothing");
}

/// Prints what was used between two looks; gives nanoseconds of CPU a second.
fn tell(before: Used, after: Used, what: &str, of: Option<(usize, f64)>) -> f64 {
    let cpu = (after.cpu - before.cpu) as f64;
    let seconds = (after.at - before.at).as_secs_f64();
    let sleeps = (after.sleeps - before.sleeps) as f64;
    println!(
        "{what}: {:.0} ns a second, {:.2} wakeups a second, over {seconds:.1} s",
        cpu / seconds,
        sleeps / seconds
    );
    if let Some((messages, idle)) = of {
        let all = cpu / messages as f64;
        let more = (cpu - idle * seconds) / messages as f64;
        println!("  {all:.0} ns a message in all, {more:.0} ns without what silence costs");
    }
    cpu / seconds
}
