//! From the return of `send` to the line on the reader's stdout.

use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::processes::{Host, Place, tell, timed};
use super::reading::{Reading, spoken};

/// How many read in turn, so that each has its rest while the others are written to.
const READERS: usize = 8;

/// The least time between two messages to one reader: more than the cooldown of mail, so that
/// each is alone.
const APART: Duration = Duration::from_millis(3_200);

/// Something that uses a core whenever nobody else wants it, as long as this process lives: not
/// with the priority that this may have.
struct Spinner(Child);

impl Spinner {
    fn start() -> Self {
        let spin = "while kill -0 \"$PPID\"; do :; done";
        let mut command = Command::new("chrt");
        command.args(["-o", "0", "nice", "-n", "19", "sh", "-c", spin]);
        Self(command.stdin(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Sends one message after another, and says how long each took to its line.
pub(crate) fn latency(place: &Place, rounds: usize, others: usize, busy: bool) {
    let start = |n: usize| {
        let (host, seat) = spoken(place, n + 1);
        let reading = Reading::start(place, &host);
        (host, seat, reading)
    };
    let readers: Vec<(Host, String, Reading)> = (0..READERS).map(start).collect();
    let others: Vec<_> = (READERS..READERS + others).map(start).collect();
    let cores = thread::available_parallelism().unwrap().get();
    let spinners: Vec<Spinner> = (0..if busy { cores } else { 0 })
        .map(|_| Spinner::start())
        .collect();
    println!(
        "{READERS} readers in turn, {} others, {} spinners",
        others.len(),
        spinners.len()
    );
    let apart = APART / u32::try_from(READERS).unwrap();
    let mut probe = place.probe();
    let (mut sends, mut lines, mut whole, mut before) = (vec![], vec![], vec![], 0);
    // One of each first: it carries the hint how to answer.
    for round in 0..READERS + rounds {
        let begun = Instant::now();
        let (_, seat, reading) = &readers[round % READERS];
        let body = format!("round {round}");
        let asked = Instant::now();
        let (took, output) = timed(place.attend(None, &["send", "--to", seat, &body]));
        let returned = asked + took;
        assert!(output.status.success(), "{output:?}");
        let (at, printed) = reading.message();
        assert_eq!((printed.body, printed.again), (body, false));
        if round >= READERS {
            sends.push(took);
            before += usize::from(at < returned);
            lines.push(at.saturating_duration_since(returned));
            whole.push(at.duration_since(asked));
            probe.syncs(1);
        }
        thread::sleep(apart.saturating_sub(begun.elapsed()));
    }
    tell("from the return of send to the line", &lines);
    println!("  the line was there before send had returned: {before}");
    tell("one fsync, in turns with it", &probe.taken);
    tell("send, whole process", &sends);
    tell("from the start of send to the line", &whole);
    let unread: usize = others
        .iter()
        .filter(|(_, _, reading)| reading.message_within(Duration::ZERO).is_some())
        .count();
    assert_eq!(unread, 0, "nobody else is shown anything");
}
