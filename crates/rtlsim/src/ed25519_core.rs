//! `ed25519` (FAST, one lane, multiplier of latency 2), the whole core: keys, signatures and
//! verdicts from simulated gates.

use crate::Error;
use crate::model::Model;
use crate::registers::ed25519_axi::{STATUS_VERDICT_DONE, STATUS_VERDICT_GOOD};
use std::fmt;

/// The simulated core. It holds the key that it made last.
pub struct Ed25519Core {
    model: Model,
}

/// A word of the input stream, in the layout of the shim.
#[derive(Clone, Copy)]
#[repr(C)]
struct Word {
    data: u64,
    bytes: u8,
    last: u8,
}

/// Output words and verdict of the core: `Output` of the shim.
#[repr(C)]
#[derive(Default)]
struct Output {
    words: [u64; 8],
    count: usize,
    verdict: u8,
}

/// Result of an operation.
struct Answer {
    verdict: u32,
    out: Vec<u8>,
    cycles: u64,
}

impl Ed25519Core {
    /// Returns a new core, just reset.
    ///
    /// # Errors
    /// [`Error::NotBuilt`].
    pub fn new() -> Result<Self, Error> {
        // SAFETY: the shim's `new` gives null or a core that its `free` accepts once; nobody else
        // has it.
        let model = unsafe { Model::own(shim::hasten_ed25519_new(), shim::hasten_ed25519_free) }?;
        Ok(Self { model })
    }

    /// Makes the key of a seed, with which the core then signs. Returns the public key, and the
    /// clock cycles from the command to its last word.
    pub fn keygen(&self, seed: &[u8; 32]) -> ([u8; 32], u64) {
        let answer = self.run(0, seed, &[], None);
        assert_eq!(answer.verdict, STATUS_VERDICT_DONE, "a key is made of every seed");
        (answer.out.try_into().expect("32 bytes of a public key"), answer.cycles)
    }

    /// Returns the signature of a message by the key that was made last, and the clock cycles from
    /// the command to its last word. Returns `None` if the core has no key.
    pub fn sign(&self, message: &[u8]) -> Option<([u8; 64], u64)> {
        let answer = self.run(1, &[], &[], Some(message));
        let signature =
            answer.out.try_into().ok().filter(|_| answer.verdict == STATUS_VERDICT_DONE);
        signature.map(|signature| (signature, answer.cycles))
    }

    /// Returns whether the signature is valid for the message, and the clock cycles to the
    /// response.
    pub fn verify(&self, public: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> (bool, u64) {
        let (r, s) = signature.split_at(32);
        let answer = self.run(2, &[], &[r, public, s], Some(message));
        (answer.verdict == STATUS_VERDICT_GOOD, answer.cycles)
    }

    /// Sends a seed, the other parts of the input, and a message if the operation has one. Signing
    /// reads the message twice.
    fn run(&self, op: u8, seed: &[u8], parts: &[&[u8]], message: Option<&[u8]>) -> Answer {
        let key: Vec<u64> = seed.chunks(8).map(|part| word(part).data).collect();
        let mut words: Vec<Word> = parts.iter().flat_map(|part| part.chunks(8)).map(word).collect();
        for _ in 0..if op == 1 { 2 } else { 1 } {
            words.extend(message.map(message_words).unwrap_or_default());
        }
        let mut out = Output::default();
        // SAFETY: the pointers are to the given numbers of words, and to an output of our own; the
        // model is used alone.
        let cycles = self.model.with(|core| unsafe {
            let input = words.as_ptr().cast();
            shim::hasten_ed25519_run(
                core,
                op,
                key.as_ptr(),
                key.len(),
                input,
                words.len(),
                (&raw mut out).cast(),
            )
        });
        assert!(cycles > 0, "the core answers");
        let verdict = out.verdict.into();
        let out = out.words[..out.count].iter().flat_map(|word| word.to_le_bytes()).collect();
        Answer { verdict, out, cycles }
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

/// Returns the words of a message, the last one marked. An empty message is one empty word.
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
            key: *const u64,
            key_count: usize,
            words: *const c_void,
            count: usize,
            out: *mut c_void,
        ) -> u64;
    }
}

/// Stubs for a build without models: no core is ever made.
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
        _key: *const u64,
        _key_count: usize,
        _words: *const c_void,
        _count: usize,
        _out: *mut c_void,
    ) -> u64 {
        0
    }
}
