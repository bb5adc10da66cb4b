//! The manual pages, and that what the README says of installing is so.

use std::fs;

use crate::home::{Home, stderr, stdout};

#[test]
fn each_command_has_a_manual_page() {
    let home = Home::new();
    let output = home.output(&["man", "pages"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let help = stdout(&home.output(&["--help"]));
    let commands = help.split("Commands:\n").nth(1).expect("commands");
    let commands = commands.split("\n\n").next().expect("their list");
    let names = commands.lines().filter_map(|line| {
        let name = line
            .strip_prefix("  ")
            .filter(|rest| !rest.starts_with(' '))?;
        name.split_whitespace().next()
    });
    let mut count = 0;
    for name in names.filter(|name| *name != "help") {
        let page = home.project().join(format!("pages/attend-{name}.1"));
        let text = fs::read_to_string(&page).unwrap_or_default();
        assert!(text.contains(".TH "), "{}", page.display());
        count += 1;
    }
    assert!(count > 20, "{help}");
    for page in [
        "attend.1",
        "ways.1",
        "ways-show.1",
        "attend-plugin-install.1",
    ] {
        let text = fs::read_to_string(home.project().join("pages").join(page));
        assert!(text.is_ok_and(|text| text.contains(".TH ")), "{page}");
    }
    // Nobody types it but whoever makes a package.
    assert!(!help.contains("\n  man "), "{help}");
    let refused = home.output(&["man", "/proc/attend"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("/proc/attend"), "{refused:?}");
}
