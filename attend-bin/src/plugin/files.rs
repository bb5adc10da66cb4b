//! The files of the plugin, each from the one place that knows what stands in it.

use std::collections::BTreeMap;

use attend_sensors::disclosure;
use serde::Serialize;

/// The name of the plugin, of its marketplace, of its monitor and of its skill.
const NAME: &str = "attend";

const DESCRIPTION: &str = "Ambient awareness: what changed, who else is here, who spoke to you";

/// The host's events for which `attend hook` has something to say, and whether one wakes an idle
/// session: then the host goes on, and shows what the hook wrote to stderr when it exits with 2.
const EVENTS: [(&str, bool); 8] = [
    ("SessionStart", false),
    ("UserPromptSubmit", false),
    ("PreToolUse", false),
    ("PostToolUse", false),
    ("PostToolUseFailure", false),
    ("Stop", false),
    ("PostCompact", false),
    // The doorbell, which SessionStart names to the host: where no loop runs, this is what rings.
    ("FileChanged", true),
];

/// A file of the plugin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PluginFile {
    /// Where it lies below the root of the plugin.
    pub(crate) path: &'static str,
    /// What stands in it.
    pub(crate) text: String,
}

#[derive(Serialize)]
struct Manifest {
    name: &'static str,
    version: &'static str,
    description: &'static str,
}

#[derive(Serialize)]
struct Marketplace {
    name: &'static str,
    owner: Owner,
    plugins: [Offer; 1],
}

#[derive(Serialize)]
struct Owner {
    name: &'static str,
}

#[derive(Serialize)]
struct Offer {
    name: &'static str,
    source: &'static str,
    description: &'static str,
}

#[derive(Serialize)]
struct Monitor {
    name: &'static str,
    command: String,
    description: &'static str,
    when: &'static str,
}

#[derive(Serialize)]
struct Hooks {
    hooks: BTreeMap<&'static str, [Group; 1]>,
}

#[derive(Serialize)]
struct Group {
    hooks: [Hook; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Hook {
    r#type: &'static str,
    command: String,
    #[serde(skip_serializing_if = "is_off")]
    async_rewake: bool,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the attribute asks for a reference"
)]
fn is_off(on: &bool) -> bool {
    !on
}

/// The files of the plugin, whose commands start attend as a shell does by the words `program`.
pub(crate) fn files(program: &str) -> Vec<PluginFile> {
    let file = |path, text| PluginFile { path, text };
    vec![
        file(
            ".claude-plugin/plugin.json",
            json(&Manifest {
                name: NAME,
                version: env!("CARGO_PKG_VERSION"),
                description: DESCRIPTION,
            }),
        ),
        file(
            ".claude-plugin/marketplace.json",
            json(&Marketplace {
                name: NAME,
                owner: Owner { name: NAME },
                plugins: [Offer {
                    name: NAME,
                    source: "./",
                    description: DESCRIPTION,
                }],
            }),
        ),
        file(
            "monitors/monitors.json",
            json(&[Monitor {
                name: NAME,
                command: format!("{program} run --rearm"),
                description: "attend: what deserves an interruption",
                when: "always",
            }]),
        ),
        file("hooks/hooks.json", json(&hooks(program))),
        file("skills/attend/SKILL.md", disclosure::skill()),
    ]
}

fn hooks(program: &str) -> Hooks {
    let group = |async_rewake| Group {
        hooks: [Hook {
            r#type: "command",
            command: format!("{program} hook"),
            async_rewake,
        }],
    };
    let events = EVENTS.into_iter();
    Hooks {
        hooks: events
            .map(|(event, wakes)| (event, [group(wakes)]))
            .collect(),
    }
}

fn json(what: &impl Serialize) -> String {
    // Texts, lists and flags always have a form.
    serde_json::to_string_pretty(what).unwrap_or_default() + "\n"
}

/// `text` as one word of a shell.
pub(crate) fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%,:=".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn file(program: &str, path: &str) -> String {
        let all = files(program);
        let found = all.iter().find(|file| file.path == path);
        found.expect("a file").text.clone()
    }

    fn document(program: &str, path: &str) -> Value {
        serde_json::from_str(&file(program, path)).unwrap()
    }

    #[test]
    fn the_monitor_is_a_loop_that_is_armed_again_from_the_start_of_each_session() {
        let monitors = document("attend", "monitors/monitors.json");
        let expected = json!([{
            "name": "attend", "command": "attend run --rearm",
            "description": "attend: what deserves an interruption", "when": "always",
        }]);
        assert_eq!(monitors, expected);
    }

    #[test]
    fn every_hook_is_the_one_program_and_only_the_doorbell_wakes() {
        let hooks = document("'/a b/attend'", "hooks/hooks.json");
        let hooks = hooks["hooks"].as_object().unwrap();
        assert_eq!(hooks.len(), EVENTS.len());
        for (event, wakes) in EVENTS {
            let mut hook = json!({"type": "command", "command": "'/a b/attend' hook"});
            if wakes {
                hook["asyncRewake"] = true.into();
            }
            assert_eq!(hooks[event], json!([{"hooks": [hook]}]), "{event}");
        }
    }

    #[test]
    fn the_marketplace_offers_the_plugin_that_lies_beside_it() {
        let plugin = document("attend", ".claude-plugin/plugin.json");
        let market = document("attend", ".claude-plugin/marketplace.json");
        assert_eq!(plugin["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(market["plugins"][0]["name"], plugin["name"]);
        assert_eq!(market["plugins"][0]["source"], "./");
    }

    #[test]
    fn the_skill_is_what_the_sensor_teaches() {
        let skill = file("attend", "skills/attend/SKILL.md");
        assert_eq!(skill, disclosure::skill());
    }

    #[test]
    fn a_word_of_a_shell_is_quoted_where_it_has_to_be() {
        for (text, word) in [
            ("attend", "attend"),
            ("/opt/bin/attend", "/opt/bin/attend"),
            ("/a b/attend", "'/a b/attend'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
        ] {
            assert_eq!(quoted(text), word);
        }
    }
}
