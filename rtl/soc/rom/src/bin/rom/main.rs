//! The boot ROM: reads header, key, signature and image from the flash, and starts the image if the
//! signature is good and its version is not too low.
//!
//! No decision is a bit. Each check gives a word that is [`Verdict::GOOD`] or another one, twice,
//! from reads and comparisons of its own. The ROM looks at both; then they are written to the gate,
//! which opens for these words alone.
#![no_std]
#![no_main]

#[path = "../../../../../../crates/keys/src/boot/header.rs"]
#[allow(dead_code, unreachable_pub, reason = "the tool that writes headers uses the rest")]
mod header;
mod image;
mod start;
#[cfg(feature = "refined")]
#[path = "../../../../../../checks/asip/src/unit.rs"]
#[allow(dead_code, reason = "a unit has more than the ROM needs")]
mod unit;
#[cfg_attr(feature = "hbs_verify", path = "by_core.rs")]
#[cfg_attr(not(feature = "hbs_verify"), path = "by_software.rs")]
mod verify;
#[cfg(feature = "generic")]
#[path = "../../../../../../checks/asip/src/words.rs"]
#[allow(dead_code, reason = "a unit has more than the ROM needs")]
mod words;

/// The way to hash.
#[cfg_attr(feature = "refined", path = "refined.rs")]
#[cfg_attr(feature = "generic", path = "generic.rs")]
#[cfg_attr(not(any(feature = "refined", feature = "generic")), path = "alone.rs")]
mod hasher;

use core::hint::black_box;
use hasten_hbs::sequential::{DIGEST_BYTES, Digest, Verdict, hash};
use hasten_soc_rom::machine::{
    HASH_WORDS, LIFE, LOWEST_VERSION, bytes_of, flash_word, fuse, jump, open, start_flash, stop,
    tell,
};
use header::{Header, WORDS};
use image::Loaded;

/// Why nothing was started; the first byte says that the ROM speaks.
#[derive(Clone, Copy)]
#[repr(u32)]
enum Refused {
    /// The header is none, or its sizes are wrong.
    Header = 0xb001,
    /// Key, signature, version or life cycle is not what it has to be.
    Image = 0xb002,
    /// The program met a defect, or the processor an instruction that is none.
    Defect = 0xb003,
}

/// Words of the largest key, HSS or XMSS, and of the largest signature, HSS with one level.
const KEY_WORDS: usize = 13;
const SIGNATURE_WORDS: usize = 376;

/// The life cycle of a machine that has its key.
const READY: u32 = 0x5aa5_0ff0;

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    refuse(boot());
}

/// Returns why the image is not started.
fn boot() -> Refused {
    start_flash(0);
    let words: [u32; WORDS] = core::array::from_fn(|_| flash_word());
    let Some(header) = Header::read(&words).filter(image::fits) else { return Refused::Header };
    let (mut key, mut signature) = ([0; KEY_WORDS], [0; SIGNATURE_WORDS]);
    let key = fill(&mut key, header.key_bytes);
    let signature = fill(&mut signature, header.signature_bytes);
    let loaded = Loaded { header: &header, words: &words, key, signature };
    let mut digest = [0; DIGEST_BYTES];
    hash(hasher::hasher(), &[loaded.key], &mut digest);
    let keys = [key_word(&header, &digest), key_word(&header, black_box(&digest))];
    let Some(verdict) = verify::image(loaded) else { return Refused::Image };
    let first = verdict.first ^ keys[0] ^ state_word(&header);
    if black_box(first) != Verdict::GOOD {
        return Refused::Image;
    }
    let second = verdict.second ^ keys[1] ^ state_word(black_box(&header));
    if black_box(second) != Verdict::GOOD {
        return Refused::Image;
    }
    open(first, !second);
    jump(header.entry, header.version)
}

/// Fills the front of a buffer from the flash, and returns it.
fn fill(buffer: &mut [u32], bytes: u32) -> &mut [u8] {
    let words = &mut buffer[..bytes as usize / 4];
    words.iter_mut().for_each(|word| *word = flash_word());
    bytes_of(words)
}

/// Returns zero if the fuses have the digest of the key.
#[inline(never)]
fn key_word(header: &Header, digest: &Digest) -> u32 {
    let first = header.key_number as usize * HASH_WORDS;
    let (mut bits, mut left) = (0, HASH_WORDS as u32);
    for (i, word) in digest.as_chunks().0.iter().enumerate() {
        bits |= u32::from_le_bytes(*word) ^ fuse(first + i);
        left -= 1;
    }
    bits ^ left << 16
}

/// Returns zero if the version is not lower than the lowest, and the machine has its key.
#[inline(never)]
fn state_word(header: &Header) -> u32 {
    let low = if header.version < fuse(LOWEST_VERSION) { 0x5a3c_c3a5 } else { 0 };
    low | fuse(LIFE) ^ READY
}

/// Says why, and waits for a reset.
fn refuse(reason: Refused) -> ! {
    tell(reason as u32);
    stop()
}

/// Ends a trap of the processor.
#[unsafe(no_mangle)]
extern "C" fn defect() -> ! {
    refuse(Refused::Defect)
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    defect()
}
