//! Signals end a driver cleanly. A file of its own, since it is the whole process that is hit.
#![cfg(all(unix, feature = "runtime"))]

use std::io::{BufRead, BufReader};
use std::path::Path;

use attend_core::runtime::system::{Output, SystemRunner};
use attend_core::runtime::{Driver, Ended, Saved, StateDir};
use attend_core::sensor::{CommandSpec, Project, Roots, Runner};

#[test]
fn a_signal_saves_and_ends() {
    let home = tempfile::tempdir().unwrap();
    for signal in ["TERM", "INT", "HUP"] {
        let state = home.path().join(signal);
        let (reader, writer) = std::io::pipe().unwrap();
        let driver = Driver::builder(Roots::new("/"), Project::at("/"))
            .output(Output::to(writer.into()))
            .state(&state)
            .banner("here")
            .end_on_signals()
            .build()
            .unwrap();
        let ended = std::thread::spawn(move || driver.run().unwrap());
        // Once it has said something it listens.
        let mut lines = BufReader::new(reader).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "[attend] here");
        let pid = std::process::id().to_string();
        let kill = CommandSpec::new("kill").args(["-s", signal, &pid]);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        assert!(
            runtime
                .block_on(SystemRunner.run(&kill, Path::new("/")))
                .unwrap()
                .success()
        );
        let Ended::Signal(by) = ended.join().unwrap() else {
            panic!("another end")
        };
        assert_eq!(by.to_string(), format!("SIG{signal}"));
        let dir = StateDir::existing(&state).unwrap().unwrap();
        assert!(Saved::peek(&dir).unwrap().is_some());
    }
}
