//! Ambient awareness for coding agents: what a sensor is, what deserves an interruption, and how a line is made of it.
//!
//! A complete sensor, and its test (which needs the feature `testkit`):
//!
//! ```
//! use attend_core::sensor::{Event, Sensor, sensor_sync};
//!
//! /// Tells when the project gains or loses its lock file.
//! fn lock_file() -> impl Sensor {
//!     let mut known = None;
//!     sensor_sync(move |cx| {
//!         let there = cx.roots().work().join("Cargo.lock").exists();
//!         if known.replace(there).is_some_and(|before| before != there) {
//!             let text = if there { "Cargo.lock appeared" } else { "Cargo.lock is gone" };
//!             cx.report(Event::new(2.0, text).key("lock"));
//!         }
//!         Ok(())
//!     })
//! }
//!
//! # #[cfg(feature = "testkit")] {
//! use attend_core::testkit::Harness;
//!
//! let (mut harness, mut sensor) = (Harness::new(), lock_file());
//! harness.poll(&mut sensor).assert_quiet();
//! harness.write("Cargo.lock", "");
//! harness.poll(&mut sensor).assert_texts(&["Cargo.lock appeared"]);
//! # }
//! # let _ = lock_file();
//! ```
//!
//! # What is where
//!
//! | module | for |
//! |---|---|
//! | [`sensor`] | the contract: what an author of sensors or hosts reads |
//! | [`attention`] | the engine: what is held, what may interrupt, and the lines made of it |
//! | [`dynamics`] | ticks, curves, engagement and the governor, of use alone |
//! | [`mail`] | messages: addresses, seats, and the mailbox that keeps them |
//! | `runtime` | the driver, which owns time, threads and files; configuration |
//! | `ways` | guidance on the token axis |
//! | `testkit` | a world that does what a test says, and the contracts as suites |
//!
//! # What it does not do
//!
//! It calls no network and no model, gives no advice of its own, writes to no repository, and reads
//! no environment. Without the feature `runtime` it has no clock, no thread and no process, and of
//! files it touches none but those that it is given: the mailbox of `sqlite`, the ways of `ways`.
//!
//! # The engine
//!
//! It holds what sensors report, lets it age, and decides what may wake an agent. It does no I/O and
//! reads no clock: every call is given the current [`Tick`](dynamics::Tick), so a whole day runs in
//! milliseconds in a test.
//!
//! ```
//! use attend_core::attention::{Attention, Input, SensorProfile, Step};
//! use attend_core::dynamics::Tick;
//! use attend_core::sensor::{Event, Report, SensorName};
//!
//! let name = SensorName::new("git")?;
//! let mut attention = Attention::builder().build();
//! attention.input(Tick::new(0), Input::Sensors(vec![SensorProfile::new(name.clone())]));
//!
//! let mut report = Report::new();
//! report.event(Event::new(3.0, "branch changed: main → feat/x").key("branch"))?;
//! attention.input(Tick::new(10), Input::Report(name, report));
//!
//! // A batch leaves one tick after a sensor became ready, so that looks of one moment share it.
//! assert!(matches!(attention.step(Tick::new(10)), Step::Wait { until: Some(t) } if t == Tick::new(11)));
//! let Step::Write(batch) = attention.step(Tick::new(11)) else { panic!("nothing to write") };
//! assert_eq!(batch.to_string(), "[attend sensor=git priority=medium] branch changed: main → feat/x\n");
//! attention.ack(Tick::new(11), batch.id());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | none | the contract and the engine, without any runtime |
//! | `runtime` (default) | the driver: tokio, the system's clock, processes, watching, files of state |
//! | `config` | configuration files in layers, with the line of every mistake |
//! | `sqlite` | the durable mailbox: one SQLite database per user |
//! | `ways` | guidance on the token axis: files, the gate, scores, findings |
//! | `picture` | pictures: the timeline of a journal, and with `ways` the curves of guidance |
//! | `schema` | JSON Schemas of configuration types; with `config`, a sample and documentation |
//! | `testkit` | clocks, roots, runners and a harness for tests of sensors |

pub mod attention;
pub mod dynamics;
pub mod mail;
#[cfg(feature = "picture")]
mod picture;
#[cfg(feature = "runtime")]
pub mod runtime;
pub mod sensor;
#[cfg(feature = "testkit")]
pub mod testkit;
#[cfg(feature = "ways")]
pub mod ways;
#[cfg(any(feature = "config", feature = "ways"))]
mod yaml;

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
