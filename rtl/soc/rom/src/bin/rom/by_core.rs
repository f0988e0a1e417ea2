//! Verification by the core `hbs_verify`.

use crate::header::{BYTES, FORM_HSS, FORM_LMS, FORM_XMSS};
use crate::image::Loaded;
use hasten_hbs::sequential::Verdict;
use hasten_soc_rom::machine::{RAM, STREAM, VERIFIER, flash_word, read, write};

#[path = "../../../../../hbs_verify/gen/hbs_verify_regs.rs"]
#[allow(dead_code, unreachable_pub, reason = "a map has more than a program needs")]
mod registers;
use registers::{
    COMMAND, COMMAND_HSS_MASK, COMMAND_OP_VERIFY, COMMAND_XMSS_MASK, LENGTH, STATUS,
    STATUS_BUSY_MASK,
};

/// Bytes of q, typecode and C, or of idx_sig and r, which the stream has before the message.
const OF_LMS: usize = 8 + 24;
const OF_XMSS: usize = 4 + 24;

/// The state of a core that found a signature good.
const GOOD: u32 = registers::STATUS_VERDICT_GOOD << registers::STATUS_VERDICT_SHIFT;

/// Brings the image into the RAM and into the core, and returns the core's verdict.
#[inline(never)]
pub fn image(loaded: Loaded<'_>) -> Option<Verdict> {
    // The signature of HSS has the number of signed keys in front.
    let (form, front) = match loaded.header.form {
        FORM_LMS => (0, OF_LMS),
        FORM_HSS => (COMMAND_HSS_MASK, 4 + OF_LMS),
        FORM_XMSS => (COMMAND_XMSS_MASK, OF_XMSS),
        _ => return None,
    };
    let (front, rest) = loaded.signature.split_at_checked(front)?;
    let (rest, last) = rest.as_chunks().0.split_at_checked((rest.len() / 4).checked_sub(1)?)?;
    write(VERIFIER + LENGTH, BYTES as u32 + loaded.header.length);
    write(VERIFIER + COMMAND, COMMAND_OP_VERIFY | form);
    send(loaded.key.as_chunks().0);
    send(front.as_chunks().0);
    loaded.words.iter().for_each(|word| write(STREAM[0], *word));
    load(loaded.header.length as usize / 4);
    send(rest);
    write(STREAM[1], u32::from_le_bytes(last[0]));
    while read(VERIFIER + STATUS) & STATUS_BUSY_MASK != 0 {}
    Some(Verdict { first: verdict(), second: verdict() })
}

/// Brings words from the flash into the RAM and the stream, four in each turn.
fn load(words: usize) {
    let mut at = RAM;
    let mut next = || {
        let word = flash_word();
        write(at, word);
        write(STREAM[0], word);
        at += 4;
    };
    for _ in 0..words / 4 {
        next();
        next();
        next();
        next();
    }
    (0..words % 4).for_each(|_| next());
}

#[inline(never)]
fn send(words: &[[u8; 4]]) {
    words.iter().for_each(|word| write(STREAM[0], u32::from_le_bytes(*word)));
}

/// Returns the word of the core's answer, which it decides anew.
#[inline(never)]
fn verdict() -> u32 {
    Verdict::GOOD ^ read(VERIFIER + STATUS) ^ GOOD
}
