//! Puts what was read into the words of the contract.

use std::collections::HashMap;
use std::path::Path;

use attend_core::sensor::{
    ContextUsage, OwnCall, OwnChanges, OwnEdit, OwnSpan, Peer, Sample, SensorError,
};

use super::finding::Session;
use super::following::Following;
use super::peers::Live;
use super::stamp::Millis;
use super::statusline::StatusLine;
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
        let now = self.times.now();
        let live = peers.look(finding.roots(), session, &**clock)?;
        let told = |live: &Live<'_>| {
            let mut peer = live.peer();
            peer.since = live.since().map(|since| now.tick(since));
            let id = &live.session;
            let said = live.line;
            let said = said.filter(|said| said.session.as_ref().is_none_or(|of| of == id));
            let meter = live.meter();
            let is_known = meter.is_some() || said.is_some();
            peer.context = is_known.then(|| self.usage(Some(id), meter, said));
            peer
        };
        Ok(live.map(|live| live.iter().map(told).collect()))
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
        let span = |from: Millis, until: Option<Millis>| {
            OwnSpan::new(now.tick(from), until.map(|until| now.tick(until)))
        };
        let mut own = OwnChanges::default();
        let Some(following) = &mut known.following else {
            return own;
        };
        following.look_at_subagents(&*known.clock);
        own.complete = following.is_complete();
        let mut edits: HashMap<&Path, (Millis, Option<Millis>)> = HashMap::new();
        for (path, from, until) in following.own().flat_map(super::own::Own::edits) {
            let last = edits.entry(path).or_insert((from, until));
            let later = |until: Option<Millis>| until.unwrap_or(Millis::MAX);
            if later(until) > later(last.1) {
                *last = (from, until);
            }
        }
        let edits = edits.into_iter();
        own.edits = edits
            .map(|(path, (from, until))| OwnEdit::new(path, span(from, until)))
            .collect();
        own.edits
            .sort_by(|a, b| (a.span.from, &a.path).cmp(&(b.span.from, &b.path)));
        let calls = following.own().flat_map(super::own::Own::calls);
        own.calls = calls
            .map(|call| {
                let mut told = OwnCall::new(span(call.from, call.until));
                told.background = call.background;
                told.version_control = call.version_control;
                told
            })
            .collect();
        own.calls.sort_by_key(|call| call.span.from);
        own
    }
}
