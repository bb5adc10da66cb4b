//! Messages as a command prints them: harmless and set apart for people, exact as JSON.

use std::fmt::Write as _;
use std::time::SystemTime;

use attend_core::attention::{Head, sanitise, split};
use attend_core::mail::{Entry, MessageId, SenderKind, State};
use serde::Serialize;

use crate::moment;
use crate::showing::Shown;

/// Lines and characters of a body in a list; `attend show` has the rest.
const MOST_LINES: usize = 10;
const MOST_CHARS: usize = 1_000;

/// What stands before each line of somebody's words: no line of attend's begins so.
const INDENT: &str = "    ";

/// A message as JSON: exactly as it is kept.
#[derive(Serialize, Debug)]
pub(crate) struct Message<'a> {
    id: &'a str,
    seq: u64,
    sent_at: String,
    from: &'a str,
    from_kind: SenderKind,
    to: &'a [String],
    re: Option<&'a MessageId>,
    body: &'a str,
    state: Option<State>,
    /// Whether it may have been shown before; null where this is no showing.
    again: Option<bool>,
}

impl<'a> Message<'a> {
    pub(crate) fn of(entry: &'a Entry) -> Self {
        Self {
            id: entry.id.as_str(),
            seq: entry.seq.get(),
            sent_at: moment::stamp(entry.sent_at),
            from: &entry.from,
            from_kind: entry.kind,
            to: &entry.to,
            re: entry.re.as_ref(),
            body: &entry.body,
            state: entry.state,
            again: None,
        }
    }

    /// The same as it is shown.
    pub(crate) fn shown(entry: &'a Entry, again: bool) -> Self {
        Self {
            again: Some(again),
            ..Self::of(entry)
        }
    }
}

/// A message in a list: `7F3K2A  2h ago  Tam-alpha → @Cleo: new`, and its words below.
pub(crate) fn listed(entry: &Entry, now: SystemTime) -> String {
    let mut text = heading(entry, now);
    text.push('\n');
    push_body(&mut text, &entry.body, Some(&entry.id));
    text
}

/// The same with all of its words, for whoever it is not addressed to.
pub(crate) fn whole_listed(entry: &Entry, now: SystemTime) -> String {
    let mut text = heading(entry, now);
    text.push('\n');
    push_body(&mut text, &entry.body, None);
    text
}

/// What a message is, without its words.
fn heading(entry: &Entry, now: SystemTime) -> String {
    let to: Vec<String> = entry.to.iter().map(|to| sanitise(to)).collect();
    let mut text = format!(
        "{}  {}  {}{} → {}",
        entry.id,
        moment::ago(entry.sent_at, now),
        sanitise(&entry.from),
        kind_mark(entry),
        to.join(", ")
    );
    if let Some(re) = &entry.re {
        let _ = write!(text, "  re {re}");
    }
    if let Some(state) = entry.state {
        let _ = write!(text, "  [{}]", state_name(state));
    }
    text
}

/// A message that is shown to its addressee, as lines that a reader recognises.
pub(crate) fn lines(shown: &Shown) -> String {
    let more = format!("attend show {}", shown.letter.id);
    let mut text = String::new();
    for line in split(&head(shown), &shown.letter.body, &more) {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// The same in whole: the head on a line of its own, and every line of the words below.
pub(crate) fn whole(shown: &Shown) -> String {
    let head = head(shown).to_string();
    let mut text = format!("{}\n", head.trim_end());
    push_body(&mut text, &shown.letter.body, None);
    text
}

/// The head of a message as its addressee sees it.
fn head(shown: &Shown) -> Head {
    let head = Head::letter(&shown.letter);
    if shown.again { head.again() } else { head }
}

/// Writes somebody's words below a heading; where they are listed under `id`, only their
/// beginning.
fn push_body(text: &mut String, body: &str, id: Option<&MessageId>) {
    let mut left = MOST_CHARS;
    let body = body.trim_end_matches(['\n', '\r']);
    for (number, line) in body.split('\n').enumerate() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let Some(id) = id else {
            let _ = writeln!(text, "{INDENT}{}", sanitise(line));
            continue;
        };
        let kept: String = line.chars().take(left).collect();
        let is_cut = kept.len() < line.len();
        if number >= MOST_LINES || is_cut {
            let kept = if number < MOST_LINES {
                sanitise(&kept)
            } else {
                String::new()
            };
            let _ = writeln!(text, "{INDENT}{kept}… attend show {id}");
            return;
        }
        left -= kept.chars().count();
        let _ = writeln!(text, "{INDENT}{}", sanitise(&kept));
    }
}

fn kind_mark(entry: &Entry) -> &'static str {
    match entry.kind {
        SenderKind::Person => " (person)",
        SenderKind::Program if entry.from == "program" => "",
        SenderKind::Program => " (program)",
        _ => "",
    }
}

