//! Lines that are alike, look after look: told once, for as long as they go on.

use std::collections::{BTreeMap, BTreeSet};

use attend_core::sensor::{Event, Observation};

/// More lines of one look that differ in nothing but numbers are too many.
const MOST: usize = 8;

/// How much it matters, at most, where no line by itself matters more.
const WEIGHT: f64 = 3.0;

/// How much of a line counts, in characters.
const LENGTH: usize = 100;

/// Which lines were too many.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Alike {
    /// At the last look.
    last: BTreeSet<String>,
    /// Of these it stands that they go on.
    told: BTreeSet<String>,
}

/// What lines of one shape come to.
struct Heap {
    count: usize,
    sum: f64,
    largest: f64,
    last: String,
}

impl Alike {
    /// What is to be told of the events of one look, and the keys that hold no longer.
    ///
    /// A script that says too many lines that are alike is heard. Where the next look finds them
    /// again, it is told that they go on, and no more of it until a look finds fewer.
    pub(super) fn fold(&mut self, events: Vec<Event>) -> (Vec<Event>, Vec<String>) {
        let checked = events.iter().map(|event| event.clone().check().ok());
        let shapes: Vec<Option<(String, Observation)>> =
            checked.map(|event| shape(event?)).collect();
        let mut heaps: BTreeMap<String, Heap> = BTreeMap::new();
        for (shape, event) in shapes.iter().flatten() {
            let magnitude = event.magnitude().get();
            let heap = heaps.entry(shape.clone()).or_insert(Heap {
                count: 0,
                sum: 0.0,
                largest: 0.0,
                last: String::new(),
            });
            heap.count += 1;
            heap.sum += magnitude;
            heap.largest = heap.largest.max(magnitude);
            event.text().clone_into(&mut heap.last);
        }
        heaps.retain(|_, heap| heap.count > MOST);
        let many: BTreeSet<String> = heaps.keys().cloned().collect();
        heaps.retain(|shape, _| self.last.contains(shape));
        let is_told = |shape: &Option<(String, Observation)>| {
            shape
                .as_ref()
                .is_some_and(|(shape, _)| heaps.contains_key(shape))
        };
        let mut rest: Vec<Event> = events
            .into_iter()
            .zip(&shapes)
            .filter_map(|(event, shape)| (!is_told(shape)).then_some(event))
            .collect();
        rest.extend(heaps.iter().map(|(shape, heap)| {
            let magnitude = heap.largest.max(WEIGHT.min(heap.sum / 2.0));
            let text = format!("{} lines a look such as: {}", heap.count, heap.last);
            Event::new(magnitude, text).key(key(shape)).standing()
        }));
        let over = self.told.iter().filter(|shape| !many.contains(*shape));
        let over = over.map(|shape| key(shape)).collect();
        self.told = heaps.into_keys().collect();
        self.last = many;
        (rest, over)
    }
}

/// What a line says, without its numbers; none of one that has a key or a signal of its own.
fn shape(event: Observation) -> Option<(String, Observation)> {
    if event.key().is_some() || event.signal().is_some() {
        return None;
    }
    let mut shape = String::new();
    for c in event.text().chars().take(LENGTH) {
        match c {
            '0'..='9' if shape.ends_with('#') => {}
            '0'..='9' => shape.push('#'),
            c => shape.push(c),
        }
    }
    Some((shape, event))
}

fn key(shape: &str) -> String {
    format!("alike:{shape}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(count: usize) -> Vec<Event> {
        (0..count)
            .map(|job| Event::new(0.5, format!("job {job} failed")))
            .collect()
    }

    fn texts(events: &[Event]) -> Vec<String> {
        let checked = events.iter().map(|event| event.clone().check().unwrap());
        checked.map(|event| event.text().to_owned()).collect()
    }

    #[test]
    fn too_many_lines_are_told_and_then_only_that_they_go_on() {
        let mut alike = Alike::default();
        assert_eq!(alike.fold(lines(40)).0.len(), 40);
        for count in [40, 30] {
            let (told, over) = alike.fold(lines(count));
            let text = format!("{count} lines a look such as: job {} failed", count - 1);
            assert_eq!((texts(&told), over.len()), (vec![text], 0));
            let event = told[0].clone().check().unwrap();
            assert!(event.is_standing());
            assert_eq!(event.magnitude().get().to_bits(), 3.0_f64.to_bits());
        }
        let (told, over) = alike.fold(lines(8));
        assert_eq!(told.len(), 8);
        assert_eq!(over, ["alike:job # failed"]);
        assert_eq!(alike.fold(lines(40)).0.len(), 40, "it begins anew");
    }

    #[test]
    fn few_lines_other_lines_and_those_with_a_key_stay_what_they_are() {
        let mut alike = Alike::default();
        let other = || (0..20).map(|at| Event::new(1.0, format!("a{}", "x".repeat(at))));
        for _ in 0..3 {
            assert_eq!(alike.fold(lines(8)).0.len(), 8);
            assert_eq!(alike.fold(other().collect()).0.len(), 20);
            let keyed = lines(20).into_iter().map(|event| event.key("jobs"));
            assert_eq!(alike.fold(keyed.collect()).0.len(), 20);
        }
    }

    #[test]
    fn a_line_that_matters_goes_on_to_matter() {
        let mut alike = Alike::default();
        let loud = || {
            (0..9)
                .map(|job| Event::new(7.0, format!("disk {job}")))
                .collect()
        };
        alike.fold(loud());
        let (told, _) = alike.fold(loud());
        let event = told[0].clone().check().unwrap();
        assert_eq!(event.magnitude().get().to_bits(), 7.0_f64.to_bits());
    }
}
