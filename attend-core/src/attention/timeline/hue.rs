//! What is drawn how: the classes of fates and of gates, and their colours.

use crate::attention::explain::Fate;
use crate::attention::gate::Reason;
use crate::picture::Light;

/// The width of the picture; it is made to be shown at 600 to 1280 pixels.
pub(super) const WIDTH: f64 = 720.0;
pub(super) const LEFT: f64 = 50.0;
pub(super) const RIGHT: f64 = 22.0;

/// The smallest size of words.
pub(super) const SMALL: u32 = 12;

/// What became of an event, as it is drawn; what matters more is drawn over what matters less.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Hue {
    Replaced,
    Held,
    Dropped,
    Footnoted,
    Shown,
}

impl Hue {
    pub(super) const ALL: [Self; 5] = [
        Self::Shown,
        Self::Footnoted,
        Self::Held,
        Self::Dropped,
        Self::Replaced,
    ];

    pub(super) fn of(fate: Fate) -> Self {
        match fate {
            Fate::Shown { .. } => Self::Shown,
            Fate::Footnoted { .. } => Self::Footnoted,
            Fate::Held => Self::Held,
            _ if fate.is_dropped() => Self::Dropped,
            _ => Self::Replaced,
        }
    }

    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Shown => "shown",
            Self::Footnoted => "footnoted",
            Self::Held => "held",
            Self::Dropped => "dropped",
            Self::Replaced => "replaced",
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Shown => "shown",
            Self::Footnoted => "in passing",
            Self::Held => "held still",
            Self::Dropped => "dropped",
            Self::Replaced => "replaced",
        }
    }
}

/// A kind of gate, as it is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Gate {
    Below,
    Refractory,
    Governor,
    Host,
    Quiet,
}

impl Gate {
    pub(super) const ALL: [Self; 5] = [
        Self::Below,
        Self::Refractory,
        Self::Governor,
        Self::Host,
        Self::Quiet,
    ];

    /// None where it holds nothing.
    pub(super) fn of(reason: Reason) -> Option<Self> {
        match reason {
            Reason::Empty | Reason::Flight => None,
            Reason::Threshold | Reason::Priority => Some(Self::Below),
            Reason::Refractory { .. } => Some(Self::Refractory),
            Reason::Gather | Reason::Cooldown | Reason::Window => Some(Self::Governor),
            Reason::Host => Some(Self::Host),
            Reason::Mute | Reason::Inhibited => Some(Self::Quiet),
        }
    }

    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Below => "below",
            Self::Refractory => "refractory",
            Self::Governor => "governor",
            Self::Host => "host",
            Self::Quiet => "quiet",
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Below => "too small",
            Self::Refractory => "shown lately",
            Self::Governor => "enough notifications",
            Self::Host => "host idle",
            Self::Quiet => "muted",
        }
    }
}

pub(super) fn rules(light: &Light) -> String {
    let Light {
        ground,
        faint,
        rule,
        curve,
        floor,
        fire,
        lost,
        calm,
        aside,
        ..
    } = light;
    format!(
        ".shown{{fill:{fire};stroke:{fire}}}.footnoted{{fill:{aside};stroke:{aside}}}\
         .held{{fill:{ground};stroke:{curve};stroke-width:2}}.dropped{{fill:{ground};stroke:{lost};stroke-width:2}}\
         .replaced{{fill:{faint};stroke:{faint}}}\
         .sum{{stroke:{curve};stroke-width:1.5;fill:none}}\
         .threshold{{stroke:{floor};stroke-width:1.5;stroke-dasharray:5 4}}\
         .raised{{fill:{floor};fill-opacity:.2}}\
         .below{{fill:{rule}}}.refractory{{fill:{floor}}}.governor{{fill:{calm}}}.host{{fill:{curve}}}.quiet{{fill:{faint}}}\
         .lead{{stroke:{rule};stroke-width:1}}.row{{fill:{rule};fill-opacity:.22}}\
         .said{{paint-order:stroke;stroke:{ground};stroke-width:3px}}"
    )
}
