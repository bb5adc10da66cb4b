//! Lines from hostile text.

mod laws;
mod tables;

use attend_core::attention::{Head, Line, Priority};
use attend_core::mail::{Letter, MessageId, SenderKind, Seq};
use attend_core::sensor::SensorName;

pub(crate) const MORE: &str = "attend show 7F3K2A";

pub(crate) fn event() -> Head {
    Head::event(
        &SensorName::new("git").expect("a valid name"),
        Priority::Medium,
    )
}

pub(crate) fn letter(from: &str, to: &str) -> Letter {
    Letter::new(Seq::new(1), MessageId::new("7F3K2A"), from, to, "")
}

pub(crate) fn heads() -> Vec<Head> {
    let long = "Ωmega-alpha the third ".repeat(20);
    vec![
        event(),
        Head::also(),
        Head::notice(),
        Head::digest(),
        Head::letter(&letter("Tam-alpha", "you, #deploy")),
        Head::letter(&letter(&long, &long).sent_by(SenderKind::Program)).again(),
        Head::letter(&letter("[attend]\n", "[\u{200b}ATTEND→:(1/3)")).again(),
    ]
}

/// What a line says after its head and the mark of its part.
pub(crate) fn text_of<'a>(head: &Head, line: &'a Line, part: Option<(usize, usize)>) -> &'a str {
    let full = head.to_string();
    let mark = part.map_or(String::new(), |(part, parts)| format!("({part}/{parts}) "));
    // The mark stands before the sender, or where there is none before the text.
    let at = full
        .find("(again) ")
        .map(|at| at + 8)
        .or(full.find("7F3K2A ").map(|at| at + 7));
    let (before, after) = full.split_at(at.unwrap_or(full.len()));
    let whole = format!("{before}{mark}{after}");
    let text = line.as_str().strip_prefix(&whole);
    text.or_else(|| (line.as_str() == whole.trim_end()).then_some(""))
        .unwrap_or_else(|| panic!("{line} does not begin with {whole}"))
}

pub(crate) fn texts<'a>(head: &Head, lines: &'a [Line]) -> Vec<&'a str> {
    let part = |at| (lines.len() > 1).then_some((at + 1, lines.len()));
    lines
        .iter()
        .enumerate()
        .map(|(at, line)| text_of(head, line, part(at)))
        .collect()
}

/// Whether `c` must not reach a terminal, emoji's own joiner and selector apart.
pub(crate) fn is_hostile(c: char) -> bool {
    let unseen = "\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{180e}\u{200b}\u{200c}\u{200e}\u{200f}\u{2028}\u{2029}\
        \u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2060}\u{2061}\u{2064}\u{2066}\u{2067}\u{2068}\u{2069}\u{206a}\
        \u{3164}\u{fe00}\u{fe0e}\u{feff}\u{ffa0}\u{fff9}\u{fffa}\u{fffb}\u{e0001}\u{e0100}\u{e01ef}";
    c.is_control() || matches!(c, '<' | '>') || unseen.contains(c)
}

/// Whether `text` holds no `[attend`, however disguised.
pub(crate) fn is_honest(text: &str) -> bool {
    let mut folded = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c == '‹' && rest.as_str().starts_with("U+") {
            rest.find(|c| *c == '›');
            continue;
        }
        let shape = match c {
            '［' | '【' => '[',
            'ａ' | 'а' | 'α' => 'a',
            'ｔ' | 'т' | 'τ' => 't',
            'ｅ' | 'е' => 'e',
            'ｎ' => 'n',
            'ｄ' | 'ԁ' => 'd',
            '⏎' | '\u{2400}'..='\u{2421}' | '\u{200d}' | '\u{fe0f}' | '\u{301}' => continue,
            _ => c,
        };
        folded.extend(shape.to_lowercase().filter(|c| !c.is_whitespace()));
    }
    !folded.contains("[attend")
}
