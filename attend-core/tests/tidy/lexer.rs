//! Rust text as tokens with their lines: names and punctuation, without comments and literals.

/// A name, `::`, or one other character.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) line: usize,
    pub(crate) text: String,
    /// Whether it belongs to an item under `#[cfg(test)]`.
    pub(crate) test: bool,
}

impl Token {
    pub(crate) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    pub(crate) fn is_name(&self) -> bool {
        self.text
            .starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

/// The tokens of `text`.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let bare: Vec<char> = without_literals(text);
    let mut tokens = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < bare.len() {
        let begin = at;
        match bare[at] {
            '\n' => line += 1,
            c if c.is_whitespace() => {}
            c if is_part(c) => {
                while at + 1 < bare.len() && is_part(bare[at + 1]) {
                    at += 1;
                }
                tokens.push(token(line, &bare[begin..=at]));
            }
            ':' if bare.get(at + 1) == Some(&':') => {
                at += 1;
                tokens.push(token(line, &bare[begin..=at]));
            }
            _ => tokens.push(token(line, &bare[begin..=at])),
        }
        at += 1;
    }
    mark_tests(&mut tokens);
    tokens
}

fn token(line: usize, text: &[char]) -> Token {
    Token {
        line,
        text: text.iter().collect(),
        test: false,
    }
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// `text` with spaces for comments and literals of text; line ends stay where they are.
fn without_literals(text: &str) -> Vec<char> {
    let mut bare: Vec<char> = text.chars().collect();
    let mut at = 0;
    while at < bare.len() {
        let end = literal_end(&bare, at);
        for c in &mut bare[at..end] {
            if *c != '\n' {
                *c = ' ';
            }
        }
        at = end.max(at + 1);
    }
    bare
}

/// Where the comment or literal ends that begins at `at`; `at` itself if none does.
fn literal_end(text: &[char], at: usize) -> usize {
    let is = |place: usize, c: char| text.get(place) == Some(&c);
    let find = |from: usize, end: &dyn Fn(usize) -> bool| {
        (from..text.len())
            .find(|place| end(*place))
            .unwrap_or(text.len())
    };
    match text[at] {
        '/' if is(at + 1, '/') => find(at, &|place| is(place, '\n')),
        '/' if is(at + 1, '*') => block_end(text, at),
        '"' => quoted_end(text, at, '"'),
        'r' if at == 0 || !is_part(text[at - 1]) || is_prefix(text, at - 1) => {
            let quote = find(at + 1, &|place| !is(place, '#'));
            if !is(quote, '"') {
                return at;
            }
            let hashes = quote - at - 1;
            let closes =
                |place: usize| is(place, '"') && (1..=hashes).all(|offset| is(place + offset, '#'));
            (find(quote + 1, &closes) + 1 + hashes).min(text.len())
        }
        '\'' if is(at + 1, '\\') => quoted_end(text, at, '\''),
        '\'' if is(at + 2, '\'') => at + 3,
        _ => at,
    }
}

/// Whether the letter at `at` makes `br"…"` or `cr"…"`.
fn is_prefix(text: &[char], at: usize) -> bool {
    matches!(text[at], 'b' | 'c') && (at == 0 || !is_part(text[at - 1]))
}

fn block_end(text: &[char], begin: usize) -> usize {
    let (mut at, mut depth) = (begin, 0_usize);
    while at + 1 < text.len() {
        match (text[at], text[at + 1]) {
            ('/', '*') => depth += 1,
            ('*', '/') => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

fn quoted_end(text: &[char], begin: usize, quote: char) -> usize {
    let mut at = begin + 1;
    while at < text.len() && text[at] != quote {
        at += if text[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

/// Marks every item that stands under `#[cfg(test)]`.
fn mark_tests(tokens: &mut [Token]) {
    const ATTRIBUTE: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut at = 0;
    while at + ATTRIBUTE.len() <= tokens.len() {
        let begins = ATTRIBUTE
            .iter()
            .zip(&tokens[at..])
            .all(|(expected, token)| token.is(expected));
        if begins {
            let end = item_end(tokens, at + ATTRIBUTE.len());
            for token in &mut tokens[at..end] {
                token.test = true;
            }
            at = end;
        } else {
            at += 1;
        }
    }
}

/// Where the item that begins at `begin` ends: after its `;`, or after its braces. Braces of a
/// `use` end nothing.
fn item_end(tokens: &[Token], begin: usize) -> usize {
    let (mut depth, mut is_use) = (0_usize, false);
    for (at, token) in tokens.iter().enumerate().skip(begin) {
        match token.text.as_str() {
            "use" if depth == 0 => is_use = true,
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 && token.is("}") && !is_use {
                    return at + 1;
                }
            }
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::tokens;

    fn names(text: &str) -> Vec<(usize, String)> {
        let all = tokens(text).into_iter();
        all.filter(super::Token::is_name)
            .map(|token| (token.line, token.text))
            .collect()
    }

    #[test]
    fn literals_are_left_out_and_lines_are_kept() {
        let text = "a \"x\\\"\ny\" b /* c /* d */\n e */ f 'g' '\\'' 'h br##\"i\"#j\"##\nk // l\nm";
        let expected = [
            (1, "a"),
            (2, "b"),
            (3, "f"),
            (3, "h"),
            (3, "b"),
            (4, "k"),
            (5, "m"),
        ];
        let found = names(text);
        let found: Vec<_> = found
            .iter()
            .map(|(line, name)| (*line, name.as_str()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_stands_under_the_attribute_is_a_test() {
        let text = "#[cfg(test)] #[allow(x)] mod tests { fn f() {} } fn g() {}\n\
                    #[cfg(test)] use a::{b, c}; use d;";
        let outside: Vec<_> = tokens(text)
            .into_iter()
            .filter(|token| !token.test)
            .map(|token| token.text)
            .collect();
        assert_eq!(outside.join(" "), "fn g ( ) { } use d ;");
    }
}
