//! Puts what was read into the words of the contract.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use attend_core::sensor::{
    ContextUsage, HostAnswer, OwnCall, OwnChanges, OwnEdit, OwnSpan, Peer, PeerEdits, Sample,
    SensorError, Turn, Turns,
};

use super::finding::Session;
use super::following::Following;
use super::own::Edit;
use super::peers::Live;
use super::stamp::Millis;
use super::statusline::StatusLine;
use super::times::Moment;
use super::transcript::Transcript;
use super::usage::Meter;
use super::{ClaudeCode, Known};

impl ClaudeCode {
    /// How full the context is of the session that is followed.
    pub(super) fn context(&self, known: &mut Known) -> ContextUsage {
        let said = known.said().cloned();
        let following = known.following.as_ref();
        let meter = following
            .and_then(Following::transcript)
            .map(Transcript::meter);
        self.usage(following.map(Following::id), meter, said.as_ref())
    }

    /// The other sessions; none where nobody can see them.
    pub(super) fn peers(
        &self,
        known: &mut Known,
        session: &Session,
    ) -> Result<Option<Vec<Peer>>, SensorError> {
        let Known {
            peers,
            finding,
            clock,
            ..
        } = known;
        let live = peers.look(finding.roots(), session, &[], &**clock)?;
        Ok(live.map(|live| live.iter().map(|live| self.peer(live)).collect()))
    }

    /// What the other sessions edited that work near one of the directories `near`; none where
    /// nobody can see them.
    pub(super) fn peer_edits(
        &self,
        known: &mut Known,
        session: &Session,
        near: &[PathBuf],
    ) -> Result<Option<Vec<PeerEdits>>, SensorError> {
        let Known {
            peers,
            finding,
            clock,
            ..
        } = known;
        let now = self.times.now();
        let live = peers.look(finding.roots(), session, near, &**clock)?;
        let told = |live: &Live<'_>| {
            let edits = edits(live.near(near)?, now);
            (!edits.is_empty()).then(|| PeerEdits::new(self.peer(live), edits))
        };
        Ok(live.map(|live| live.iter().filter_map(told).collect()))
    }

    /// What is told of `live`.
    fn peer(&self, live: &Live<'_>) -> Peer {
        let now = self.times.now();
        let mut peer = live.peer();
        peer.since = live.since().map(|since| now.tick(since));
        let id = &live.session;
        let said = live.line;
        let said = said.filter(|said| said.session.as_ref().is_none_or(|of| of == id));
        let meter = live.meter();
        let is_known = meter.is_some() || said.is_some();
        peer.context = is_known.then(|| self.usage(Some(id), meter, said));
        peer
    }

    /// Who spoke in the session that is followed; unknown where it has no transcript.
    pub(super) fn turns(&self, known: &mut Known) -> HostAnswer {
        let transcript = known.following.as_ref().and_then(Following::transcript);
        let Some(meter) = transcript.map(Transcript::meter) else {
            return HostAnswer::Unknown;
        };
        let begun = meter.begun.iter().map(|(at, _)| *at);
        let times: Vec<Millis> = begun.chain(meter.active).collect();
        let ticks = known.turns.ticks(self.times.now(), &times);
        let mut turns = Turns::default();
        let causes = meter.begun.iter().map(|(_, cause)| *cause);
        turns.began = ticks
            .iter()
            .zip(causes)
            .map(|(at, cause)| Turn::new(*at, cause))
            .collect();
        turns.last = meter.active.and(ticks.last().copied());
        turns.first = meter
            .first
            .filter(|_| meter.complete || meter.compaction.is_some());
        HostAnswer::Turns(turns)
    }

    /// How full the context is of the session `id`, by its transcript and by what the host said.
    fn usage(
        &self,
        id: Option<&str>,
        meter: Option<&Meter>,
        said: Option<&StatusLine>,
    ) -> ContextUsage {
        let now = self.times.now();
        // What the host said counts where its transcript is too far back to tell.
        let is_far = meter.is_none_or(|meter| !meter.complete && meter.compaction.is_none());
        let said_used = said.filter(|_| is_far).and_then(|said| said.used);
        let tokens = meter.and_then(|meter| meter.tokens).or(said_used);
        let said_model = said.and_then(|said| said.model.clone());
        let model = meter.and_then(|meter| meter.model.clone()).or(said_model);
        let (window, basis) = self.windows.window(model.as_deref(), tokens, said);
        let mut usage = ContextUsage::new(window, basis);
        usage.tokens = tokens;
        usage.model = model;
        let id = || id.map(str::to_owned);
        let Some(meter) = meter else {
            usage.epoch = id();
            return usage;
        };
        usage.epoch = match &meter.compaction {
            Some((name, _)) => name.clone(),
            None if meter.complete => id(),
            None => None,
        };
        usage.compaction = meter.compaction.as_ref().map(|(_, compaction)| *compaction);
        usage.turn = meter.turn;
        usage.growth = meter.growth();
        let samples = meter.samples.iter();
        usage.samples = samples
            .map(|(at, tokens)| Sample::new(now.tick(*at), *tokens))
            .collect();
        usage
    }

    /// What the session that is followed did itself.
    pub(super) fn own(&self, known: &mut Known) -> OwnChanges {
        let now = self.times.now();
        let mut own = OwnChanges::default();
        let Some(following) = &mut known.following else {
            return own;
        };
        following.look_at_subagents(&*known.clock);
        own.complete = following.is_complete();
        own.edits = edits(following, now);
        let calls = following.own().flat_map(super::own::Own::calls);
        own.calls = calls
            .map(|call| {
                let mut told = OwnCall::new(span(now, call.from, call.until));
                told.background = call.background;
                told.version_control = call.version_control;
                told
            })
            .collect();
        own.calls.sort_by_key(|call| call.span.from);
        own
    }
}

/// The files that the session of `following` edited, each with its last edit.
fn edits(following: &Following, now: Moment) -> Vec<OwnEdit> {
    let mut last: HashMap<&Path, Edit> = HashMap::new();
    for (path, edit) in following.own().flat_map(super::own::Own::edits) {
        let known = last.entry(path).or_insert(edit);
        let later = |edit: Edit| edit.until.unwrap_or(Millis::MAX);
        if later(edit) > later(*known) {
            *known = edit;
        }
    }
    let told = last.into_iter().map(|(path, edit)| {
        let mut told = OwnEdit::new(path, span(now, edit.from, edit.until));
        told.call = Some(edit.id.number());
        told
    });
    let mut edits: Vec<OwnEdit> = told.collect();
    edits.sort_by(|a, b| (a.span.from, &a.path).cmp(&(b.span.from, &b.path)));
    edits
}

fn span(now: Moment, from: Millis, until: Option<Millis>) -> OwnSpan {
    OwnSpan::new(now.tick(from), until.map(|until| now.tick(until)))
}
