//! `ways context`: how full the context window of this session is.

use attend_core::attention::sanitise;
use attend_core::sensor::{ContextUsage, HostAnswer, HostRequest};
use serde::Serialize;

use crate::cli::ContextArgs;
use crate::env::Env;
use crate::output::{Failure, print, print_json};
use crate::session;

/// The context, as it is printed. What is not known is null, never 0.
#[derive(Serialize, Debug)]
struct Context {
    session_id: String,
    model: Option<String>,
    tokens_used: Option<u64>,
    tokens_total: u64,
    percent: Option<u64>,
    epoch: Option<String>,
    turns: Option<u64>,
}

/// Prints the context of the session.
pub(crate) fn context(args: &ContextArgs, env: &Env) -> Result<(), Failure> {
    let host = session::host(args.of.session.as_deref(), env);
    let (session_id, _) = session::known(&host, env)?;
    let usage = match host.answer(&HostRequest::Context) {
        Ok(HostAnswer::Context(usage)) => usage,
        Ok(_) => {
            return Err(Failure::refused(
                "the host does not say how full the context is",
            ));
        }
        Err(error) => {
            return Err(Failure::refused(format!(
                "cannot read the context's size: {error}"
            )));
        }
    };
    let context = Context::of(session_id, &usage);
    if args.json {
        print_json(&context)
    } else {
        print(&context.to_text())
    }
}

impl Context {
    fn of(session_id: String, usage: &ContextUsage) -> Self {
        Self {
            session_id,
            model: usage.model.as_deref().map(sanitise),
            tokens_used: usage.tokens,
            tokens_total: usage.window,
            percent: usage.percent(),
            epoch: usage.epoch.as_deref().map(sanitise),
            turns: usage.turn,
        }
    }

    fn to_text(&self) -> String {
        let of = format!("{} tokens", self.tokens_total);
        let used = match (self.tokens_used, self.percent) {
            (Some(used), Some(percent)) => format!("{percent}% used: {used} of {of}"),
            _ => format!("how much of {of} is used is not known yet"),
        };
        let model = self
            .model
            .as_ref()
            .map(|model| format!(" ({model})"))
            .unwrap_or_default();
        let turns = self
            .turns
            .map(|turns| format!(", turn {turns}"))
            .unwrap_or_default();
        format!("{used}{model}{turns}\n")
    }
}
