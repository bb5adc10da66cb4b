//! Host adapters: how the files of an agent program are read.

pub mod claude_code;
