//! Verification by the processor, with what hashes for it.

use crate::hasher::hasher;
use crate::header::{FORM_HSS, FORM_LMS, FORM_XMSS};
use crate::image::Loaded;
use hasten_hbs::sequential::{Form, Shape, Verdict, Verification};
use hasten_soc_rom::machine::{RAM, bytes, flash_word, write};

const SHAPES: &[Shape] =
    &[Shape::named("LMS_SHA256_M24_H10/LMOTS_SHA256_N24_W4"), Shape::named("XMSS-SHA2_10_192")];

/// Words of the image, which go into the RAM on their way. The next one is read before the last one
/// is used, for which the processor would wait a cycle else.
struct Image {
    at: usize,
    word: u32,
}

impl Iterator for Image {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        let word = core::mem::replace(&mut self.word, flash_word());
        write(self.at, word);
        self.at += 4;
        Some(word)
    }
}

/// Brings the image into the RAM and into the hash, and verifies it.
#[inline(never)]
pub fn image(loaded: Loaded<'_>) -> Option<Verdict> {
    let form = match loaded.header.form {
        FORM_LMS => Form::Lms,
        FORM_HSS => Form::Hss,
        FORM_XMSS => Form::Xmss,
        _ => return None,
    };
    let (key, signature) = (loaded.key, loaded.signature);
    let mut verification = Verification::begin_by::<1>(hasher(), SHAPES, form, key, signature)?;
    verification.update(bytes(loaded.words));
    let (words, image) = (loaded.header.length as usize / 4, Image { at: RAM, word: flash_word() });
    if cfg!(any(feature = "refined", feature = "generic")) {
        verification.update_words(words, image);
    } else {
        image.take(words).for_each(|word| verification.update(&word.to_le_bytes()));
    }
    Some(verification.finish())
}
