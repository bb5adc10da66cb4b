//! Keeps out of an agent's shells what has no place there: the loop, whose lines nobody would see,
//! and the consent that only a person can give.

use std::cell::Cell;

use super::shell::{Simple, assigned, commands};

/// Words behind which a command begins at once.
const KEYWORDS: [&str; 12] = [
    "", "!", "builtin", "do", "elif", "else", "if", "then", "until", "while", "{", "}",
];

/// Programs that run the command which follows, behind options of their own and so many words
/// more.
const WRAPPERS: [(&str, usize); 59] = [
    ("busybox", 0),
    ("caffeinate", 0),
    ("chronic", 0),
    ("chroot", 1),
    ("chrt", 1),
    ("command", 0),
    ("coproc", 1),
    ("cpulimit", 0),
    ("daemonize", 0),
    ("dbus-run-session", 0),
    ("doas", 0),
    ("dtach", 1),
    ("entr", 0),
    ("env", 0),
    ("exec", 0),
    ("fakeroot", 0),
    ("faketime", 1),
    ("firejail", 0),
    ("flock", 1),
    ("function", 1),
    ("gdb", 0),
    ("ionice", 0),
    ("ltrace", 0),
    ("nice", 0),
    ("nohup", 0),
    ("nsenter", 0),
    ("numactl", 0),
    ("parallel", 0),
    ("perf", 1),
    ("prlimit", 0),
    ("rlwrap", 0),
    ("runuser", 0),
    ("screen", 0),
    ("script", 0),
    ("setarch", 1),
    ("setpriv", 0),
    ("setsid", 0),
    ("sg", 1),
    ("ssh", 1),
    ("stdbuf", 0),
    ("strace", 0),
    ("su", 1),
    ("sudo", 0),
    ("systemd-inhibit", 0),
    ("systemd-run", 0),
    ("taskset", 1),
    ("time", 0),
    ("timeout", 1),
    ("tini", 0),
    ("tmux", 1),
    ("torsocks", 0),
    ("unbuffer", 0),
    ("unshare", 0),
    ("valgrind", 0),
    ("watch", 0),
    ("watchexec", 0),
    ("xargs", 0),
    ("xvfb-run", 0),
    ("zellij", 1),
];

/// Programs of which each word may be a shell's text.
const READERS: [&str; 7] = ["eval", "parallel", "screen", "ssh", "tmux", "trap", "watch"];

/// Programs of which the word behind `-c`, or behind one of [`TEXTS`], is one.
const READERS_BY_OPTION: [&str; 6] = ["env", "flock", "runuser", "script", "sg", "su"];
const TEXTS: [&str; 2] = ["--command", "--split-string"];

/// Shells, whose `-c` names a text, and which read one where they are fed one.
const SHELLS: [&str; 10] = [
    "ash", "bash", "csh", "dash", "fish", "ksh", "mksh", "sh", "tcsh", "zsh",
];

/// What reads the text that it is fed, whatever stands behind it.
const FED: [&str; 2] = ["at", "batch"];

/// What reads a file as a shell's text.
const SOURCES: [&str; 2] = [".", "source"];
const STDIN: [&str; 2] = ["/dev/stdin", "/dev/fd/0"];

/// What begins a command within the words of `find`.
const OF_FIND: [&str; 4] = ["-exec", "-execdir", "-ok", "-okdir"];

/// How many bytes are read, those of texts within texts each time: no shell can be given more.
const FUEL: usize = 1 << 20;

/// What reading a text takes at least.
const LEAST_READ: usize = 16;

/// How many words may be programs, and behind how many words of a wrapper its command begins at the
/// latest.
const MOST_WORDS: usize = 64;

/// What a shell of an agent must not run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Denied {
    /// The loop.
    Loop,
    /// To allow what a project would have run.
    Consent,
}

