//! Verification by the processor.

use crate::header::{FORM_HSS, FORM_LMS, FORM_XMSS};
use crate::image::Loaded;
use hasten_hbs::sequential::{Form, Shape, Verdict, Verification};
use hasten_soc_rom::machine::{RAM, flash_word, write};

const SHAPES: &[Shape] =
    &[Shape::named("LMS_SHA256_M24_H10/LMOTS_SHA256_N24_W4"), Shape::named("XMSS-SHA2_10_192")];

/// Brings the image into the RAM and into the hash, and verifies it.
#[inline(never)]
pub fn image(loaded: Loaded<'_>) -> Option<Verdict> {
    let form = match loaded.header.form {
        FORM_LMS => Form::Lms,
        FORM_HSS => Form::Hss,
        FORM_XMSS => Form::Xmss,
        _ => return None,
    };
    let mut verification = Verification::begin::<1>(SHAPES, form, loaded.key, loaded.signature)?;
    loaded.words.iter().for_each(|word| verification.update(&word.to_le_bytes()));
    for at in (RAM..).step_by(4).take(loaded.header.length as usize / 4) {
        let word = flash_word();
        write(at, word);
        verification.update(&word.to_le_bytes());
    }
    Some(verification.finish())
}
