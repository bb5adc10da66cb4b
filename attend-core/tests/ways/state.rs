//! What is remembered and logged when a way is shown.

use std::collections::BTreeMap;
use std::convert::Infallible;

use attend_core::dynamics::{Shape, Tick};
use attend_core::ways::{FLOOR, Fired, Gate, Ledger, Position, WayId, fires, stamp, try_fire};

use crate::{curve, way};

#[derive(Default)]
struct Memory {
    kept: BTreeMap<String, Vec<u8>>,
    log: String,
}

impl Ledger for Memory {
    type Error = Infallible;

    fn kept(&self, way: &WayId) -> Result<Option<Vec<u8>>, Infallible> {
        Ok(self.kept.get(way.as_str()).cloned())
    }

    fn keep(&mut self, way: &WayId, bytes: &[u8]) -> Result<(), Infallible> {
        self.kept.insert(way.to_string(), bytes.to_vec());
        Ok(())
    }

    fn log(&mut self, line: &str) -> Result<(), Infallible> {
        self.log.push_str(line);
        self.log.push('\n');
        Ok(())
    }
}

fn at(epoch: &str, tokens: u64) -> Gate {
    Gate::new(Position::new(Some(epoch.into()), tokens), FLOOR)
}

#[test]
fn showings_are_logged_with_their_distance() {
    let (mut memory, way) = (Memory::default(), way("a", "d", "s", ""));
    let ways = [(&way, curve(Shape::Flat { suppression: 100 }))];
    let mut fire = |gate: Gate, now| try_fire(&mut memory, &gate, &ways, now).unwrap();
    assert_eq!(fire(at("e1", 1_000), 7), Fired::Whole(0));
    assert!(matches!(fire(at("e1", 1_099), 8), Fired::Suppressed(_)));
    assert_eq!(fire(at("e1", 1_250), 9), Fired::Whole(0));
    assert_eq!(fire(at("e2", 1_251), 10), Fired::Whole(0));
    assert_eq!(
        memory.log,
        "{\"event\":\"way_fired\",\"at\":7,\"way\":\"a\",\"epoch\":\"e1\",\"tokens\":1000,\"fires\":1,\"signals\":[\"s\"]}\n\
         {\"event\":\"way_redisclosed\",\"at\":9,\"way\":\"a\",\"epoch\":\"e1\",\"tokens\":1250,\"distance\":250,\"fires\":2,\"signals\":[\"s\"]}\n\
         {\"event\":\"way_fired\",\"at\":10,\"way\":\"a\",\"epoch\":\"e2\",\"tokens\":1251,\"fires\":3,\"signals\":[\"s\"]}\n"
    );
    let shown = |epoch: &str, tokens| fires(&memory.log, &way.id, at(epoch, tokens).position());
    assert_eq!(shown("e1", 2_000), [1_000, 1_250].map(Tick::new));
    assert_eq!(shown("e2", 2_000), [1_251].map(Tick::new));
    assert_eq!(shown("e1", 1_100), []);
}

#[test]
fn of_several_the_first_that_has_faded_is_shown() {
    let (mut memory, a, b) = (
        Memory::default(),
        way("a", "d", "s", ""),
        way("b", "d", "s", ""),
    );
    let ways = [
        (&a, curve(Shape::Flat { suppression: 100 })),
        (&b, curve(Shape::Flat { suppression: 100 })),
    ];
    let mut fire = |tokens| try_fire(&mut memory, &at("e", tokens), &ways, 0).unwrap();
    assert_eq!(fire(0), Fired::Whole(0));
    assert_eq!(fire(1), Fired::Whole(1));
    assert!(matches!(fire(2), Fired::Suppressed(outcomes) if outcomes.len() == 2));
    assert_eq!(fire(100), Fired::Whole(0));
}

#[test]
fn what_is_damaged_counts_as_nothing() {
    let (mut memory, way) = (Memory::default(), way("a", "d", "s", ""));
    memory.kept.insert("a".into(), b"{\"epoch\":".to_vec());
    assert_eq!(stamp(&memory, &way.id).unwrap(), None);
    let ways = [(&way, curve(Shape::Flat { suppression: 100 }))];
    let fired = try_fire(&mut memory, &at("e", 5), &ways, 0).unwrap();
    assert_eq!(fired, Fired::Whole(0));
    let kept = stamp(&memory, &way.id).unwrap().unwrap();
    assert_eq!(kept.engagement.last_fire(), Some(Tick::new(5)));
    assert_eq!(fires("no json\n{}\n", &way.id, at("e", 9).position()), []);
}
