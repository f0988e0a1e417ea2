//! Key pair generation.

use cryptoki_sys::*;

use crate::border::{BAD, attributes, mechanism, over, put};
use crate::fault::Fault;
use crate::named::named;
use crate::objects::{Kind, handle};
use crate::sets::ALL;
use crate::template::Template;
use crate::token::slot::Tags;

/// Generates a key pair in its place in the session's slot, or continues an interrupted generation
/// there. Large sets take minutes.
///
/// # Safety
/// The pointers are NULL or point to the items that the standard defines.
#[allow(clippy::too_many_arguments)]
pub unsafe extern "C" fn C_GenerateKeyPair(
    session: CK_SESSION_HANDLE,
    wanted: *mut CK_MECHANISM,
    public: *mut CK_ATTRIBUTE,
    public_count: CK_ULONG,
    private: *mut CK_ATTRIBUTE,
    private_count: CK_ULONG,
    public_key: *mut CK_OBJECT_HANDLE,
    private_key: *mut CK_OBJECT_HANDLE,
) -> CK_RV {
    over(|module| {
        let (number, slot) = module.slot_of(session)?;
        // SAFETY: the caller promises what these functions require.
        let (wanted, public, private) = unsafe {
            (
                mechanism(wanted)?,
                Template::read(attributes(public, public_count)?)?,
                Template::read(attributes(private, private_count)?)?,
            )
        };
        if public_key.is_null() || private_key.is_null() {
            return Err(BAD);
        }
        if !module.session(session, |session| Ok(session.writes))? {
            return Err(Fault::Rv(CKR_SESSION_READ_ONLY));
        }
        let numbers = ALL.iter().find(|numbers| numbers.generate == wanted.0);
        let numbers = numbers.ok_or(Fault::Rv(CKR_MECHANISM_INVALID))?;
        if !wanted.1.is_empty() {
            return Err(Fault::Rv(CKR_MECHANISM_PARAM_INVALID));
        }
        public.check(CKO_PUBLIC_KEY, numbers.key_type)?;
        private.check(CKO_PRIVATE_KEY, numbers.key_type)?;
        let lives = || module.session(session, |_| Ok(()));
        let (wanted, tags) = (named(numbers, &public, &private)?, tags(&public, &private)?);
        slot.generate(&wanted, &tags, &lives)?;
        let halves = Kind::halves(numbers.has_state()).map(|kind| handle(number, kind));
        // SAFETY: the caller promises it.
        unsafe { put(public_key, halves[0]) }?;
        // SAFETY: the caller promises it.
        unsafe { put(private_key, halves[1]) }
    })
}

/// Returns the label and the identifier of the pair, which are the same for both keys.
fn tags(public: &Template, private: &Template) -> Result<Tags, Fault> {
    let (public, private) = (public.tags()?, private.tags()?);
    let one = |a: Option<String>, b: Option<String>| match (a, b) {
        (Some(a), Some(b)) if a != b => Err(Fault::Rv(CKR_TEMPLATE_INCONSISTENT)),
        (a, b) => Ok(b.or(a)),
    };
    Ok(Tags { label: one(public.label, private.label)?, id: one(public.id, private.id)? })
}
