//! Configuration: files in layers, what holds of them, and what is wrong in them.
//!
//! The user's file comes first; over it, key by key, the project's. [`resolve`] makes a
//! [`Config`] of their text and touches nothing; [`Reader`] reads the files, and again what
//! changed of them.
//!
//! A mistake never costs more than the sensor or the key at the top in which it stands. It
//! becomes a [`Finding`] with its line, and with the known key that is nearest.

mod span;
pub use span::{Span, SpanError, SpanErrorKind};

mod finding;
pub use finding::{Finding, Layer, Problem};

mod order;

mod section;
pub use section::WaysSettings;

mod keys;

mod flow;

mod reading;
pub use reading::Origin;

mod sensors;
pub use sensors::ConfiguredSensor;

mod resolve;
pub use resolve::{Config, File, Setting, resolve};

mod files;
pub use files::{Places, Reader};

#[cfg(feature = "schema")]
mod reference;

#[cfg(feature = "schema")]
mod sample;
#[cfg(feature = "schema")]
pub use sample::sample;

#[cfg(feature = "schema")]
mod document;
#[cfg(feature = "schema")]
pub use document::{document, page};

#[cfg(feature = "schema")]
mod schema;
#[cfg(feature = "schema")]
pub use schema::schema;
