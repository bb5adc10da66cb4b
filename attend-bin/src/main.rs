//! The program `attend`.

use std::process::ExitCode;

fn main() -> ExitCode {
    attend_bin::attend()
}
