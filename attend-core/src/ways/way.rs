//! A way: who it is, on what it fires, how it fades, and what it says.

use crate::dynamics::{Curve, Shape};

use super::id::WayId;
use super::trigger::Trigger;

/// The share of the window, from 0 to 1, after which a way that says nothing of it is shown again:
/// about four times while a window fills.
pub const DEFAULT_REFIRE: f64 = 0.25;

/// One piece of guidance.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Way {
    /// Its path below its root, without the ending.
    pub id: WayId,
    /// What it is called.
    pub name: String,
    /// What it is for, on one line.
    pub description: String,
    /// On what it fires.
    pub trigger: Trigger,
    /// How it fades.
    pub cadence: Cadence,
    /// Whom it is for.
    pub scope: Scope,
    /// How well it has to fit, for a scorer that embeds, on the scale of that scorer; nothing here
    /// asks for it.
    pub embed_threshold: Option<f64>,
    /// The guidance.
    pub body: String,
}

/// How a way fades on the axis of tokens.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Cadence {
    /// By a curve of its own, in tokens.
    Curve(Curve),
    /// By half in this share of the window.
    Refire(f64),
    /// By half in the share that is the default.
    Default,
}

/// Whom a way is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Scope {
    /// The agent itself.
    #[default]
    Agent,
    /// Agents that it started.
    Subagent,
    /// Both.
    Any,
}

impl Cadence {
    /// The curve that it is in a window of `window` tokens, where `default` is the share for a
    /// way that says nothing.
    ///
    /// A share becomes the half-life of an exponential: from just past it on, less than half is
    /// left.
    ///
    /// ```
    /// use attend_core::dynamics::Shape;
    /// use attend_core::ways::Cadence;
    ///
    /// let curve = Cadence::Refire(0.25).curve_in(200_000, 0.25);
    /// assert_eq!(curve.shape(), &Shape::Exponential { half_life: 50_000 });
    /// ```
    ///
    /// # Panics
    ///
    /// Never: the half-life is at least 1.
    pub fn curve_in(&self, window: u64, default: f64) -> Curve {
        let share = match self {
            Self::Curve(curve) => return curve.clone(),
            Self::Refire(share) => *share,
            Self::Default => default,
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of a whole number of tokens, and what is negative is at least one"
        )]
        let half_life = ((window as f64 * share).round() as u64).max(1);
        let curve = Curve::new(Shape::Exponential { half_life });
        curve.unwrap_or_else(|_| unreachable!("a half-life of at least one makes a curve"))
    }
}

impl Scope {
    /// The names, as they stand in a file.
    pub const NAMES: [&'static str; 3] = ["agent", "subagent", "any"];

    /// The one that is called `name`.
    pub fn of(name: &str) -> Option<Self> {
        Some(match name {
            "agent" => Self::Agent,
            "subagent" => Self::Subagent,
            "any" => Self::Any,
            _ => return None,
        })
    }

    /// Whether a way of this scope is for a subagent, or else for the agent itself.
    pub fn takes(self, is_subagent: bool) -> bool {
        match self {
            Self::Agent => !is_subagent,
            Self::Subagent => is_subagent,
            Self::Any => true,
        }
    }
}

impl Way {
    /// What it is compared by: name, description and signals.
    pub fn words(&self) -> String {
        let mut words = format!("{} {}", self.name, self.description);
        for signal in self.trigger.signals() {
            words.push(' ');
            words.push_str(signal.as_str());
        }
        words
    }
}
