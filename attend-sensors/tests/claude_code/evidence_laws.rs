//! What holds of evidence whatever stands in a transcript, and however it arrives.

use attend_core::mail::MessageId;
use attend_core::sensor::{Seen, Shown};
use attend_sensors::host::claude_code::seen_in;
use proptest::prelude::*;

use crate::random::piece;
use crate::world::World;

fn wanted() -> Shown {
    let digits = ["A1", "B2", "C3", "D4", "E5", "F6", "G7", "H8", "J9", "K0"];
    Shown::new(digits.map(|digits| {
        let (letter, digit) = digits.split_at(1);
        MessageId::new(letter.repeat(5) + digit)
    }))
}

/// All that is found from `from` on, and where that ended.
fn read(path: &std::path::Path, mut from: Option<u64>) -> (Vec<MessageId>, u64) {
    let mut found = Vec::new();
    loop {
        let Seen {
            ids,
            upto,
            complete,
            ..
        } = seen_in(path, &wanted().after(from)).unwrap();
        found.extend(
            ids.into_iter()
                .filter(|id| !found.contains(id))
                .collect::<Vec<_>>(),
        );
        if complete {
            return (found, upto);
        }
        from = Some(upto);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn in_pieces_or_at_once_the_same_messages_are_found(
        pieces in prop::collection::vec(piece(), 0..24),
        long in prop::option::of(0_usize..3 << 20),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let mut file = pieces.concat();
        if let Some(long) = long {
            file.splice(0..0, vec![b'z'; long]);
        }
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(file.len() + 1)).collect();
        cuts.sort_unstable();
        let world = World::new();
        let path = world.write("");
        let mut grown = Vec::new();
        let mut place = 0;
        let mut begin = 0;
        for cut in cuts.into_iter().chain([file.len()]) {
            world.append(&file[begin..cut]);
            begin = cut;
            let (found, upto) = read(&path, Some(place));
            place = upto;
            grown.extend(found.into_iter().filter(|id| !grown.contains(id)).collect::<Vec<_>>());
        }
        prop_assert_eq!((grown, place), read(&path, Some(0)));
    }

    #[test]
    fn no_bytes_make_it_fail(
        bytes in prop::collection::vec(any::<u8>(), 0..2_000),
        torn in "\\PC{0,40}",
        from in any::<u64>(),
    ) {
        let world = World::new();
        let row = format!("{{\"type\":\"user\",{torn}[attend sensor=messages] AAAAA1 \n");
        let path = world.write([bytes, row.into_bytes()].concat());
        prop_assert!(read(&path, None).0.is_empty());
        prop_assert!(seen_in(&path, &wanted().after(Some(from))).is_ok());
    }
}
