//! The objects of a slot: two profiles, and the keys of its key pairs.

use cryptoki_sys::*;
use hasten_pq::keys::encoding::encode_spki;
use sha2::{Digest, Sha256};

use crate::fault::Fault;
use crate::sets::{parameter_set, typecodes};
use crate::template::{Template, hex, unhex};
use crate::token::slot::{Pair, Slot};

/// The kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The profile object of a baseline provider.
    Baseline = 1,
    /// The profile object of an extended provider.
    Extended,
    /// The public key of the stateful pair.
    Public,
    /// The private key of the stateful pair.
    Private,
    /// The public key of the stateless pair.
    FiledPublic,
    /// The private key of the stateless pair.
    FiledPrivate,
}

impl Kind {
    /// Returns CKA_CLASS.
    pub fn class(self) -> CK_OBJECT_CLASS {
        match self {
            Self::Baseline | Self::Extended => CKO_PROFILE,
            Self::Public | Self::FiledPublic => CKO_PUBLIC_KEY,
            Self::Private | Self::FiledPrivate => CKO_PRIVATE_KEY,
        }
    }

    /// Returns the two keys of a pair, the public one first.
    pub fn halves(has_state: bool) -> [Self; 2] {
        match has_state {
            true => [Self::Public, Self::Private],
            false => [Self::FiledPublic, Self::FiledPrivate],
        }
    }
}

/// The value of an attribute.
#[derive(Debug, PartialEq, Eq)]
pub enum Value {
    /// The value of the attribute.
    Known(Vec<u8>),
    /// The attribute exists, but its value is never revealed.
    Sensitive,
    /// The object has no such attribute.
    None,
}

/// Returns the handle of an object, which is the same in every session of a slot.
pub fn handle(slot: usize, kind: Kind) -> CK_OBJECT_HANDLE {
    (slot as CK_OBJECT_HANDLE) << 8 | kind as CK_OBJECT_HANDLE
}

/// Returns the object with a handle, if it is currently visible in the slot.
pub fn find(slot: (usize, &Slot), wanted: CK_OBJECT_HANDLE) -> Result<Object, Fault> {
    let objects = visible(slot.1)?;
    let found = objects.into_iter().find(|object| handle(slot.0, object.kind) == wanted);
    found.ok_or(Fault::Rv(CKR_OBJECT_HANDLE_INVALID))
}

/// Returns the objects that are currently visible in a slot.
pub fn visible(slot: &Slot) -> Result<Vec<Object>, Fault> {
    let object = |kind, pair| Object { kind, pair, label: slot.place.label.clone() };
    let profiles = [Kind::Baseline, Kind::Extended].map(|kind| object(kind, None));
    let pairs = [(true, slot.kept_pair()?), (false, slot.filed_pair()?)];
    let pairs = pairs.into_iter().filter_map(|(state, pair)| Some((Kind::halves(state), pair?)));
    let halves = pairs.flat_map(|(halves, pair)| {
        let shown = if slot.is_open(&pair) { 2 } else { 1 };
        halves.into_iter().take(shown).map(move |kind| object(kind, Some(pair.clone())))
    });
    Ok(profiles.into_iter().chain(halves).collect())
}

/// A visible object.
#[derive(Debug)]
pub struct Object {
    /// The kind of the object.
    pub kind: Kind,
    /// The key pair; `None` for a profile object.
    pub pair: Option<Pair>,
    label: String,
}

/// Boolean attributes with the same value for every key.
const OF_KEYS: [(CK_ATTRIBUTE_TYPE, bool); 3] =
    [(CKA_DERIVE, false), (CKA_LOCAL, true), (CKA_COPYABLE, false)];

/// Boolean attributes of public keys.
const OF_PUBLIC: [(CK_ATTRIBUTE_TYPE, bool); 6] = [
    (CKA_VERIFY, true),
    (CKA_ENCRYPT, false),
    (CKA_VERIFY_RECOVER, false),
    (CKA_WRAP, false),
    (CKA_TRUSTED, false),
    (CKA_ENCAPSULATE, false),
];

/// Boolean attributes of private keys. This interface never reveals the secret. But the files can
/// be copied, and the tool makes shards, so it cannot be guaranteed that the key was never
/// extracted.
const OF_PRIVATE: [(CK_ATTRIBUTE_TYPE, bool); 11] = [
    (CKA_SIGN, true),
    (CKA_SENSITIVE, true),
    (CKA_EXTRACTABLE, false),
    (CKA_ALWAYS_SENSITIVE, false),
    (CKA_NEVER_EXTRACTABLE, false),
    (CKA_DECRYPT, false),
    (CKA_SIGN_RECOVER, false),
    (CKA_UNWRAP, false),
    (CKA_WRAP_WITH_TRUSTED, false),
    (CKA_ALWAYS_AUTHENTICATE, false),
    (CKA_DECAPSULATE, false),
];

