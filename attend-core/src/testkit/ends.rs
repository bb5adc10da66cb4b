//! Ends of processes that the test tells of.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::sensor::{Ended, Exits, SensorError, WakeHandle};

/// Ends that are waited for. Clones are handles to one list.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    owners: u64,
    waits: Vec<Wait>,
}

#[derive(Debug)]
struct Wait {
    owner: u64,
    pid: u32,
    wake: WakeHandle,
    ended: Option<Ended>,
}

impl Ends {
    pub(super) fn open(&self, wake: WakeHandle) -> Box<dyn Exits> {
        let mut state = self.state();
        state.owners += 1;
        let owner = state.owners;
        drop(state);
        let ends = self.clone();
        Box::new(FakeExits { ends, owner, wake })
    }

    /// Tells whoever waits for it, and whether anybody does.
    pub(super) fn tell(&self, ended: Ended) -> bool {
        let mut state = self.state();
        let waits = state.waits.iter_mut();
        let mut wakes = Vec::new();
        for wait in waits.filter(|wait| wait.pid == ended.pid && wait.ended.is_none()) {
            wait.ended = Some(ended);
            wakes.push(wait.wake.clone());
        }
        drop(state);
        wakes.iter().for_each(WakeHandle::wake);
        !wakes.is_empty()
    }

    pub(super) fn waited_for(&self) -> Vec<u32> {
        let state = self.state();
        let waits = state.waits.iter().filter(|wait| wait.ended.is_none());
        waits.map(|wait| wait.pid).collect()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct FakeExits {
    ends: Ends,
    owner: u64,
    wake: WakeHandle,
}

impl Exits for FakeExits {
    fn add(&mut self, pid: u32) -> Result<(), SensorError> {
        let mut state = self.ends.state();
        let mut waits = state.waits.iter();
        if !waits.any(|wait| wait.owner == self.owner && wait.pid == pid) {
            state.waits.push(Wait {
                owner: self.owner,
                pid,
                wake: self.wake.clone(),
                ended: None,
            });
        }
        Ok(())
    }

    fn remove(&mut self, pid: u32) {
        let mut state = self.ends.state();
        state
            .waits
            .retain(|wait| wait.owner != self.owner || wait.pid != pid);
    }

    fn take(&mut self) -> Vec<Ended> {
        let mut state = self.ends.state();
        let told = |wait: &mut Wait| wait.owner == self.owner && wait.ended.is_some();
        let told = state.waits.extract_if(.., told);
        told.filter_map(|wait| wait.ended).collect()
    }
}

impl Drop for FakeExits {
    fn drop(&mut self) {
        let mut state = self.ends.state();
        state.waits.retain(|wait| wait.owner != self.owner);
    }
}
