//! Plain words for stages and fates.

use super::dial::Dial;
use super::stories::Stories;
use super::story::{Fate, Stage, Story};
use crate::attention::gate::Reason;
use crate::attention::held::Departed;
use crate::attention::journal::Change;
use crate::attention::settings::Settings;
use crate::dynamics::Tick;
use crate::sensor::{MAX_HELD, Magnitude};

/// An amount of magnitude, given in thousandths: `0.31`, `0.5`, `3.0`.
pub(in crate::attention) fn amount(thousandths: u64) -> String {
    let text = format!("{:.2}", thousandths as f64 / 1_000.0);
    match text.strip_suffix('0') {
        Some(shorter) => shorter.to_owned(),
        None => text,
    }
}

/// What a stage means for what is held, as seen at `at`, when the sensor added up to `sum`.
pub(super) fn stage(
    stage: &Stage<'_>,
    at: Tick,
    sum: u64,
    settings: &Settings,
    dial: &Dial<'_>,
) -> String {
    let record = stage.record;
    let until = record.until.filter(|until| *until > at);
    match record.change {
        Change::Held { reason } => {
            let until = until
                .map(|until| format!(" until {}", dial.tell(until)))
                .unwrap_or_default();
            let why = why(reason, stage, sum, settings, dial);
            format!("held{until}: {why}")
        }
        Change::Admitted => "may leave".to_owned(),
        Change::Returned { batch } => {
            format!("held again: notification {batch} could not be written")
        }
        _ => "changed in a way that this attend does not know".to_owned(),
    }
}

/// Why a gate holds what adds up to `sum`.
fn why(
    reason: Reason,
    stage: &Stage<'_>,
    sum: u64,
    settings: &Settings,
    dial: &Dial<'_>,
) -> String {
    let threshold = stage.record.threshold;
    let shown = stage.shown.map(|at| dial.tell(at));
    match reason {
        Reason::Threshold => {
            let threshold = amount(threshold.thousandths());
            format!("below the threshold: {} of {threshold}", amount(sum))
        }
        Reason::Refractory {
            multiplier: Some(times),
        } => {
            let since = shown.map_or_else(
                || "it was shown lately".to_owned(),
                |at| format!("the last notification at {at}"),
            );
            let needed = needed(threshold, times);
            format!(
                "below the threshold: {} of {} (×{times:.2} since {since})",
                amount(sum),
                amount(needed)
            )
        }
        Reason::Refractory { multiplier: None } => match shown {
            Some(at) => format!("its sensor was shown only just, at {at}"),
            None => "its sensor was shown only just".to_owned(),
        },
        Reason::Priority => format!(
            "a footnote ({}): it rides with the next notification, or leaves alone after {} of a busy host",
            amount(sum),
            span(settings.footnote_alone.get())
        ),
        Reason::Cooldown => format!(
            "{} must lie between two notifications",
            span(settings.governor.cooldown.get())
        ),
        Reason::Window => format!(
            "{} notifications within {} are the most",
            count(settings.governor.max_per_window.get()),
            span(settings.governor.window.get())
        ),
        Reason::Gather => "looks of the same moment share a notification".to_owned(),
        other => other.to_string(),
    }
}

/// What became of it.
pub(super) fn fate(story: &Story<'_>, stories: &Stories<'_>) -> String {
    match story.fate {
        Fate::Shown { batch } => {
            let (shown, aside) = told(story, stories);
            let others = match shown.saturating_sub(1) {
                0 => String::new(),
                1 => " with 1 other".to_owned(),
                others => format!(" with {others} others"),
            };
            let aside = match aside {
                0 => String::new(),
                aside => format!(", {aside} more named in passing"),
            };
            format!("shown{others}{aside} (notification {batch})")
        }
        Fate::Footnoted { batch } => format!("named in passing (notification {batch})"),
        Fate::AgedOut => match story.came {
            Some(came) => format!(
                "dropped: aged out after {}",
                span(story.fate_at.since(came).get())
            ),
            None => "dropped: aged out".to_owned(),
        },
        Fate::Gone(Departed::Replaced { by }) => format!("replaced by a newer one, #{by}"),
        Fate::Gone(Departed::Cleared) => "withdrawn: it holds no longer".to_owned(),
        Fate::Gone(Departed::Repeated) => {
            "not told again: no more than what was already shown".to_owned()
        }
        Fate::Gone(Departed::OverCap) => {
            format!("dropped: it made room for a larger one ({MAX_HELD} are held at most)")
        }
        Fate::Held => "held still".to_owned(),
        Fate::Unknown => "what became of it was not written down".to_owned(),
    }
}

/// How many events the batch of a story told: in lines, and in passing.
fn told(story: &Story<'_>, stories: &Stories<'_>) -> (usize, usize) {
    let (Fate::Shown { batch } | Fate::Footnoted { batch }) = story.fate else {
        return (0, 0);
    };
    let told = stories.batches.get(&(batch, story.fate_at));
    told.copied().unwrap_or_default()
}

/// The sum that must be reached, in thousandths.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a threshold times a small number"
)]
pub(in crate::attention) fn needed(threshold: Magnitude, times: f64) -> u64 {
    (threshold.thousandths() as f64 * times).round().max(0.0) as u64
}

/// `45 s`, `120 s`, `10 min`, `2 h`: whole, as they are configured, else rounded down.
fn span(seconds: u64) -> String {
    match seconds {
        0..=180 => format!("{seconds} s"),
        181..=10_800 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3_600),
    }
}

fn count(number: u32) -> String {
    let words = ["no", "one", "two", "three", "four", "five", "six"];
    let place = usize::try_from(number).unwrap_or(usize::MAX);
    words
        .get(place)
        .map_or_else(|| number.to_string(), |word| (*word).to_owned())
}
