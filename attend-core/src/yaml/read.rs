//! Reading YAML: from the parser's events to nodes, within bounds.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput, Tag};

use super::fault::{Fault, FaultKind};
use super::node::{Content, Field, Mark, Node};

/// How deep values may lie within each other.
const MOST_DEPTH: usize = 32;

/// How many values a file may hold, those that stand for others included.
const MOST_NODES: usize = 50_000;

/// What a file says.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Document {
    /// The keys at the top.
    pub(crate) fields: Vec<Field>,
    /// What is wrong with the YAML, but does not make it unreadable.
    pub(crate) faults: Vec<Fault>,
}

/// Reads `text`.
///
/// # Errors
///
/// What is not YAML, holds no mapping at the top, or too much.
pub(crate) fn parse(text: &str) -> Result<Document, Fault> {
    let mut reader = Reader {
        parser: Parser::new_from_str(text),
        anchors: HashMap::new(),
        faults: Vec::new(),
        nodes: 0,
        way: Vec::new(),
    };
    let top = reader.document()?;
    let Some(fields) = top.fields() else {
        let text = format!("a mapping of keys is expected, this is {}", top.what());
        return Err(Fault::new(top.mark, FaultKind::WrongType, text));
    };
    Ok(Document {
        fields: fields.to_vec(),
        faults: reader.faults,
    })
}

struct Reader<'a> {
    parser: Parser<'a, StrInput<'a>>,
    /// Values that have a name, and how many values each holds.
    anchors: HashMap<usize, (Node, usize)>,
    faults: Vec<Fault>,
    nodes: usize,
    /// The keys on the way to what is being read.
    way: Vec<String>,
}

type Read<T> = Result<T, Fault>;

impl<'a> Reader<'a> {
    fn document(&mut self) -> Read<Node> {
        let mut top = None;
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::StreamEnd => break,
                Event::StreamStart
                | Event::DocumentStart(_)
                | Event::DocumentEnd
                | Event::Nothing => {}
                _ if top.is_some() => {
                    let text = "only the first document of a file counts";
                    self.find(mark(&span), FaultKind::Syntax, text);
                    break;
                }
                event => top = Some(self.node(event, &span, 0)?),
            }
        }
        Ok(top.unwrap_or(Node::plain(Mark { line: 1, column: 1 }, "")))
    }

    fn node(&mut self, event: Event<'a>, span: &Span, depth: usize) -> Read<Node> {
        let mark = mark(span);
        if depth > MOST_DEPTH {
            return Err(self.broken(mark, &format!("values lie more than {MOST_DEPTH} deep")));
        }
        let before = self.nodes;
        self.count(mark, 1)?;
        let (anchor, content) = match event {
            Event::Alias(anchor) => return self.alias(anchor, mark),
            Event::Scalar(text, style, anchor, tag) => {
                let is_text = style != ScalarStyle::Plain || tag.as_deref().is_some_and(is_str);
                self.check(tag.as_deref(), mark);
                let content = if is_text {
                    Content::Text(text.into_owned())
                } else {
                    Node::plain(mark, &text).content
                };
                (anchor, content)
            }
            Event::SequenceStart(anchor, tag) => {
                self.check(tag.as_deref(), mark);
                (anchor, self.list(depth)?)
            }
            Event::MappingStart(anchor, tag) => {
                self.check(tag.as_deref(), mark);
                (anchor, self.mapping(depth)?)
            }
            _ => return Err(self.broken(mark, "a value is expected")),
        };
        let node = Node { mark, content };
        if anchor > 0 {
            self.anchors
                .insert(anchor, (node.clone(), self.nodes - before));
        }
        Ok(node)
    }

    fn list(&mut self, depth: usize) -> Read<Content> {
        let mut nodes = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if event == Event::SequenceEnd {
                return Ok(Content::List(nodes));
            }
            self.way.push(nodes.len().to_string());
            nodes.push(self.node(event, &span, depth + 1)?);
            self.way.pop();
        }
    }

    fn mapping(&mut self, depth: usize) -> Read<Content> {
        let mut fields: Vec<Field> = Vec::new();
        let mut places = HashMap::new();
        loop {
            let (event, span) = self.next()?;
            if event == Event::MappingEnd {
                return Ok(Content::Mapping(fields));
            }
            let mark = mark(&span);
            let key = match event {
                Event::Scalar(text, ..) => Some(text.into_owned()),
                other => {
                    self.node(other, &span, depth + 1)?;
                    None
                }
            };
            self.way.push(key.clone().unwrap_or_default());
            let (event, span) = self.next()?;
            let value = self.node(event, &span, depth + 1)?;
            let Some(key) = key else {
                self.way.pop();
                self.find(
                    mark,
                    FaultKind::WrongType,
                    "a key is one word; this one is ignored",
                );
                continue;
            };
            let field = Field {
                key: key.clone(),
                mark,
                value,
            };
            if let Some(place) = places.get(&key) {
                let former: &mut Field = &mut fields[*place];
                let line = former.mark.line;
                *former = field;
                let text = format!("it stands on line {line} too; only this one counts");
                self.find(mark, FaultKind::DuplicateKey, &text);
            } else {
                places.insert(key, fields.len());
                fields.push(field);
            }
            self.way.pop();
        }
    }

    fn alias(&mut self, anchor: usize, mark: Mark) -> Read<Node> {
        let Some((node, size)) = self.anchors.get(&anchor).cloned() else {
            return Err(self.broken(mark, "this stands for a value that holds itself"));
        };
        self.count(mark, size)?;
        Ok(node)
    }

    fn next(&mut self) -> Read<(Event<'a>, Span)> {
        match self.parser.next_event() {
            Some(Ok(next)) => Ok(next),
            Some(Err(error)) => Err(syntax(&error)),
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    fn count(&mut self, mark: Mark, more: usize) -> Read<()> {
        self.nodes += more;
        if self.nodes > MOST_NODES {
            let text = format!("the file holds more than {MOST_NODES} values");
            return Err(self.broken(mark, &text));
        }
        Ok(())
    }

    /// Tags say of a value what its form says already; others would have to mean something.
    fn check(&mut self, tag: Option<&Tag>, mark: Mark) {
        if let Some(tag) = tag.filter(|tag| !tag.is_yaml_core_schema()) {
            let text = format!("the tag `{tag}` means nothing here");
            self.find(mark, FaultKind::Syntax, &text);
        }
    }

    fn broken(&self, mark: Mark, text: &str) -> Fault {
        Fault::new(mark, FaultKind::Syntax, text).key(self.way.join("."))
    }

    fn find(&mut self, mark: Mark, kind: FaultKind, text: &str) {
        let fault = Fault::new(mark, kind, text);
        self.faults.push(fault.key(self.way.join(".")));
    }
}

fn syntax(error: &ScanError) -> Fault {
    let at = error.marker();
    let mark = Mark {
        line: at.line(),
        column: at.col() + 1,
    };
    let text = format!("this is not YAML: {}", error.info());
    Fault::new(mark, FaultKind::Syntax, text)
}

fn mark(span: &Span) -> Mark {
    Mark {
        line: span.start.line(),
        column: span.start.col() + 1,
    }
}

fn is_str(tag: &Tag) -> bool {
    tag.is_yaml_core_schema() && tag.suffix == "str"
}
