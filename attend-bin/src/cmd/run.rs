//! `attend run`: the loop.

use crate::cli::RunArgs;
use crate::compose;
use crate::env::Env;
use crate::output::Failure;
use crate::place;

/// Watches until it is ended, or looks once.
pub(crate) fn run(args: &RunArgs, env: &Env) -> Result<(), Failure> {
    let root = place::project(args.project.as_deref())?;
    let mut driver = compose::observer(&root, place::state(&root, env))?;
    if args.rearm {
        driver = driver.rearmed();
    }
    let driver = driver
        .build()
        .map_err(|error| Failure::refused(error.to_string()))?;
    let ended = if args.once {
        driver.once()
    } else {
        driver.run()
    };
    ended
        .map(|_| ())
        .map_err(|error| Failure::refused(error.to_string()))
}
