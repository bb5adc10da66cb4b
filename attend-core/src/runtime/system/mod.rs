//! The system as it is: its clock, its processes, its file watching.
//!
//! All platform code stands here. Linux is tested; other systems are best effort: what they
//! lack is an error that says so, and sensors go on by polling.

mod clock;
pub(crate) use clock::pause;
pub use clock::{SystemClock, monotonic_millis};

mod mark;

mod guard;

mod kept;

mod processes;
pub(crate) use processes::is_alive;

mod around;
pub use around::SystemAround;

mod person;
pub use person::{has_terminal, user_home, user_name};

mod ready;

mod alarm;
pub(crate) use alarm::Alarm;

mod exits;
pub(crate) use exits::Exit;

mod children;

mod runner;
pub use runner::SystemRunner;

mod raw;
pub use raw::stdout_was_closed;

mod input;
pub use input::read_input;

mod output;
pub use output::{Output, Unwritten, reader_is_gone};

mod ground;
pub use ground::Ground;

mod private;
pub(crate) use private::{PrivateDir, create_file, is_linked};

mod signals;
pub use signals::{EndSignal, stop};
pub(crate) use signals::{Ends, Job, Jobs};

mod attached;
pub use attached::Attached;

mod watching;
pub use watching::SystemWatcher;
pub use watching::{Lookout, Woken, limit_named, watchable};
