//! The arguments of `explain`, as data.

use std::path::PathBuf;
use std::time::Duration;

use attend_core::attention::EventId;
use attend_core::sensor::Signal;
use clap::Args;

use super::{OfLoop, span};

#[derive(Args, Debug)]
#[command(
    after_help = "Events are grouped by key: an event stands below those whose place it took. The newest is last,\nand below it stands what became of all events since the loop first began; a picture has a row\nfor each sensor.\n\nExamples:\n  attend explain\n  attend explain --sensor git --since 10m\n  attend explain --event 12\n  attend explain --since 8h --plot day.svg\n  attend explain --from day.trace --last 5"
)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) of: OfLoop,
    /// What `attend run --record` wrote, in place of a loop's journal
    #[arg(long, value_name = "TRACE", conflicts_with_all = ["project", "session"])]
    pub(crate) from: Option<PathBuf>,
    /// Only the event of this number, and those whose place it took
    #[arg(long, value_name = "N", value_parser = event)]
    pub(crate) event: Option<EventId>,
    /// Only this sensor.
    #[arg(long, value_name = "NAME")]
    pub(crate) sensor: Option<String>,
    /// Only what carries this signal
    #[arg(long, value_name = "SIGNAL", value_parser = signal)]
    pub(crate) signal: Option<Signal>,
    /// Only the latest: 90s, 10m, 2h, 3d [default: 1h; all with --event, --last or --from]
    #[arg(long, value_name = "SPAN", value_parser = span)]
    pub(crate) since: Option<Duration>,
    /// Only so many, the newest
    #[arg(long, value_name = "COUNT")]
    pub(crate) last: Option<usize>,
    /// Also draw it
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
    /// Print one JSON document a line.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Reads the number of an event, with or without the sign before it.
fn event(text: &str) -> Result<EventId, std::num::ParseIntError> {
    text.strip_prefix('#')
        .unwrap_or(text)
        .parse()
        .map(EventId::new)
}

/// Takes any text: what no event carries is found nowhere.
#[expect(clippy::unnecessary_wraps, reason = "what clap asks of a parser")]
fn signal(text: &str) -> Result<Signal, std::convert::Infallible> {
    Ok(text.into())
}
