//! `ed25519` (FAST, one lane, multiplier of latency 2), the whole core: keys, signatures and
//! verdicts from gates.

use crate::Error;
use crate::model::Model;
use std::fmt;

/// A key as the core signs with it: s, prefix and public key (RFC 8032, Section 5.1.5 (Key
/// Generation)). Not shown by Debug.
pub struct Expanded {
    s: [u8; 32],
    prefix: [u8; 32],
    /// The public key.
    pub public: [u8; 32],
}

impl Drop for Expanded {
    fn drop(&mut self) {
        for byte in self.s.iter_mut().chain(&mut self.prefix) {
            // SAFETY: a write to a byte of our own; volatile, so that it is not left out.
            unsafe { std::ptr::write_volatile(byte, 0) }
        }
    }
}

impl fmt::Debug for Expanded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Expanded").field("public", &self.public).finish_non_exhaustive()
    }
}

/// The simulated core.
pub struct Ed25519Core {
    model: Model,
}

/// A word of the input stream; the layout is that of the shim.
#[derive(Clone, Copy)]
#[repr(C)]
struct Word {
    data: u64,
    bytes: u8,
    last: u8,
}

/// Holds what an operation gave.
struct Answer {
    ok: bool,
    out: Vec<u8>,
    cycles: u64,
}

impl Ed25519Core {
    /// Returns a core of one's own, just reset.
    ///
    /// # Errors
    /// [`Error::NotBuilt`].
    pub fn new() -> Result<Self, Error> {
        // SAFETY: the shim's `new` gives null or a core that its `free` accepts once; nobody else
        // has it.
        let model = unsafe { Model::own(shim::hasten_ed25519_new(), shim::hasten_ed25519_free) }?;
        Ok(Self { model })
    }

    /// Returns the key of a seed, and the clock cycles from the command to its last word.
    pub fn keygen(&self, seed: &[u8; 32]) -> (Expanded, u64) {
        let answer = self.run(0, &[seed], None);
        let part = |i: usize| answer.out[32 * i..32 * i + 32].try_into().expect("32 bytes");
        (Expanded { s: part(0), prefix: part(1), public: part(2) }, answer.cycles)
    }

    /// Returns the signature of a message, and the clock cycles from the command to its last word.
    pub fn sign(&self, key: &Expanded, message: &[u8]) -> ([u8; 64], u64) {
        let answer = self.run(1, &[&key.s, &key.public, &key.prefix], Some(message));
        assert!(answer.ok, "the message is the same in both readings");
        (answer.out.try_into().expect("64 bytes of signature"), answer.cycles)
    }

    /// Returns whether the signature is one of the message, and the clock cycles to the response.
    pub fn verify(&self, public: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> (bool, u64) {
        let (r, s) = signature.split_at(32);
        let answer = self.run(2, &[r, public, s], Some(message));
        (answer.ok, answer.cycles)
    }

    /// Returns parts, and a message where the operation has one; signing reads it twice.
    fn run(&self, op: u8, parts: &[&[u8]], message: Option<&[u8]>) -> Answer {
        let mut words: Vec<Word> = parts.iter().flat_map(|part| part.chunks(8)).map(word).collect();
        for _ in 0..if op == 1 { 2 } else { 1 } {
            words.extend(message.map(message_words).unwrap_or_default());
        }
        let (mut out, mut count, mut ok) = ([0u64; 12], 12, false);
        // SAFETY: the pointers are to as many words as are said, to room for twelve, and to a count
        // and a flag of our own; the model is used alone.
        let cycles = self.model.with(|core| unsafe {
            let input = words.as_ptr().cast();
            shim::hasten_ed25519_run(
                core,
                op,
                input,
                words.len(),
                out.as_mut_ptr(),
                &mut count,
                &mut ok,
            )
        });
        assert!(cycles > 0, "the core answers");
        let out = out[..count].iter().flat_map(|word| word.to_le_bytes()).collect();
        Answer { ok, out, cycles }
    }
}

impl fmt::Debug for Ed25519Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ed25519Core").finish_non_exhaustive()
    }
}

fn word(bytes: &[u8]) -> Word {
    let mut data = [0; 8];
    data[..bytes.len()].copy_from_slice(bytes);
    Word { data: u64::from_le_bytes(data), bytes: bytes.len() as u8, last: 0 }
}

/// Returns the message with its end marked; an empty one is one empty word.
fn message_words(message: &[u8]) -> Vec<Word> {
    let mut words: Vec<Word> = message.chunks(8).map(word).collect();
    if words.is_empty() {
        words.push(word(&[]));
    }
    words.last_mut().expect("at least one word").last = 1;
    words
}

#[cfg(verilated)]
mod shim {
    use std::ffi::c_void;

    unsafe extern "C" {
        pub fn hasten_ed25519_new() -> *mut c_void;
        pub fn hasten_ed25519_free(core: *mut c_void);
        pub fn hasten_ed25519_run(
            core: *mut c_void,
            op: u8,
            words: *const c_void,
            count: usize,
            out: *mut u64,
            out_count: *mut usize,
            ok: *mut bool,
        ) -> u64;
    }
}

/// Without models: nothing is ever made.
#[cfg(not(verilated))]
mod shim {
    use std::ffi::c_void;

    pub unsafe fn hasten_ed25519_new() -> *mut c_void {
        std::ptr::null_mut()
    }
    pub unsafe extern "C" fn hasten_ed25519_free(_core: *mut c_void) {}
    pub unsafe fn hasten_ed25519_run(
        _core: *mut c_void,
        _op: u8,
        _words: *const c_void,
        _count: usize,
        _out: *mut u64,
        _out_count: *mut usize,
        _ok: *mut bool,
    ) -> u64 {
        0
    }
}
