//! The loop: what happens goes into the state, what it wishes to the clerk, and the picture out.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use attend_core::mail::{Clock, Reader, Seated};
use attend_core::runtime::system::{SystemClock, stop};
use attend_core::runtime::{Stir, Vigil};
use jiff::tz::TimeZone;
use ratatui::crossterm::event::{self, Event, MouseButton, MouseEventKind};

use super::action::{Action, Done, Kept, Wish};
use super::clerk::{Clerk, Keeper, Occupants};
use super::screen::{Screen, end_without};
use super::state::State;
use super::theme::{Colours, Theme};
use super::update::{begin, update};
use crate::mailbox::Open;

/// How many happenings share one frame.
const MOST_AT_ONCE: usize = 10_000;

/// How long the terminal may take to be given back, once that is asked for.
const GIVEN_BACK: Duration = Duration::from_secs(3);

/// How soon what is being written is kept.
const KEPT_AFTER: Duration = Duration::from_secs(1);

/// Who sits down, and with what.
pub(crate) struct Sitting {
    pub(crate) mailbox: Open,
    pub(crate) seated: Seated,
    pub(crate) reader: Reader,
    pub(crate) colours: Colours,
    pub(crate) zone: TimeZone,
    /// What was kept the last time.
    pub(crate) kept: Kept,
    /// A number that no other window has.
    pub(crate) seed: u64,
    pub(crate) occupants: Occupants,
    pub(crate) keeper: Keeper,
}

/// What reaches the loop.
enum Happening {
    Action(Action),
    /// Somebody else may have the terminal.
    Stop,
    /// Somebody else had it.
    GoOn,
    /// It is over.
    End,
}

/// What is asked of the loop, however much else waits for it.
#[derive(Clone, Debug)]
struct Over {
    is_asked: Arc<AtomicBool>,
    happens: Sender<Happening>,
}

impl Over {
    fn ask(&self) {
        self.is_asked.store(true, Ordering::Relaxed);
        // Where it waits for something to happen, it wakes.
        let _ = self.happens.send(Happening::End);
    }

    fn is_asked(&self) -> bool {
        self.is_asked.load(Ordering::Relaxed)
    }
}

/// Sits at the terminal until somebody ends it.
///
/// # Errors
///
/// What the system says that gives no terminal, no thread or no signals.
pub(crate) fn sit(sitting: Sitting) -> io::Result<()> {
    let (happens, happened) = channel();
    let vigil = Vigil::new(sitting.mailbox.waker(&sitting.reader))?;
    let mut state = State::new(
        sitting.seated.name.clone(),
        SystemClock.wall(),
        sitting.zone,
        sitting.kept,
    );
    state.theme = Theme::of(sitting.colours);
    state.seed.0 = sitting.seed;
    let clerk = Clerk::new(sitting.mailbox, sitting.seated, sitting.reader)
        .knowing(sitting.occupants)
        .keeping(sitting.keeper);
    let (wishes, todo) = channel();
    let working = work(clerk, todo, happens.clone())?;
    let over = Over {
        is_asked: Arc::default(),
        happens: happens.clone(),
    };
    let panicked = over.clone();
    let mut screen = Screen::open(move || panicked.ask())?;
    listen(happens.clone())?;
    let (given_back, is_given_back) = channel::<()>();
    let asked = over.clone();
    vigil.keep(move |stir| {
        let happening = match stir {
            Stir::End(_) => {
                asked.ask();
                let given_back = is_given_back.recv_timeout(GIVEN_BACK);
                if given_back == Err(RecvTimeoutError::Timeout) {
                    end_without();
                }
                return false;
            }
            Stir::Stop => Happening::Stop,
            Stir::GoOn => Happening::GoOn,
            _ => Happening::Action(Action::Stirred),
        };
        happens.send(happening).is_ok()
    })?;
    let seen = look(&mut state, &mut screen, (&happened, &over), &wishes);
    drop(screen);
    drop(given_back);
    drop(wishes);
    let failed = |_| io::Error::other("what asks the mailbox has failed");
    leave(&mut state, &happened, &working.join().map_err(failed)?);
    // A terminal that is gone cannot be told of it.
    seen.or(Ok(()))
}

