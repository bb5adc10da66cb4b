//! The examples: each sensor keeps the contract, and each program prints what it says.

#![expect(clippy::unwrap_used, reason = "all of this is a test")]

#[expect(dead_code, reason = "its parts are used here, and not its program")]
#[path = "../../archive.rs"]
mod archive;
#[expect(dead_code, reason = "its sensor is used here, and not its program")]
#[path = "../../disk_space.rs"]
mod disk_space;
#[expect(dead_code, reason = "its parts are used here, and not its program")]
#[path = "../../first_sensor.rs"]
mod first_sensor;
#[expect(dead_code, reason = "its parts are used here, and not its program")]
#[path = "../../jsonl_host.rs"]
mod jsonl_host;
#[expect(dead_code, reason = "its parts are used here, and not its program")]
#[path = "../../log_lines.rs"]
mod log_lines;
#[expect(dead_code, reason = "its parts are used here, and not its program")]
#[path = "../../plain_loop.rs"]
mod plain_loop;
#[expect(dead_code, reason = "its sensor is used here, and not its program")]
#[path = "../../tutorial.rs"]
mod tutorial;
#[expect(dead_code, reason = "its sensor is used here, and not its program")]
#[path = "../../unix_socket.rs"]
mod unix_socket;

mod program;

mod disk;
mod others;
mod socket;
