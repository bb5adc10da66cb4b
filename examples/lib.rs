//! What an example needs beside what it shows: a seat to which mail can be sent.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use attend_core::mail::{Change, Mailbox, MailboxExt, MemoryMailbox, Place, Reader, Sitter};
use attend_core::runtime::system::SystemAround;
use futures::executor::block_on;

/// A mailbox that lasts as long as this process, and this process as the reader of a seat of it
/// in the project at `root`, with the name of that seat.
///
/// # Errors
///
/// The mailbox refuses it.
pub fn seat(root: &Path) -> Result<(String, Arc<MemoryMailbox>, Reader), Box<dyn Error>> {
    let around = SystemAround::new();
    let process = around.process(std::process::id());
    let mailbox = Arc::new(MemoryMailbox::new(Arc::new(around)));
    let sitter = Sitter::Session {
        session: "example".to_owned(),
        process: process.clone(),
        place: Place::new(root, root),
    };
    let seated = block_on(mailbox.sit(sitter))?;
    let reader = seated.reader("example", process);
    block_on(mailbox.change(&Change::Register(reader.clone())))?;
    Ok((seated.name, mailbox, reader))
}

/// The pages of the guide, as tests.
#[cfg(doctest)]
mod guide {
    #[doc = include_str!("../docs/guide/push.md")]
    struct Push;
    #[doc = include_str!("../docs/guide/configuration.md")]
    struct Configuration;
    #[doc = include_str!("../docs/guide/state.md")]
    struct State;
    #[doc = include_str!("../docs/guide/testing.md")]
    struct Testing;
    #[doc = include_str!("../docs/guide/embedding.md")]
    struct Embedding;
    #[doc = include_str!("../docs/guide/mailbox.md")]
    struct Mailbox;
    #[doc = include_str!("../docs/guide/host.md")]
    struct Host;
}