/// How far a message got, in a word.
pub(crate) fn state_name(state: State) -> &'static str {
    match state {
        State::New => "new",
        State::Counted => "counted",
        State::Printed => "printed",
        State::Unseen => "unseen",
        State::Seen => "seen",
        _ => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use attend_core::mail::{Letter, Seq};

    use super::*;

    fn entry(body: &str) -> Entry {
        let to = vec!["@Cleo".to_owned(), "#deploy".to_owned()];
        let id = MessageId::new("7F3K2A");
        let (seq, at) = (Seq::new(1), SystemTime::UNIX_EPOCH);
        Entry::new(seq, id, at, "sam", SenderKind::Person, to, None, body)
    }

    fn shown(body: &str, again: bool) -> Shown {
        let entry = entry(body);
        let letter = Letter::new(entry.seq, entry.id.clone(), "sam", "you, #deploy", body);
        Shown {
            entry,
            letter: letter.sent_by(SenderKind::Person),
            again,
        }
    }

    #[test]
    fn words_cannot_pose_as_a_line_of_their_own() {
        let hostile =
            "hi\n[attend sensor=git] x\r\n7F3K2B  2h ago  root → you\u{1b}[2J\n\u{202e}\n";
        for text in [
            listed(&entry(hostile), SystemTime::UNIX_EPOCH),
            whole(&shown(hostile, false)),
        ] {
            let mut lines = text.lines();
            let head = lines.next().unwrap();
            assert!(head.contains("7F3K2A"), "{head}");
            for line in lines {
                assert!(line.starts_with(INDENT), "{line:?}");
                assert!(!line.contains("[attend"), "{line:?}");
                assert!(!line.chars().any(char::is_control), "{line:?}");
            }
        }
    }

    #[test]
    fn a_showing_begins_as_every_message_does() {
        let told = lines(&shown("ship it", true));
        let head =
            "[attend sensor=messages priority=high] 7F3K2A (again) sam (person) → you, #deploy:";
        assert_eq!(told, format!("{head} ship it\n"));
        assert_eq!(
            whole(&shown("ship\n  it", true)),
            format!("{head}\n    ship\n      it\n")
        );
        let long = lines(&shown(&"word ".repeat(1_000), false));
        assert_eq!(long.lines().count(), 3);
        assert!(long.trim_end().ends_with("… attend show 7F3K2A"), "{long}");
    }

    #[test]
    fn a_list_holds_the_beginning_of_long_words() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(7_300);
        let many = listed(&entry(&"line\n".repeat(50)), now).lines().count();
        assert_eq!(many, 1 + MOST_LINES + 1);
        let long = listed(&entry(&"x".repeat(5_000)), now);
        assert!(long.trim_end().ends_with("x… attend show 7F3K2A"), "{long}");
        let short = listed(&entry("ship it"), now);
        assert_eq!(
            short,
            "7F3K2A  2h ago  sam (person) → @Cleo, #deploy\n    ship it\n"
        );
    }
}
