//! The arguments of the commands for mail, as data.

use std::time::Duration;

use attend_core::mail::{Address, MessageId, Name, RoomName};
use clap::{Args, Subcommand, ValueEnum};

use super::span;
use crate::moment::Moment;

#[derive(Args, Debug)]
#[command(
    override_usage = "attend send [OPTIONS] [@NAME|#ROOM]... TEXT...\n       attend send [OPTIONS] [@NAME|#ROOM]... -- TEXT...\n       attend send [OPTIONS] -",
    after_help = "The leading run of @name and #room is the address, the rest is the message; without an\naddress it goes to everybody, in #open. `--` ends the address. With --to, --focus or\n--broadcast, and from standard input (`-`), everything is the message.\n\nIn a shell # begins a comment: quote it.\n\nExamples:\n  attend send @Cleo '#deploy' ship it\n  attend send --to ../api 'the schema changed'\n  attend send -- @dataclass is broken\n  make 2>&1 | attend send --to Tam -\n  attend send --wait seen @Tam 'stop: main is broken'"
)]
pub(crate) struct SendArgs {
    /// To whom: a seat, persona, person or project by name, or a work tree by its path (with a
    /// `/`, or beginning with `.` or `~`).
    #[arg(long, value_name = "NAME|PATH", value_parser = to)]
    pub(crate) to: Vec<To>,
    /// To a room.
    #[arg(long, value_name = "ROOM", value_parser = room)]
    pub(crate) focus: Vec<RoomName>,
    /// To everybody, in #open.
    #[arg(long)]
    pub(crate) broadcast: bool,
    /// Which message this answers.
    #[arg(long, value_name = "ID", value_parser = id)]
    pub(crate) re: Option<MessageId>,
    /// A name for this sending: sending it again under the same name sends nothing twice.
    #[arg(long, value_name = "KEY", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) key: Option<String>,
    /// Wait until whoever is addressed by name was shown it, or has it in their transcript.
    #[arg(long, value_name = "HOW FAR")]
    pub(crate) wait: Option<WaitFor>,
    /// How long to wait at most: 90s, 10m, 2h.
    #[arg(long, value_name = "SPAN", value_parser = span, default_value = "30s", requires = "wait")]
    pub(crate) timeout: Duration,
    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) words: Words,
}

/// What a sender waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum WaitFor {
    /// It was printed.
    Printed,
    /// It was seen.
    Seen,
}

#[derive(Args, Debug)]
#[command(
    override_usage = "attend reply [OPTIONS] TEXT...\n       attend reply [OPTIONS] -",
    after_help = "It goes to the sender and to the rooms of the message that it answers.\n\nExamples:\n  attend reply on it\n  attend reply --re 7F3K2A 'done, see the branch'"
)]
pub(crate) struct ReplyArgs {
    /// Which message this answers [default: the last one shown, where that was one alone]
    #[arg(long, value_name = "ID", value_parser = id)]
    pub(crate) re: Option<MessageId>,
    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) words: Words,
}

/// What is said.
#[derive(Args, Debug)]
pub(crate) struct Words {
    /// The message, or `-` for what standard input holds: UTF-8, at most 1 MiB.
    #[arg(value_name = "TEXT")]
    pub(crate) text: Vec<String>,
    /// What stands after `--`.
    #[arg(last = true, value_name = "TEXT", hide = true)]
    pub(crate) rest: Vec<String>,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Only --unread counts as reading: what it shows is not shown again by itself.\n\nExamples:\n  attend inbox\n  attend inbox --unread\n  attend inbox --before 2h --room deploy\n  attend inbox --search 'schema migr' --from Tam"
)]
pub(crate) struct InboxArgs {
    /// Show what is unread, oldest first, and mark it as shown.
    #[arg(long, conflicts_with_all = ["before", "page", "search", "room", "from"])]
    pub(crate) unread: bool,
    /// At most so many messages.
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    pub(crate) limit: u16,
    /// Only what came before a message or a time: an id, 2h, 14:30, 2026-11-30,
    /// 2026-11-30T14:30:00Z.
    #[arg(long, value_name = "ID|TIME", value_parser = moment)]
    pub(crate) before: Option<Moment>,
    /// So many pages back.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) page: u32,
    /// Only what holds all these words, or words that begin so.
    #[arg(long, value_name = "WORDS")]
    pub(crate) search: Option<String>,
    /// Only what was said in this room.
    #[arg(long, value_name = "ROOM", value_parser = room)]
    pub(crate) room: Option<RoomName>,
    /// Only what this seat, persona or person said.
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) from: Option<Name>,
    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Example:\n  attend show 7F3K2A")]
