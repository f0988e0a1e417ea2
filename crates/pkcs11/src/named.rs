//! The parameter set that the templates of a new key pair request.

use cryptoki_sys::*;
use hasten_pq::hbs::Set;

use crate::fault::Fault;
use crate::sets::{HSS, Numbers, Wanted, XMSS, stateless};
use crate::template::Template;

/// Returns the parameter set that the templates of a new key pair request.
pub fn named(numbers: &Numbers, public: &Template, private: &Template) -> Result<Wanted, Fault> {
    if *numbers == HSS {
        return hss(private).map(Wanted::Set);
    }
    let number = public.number(CKA_PARAMETER_SET)?.ok_or(Fault::Rv(CKR_TEMPLATE_INCOMPLETE))?;
    let invalid = || Fault::Rv(CKR_ATTRIBUTE_VALUE_INVALID);
    if !numbers.has_state() {
        return stateless(numbers, number).map(Wanted::Row).ok_or_else(invalid);
    }
    let number = u32::try_from(number).map_err(|_| invalid())?;
    let set = if *numbers == XMSS { Set::xmss_by_oid(number) } else { Set::xmssmt_by_oid(number) };
    set.map(Wanted::Set).map_err(|_| invalid())
}

/// Returns the set for the levels and typecodes in the template of the private key.
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
