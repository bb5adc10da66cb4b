//! The demo, and the picture of it that the README shows: drawn from what the program prints.
//!
//! With `UPDATE=1` in the environment the picture is drawn anew, to be looked at before it is
//! committed.

use std::fmt::Write as _;
use std::fs;

use crate::home::{Home, stdout};

/// Columns of the terminal that is drawn.
const COLUMNS: usize = 100;

/// How far what belongs to a line stands in where it goes on, in columns.
const INDENT: usize = 7;

/// Pixels of a column, and of a line.
const COLUMN: f64 = 7.8;
const LINE: usize = 18;

/// Where the first line stands below the frame, in pixels.
const TOP: usize = 52;

/// Colours by class, light and dark, with the contrast that small text needs.
const STYLE: &str = "\
<style>
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}
.frame{fill:#f6f8fa;stroke:#d0d7de}.dot{fill:#d0d7de}
.said{fill:#1f2328}.head{fill:#0550ae}.held{fill:#59636e}
@media(prefers-color-scheme:dark){
.frame{fill:#0d1117;stroke:#3d444d}.dot{fill:#3d444d}
.said{fill:#f0f6fc}.head{fill:#79c0ff}.held{fill:#9198a1}
}
</style>
";

/// `line` in rows of the terminal, broken between words.
fn rows(line: &str) -> Vec<String> {
    let mut rows = vec![String::new()];
    for word in line.split_inclusive(' ') {
        let row = rows.last_mut().expect("at least one");
        let is_full = row.chars().count() + word.trim_end().chars().count() > COLUMNS;
        if is_full && row.trim() != "" {
            rows.push(" ".repeat(INDENT));
        }
        rows.last_mut().expect("at least one").push_str(word);
    }
    rows
}

/// The rows of one line: with its head apart where it was said, pale where it was held back.
fn draw(svg: &mut String, y: &mut usize, line: &str) {
    let is_said = line.get(INDENT..).is_some_and(|rest| rest.starts_with('['));
    for (at, row) in rows(line).iter().enumerate() {
        let row = row.trim_end();
        let row = row
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        let inner = match row.split_once(']') {
            Some((head, rest)) if is_said && at == 0 => {
                format!("<tspan class=\"head\">{head}]</tspan>{rest}")
            }
            _ => row,
        };
        let class = if is_said { "said" } else { "held" };
        let _ = writeln!(
            svg,
            "<text class=\"{class}\" x=\"16\" y=\"{y}\">{inner}</text>"
        );
        *y += LINE;
    }
}

/// A terminal that shows what `command` printed.
fn picture(command: &str, printed: &str) -> String {
    let (mut body, mut y) = (String::new(), TOP);
    draw(&mut body, &mut y, &format!("$ {command}"));
    for line in printed.lines() {
        draw(&mut body, &mut y, line);
    }
    let (width, height) = (COLUMN * COLUMNS as f64 + 32.0, y);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{command}</title>\n{STYLE}\
         <rect class=\"frame\" x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\"/>\n",
        width - 1.0,
        height - 1,
    );
    for x in [20, 38, 56] {
        let _ = writeln!(svg, "<circle class=\"dot\" cx=\"{x}\" cy=\"18\" r=\"6\"/>");
    }
    svg + &body + "</svg>\n"
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a person asks for a new picture")]
fn the_readme_shows_what_the_demo_prints() {
    let workspace = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let Ok(readme) = fs::read_to_string(format!("{workspace}/README.md")) else {
        return; // This package was unpacked alone.
    };
    assert!(readme.contains("](docs/demo.svg)"), "it shows no picture");
    let output = Home::new().output(&["demo"]);
    assert!(output.status.success());
    let printed = stdout(&output);
    assert!(printed.lines().count() > 15, "{printed}");
    let (path, fresh) = (
        format!("{workspace}/docs/demo.svg"),
        picture("attend demo", &printed),
    );
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &fresh).expect("a picture");
    }
    assert!(
        fs::read_to_string(path).is_ok_and(|drawn| drawn == fresh),
        "docs/demo.svg is not fresh; draw it anew: UPDATE=1 cargo test -p attend-bin --test cli demo"
    );
}

#[test]
fn the_picture_holds_every_word_and_no_row_is_too_wide() {
    let printed = stdout(&Home::new().output(&["demo"]));
    for line in printed.lines() {
        let rows = rows(line);
        assert!(
            rows.iter()
                .all(|row| row.trim_end().chars().count() <= COLUMNS),
            "{rows:?}"
        );
        let words = |text: &str| {
            text.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(words(&rows.join(" ")), words(line));
    }
}

#[test]
fn the_demo_needs_nothing() {
    let home = Home::new();
    let mut command = home.attend(&["demo"]);
    command.env_clear();
    assert!(command.output().expect("attend starts").status.success());
    assert!(
        !home.path().join("attend").exists(),
        "the demo writes nothing"
    );
}
