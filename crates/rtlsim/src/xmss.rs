//! `xmss_engine` (four chain cores, one round per cycle): a whole core, driven through its ports.
//!
//! Signing gives the part of a signature that needs secrets: the randomizer and the chain values. The authentication path is the
//! traversal's, which is not in the engine.

use crate::Error;
use crate::model::Model;
use std::fmt;

/// Bytes of a value.
const N: usize = 32;
/// Chains.
const LEN: usize = 67;
/// The slot of the randomizer on the output stream.
const RANDOMIZER: u8 = 127;

/// Why the engine gave no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The signature is not good.
    Bad,
    /// A wrong command, length or index, or no key.
    Refused,
}

/// What to sign with: three seeds and the root, n bytes each.
#[derive(Clone, Copy)]
pub struct SecretKey<'k> {
    /// SK_SEED.
    pub sk_seed: &'k [u8; N],
    /// SK_PRF.
    pub sk_prf: &'k [u8; N],
    /// PUB_SEED.
    pub pub_seed: &'k [u8; N],
    /// The root.
    pub root: &'k [u8; N],
}

/// A result with the clock cycles from the command to the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timed<T> {
    /// The result.
    pub value: T,
    /// Clock cycles.
    pub cycles: u32,
}

/// The simulated engine.
pub struct XmssCore {
    model: Model,
    height: u8,
}

#[derive(Clone, Copy)]
enum Op {
    LoadKey,
    LoadPublic,
    Prepare,
    Sign,
    Verify,
    Leaf,
    Clear,
}

/// A command with its stream.
struct Command<'s> {
    op: Op,
    check: bool,
    index: u32,
    length: usize,
    stream: &'s [u8],
}

#[repr(C)]
#[derive(Default)]
struct In {
    data: u64,
    index: u32,
    length: u16,
    cmd_valid: u8,
    op: u8,
    check: u8,
    height: u8,
    in_valid: u8,
    last: u8,
    out_ready: u8,
    rsp_ready: u8,
    reset: u8,
}

#[repr(C)]
#[derive(Default)]
struct Out {
    data: u64,
    cycles: u32,
    cmd_ready: u8,
    in_ready: u8,
    valid: u8,
    slot: u8,
    last: u8,
    rsp_valid: u8,
    status: u8,
}

impl XmssCore {
    /// An engine of one's own for trees of `height` (1 to 20), without a key.
    ///
    /// # Errors
    /// [`Error::NotBuilt`].
    pub fn new(height: u8) -> Result<Self, Error> {
        // SAFETY: the shim's `new` gives null or an engine that its `free` accepts once; nobody else has it.
        let model = unsafe { Model::own(shim::hasten_xmss_new(), shim::hasten_xmss_free) }?;
        Ok(Self { model, height })
    }

    /// Takes a key; indices below `first` sign nothing.
    ///
    /// # Errors
    /// [`Refusal::Refused`] if the height is not one the engine has.
    pub fn load_key(&self, key: &SecretKey<'_>, first: u32) -> Result<Timed<()>, Refusal> {
        let stream = [*key.sk_seed, *key.sk_prf, *key.pub_seed, *key.root].concat();
        self.quiet(&Command {
            op: Op::LoadKey,
            check: false,
            index: first,
            length: 0,
            stream: &stream,
        })
    }

    /// Takes a public key, which verifies only.
    ///
    /// # Errors
    /// [`Refusal::Refused`] if the height is not one the engine has.
    pub fn load_public(&self, pub_seed: &[u8; N], root: &[u8; N]) -> Result<Timed<()>, Refusal> {
        let stream = [*pub_seed, *root].concat();
        self.quiet(&Command {
            op: Op::LoadPublic,
            check: false,
            index: 0,
            length: 0,
            stream: &stream,
        })
    }

    /// Prepares the signature of `index`, or its verification.
    ///
    /// # Errors
    /// [`Refusal::Refused`].
    pub fn prepare(&self, index: u32, verification: bool) -> Result<Timed<()>, Refusal> {
        self.quiet(&Command { op: Op::Prepare, check: verification, index, length: 0, stream: &[] })
    }

    /// Signs: the randomizer and the chain values in order, 68 times 32 bytes.
    ///
    /// # Errors
    /// [`Refusal::Refused`], also for an index that has signed and a message above 65,535 bytes.
    pub fn sign(&self, index: u32, message: &[u8]) -> Result<Timed<Vec<u8>>, Refusal> {
        let stream = whole_words(message);
        let command =
            Command { op: Op::Sign, check: false, index, length: message.len(), stream: &stream };
        let mut values = vec![0; N * (LEN + 1)];
        let mut filled = [0; LEN + 1];
        let cycles = self.run(&command, |slot, word| {
            let place = if slot == RANDOMIZER { 0 } else { usize::from(slot) + 1 };
            let at = N * place + 8 * filled[place];
            values[at..at + 8].copy_from_slice(&word.to_le_bytes());
            filled[place] += 1;
        })?;
        Ok(Timed { value: values, cycles })
    }

