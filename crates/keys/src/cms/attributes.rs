//! The attributes that are signed instead of the content, RFC 5652, section 11 (Useful Attributes),
//! and the protection of the algorithms by RFC 6211.

use std::time::Duration;

use der::{
    DateTime, Decode, Encode, Sequence,
    asn1::{
        Any, GeneralizedTime, ObjectIdentifier, OctetString, OctetStringRef, SetOfVec, UtcTime,
    },
};
use spki::AlgorithmIdentifierOwned;
use x509_cert::{
    attr::{Attribute, Attributes},
    time::Time,
};

use super::{DATA, Digest};
use crate::Error;

const CONTENT_TYPE: &str = "1.2.840.113549.1.9.3";
const MESSAGE_DIGEST: &str = "1.2.840.113549.1.9.4";
const SIGNING_TIME: &str = "1.2.840.113549.1.9.5";
const ALGORITHM_PROTECTION: &str = "1.2.840.113549.1.9.52";

/// CMSAlgorithmProtection (RFC 6211) of a signature.
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
struct Protection {
    digest: AlgorithmIdentifierOwned,
    #[asn1(context_specific = "1", tag_mode = "IMPLICIT", optional = "true")]
    signature: Option<AlgorithmIdentifierOwned>,
    #[asn1(context_specific = "2", tag_mode = "IMPLICIT", optional = "true")]
    mac: Option<AlgorithmIdentifierOwned>,
}

/// The values of parsed attributes.
pub(super) struct Said {
    pub message_digest: Vec<u8>,
    /// In seconds since 1970.
    pub signing_time: Option<u64>,
}

/// Returns the signed attributes for a content with this digest.
pub(super) fn write(
    (digest, hash): (Digest, &[u8]),
    signature: &AlgorithmIdentifierOwned,
    time: Option<u64>,
) -> Result<Attributes, Error> {
    let mut all = vec![
        one(CONTENT_TYPE, Any::from(ObjectIdentifier::new_unwrap(DATA)))?,
        one(MESSAGE_DIGEST, any(&OctetString::new(hash).map_err(unwritten)?)?)?,
        one(
            ALGORITHM_PROTECTION,
            any(&Protection {
                digest: digest.identifier(),
                signature: Some(signature.clone()),
                mac: None,
            })?,
        )?,
    ];
    if let Some(seconds) = time {
        all.push(one(SIGNING_TIME, any(&point(seconds)?)?)?);
    }
    SetOfVec::try_from(all).map_err(unwritten)
}

/// Parses the attributes of a content of type `content`. Each attribute must occur at most once,
/// and the algorithms they name must be those of the signer.
///
/// # Errors
/// `BadSignature`.
pub(super) fn read(
    attributes: &Attributes,
    content: &ObjectIdentifier,
    digest: &AlgorithmIdentifierOwned,
    signature: &AlgorithmIdentifierOwned,
) -> Result<Said, Error> {
    let bad = |_| Error::BadSignature;
    let named = value(attributes, CONTENT_TYPE)?.ok_or(Error::BadSignature)?;
    if named.decode_as::<ObjectIdentifier>().map_err(bad)? != *content {
        return Err(Error::BadSignature);
    }
    let hash = value(attributes, MESSAGE_DIGEST)?.ok_or(Error::BadSignature)?;
    let hash: &OctetStringRef = hash.decode_as().map_err(bad)?;
    if let Some(used) = value(attributes, ALGORITHM_PROTECTION)? {
        let used: Protection = used.decode_as().map_err(bad)?;
        let same = used.digest.oid == digest.oid
            && used.signature.as_ref() == Some(signature)
            && used.mac.is_none();
        if !same {
            return Err(Error::BadSignature);
        }
    }
    let time = value(attributes, SIGNING_TIME)?;
    let time = time.map(|time| Time::from_der(&time.to_der().map_err(bad)?).map_err(bad));
    let signing_time = time.transpose()?.map(|time| time.to_unix_duration().as_secs());
    Ok(Said { message_digest: hash.as_bytes().to_vec(), signing_time })
}

/// Returns true if a content is itself a set of such attributes. Somebody may have taken it from
/// another signature, which covers the attributes. A signature of such a content is therefore
/// refused if it has no attributes of its own.
pub(super) fn is_one(content: &[u8]) -> bool {
    let digest = |attributes: Attributes| {
        attributes.iter().any(|attribute| attribute.oid.to_string() == MESSAGE_DIGEST)
    };
    Attributes::from_der(content).is_ok_and(digest)
}

/// Returns the only value of an attribute; `None` if the attribute is absent.
fn value<'a>(attributes: &'a Attributes, oid: &str) -> Result<Option<&'a Any>, Error> {
    let mut found = attributes.iter().filter(|attribute| attribute.oid.to_string() == oid);
    let (first, second) = (found.next(), found.next());
    match (first.map(|attribute| attribute.values.as_slice()), second) {
        (None, _) => Ok(None),
        (Some([value]), None) => Ok(Some(value)),
        _ => Err(Error::BadSignature),
    }
}

/// Returns a time as RFC 5652 requires it: with a two-digit year up to 2049.
fn point(seconds: u64) -> Result<Time, Error> {
    let time = DateTime::from_unix_duration(Duration::from_secs(seconds));
    let time = time.map_err(|_| Error::BadTime)?;
    Ok(match UtcTime::from_date_time(time) {
        Ok(short) => Time::UtcTime(short),
        Err(_) => Time::GeneralTime(GeneralizedTime::from(time)),
    })
}

fn any(value: &impl Encode) -> Result<Any, Error> {
    Any::from_der(&value.to_der().map_err(unwritten)?).map_err(unwritten)
}

fn one(oid: &str, value: Any) -> Result<Attribute, Error> {
    let values = SetOfVec::try_from(vec![value]).map_err(unwritten)?;
    Ok(Attribute { oid: ObjectIdentifier::new_unwrap(oid), values })
}

/// Converts an encoding error; DER fails only for lengths of 4 GiB and more.
pub(super) fn unwritten(_: der::Error) -> Error {
    Error::TooLong
}