impl Denied {
    /// Why, and what to do instead.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Loop => {
                "attend run prints lines for Monitor and never ends: start it with the Monitor tool \
                 (command: attend run --rearm), not in a shell; attend run --once looks once"
            }
            Self::Consent => {
                "only a person may allow what this project would have run: ask them to look at it and to \
                 run `attend config trust` at a terminal of their own; attend config trust --show tells \
                 what waits for that"
            }
        }
    }
}

/// What of the shell command `command` must not be run; none where all of it may.
pub(super) fn denies(command: &str) -> Option<Denied> {
    let fuel = Cell::new(FUEL);
    within(command, &fuel)
}

/// What a shell that reads `text` runs of what it must not, as far as the `fuel` goes.
fn within(text: &str, fuel: &Cell<usize>) -> Option<Denied> {
    let left = fuel.get().checked_sub(text.len().max(LEAST_READ))?;
    fuel.set(left);
    let all = commands(text);
    let before = [None].into_iter().chain(all.iter().map(Some));
    all.iter().zip(before).find_map(|(simple, before)| {
        let words: Vec<&str> = simple.words.iter().map(String::as_str).collect();
        let piped = before.filter(|before| before.is_piped);
        let mut places = programs(&words).into_iter();
        places.find_map(|at| itself(&words[at..], simple, piped, fuel))
    })
}

/// The places in `words` at which a program may stand that is run.
fn programs(words: &[&str]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut is_found = vec![false; words.len()];
    let mut left = vec![0];
    while let Some(at) = left.pop() {
        let Some(is_found) = is_found.get_mut(at).filter(|is_found| !**is_found) else {
            continue;
        };
        *is_found = true;
        found.push(at);
        if found.len() == MOST_WORDS {
            break;
        }
        let (program, rest) = (base(words[at]), &words[at + 1..]);
        if KEYWORDS.contains(&program) || assigned(words[at]).is_some() {
            left.push(at + 1);
        } else if let Some((_, more)) = WRAPPERS.iter().find(|(name, _)| *name == program) {
            left.extend(
                begins(rest, *more)
                    .into_iter()
                    .map(|begins| at + 1 + begins),
            );
        } else if program == "find" {
            let runs = rest
                .iter()
                .enumerate()
                .filter(|(_, word)| OF_FIND.contains(word));
            left.extend(runs.map(|(place, _)| at + 2 + place));
        } else if program == "attend" && rest.first() == Some(&"watch") {
            left.extend([at + 2, at + 3]);
        }
    }
    found
}

/// Where in `rest`, the words behind a wrapper, its command may begin: behind options, of which
/// any may take a value, and `more` words.
fn begins(rest: &[&str], mut more: usize) -> Vec<usize> {
    let mut places = Vec::new();
    let mut may_be_value = false;
    for (place, word) in rest.iter().enumerate().take(MOST_WORDS) {
        if word.starts_with('-') || assigned(word).is_some() {
            may_be_value = word.starts_with('-') && !word.contains('=');
            continue;
        }
        places.push(place);
        if !std::mem::take(&mut may_be_value) {
            let Some(left) = more.checked_sub(1) else {
                break;
            };
            more = left;
        }
    }
    places
}

