//! Reads a shell's text, character by character.

use std::collections::HashMap;
use std::iter::Peekable;
use std::str::Chars;

use super::{Simple, assigned, is_of_name};

/// What says where a program lies, and so stands for its name.
const FINDERS: [&str; 5] = ["which", "command", "type", "echo", "printf"];

/// How many brackets, and texts within a text, may be open at once; what stands in more of them is
/// read as if it stood in fewer.
const MOST_OPEN: u32 = 64;

/// How many times the length of a text variables may put into it: values of values grow fast.
const MOST_GROWTH: usize = 64;

/// Reads a text once, from its beginning to its end.
pub(super) struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
    all: Vec<Simple>,
    /// What was assigned to variables.
    known: HashMap<String, String>,
    /// How many bytes of that may still stand for variables.
    left: usize,
    /// The documents that begin behind this line.
    documents: Vec<Document>,
    /// How many brackets are open, and how many of them are arithmetic.
    brackets: u32,
    arithmetic: u32,
}

/// A document that is fed to the command at the place `at`.
struct Document {
    at: usize,
    /// The line that ends it, before which tabs may stand.
    end: String,
    tabs: bool,
    /// Nothing is substituted in it.
    is_exact: bool,
}

/// The command that is being read, which has the place `at` among all.
struct Open {
    at: usize,
    word: Option<String>,
    /// Whether something of the word is quoted.
    is_quoted: bool,
    /// What becomes of the word.
    role: Role,
}

