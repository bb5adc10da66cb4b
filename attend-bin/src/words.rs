//! What somebody says: from arguments, where an address may lead, or from standard input.

use std::io::{self, Read};

use attend_core::mail::{Address, MAX_BODY, addressed};

use crate::cli::Words;
use crate::output::Failure;

/// The words of a message, and the address that led them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Said {
    /// The address, where one may lead; empty where there is none.
    pub(crate) to: Vec<Address>,
    /// The words.
    pub(crate) body: Body,
}

/// The words themselves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Body {
    /// They stood in arguments.
    Text(String),
    /// They stand on standard input.
    Input,
}

/// Reads the arguments: with an address that leads, where `leads` allows one.
pub(crate) fn said(words: &Words, leads: bool) -> Said {
    let text = words.text.join(" ");
    let (to, body) = if leads {
        let (to, body) = addressed(&text);
        (to, body.to_owned())
    } else {
        (Vec::new(), text)
    };
    let body = match (body.as_str(), words.rest.as_slice()) {
        ("-", []) => Body::Input,
        (_, []) => Body::Text(body),
        ("", rest) => Body::Text(rest.join(" ")),
        // The address had ended before, so that these belong to the words.
        (_, rest) => Body::Text(format!("{body} -- {}", rest.join(" "))),
    };
    Said { to, body }
}

impl Body {
    /// Whether it is known to be empty.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Self::Text(text) if text.trim().is_empty())
    }

    /// The words, which are read from standard input where they stand there.
    pub(crate) fn read(self) -> Result<String, Failure> {
        match self {
            body if body.is_empty() => Err(Failure::refused(
                "there is nothing to say; in a shell # begins a comment, so quote it: \
                 attend send '#deploy' ship it",
            )),
            Self::Text(text) => Ok(text),
            Self::Input => {
                let mut bytes = Vec::new();
                let most = MAX_BODY as u64 + 1;
                let read = io::stdin().lock().take(most).read_to_end(&mut bytes);
                read.map_err(|error| {
                    Failure::refused(format!("cannot read standard input: {error}"))
                })?;
                text(bytes)
            }
        }
    }
}

/// The bytes of standard input as words.
fn text(bytes: Vec<u8>) -> Result<String, Failure> {
    if bytes.len() > MAX_BODY {
        return Err(Failure::refused(format!(
            "standard input holds more than {MAX_BODY} bytes (1 MiB), the most that a message may \
             have; leave it in a file and send its path"
        )));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::refused(format!(
            "standard input is no text: byte {at} is not UTF-8; a message is at most {MAX_BODY} \
             bytes (1 MiB) of UTF-8"
        ))
    })?;
    if text.trim().is_empty() {
        return Err(Failure::refused(
            "standard input holds nothing to say, so nothing was sent",
        ));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &[&str], rest: &[&str], leads: bool) -> (Vec<String>, Body) {
        let words = Words {
            text: text.iter().map(ToString::to_string).collect(),
            rest: rest.iter().map(ToString::to_string).collect(),
        };
        let said = said(&words, leads);
        (said.to.iter().map(ToString::to_string).collect(), said.body)
    }

    fn is(to: &[&str], body: &str) -> (Vec<String>, Body) {
        let to = to.iter().map(ToString::to_string).collect();
        (to, Body::Text(body.to_owned()))
    }

    #[test]
    fn an_address_leads_and_two_dashes_end_it() {
        for (typed, to, body) in [
            ("@Cleo #deploy ship it", "@Cleo #deploy", "ship it"),
            ("@Cleo, @Tam: both", "@Cleo @Tam", "both"),
            ("#12 is fixed", "", "#12 is fixed"),
            ("a @Cleo b", "", "a @Cleo b"),
        ] {
            let words: Vec<&str> = typed.split(' ').collect();
            let to: Vec<&str> = to.split_whitespace().collect();
            assert_eq!(of(&words, &[], true), is(&to, body), "{typed}");
            assert_eq!(of(&[typed], &[], true), is(&to, body), "{typed}");
        }
    }

    #[test]
    fn two_dashes_end_the_address() {
        let broken = ["@dataclass", "is", "broken"];
        let said = "@dataclass is broken";
        assert_eq!(of(&["@Cleo"], &broken, true), is(&["@Cleo"], said));
        assert_eq!(of(&[], &broken, true), is(&[], said));
        assert_eq!(of(&["@Cleo -- @a b"], &[], true), is(&["@Cleo"], "@a b"));
        assert_eq!(of(&["@Cleo"], &["-"], true), is(&["@Cleo"], "-"));
        // Where it had ended before, they are words like others.
        let later = of(&["@Cleo", "run", "a"], &["-b", "--", "c"], true);
        assert_eq!(later, is(&["@Cleo"], "run a -- -b -- c"));
    }

    #[test]
    fn where_no_address_may_lead_everything_is_said() {
        let all = of(&["@Cleo", "ship", "it"], &[], false);
        assert_eq!(all, is(&[], "@Cleo ship it"));
        assert_eq!(of(&[], &["-1"], false), is(&[], "-1"));
    }

    #[test]
    fn a_dash_alone_is_standard_input() {
        assert_eq!(of(&["-"], &[], true), (vec![], Body::Input));
        assert_eq!(of(&["@Cleo", "-"], &[], true).1, Body::Input);
        assert_eq!(of(&["a", "-"], &[], true), is(&[], "a -"));
    }

    #[test]
    fn bytes_are_words_exactly_or_not_at_all() {
        let kept = "tab\tand \u{1b}[2J\r\nlast line \n\n";
        assert_eq!(text(kept.into()).unwrap(), kept);
        let most = vec![b'x'; MAX_BODY];
        assert_eq!(text(most.clone()).unwrap().len(), MAX_BODY);
        for refused in [
            [most, vec![b'x']].concat(),
            b"caf\xe9".to_vec(),
            b" \n".to_vec(),
            vec![],
        ] {
            assert!(text(refused).is_err());
        }
    }
}
