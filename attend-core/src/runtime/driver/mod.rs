//! The driver: time, threads and files around the engine.

mod axis;

mod looks;

mod memory;

mod reread;
pub use reread::Plan;

mod tape;

mod turn;

mod builder;
pub use builder::DriverBuilder;

mod trial;
pub use trial::{Trial, Tried};

use std::fmt;
use std::io;

use thiserror::Error;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use super::roster::SensorSetup;
use super::system::{EndSignal, Exit, Output, SystemWatcher};
use crate::attention::{Attention, Input};
use crate::sensor::{Project, Roots};

/// Runs sensors around an engine and writes what it decides to say.
///
/// Everything happens on the thread that runs it but the looks of the sensors, which have a
/// thread of their own. It sleeps until something is due.
///
/// ```no_run
/// use attend_core::runtime::{Driver, SensorSetup};
/// use attend_core::sensor::{Event, Project, Roots, SensorName, sensor_sync};
///
/// let hello = SensorSetup::instance(SensorName::new("hello")?, sensor_sync(|cx| {
///     cx.report(Event::new(3.0, "hello").key("hello"));
///     Ok(())
/// }));
/// let driver = Driver::builder(Roots::new("."), Project::at("."))
///     .sensor(hello)
///     .end_on_signals()
///     .build()?;
/// let ended = driver.run()?;
/// # let _ = ended;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Driver {
    turn: turn::Turn,
    watcher: SystemWatcher,
    commands: UnboundedReceiver<Command>,
    handle: Handle,
    reread: Option<reread::Reread>,
    end_on_signals: bool,
    beside: Option<Exit>,
}

/// Why a driver ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Ended {
    /// By this signal.
    Signal(EndSignal),
    /// Nobody reads the output any more.
    Closed,
    /// The process that it ran beside has ended.
    Alone,
    /// Somebody stopped it by its [`Handle`].
    Stopped,
    /// The seat whose mail it reads is another's by now, or its session has ended.
    Displaced,
    /// Lines with mail could not be written in time; whatever was not is shown by another reader.
    Stalled,
    /// Every sensor was looked at once and what was due was written.
    Once,
}

/// A driver that cannot go on. Its source says why.
#[derive(Debug, Error)]
#[error("{kind}")]
pub struct DriverError {
    kind: DriverErrorKind,
    source: io::Error,
}

/// What a driver could not do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum DriverErrorKind {
    /// Use standard output.
    Output,
    /// Start: the system gave no reactor.
    Start,
    /// Start a thread for a look.
    Thread,
    /// Hear signals.
    Signals,
    /// Write lines, though somebody reads them.
    Write,
}

impl DriverError {
    /// What it could not do.
    pub fn kind(&self) -> DriverErrorKind {
        self.kind
    }

    fn new(kind: DriverErrorKind) -> impl FnOnce(io::Error) -> Self {
        move |source| Self { kind, source }
    }
}

impl fmt::Display for DriverErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Output => "cannot use standard output",
            Self::Start => "cannot start",
            Self::Thread => "cannot start a thread",
            Self::Signals => "cannot hear signals",
            Self::Write => "cannot write",
        })
    }
}

/// Reaches a driver that runs, from any thread.
#[derive(Clone)]
pub struct Handle(UnboundedSender<Command>);

pub(super) enum Command {
    Stop,
    Input(Box<Input>),
    Sensors(Vec<SensorSetup>),
    Plan(Box<Plan>),
}

impl Handle {
    /// Ends the driver.
    pub fn stop(&self) {
        let _ = self.0.send(Command::Stop);
    }

    /// Tells the engine something, such as which signals a way handles.
    pub fn input(&self, input: Input) {
        let _ = self.0.send(Command::Input(Box::new(input)));
    }

    /// Makes the sensors those of `setups`.
    ///
    /// A registered one that is configured as before goes on undisturbed; one that is configured
    /// otherwise is built anew and restored.
    pub fn configure(&self, setups: Vec<SensorSetup>) {
        let _ = self.0.send(Command::Sensors(setups));
    }
}

impl Driver {
    /// Starts building a driver over the named directories of a project.
    pub fn builder(roots: Roots, project: Project) -> DriverBuilder {
        DriverBuilder::new(roots, project)
    }

    /// A handle to reach it while it runs.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// The engine.
    pub fn engine(&self) -> &Attention {
        self.turn.engine()
    }

    /// Runs until it is ended: by a signal, by its handle, or because nobody reads any more.
    ///
    /// # Errors
    ///
    /// The system gave no reactor, or the output could not be written for another reason than
    /// that nobody reads it.
    pub fn run(self) -> Result<Ended, DriverError> {
        let built = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = built.map_err(DriverError::new(DriverErrorKind::Start))?;
        let ended = runtime.block_on(self.drive());
        runtime.shutdown_background();
        ended
    }

    /// Looks at every sensor once, writes what is due, and ends.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub fn once(mut self) -> Result<Ended, DriverError> {
        self.turn.only_once();
        self.reread = None;
        self.run()
    }

    /// As [`run`](Self::run), inside a tokio runtime that has I/O and time.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub async fn drive(self) -> Result<Ended, DriverError> {
        let Self {
            mut turn,
            watcher,
            mut commands,
            handle,
            reread,
            end_on_signals,
            beside,
        } = self;
        let output = turn.output();
        // Before anything is said: whoever reads a line may end the driver.
        let ends = end_on_signals.then(super::system::Ends::listen);
        let mut ends = match ends.transpose() {
            Ok(ends) => ends,
            Err(error) => {
                turn.end().await;
                return Err(DriverError::new(DriverErrorKind::Signals)(error));
            }
        };
        let signals = async {
            match &mut ends {
                Some(ends) => ends.next().await,
                None => std::future::pending().await,
            }
        };
        let mut signals = std::pin::pin!(signals);
        let alone = async {
            match &beside {
                Some(process) => process.ended().await,
                None => std::future::pending().await,
            }
        };
        let mut alone = std::pin::pin!(alone);
        let mut closed = std::pin::pin!(output.closed());
        let mut pump = std::pin::pin!(watcher.pump());
        let plans = handle.0.clone();
        let mut reread = std::pin::pin!(async {
            match reread {
                Some(reread) => reread.run(&watcher, plans).await,
                None => std::future::pending().await,
            }
        });
        let ended = loop {
            match turn.take() {
                Ok(None) => {}
                Ok(Some(ended)) => break Ok(ended),
                Err(error) => break Err(error),
            }
            tokio::select! {
                () = turn.next() => {}
                signal = &mut signals => break Ok(Ended::Signal(signal)),
                () = &mut closed => break Ok(Ended::Closed),
                () = &mut alone => break Ok(Ended::Alone),
                () = &mut pump => {}
                () = &mut reread => {}
                command = commands.recv() => match command {
                    Some(Command::Input(input)) => turn.input(*input),
                    Some(Command::Sensors(setups)) => turn.configure(setups),
                    Some(Command::Plan(plan)) => turn.follow(*plan),
                    Some(Command::Stop) | None => break Ok(Ended::Stopped),
                },
            }
        };
        turn.end().await;
        drop(handle);
        ended
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Handle")
    }
}

/// The output as it is shared with a write that is under way.
type SharedOutput = std::sync::Arc<Output>;
