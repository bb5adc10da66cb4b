//! A sensor that is told: a chat bridge writes lines to a socket; each is an event, or mail.
//! For `ID words` and `ID @seat: words` `cargo run -p examples --example unix_socket` prints:
//! ```text
//! [attend] Nico-alpha listens
//! [attend sensor=messages priority=high] 8N44RT program → you: Ann asks for the release notes
//! [attend] to answer: attend reply --re 8N44RT "your words" (silence is a valid reply)
//! [attend sensor=chat priority=medium] Ann joined #deploy
//! ```

use std::io::{self, BufRead, BufReader, Read};
use std::os::{fd::OwnedFd, unix::net};
use std::sync::mpsc::sync_channel;

use attend_core::mail::{Draft, addressed};
use attend_core::runtime::{Driver, SensorSetup};
use attend_core::sensor::{self, BuildContext, Event, Sensor, SensorError};

/// The socket, which is shut when the sensor goes.
struct Socket(net::UnixStream);

impl Drop for Socket {
    fn drop(&mut self) {
        let _ = self.0.shutdown(std::net::Shutdown::Both);
    }
}

pub(crate) fn chat(cx: &BuildContext) -> io::Result<impl Sensor + use<>> {
    let (path, wake) = (cx.roots().work().join("chat.sock"), cx.wake());
    let _ = std::fs::remove_file(&path); // It may be left of one that was killed.
    let listener = net::UnixListener::bind(path)?;
    let socket = Socket(OwnedFd::from(listener.try_clone()?).into());
    let (send, told) = sync_channel(64); // Whoever writes faster has to wait.
    let listen = move |client| -> Option<()> {
        let mut client = BufReader::new(client);
        loop {
            let (mut line, mut most) = (Vec::new(), client.by_ref().take(2_048));
            most.read_until(b'\n', &mut line).ok()?;
            if *line.last()? != b'\n' {
                client.skip_until(b'\n').ok()?; // Of so much the head is enough.
            }
            send.send(String::from_utf8_lossy(&line).into_owned())
                .ok()?;
            wake.wake();
        }
    };
    std::thread::spawn(move || {
        let clients = listener.incoming().map_while(Result::ok);
        clients.filter_map(listen).count() // One after the other.
    });
    Ok(sensor::sensor_sync(move |cx| {
        let _held = &socket;
        for line in told.try_iter().take(64) {
            let (id, words) = line.trim().split_once(' ').unwrap_or(("", &line));
            match addressed(words) {
                _ if id.is_empty() => cx.warn(SensorError::transient(format!("no id: {line}"))),
                (to, text) if to.is_empty() => cx.report(Event::new(3.0, text).key(id)),
                (to, text) => cx.post(to.into_iter().fold(Draft::new(text), Draft::to), id),
            }
        }
        Ok(())
    }))
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = std::fs::canonicalize(".")?;
    let chat = SensorSetup::new(sensor::SensorName::new("chat")?, |cx| match chat(cx) {
        Ok(chat) => Ok(Box::new(chat)),
        Err(error) => Err(sensor::ConfigError::new(error.to_string())),
    })
    .profile(sensor::Profile::new(60, 1, 2_000, 4));
    let (seat, mailbox, reader) = examples::seat(&root)?;
    let driver = Driver::builder(sensor::Roots::new(&root), sensor::Project::at(&root));
    let driver = driver.sensor(chat).banner(seat + " listens");
    let driver = driver.mail(mailbox, reader).end_on_signals();
    Ok(driver.build()?.run().map(drop)?)
}
