//! attend on the command line.

fn main() {}
