//! Words to search for, and whether a text has them.

/// How many letters begin a word enough to find it by its beginning.
const PREFIX: usize = 3;

/// What a search asks for: each word has to be there, or a longer one that begins with it where it
/// has three letters or more.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Words(Vec<String>);

impl Words {
    /// The words of `text`: runs of letters and digits, without case.
    pub(crate) fn of(text: &str) -> Self {
        Self(words(text).collect())
    }

    /// Whether nothing is asked for.
    #[cfg(feature = "sqlite")]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `text` has them all.
    pub(crate) fn are_in(&self, text: &str) -> bool {
        let there: Vec<String> = words(text).collect();
        self.0.iter().all(|wanted| {
            let fits =
                |word: &String| word == wanted || is_prefix(wanted) && word.starts_with(wanted);
            there.iter().any(fits)
        })
    }

    /// The same question, as the index of the database takes it.
    #[cfg(feature = "sqlite")]
    pub(crate) fn phrase(&self) -> String {
        phrase(self.0.iter().map(String::as_str))
    }

    /// A wider question, for the first three letters of each word only.
    #[cfg(feature = "sqlite")]
    pub(crate) fn begun(&self) -> String {
        phrase(self.0.iter().map(|word| {
            let end = word.char_indices().nth(PREFIX);
            let end = end.map_or(word.len(), |(at, _)| at);
            word.get(..end).unwrap_or(word)
        }))
    }
}

#[cfg(feature = "sqlite")]
fn phrase<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let star = |word: &str| if is_prefix(word) { " *" } else { "" };
    let words = words.map(|word| format!("\"{word}\"{}", star(word)));
    words.collect::<Vec<String>>().join(" ")
}

fn is_prefix(word: &str) -> bool {
    word.chars().count() >= PREFIX
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_beginnings_are_found() {
        let has = |wanted: &str, text: &str| Words::of(wanted).are_in(text);
        assert!(has("deploy WAITS", "Waits: the deploy."));
        assert!(has("dep", "deployment"));
        assert!(!has("de", "deployment"), "too short to be a beginning");
        assert!(has("de", "de facto"));
        assert!(!has("deploy now", "deploy"));
        assert!(
            has("straße", "Die Straße"),
            "as the index of the database has it"
        );
        assert!(Words::of(" ,.- ").0.is_empty());
    }
}
