//! Traits that others implement: each method says what it must not do.

use crate::source::Source;
use crate::{Check, Finding, hold, lines};

const SAYS_MUST_NOT: Check = Check {
    name: "each method of a public trait says what it must not do",
    find: silent,
    advice: "Say in its documentation what an implementation must not do, with these words; those \
             of a trait `…Ext` are implemented once, here.",
};

fn silent(sources: &[Source]) -> Vec<Finding> {
    let libraries = ["attend-core/src/", "attend-sensors/src/"];
    let shipped = sources.iter().filter(|source| source.is_shipped());
    let ours = shipped.filter(|source| libraries.iter().any(|root| source.path.starts_with(root)));
    ours.flat_map(|source| {
        let methods = methods(&source.text).into_iter();
        let silent = methods.filter(|method| !method.says.contains("must not"));
        silent.map(|method| Finding::new(source, method.line, method.name))
    })
    .collect()
}

/// A method of a public trait, and what its documentation says.
#[derive(Debug)]
struct Method {
    line: usize,
    name: String,
    says: String,
}

/// The methods of the public traits in `text`, as rustfmt lays them out.
fn methods(text: &str) -> Vec<Method> {
    let (mut found, mut inside, mut says) = (Vec::new(), None, String::new());
    for (index, line) in text.lines().enumerate() {
        if let Some(rest) = line.strip_prefix("pub trait ") {
            let name = rest.split(|c: char| !c.is_alphanumeric()).next();
            inside = name.filter(|name| !name.ends_with("Ext"));
        } else if line == "}" {
            inside = None;
        }
        let Some(name) = inside else { continue };
        if let Some(words) = line.strip_prefix("    ///") {
            says.push_str(words);
        } else if let Some(method) = method(line) {
            found.push(Method {
                line: index + 1,
                name: format!("`{name}::{method}`"),
                says: std::mem::take(&mut says),
            });
        } else if !line.starts_with("    #[") {
            says.clear();
        }
    }
    found
}

/// The name of the method that begins in `line`.
fn method(line: &str) -> Option<&str> {
    let line = line.strip_prefix("    ")?;
    let line = line.strip_prefix("async ").unwrap_or(line);
    let rest = line.strip_prefix("fn ")?;
    rest.split(['(', '<']).next()
}

#[test]
fn every_method_of_a_public_trait_says_what_it_must_not_do() {
    hold(&SAYS_MUST_NOT);
    if let Some(sources) = crate::tree::workspace() {
        let count: usize = sources
            .iter()
            .filter(|source| source.is_shipped())
            .map(|source| methods(&source.text).len())
            .sum();
        assert!(count > 30, "{count}");
    }
}

#[test]
fn a_method_that_does_not_say_it_is_found() {
    let text = "/// It must not.\npub trait Seen: Send {\n    /// It must\n    /// not wait.\n    \
                #[must_use]\n    fn good(&self);\n\n    /// It must not.\n    const A: u8;\n\n    \
                /// Looks.\n    async fn bad<T>(\n        &self,\n    );\n}\n\npub trait SeenExt {\n    \
                /// Looks.\n    fn fine(&self);\n}\n\ntrait Own {\n    fn own(&self);\n}\n";
    let files = [
        ("attend-core/src/sensor/a.rs", text),
        ("attend-bin/src/b.rs", text),
    ];
    let found = lines(&SAYS_MUST_NOT, &files);
    assert_eq!(found, ["attend-core/src/sensor/a.rs:12: `Seen::bad`"]);
}
