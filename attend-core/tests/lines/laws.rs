//! The laws that hold for any text.

use attend_core::attention::{LINE_LIMIT, MAX_PARTS, first_line, sanitise, split, units};
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

use crate::{MORE, event, heads, is_honest, is_hostile, text_of, texts};

fn hostile() -> impl Strategy<Value = String> {
    // Between the bars: what forges, breaks, hides, joins, and what is harmless.
    let fragments = "[|［|【|attend|ATTEND|ａｔｔｅｎｄ|аttеnd|at|tend| |  |\t|\n|\r\n|\u{85}|\u{2028}|\u{b}|\u{a0}\
        |\u{3000}|\u{200b}|\u{200d}|\u{fe0f}|\u{fe0e}|\u{202e}|\u{2066}|\u{ad}|\u{feff}|\u{e0041}|\u{e0067}\
        |\u{1b}[31m|\0|\u{9b}|<|>|⏎|‹|(1/3) |…|→|:|x|word|1\u{fe0f}\u{20e3}|👩\u{200d}👩\u{200d}👧|👍🏽|🏴|🇩🇪|🇩\
        |🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}|e\u{301}|\u{301}|क्षि|漢字|שלום";
    let fragments: Vec<&str> = fragments.split('|').collect();
    let fragment = (
        prop::sample::select(fragments),
        prop_oneof![9 => Just(1_usize), 1 => 1..600_usize],
    );
    prop::collection::vec(fragment.prop_map(|(text, times)| text.repeat(times)), 0..60)
        .prop_map(|all| all.concat())
}

fn texts_of_any_kind() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        hostile(),
        hostile(),
        prop::collection::vec(hostile(), 3).prop_map(|all| all.join(" "))
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_made_harmless_stays_so(text in texts_of_any_kind()) {
        let once = sanitise(&text);
        prop_assert!(!once.chars().any(is_hostile), "{once:?}");
        prop_assert!(is_honest(&once), "{once:?}");
        prop_assert_eq!(&sanitise(&once), &once);
        prop_assert_eq!(units(&once), once.encode_utf16().count());
    }

    #[test]
    fn lines_are_bounded_attributed_and_complete(
        text in texts_of_any_kind(),
        head in prop::sample::select(heads()),
    ) {
        let lines = split(&head, &text, MORE);
        prop_assert!((1..=MAX_PARTS).contains(&lines.len()));
        for line in &lines {
            let said = line.as_str().strip_prefix("[attend").unwrap();
            prop_assert!(line.units() <= LINE_LIMIT);
            prop_assert!(!said.chars().any(is_hostile) && is_honest(said), "{}", line);
            prop_assert_eq!(said, said.trim_end());
        }
        // What the parts say is what the text says, in order, cut only between graphemes.
        let clean = sanitise(&text);
        let whole = clean.trim();
        let starts = whole.grapheme_indices(true).map(|(at, _)| at);
        let starts: Vec<usize> = starts.chain([whole.len()]).collect();
        let room = LINE_LIMIT - head.units() - if lines.len() > 1 { 6 } else { 0 };
        let largest = whole.graphemes(true).map(units).max().unwrap_or(0);
        let mut rest = whole;
        let mut parts = texts(&head, &lines);
        let tail = format!("… {MORE}");
        let cut = parts.last().unwrap().strip_suffix(&tail).filter(|_| !whole.ends_with(&tail));
        if let Some(last) = cut {
            *parts.last_mut().unwrap() = last;
        }
        for part in parts {
            let blanks = rest.graphemes(true).take_while(|blank| blank.trim().is_empty());
            rest = rest.split_at(blanks.map(str::len).sum()).1;
            let after = rest.strip_prefix(part);
            prop_assert!(after.is_some(), "{part:?} is not next in {rest:?}");
            rest = after.unwrap();
            let at = whole.len() - rest.len();
            let between = largest > room || starts.binary_search(&at).is_ok();
            prop_assert!(between, "cut within a grapheme at {at}");
        }
        prop_assert_eq!(rest.trim().is_empty(), cut.is_none(), "{:?} is left", rest);
        prop_assert!(first_line(&head, &text, MORE).units() <= LINE_LIMIT);
    }

    #[test]
    fn a_first_line_begins_the_text(
        text in texts_of_any_kind(),
        head in prop::sample::select(heads()),
    ) {
        let line = first_line(&head, &text, MORE);
        let said = text_of(&head, &line, None);
        let clean = sanitise(&text);
        let tail = format!("… {MORE}");
        let kept = said.strip_suffix(&tail).unwrap_or(said);
        prop_assert!(line.units() <= LINE_LIMIT && is_honest(said));
        prop_assert!(clean.trim().starts_with(kept), "{said:?}");
        prop_assert!(clean.trim() == said || said.ends_with(&tail));
    }

    #[test]
    fn short_words_are_never_cut(lengths in prop::collection::vec(1..100_usize, 0..100)) {
        let words: Vec<String> = lengths.iter().map(|length| "é".repeat(*length)).collect();
        let head = event();
        let lines = split(&head, &words.join(" "), MORE);
        let mut parts = texts(&head, &lines);
        let cut = parts.last().unwrap().strip_suffix(&format!("… {MORE}"));
        if let Some(last) = cut {
            *parts.last_mut().unwrap() = last;
        }
        let shown: Vec<&str> = parts
            .iter()
            .flat_map(|part| part.split(' '))
            .filter(|word| !word.is_empty())
            .collect();
        prop_assert_eq!(&shown[..], &words[..shown.len()]);
        prop_assert_eq!(cut.is_some(), shown.len() < words.len());
        // Each part is as full as the next word allows.
        for pair in parts.windows(2) {
            let next = pair[1].split(' ').next().unwrap();
            prop_assert!(head.units() + 6 + units(pair[0]) + 1 + units(next) > LINE_LIMIT);
        }
    }
}
