//! Strict checks of templates: unknown, forbidden and repeated attributes are rejected, and so are
//! values with a wrong length.

use cryptoki_sys::*;

use crate::border::value;
use crate::fault::Fault;
use crate::token::slot::Tags;

/// A template, copied from the caller's memory.
#[derive(Debug, Default)]
pub struct Template(Vec<(CK_ATTRIBUTE_TYPE, Vec<u8>)>);

/// Size of a number in bytes.
const NUMBER: usize = size_of::<CK_ULONG>();
/// Maximum size of an attribute value in bytes; no known attribute is longer.
const LONGEST: usize = 1 << 16;
/// Maximum size of a label or an identifier in bytes.
const TAG: usize = 256;

/// The values that a template may have for an attribute.
enum Rule {
    /// Only this boolean value.
    Bool(bool),
    /// Only this number.
    Number(CK_ULONG),
    /// Text or bytes, which are saved.
    Tag,
    /// No bytes.
    Empty,
    /// One or several numbers.
    Set,
    /// No value: the attribute follows from others.
    ReadOnly,
}

impl Template {
    /// Copies a template from the caller's memory.
    ///
    /// # Safety
    /// The values of the attributes are readable.
    pub unsafe fn read(attributes: &[CK_ATTRIBUTE]) -> Result<Self, Fault> {
        let mut read: Vec<(CK_ATTRIBUTE_TYPE, Vec<u8>)> = Vec::new();
        for attribute in attributes {
            // SAFETY: the caller promises it.
            let value = unsafe { value(attribute) };
            let value = value.filter(|value| value.len() <= LONGEST);
            let value = value.ok_or(Fault::Rv(CKR_ATTRIBUTE_VALUE_INVALID))?;
            if read.iter().any(|(known, _)| *known == attribute.type_) {
                return Err(Fault::Rv(CKR_TEMPLATE_INCONSISTENT));
            }
            read.push((attribute.type_, value.to_vec()));
        }
        Ok(Self(read))
    }

    /// Returns every attribute.
    pub fn iter(&self) -> impl Iterator<Item = (CK_ATTRIBUTE_TYPE, &[u8])> {
        self.0.iter().map(|(kind, value)| (*kind, &value[..]))
    }

    fn get(&self, wanted: CK_ATTRIBUTE_TYPE) -> Option<&[u8]> {
        self.iter().find(|(kind, _)| *kind == wanted).map(|(_, value)| value)
    }

    /// Returns an attribute with a single number.
    pub fn number(&self, kind: CK_ATTRIBUTE_TYPE) -> Result<Option<CK_ULONG>, Fault> {
        let several = self.numbers(kind)?;
        several
            .map(|all| match all[..] {
                [one] => Ok(one),
                _ => Err(Fault::Rv(CKR_ATTRIBUTE_VALUE_INVALID)),
            })
            .transpose()
    }

    /// Returns an attribute with a list of numbers.
    pub fn numbers(&self, kind: CK_ATTRIBUTE_TYPE) -> Result<Option<Vec<CK_ULONG>>, Fault> {
        let Some(value) = self.get(kind) else { return Ok(None) };
        let (numbers, rest) = value.as_chunks::<NUMBER>();
        if numbers.is_empty() || !rest.is_empty() {
            return Err(Fault::Rv(CKR_ATTRIBUTE_VALUE_INVALID));
        }
        Ok(Some(numbers.iter().map(|number| CK_ULONG::from_ne_bytes(*number)).collect()))
    }

    /// Checks the template of the public or the private key of a new pair.
    pub fn check(&self, class: CK_OBJECT_CLASS, key_type: CK_KEY_TYPE) -> Result<(), Fault> {
        self.iter().try_for_each(|(kind, value)| follows(rule(kind, class, key_type), value))?;
        // By default the standard creates session objects, but keys here are always token objects.
        let token = self.get(CKA_TOKEN).is_some();
        if token { Ok(()) } else { Err(Fault::Rv(CKR_TEMPLATE_INCOMPLETE)) }
    }

    /// Returns the label and the identifier.
    pub fn tags(&self) -> Result<Tags, Fault> {
        let label = self.get(CKA_LABEL).map(|text| String::from_utf8(text.to_vec())).transpose();
        let label = label.map_err(|_| Fault::Rv(CKR_ATTRIBUTE_VALUE_INVALID))?;
        Ok(Tags { label, id: self.get(CKA_ID).map(hex) })
    }
}

/// Returns bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the bytes of a hexadecimal text.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    pairs.map(byte).collect()
}

