//! The examples of sensors: each keeps the contract, and runs as a process of its own.

#![expect(clippy::unwrap_used, reason = "all of this is a test")]

#[expect(dead_code, reason = "its sensor is used here, and not its program")]
#[path = "../../disk_space.rs"]
mod disk_space;
#[expect(dead_code, reason = "its sensor is used here, and not its program")]
#[path = "../../unix_socket.rs"]
mod unix_socket;

mod program;

mod disk;
mod socket;
