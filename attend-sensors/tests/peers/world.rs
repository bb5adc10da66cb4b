//! Other sessions that come and go, and the sensor beside them.

use std::path::PathBuf;
use std::time::Duration;

use attend_core::sensor::{
    ContextUsage, HostAnswer, HostProcess, HostRequest, Peer, PeerState, Sensor, WindowBasis,
};
use attend_core::testkit::{Harness, Polled};
use attend_sensors::peers::PeersConfig;

pub(crate) struct World {
    pub(crate) harness: Harness,
    pub(crate) sensor: Box<dyn Sensor>,
    /// Who lives.
    pub(crate) peers: Vec<Peer>,
    config: PeersConfig,
}

impl World {
    /// Nobody else is there, and was looked for once.
    pub(crate) fn alone() -> Self {
        Self::with(&[])
    }

    /// These are there, and were seen once.
    pub(crate) fn with(peers: &[Peer]) -> Self {
        Self::configured(PeersConfig::default(), peers)
    }

    pub(crate) fn configured(config: PeersConfig, peers: &[Peer]) -> Self {
        let harness = Harness::new();
        let mut world = Self {
            sensor: harness.build(config.clone()).unwrap(),
            harness,
            peers: peers.to_vec(),
            config,
        };
        world.look().assert_quiet();
        world
    }

    /// A session of this project.
    pub(crate) fn here(&self, number: u32) -> Peer {
        at(number, self.harness.work())
    }

    /// A look half a minute later.
    pub(crate) fn look(&mut self) -> Polled {
        says(&self.harness, &self.peers);
        self.harness.advance(Duration::from_secs(30));
        self.harness.poll(self.sensor.as_mut())
    }

    /// The same with somebody else.
    pub(crate) fn comes(&mut self, peer: Peer) -> Polled {
        self.peers.push(peer);
        self.look()
    }

    /// The same without the one at `index`.
    pub(crate) fn goes(&mut self, index: usize) -> Polled {
        self.peers.remove(index);
        self.look()
    }

    /// The same while the first does `state`.
    pub(crate) fn does(&mut self, state: PeerState) -> Polled {
        self.peers[0].state = state;
        self.look()
    }

    /// The same with so many percent of the first one's context used.
    pub(crate) fn fills(&mut self, percent: Option<u64>) -> Polled {
        self.peers[0].context = Some(context(percent));
        self.look()
    }

    /// Puts a fresh sensor in the place of this one, which remembers what it stored.
    pub(crate) fn restart(&mut self) {
        let snapshot = self.sensor.snapshot().unwrap();
        self.sensor = self.harness.build(self.config.clone()).unwrap();
        self.sensor.restore(&snapshot).unwrap();
    }
}

/// What the host says from now on.
pub(crate) fn says(harness: &Harness, peers: &[Peer]) {
    let answer = HostAnswer::Peers(peers.to_vec());
    harness.host().answer(HostRequest::Peers, Ok(answer));
}

/// The idle session of a number, which works in `cwd`.
pub(crate) fn at(number: u32, cwd: impl Into<PathBuf>) -> Peer {
    let mut process = HostProcess::new(number);
    process.started = Some("1".to_owned());
    let mut peer = Peer::new(format!("{number:08}-0000-4000-8000-000000000000"), process);
    peer.cwd = Some(cwd.into());
    peer.state = PeerState::Idle;
    peer
}

/// One of another project.
pub(crate) fn elsewhere(number: u32) -> Peer {
    at(number, "/srv/web")
}

pub(crate) fn context(percent: Option<u64>) -> ContextUsage {
    let mut usage = ContextUsage::new(100_000, WindowBasis::Model);
    usage.tokens = percent.map(|percent| percent * 1_000);
    usage
}
