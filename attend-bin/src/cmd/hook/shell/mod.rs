//! A shell's text as simple commands, as far as it can be told without running it.

mod reader;

use reader::Reader;

/// What says its own words.
const SPEAKERS: [&str; 2] = ["echo", "printf"];

/// One simple command.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Simple {
    /// Its words without quotes and without redirections.
    pub(super) words: Vec<String>,
    /// The texts that are fed to it: `<<` and `<<<`.
    pub(super) fed: Vec<String>,
    /// Whether the next one reads what it writes.
    pub(super) is_piped: bool,
}

impl Simple {
    /// What it says where it only says something, and what it is fed: a shell that reads that runs
    /// it.
    pub(super) fn said(&self) -> Vec<String> {
        let mut texts = self.fed.clone();
        if let Some((first, said)) = self.words.split_first()
            && SPEAKERS.contains(&first.rsplit('/').next().unwrap_or(first))
        {
            texts.push(said.join(" "));
        }
        texts
    }

    /// What it is fed where it reads what `piped` says.
    pub(super) fn fed_by(&self, piped: Option<&Self>) -> Vec<String> {
        let mut texts = self.fed.clone();
        texts.extend(piped.map(Self::said).unwrap_or_default());
        texts
    }
}

/// The simple commands of `text`, those that are substituted somewhere among them.
///
/// It need not be exact. What is quoted is one word, whatever ends a command ends one here, and a
/// variable stands for what was assigned to it before.
pub(super) fn commands(text: &str) -> Vec<Simple> {
    Reader::new(text).commands()
}

/// The name and the value of an assignment.
pub(super) fn assigned(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    (!name.is_empty() && name.chars().all(is_of_name)).then_some((name, value))
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let all = commands(text).into_iter();
        let all = all.map(|simple| simple.words.join("|"));
        all.filter(|words| !words.is_empty()).collect()
    }

    #[test]
    fn words_stand_without_quotes_and_redirections() {
        for (text, expected) in [
            ("a 'b c' \"d\"e \\f", vec!["a|b c|de|f"]),
            ("a>x b 2>&1 <y c", vec!["a|b|c"]),
            ("a &>x b&", vec!["a|b"]),
            ("a; b && c | d\ne", vec!["a", "b", "c", "d", "e"]),
            ("a # b\nc", vec!["a", "c"]),
            ("a#b", vec!["a#b"]),
            ("$'a' $\"b\"", vec!["a|b"]),
            ("a \"b\\\"c\" 'open", vec!["a|b\"c|open"]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_substituted_is_a_command() {
        for (text, expected) in [
            ("a $(b c) d", vec!["a||d", "b|c"]),
            ("a \"x $(b \"c d\") y\"", vec!["a|x  y", "b|c d"]),
            ("a `b \\`c\\``", vec!["a|", "b|", "c"]),
            ("a <(b) c", vec!["a|c", "b"]),
            ("$(which a) b", vec!["a|b", "which|a"]),
            ("x=a; ${x} $x", vec!["x=a", "a|a"]),
            (
                "x='a b'; y=$x; $x \"$y\"",
                vec!["x=a b", "y=a b", "a|b|a b"],
            ),
            ("${y:-a} b", vec!["a|b"]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn documents_are_fed_and_are_no_commands() {
        let fed = |text: &str| {
            let all = commands(text);
            let fed = all.iter().flat_map(|simple| simple.fed.clone());
            (fed.collect::<Vec<_>>(), words(text))
        };
        for (text, documents, others) in [
            ("a <<E\nb\nE\nc", vec!["b\n"], vec!["a", "c"]),
            ("a <<-'E' d\n\tb\n\tE\nc", vec!["\tb\n"], vec!["a|d", "c"]),
            (
                "a <<E <<F\nb\nE\nc\nF\nd",
                vec!["b\n", "c\n"],
                vec!["a", "d"],
            ),
            ("a <<E\nb\n E\nc", vec!["b\n E\nc\n"], vec!["a"]),
            ("a <<<'b c'\nd", vec!["b c"], vec!["a", "d"]),
            ("a '<<E'\nb", vec![], vec!["a|<<E", "b"]),
            ("a <<E\n$(b) c\nE", vec!["$(b) c\n"], vec!["a", "b"]),
            ("a <<\\E\n$(b) c\nE", vec!["$(b) c\n"], vec!["a"]),
            ("a # <<E\nb", vec![], vec!["a", "b"]),
            ("a $((1<<E))\nb", vec![], vec!["a|", "E", "b"]),
        ] {
            let documents: Vec<String> = documents.into_iter().map(str::to_owned).collect();
            let others: Vec<String> = others.into_iter().map(str::to_owned).collect();
            assert_eq!(fed(text), (documents, others), "{text}");
        }
    }
}
