//! Whatever stands in a transcript, and however it arrives.

use attend_core::sensor::{ContextUsage, OwnChanges};
use proptest::prelude::*;

use crate::world::{World, answer, context, fixture, own, prompt};

/// Pieces of which transcripts are made up: rows, damaged rows, and what is no row.
pub(crate) fn piece() -> impl Strategy<Value = Vec<u8>> {
    let fixtures = ["03", "05", "15", "30", "32", "36", "40", "41"];
    let rows: Vec<Vec<u8>> = fixtures
        .iter()
        .flat_map(|number| {
            fixture(number)
                .split_inclusive(|byte| *byte == b'\n')
                .map(<[u8]>::to_vec)
                .collect::<Vec<_>>()
        })
        .collect();
    let values = prop_oneof![
        Just("null"),
        Just("-1"),
        Just("1e400"),
        Just("\"x\""),
        Just("[[{}]]"),
        Just("{\"a\":[1]}"),
        Just("true"),
        Just("18446744073709551615"),
        Just("\"2026-11-20T11:00:10Z\""),
    ];
    let row = proptest::sample::select(rows);
    prop_oneof![
        4 => row.clone(),
        // A row in which a value is of another type.
        2 => (row, values, 0..64_usize).prop_map(|(row, value, place)| {
            let text = String::from_utf8_lossy(&row).into_owned();
            let colons: Vec<usize> = text.match_indices(": ").map(|(at, _)| at).collect();
            let Some(at) = colons.get(place % colons.len().max(1)) else { return row };
            let (before, after) = text.split_at(*at);
            let rest = after.find(',').and_then(|comma| after.get(comma..)).unwrap_or("}\n");
            format!("{before}: {value}{rest}").into_bytes()
        }),
        1 => prop::collection::vec(any::<u8>(), 0..200),
        1 => (1_u32..9, 0_u64..2_000_000).prop_map(|(id, tokens)| answer(id, tokens).into_bytes()),
        1 => Just(prompt("2026-11-20T11:30:00Z").into_bytes()),
        1 => (0..300_000_usize).prop_map(|length| {
            format!("{{\"type\":\"prompt_snapshot\",\"text\":\"{}\"}}\n", "y".repeat(length)).into_bytes()
        }),
        1 => Just(vec![0; 100]),
        1 => Just(b"\n".to_vec()),
    ]
}

fn told(host: &attend_sensors::host::claude_code::ClaudeCode) -> (ContextUsage, OwnChanges) {
    (context(host), own(host))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn in_pieces_or_at_once_it_says_the_same(
        pieces in prop::collection::vec(piece(), 0..12),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let file = pieces.concat();
        // Of what is longer, the first look reads only the end.
        prop_assume!(file.len() < 2 << 20);
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(file.len() + 1)).collect();
        cuts.sort_unstable();
        let world = World::new();
        world.write("");
        let grown = world.named();
        told(&grown);
        let mut from = 0;
        for cut in cuts.into_iter().chain([file.len()]) {
            world.append(&file[from..cut]);
            told(&grown);
            from = cut;
        }
        let at_once = world.named();
        prop_assert_eq!(told(&grown), told(&at_once));
        let (grown, at_once) = (grown.counts(), at_once.counts());
        prop_assert_eq!(
            (grown.rows, grown.unknown, grown.unreadable, grown.long),
            (at_once.rows, at_once.unknown, at_once.unreadable, at_once.long)
        );
    }

    #[test]
    fn no_bytes_make_it_fail(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        let world = World::new();
        world.write(&bytes);
        told(&world.named());
    }
}
