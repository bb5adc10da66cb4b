//! What a look reads: nothing of processes that were looked at before.

use std::fs;

use attend_core::sensor::Root;

use super::world::World;

#[test]
fn a_look_reads_only_what_is_new() {
    let mut world = World::new();
    for pid in 100..400 {
        world.runs(pid, &["sleep", "1000"]);
    }
    world.look().assert_quiet();
    world.look().assert_quiet();
    // They would all be builds now, if anybody looked.
    for pid in 100..400 {
        let words = world.harness.path(Root::Proc, format!("{pid}/cmdline"));
        fs::write(words, "make\0").unwrap();
        let stat = world.harness.path(Root::Proc, format!("{pid}/stat"));
        let line = fs::read_to_string(&stat).unwrap();
        fs::write(stat, line.replace("(sleep)", "(make)")).unwrap();
    }
    world.runs(500, &["cargo", "check"]);
    world.look().assert_texts(&["cargo check started"]);
}

#[test]
fn the_table_is_not_even_listed_while_no_pid_was_given_and_every_half_minute_it_is() {
    let mut world = World::new();
    let last = |world: &World, pid: u32| {
        let line = format!("0.10 0.10 0.10 1/200 {pid}\n");
        world.harness.roots().file_in(Root::Proc, "loadavg", line);
    };
    last(&world, 90);
    world.look().assert_quiet();
    world.runs(91, &["make"]);
    // The table does not say so: a look that lists it all the same would find it.
    world.look().assert_quiet();
    world.later(10).assert_quiet();
    last(&world, 91);
    world.look().assert_texts(&["make started"]);
    world.runs(92, &["make", "test"]);
    world.later(10).assert_quiet();
    world.later(25).assert_texts(&["make test started"]);
}

#[test]
fn a_process_that_becomes_a_tool_after_the_look_is_found() {
    let mut world = World::new();
    // Between fork and exec it is a copy of its parent.
    world.runs(40, &["bash"]);
    world.look().assert_quiet();
    world.runs(40, &["make"]);
    world.look().assert_texts(&["make started"]);
}
