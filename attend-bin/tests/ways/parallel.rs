//! Many processes of one session ask at the same moment.

use std::process::Stdio;

use crate::desk::{Desk, SESSION};
use crate::home::{stderr, stdout};

#[test]
fn thirty_two_processes_fire_a_way_once() {
    let desk = Desk::at(40_000);
    let children: Vec<_> = (0..32)
        .map(|_| {
            let mut command = desk.ways(&["show", "attend/build-failed", "--session", SESSION]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn().expect("ways starts")
        })
        .collect();
    let mut whole = 0;
    for child in children {
        let output = child.wait_with_output().expect("ways ends");
        assert!(output.status.success(), "{}", stderr(&output));
        let said = stdout(&output);
        if said.starts_with("A build has failed.") {
            whole += 1;
        } else {
            assert!(
                said.starts_with("build-failed: ") && said.lines().count() == 1,
                "{said}"
            );
        }
    }
    assert_eq!(whole, 1);
    assert_eq!(desk.log().len(), 1);
    assert_eq!(desk.log()[0]["fires"], 1);
}
