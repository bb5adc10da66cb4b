//! Ways: guidance that is shown when it applies, and again once it has faded.
//!
//! A [`Way`] is a Markdown file: YAML frontmatter with a [`Trigger`] and a [`Cadence`], and a
//! body of guidance. A [`Corpus`] loads them from several directories, a [`Gate`] decides on the
//! axis of tokens whether one is shown whole, and a [`Scorer`] which of several fits best.
//!
//! Nothing here writes a file: what a session remembers is kept by whoever implements
//! [`Ledger`].

mod finding;
pub use finding::{Finding, Problem};

mod id;
pub use id::{WayId, WayIdError};

mod needed;

mod haystack;
pub use haystack::Haystack;

mod pattern;
pub use pattern::{FileGlob, Pattern, PatternError};

mod trigger;
pub use trigger::{Calls, Occasion, Prompts, SourceOfStart, ToolEvent, Trigger};

mod summary;
pub use summary::Summary;

mod index;
pub use index::Index;

mod way;
pub use way::{Cadence, DEFAULT_REFIRE, Scope, Way};

mod fields;

mod legacy;

mod firing;

mod fading;

mod frontmatter;
pub use frontmatter::{Read, read};

mod bundled;
pub use bundled::BUNDLED;

mod corpus;
pub use corpus::{Corpus, Loaded, Origin, Root, files};

mod taken;
pub use taken::{CompactionSign, Taken};

mod lint;
pub use lint::lint;

mod gate;
pub use gate::{FLOOR, FLOOR_CRITICAL, Gate, Position, Stamp};

mod state;
pub use state::{Fire, Fired, Ledger, fires, stamp, try_fire};

mod score;
pub use score::{DefaultScorer, Scorer, rank};

mod rethink;
pub use rethink::{Standing, rethink};

mod plot;
pub use plot::plot;
