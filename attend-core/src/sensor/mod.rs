//! The contract: what an author of sensors or hosts reads.
//!
//! A sensor is anything that implements [`Sensor`]: one method that looks once and reports what
//! changed since the last look. What it may do is what its [`PollContext`] offers; how it is
//! built, named and configured is what its [`SensorSpec`] says.
//!
//! | to | read |
//! |---|---|
//! | write a sensor | [`Sensor`], [`PollContext`], [`Event`] |
//! | make it configurable | [`SensorSpec`], [`Profile`], [`Declares`], [`Registry`] |
//! | wrap a closure, or feed events from elsewhere | [`sensor_fn`], [`sensor_sync`], [`injector`] |
//! | be told when to look | [`BuildContext::wake`], [`BuildContext::watch`] |
//! | say what went wrong | [`SensorError`], [`ConfigError`] |

mod name;
pub use name::{Key, NameError, NameErrorKind, SensorName, Signal};

mod bounds;
pub(crate) use bounds::MAX_INHIBITS;

mod refusal;
pub use refusal::Refusal;

mod magnitude;
pub use magnitude::Magnitude;

mod event;
pub use event::{Event, Observation, Stakes};

mod report;
pub use report::{Absorbed, Item, MAX_HELD, Report};

mod error;
pub use error::{ConfigError, ConfigErrorKind, ErrorKind, SensorError};

mod value;
pub use value::{Schema, Snapshot, Value};

#[cfg(feature = "config")]
mod inspect;
#[cfg(feature = "config")]
pub(crate) use inspect::{Inspection, Way, inspect};

mod exits;
pub use exits::{Ended, Exit, Exits};

mod world;
pub use world::{Changes, Clock, Project, Root, Roots, WakeHandle, Watch, Watcher};

mod command;
pub use command::{Child, CommandOutput, CommandSpec, Runner, Said};

mod session;
pub use session::{Evidence, HostProcess, Identity, SessionInfo};

mod usage;
pub use usage::{Compaction, ContextUsage, Growth, Sample, WindowBasis};

mod own;
pub use own::{OwnCall, OwnChanges, OwnEdit, OwnSpan};

mod turns;
pub use turns::{Cause, Turn, Turns};

mod peer;
pub use peer::{Peer, PeerEdits, PeerState};

mod evidence;
pub use evidence::{Seen, Shown, Taught};

mod host;
pub use host::{Host, HostAnswer, HostRequest, HostState, NoHost};

mod context;
pub use context::{BuildContext, Facilities, Gathered, PollContext};

mod spec;
#[cfg(feature = "runtime")]
pub(crate) use spec::DEADLINE;
pub use spec::{Declares, Lane, Profile, Sensor, SensorSpec};

mod adapt;
pub use adapt::{Injector, PollFuture, injector, sensor_fn, sensor_sync};

mod registry;
pub use registry::{Registration, Registry};
