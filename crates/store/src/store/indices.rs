//! [`Indices`] for a store, for callers that accept any source of indices.

use super::Store;
use crate::error::StoreError;
use crate::identity::Identity;
use crate::indices::Indices;
use crate::log::Signed;
use crate::permit::Interval;
use crate::status::Status;
use std::time::Duration;

impl Indices for Store {
    fn identity(&self) -> Identity {
        Store::identity(self)
    }

    fn keep(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.replace_blob(name, bytes)
    }

    fn reserve(&mut self, count: u64) -> Result<Interval, StoreError> {
        Store::reserve(self, count)
    }

    fn record(&self, index: u64) -> Result<(), StoreError> {
        Store::record(self, index)
    }

    fn record_signed(&self, signed: &Signed) -> Result<(), StoreError> {
        Store::record_signed(self, signed)
    }

    fn confirm(&mut self) -> Result<(), StoreError> {
        Store::confirm(self)
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        Store::flush(self)
    }

    fn status(&self) -> Status {
        Store::status(self)
    }

    fn last_commit(&self) -> Duration {
        Store::last_commit(self)
    }

    fn acknowledge(&mut self) -> Result<(), StoreError> {
        Store::acknowledge(self)
    }

    fn retire(&mut self) -> Result<(), StoreError> {
        Store::retire(self)
    }

    fn close(self: Box<Self>) -> Result<Status, StoreError> {
        Store::close(*self)
    }
}
