//! The closest of the names there are, for somebody who mistyped one.

use super::name::fold;

/// How many are suggested.
const MOST: usize = 3;

/// The names that `wanted` may have meant, best first, at most three.
///
/// A name is close where a third of its letters, at least one, have to be changed, added or
/// left out, or where it begins with what was typed.
///
/// ```
/// assert_eq!(attend_core::mail::closest("cloe", ["Cleo", "Tam"]), ["Cleo"]);
/// ```
pub fn closest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let wanted = fold(wanted);
    let mut near: Vec<(usize, &str)> = names
        .into_iter()
        .filter_map(|name| {
            let folded = fold(name);
            let far = strsim::osa_distance(&wanted, &folded);
            let begins = wanted.chars().count() >= 2 && folded.starts_with(&wanted);
            let allowed = (folded.chars().count() / 3).max(1);
            (begins || far <= allowed).then_some((far, name))
        })
        .collect();
    near.sort_unstable();
    near.dedup();
    near.truncate(MOST);
    near.into_iter().map(|(_, name)| name.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_found_and_a_stranger_is_not() {
        let names = ["Cleo", "Cleo-alpha", "Cora", "Tam", "api"];
        assert_eq!(closest("cloe", names), ["Cleo"]);
        assert_eq!(closest("Cle", names), ["Cleo", "Cleo-alpha"]);
        assert_eq!(closest("tma", names), ["Tam"]);
        assert!(closest("dataclass", names).is_empty());
    }
}
