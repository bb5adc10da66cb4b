//! A source file as the checks see it: its lines, its tokens, and the paths that it names.

use std::path::Path;

use crate::lexer::{Token, tokens};

/// One file of the workspace.
#[derive(Debug)]
pub(crate) struct Source {
    /// Where it lies, from the workspace's root, with `/` between the parts.
    pub(crate) path: String,
    pub(crate) text: String,
    tokens: Vec<Token>,
}

/// A path as code names it: `crate::sensor::Event`, from a `use` or where it is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Named {
    pub(crate) line: usize,
    pub(crate) segments: Vec<String>,
    /// The modules inside the file in whose braces it stands.
    pub(crate) inside: Vec<String>,
}

impl Source {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
            tokens: if is_rust(path) {
                tokens(text)
            } else {
                Vec::new()
            },
        }
    }

    pub(crate) fn is_rust(&self) -> bool {
        is_rust(&self.path)
    }

    /// Whether it is a test file: in a folder `tests`, or called `tests.rs` or `…_tests.rs`.
    pub(crate) fn is_test(&self) -> bool {
        self.path.split('/').any(|part| part == "tests")
            || self.path.ends_with("/tests.rs")
            || self.path.ends_with("_tests.rs")
    }

    /// Whether it is code that is shipped in one of the crates.
    pub(crate) fn is_shipped(&self) -> bool {
        let crates = ["attend-core/src/", "attend-sensors/src/", "attend-bin/src/"];
        self.is_rust() && !self.is_test() && crates.iter().any(|root| self.path.starts_with(root))
    }

    /// Its tokens outside of tests.
    pub(crate) fn code(&self) -> Vec<&Token> {
        self.tokens.iter().filter(|token| !token.test).collect()
    }

    /// The module that it is, below `attend-core/src`: `["sensor", "event"]`; none elsewhere.
    pub(crate) fn module(&self) -> Option<Vec<String>> {
        let inner = self.path.strip_prefix("attend-core/src/")?;
        let inner = inner.strip_suffix(".rs")?;
        let inner = inner.strip_suffix("/mod").unwrap_or(inner);
        Some(match inner {
            "lib" => Vec::new(),
            _ => inner.split('/').map(str::to_owned).collect(),
        })
    }

    /// The modules that it declares as files of their own, in order, tests apart.
    pub(crate) fn declares(&self) -> Vec<String> {
        let code = self.code();
        let declared = code.windows(3).filter_map(|window| match window {
            [keyword, name, end] if keyword.is("mod") && end.is(";") => Some(name.text.clone()),
            _ => None,
        });
        declared.collect()
    }

    /// Every path that its code names, tests apart. A `use` of many is many.
    pub(crate) fn names(&self) -> Vec<Named> {
        let code = self.code();
        let mut reader = Reader {
            code: &code,
            at: 0,
            found: Vec::new(),
            inside: Vec::new(),
            depth: 0,
        };
        reader.read();
        reader.found
    }
}

fn is_rust(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|kind| kind == "rs")
}

struct Reader<'a> {
    code: &'a [&'a Token],
    at: usize,
    found: Vec<Named>,
    /// Inline modules that are open, with the depth of braces in which each began.
    inside: Vec<(String, usize)>,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self, ahead: usize) -> &'a str {
        self.code
            .get(self.at + ahead)
            .map_or("", |token| token.text.as_str())
    }

    fn is_name(&self, ahead: usize) -> bool {
        self.code
            .get(self.at + ahead)
            .is_some_and(|token| token.is_name())
    }

    fn read(&mut self) {
        while self.at < self.code.len() {
            match self.peek(0) {
                "{" => self.depth += 1,
                "}" => {
                    self.depth = self.depth.saturating_sub(1);
                    self.inside.retain(|(_, depth)| *depth < self.depth + 1);
                }
                "mod" if self.peek(2) == "{" => {
                    self.inside.push((self.peek(1).to_owned(), self.depth + 1));
                    self.at += 1;
                }
                // `use<'a>` captures; it imports nothing.
                "use" if self.peek(1) != "<" => {
                    self.at += 1;
                    self.tree(&[]);
                }
                _ if self.is_name(0) => self.inline(),
                _ => {}
            }
            self.at += 1;
        }
    }

    /// A path in the midst of code; ends on its last token.
    fn inline(&mut self) {
        let line = self.code[self.at].line;
        let mut segments = vec![self.peek(0).to_owned()];
        while self.peek(1) == "::" && self.is_name(2) {
            segments.push(self.peek(2).to_owned());
            self.at += 2;
        }
        if segments.len() > 1 {
            self.keep(line, segments);
        }
    }

    /// What one `use` names, or one branch of it; ends on the token that closes it.
    fn tree(&mut self, before: &[String]) {
        let mut segments = before.to_vec();
        loop {
            match self.peek(0) {
                "::" => {}
                "{" => {
                    while self.peek(0) != "}" && self.at < self.code.len() {
                        self.at += 1;
                        self.tree(&segments);
                    }
                    self.at += 1;
                    return;
                }
                "as" => self.at += 1,
                _ if self.is_name(0) || self.peek(0) == "*" => {
                    segments.push(self.peek(0).to_owned());
                }
                _ => {
                    if segments.len() > before.len() {
                        let line = self.code[self.at.saturating_sub(1)].line;
                        self.keep(line, segments);
                    }
                    return;
                }
            }
            self.at += 1;
        }
    }

    fn keep(&mut self, line: usize, segments: Vec<String>) {
        let inside = self.inside.iter().map(|(name, _)| name.clone()).collect();
        self.found.push(Named {
            line,
            segments,
            inside,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::Source;

    fn named(text: &str) -> Vec<String> {
        let source = Source::new("attend-core/src/mail/x.rs", text);
        let names = source.names();
        names.iter().map(|name| name.segments.join("::")).collect()
    }

    #[test]
    fn a_use_of_many_is_many() {
        let text = "pub use super::{a::{B, C as D}, e, f::*};\nuse ::std::env;\nlet x = 1;";
        let expected = [
            "super::a::B",
            "super::a::C",
            "super::e",
            "super::f::*",
            "std::env",
        ];
        assert_eq!(named(text), expected);
    }

    #[test]
    fn paths_stand_in_the_midst_of_code_too() {
        let text = "fn f<'a>() -> impl Fn() + use<'a> { crate::sensor::Event::new::<u8>(1.0) }";
        assert_eq!(named(text), ["crate::sensor::Event::new"]);
    }

    #[test]
    fn neither_comments_nor_text_nor_tests_name_anything() {
        let text = "/* a::b */ // c::d\nlet s = \"e::f\"; let r = r#\"g::h\"#;\n\
                    #[cfg(test)]\nmod tests { use super::x; }\n#[cfg(test)] use i::j;\nuse k::l;";
        assert_eq!(named(text), ["k::l"]);
    }

    #[test]
    fn a_module_inside_a_file_is_noticed() {
        let source = Source::new(
            "attend-core/src/lib.rs",
            "mod a { use super::b; } use self::c;",
        );
        let names = source.names();
        assert_eq!(names[0].inside, ["a"]);
        assert!(names[1].inside.is_empty());
    }
}
