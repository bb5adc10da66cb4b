//! What is taught, as it is printed.

use attend_sensors::disclosure::Component;

use super::engine::Desk;

fn units(line: &str) -> usize {
    line.encode_utf16().count()
}

#[test]
fn lines_are_short_and_all_of_them_fit_a_notification_with_room_for_mail() {
    let lines = Desk::new().at(20_000, 300);
    let taught: usize = Component::ALL
        .map(|component| 1 + component.lines().count())
        .iter()
        .sum();
    assert_eq!(lines.len(), taught, "{lines:#?}");
    for line in &lines {
        assert!(line.starts_with("[attend sensor=disclosure priority=high] "));
        assert!(units(line) < 200, "{} units: {line}", units(line));
    }
    // Each line ends in one more.
    let all: usize = lines.iter().map(|line| units(line) + 1).sum();
    assert!(all < 2_000, "{all} units");
}

#[test]
fn a_headline_names_its_component_and_lines_are_printed_as_they_stand() {
    let lines = Desk::new().at(20_000, 300);
    for component in Component::ALL {
        let name = component.name();
        assert_eq!(
            component.headline(),
            format!("reheat: attend affordances — {name}")
        );
        for line in component.lines() {
            let printed = format!("[attend sensor=disclosure priority=high] {line}");
            assert!(lines.contains(&printed), "{line}");
        }
    }
}

#[test]
fn everything_that_an_agent_has_to_know_is_taught() {
    let lines: Vec<&str> = Component::ALL
        .into_iter()
        .flat_map(Component::lines)
        .collect();
    let text = lines.join("\n");
    for what in [
        "attend send @Cleo-alpha",
        "attend reply",
        "#deploy",
        "everybody",
        "Tell the fewest",
        "# begins a comment",
        "! may act",
        "Be brief",
        "Silence is a valid reply",
        "Reading is not deleting",
        "attend mute",
        "The CLI is the contract",
        "for the Monitor tool only, never for a plain shell",
        "attend remind",
        "attend focus on",
        "--wait seen",
        "attend peers",
    ] {
        assert!(text.contains(what), "{what}");
    }
}