pub(crate) struct ShowArgs {
    /// Which message.
    #[arg(value_name = "ID", value_parser = id)]
    pub(crate) id: MessageId,
    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  attend focus on deploy\n  attend focus all")]
pub(crate) struct FocusArgs {
    #[command(subcommand)]
    pub(crate) command: FocusCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum FocusCommand {
    /// Join a room, which is made where it is missing.
    On(FocusRoom),
    /// Leave a room.
    Off(FocusRoom),
    /// List your rooms.
    List {
        /// Print one JSON document.
        #[arg(long)]
        json: bool,
    },
    /// List everybody's rooms, with their members.
    All {
        /// Print one JSON document.
        #[arg(long)]
        json: bool,
    },
    /// Anything else: most of all a room, by whoever takes `focus` for the joining.
    #[command(external_subcommand)]
    Other(Vec<String>),
}

#[derive(Args, Debug)]
pub(crate) struct FocusRoom {
    /// Which room, with or without its `#`.
    #[arg(value_name = "NAME", value_parser = room)]
    pub(crate) room: RoomName,
    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Whom `--to` names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum To {
    /// Somebody by name, or a room.
    Address(Address),
    /// A work tree by its path, which is looked at later.
    Path(String),
}

fn to(text: &str) -> Result<To, String> {
    if text.contains('/') || text.starts_with(['.', '~']) {
        return Ok(To::Path(text.to_owned()));
    }
    let address = Address::parse(text).or_else(|| Name::parse(text).map(Address::Name));
    address.map(To::Address).ok_or_else(|| {
        "a name has letters, digits, `.`, `_` and `-`; a path has a `/` or begins with `.` or `~`"
            .to_owned()
    })
}

pub(super) fn room(text: &str) -> Result<RoomName, String> {
    RoomName::parse(text.strip_prefix('#').unwrap_or(text)).ok_or_else(|| {
        "a room has at most 48 of a-z, 0-9, `.`, `_` and `-`, begins with a letter or a digit, \
         and is no number"
            .to_owned()
    })
}

fn name(text: &str) -> Result<Name, String> {
    Name::parse(text.strip_prefix('@').unwrap_or(text))
        .ok_or_else(|| "a name has letters, digits, `.`, `_` and `-`".to_owned())
}

pub(super) fn id(text: &str) -> Result<MessageId, String> {
    MessageId::parse(text).ok_or_else(|| {
        "the id of a message has 6 to 12 letters and digits, such as 7F3K2A".to_owned()
    })
}

pub(super) fn moment(text: &str) -> Result<Moment, String> {
    Moment::parse(text).ok_or_else(|| {
        "write the id of a message, a span such as 2h, or a time: 14:30, 2026-11-30, \
         2026-11-30 14:30, 2026-11-30T14:30:00Z"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_path_is_one() {
        for path in ["../api", ".", "~/api", "/srv/api", "a/b", "~"] {
            assert_eq!(to(path), Ok(To::Path(path.to_owned())));
        }
        assert_eq!(to("Cleo"), to("@Cleo"));
        assert!(matches!(to("#deploy"), Ok(To::Address(Address::Room(_)))));
        for odd in ["", "@", "#1", "a b", "Cleo,Tam"] {
            assert!(to(odd).is_err(), "{odd:?}");
        }
    }
}
