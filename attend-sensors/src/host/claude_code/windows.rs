//! How many tokens fit into a model's context window.

use attend_core::sensor::WindowBasis;

use super::statusline::{LARGE_MARK, StatusLine, bare};

/// The window of most models, and of one that is not known.
const SMALL: u64 = 200_000;

/// The window of the larger ones.
const LARGE: u64 = 1_000_000;

/// What is known of windows beside the host's own table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Windows {
    /// Windows that a person set, by model: a whole id, or its beginning and a `*`. The first
    /// that fits counts.
    pub by_model: Vec<(String, u64)>,
    /// `CLAUDE_CODE_MAX_CONTEXT_TOKENS`: the window of every model.
    pub most: Option<u64>,
    /// `CLAUDE_CODE_DISABLE_1M_CONTEXT`: no model has more than 200,000 by itself.
    pub only_small: bool,
}

impl Windows {
    /// The window of `model` with `tokens` in it, and how it is known.
    ///
    /// What the host itself said counts for the model of which it said it, unless more is in it
    /// than would fit.
    ///
    /// ```
    /// use attend_core::sensor::WindowBasis;
    /// use attend_sensors::host::claude_code::Windows;
    ///
    /// let windows = Windows::default();
    /// let window = |model, tokens| windows.window(Some(model), Some(tokens), None);
    /// assert_eq!(window("claude-opus-5-5", 10), (1_000_000, WindowBasis::Model));
    /// assert_eq!(window("claude-haiku-4-5-20251001", 10), (200_000, WindowBasis::Model));
    /// assert_eq!(window("claude-haiku-4-5", 240_000), (1_000_000, WindowBasis::Observed));
    /// assert_eq!(window("mystery-2", 10), (200_000, WindowBasis::Assumed));
    /// ```
    pub fn window(
        &self,
        model: Option<&str>,
        tokens: Option<u64>,
        said: Option<&StatusLine>,
    ) -> (u64, WindowBasis) {
        let fits = |window: &u64| *window > 0 && tokens.is_none_or(|tokens| tokens <= *window);
        let said = said.filter(|said| said.is_of(model));
        if let Some(window) = said.and_then(|said| said.window).filter(fits) {
            return (window, WindowBasis::Exact);
        }
        // The status line may name what the transcript never shows: the mark.
        let model = said.and_then(|said| said.model.as_deref()).or(model);
        let (window, basis) = match (self.set(model), model.map(by_table)) {
            (Some(window), _) => (window, WindowBasis::Configured),
            (None, Some(Some(LARGE))) if self.only_small => (SMALL, WindowBasis::Configured),
            (None, Some(Some(window))) => (window, WindowBasis::Model),
            (None, _) => (SMALL, WindowBasis::Assumed),
        };
        if fits(&window) {
            (window, basis)
        } else {
            (window.max(LARGE), WindowBasis::Observed)
        }
    }

    fn set(&self, model: Option<&str>) -> Option<u64> {
        let by_model = |model: &str| {
            let mut rules = self.by_model.iter();
            let rule = rules.find(|(pattern, _)| match pattern.strip_suffix('*') {
                Some(beginning) => model.starts_with(beginning),
                None => model == pattern || bare(model) == pattern,
            });
            rule.map(|(_, window)| *window)
        };
        let set = model.and_then(by_model).or(self.most);
        set.filter(|window| *window > 0)
    }
}

/// The window by the host's own table; none for a model that is not in it.
fn by_table(model: &str) -> Option<u64> {
    if model.ends_with(LARGE_MARK) {
        return Some(LARGE);
    }
    let (family, version) = family(model)?;
    let large = match family {
        Family::Fable if version.0 == 5 => true,
        Family::Fable => return None,
        Family::Opus => version >= (4, 7),
        Family::Sonnet => version >= (5, 0),
        Family::Haiku if version > (5, 5) => return None,
        Family::Haiku => version == (5, 5),
    };
    Some(if large { LARGE } else { SMALL })
}

#[derive(Clone, Copy)]
enum Family {
    Fable,
    Opus,
    Sonnet,
    Haiku,
}

