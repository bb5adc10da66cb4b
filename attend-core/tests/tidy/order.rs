//! Inside a wing, a file uses only modules that its `mod.rs` lists before it.

use std::collections::HashMap;

use crate::source::{Named, Source};
use crate::{Check, Finding, hold, lines};

/// The modules of `attend-core`: what each lists, and what it passes on from below.
#[derive(Debug)]
pub(crate) struct Modules(HashMap<Vec<String>, Listing>);

#[derive(Debug, Default)]
struct Listing {
    children: Vec<String>,
    /// Names that it re-exports, with the child that each comes from.
    passed_on: HashMap<String, String>,
}

impl Modules {
    pub(crate) fn of(sources: &[Source]) -> Self {
        let mut modules = HashMap::new();
        for source in sources.iter().filter(|source| source.is_shipped()) {
            let Some(module) = source.module() else {
                continue;
            };
            let children = source.declares();
            let mut passed_on = HashMap::new();
            for name in source.names() {
                if let [child, .., last] = name.segments.as_slice()
                    && children.contains(child)
                {
                    passed_on.insert(last.clone(), child.clone());
                }
            }
            modules.insert(
                module,
                Listing {
                    children,
                    passed_on,
                },
            );
        }
        Self(modules)
    }

    /// The module that `name` leads to, when it stands in `module`; none where it leads out of
    /// `attend-core`, or begins with a name that another `use` brought in.
    pub(crate) fn target(&self, module: &[String], name: &Named) -> Option<Vec<String>> {
        let mut rest = name.segments.as_slice();
        let mut place: Vec<String> = match rest.first()?.as_str() {
            "crate" => Vec::new(),
            "self" | "super" => module.iter().chain(&name.inside).cloned().collect(),
            _ => return None,
        };
        while let [first, others @ ..] = rest {
            match first.as_str() {
                "crate" | "self" => {}
                "super" => _ = place.pop(),
                _ => break,
            }
            rest = others;
        }
        for segment in rest {
            let listing = self.0.get(&place);
            let passed_on = listing.and_then(|listing| listing.passed_on.get(segment));
            if let Some(child) = passed_on {
                place.push(child.clone());
                break;
            }
            // At the root, what is not passed on is a wing, listed or not.
            let listed = listing.is_some_and(|listing| listing.children.contains(segment));
            if !listed && !place.is_empty() {
                break;
            }
            place.push(segment.clone());
        }
        Some(place)
    }

    fn position(&self, parent: &[String], child: &String) -> Option<usize> {
        let listing = self.0.get(parent)?;
        listing.children.iter().position(|known| known == child)
    }
}

/// Where two modules part: the module above both, and its children towards each.
fn part<'a>(
    from: &'a [String],
    to: &'a [String],
) -> Option<(&'a [String], &'a String, &'a String)> {
    let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
    Some((&from[..common], from.get(common)?, to.get(common)?))
}

const ORDER: Check = Check {
    name: "a file uses only modules that its mod.rs lists before it",
    find: out_of_order,
    advice: "Reorder the modules, or move what both need to a module before them.",
};

fn out_of_order(sources: &[Source]) -> Vec<Finding> {
    let modules = Modules::of(sources);
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| source.is_shipped()) {
        let Some(module) = source.module() else {
            continue;
        };
        for name in source.names() {
            let Some(target) = modules.target(&module, &name) else {
                continue;
            };
            let Some((parent, from, to)) = part(&module, &target) else {
                continue;
            };
            if parent.is_empty() {
                continue; // Between wings, the arrows decide.
            }
            let (mine, theirs) = (modules.position(parent, from), modules.position(parent, to));
            if mine.is_none() || theirs.is_none() || mine < theirs {
                let what = format!(
                    "`{from}` uses `{}`, but `{}` lists `{to}` after it",
                    name.segments.join("::"),
                    parent.join("::")
                );
                findings.push(Finding::new(source, name.line, what));
            }
        }
    }
    findings
}

#[test]
fn files_keep_the_order_of_their_wing() {
    hold(&ORDER);
}

#[test]
fn a_file_that_uses_a_later_one_is_found() {
    let found = lines(
        &ORDER,
        &[
            (
                "attend-core/src/attention/mod.rs",
                "mod gate; pub use gate::{Gate, inner::Deep};\n#[cfg(x)] pub mod lane;\nmod line; pub use line::Line;",
            ),
            (
                "attend-core/src/attention/gate.rs",
                "use super::lane::Router;\nfn f(l: crate::attention::Line) {}",
            ),
            (
                "attend-core/src/attention/lane/mod.rs",
                "mod router; mod event; fn f(g: super::Gate) {}",
            ),
            (
                "attend-core/src/attention/lane/router.rs",
                "use super::super::line::{self};\nuse super::event::X;",
            ),
            (
                "attend-core/src/attention/lane/event.rs",
                "use super::{router::R, event::Y, super::Deep};",
            ),
            (
                "attend-core/src/attention/line.rs",
                "use super::{Gate, lane::event::X, Attention};",
            ),
        ],
    );
    let place = "attend-core/src/attention";
    let expected = [
        format!(
            "{place}/gate.rs:1: `gate` uses `super::lane::Router`, but `attention` lists `lane` after it"
        ),
        format!(
            "{place}/gate.rs:2: `gate` uses `crate::attention::Line`, but `attention` lists `line` after it"
        ),
        format!(
            "{place}/lane/router.rs:1: `lane` uses `super::super::line::self`, but `attention` lists `line` after it"
        ),
        format!(
            "{place}/lane/router.rs:2: `router` uses `super::event::X`, but `attention::lane` lists `event` after it"
        ),
    ];
    assert_eq!(found, expected);
}
