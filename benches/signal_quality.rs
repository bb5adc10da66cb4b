//! `signal-quality`: what the shipped settings make of each labelled day, and whether a rule is broken.
//!
//! `cargo run --release -p benches --bin signal-quality` prints the table of days; `-- sweep` that
//! of other settings, `-- lines DAY` what is shown of one day, `-- write DIR` writes every trace.
//! It fails where a rule is broken.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use benches::quality::{Sample, Score, Table, samples, shipped, sweep};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let days = samples();
    let done = match args.as_slice() {
        [] => return judged(&days),
        ["sweep"] => io::stdout().write_all(sweep(&days).as_bytes()),
        ["lines", day] => lines(&days, day),
        ["write", directory] => write(&days, Path::new(directory)),
        _ => Err(io::Error::other(
            "arguments: none, sweep, lines DAY, or write DIR",
        )),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "signal-quality: {error}");
            ExitCode::FAILURE
        }
    }
}

fn judged(days: &[Sample]) -> ExitCode {
    let scores: Vec<Score> = days.iter().map(|day| day.score(&shipped())).collect();
    let mut failed = false;
    let table = Table(scores);
    let mut said = write!(io::stdout(), "{table}");
    for score in &table.0 {
        for broken in score.broken() {
            failed = true;
            said = said.and_then(|()| writeln!(io::stderr(), "{}: {broken}", score.day));
        }
    }
    if failed || said.is_err() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

fn lines(days: &[Sample], name: &str) -> io::Result<()> {
    let day = days.iter().find(|day| day.name() == name);
    let day = day.ok_or_else(|| io::Error::other(format!("no day is called {name}")))?;
    for (seconds, line) in day.lines(&shipped()) {
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
        writeln!(
            io::stdout(),
            "{hours}:{minutes:02}:{:02} {line}",
            seconds % 60
        )?;
    }
    Ok(())
}

fn write(days: &[Sample], directory: &Path) -> io::Result<()> {
    std::fs::create_dir_all(directory)?;
    for day in days {
        let path = directory.join(format!("{}.trace", day.name()));
        std::fs::write(path, day.bytes())?;
    }
    Ok(())
}
