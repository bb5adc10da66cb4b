//! Types, bounds and generics of rustdoc's form, written as Rust writes them.

use std::collections::BTreeSet;

use serde_json::Value;

/// Writes types, and remembers the id of each that it named.
#[derive(Default, Debug)]
pub(crate) struct Writer {
    pub(crate) named: BTreeSet<u64>,
}

impl Writer {
    pub(crate) fn ty(&mut self, ty: &Value) -> String {
        let Some((kind, inner)) = ty.as_object().and_then(|ty| ty.iter().next()) else {
            return "_".into();
        };
        match kind.as_str() {
            "resolved_path" => self.path(inner),
            "primitive" | "generic" => text(inner),
            "tuple" => format!("({})", self.each(inner, Self::ty)),
            "slice" => format!("[{}]", self.ty(inner)),
            "array" => format!("[{}; {}]", self.ty(&inner["type"]), text(&inner["len"])),
            "impl_trait" => format!("impl {}", self.bounds(inner)),
            "dyn_trait" => {
                let mut traits: Vec<_> = list(&inner["traits"])
                    .map(|poly| self.path(&poly["trait"]))
                    .collect();
                traits.extend(inner["lifetime"].as_str().map(str::to_owned));
                format!("dyn {}", traits.join(" + "))
            }
            "borrowed_ref" => {
                let lifetime = inner["lifetime"].as_str().map(|name| format!("{name} "));
                let mutable = if inner["is_mutable"] == true {
                    "mut "
                } else {
                    ""
                };
                let lifetime = lifetime.unwrap_or_default();
                format!("&{lifetime}{mutable}{}", self.ty(&inner["type"]))
            }
            "raw_pointer" => format!("*{}", self.ty(&inner["type"])),
            "qualified_path" => {
                let of = self.ty(&inner["self_type"]);
                if inner["trait"].is_null() {
                    return format!("{of}::{}", text(&inner["name"]));
                }
                format!(
                    "<{of} as {}>::{}",
                    self.path(&inner["trait"]),
                    text(&inner["name"])
                )
            }
            "function_pointer" => format!("fn{}", self.signature(&inner["sig"])),
            _ => inner.to_string(),
        }
    }

    /// A path with its arguments; only the last name, as the form keeps it.
    pub(crate) fn path(&mut self, path: &Value) -> String {
        self.named.extend(path["id"].as_u64());
        let full = text(&path["path"]);
        let name = full.rsplit("::").next().unwrap_or_default();
        format!("{name}{}", self.arguments(&path["args"]))
    }

    fn arguments(&mut self, arguments: &Value) -> String {
        if let Some(angle) = arguments.get("angle_bracketed") {
            let mut all: Vec<_> = list(&angle["args"]).map(|one| self.argument(one)).collect();
            for constraint in list(&angle["constraints"]) {
                let binding = &constraint["binding"];
                let name = text(&constraint["name"]);
                all.push(match binding.get("equality") {
                    Some(term) => format!("{name} = {}", self.argument(term)),
                    None => format!("{name}: {}", self.bounds(&binding["constraint"])),
                });
            }
            return if all.is_empty() {
                String::new()
            } else {
                format!("<{}>", all.join(", "))
            };
        }
        let Some(call) = arguments.get("parenthesized") else {
            return String::new();
        };
        let inputs = self.each(&call["inputs"], Self::ty);
        format!("({inputs}){}", self.output(&call["output"]))
    }

    fn argument(&mut self, argument: &Value) -> String {
        if let Some(ty) = argument.get("type") {
            return self.ty(ty);
        }
        match argument.get("constant") {
            Some(constant) => text(&constant["expr"]),
            None => text(&argument["lifetime"]),
        }
    }

    pub(crate) fn bounds(&mut self, bounds: &Value) -> String {
        let all: Vec<_> = list(bounds)
            .map(|bound| match bound.get("trait_bound") {
                Some(inner) => {
                    let maybe = if inner["modifier"] == "maybe" {
                        "?"
                    } else {
                        ""
                    };
                    format!("{maybe}{}", self.path(&inner["trait"]))
                }
                None => bound
                    .get("outlives")
                    .map_or_else(|| bound.to_string(), text),
            })
            .collect();
        all.join(" + ")
    }

    pub(crate) fn signature(&mut self, signature: &Value) -> String {
        let inputs: Vec<_> = list(&signature["inputs"])
            .map(|input| format!("{}: {}", text(&input[0]), self.ty(&input[1])))
            .collect();
        format!(
            "({}){}",
            inputs.join(", "),
            self.output(&signature["output"])
        )
    }

    fn output(&mut self, output: &Value) -> String {
        if output.is_null() {
            return String::new();
        }
        format!(" -> {}", self.ty(output))
    }

    /// The parameters of generics, and the conditions behind them.
    pub(crate) fn generics(&mut self, generics: &Value) -> (String, String) {
        let mut parameters = Vec::new();
        for parameter in list(&generics["params"]) {
            let name = text(&parameter["name"]);
            let kind = &parameter["kind"];
            if let Some(constant) = kind.get("const") {
                parameters.push(format!("const {name}: {}", self.ty(&constant["type"])));
            } else if kind["type"]["is_synthetic"] != true {
                let bounds = self.bounds(&kind["type"]["bounds"]);
                let colon = if bounds.is_empty() { "" } else { ": " };
                parameters.push(format!("{name}{colon}{bounds}"));
            }
        }
        let mut conditions = Vec::new();
        for condition in list(&generics["where_predicates"]) {
            if let Some(bound) = condition.get("bound_predicate") {
                let of = self.ty(&bound["type"]);
                conditions.push(format!("{of}: {}", self.bounds(&bound["bounds"])));
            } else {
                conditions.push(condition.to_string());
            }
        }
        let wrap = |open: &str, all: &[String], close: &str| {
            if all.is_empty() {
                String::new()
            } else {
                format!("{open}{}{close}", all.join(", "))
            }
        };
        (
            wrap("<", &parameters, ">"),
            wrap(" where ", &conditions, ""),
        )
    }

    fn each(&mut self, all: &Value, write: impl Fn(&mut Self, &Value) -> String) -> String {
        list(all)
            .map(|one| write(self, one))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// The members of a list; none of what is no list.
pub(crate) fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// A text as it stands; anything else as JSON.
pub(crate) fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
