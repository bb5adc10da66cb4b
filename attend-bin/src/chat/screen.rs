//! The terminal: taken when a chat begins, given back however it ends.

use std::io::{self, Stdout, Write, stdout};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use super::draw::draw;
use super::state::State;

/// Whether this process has taken the terminal.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal, while it is taken.
#[derive(Debug)]
pub(crate) struct Screen(Terminal<CrosstermBackend<Stdout>>);

impl Screen {
    /// Takes the terminal. Whoever panics gives it back first, and calls `panicked`.
    pub(crate) fn open(panicked: impl Fn() + Send + Sync + 'static) -> io::Result<Self> {
        let told = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            give_back();
            told(info);
            panicked();
        }));
        take()?;
        let opened = Terminal::new(CrosstermBackend::new(stdout())).map(Self);
        if opened.is_err() {
            give_back();
        }
        opened
    }

    /// Lets somebody else have the terminal while `pause` lasts.
    pub(crate) fn without(&mut self, pause: impl FnOnce()) -> io::Result<()> {
        give_back();
        pause();
        take()?;
        self.clear()
    }

    /// Its width and height.
    pub(crate) fn size(&self) -> io::Result<(u16, u16)> {
        let size = self.0.size()?;
        Ok((size.width, size.height))
    }

    /// Shows the state; gives whether it did, or the terminal has another size by now.
    pub(crate) fn show(&mut self, state: &State) -> io::Result<bool> {
        let shown = self.0.draw(|frame| draw(state, frame))?;
        Ok((shown.area.width, shown.area.height) == state.size)
    }

    /// The next showing begins from an empty screen.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        // Clearing would ask the terminal where its cursor is, whose answer is read elsewhere.
        let size = self.0.size()?;
        self.0.resize(size.into())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Takes the terminal; where that fails, it is as it was.
fn take() -> io::Result<()> {
    TAKEN.store(true, Ordering::SeqCst);
    let taken = enable_raw_mode().and_then(|()| {
        execute!(
            stdout(),
            EnterAlternateScreen,
            EnableBracketedPaste,
            EnableMouseCapture
        )
    });
    if taken.is_err() {
        give_back();
    }
    taken
}

/// Ends the process, which can do nothing else: the terminal takes no more, and so is given back
/// only as far as that needs nothing to be written.
#[expect(
    clippy::disallowed_methods,
    reason = "the thread that ends in order waits for the terminal for ever"
)]
pub(crate) fn end_without() -> ! {
    let _ = disable_raw_mode();
    std::process::exit(1);
}

/// Gives the terminal back, once. Where it is gone, there is nothing to give.
fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = stdout();
    let _ = execute!(
        out,
        DisableMouseCapture,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        Show
    );
    let _ = out.flush();
    let _ = disable_raw_mode();
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::process::Command;

    use super::*;

    /// The name of the test that is run in a terminal.
    const INSIDE: &str = "chat::screen::tests::inside_a_terminal_somebody_panics";

    #[test]
    #[ignore = "it takes the terminal that another test makes for it"]
    fn inside_a_terminal_somebody_panics() {
        let screen = Screen::open(|| {}).unwrap();
        let panics = std::thread::spawn(|| panic!("somebody panics"));
        panics.join().unwrap_err();
        // What is given back was given back by whoever panicked.
        std::mem::forget(screen);
    }

    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "a real terminal is made by a program that does"
    )]
    fn whoever_panics_gives_the_terminal_back() {
        let test: PathBuf = std::env::current_exe().unwrap();
        let line = format!(
            "stty -a | tr ' ' '\\n' | grep icanon; '{}' --ignored --exact {INSIDE} --nocapture; \
             stty -a | tr ' ' '\\n' | grep icanon",
            test.display()
        );
        let mut command = Command::new("script");
        let output = command
            .args(["-qec", &line, "/dev/null"])
            .env("SHELL", "/bin/sh")
            .output();
        let Ok(output) = output else {
            let told = "a panic at a terminal: left out, script is not installed\n";
            let _ = io::stderr().write_all(told.as_bytes());
            return;
        };
        let told = String::from_utf8_lossy(&output.stdout);
        let at = |words: &str| {
            told.find(words)
                .unwrap_or_else(|| panic!("{words:?}: {told:?}"))
        };
        let (taken, left) = (at("\u{1b}[?1049h"), at("\u{1b}[?1049l"));
        // What is said of it stands where it can be read.
        assert!(taken < left && left < at("somebody panics"), "{told:?}");
        let settings: Vec<&str> = told
            .lines()
            .filter(|line| line.ends_with("icanon"))
            .collect();
        assert_eq!(settings, ["icanon", "icanon"], "{told:?}");
    }
}
