//! Completion of names after `@` and `#`.

use attend_core::mail::fold;

use super::list::Item;
use super::place::Place;

/// How many are offered.
const MOST: usize = 6;

/// The names that the word before the cursor may become, best first; empty where it is none, and
/// where it is one of them already.
pub(crate) fn candidates(before: &str, places: &[Item]) -> Vec<String> {
    let Some(word) = word(before) else {
        return Vec::new();
    };
    let mut names: Vec<String> = Vec::new();
    for item in places {
        let persona = match &item.place {
            Place::Talk(peer) => peer.persona.as_ref().map(|name| format!("@{name}")),
            _ => None,
        };
        for name in [Some(item.place.title()), persona].into_iter().flatten() {
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let wanted = fold(word);
    names.retain(|name| fold(name).starts_with(&wanted));
    if names.iter().any(|name| fold(name) == wanted) {
        return Vec::new();
    }
    names.truncate(MOST);
    names
}

/// The word with its sign that the cursor stands behind.
pub(crate) fn word(before: &str) -> Option<&str> {
    let start = before.rfind(char::is_whitespace);
    let word = match start {
        Some(at) => before.get(at..)?.trim_start(),
        None => before,
    };
    word.starts_with(['@', '#']).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::list::places;
    use crate::chat::place::Peer;

    #[test]
    fn names_are_offered_by_their_beginning() {
        let mut items = places(&crate::chat::action::Overview::default(), "sam");
        for name in ["Cleo-alpha", "Cleo-beta", "Tam-alpha"] {
            let mut item = items[0].clone();
            item.place = Place::Talk(Peer {
                name: name.to_owned(),
                persona: name.split('-').next().map(str::to_owned),
            });
            items.push(item);
        }
        assert_eq!(
            candidates("@cl", &items),
            ["@Cleo-alpha", "@Cleo", "@Cleo-beta"]
        );
        assert_eq!(candidates("hi @TAM-", &items), ["@Tam-alpha"]);
        assert_eq!(candidates("#o", &items), ["#open"]);
        for none in ["", "cl", "@Cleo-alpha", "@x", "@cleo-b ", "a#o"] {
            assert!(candidates(none, &items).is_empty(), "{none}");
        }
    }
}
