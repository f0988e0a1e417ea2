//! Mechanisms, key types and parameter sets: PKCS #11, section 6.65 (HSS) and section 6.66 (XMSS
//! and XMSS^MT).

use cryptoki_sys::*;
use hasten::hbs::Set;
use hasten::hbs::params::Scheme;

use crate::fault::Fault;
use crate::template::Template;

/// A scheme, with the numbers that PKCS#11 has for it.
#[derive(Debug, PartialEq, Eq)]
pub struct Numbers {
    /// CKA_KEY_TYPE.
    pub key_type: CK_KEY_TYPE,
    /// Makes key pairs.
    pub generate: CK_MECHANISM_TYPE,
    /// Signs and verifies.
    pub sign: CK_MECHANISM_TYPE,
}

const HSS: Numbers = Numbers { key_type: CKK_HSS, generate: CKM_HSS_KEY_PAIR_GEN, sign: CKM_HSS };
const XMSS: Numbers =
    Numbers { key_type: CKK_XMSS, generate: CKM_XMSS_KEY_PAIR_GEN, sign: CKM_XMSS };
const XMSSMT: Numbers =
    Numbers { key_type: CKK_XMSSMT, generate: CKM_XMSSMT_KEY_PAIR_GEN, sign: CKM_XMSSMT };

/// All of them.
pub const ALL: [&Numbers; 3] = [&HSS, &XMSS, &XMSSMT];

/// Returns the numbers of a set. One LMS tree is HSS with one level.
pub fn numbers(set: &Set) -> &'static Numbers {
    match set.scheme {
        Scheme::Xmss => &XMSS,
        Scheme::XmssMt => &XMSSMT,
        _ => &HSS,
    }
}

/// Returns the typecodes of a set's levels, the highest first: those of the trees and those of the
/// one-time keys.
pub fn typecodes(set: &'static Set) -> (Vec<CK_ULONG>, Vec<CK_ULONG>) {
    let of = |level: &'static Set| match level.scheme {
        Scheme::Lms { ots } => Some((CK_ULONG::from(level.number.get()), CK_ULONG::from(ots))),
        _ => None,
    };
    set.levels().into_iter().filter_map(of).unzip()
}

/// Returns the set that the templates of a new pair name.
pub fn named(
    numbers: &Numbers,
    public: &Template,
    private: &Template,
) -> Result<&'static Set, Fault> {
    if *numbers == HSS {
        return hss(private);
    }
    let number = public.number(CKA_PARAMETER_SET)?.ok_or(Fault::Rv(CKR_TEMPLATE_INCOMPLETE))?;
    let number = u32::try_from(number).map_err(|_| Fault::Rv(CKR_ATTRIBUTE_VALUE_INVALID))?;
    let set = if *numbers == XMSS { Set::xmss_by_oid(number) } else { Set::xmssmt_by_oid(number) };
    set.map_err(|_| Fault::Rv(CKR_ATTRIBUTE_VALUE_INVALID))
}

/// Reads levels and typecodes from the template of the private key.
fn hss(private: &Template) -> Result<&'static Set, Fault> {
    let missing = || Fault::Rv(CKR_TEMPLATE_INCOMPLETE);
    let levels = private.number(CKA_HSS_LEVELS)?.ok_or_else(missing)?;
    let trees = private.numbers(CKA_HSS_LMS_TYPES)?.ok_or_else(missing)?;
    let keys = private.numbers(CKA_HSS_LMOTS_TYPES)?.ok_or_else(missing)?;
    if trees.len() as CK_ULONG != levels || keys.len() as CK_ULONG != levels {
        return Err(Fault::Rv(CKR_TEMPLATE_INCONSISTENT));
    }
    let invalid = || Fault::Rv(CKR_ATTRIBUTE_VALUE_INVALID);
    let level = |(tree, key): (&CK_ULONG, &CK_ULONG)| {
        let pair = [u32::try_from(*tree).ok()?, u32::try_from(*key).ok()?];
        let pair = pair.map(u32::to_be_bytes).concat();
        Set::lms_by_types(pair.first_chunk()?).ok()
    };
    let sets: Option<Vec<_>> = trees.iter().zip(&keys).map(level).collect();
    match sets.ok_or_else(invalid)?[..] {
        [one] => Ok(one),
        ref several => Set::hss(several).map_err(|_| invalid()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typecodes_are_those_of_the_levels() {
        let one = Set::named("LMS_SHA256_M24_H5_W8").unwrap();
        assert_eq!(typecodes(one), (vec![0x0a], vec![0x08]));
        let two = Set::named("HSS(LMS_SHA256_M32_H10_W4,LMS_SHA256_M32_H5_W8)").unwrap();
        assert_eq!(typecodes(two), (vec![0x06, 0x05], vec![0x03, 0x04]));
        assert_eq!(numbers(two).key_type, CKK_HSS);
        let xmss = Set::named("XMSS-SHA2_10_256").unwrap();
        assert_eq!(typecodes(xmss), (vec![], vec![]));
    }
}
