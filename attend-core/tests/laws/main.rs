//! Laws of the engine, held against random histories.

mod world;

mod counts;
mod damage;
mod explained;
mod flight;
mod limits;
mod mail;
mod rate;
mod restart;
mod settings;
mod trace;
mod until;
