//! What a hook answers the host.

use std::io::{self, Write as _};
use std::process::ExitCode;

use serde::Serialize;

use super::event::{Carrier, Event};
use crate::output::print;

/// The exit code that shows stderr to the model, and wakes it.
const WAKES: u8 = 2;

/// An answer, ready to be written.
#[derive(Debug)]
pub(super) enum Answer {
    /// Nothing at all.
    Nothing,
    /// One JSON document.
    Json(String),
    /// Lines on stderr.
    Waking(String),
}

#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    hook_specific_output: Output<'a>,
}

#[derive(Serialize, Debug, Default)]
#[serde(rename_all = "camelCase")]
struct Output<'a> {
    hook_event_name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    watch_paths: &'a [String],
}

impl Answer {
    /// `text`, as the event carries it, and files that the host is to watch.
    pub(super) fn of(event: &Event, text: &str, watch: &[String]) -> Self {
        let context = Some(text).filter(|text| !text.is_empty());
        match event.carrier {
            Carrier::Waking if context.is_some() => Self::Waking(text.to_owned()),
            Carrier::Context if context.is_some() || !watch.is_empty() => Self::json(&Output {
                hook_event_name: &event.name,
                additional_context: context,
                watch_paths: watch,
                ..Output::default()
            }),
            _ => Self::Nothing,
        }
    }

    /// The tool is not to be used, and why.
    pub(super) fn denial(reason: &str) -> Self {
        Self::json(&Output {
            hook_event_name: "PreToolUse",
            permission_decision: Some("deny"),
            permission_decision_reason: Some(reason),
            ..Output::default()
        })
    }

    fn json(output: &Output<'_>) -> Self {
        let document = Document {
            hook_specific_output: Output {
                watch_paths: output.watch_paths,
                ..*output
            },
        };
        // Texts and lists of texts always have a form.
        Self::Json(serde_json::to_string(&document).unwrap_or_default())
    }

    /// How many bytes it has.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Nothing => 0,
            Self::Json(text) | Self::Waking(text) => text.len() + 1,
        }
    }

    /// Writes it whole; gives how the process has to end for the host to hear it.
    ///
    /// # Errors
    ///
    /// It was not written, and why.
    pub(super) fn write(&self) -> Result<ExitCode, String> {
        match self {
            Self::Nothing => Ok(ExitCode::SUCCESS),
            Self::Json(json) => print(&format!("{json}\n"))
                .map(|()| ExitCode::SUCCESS)
                .map_err(|failure| failure.to_string()),
            Self::Waking(text) => {
                let mut out = io::stderr().lock();
                let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
                written
                    .map(|()| ExitCode::from(WAKES))
                    .map_err(|error| format!("cannot write to standard error: {error}"))
            }
        }
    }
}
