//! Tells whether a shell command names a version-control tool; nothing of it is kept.

/// The tools, as their programs are called.
const TOOLS: [&str; 16] = [
    "git", "jj", "hg", "svn", "bzr", "brz", "fossil", "pijul", "darcs", "cvs", "p4", "sl", "gh",
    "glab", "hub", "git-lfs",
];

/// Words that another command follows, with its own words between at most.
const BEFORE: [&str; 24] = [
    "if", "then", "else", "elif", "while", "until", "do", "!", "time", "sudo", "doas", "env",
    "command", "exec", "builtin", "eval", "nice", "nohup", "xargs", "timeout", "stdbuf", "setsid",
    "-exec", "-execdir",
];

/// How many words may stand between one of [`BEFORE`] and the command that it runs.
const BETWEEN: usize = 4;

/// Whether `command` runs a version-control tool, as far as its words tell: one stands where a
/// command begins. Quotes begin a command too (`sh -c "git pull"`), so it errs towards yes.
pub(super) fn names_version_control(command: &str) -> bool {
    let ends = |c: char| {
        matches!(
            c,
            '\n' | '\r' | ';' | '&' | '|' | '(' | ')' | '{' | '}' | '`' | '"' | '\'' | '\\'
        )
    };
    command.split(ends).any(begins_with_tool)
}

fn begins_with_tool(simple: &str) -> bool {
    let mut words = simple.split_whitespace();
    let mut left = 1;
    while left > 0 {
        let Some(word) = words.find(|word| !is_assignment(word)) else {
            return false;
        };
        if is_tool(word) {
            return true;
        }
        left = if BEFORE.contains(&word) {
            BETWEEN
        } else {
            left - 1
        };
    }
    words.any(|word| word.starts_with("-exec")) && simple.split_whitespace().any(is_tool)
}

fn is_tool(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    TOOLS.contains(&name.strip_suffix(".exe").unwrap_or(name))
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::names_version_control;

    #[test]
    fn tools_are_found_where_a_command_begins() {
        for command in [
            "git status",
            "  git\tpull",
            "cd sub && git checkout -b feat/x && git commit -qam wip",
            "make;git push",
            "(cd a; /usr/bin/git fetch)",
            "x=$(git rev-parse HEAD)",
            "GIT_DIR=/x A=b git log",
            "sudo -u dev git pull",
            "timeout -k 5 60 git clone x",
            "if ! git diff --quiet; then echo dirty; fi",
            "bash -lc 'jj new'",
            "ls | xargs -n1 hg add",
            "find . -name x -exec git add {} +",
            "cargo build \\\n && svn up",
            "gh pr merge 7",
        ] {
            assert!(names_version_control(command), "{command}");
        }
    }

    #[test]
    fn other_commands_are_not() {
        for command in [
            "",
            "cargo test --quiet",
            "cat .git/config",
            "ls git",
            "echo use git",
            "./git-helper.sh",
            "legit status",
            "rm -rf target/git",
            "npm run commit",
        ] {
            assert!(!names_version_control(command), "{command}");
        }
    }
}