/// Returns the rule for an attribute in the template of a key; `None` if keys do not have it.
fn rule(kind: CK_ATTRIBUTE_TYPE, class: CK_OBJECT_CLASS, key_type: CK_KEY_TYPE) -> Option<Rule> {
    use Rule::*;
    let public = class == CKO_PUBLIC_KEY;
    let hss = key_type == CKK_HSS;
    Some(match kind {
        CKA_CLASS => Number(class),
        CKA_KEY_TYPE => Number(key_type),
        CKA_TOKEN => Bool(true),
        CKA_PRIVATE => Bool(!public),
        CKA_MODIFIABLE | CKA_COPYABLE | CKA_DESTROYABLE | CKA_DERIVE => Bool(false),
        CKA_LABEL | CKA_ID => Tag,
        CKA_START_DATE | CKA_END_DATE | CKA_SUBJECT => Empty,
        CKA_LOCAL | CKA_KEY_GEN_MECHANISM | CKA_UNIQUE_ID | CKA_VALUE => ReadOnly,
        CKA_PUBLIC_KEY_INFO | CKA_HSS_KEYS_REMAINING => ReadOnly,
        CKA_HSS_LMS_TYPE | CKA_HSS_LMOTS_TYPE => ReadOnly,
        CKA_PARAMETER_SET if public && !hss => Set,
        CKA_PARAMETER_SET => ReadOnly,
        CKA_VERIFY if public => Bool(true),
        CKA_ENCRYPT | CKA_VERIFY_RECOVER | CKA_WRAP | CKA_TRUSTED if public => Bool(false),
        CKA_ENCAPSULATE if public => Bool(false),
        _ if public => return None,
        CKA_HSS_LEVELS | CKA_HSS_LMS_TYPES | CKA_HSS_LMOTS_TYPES if hss => Set,
        CKA_SIGN | CKA_SENSITIVE => Bool(true),
        CKA_EXTRACTABLE | CKA_DECRYPT | CKA_SIGN_RECOVER | CKA_UNWRAP => Bool(false),
        CKA_WRAP_WITH_TRUSTED | CKA_ALWAYS_AUTHENTICATE | CKA_DECAPSULATE => Bool(false),
        CKA_ALWAYS_SENSITIVE | CKA_NEVER_EXTRACTABLE => ReadOnly,
        CKA_SEED if key_type == CKK_ML_DSA => ReadOnly,
        _ => return None,
    })
}

fn follows(rule: Option<Rule>, value: &[u8]) -> Result<(), Fault> {
    let number = || value.try_into().map(CK_ULONG::from_ne_bytes).ok();
    let answer = match rule {
        None => CKR_ATTRIBUTE_TYPE_INVALID,
        Some(Rule::ReadOnly) => CKR_ATTRIBUTE_READ_ONLY,
        Some(Rule::Bool(only)) => match value {
            [CK_FALSE | CK_TRUE] if (value[0] == CK_TRUE) == only => CKR_OK,
            [CK_FALSE | CK_TRUE] => CKR_TEMPLATE_INCONSISTENT,
            _ => CKR_ATTRIBUTE_VALUE_INVALID,
        },
        Some(Rule::Number(only)) => match number() {
            Some(given) if given == only => CKR_OK,
            Some(_) => CKR_TEMPLATE_INCONSISTENT,
            None => CKR_ATTRIBUTE_VALUE_INVALID,
        },
        Some(Rule::Empty) if value.is_empty() => CKR_OK,
        Some(Rule::Tag) if value.len() <= TAG => CKR_OK,
        Some(Rule::Set) => CKR_OK,
        Some(Rule::Empty | Rule::Tag) => CKR_ATTRIBUTE_VALUE_INVALID,
    };
    if answer == CKR_OK { Ok(()) } else { Err(Fault::Rv(answer)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: CK_ATTRIBUTE_TYPE, value: &[u8], class: CK_OBJECT_CLASS) -> CK_RV {
        let template = Template(vec![(CKA_TOKEN, vec![1]), (kind, value.to_vec())]);
        template.check(class, CKK_HSS).map_or_else(|fault| fault.rv(), |()| CKR_OK)
    }

    #[test]
    fn rules_of_attributes() {
        let (public, private) = (CKO_PUBLIC_KEY, CKO_PRIVATE_KEY);
        for (kind, value, class, answer) in [
            (CKA_SENSITIVE, &[1][..], private, CKR_OK),
            (CKA_SENSITIVE, &[0], private, CKR_TEMPLATE_INCONSISTENT),
            (CKA_SENSITIVE, &[2], private, CKR_ATTRIBUTE_VALUE_INVALID),
            (CKA_SENSITIVE, &[], private, CKR_ATTRIBUTE_VALUE_INVALID),
            (CKA_SENSITIVE, &[1], public, CKR_ATTRIBUTE_TYPE_INVALID),
            (CKA_EXTRACTABLE, &[1], private, CKR_TEMPLATE_INCONSISTENT),
            (CKA_VALUE, &[1], private, CKR_ATTRIBUTE_READ_ONLY),
            (CKA_MODULUS, &[1], public, CKR_ATTRIBUTE_TYPE_INVALID),
            (CKA_KEY_TYPE, &CKK_HSS.to_ne_bytes(), public, CKR_OK),
            (CKA_KEY_TYPE, &CKK_RSA.to_ne_bytes(), public, CKR_TEMPLATE_INCONSISTENT),
            (CKA_KEY_TYPE, &[70], public, CKR_ATTRIBUTE_VALUE_INVALID),
            (CKA_LABEL, &[b'a'; 257], public, CKR_ATTRIBUTE_VALUE_INVALID),
        ] {
            assert_eq!(check(kind, value, class), answer, "{kind:#x} {value:?} {class}");
        }
    }

    #[test]
    fn hexadecimal_goes_both_ways() {
        assert_eq!(unhex(&hex(&[0, 0xab, 0xff])), Some(vec![0, 0xab, 0xff]));
        assert_eq!(unhex("0g"), None);
    }
}