/// Shows the state, and what becomes of it, until the end.
fn look(
    state: &mut State,
    screen: &mut Screen,
    (happened, over): (&Receiver<Happening>, &Over),
    wishes: &Sender<Wish>,
) -> io::Result<()> {
    let mut todo = begin(state);
    loop {
        for wish in todo.drain(..) {
            match wish {
                Wish::End => return Ok(()),
                Wish::Redraw => screen.clear()?,
                Wish::Stop => screen.without(|| _ = stop())?,
                wish => {
                    if wishes.send(wish).is_err() {
                        return Ok(());
                    }
                }
            }
        }
        let size = screen.size()?;
        if size != state.size {
            todo.extend(update(state, Action::Resize(size.0, size.1)));
        }
        if !screen.show(state)? {
            continue;
        }
        todo.extend(update(state, Action::Drawn));
        if !todo.is_empty() {
            continue;
        }
        let waits = state.to_keep() != state.kept;
        let mut next = if waits {
            match happened.recv_timeout(KEPT_AFTER) {
                Err(RecvTimeoutError::Timeout) => {
                    Some(Happening::Action(Action::Time(SystemClock.wall())))
                }
                Err(RecvTimeoutError::Disconnected) => None,
                Ok(happening) => Some(happening),
            }
        } else {
            happened.recv().ok()
        };
        if next.is_none() {
            return Ok(());
        }
        let mut left = MOST_AT_ONCE;
        while let Some(happening) = next {
            if over.is_asked() {
                return Ok(());
            }
            match happening {
                Happening::Action(action) => todo.extend(update(state, action)),
                Happening::Stop => todo.push(Wish::Stop),
                // It is set as somebody else wants it, and shows what they wrote.
                Happening::GoOn => screen.without(|| {})?,
                Happening::End => return Ok(()),
            }
            // What is over that waits for the next frame.
            left -= 1;
            next = (left > 0).then(|| happened.try_recv().ok()).flatten();
        }
        state.now = SystemClock.wall();
    }
}

/// Keeps what there is at the end: also that what was on its way has arrived.
fn leave(state: &mut State, happened: &Receiver<Happening>, clerk: &Clerk) {
    while let Ok(happening) = happened.try_recv() {
        if let Happening::Action(Action::Done(sent @ Done::Sent(_))) = happening {
            update(state, Action::Done(sent));
        }
    }
    clerk.carry_out(Wish::Keep(state.to_keep()));
}

/// Lets the clerk work on a thread of its own, who comes back when nobody wishes anything more.
fn work(
    clerk: Clerk,
    wished: Receiver<Wish>,
    happens: Sender<Happening>,
) -> io::Result<JoinHandle<Clerk>> {
    let thread = thread::Builder::new().name("attend-clerk".to_owned());
    thread.spawn(move || {
        for wish in wished {
            if let Some(done) = clerk.carry_out(wish) {
                // At the end nobody listens, and what was wished is done all the same.
                let _ = happens.send(Happening::Action(Action::Done(done)));
            }
        }
        clerk
    })
}

/// Passes on what the terminal sends, from a thread of its own.
fn listen(happens: Sender<Happening>) -> io::Result<()> {
    let thread = thread::Builder::new().name("attend-keys".to_owned());
    let listen = move || {
        loop {
            let happening = match event::read() {
                Ok(event) => action(event).map(Happening::Action),
                Err(_) => Some(Happening::End),
            };
            let is_end = matches!(happening, Some(Happening::End));
            let is_heard = happening.is_none_or(|happening| happens.send(happening).is_ok());
            if is_end || !is_heard {
                return;
            }
        }
    };
    thread.spawn(listen).map(drop)
}

/// What the terminal sent, where it means anything here.
fn action(event: Event) -> Option<Action> {
    Some(match event {
        Event::Key(key) => Action::Key(key),
        Event::Paste(text) => Action::Paste(text),
        Event::Resize(width, height) => Action::Resize(width, height),
        Event::Mouse(mouse) => match mouse.kind {
            MouseEventKind::ScrollUp => Action::Wheel { is_up: true },
            MouseEventKind::ScrollDown => Action::Wheel { is_up: false },
            MouseEventKind::Down(MouseButton::Left) => Action::Click(mouse.column, mouse.row),
            _ => return None,
        },
        _ => return None,
    })
}
