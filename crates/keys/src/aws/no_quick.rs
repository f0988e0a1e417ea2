//! Stub for processors without a faster alternative to aws-lc-rs.

use crate::{
    Error,
    decoded::{Decoded, DecodedPair},
    encapsulated::Encapsulated,
    encoding::{PrivateKey, PublicKey},
    registry::Row,
};

pub(super) fn generate(_: &'static Row) -> Option<Result<(PrivateKey, PublicKey), Error>> {
    None
}

pub(super) fn decoded_pair(_: &'static Row) -> Option<Result<DecodedPair, Error>> {
    None
}

pub(super) fn decode(_: &'static Row, _: &[u8]) -> Option<Result<Box<dyn Decoded>, Error>> {
    None
}

pub(super) fn encapsulate(_: &PublicKey) -> Option<Result<Encapsulated, Error>> {
    None
}
