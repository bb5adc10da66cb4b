//! A reader that is killed at random instants: what its readers printed, against what was sent.

use std::collections::BTreeMap;
use std::io::Read;
use std::process::Child;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use attend_core::testkit::SimulatedMonitor;
use attend_core::testkit::monitor::{Ending, Notification};
use benches::Dice;

use super::processes::{Host, Place, timed};
use super::reading::{Printed, spoken, without_cooldown};

/// The longest life of a reader.
const LIFE: u64 = 500;

/// How many send at once.
const SENDERS: usize = 2;

/// How long nothing comes before it is taken that nothing more will.
const QUIET: Duration = Duration::from_secs(8);

/// What one reader printed, and what Monitor made of it.
struct Life {
    printed: String,
    monitor: SimulatedMonitor,
}

/// Lets a reader live for `life`, or until nothing came for as long as `quiet` says.
fn live(place: &Place, host: &Host, life: Option<Duration>) -> Life {
    let mut child = place
        .attend(Some(host), &["run", "--rearm"])
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    let (begun, heard) = (Instant::now(), Mutex::new(Instant::now()));
    thread::scope(|scope| {
        let reading = scope.spawn(|| {
            let (mut monitor, mut printed) = (SimulatedMonitor::new(), Vec::new());
            let mut chunk = vec![0; 65_536];
            loop {
                let read = out.read(&mut chunk).unwrap();
                let now = u64::try_from(begun.elapsed().as_millis()).unwrap();
                if read == 0 {
                    monitor.end(now, Ending::Killed);
                    let printed = String::from_utf8(printed).unwrap();
                    return Life { printed, monitor };
                }
                monitor.write(now, &chunk[..read]);
                printed.extend_from_slice(&chunk[..read]);
                *heard.lock().unwrap() = Instant::now();
            }
        });
        match life {
            Some(life) => thread::sleep(life),
            None => {
                while heard.lock().unwrap().elapsed() < QUIET {
                    thread::sleep(Duration::from_millis(50));
                }
            }
        }
        end(&mut child);
        reading.join().unwrap()
    })
}

fn end(child: &mut Child) {
    let _ = child.kill();
    child.wait().unwrap();
}

/// Kills one reader after another while messages come, until all was printed; counts.
pub(crate) fn killed(place: &Place, messages: usize, seed: u64) {
    without_cooldown(place);
    let (host, seat) = spoken(place, 1);
    let (acknowledged, over) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let mut dice = Dice::new(seed);
    let mut lives = Vec::new();
    thread::scope(|scope| {
        let write = |sender: usize| {
            let (seat, acknowledged) = (&seat, &acknowledged);
            scope.spawn(move || {
                for n in (sender..messages).step_by(SENDERS) {
                    let body = format!("message {n}");
                    let command = place.attend(None, &["send", "--to", seat, &body]);
                    if timed(command).1.status.success() {
                        acknowledged.lock().unwrap().push(body);
                    }
                }
            })
        };
        let writing: Vec<_> = (0..SENDERS).map(write).collect();
        let over = &over;
        scope.spawn(move || {
            for one in writing {
                one.join().unwrap();
            }
            over.store(true, Ordering::SeqCst);
        });
        // What waits behind the last of them takes as many lives as it needs.
        while !over.load(Ordering::SeqCst) || unread(place, &host) > 40 {
            let life = Duration::from_millis(dice.below(LIFE));
            lives.push(live(place, &host, Some(life)));
        }
    });
    lives.push(live(place, &host, None));
    let acknowledged = acknowledged.into_inner().unwrap();
    tell(&acknowledged, &lives, messages);
}

fn unread(place: &Place, host: &Host) -> usize {
    let page = place.json(host, &["inbox", "--json", "--limit", "100"]);
    let messages = page["messages"].as_array().unwrap();
    let is_new = |message: &&serde_json::Value| message["state"] == "new";
    messages.iter().filter(is_new).count()
}

fn tell(sent: &[String], lives: &[Life], messages: usize) {
    let (mut shown, mut torn, mut ids) = (BTreeMap::new(), 0, BTreeMap::new());
    let mut delivered = BTreeMap::new();
    for life in lives {
        torn += usize::from(!life.printed.is_empty() && !life.printed.ends_with('\n'));
        let whole = life.printed.split_inclusive('\n');
        for printed in whole
            .filter(|line| line.ends_with('\n'))
            .filter_map(|line| Printed::of(line.trim_end()))
        {
            let (marked, unmarked) = shown.entry(printed.body.clone()).or_insert((0, 0));
            *(if printed.again { marked } else { unmarked }) += 1;
            ids.insert(printed.id, printed.body);
        }
        for line in life.monitor.delivered().flat_map(Notification::written) {
            if let Some(printed) = Printed::of(line) {
                *delivered.entry(printed.body).or_insert(0) += 1;
            }
        }
        life.monitor.assert_harmless();
    }
    let missing = sent
        .iter()
        .filter(|body| !shown.contains_key(*body))
        .count();
    let unknown = shown.keys().filter(|body| !sent.contains(body)).count();
    let count =
        |holds: &dyn Fn(&(usize, usize)) -> bool| shown.values().filter(|it| holds(it)).count();
    println!(
        "{messages} messages, {} acknowledged, {} readers of which {} were killed",
        sent.len(),
        lives.len(),
        lives.len() - 1
    );
    println!(
        "  never printed: {missing}, printed and not acknowledged: {unknown}, torn lines: {torn}"
    );
    println!(
        "  printed once: {}, more than once: {}, unmarked more than once: {}, only marked: {}",
        count(&|(marked, unmarked)| marked + unmarked == 1),
        count(&|(marked, unmarked)| marked + unmarked > 1),
        count(&|(_, unmarked)| *unmarked > 1),
        count(&|(_, unmarked)| *unmarked == 0),
    );
    println!(
        "  delivered by Monitor: {} of {}, {} ids",
        delivered.len(),
        sent.len(),
        ids.len()
    );
    assert_eq!((missing, unknown), (0, 0));
    assert_eq!(count(&|(_, unmarked)| *unmarked > 1), 0);
}
