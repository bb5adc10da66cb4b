//! Words of a line: separated by spaces, or whole texts in double quotes.

/// Splits a line into words. A quoted text may stand behind a `name=`, and `\n`, `\t`, `\e`,
/// `\"`, `\\` and `\u{202e}` inside it are escapes.
pub(super) fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            '\\' if quoted => word.get_or_insert_default().push(escaped(&mut chars)?),
            c if c.is_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    if quoted {
        return Err("a quoted text does not end".to_owned());
    }
    words.extend(word);
    Ok(words)
}

fn escaped(chars: &mut std::str::Chars<'_>) -> Result<char, String> {
    match chars.next() {
        Some('n') => Ok('\n'),
        Some('t') => Ok('\t'),
        Some('e') => Ok('\u{1b}'),
        Some(c @ ('"' | '\\')) => Ok(c),
        Some('u') => {
            let digits: String = chars.by_ref().skip(1).take_while(|c| *c != '}').collect();
            let code = u32::from_str_radix(&digits, 16)
                .ok()
                .and_then(char::from_u32);
            code.ok_or_else(|| format!("`\\u{{{digits}}}` is no character"))
        }
        other => Err(format!(
            "`\\{}` is no escape",
            other.map(String::from).unwrap_or_default()
        )),
    }
}