/// What must not be run where the first of `words` is the program: that itself, or what is in a
/// text that it hands to a shell. `piped` is what it reads, where that is another command of the
/// same text.
fn itself(
    words: &[&str],
    simple: &Simple,
    piped: Option<&Simple>,
    fuel: &Cell<usize>,
) -> Option<Denied> {
    let (program, rest) = words.split_first()?;
    let read = |text: &str| within(text, fuel);
    match base(program) {
        "attend" => verb(rest).or_else(|| {
            // Somebody puts more words behind it.
            let is_more = simple.words.iter().any(|word| word == "xargs");
            let said = is_more.then(|| simple.fed_by(piped).join(" "))?;
            let more = said.split_whitespace();
            verb(&rest.iter().copied().chain(more).collect::<Vec<_>>())
        }),
        reader if READERS.contains(&reader) => {
            read(&rest.join(" ")).or_else(|| rest.iter().find_map(|word| read(word)))
        }
        reader if READERS_BY_OPTION.contains(&reader) => {
            let named = rest.iter().find_map(|word| glued(word));
            let names_text = |word: &&str| TEXTS.contains(word) || is_cluster(word, &['c', 'S']);
            let option = rest.iter().position(names_text);
            let text = option.and_then(|at| rest.get(at + 1)).copied();
            // What `env` reads ends with its own words; so does what another would begin with them.
            let words = option.and_then(|at| rest.get(at + 1..));
            let whole = words.map(|words| words.join(" "));
            let of_sg = rest.get(1).copied().filter(|_| reader == "sg");
            let texts = named.into_iter().chain(text).chain(of_sg);
            texts
                .chain(whole.as_deref().filter(|_| reader == "env"))
                .find_map(read)
        }
        reader if FED.contains(&reader) => simple.fed_by(piped).iter().find_map(|text| read(text)),
        source if SOURCES.contains(&source) => {
            let reads = rest.iter().all(|word| STDIN.contains(word));
            let fed = simple.fed_by(piped);
            fed.iter().filter(|_| reads).find_map(|text| read(text))
        }
        shell if SHELLS.contains(&shell) => texts(rest, simple, piped)
            .iter()
            .find_map(|text| read(text)),
        _ => None,
    }
}

/// What must not be run of attend with the words `rest`.
fn verb(rest: &[&str]) -> Option<Denied> {
    let ends = |ends: &[&str]| rest.iter().any(|word| ends.contains(word));
    let mut verbs = rest.iter().filter(|word| !word.starts_with('-'));
    match (verbs.next().copied(), verbs.next().copied()) {
        (Some("run"), _) if !ends(&["--once", "--help", "-h"]) => Some(Denied::Loop),
        (Some("config"), Some("trust")) if !ends(&["--show", "--withdraw", "--help", "-h"]) => {
            Some(Denied::Consent)
        }
        _ => None,
    }
}

/// What a shell with the words `rest` reads: the text behind `-c`, or where it names no file, what
/// it is fed.
fn texts(rest: &[&str], simple: &Simple, piped: Option<&Simple>) -> Vec<String> {
    let is_option = |word: &str| word.starts_with('-') || word.starts_with('+');
    if let Some(at) = rest.iter().position(|word| is_script(word)) {
        let behind = rest.get(at + 1..).unwrap_or_default();
        let has_value = |word: &str| is_option(word) && word.to_ascii_lowercase().ends_with('o');
        let is_text = |at: usize, word: &str| {
            let is_value = at.checked_sub(1).is_some_and(|at| has_value(behind[at]));
            !is_option(word) && !is_value
        };
        let mut words = behind.iter().enumerate();
        let Some((at, text)) = words.find(|(at, word)| is_text(*at, word)) else {
            return Vec::new();
        };
        // Words behind it, the first of which is a name, stand for its parameters.
        let given = behind.get(at + 2..).filter(|_| text.contains('$'));
        let given = given.map(|given| given.join(" "));
        return given.into_iter().chain([(*text).to_owned()]).collect();
    }
    let is_fed = |word: &&str| is_option(word) || STDIN.contains(word);
    if !rest.contains(&"-s") && !rest.iter().all(is_fed) {
        return Vec::new();
    }
    simple.fed_by(piped)
}

/// Whether the word behind `word`, or behind more options, is a shell's text: `-c`, alone or among
/// others.
fn is_script(word: &str) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.contains('c')
}

/// Whether `word` is one of these short options, alone or behind others.
fn is_cluster(word: &str, options: &[char]) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.ends_with(options)
}

/// The text that stands in one word with its option.
fn glued(word: &str) -> Option<&str> {
    let long = TEXTS.iter().find_map(|option| {
        let rest = word.strip_prefix(option)?;
        rest.strip_prefix('=')
    });
    let short = word
        .strip_prefix("-c")
        .or_else(|| word.strip_prefix("-S"))
        .filter(|text| !text.is_empty());
    long.or(short)
}

/// The name of a program, without where it lies.
fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

#[cfg(test)]
mod tests;
