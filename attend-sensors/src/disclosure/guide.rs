//! The same teaching for whoever loads it otherwise: as a skill of the host, and as a way.

use std::fmt::Write;

use super::component::Component;

/// The skill, a whole `SKILL.md`: how an agent starts attend, and what every component teaches.
pub fn skill() -> String {
    let head = "---\n\
        name: attend\n\
        description: Ambient awareness of the project, its sessions and its mail. Use it when a \
        session begins, when lines of attend have stopped coming, and to send, answer and read \
        messages between sessions.\n\
        ---\n\
        \n\
        # attend\n\
        \n\
        attend prints a line for whatever deserves an interruption, and Monitor brings it to you. The \
        monitor of the plugin runs from the start of a session: then there is nothing to do. Where no \
        plugin is installed, let the Monitor tool run `attend run --rearm` in the project, with \
        `timeout_ms: 1800000`.\n\
        \n\
        The host ends what the Monitor tool runs after 5 minutes unless it was given longer, and after \
        30 at the latest (10 under `-p`); `persistent` changes nothing. Whenever it says that it has \
        ended, arm it again with the same command: it goes on from where it was, repeats nothing that \
        you still have before you, and mail waits meanwhile. A second one beside one that runs says so \
        and ends.\n\
        \n\
        Never run it in a plain shell: nobody reads its lines there, and it does not end. \
        `attend run --once` looks once. Where something does not work, `attend doctor` says why and \
        what to do.\n";
    with_components(head)
}

/// The bundled way `attend`: frontmatter, and what every component teaches.
pub fn way() -> String {
    let head = "---\n\
        name: attend\n\
        description: How to send, answer and read messages, and to hold lines back\n\
        trigger:\n  type: attend\n  signals: [affordances]\n\
        ---\n";
    with_components(head)
}

fn with_components(head: &str) -> String {
    let mut text = head.to_owned();
    for component in Component::ALL {
        let _ = write!(text, "\n## {}\n\n", component.name());
        for line in component.lines() {
            text.push_str("- ");
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// What a guide says besides its frontmatter and headings, and what it lists.
    fn listed(guide: &str) -> Vec<&str> {
        let lines = guide.lines();
        lines.filter_map(|line| line.strip_prefix("- ")).collect()
    }

    fn taught() -> Vec<&'static str> {
        let components = Component::ALL.into_iter();
        components.flat_map(Component::lines).collect()
    }

    /// Set this variable to write the files anew.
    const WRITE: &str = "ATTEND_WRITE_GUIDES";

    #[test]
    fn the_files_that_are_checked_in_are_what_is_generated() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/disclosure/generated");
        for (name, guide) in [("SKILL.md", skill()), ("attend.md", way())] {
            let path = directory.join(name);
            #[expect(
                clippy::disallowed_methods,
                reason = "whoever runs the test asks for it"
            )]
            let is_asked = std::env::var_os(WRITE).is_some();
            if is_asked {
                fs::write(&path, &guide).unwrap();
            }
            let checked_in = fs::read_to_string(&path).unwrap();
            assert!(
                checked_in == guide,
                "{name} is another than the components make it; {WRITE}=1 writes it anew"
            );
        }
    }

    #[test]
    fn sensor_skill_and_way_teach_the_same() {
        assert_eq!(listed(&skill()), taught());
        assert_eq!(listed(&way()), taught());
        // Whoever changes one line of one of them is told.
        for line in taught() {
            let other = skill().replace(line, "something else");
            assert_ne!(listed(&other), listed(&way()), "{line}");
        }
    }

    #[test]
    fn a_way_is_short_and_begins_with_its_frontmatter() {
        assert!(way().chars().count() < 1_500, "{}", way().chars().count());
        for guide in [skill(), way()] {
            let mut parts = guide.split("---\n");
            assert_eq!(parts.next(), Some(""));
            assert!(
                parts
                    .next()
                    .unwrap()
                    .starts_with("name: attend\ndescription: ")
            );
        }
    }
}
