//! Reading the keys of one mapping: their types, and which of them nobody knows.

use std::path::Path;

use serde_json::Value as Json;

use super::finding::{Finding, Problem};
use crate::yaml::{Content, Field, Mark, Node, nearest};

/// What is found while a file is read.
pub(super) struct Findings<'a> {
    file: &'a Path,
    /// How many lines stand above the frontmatter.
    above: usize,
    pub(super) all: Vec<Finding>,
}

/// One mapping.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    /// The keys on the way to it.
    way: &'a str,
    /// Where it stands.
    mark: Mark,
    held: &'a [Field],
}

impl<'a> Findings<'a> {
    pub(super) fn new(file: &'a Path, above: usize) -> Self {
        Self {
            file,
            above,
            all: Vec::new(),
        }
    }

    pub(super) fn find(
        &mut self,
        mark: Mark,
        key: &str,
        problem: Problem,
        text: &str,
    ) -> &mut Finding {
        let finding = Finding::new(self.file, problem, text).at(mark, self.above);
        self.all.push(finding.key(key));
        let last = self.all.len() - 1;
        &mut self.all[last]
    }

    pub(super) fn fault(&mut self, fault: crate::yaml::Fault) {
        self.all.push(Finding::of(self.file, fault, self.above));
    }

    pub(super) fn is_fatal(&self) -> bool {
        self.all.iter().any(|finding| finding.problem.is_fatal())
    }
}

impl<'a> Fields<'a> {
    pub(super) fn top(fields: &'a [Field]) -> Self {
        Self {
            way: "",
            mark: Mark { line: 1, column: 1 },
            held: fields,
        }
    }

    /// The mapping under `key`.
    pub(super) fn below(self, key: &'a str, found: &mut Findings<'_>) -> Option<Self> {
        let field = self.get(key)?;
        if let Content::Mapping(held) = &field.value.content {
            return Some(Self {
                way: key,
                mark: field.mark,
                held,
            });
        }
        let example = if key == "curve" {
            "{ type: Exponential, half_life: 50000 }"
        } else {
            "{ type: attend, signals: [context-pressure] }"
        };
        self.wrong(key, found, "a mapping of keys is expected", example);
        None
    }

    pub(super) fn get(self, key: &str) -> Option<&'a Field> {
        self.held.iter().find(|field| field.key == key)
    }

    pub(super) fn has(self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The whole name of `key`.
    pub(super) fn name(self, key: &str) -> String {
        if self.way.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.way)
        }
    }

    /// Where `key` stands, or the mapping in which it should.
    pub(super) fn mark(self, key: &str) -> Mark {
        self.get(key).map_or(self.mark, |field| field.mark)
    }

    pub(super) fn all(self) -> impl Iterator<Item = &'a Field> {
        self.held.iter()
    }

    /// Finds the keys that are none of `known`.
    pub(super) fn unknown(self, known: &[&str], passed: &[&str], found: &mut Findings<'_>) {
        for field in self.held {
            let key = field.key.as_str();
            if known.contains(&key) || passed.contains(&key) || key.starts_with("x-") {
                continue;
            }
            let near = nearest(key, known.iter().copied());
            let instead = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("use {}, or call it `x-{key}`", listed(known)),
            };
            let name = self.name(key);
            let finding = found.find(
                field.mark,
                &name,
                Problem::UnknownKey,
                "there is no such key",
            );
            finding.instead = Some(instead);
        }
    }

    pub(super) fn refuse(
        self,
        key: &str,
        problem: Problem,
        text: &str,
        instead: &str,
        found: &mut Findings<'_>,
    ) {
        let name = self.name(key);
        found.find(self.mark(key), &name, problem, text).instead = Some(instead.to_owned());
    }

    fn wrong(self, key: &str, found: &mut Findings<'_>, expected: &str, example: &str) {
        let is = self.get(key).map_or("nothing", |field| field.value.what());
        let text = format!("{expected}, this is {is}");
        let instead = format!("write `{key}: {example}`");
        self.refuse(key, Problem::WrongType, &text, &instead, found);
    }

    /// The text under `key`, where there is one.
    pub(super) fn text(self, key: &str, found: &mut Findings<'_>) -> Option<&'a str> {
        if let Content::Text(text) = &self.get(key)?.value.content {
            return Some(text);
        }
        self.wrong(key, found, "a text is expected", "\"in quotes\"");
        None
    }

    /// The text under `key`; that it is missing, or empty, is found.
    pub(super) fn needed(
        self,
        key: &str,
        example: &str,
        found: &mut Findings<'_>,
    ) -> Option<&'a str> {
        let is_there = self.get(key).is_some_and(|field| !field.value.is_null());
        if !is_there {
            let instead = format!("write `{key}: {example}`");
            self.refuse(key, Problem::Missing, "it is missing", &instead, found);
            return None;
        }
        let text = self.text(key, found)?;
        if text.trim().is_empty() {
            let instead = format!("write `{key}: {example}`");
            self.refuse(key, Problem::WrongValue, "it is empty", &instead, found);
            return None;
        }
        Some(text)
    }

    /// The number under `key`, where there is one.
    pub(super) fn number(self, key: &str, found: &mut Findings<'_>) -> Option<f64> {
        if let Content::Plain(Json::Number(number)) = &self.get(key)?.value.content {
            return number.as_f64();
        }
        self.wrong(key, found, "a number is expected", "0.25");
        None
    }

    /// The texts under `key`: a list of them, or one alone. None of them where it is not there.
    pub(super) fn texts(self, key: &str, found: &mut Findings<'_>) -> Vec<(&'a str, Mark)> {
        let Some(field) = self.get(key) else {
            return Vec::new();
        };
        let one = |node: &'a Node| match &node.content {
            Content::Text(text) if !text.trim().is_empty() => Some((text.as_str(), node.mark)),
            _ => None,
        };
        let texts: Option<Vec<_>> = match &field.value.content {
            Content::List(nodes) => nodes.iter().map(one).collect(),
            _ => one(&field.value).map(|text| vec![text]),
        };
        if texts.is_none() {
            let expected = "a text or a list of texts is expected";
            self.wrong(key, found, expected, "[one, two]");
        }
        texts.unwrap_or_default()
    }
}

/// `a`, `b` and `c`.
pub(super) fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}
