//! Over a restart: what changed meanwhile is told, and another configuration begins anew.

use super::world::{each, paths};

#[test]
fn what_changed_while_nobody_looked_is_told() {
    each(&["**"], |world| {
        for name in ["a", "sub/b", "c"] {
            world.write(name, "1");
        }
        world.begin();
        world.restart();
        assert_eq!(world.told(), [""; 0]);
        world.write("sub/b", "22");
        world.write("d", "");
        world.remove("a");
        world.restart();
        let text = "3 files: 1 created (d), 1 changed (sub/b), 1 removed (a)";
        assert_eq!(world.told(), [text]);
        world.restart();
        assert_eq!(world.told(), [""; 0]);
    });
}

#[test]
fn what_was_not_told_yet_is_told_after_it() {
    each(&["**"], |world| {
        world.begin();
        world.write("a", "1");
        assert_eq!(world.look_after(1).texts(), [""; 0]);
        world.restart();
        assert_eq!(world.told(), ["created a"]);
    });
}

#[test]
fn another_configuration_begins_anew() {
    each(&["a"], |world| {
        world.write("a", "1");
        world.write("b", "1");
        world.begin();
        world.write("a", "22");
        world.restart_as(paths(&["a", "b"]));
        assert_eq!(world.told(), [""; 0]);
        world.write("b", "22");
        assert_eq!(world.told(), ["changed b"]);
    });
}
