//! What tests of sensors and of embedders need: a world that does what it is told, and checks of the contract.
//!
//! Nothing here sleeps, starts a process or needs a runtime: time is a [`FakeClock`], commands
//! are answered by a [`ScriptedRunner`], and files lie in [`TempRoots`]. A [`Harness`] holds
//! all of it, and looks.
//!
//! ```
//! use std::time::Duration;
//! use attend_core::sensor::{Event, sensor_sync};
//! use attend_core::testkit::Harness;
//!
//! let mut known = None;
//! let mut sensor = sensor_sync(move |cx| {
//!     let there = cx.roots().work().join("Cargo.lock").exists();
//!     if known.replace(there).is_some_and(|before| before != there) {
//!         cx.report(Event::new(2.0, if there { "Cargo.lock appeared" } else { "Cargo.lock is gone" }));
//!     }
//!     Ok(())
//! });
//!
//! let mut harness = Harness::new();
//! harness.poll(&mut sensor).assert_quiet();
//! harness.write("Cargo.lock", "");
//! harness.advance(Duration::from_secs(30));
//! assert_eq!(harness.poll(&mut sensor).only_event().text(), "Cargo.lock appeared");
//! ```
//!
//! | to | use |
//! |---|---|
//! | test a sensor look by look | [`Harness`], [`Polled`] |
//! | check that a sensor keeps the contract | [`conformance()`], [`Conformance`] |
//! | check that a mailbox keeps the contract, or does as another does | [`mailbox_conformance`], [`mailboxes_agree`] |
//! | move time, step the time of day | [`FakeClock`] |
//! | let processes live and die around a mailbox | [`FakeAround`] |
//! | answer commands, or let them fail | [`ScriptedRunner`] |
//! | let a command run on and say something | [`ScriptedStream`] |
//! | put files where a sensor reads them | [`TempRoots`] |
//! | say what the agent program is doing | [`FakeHost`] |
//! | let a watched path change, or refuse to watch | [`FakeWatcher`] |
//! | know what an agent gets of printed lines, and where in its transcript | [`SimulatedMonitor`], [`MonitorTranscript`] |

mod clock;
pub use clock::FakeClock;

mod around;
pub use around::FakeAround;

mod stream;
pub use stream::ScriptedStream;

mod runner;
pub use runner::ScriptedRunner;

mod roots;
pub use roots::TempRoots;

mod host;
pub use host::FakeHost;

mod ends;

mod watch;
pub use watch::FakeWatcher;

mod polled;
pub use polled::Polled;

mod harness;
pub use harness::Harness;

mod conformance;
pub use conformance::{Conformance, conformance};

mod mailbox;
pub use mailbox::{mailbox_conformance, mailboxes_agree};

pub mod monitor;
pub use monitor::{MonitorTranscript, SimulatedMonitor};
