//! The program `ways`.

use std::process::ExitCode;

fn main() -> ExitCode {
    attend_bin::ways()
}
