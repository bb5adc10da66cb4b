//! What a text needs to hold for a pattern to occur in it: far cheaper to look for than to build
//! the pattern.

use regex_syntax::hir::{Class, ClassUnicodeRange, Hir, HirKind};
use serde::{Deserialize, Serialize};

/// More alternatives than this are not worth looking for.
const MOST: usize = 32;

/// Texts of which at least one stands in every text that holds the pattern, both
/// [folded](fold); of some patterns nothing is known.
///
/// All are folded in the same way, letter by letter, so what occurs as it stands also occurs
/// folded.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Needed(Option<Vec<String>>);

impl Needed {
    /// What the regular expression `hir` needs.
    pub(super) fn of(hir: &Hir) -> Self {
        Self(alternatives(hir).filter(|all| all.iter().all(|text| !text.is_empty())))
    }

    /// What a pattern of paths needs: its longest part without wildcards and choices.
    pub(super) fn of_glob(glob: &str) -> Self {
        let mut depth = 0_u32;
        let mut parts = vec![String::new()];
        let mut chars = glob.chars();
        while let Some(c) = chars.next() {
            match c {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                // What is in the brackets, and what they mean, is left to the pattern itself.
                '[' => return Self(None),
                '\\' => drop(chars.next()),
                '*' | '?' => {}
                c if depth == 0 => {
                    if let Some(part) = parts.last_mut() {
                        part.push(c);
                    }
                    continue;
                }
                _ => continue,
            }
            parts.push(String::new());
        }
        // `a/**/b` is also `a/b`, and `**/b` is also `b`.
        let parts = parts.iter().map(|part| fold(part.trim_matches('/')));
        // Of equal ones the first: more files share an ending.
        let longest = parts
            .rev()
            .max_by_key(String::len)
            .filter(|part| !part.is_empty());
        Self(longest.map(|part| vec![part]))
    }

    /// What a keyword needs: its longest word, where that is plain.
    pub(super) fn of_words(keyword: &str) -> Self {
        let words = keyword.split(|c: char| !c.is_alphanumeric() && c != '_');
        let plain = words.filter(|word| !word.is_empty() && word.is_ascii());
        Self(
            plain
                .max_by_key(|word| word.len())
                .map(|word| vec![fold(word)]),
        )
    }

    /// What a text needs in which one of `all` occurs; nothing where there are none.
    pub(super) fn any<'a>(all: impl Iterator<Item = &'a Self>) -> Self {
        let mut texts = Vec::new();
        for one in all {
            match &one.0 {
                Some(more) => texts.extend(more.iter().cloned()),
                None => return Self(None),
            }
        }
        Self(Some(texts).filter(|texts| !texts.is_empty()))
    }

    /// Whether nothing is known.
    pub(super) fn is_nothing(&self) -> bool {
        self.0.is_none()
    }

    /// Whether the text that was folded to `folded` may hold the pattern.
    pub(super) fn may_be_in(&self, folded: &str) -> bool {
        let all = self.0.as_ref();
        all.is_none_or(|all| all.iter().any(|text| folded.contains(text.as_str())))
    }
}

/// The text without the difference of case in ASCII, and with what folds to that.
pub(super) fn fold(text: &str) -> String {
    text.chars().map(folded).collect()
}

fn folded(c: char) -> char {
    match c {
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        c => c.to_ascii_lowercase(),
    }
}

fn alternatives(hir: &Hir) -> Option<Vec<String>> {
    match hir.kind() {
        HirKind::Literal(_) | HirKind::Class(_) => run(hir).map(|text| vec![text]),
        HirKind::Capture(capture) => alternatives(&capture.sub),
        HirKind::Repetition(repeated) if repeated.min > 0 => alternatives(&repeated.sub),
        HirKind::Alternation(all) => {
            let mut every = Vec::new();
            for one in all {
                every.extend(alternatives(one)?);
            }
            Some(every).filter(|every| every.len() <= MOST)
        }
        HirKind::Concat(all) => {
            let mut found: Vec<Vec<String>> = Vec::new();
            let mut together = String::new();
            for one in all {
                if let Some(text) = run(one) {
                    together.push_str(&text);
                } else {
                    found.push(vec![std::mem::take(&mut together)]);
                    found.extend(alternatives(one));
                }
            }
            found.push(vec![together]);
            // The one whose shortest text is the longest excludes most.
            let least = |all: &Vec<String>| all.iter().map(String::len).min();
            found.into_iter().max_by_key(least)
        }
        _ => None,
    }
}

/// What stands there, folded, where that is always the same.
fn run(hir: &Hir) -> Option<String> {
    match hir.kind() {
        HirKind::Literal(literal) => std::str::from_utf8(&literal.0).ok().map(fold),
        HirKind::Look(_) | HirKind::Empty => Some(String::new()),
        HirKind::Class(Class::Unicode(class)) => {
            // One letter in all its cases.
            let count: usize = class.ranges().iter().map(ClassUnicodeRange::len).sum();
            let ranges = class.ranges().iter().filter(|_| count <= 4);
            let letters = ranges.flat_map(|range| range.start()..=range.end());
            let mut letters = letters.map(folded);
            let first = letters.next()?;
            letters.all(|c| c == first).then(|| first.to_string())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needed(pattern: &str) -> Option<Vec<String>> {
        Needed::of(&regex_syntax::parse(pattern).unwrap()).0
    }

    #[test]
    fn a_pattern_needs_its_longest_literal() {
        for (pattern, expected) in [
            (r"\bdeploy\b", &["deploy"][..]),
            (r"(?i)Deploy\s+Stack", &["deploy"]),
            (r"^git\s+push\s.*--force", &["--force"]),
            ("fix|mend|repair", &["fix", "mend", "repair"]),
            (r"(alpha|beta)\s+x", &["alpha", "beta"]),
            (r"(?:abc)+d?", &["abc"]),
            ("colou?r", &["colo"]),
        ] {
            assert_eq!(needed(pattern).unwrap(), expected, "{pattern}");
        }
        for pattern in ["", r"\w+", "a*", "(a|b*)", "[a-z]+", r"\b", "x{0,3}"] {
            assert_eq!(needed(pattern), None, "{pattern}");
        }
    }

    #[test]
    fn a_pattern_of_files_needs_its_longest_plain_part() {
        for (glob, expected) in [
            ("src/**/*.rs", Some("src")),
            ("src/Parser/**/*.rs", Some("src/parser")),
            ("**/Cargo.toml", Some("cargo.toml")),
            ("docs/{a,b{c}}/guide-?.md", Some("/guide-")),
            ("*.rs", Some(".rs")),
            ("[ab].rs", None),
            ("**", None),
            (r"a\*bc", Some("bc")),
        ] {
            let expected = expected.map(|text| vec![text.trim_matches('/').to_owned()]);
            assert_eq!(Needed::of_glob(glob).0, expected, "{glob}");
        }
    }
}