/// What a word is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Word,
    /// It names a file.
    File,
    /// It is fed.
    Fed,
    /// It ends a document, before which tabs may stand.
    End(bool),
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            chars: text.chars().peekable(),
            all: Vec::new(),
            known: HashMap::new(),
            left: text.len().saturating_mul(MOST_GROWTH),
            documents: Vec::new(),
            brackets: 0,
            arithmetic: 0,
        }
    }

    /// All commands of the text.
    pub(super) fn commands(mut self) -> Vec<Simple> {
        self.read(None);
        self.all
    }

    /// Reads commands up to the bracket `end`, and past it.
    fn read(&mut self, end: Option<char>) {
        let mut open = self.open();
        while let Some(c) = self.chars.next() {
            match c {
                _ if Some(c) == end => break,
                '\'' => {
                    let quoted: String = self.chars.by_ref().take_while(|c| *c != '\'').collect();
                    open.push_quoted(&quoted);
                }
                '"' => {
                    let quoted = self.quoted();
                    open.push_quoted(&quoted);
                }
                '$' | '`' => {
                    let value = self.substituted(c);
                    self.push_split(&value, &mut open);
                }
                '\\' => match self.chars.next() {
                    // A line that goes on.
                    Some('\n') | None => {}
                    Some(c) => open.push_quoted(c.encode_utf8(&mut [0; 4])),
                },
                '#' if open.word.is_none() => while self.chars.next_if(|c| *c != '\n').is_some() {},
                '<' | '>' => self.redirected(c, &mut open),
                '&' if self.chars.peek() == Some(&'>') => {}
                '(' => {
                    self.finish(&mut open);
                    self.bracket();
                }
                '\n' => {
                    self.finish(&mut open);
                    self.take_documents();
                }
                '|' => {
                    let is_or = self.chars.next_if_eq(&'|').is_some();
                    self.end_word(&mut open);
                    self.all[open.at].is_piped = !is_or;
                    self.finish(&mut open);
                }
                ';' | '&' | ')' => self.finish(&mut open),
                c if c.is_whitespace() => self.end_word(&mut open),
                c => open.push(c.encode_utf8(&mut [0; 4])),
            }
        }
        self.end_word(&mut open);
    }

    fn open(&mut self) -> Open {
        self.all.push(Simple::default());
        Open {
            at: self.all.len() - 1,
            word: None,
            is_quoted: false,
            role: Role::Word,
        }
    }

    fn finish(&mut self, open: &mut Open) {
        self.end_word(open);
        // Behind a pipe a line may end.
        if self.all[open.at] != Simple::default() {
            *open = self.open();
        }
    }

    /// What is substituted without quotes may be several words, but for what is assigned.
    fn push_split(&mut self, value: &str, open: &mut Open) {
        if open
            .word
            .as_deref()
            .is_some_and(|word| assigned(word).is_some())
        {
            return open.push(value);
        }
        let mut words = value.split_whitespace();
        open.push(words.next().unwrap_or_default());
        for word in words {
            self.end_word(open);
            open.push(word);
        }
    }

    fn end_word(&mut self, open: &mut Open) {
        let Some(word) = open.word.take() else {
            return;
        };
        let is_exact = std::mem::take(&mut open.is_quoted);
        let simple = &mut self.all[open.at];
        match std::mem::replace(&mut open.role, Role::Word) {
            Role::File => {}
            Role::Fed => simple.fed.push(word),
            Role::End(tabs) => self.documents.push(Document {
                at: open.at,
                end: word,
                tabs,
                is_exact,
            }),
            Role::Word => {
                if let Some((name, value)) = assigned(&word) {
                    self.known.insert(name.to_owned(), value.to_owned());
                }
                simple.words.push(word);
            }
        }
    }

    /// What stands within double quotes.
    fn quoted(&mut self) -> String {
        let mut quoted = String::new();
        while let Some(c) = self.chars.next() {
            match c {
                '"' => break,
                '\\' => match self.chars.next() {
                    Some('\n') | None => {}
                    Some(c) => quoted.push(c),
                },
                '$' | '`' => quoted.push_str(&self.substituted(c)),
                c => quoted.push(c),
            }
        }
        quoted
    }

    /// What stands in the place of what begins with the dollar or backtick `c`.
    fn substituted(&mut self, c: char) -> String {
        if c == '`' {
            let mut inner = String::new();
            while let Some(c) = self.chars.next().filter(|c| *c != '`') {
                inner.push(match c {
                    '\\' => self.chars.next().unwrap_or(c),
                    c => c,
                });
            }
            let found = self.within(&inner, |reader| reader.read(None));
            let name = program_found(&found);
            self.all.extend(found);
            return name.unwrap_or_default();
        }
        match self.chars.peek() {
            // It only quotes in another way.
            Some('\'' | '"') => String::new(),
            Some('(') => {
                self.chars.next();
                let before = self.all.len();
                self.bracket();
                program_found(self.all.get(before..).unwrap_or_default()).unwrap_or_default()
            }
            Some('{') => {
                self.chars.next();
                let inner: String = self.chars.by_ref().take_while(|c| *c != '}').collect();
                let name: String = inner.chars().take_while(|c| is_of_name(*c)).collect();
                let default = inner.split_once('-').map(|(_, word)| word.to_owned());
                self.value(&name).or(default).unwrap_or_default()
            }
            _ => {
                let mut name = String::new();
                while let Some(c) = self.chars.next_if(|c| is_of_name(*c)) {
                    name.push(c);
                }
                self.value(&name).unwrap_or_default()
            }
        }
    }

    /// What was assigned to the variable `name`.
    fn value(&mut self, name: &str) -> Option<String> {
        let value = self.known.get(name)?;
        self.left = self.left.checked_sub(value.len())?;
        Some(value.clone())
    }

    /// What `read` finds in a text that stands in this one.
    fn within(&mut self, text: &str, read: impl FnOnce(&mut Reader<'_>)) -> Vec<Simple> {
        if self.brackets == MOST_OPEN {
            return Vec::new();
        }
        let mut reader = Reader::new(text);
        (reader.brackets, reader.left) = (self.brackets + 1, self.left);
        read(&mut reader);
        self.left = reader.left;
        reader.all
    }

    /// Reads what stands behind an opening bracket, up to the one that closes it: commands, or
    /// behind two of them arithmetic, where `<<` moves bits.
    fn bracket(&mut self) {
        if self.brackets == MOST_OPEN {
            return;
        }
        let is_arithmetic = self.arithmetic > 0 || self.chars.peek() == Some(&'(');
        self.brackets += 1;
        self.arithmetic += u32::from(is_arithmetic);
        self.read(Some(')'));
        self.arithmetic -= u32::from(is_arithmetic);
        self.brackets -= 1;
    }

    /// Reads the rest of an operator that begins with `c`, and what the next word is for.
    fn redirected(&mut self, c: char, open: &mut Open) {
        // A number before it says which file is meant.
        let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
        if open.word.as_ref().is_some_and(is_number) {
            open.word = None;
        }
        self.end_word(open);
        let mut operator = String::from(c);
        while let Some(c) = self.chars.next_if(|c| matches!(c, '<' | '>' | '&' | '|')) {
            operator.push(c);
        }
        if self.chars.next_if_eq(&'(').is_some() {
            open.role = Role::Word;
            let before = self.all.len();
            self.bracket();
            if operator == "<" {
                let said = self.all.iter().skip(before).flat_map(Simple::said);
                let said: Vec<String> = said.collect();
                self.all[open.at].fed.extend(said);
            }
            return;
        }
        open.role = match operator.as_str() {
            _ if self.arithmetic > 0 => Role::Word,
            "<<" => Role::End(self.chars.next_if_eq(&'-').is_some()),
            "<<<" => Role::Fed,
            _ => Role::File,
        };
    }

    /// Reads the documents that begin here.
    fn take_documents(&mut self) {
        for document in std::mem::take(&mut self.documents) {
            let mut text = String::new();
            while self.chars.peek().is_some() {
                let line: String = self.chars.by_ref().take_while(|c| *c != '\n').collect();
                let bare = line.trim_start_matches('\t');
                if line == document.end || document.tabs && bare == document.end {
                    break;
                }
                text.push_str(&line);
                text.push('\n');
            }
            if !document.is_exact {
                let found = self.within(&text, |reader| {
                    while reader.chars.peek().is_some() {
                        reader.quoted();
                    }
                });
                self.all.extend(found);
            }
            self.all[document.at].fed.push(text);
        }
    }
}

impl Open {
    fn push(&mut self, text: &str) {
        self.word.get_or_insert_default().push_str(text);
    }

    fn push_quoted(&mut self, text: &str) {
        self.is_quoted = true;
        self.push(text);
    }
}

/// The program whose place these commands tell.
fn program_found(commands: &[Simple]) -> Option<String> {
    let mut told = commands.iter().filter(|simple| !simple.words.is_empty());
    let (Some(only), None) = (told.next(), told.next()) else {
        return None;
    };
    let (first, rest) = only.words.split_first()?;
    let is_found = FINDERS.contains(&first.as_str());
    rest.last().filter(|_| is_found).cloned()
}
