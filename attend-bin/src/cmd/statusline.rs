//! `attend statusline`: keeps the exact window that only the host's status line tells.

use attend_core::runtime::StateDir;
use attend_sensors::host::claude_code::StatusLine;

use crate::env::Env;
use crate::output::{Failure, complain, print};
use crate::place::ADVICE;
use crate::stdin;

/// What is printed where nothing is known.
pub(crate) const NOTHING_KNOWN: &str = "attend\n";

/// Reads the host's JSON, keeps it for its session, and prints a short line. What cannot be read
/// or kept is said on stderr and never fails the host.
pub(crate) fn statusline(env: &Env) -> Result<(), Failure> {
    let line = stdin::object("statusline").and_then(|(json, _)| {
        StatusLine::parse(&json).ok_or_else(|| "it cannot be understood".to_owned())
    });
    let line = match line {
        Ok(line) => line,
        Err(why) => {
            complain(&format!("statusline: {why}"));
            return print(NOTHING_KNOWN);
        }
    };
    if let (Some(state), Some(session)) = (env.state(), &line.session)
        && StatusLine::path(&state.path(), session).is_some()
    {
        let kept = StateDir::open(state.join("statusline"))
            .and_then(|dir| dir.keep(&format!("{session}.json"), line.to_json().as_bytes()));
        if let Err(error) = kept {
            complain(&format!(
                "statusline: the window of this session is not remembered: {error}; {ADVICE}"
            ));
        }
    }
    print(&text(&line))
}

/// `attend · 31% of 1M`.
fn text(line: &StatusLine) -> String {
    match (line.used, line.window) {
        // More than twice what fits is no count of tokens.
        (Some(used), Some(window)) if used / 2 <= window => {
            let percent = u128::from(used) * 100 / u128::from(window.max(1));
            format!("attend · {percent}% of {}\n", tokens(window))
        }
        (_, Some(window)) => format!("attend · {} window\n", tokens(window)),
        _ => NOTHING_KNOWN.to_owned(),
    }
}

/// `200K`, `1M`, or the number.
fn tokens(count: u64) -> String {
    match count {
        count if count > 0 && count % 1_000_000 == 0 => format!("{}M", count / 1_000_000),
        count if count >= 1_000 => format!("{}K", count / 1_000),
        count => count.to_string(),
    }
}
