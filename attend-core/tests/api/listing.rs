//! The walk through what is public, item by item.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::types::{Writer, list, text};

/// A line for each public item, and the full path of each type of another crate that they name.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(crate) lines: BTreeSet<String>,
    pub(crate) foreign: BTreeSet<String>,
}

impl Listing {
    pub(crate) fn of(known: &Value) -> Self {
        let mut walk = Walk {
            known,
            lines: BTreeSet::new(),
            writer: Writer::default(),
            seen: BTreeSet::new(),
        };
        let root = walk.item(&known["root"]).expect("the crate has a root");
        walk.visit(root, "", None);
        let foreign = walk
            .writer
            .named
            .iter()
            .filter_map(|id| foreign(known, *id));
        Self {
            foreign: foreign.collect(),
            lines: walk.lines,
        }
    }
}

/// The full path of an item of another crate that is not of the standard library.
fn foreign(known: &Value, id: u64) -> Option<String> {
    let summary = known["paths"].get(id.to_string())?;
    if summary["crate_id"] == 0 {
        return None;
    }
    let path: Vec<_> = list(&summary["path"]).map(text).collect();
    let standard = matches!(path.first()?.as_str(), "std" | "core" | "alloc");
    (!standard).then(|| path.join("::"))
}

struct Walk<'a> {
    known: &'a Value,
    lines: BTreeSet<String>,
    writer: Writer,
    seen: BTreeSet<(String, u64)>,
}

impl<'a> Walk<'a> {
    fn item(&self, id: &Value) -> Option<&'a Value> {
        self.known["index"].get(id.to_string())
    }

    fn say(&mut self, line: String) {
        self.lines.insert(line);
    }

    fn members(&mut self, ids: &Value, path: &str) {
        for id in list(ids) {
            if let Some(item) = self.item(id) {
                self.visit(item, path, None);
            }
        }
    }

    /// Lists `item`, which stands in `path`, under `name` where it was renamed.
    fn visit(&mut self, item: &'a Value, path: &str, name: Option<&str>) {
        let Some((kind, inner)) = item["inner"].as_object().and_then(|it| it.iter().next()) else {
            return;
        };
        // What stands in a trait or an impl of one, or is a variant, is as public as that is.
        if !matches!(item["visibility"].as_str(), Some("public" | "default")) {
            return;
        }
        let name = name.or(item["name"].as_str()).unwrap_or_default();
        let here = if path.is_empty() {
            name.into()
        } else {
            format!("{path}::{name}")
        };
        let id = item["id"].as_u64().unwrap_or_default();
        if kind != "use" && kind != "impl" && !self.seen.insert((here.clone(), id)) {
            return;
        }
        match kind.as_str() {
            "module" => {
                self.say(format!("mod {here}"));
                self.members(&inner["items"], &here);
            }
            "use" => self.used(inner, path),
            "function" => {
                let (generics, conditions) = self.writer.generics(&inner["generics"]);
                let signature = self.writer.signature(&inner["sig"]);
                let a = if inner["header"]["is_async"] == true {
                    "async "
                } else {
                    ""
                };
                let c = if inner["header"]["is_const"] == true {
                    "const "
                } else {
                    ""
                };
                let provided = if inner["has_body"] == true {
                    ""
                } else {
                    " (required)"
                };
                self.say(format!(
                    "{c}{a}fn {here}{generics}{signature}{conditions}{provided}"
                ));
            }
            "struct" | "enum" | "trait" | "union" | "type_alias" => {
                self.defined(kind, item, inner, &here);
            }
            "struct_field" => {
                let ty = self.writer.ty(inner);
                self.say(format!("field {here}: {ty}"));
            }
            "variant" => self.variant(inner, &here),
            "constant" | "static" | "assoc_const" => {
                let ty = self.writer.ty(&inner["type"]);
                self.say(format!("const {here}: {ty}"));
            }
            "assoc_type" => {
                let bounds = self.writer.bounds(&inner["bounds"]);
                let ty = if inner["type"].is_null() {
                    bounds
                } else {
                    self.writer.ty(&inner["type"])
                };
                self.say(format!("type {here}: {ty}"));
            }
            "impl" => self.implemented(inner, path),
            _ => self.say(format!("{kind} {here}")),
        }
    }

    fn used(&mut self, inner: &Value, path: &str) {
        let Some(target) = self.item(&inner["id"]) else {
            self.writer.named.extend(inner["id"].as_u64());
            self.say(format!(
                "use {path}::{} = {}",
                text(&inner["name"]),
                text(&inner["source"])
            ));
            return;
        };
        if inner["is_glob"] == true {
            let items = &target["inner"]["module"]["items"];
            self.members(items, path);
        } else {
            self.visit(target, path, inner["name"].as_str());
        }
    }

    fn defined(&mut self, kind: &str, item: &Value, inner: &Value, here: &str) {
        let (generics, conditions) = self.writer.generics(&inner["generics"]);
        let closed =
            list(&item["attrs"]).any(|attribute| attribute.to_string().contains("non_exhaustive"));
        let closed = if closed { " (non-exhaustive)" } else { "" };
        let mut line = format!("{kind} {here}{generics}{conditions}{closed}");
        if kind == "trait" {
            let above = self.writer.bounds(&inner["bounds"]);
            line = format!("{line}: {above}");
        } else if kind == "type_alias" {
            let ty = self.writer.ty(&inner["type"]);
            line = format!("{line} = {ty}");
        }
        self.say(line);
        self.fields(&inner["kind"], here);
        for members in ["variants", "items", "impls"] {
            self.members(&inner[members], here);
        }
    }

    fn fields(&mut self, kind: &Value, here: &str) {
        self.members(&kind["plain"]["fields"], here);
        self.members(&kind["struct"]["fields"], here);
        self.members(&kind["tuple"], here);
    }

    fn variant(&mut self, inner: &Value, here: &str) {
        self.say(format!("variant {here}"));
        self.fields(&inner["kind"], here);
    }

    /// An implementation: its own items where it is of no trait, and otherwise that it is there.
    fn implemented(&mut self, inner: &Value, path: &str) {
        if inner["is_synthetic"] == true || !inner["blanket_impl"].is_null() {
            return;
        }
        if inner["trait"].is_null() {
            self.members(&inner["items"], path);
            return;
        }
        if text(&inner["trait"]["path"]).ends_with("StructuralPartialEq") {
            return;
        }
        let (generics, conditions) = self.writer.generics(&inner["generics"]);
        let of = self.writer.path(&inner["trait"]);
        let ty = self.writer.ty(&inner["for"]);
        self.say(format!("impl{generics} {of} for {ty}{conditions} ({path})"));
    }
}
