//! The `overlap` sensor: which files this session and another both edit.
//!
//! | key | magnitude | says |
//! |---|---|---|
//! | `overlap:ID` | 4.0, standing | `session api 7f3c2a9b and this session both edited src/parse.rs`, with the signal `peer-conflict` |
//!
//! One file is the same file in every work tree of a repository: then the line says in which the
//! other edited it. `ID` is the other session's id. Up to three files are named. When a further
//! file is edited by both, that is told anew, with all of them.
//!
//! What counts is an edit of either session, its subagents included, that is done, was not
//! refused, and is open: HEAD of its work tree did not move since (whatever that commit was of),
//! and it is no older than 8 hours. Reading is no conflict. It is over when either edit is
//! committed or too old, and when the other session ends.
//!
//! What it does not know: what a shell command or a person edited. What it does not do: read
//! transcripts, or run anything. It asks the host, at the latest after its interval, and sooner
//! when what this session does is written down.

mod config;
pub use config::OverlapConfig;

mod shared;

use std::collections::BTreeSet;

use async_trait::async_trait;
use attend_core::sensor::{
    BuildContext, ConfigError, Declares, Event, HostAnswer, HostRequest, OwnChanges, PeerEdits,
    PollContext, Profile, Sensor, SensorError, SensorSpec, Snapshot,
};
use serde::{Deserialize, Serialize};

use crate::asking::{session_of, unanswered};
use crate::edits::{Committed, Places};
use crate::follow::Follow;
use crate::name::Name;
use crate::trees::Trees;

use shared::{Ground, Shared};

const SIGNAL: &str = "peer-conflict";

const OVERLAP: f64 = 4.0;

impl SensorSpec for OverlapConfig {
    const KIND: &'static str = "overlap";
    const ABOUT: &'static str = "files that this session and another both edit";

    fn check(&self) -> Result<(), ConfigError> {
        self.refuse()
    }

    fn build(self, cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        Ok(Box::new(Overlap {
            config: self,
            follow: Follow::new(cx, "the transcript is"),
            places: Places::default(),
            memory: Memory::default(),
        }))
    }

    fn profile() -> Profile {
        Profile::new(30, 5, 3_000, 4)
    }

    fn declares() -> Declares {
        Declares::default()
            .signal(SIGNAL, "for how to settle it")
            .needing_host()
    }

    #[cfg(feature = "schema")]
    fn schema() -> attend_core::sensor::Schema {
        attend_core::sensor::Schema::of::<Self>()
    }
}

#[derive(Debug)]
struct Overlap {
    config: OverlapConfig,
    follow: Follow,
    places: Places,
    memory: Memory,
}

/// What was told and holds, over a restart too.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
struct Memory(Vec<Told>);

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Told {
    session: String,
    text: String,
    files: BTreeSet<Name>,
}

#[async_trait]
impl Sensor for Overlap {
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        let session = session_of(cx).await;
        let trees = Trees::of(cx.project().root());
        let near = HostRequest::PeerEdits(trees.tops().to_vec());
        let theirs = if let HostAnswer::PeerEdits(theirs) = cx.host().ask(&near).await? {
            Some(theirs)
        } else {
            unanswered(session.as_ref(), "what other sessions edit")?;
            None
        };
        let mine = match &theirs {
            Some(theirs) if theirs.is_empty() => Some(OwnChanges::default()),
            Some(_) => match cx.host().ask(&HostRequest::Own).await? {
                HostAnswer::Own(own) => Some(own),
                _ => None,
            },
            None => None,
        };

        let watched = session.and_then(|session| self.follow.follow(&session.watch));
        if let Some(refused) = watched {
            cx.warn(refused);
        }
        if let Some((theirs, mine)) = theirs.zip(mine) {
            let shared = self.shared(cx, &trees, &theirs, &mine);
            self.tell(cx, shared);
        }
        Ok(())
    }

    fn snapshot(&self) -> Option<Snapshot> {
        Snapshot::of(&self.memory).ok()
    }

    fn restore(&mut self, from: &Snapshot) -> Result<(), SensorError> {
        self.memory = from.read()?;
        Ok(())
    }
}

impl Overlap {
    /// What is edited by this session and by each of the others.
    fn shared(
        &mut self,
        cx: &PollContext,
        trees: &Trees,
        theirs: &[PeerEdits],
        mine: &OwnChanges,
    ) -> Vec<Shared> {
        let all = theirs.iter().flat_map(|theirs| &theirs.edits);
        let all = all.chain(&mine.edits);
        let ground = Ground {
            trees,
            places: &self.places.of(trees, cx.roots().work(), all),
            committed: &Committed::of(trees, cx, self.config.seconds()),
        };
        let mine = ground.mine(&mine.edits);
        let shared = theirs.iter();
        shared
            .filter_map(|theirs| Shared::of(ground, &mine, theirs, cx.project()))
            .collect()
    }

    fn tell(&mut self, cx: &mut PollContext, shared: Vec<Shared>) {
        let before = std::mem::take(&mut self.memory.0);
        let goes_on = |told: &&Told| shared.iter().any(|now| now.session == told.session);
        for over in before.iter().filter(|told| !goes_on(told)) {
            cx.clear(key(&over.session));
        }
        for now in shared {
            let told = before.iter().find(|told| told.session == now.session);
            let text = now.text();
            if told.is_none_or(|told| told.text != text) {
                // What stands is told again only after it was taken back.
                if told.is_some_and(|told| !now.files.is_subset(&told.files)) {
                    cx.clear(key(&now.session));
                }
                let event = Event::new(OVERLAP, &text).key(key(&now.session)).standing();
                cx.report(event.signal(SIGNAL));
            }
            self.memory.0.push(Told {
                session: now.session,
                text,
                files: now.files,
            });
        }
    }
}

fn key(session: &str) -> String {
    format!("overlap:{session}")
}
