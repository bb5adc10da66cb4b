//! A terminal with a person at it: a program inside, keys that are typed, and the screen.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcgetpgrp, tcsetwinsize};
use vt100::Parser;

use crate::home::scrub;
use crate::live::eventually;
use crate::world::World;

/// A pseudo-terminal, and `attend chat` in it.
pub(crate) struct Terminal {
    child: Child,
    /// None once it was closed.
    keys: Option<File>,
    /// The program's end, which stays open for a look at how it is set.
    inside: Option<File>,
    /// Who looks at the screen, until it closes.
    reader: Option<JoinHandle<()>>,
    closes: Arc<AtomicBool>,
    seen: Arc<Mutex<Seen>>,
}

struct Seen {
    parser: Parser,
    bytes: Vec<u8>,
}

impl Terminal {
    /// Opens a chat.
    pub(crate) fn chat(world: &World) -> Self {
        Self::chat_with(&[], world)
    }

    /// The same with this in the environment.
    pub(crate) fn chat_with(env: &[(&str, &str)], world: &World) -> Self {
        Self::open(&[env!("CARGO_BIN_EXE_attend"), "chat"], env, world)
    }

    /// Opens a shell that has jobs, with a chat as the first of them. Whenever that has stopped, a
    /// line that is typed lets it go on, in a terminal that is set as shells set it.
    pub(crate) fn chat_of_shell(world: &World) -> Self {
        let script = "set -m; \"$A\" chat; while stty sane && read -r line; do fg; done";
        let env = [("A", env!("CARGO_BIN_EXE_attend"))];
        Self::open(&["sh", "-c", script], &env, world)
    }

    fn open(args: &[&str], env: &[(&str, &str)], world: &World) -> Self {
        let (width, height) = (100, 30);
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let outside = openpt(flags).expect("a terminal");
        grantpt(&outside).expect("it is ours");
        unlockpt(&outside).expect("it opens");
        let name = ptsname(&outside, Vec::new()).expect("a name");
        let name = name.into_string().expect("UTF-8");
        let inside = OpenOptions::new().read(true).write(true).open(name);
        let inside = inside.expect("the other end");
        set_size(&outside, (width, height));
        let end = || Stdio::from(inside.try_clone().expect("a descriptor"));
        let mut command = Command::new("setsid");
        scrub(&mut command, world.home.path());
        command
            .arg("-c")
            .args(args)
            .env("TERM", "xterm-256color")
            .envs(env.iter().copied())
            .current_dir(world.repo())
            .stdin(end())
            .stdout(end())
            .stderr(end());
        let child = command.spawn().expect("setsid starts");
        drop(command);
        let keys = File::from(outside);
        let mut out = keys.try_clone().expect("a descriptor");
        let seen = Arc::new(Mutex::new(Seen {
            parser: Parser::new(height, width, 0),
            bytes: Vec::new(),
        }));
        let shown = seen.clone();
        let closes = Arc::new(AtomicBool::new(false));
        let is_over = closes.clone();
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while !is_over.load(Ordering::Relaxed) {
                let mut fds = [PollFd::new(&out, PollFlags::IN)];
                let soon = Timespec {
                    tv_sec: 0,
                    tv_nsec: 20_000_000,
                };
                if poll(&mut fds, Some(&soon)) == Ok(0) {
                    continue;
                }
                let Ok(count @ 1..) = out.read(&mut bytes) else {
                    return;
                };
                let mut seen = shown.lock().expect("it is whole");
                seen.parser.process(&bytes[..count]);
                seen.bytes.extend_from_slice(&bytes[..count]);
            }
        });
        Self {
            child,
            keys: Some(keys),
            inside: Some(inside),
            reader: Some(reader),
            closes,
            seen,
        }
    }

    /// Types these keys.
    pub(crate) fn types(&self, keys: &str) {
        let mut terminal = self.keys.as_ref().expect("it is open");
        terminal.write_all(keys.as_bytes()).expect("it is read");
    }

    /// The window gets this width and height.
    pub(crate) fn resizes(&self, (width, height): (u16, u16)) {
        let mut seen = self.seen.lock().expect("it is whole");
        seen.parser.screen_mut().set_size(height, width);
        set_size(self.keys.as_ref().expect("it is open"), (width, height));
    }

    /// Everything that was sent to the screen.
    pub(crate) fn sent(&self) -> String {
        let seen = self.seen.lock().expect("it is whole");
        String::from_utf8_lossy(&seen.bytes).into_owned()
    }

    /// What stands on the screen.
    pub(crate) fn screen(&self) -> String {
        self.seen
            .lock()
            .expect("it is whole")
            .parser
            .screen()
            .contents()
    }

    /// Waits until the screen shows `words`.
    #[track_caller]
    pub(crate) fn shows(&self, words: &str) {
        eventually(&format!("the screen shows {words:?}"), || {
            self.screen().contains(words)
        });
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        kill_process(pid.expect("a pid"), signal).expect("it runs");
    }

    /// Sends `signal` to whoever has the terminal.
    pub(crate) fn signal_to_job(&self, signal: Signal) {
        let job = tcgetpgrp(self.keys.as_ref().expect("it is open")).expect("a group");
        kill_process_group(job, signal).expect("it runs");
    }

    /// Whether the shell of [`chat_of_shell`](Self::chat_of_shell) has the terminal.
    pub(crate) fn is_of_shell(&self) -> bool {
        let job = tcgetpgrp(self.keys.as_ref().expect("it is open")).expect("a group");
        job.as_raw_nonzero().get().unsigned_abs() == self.child.id()
    }

    /// Whether lines are edited and shown by the terminal itself, as a shell wants it.
    pub(crate) fn is_cooked(&self) -> bool {
        let inside = self.inside.as_ref().expect("it is open");
        let modes = tcgetattr(inside).expect("its settings").local_modes;
        modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
    }

    /// Whether the other screen is shown.
    pub(crate) fn is_on_other_screen(&self) -> bool {
        let seen = self.seen.lock().expect("it is whole");
        seen.parser.screen().alternate_screen()
    }

    /// Nobody looks at the screen any more: what is sent to it stays where it is.
    pub(crate) fn reads_no_more(&mut self) {
        self.closes.store(true, Ordering::Relaxed);
        let reader = self.reader.take().expect("it is open");
        reader.join().expect("it looks to the end");
    }

    /// Closes the window: nobody reads or types any more.
    pub(crate) fn close(&mut self) {
        self.reads_no_more();
        (self.inside, self.keys) = (None, None);
    }

    /// Waits for the end.
    #[track_caller]
    pub(crate) fn ends(&mut self) -> ExitStatus {
        let mut status = None;
        eventually("the chat ends", || {
            status = self.child.try_wait().expect("it is ours");
            status.is_some()
        });
        status.expect("it ended")
    }

    /// Holds that the terminal is as it was found: lines are edited and shown, the other screen is
    /// left, and the mouse is nobody's.
    #[track_caller]
    pub(crate) fn is_as_found(&self) {
        assert!(self.is_cooked());
        eventually("the other screen is left", || {
            let seen = self.seen.lock().expect("it is whole");
            let screen = seen.parser.screen();
            !screen.alternate_screen()
                && !screen.hide_cursor()
                && !screen.bracketed_paste()
                && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
        });
        let seen = self.seen.lock().expect("it is whole");
        let taken = String::from_utf8_lossy(&seen.bytes).contains("\u{1b}[?1049h");
        assert!(taken, "it had been taken");
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn set_size(terminal: impl AsFd, (width, height): (u16, u16)) {
    let size = Winsize {
        ws_row: height,
        ws_col: width,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(terminal, size).expect("a size");
}