impl Object {
    /// Returns true if the object has all attributes of a search template.
    pub fn matches(&self, template: &Template, slot: &Slot) -> Result<bool, Fault> {
        for (kind, wanted) in template.iter() {
            match self.attribute(kind, slot)? {
                Value::Known(value) if value == wanted => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Returns the value of an attribute.
    pub fn attribute(&self, kind: CK_ATTRIBUTE_TYPE, slot: &Slot) -> Result<Value, Fault> {
        let class = self.kind.class();
        Ok(match (kind, &self.pair) {
            (CKA_CLASS, _) => number(class),
            (CKA_TOKEN, _) => truth(true),
            (CKA_MODIFIABLE | CKA_DESTROYABLE, _) => truth(false),
            (CKA_PRIVATE, _) => truth(class == CKO_PRIVATE_KEY),
            (_, Some(pair)) => self.of_key(kind, pair, slot)?,
            _ => self.of_profile(kind),
        })
    }

    fn of_profile(&self, kind: CK_ATTRIBUTE_TYPE) -> Value {
        let (id, name) = match self.kind {
            Kind::Baseline => (CKP_BASELINE_PROVIDER, "baseline provider"),
            _ => (CKP_EXTENDED_PROVIDER, "extended provider"),
        };
        match kind {
            CKA_PROFILE_ID => number(id),
            CKA_LABEL | CKA_UNIQUE_ID => text(name),
            CKA_COPYABLE => truth(false),
            _ => Value::None,
        }
    }

    fn of_key(&self, kind: CK_ATTRIBUTE_TYPE, pair: &Pair, slot: &Slot) -> Result<Value, Fault> {
        let public = self.kind.class() == CKO_PUBLIC_KEY;
        let own: &[_] = if public { &OF_PUBLIC } else { &OF_PRIVATE };
        if let Some((_, is)) = OF_KEYS.iter().chain(own).find(|(known, _)| *known == kind) {
            return Ok(truth(*is));
        }
        let numbers = pair.numbers;
        Ok(match kind {
            CKA_LABEL => text(pair.tags.label.as_ref().unwrap_or(&self.label)),
            CKA_ID => Value::Known(identifier(pair)),
            CKA_UNIQUE_ID => text(&format!("{}-{}", fingerprint(pair), self.kind as u8)),
            CKA_KEY_TYPE => number(numbers.key_type),
            CKA_KEY_GEN_MECHANISM => number(numbers.generate),
            CKA_ALLOWED_MECHANISMS => number(numbers.sign),
            CKA_START_DATE | CKA_END_DATE | CKA_SUBJECT => text(""),
            CKA_PUBLIC_KEY_INFO => Value::Known(encode_spki(&pair.public)?),
            CKA_VALUE if public => Value::Known(pair.public.raw.clone()),
            CKA_VALUE => Value::Sensitive,
            _ => self.of_set(kind, pair, slot)?,
        })
    }

    /// Returns the attributes that are specific to the scheme.
    fn of_set(&self, kind: CK_ATTRIBUTE_TYPE, pair: &Pair, slot: &Slot) -> Result<Value, Fault> {
        let Some(set) = pair.set else { return Ok(self.of_filed(kind, pair)) };
        let (trees, keys) = typecodes(set);
        let public = self.kind.class() == CKO_PUBLIC_KEY;
        Ok(match (kind, trees.is_empty()) {
            (CKA_PARAMETER_SET, true) => number(set.number.get().into()),
            (CKA_HSS_LEVELS, false) => number(trees.len() as CK_ULONG),
            (CKA_HSS_LMS_TYPE, false) if public => number(trees[0]),
            (CKA_HSS_LMOTS_TYPE, false) if public => number(keys[0]),
            (CKA_HSS_LMS_TYPES, false) if !public => list(&trees),
            (CKA_HSS_LMOTS_TYPES, false) if !public => list(&keys),
            (CKA_HSS_KEYS_REMAINING, false) if !public => number(remaining(slot)?),
            _ => Value::None,
        })
    }

    /// Returns the attributes that are specific to a stateless scheme.
    fn of_filed(&self, kind: CK_ATTRIBUTE_TYPE, pair: &Pair) -> Value {
        let seeded = pair.numbers.key_type == CKK_ML_DSA && self.kind == Kind::FiledPrivate;
        match kind {
            CKA_PARAMETER_SET => parameter_set(pair.public.row).map_or(Value::None, number),
            CKA_SEED if seeded => Value::Sensitive,
            _ => Value::None,
        }
    }
}

/// Returns the number of indices left, at most 2^32 - 1, as the standard requires.
fn remaining(slot: &Slot) -> Result<CK_ULONG, Fault> {
    Ok(slot.status()?.remaining.min(u32::MAX.into()) as CK_ULONG)
}

/// Returns CKA_ID: the given value, or the first bytes of the public key's digest.
fn identifier(pair: &Pair) -> Vec<u8> {
    let given = pair.tags.id.as_ref().and_then(|id| unhex(id));
    given.unwrap_or_else(|| Sha256::digest(&pair.public.raw)[..20].to_vec())
}

/// Returns the digest of the public key in hexadecimal.
pub fn fingerprint(pair: &Pair) -> String {
    hex(&Sha256::digest(&pair.public.raw))
}

fn truth(is: bool) -> Value {
    Value::Known(vec![if is { CK_TRUE } else { CK_FALSE }])
}

fn number(number: CK_ULONG) -> Value {
    list(&[number])
}

fn list(numbers: &[CK_ULONG]) -> Value {
    Value::Known(numbers.iter().flat_map(|number| number.to_ne_bytes()).collect())
}

fn text(text: &str) -> Value {
    Value::Known(text.as_bytes().to_vec())
}
