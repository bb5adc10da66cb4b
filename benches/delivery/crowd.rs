//! Many that send at once to readers that run: exact counts of what each reader printed.

use std::collections::BTreeMap;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use super::processes::{Host, Place, tell, timed};
use super::reading::{Printed, Reading, spoken, without_cooldown};

/// How many read.
const READERS: usize = 8;

/// Starts so many writers, each of which sends to one reader after the other; counts what each
/// reader printed.
pub(crate) fn crowd(place: &Place, writers: usize, sends: usize) {
    without_cooldown(place);
    let readers: Vec<(Host, String)> = (0..READERS).map(|n| spoken(place, n + 1)).collect();
    let readings: Vec<Reading> = readers
        .iter()
        .map(|(host, _)| Reading::start(place, host))
        .collect();
    let start = Barrier::new(writers);
    let begun = Instant::now();
    let times: Vec<Duration> = thread::scope(|scope| {
        let write = |writer: usize| {
            let (readers, start) = (&readers, &start);
            scope.spawn(move || {
                start.wait();
                let send = |n: usize| {
                    let (_, seat) = &readers[(writer + n) % READERS];
                    let body = format!("{writer}/{n}");
                    let (time, output) = timed(place.attend(None, &["send", "--to", seat, &body]));
                    assert!(output.status.success(), "{output:?}");
                    time
                };
                (0..sends).map(send).collect::<Vec<_>>()
            })
        };
        let writing: Vec<_> = (0..writers).map(write).collect();
        writing
            .into_iter()
            .flat_map(|one| one.join().unwrap())
            .collect()
    });
    println!(
        "{writers} writers, {sends} sends each, in {:.1?}",
        begun.elapsed()
    );
    tell("one send, whole process", &times);
    for (reader, ((host, seat), reading)) in readers.iter().zip(&readings).enumerate() {
        let to = |writer: usize| (0..sends).filter(move |n| (writer + n) % READERS == reader);
        let wanted =
            (0..writers).flat_map(|writer| to(writer).map(move |n| format!("{writer}/{n}")));
        let mut wanted: Vec<String> = wanted.collect();
        wanted.sort_unstable();
        let printed: Vec<Printed> = wanted.iter().map(|_| reading.message().1).collect();
        // Nothing follows.
        let more = reading.message_within(Duration::from_secs(6));
        check(
            seat,
            &printed,
            &wanted,
            &sequence(place, host, sends * writers),
        );
        assert_eq!(more, None, "and nothing else");
    }
    println!("all printed after {:.1?}", begun.elapsed());
}

/// The place of each message of a seat in the one sequence, by its id.
fn sequence(place: &Place, host: &Host, most: usize) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    // So many pages back.
    for page in 0..most.div_ceil(1_000) {
        let page = page.to_string();
        let listed = place.json(
            host,
            &["inbox", "--json", "--limit", "1000", "--page", &page],
        );
        for message in listed["messages"].as_array().unwrap() {
            let id = message["id"].as_str().unwrap().to_owned();
            found.insert(id, message["seq"].as_u64().unwrap());
        }
        if listed["next"].is_null() {
            break;
        }
    }
    found
}

fn check(seat: &str, printed: &[Printed], wanted: &[String], sequence: &BTreeMap<String, u64>) {
    let marked = printed.iter().filter(|printed| printed.again).count();
    let in_order = printed.is_sorted_by(|a, b| sequence[&a.id] < sequence[&b.id]);
    let mut bodies: Vec<&String> = printed.iter().map(|printed| &printed.body).collect();
    bodies.sort_unstable();
    let exact = bodies.iter().copied().eq(wanted);
    println!(
        "{seat}: {} of {} printed, once each: {exact}, in sequence: {in_order}, marked: {marked}",
        printed.len(),
        wanted.len()
    );
    assert!(exact && in_order);
}
