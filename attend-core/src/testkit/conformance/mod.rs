//! Checks that a sensor keeps the contract, in a world of the test's choosing.

mod drive;
mod rules;

use std::fmt;

use super::harness::Harness;
use crate::sensor::{BuildContext, Declares, Sensor, SensorSpec};

/// How many of its own wakes a look may need before it counts as unbounded.
const MAX_POLLS: usize = 10_000;

/// How many awaits of one look are cancelled: at the first, the second, and so on.
const MAX_CANCELLED: usize = 32;

/// Checks that the sensors which `make` builds keep the contract in an empty world: the short
/// form of [`Conformance`].
///
/// ```
/// use attend_core::sensor::sensor_sync;
/// use attend_core::testkit::conformance;
///
/// conformance(|_| Box::new(sensor_sync(|_| Ok(()))));
/// ```
///
/// # Panics
///
/// At the first rule that is broken.
pub fn conformance(make: impl Fn(&BuildContext) -> Box<dyn Sensor>) {
    Conformance::new().check(make);
}

/// Checks that sensors keep the contract, in a given world and over a change of it.
///
/// | rule | what is checked |
/// |---|---|
/// | quiet baseline | the first look reports only what stands; a second look at an unchanged world says nothing |
/// | bounded work | a look comes to an end, and fits into one report |
/// | declared only | events and posts of undeclared lanes, and undeclared signals, do not occur |
/// | same world, same output | two fresh sensors say the same, and remember the same |
/// | snapshot round trip | a restored sensor remembers what was stored, and finds nothing new in an unchanged world; after a snapshot that it cannot read it starts afresh |
/// | a failed look leaves no trace | after a look that failed since commands and host failed, the next says what it would have said |
/// | cancelled at every await | after a look that was dropped at any await, the next says what it would have said, once |
///
/// Each is checked in the world as it was given, and again after [`change`](Self::change).
/// Commands and the host are made to wait once before they answer, so that there is something to
/// cancel. Many sensors look at the one world: teach a [`ScriptedRunner`](super::ScriptedRunner)
/// one answer per command for the world as it was given, and one more in the change.
///
/// ```
/// use attend_core::sensor::{Event, sensor_fn};
/// use attend_core::testkit::{Conformance, Harness};
///
/// let make = || sensor_fn(None, |known: &mut Option<bool>, cx| Box::pin(async move {
///     let there = cx.roots().work().join("Cargo.lock").exists();
///     if known.replace(there).is_some_and(|before| !before && there) {
///         cx.report(Event::new(2.0, "Cargo.lock appeared"));
///     }
///     Ok(())
/// }));
///
/// Conformance::new()
///     .harness(Harness::new().file("README.md", "Hello.\n"))
///     .change(|harness| { harness.write("Cargo.lock", ""); })
///     .check(|_| Box::new(make()));
/// ```
#[must_use = "nothing is checked until `check`"]
pub struct Conformance {
    harness: Harness,
    declares: Option<Declares>,
    change: Option<Change>,
}

type Change = Box<dyn FnOnce(&mut Harness)>;

impl Conformance {
    /// Checks in an empty world that does not change, of sensors that may report any signal.
    ///
    /// # Panics
    ///
    /// Where no temporary directory can be made.
    pub fn new() -> Self {
        Self {
            harness: Harness::new(),
            declares: None,
            change: None,
        }
    }

    /// Checks in this world.
    pub fn harness(mut self, harness: Harness) -> Self {
        self.harness = harness;
        self
    }

    /// Checks that nothing else is reported.
    pub fn declares(mut self, declares: Declares) -> Self {
        self.declares = Some(declares);
        self
    }

    /// Checks also after this change, which a look must report: files that are written, answers
    /// that differ, paths that a watch sees, time that passes.
    pub fn change(mut self, change: impl FnOnce(&mut Harness) + 'static) -> Self {
        self.change = Some(Box::new(change));
        self
    }

    /// Checks the sensors which `make` builds; each call makes a fresh one.
    ///
    /// # Panics
    ///
    /// At the first rule that is broken. The message names the rule, says what was seen, and
    /// what the rule is for.
    pub fn check(self, make: impl Fn(&BuildContext) -> Box<dyn Sensor>) {
        rules::check(self.harness, self.declares.as_ref(), self.change, &make);
    }

    /// Checks the sensors of the kind `S` with this configuration, and that they report only
    /// what the kind declares.
    ///
    /// # Panics
    ///
    /// Where the kind refuses the configuration, and at the first rule that is broken.
    pub fn check_kind<S: SensorSpec + Clone>(self, config: &S) {
        self.declares(S::declares()).check(|cx| {
            let built = config.clone().build(cx);
            built.unwrap_or_else(|error| panic!("`{}` refuses its configuration: {error}", S::KIND))
        });
    }
}

impl Default for Conformance {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Conformance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conformance")
            .field("harness", &self.harness)
            .field("declares", &self.declares)
            .finish_non_exhaustive()
    }
}