    /// Verifies a signature as RFC 8391, section 4.1.8 (XMSS Signature) writes it.
    ///
    /// # Errors
    /// [`Refusal::Bad`]; [`Refusal::Refused`] also for a wrong length.
    pub fn verify(&self, message: &[u8], signature: &[u8]) -> Result<Timed<()>, Refusal> {
        if signature.len() != 4 + N * (1 + LEN + usize::from(self.height)) {
            return Err(Refusal::Refused);
        }
        let (index, rest) = signature.split_at(4);
        let (r, rest) = rest.split_at(N);
        let stream = [r, &whole_words(message), rest].concat();
        let index = u32::from_be_bytes(index.try_into().expect("four bytes"));
        self.quiet(&Command {
            op: Op::Verify,
            check: false,
            index,
            length: message.len(),
            stream: &stream,
        })
    }

    /// The leaf `index`.
    ///
    /// # Errors
    /// [`Refusal::Refused`].
    pub fn leaf(&self, index: u32) -> Result<Timed<Vec<u8>>, Refusal> {
        let mut value = Vec::with_capacity(N);
        let command = Command { op: Op::Leaf, check: false, index, length: 0, stream: &[] };
        let cycles = self.run(&command, |_, word| value.extend(word.to_le_bytes()))?;
        Ok(Timed { value, cycles })
    }

    /// Forgets everything.
    pub fn clear(&self) {
        let command = Command { op: Op::Clear, check: false, index: 0, length: 0, stream: &[] };
        self.run(&command, |_, _| ()).expect("it is never refused");
    }

    fn quiet(&self, command: &Command<'_>) -> Result<Timed<()>, Refusal> {
        self.run(command, |_, _| ()).map(|cycles| Timed { value: (), cycles })
    }

    /// Runs a command to its answer; the cycles.
    fn run(&self, command: &Command<'_>, mut take: impl FnMut(u8, u64)) -> Result<u32, Refusal> {
        let length = u16::try_from(command.length).map_err(|_| Refusal::Refused)?;
        let (mut given, mut words) = (false, command.stream.chunks(8).peekable());
        loop {
            let mut input =
                In { length, index: command.index, height: self.height, ..In::default() };
            (input.op, input.check) = (command.op as u8, command.check.into());
            (input.cmd_valid, input.out_ready, input.rsp_ready) = ((!given).into(), 1, 1);
            if let Some(word) = words.peek() {
                (input.in_valid, input.data) = (1, word_of(word));
                input.last = (words.len() == 1).into();
            }
            let output = self.cycle(&input);
            if output.valid == 1 {
                take(output.slot, output.data);
            }
            if input.in_valid == 1 && output.in_ready == 1 {
                words.next();
            }
            if given && output.rsp_valid == 1 {
                return match output.status {
                    0 => Ok(output.cycles),
                    1 => Err(Refusal::Bad),
                    _ => Err(Refusal::Refused),
                };
            }
            given |= output.cmd_ready == 1;
        }
    }

    fn cycle(&self, input: &In) -> Out {
        let mut output = Out::default();
        // SAFETY: both layouts are those of the shim, both pointers are good for the call, and the model is used alone.
        self.model.with(|unit| unsafe { shim::hasten_xmss_cycle(unit, input, &mut output) });
        output
    }
}

fn word_of(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

fn whole_words(message: &[u8]) -> Vec<u8> {
    let mut bytes = message.to_vec();
    bytes.resize(message.len().next_multiple_of(8), 0);
    bytes
}

impl fmt::Debug for XmssCore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("XmssCore").field("height", &self.height).finish_non_exhaustive()
    }
}

#[cfg(verilated)]
mod shim {
    use super::{In, Out};
    use std::ffi::c_void;

    unsafe extern "C" {
        pub fn hasten_xmss_new() -> *mut c_void;
        pub fn hasten_xmss_free(unit: *mut c_void);
        pub fn hasten_xmss_cycle(unit: *mut c_void, input: *const In, output: *mut Out);
    }
}

/// Without models: nothing is ever made.
#[cfg(not(verilated))]
mod shim {
    use super::{In, Out};
    use std::ffi::c_void;

    pub unsafe fn hasten_xmss_new() -> *mut c_void {
        std::ptr::null_mut()
    }
    pub unsafe extern "C" fn hasten_xmss_free(_unit: *mut c_void) {}
    pub unsafe fn hasten_xmss_cycle(_unit: *mut c_void, _input: *const In, _output: *mut Out) {}
}
