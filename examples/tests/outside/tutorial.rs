//! A page of the guide as one script: its commands, and between them the files that it shows.

/// The script of `page`, for bash.
///
/// A block of `sh` is commands; one of `rust`, `toml` or `yaml` is a file, where the line before it is a
/// name in backticks and a colon. Any other block is only shown.
pub(crate) fn script(page: &str) -> String {
    let mut script = "set -euo pipefail\n".to_owned();
    let mut name = None;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            if !line.trim().is_empty() {
                name = line
                    .strip_prefix('`')
                    .and_then(|line| line.strip_suffix("`:"));
            }
            continue;
        };
        let block: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
        let block = block.join("\n");
        match (language, name.take()) {
            ("sh", _) => script += &[&block, "\n"].concat(),
            ("rust" | "toml" | "yaml", Some(name)) => {
                let parts = [
                    "mkdir -p \"$(dirname '",
                    name,
                    "')\"\ncat >'",
                    name,
                    "' <<'END OF THE FILE'\n",
                    &block,
                    "\nEND OF THE FILE\n",
                ];
                script += &parts.concat();
            }
            _ => {}
        }
    }
    script
}

#[test]
fn commands_and_files_follow_each_other_as_on_the_page() {
    let page = "Say:\n\n```sh\ncd x\n```\n\n`a/b.rs`:\n\n```rust\nfn b() {}\n```\n\nSee\n\n```rust\nno\n```\n";
    let expected = "set -euo pipefail\ncd x\nmkdir -p \"$(dirname 'a/b.rs')\"\n\
                    cat >'a/b.rs' <<'END OF THE FILE'\nfn b() {}\nEND OF THE FILE\n";
    assert_eq!(script(page), expected);
}