/// The family and version of a model by the words of its id: `claude-opus-4-7`,
/// `claude-3-5-sonnet-20241022`, also with what a provider adds around them.
fn family(model: &str) -> Option<(Family, (u32, u32))> {
    let words: Vec<&str> = model.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let begins = words.iter().position(|word| *word == "claude")?;
    let words = words.get(begins + 1..)?;
    let (at, family) = words.iter().enumerate().find_map(|(at, word)| {
        let family = match *word {
            "fable" => Family::Fable,
            "opus" => Family::Opus,
            "sonnet" => Family::Sonnet,
            "haiku" => Family::Haiku,
            _ => return None,
        };
        Some((at, family))
    })?;
    let version = |words: &[&str]| {
        let mut numbers = words.iter().map_while(|word| match word.len() {
            1 | 2 => word.parse::<u32>().ok(),
            _ => None, // A date.
        });
        numbers
            .next()
            .map(|major| (major, numbers.next().unwrap_or(0)))
    };
    let version = version(words.get(at + 1..)?).or_else(|| version(words.get(..at)?))?;
    Some((family, version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_hosts() {
        let large = [
            "claude-fable-5",
            "claude-fable-5-2-20270101",
            "claude-opus-5",
            "claude-opus-5-5",
            "claude-opus-6-1",
            "claude-opus-4-7",
            "claude-opus-4-8",
            "claude-sonnet-5",
            "claude-sonnet-5-5",
            "claude-sonnet-7",
            "claude-haiku-5-5",
            "claude-opus-4-6[1m]",
            "us.anthropic.claude-opus-4-7-v1:0",
            "claude-opus-4-7@20260401",
        ];
        let small = [
            "claude-opus-4-6",
            "claude-opus-4",
            "claude-opus-4-20250514",
            "claude-sonnet-4-6",
            "claude-haiku-4-5-20251001",
            "claude-haiku-5",
            "claude-3-5-sonnet-20241022",
            "claude-3-opus-20240229",
            "eu.anthropic.claude-sonnet-4-5-20250929-v1:0",
        ];
        let unknown = [
            "claude-fable-6",
            "claude-haiku-6",
            "claude-opus",
            "gpt-5",
            "opus-5",
            "",
            "claude-saga-5",
        ];
        for model in large {
            assert_eq!(by_table(model), Some(LARGE), "{model}");
        }
        for model in small {
            assert_eq!(by_table(model), Some(SMALL), "{model}");
        }
        for model in unknown {
            assert_eq!(by_table(model), None, "{model}");
        }
    }

    #[test]
    fn what_a_person_set_goes_first() {
        let windows = Windows {
            by_model: vec![
                ("mystery-*".into(), 64_000),
                ("claude-opus-5".into(), 500_000),
            ],
            most: Some(300_000),
            only_small: true,
        };
        let window = |model, tokens| windows.window(Some(model), Some(tokens), None);
        assert_eq!(window("mystery-7", 1), (64_000, WindowBasis::Configured));
        assert_eq!(
            window("claude-opus-5[1m]", 1),
            (500_000, WindowBasis::Configured)
        );
        assert_eq!(
            window("claude-opus-5-5", 1),
            (300_000, WindowBasis::Configured)
        );
        assert_eq!(window("mystery-7", 64_001), (LARGE, WindowBasis::Observed));
        let small = Windows {
            only_small: true,
            ..Windows::default()
        };
        assert_eq!(
            small.window(Some("claude-opus-5"), None, None),
            (SMALL, WindowBasis::Configured)
        );
        assert_eq!(
            small.window(Some("claude-opus-4"), None, None),
            (SMALL, WindowBasis::Model)
        );
        assert_eq!(
            small.window(None, None, None),
            (SMALL, WindowBasis::Assumed)
        );
    }

    #[test]
    fn what_the_host_said_counts_for_its_model() {
        let said = StatusLine::parse(br#"{"model":{"id":"claude-opus-4-6[1m]"},"context_window":{"context_window_size":1000000}}"#);
        let window =
            |model, tokens| Windows::default().window(Some(model), Some(tokens), said.as_ref());
        assert_eq!(window("claude-opus-4-6", 1), (LARGE, WindowBasis::Exact));
        assert_eq!(window("claude-haiku-4-5", 1), (SMALL, WindowBasis::Model));
        assert_eq!(
            window("claude-opus-4-6", LARGE + 1),
            (LARGE, WindowBasis::Observed)
        );
    }
}
