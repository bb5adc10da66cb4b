//! What is bound to a statement: values of SQLite's, and positions and seats as the numbers they are.

use rusqlite::ToSql;
use rusqlite::types::{Null, ToSqlOutput, Value};

use super::row::number;
use crate::mail::envelope::Seq;
use crate::mail::seat::{ProjectId, SeatId};

/// A value for a column or a parameter, without SQLite's own trait on types that others see.
pub(super) trait Column {
    /// The value as SQLite takes it.
    fn value(&self) -> ToSqlOutput<'_>;
}

/// Such a value, to be bound.
pub(super) struct Bound<'a, T: ?Sized>(pub(super) &'a T);

impl<T: Column + ?Sized> ToSql for Bound<'_, T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.value())
    }
}

/// The parameters of a statement, in order.
macro_rules! params {
    ($($value:expr),* $(,)?) => {
        &[$(&$crate::mail::sqlite::column::Bound(&$value) as &dyn ::rusqlite::ToSql),*] as &[&dyn ::rusqlite::ToSql]
    };
}

/// The parameters of a statement, by name.
macro_rules! named_params {
    ($($name:literal: $value:expr),* $(,)?) => {
        ::rusqlite::named_params! {
            $($name: $crate::mail::sqlite::column::Bound(&$value)),*
        }
    };
}

pub(super) use {named_params, params};

macro_rules! numbers {
    ($($kind:ty),*) => {
        $(impl Column for $kind {
            fn value(&self) -> ToSqlOutput<'_> {
                number(self.get()).into()
            }
        })*
    };
}

numbers!(Seq, SeatId, ProjectId);

macro_rules! owned {
    ($($kind:ty),*) => {
        $(impl Column for $kind {
            fn value(&self) -> ToSqlOutput<'_> {
                (*self).into()
            }
        })*
    };
}

owned!(i64, u32, bool);

macro_rules! borrowed {
    ($($kind:ty),*) => {
        $(impl Column for $kind {
            fn value(&self) -> ToSqlOutput<'_> {
                ToSqlOutput::Borrowed(self.into())
            }
        })*
    };
}

borrowed!(str, [u8], Value);

impl Column for String {
    fn value(&self) -> ToSqlOutput<'_> {
        self.as_str().value()
    }
}

impl Column for Vec<u8> {
    fn value(&self) -> ToSqlOutput<'_> {
        self.as_slice().value()
    }
}

impl<T: Column + ?Sized> Column for &T {
    fn value(&self) -> ToSqlOutput<'_> {
        T::value(self)
    }
}

impl<T: Column> Column for Option<T> {
    fn value(&self) -> ToSqlOutput<'_> {
        self.as_ref().map_or(Null.into(), T::value)
    }
}
