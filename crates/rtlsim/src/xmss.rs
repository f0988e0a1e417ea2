//! `xmss_engine` (four chain cores with one round per cycle, or for SHAKE one Keccak core): a whole
//! core, driven through its ports.
//!
//! Signing returns the part of a signature that needs secrets: the randomizer and the chain values.
//! The authentication path comes from the tree traversal, which is not in the engine.

use crate::Error;
use crate::model::Model;
use std::ffi::c_void;
use std::fmt;

/// Maximum number of chains.
const MOST_CHAINS: usize = 67;
/// Number of bits of a message's length in bytes.
pub(crate) const LENGTH_BITS: u32 = 60;
/// Slot of the randomizer in the output stream.
const RANDOMIZER: u8 = 127;

/// Reason why the engine gave no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The signature is not valid.
    Bad,
    /// A wrong command, length or index, or no key.
    Refused,
}

/// The hash function of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hash {
    /// SHA-256.
    Sha256,
    /// SHAKE128, for XMSS with n = 32.
    Shake128,
    /// SHAKE256, for XMSS.
    Shake256,
}

/// The scheme of a key: XMSS (RFC 8391, SP 800-208) or LMS (RFC 8554).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// XMSS with w = 16.
    Xmss,
    /// LMS with w = 4.
    LmsW4,
    /// LMS with w = 8.
    LmsW8,
}

/// The kind of keys that an engine is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// The scheme.
    pub scheme: Scheme,
    /// The hash function.
    pub hash: Hash,
    /// Bytes of a hash value: 32 or 24.
    pub n: usize,
    /// Height of the tree, 1 to 20.
    pub height: u8,
}

impl Kind {
    /// Returns the number of chains of a one-time key.
    pub const fn chains(self) -> usize {
        match (self.scheme, self.n) {
            (Scheme::LmsW8, 24) => 26,
            (Scheme::LmsW8, _) => 34,
            (_, 24) => 51,
            _ => MOST_CHAINS,
        }
    }

    const fn is_lms(self) -> bool {
        !matches!(self.scheme, Scheme::Xmss)
    }

    /// Returns the engine's number for the hash functions.
    const fn mode(self) -> u8 {
        match (self.hash, self.n) {
            (Hash::Sha256, _) => 2 * self.is_lms() as u8 + (self.n == 24) as u8,
            (Hash::Shake128, _) => 0,
            (Hash::Shake256, 24) => 1,
            (Hash::Shake256, _) => 2,
        }
    }

    /// Returns the number of bytes of PUB_SEED, or of I for LMS.
    const fn id_bytes(self) -> usize {
        if self.is_lms() { 16 } else { self.n }
    }

    /// Returns the typecodes of LM-OTS and LMS (RFC 8554, section 3.2 (Typecodes), and SP 800-208
    /// for n = 24), or `None` if the height has no typecode.
    fn typecodes(self) -> Option<[u32; 2]> {
        let ots = if matches!(self.scheme, Scheme::LmsW8) { 4 } else { 3 };
        let (ots, first) = if self.n == 24 { (ots + 4, 10) } else { (ots, 5) };
        (self.height.is_multiple_of(5)).then(|| [ots, first + u32::from(self.height) / 5 - 1])
    }
}

/// A secret key: three seeds and the root, n bytes each. For LMS: SEED, nothing, I (16 bytes) and
/// the root.
#[derive(Clone, Copy)]
pub struct SecretKey<'k> {
    /// SK_SEED.
    pub sk_seed: &'k [u8],
    /// SK_PRF.
    pub sk_prf: &'k [u8],
    /// PUB_SEED.
    pub pub_seed: &'k [u8],
    /// The root.
    pub root: &'k [u8],
}

/// A result, with the clock cycles from the command to the answer.
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
    cycle: Cycle,
    kind: Kind,
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
    Node,
}

/// A command with its input stream.
struct Command<'s> {
    op: Op,
    check: bool,
    table: bool,
    index: u32,
    length: usize,
    stream: &'s [u8],
}

impl Command<'_> {
    /// Returns a command without a stream.
    const fn new(op: Op, index: u32) -> Self {
        Self { op, check: false, table: false, index, length: 0, stream: &[] }
    }
}

#[repr(C)]
#[derive(Default)]
struct In {
    data: u64,
    length: u64,
    index: u32,
    cmd_valid: u8,
    op: u8,
    check: u8,
    table: u8,
    mode: u8,
    octets: u8,
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
    /// Returns a new engine without a key, for keys of XMSS-SHA2_h_256 with trees of `height` (1 to
    /// 20).
    ///
    /// # Errors
    /// [`Error::NotBuilt`].
    pub fn new(height: u8) -> Result<Self, Error> {
        Self::of(Kind { scheme: Scheme::Xmss, hash: Hash::Sha256, n: 32, height })
    }

    /// Returns a new engine without a key, for keys of `kind`.
    ///
    /// # Errors
    /// [`Error::NotBuilt`].
    pub fn of(kind: Kind) -> Result<Self, Error> {
        let (new, free, cycle): (New, Free, Cycle) = match kind.hash {
            Hash::Sha256 => (
                shim::hasten_xmss_engine_new,
                shim::hasten_xmss_engine_free,
                shim::hasten_xmss_engine_cycle,
            ),
            _ => (
                shim::hasten_xmss_shake_new,
                shim::hasten_xmss_shake_free,
                shim::hasten_xmss_shake_cycle,
            ),
        };
        // SAFETY: the shim's `new` gives null or an engine that its `free` accepts once; nobody
        // else has it.
        let model = unsafe { Model::own(new(), free) }?;
        Ok(Self { model, cycle, kind })
    }

    /// Loads a key. Indices below `first` cannot sign.
    ///
    /// # Errors
    /// [`Refusal::Refused`] if the engine does not have this height, or if a length is wrong.
    pub fn load_key(&self, key: &SecretKey<'_>, first: u32) -> Result<Timed<()>, Refusal> {
        let SecretKey { sk_seed, sk_prf, pub_seed, root } = *key;
        let prf_bytes = if self.kind.is_lms() { 0 } else { self.kind.n };
        if sk_seed.len() != self.kind.n || sk_prf.len() != prf_bytes {
            return Err(Refusal::Refused);
        }
        let stream = [sk_seed, sk_prf, &self.public_part(pub_seed, root)?].concat();
        self.quiet(&Command { stream: &stream, ..Command::new(Op::LoadKey, first) })
    }

    /// Loads a public key, which can only verify.
    ///
    /// # Errors
    /// [`Refusal::Refused`] if the engine does not have this height, or if a length is wrong.
    pub fn load_public(&self, pub_seed: &[u8], root: &[u8]) -> Result<Timed<()>, Refusal> {
        let stream = self.public_part(pub_seed, root)?;
        self.quiet(&Command { stream: &stream, ..Command::new(Op::LoadPublic, 0) })
    }

    /// Returns PUB_SEED or I, padded to n bytes, and the root.
    fn public_part(&self, pub_seed: &[u8], root: &[u8]) -> Result<Vec<u8>, Refusal> {
        let Kind { n, .. } = self.kind;
        if pub_seed.len() != self.kind.id_bytes() || root.len() != n {
            return Err(Refusal::Refused);
        }
        let mut stream = pub_seed.to_vec();
        stream.resize(n, 0);
        stream.extend(root);
        Ok(stream)
    }

    /// Prepares the signature of `index`, or its verification.
    ///
    /// # Errors
    /// [`Refusal::Refused`].
    pub fn prepare(&self, index: u32, verification: bool) -> Result<Timed<()>, Refusal> {
        self.quiet(&Command { check: verification, ..Command::new(Op::Prepare, index) })
    }

    /// Prepares the signature of `index` with a table of all chain values. The table is for one
    /// signature and is erased after it.
    ///
    /// # Errors
    /// [`Refusal::Refused`], also for LMS with w = 8.
    pub fn prepare_table(&self, index: u32) -> Result<Timed<()>, Refusal> {
        self.quiet(&Command { table: true, ..Command::new(Op::Prepare, index) })
    }

    /// Signs a message. Returns the randomizer and the chain values in order, n bytes each.
    ///
    /// # Errors
    /// [`Refusal::Refused`], also for an index that has already signed.
    pub fn sign(&self, index: u32, message: &[u8]) -> Result<Timed<Vec<u8>>, Refusal> {
        let stream = whole_words(message);
        let command = Command { stream: &stream, ..Command::new(Op::Sign, index) };
        let command = Command { length: message.len(), ..command };
        let n = self.kind.n;
        let mut values = vec![0; n * (self.kind.chains() + 1)];
        let mut filled = [0; MOST_CHAINS + 1];
        let cycles = self.run(&command, |slot, word| {
            let place = if slot == RANDOMIZER { 0 } else { usize::from(slot) + 1 };
            let at = n * place + 8 * filled[place];
            values[at..at + 8].copy_from_slice(&word.to_le_bytes());
            filled[place] += 1;
        })?;
        Ok(Timed { value: values, cycles })
    }

    /// Verifies a signature in the format of RFC 8391, section 4.1.8 (XMSS Signature), or RFC 8554,
    /// section 5.4 (LMS Signature).
    ///
    /// # Errors
    /// [`Refusal::Bad`]; [`Refusal::Refused`] also for a wrong length or typecode.
    pub fn verify(&self, message: &[u8], signature: &[u8]) -> Result<Timed<()>, Refusal> {
        let (index, [r, chains, path]) = self.parts(signature).ok_or(Refusal::Refused)?;
        let stream = [r, &whole_words(message), chains, path].concat();
        let command = Command { stream: &stream, ..Command::new(Op::Verify, index) };
        self.quiet(&Command { length: message.len(), ..command })
    }

    /// Returns the index, randomizer, chain values and path, or `None` if a length or typecode is
    /// wrong.
    fn parts<'s>(&self, signature: &'s [u8]) -> Option<(u32, [&'s [u8]; 3])> {
        let Kind { n, height, .. } = self.kind;
        let code = |bytes: &'s [u8]| {
            let (code, rest) = bytes.split_first_chunk()?;
            Some((u32::from_be_bytes(*code), rest))
        };
        let codes = if self.kind.is_lms() { Some(self.kind.typecodes()?) } else { None };
        let expect = |bytes: &'s [u8], which: usize| match codes {
            None => Some(bytes),
            Some(codes) => {
                code(bytes).filter(|(found, _)| *found == codes[which]).map(|(_, rest)| rest)
            }
        };
        let (index, rest) = code(signature)?;
        let (r, rest) = expect(rest, 0)?.split_at_checked(n)?;
        let (chains, rest) = rest.split_at_checked(n * self.kind.chains())?;
        let path = expect(rest, 1)?;
        (path.len() == n * usize::from(height)).then_some((index, [r, chains, path]))
    }

    /// Returns the leaf `index`.
    ///
    /// # Errors
    /// [`Refusal::Refused`].
    pub fn leaf(&self, index: u32) -> Result<Timed<Vec<u8>>, Refusal> {
        let mut value = Vec::with_capacity(self.kind.n);
        let command = Command::new(Op::Leaf, index);
        let cycles = self.run(&command, |_, word| value.extend(word.to_le_bytes()))?;
        Ok(Timed { value, cycles })
    }

    /// Returns the node `index` at height `height` of the tree, computed from its leaves. Height 0
    /// is [`leaf`](Self::leaf).
    ///
    /// # Errors
    /// [`Refusal::Refused`].
    pub fn node(&self, height: u8, index: u32) -> Result<Timed<Vec<u8>>, Refusal> {
        let mut value = Vec::with_capacity(self.kind.n);
        let command = Command::new(Op::Node, index);
        let cycles = self.run_at(&command, height, |_, word| value.extend(word.to_le_bytes()))?;
        Ok(Timed { value, cycles })
    }

    /// Erases everything in the engine.
    pub fn clear(&self) {
        let command = Command::new(Op::Clear, 0);
        self.run(&command, |_, _| ()).expect("it is never refused");
    }

    fn quiet(&self, command: &Command<'_>) -> Result<Timed<()>, Refusal> {
        self.run(command, |_, _| ()).map(|cycles| Timed { value: (), cycles })
    }

    /// Runs a command to its answer, and returns the cycles.
    fn run(&self, command: &Command<'_>, take: impl FnMut(u8, u64)) -> Result<u32, Refusal> {
        self.run_at(command, self.kind.height, take)
    }

    /// Like [`run`](Self::run), but with another height.
    fn run_at(
        &self,
        command: &Command<'_>,
        height: u8,
        mut take: impl FnMut(u8, u64),
    ) -> Result<u32, Refusal> {
        let length = u64::try_from(command.length).map_err(|_| Refusal::Refused)?;
        if length >> LENGTH_BITS != 0 {
            return Err(Refusal::Refused);
        }
        let (mut given, mut words) = (false, command.stream.chunks(8).peekable());
        loop {
            let mut input = In { length, index: command.index, height, ..In::default() };
            (input.mode, input.octets) =
                (self.kind.mode(), matches!(self.kind.scheme, Scheme::LmsW8).into());
            (input.op, input.check) = (command.op as u8, command.check.into());
            input.table = command.table.into();
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
        // SAFETY: both layouts are those of the shim, both pointers are good for the call, and the
        // model is used alone.
        self.model.with(|unit| unsafe { (self.cycle)(unit, input, &mut output) });
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
        f.debug_struct("XmssCore").field("kind", &self.kind).finish_non_exhaustive()
    }
}

type New = unsafe extern "C" fn() -> *mut c_void;
type Free = unsafe extern "C" fn(*mut c_void);
type Cycle = unsafe extern "C" fn(*mut c_void, *const In, *mut Out);

#[cfg(verilated)]
mod shim {
    use super::{In, Out};
    use std::ffi::c_void;

    unsafe extern "C" {
        pub fn hasten_xmss_engine_new() -> *mut c_void;
        pub fn hasten_xmss_engine_free(unit: *mut c_void);
        pub fn hasten_xmss_engine_cycle(unit: *mut c_void, input: *const In, output: *mut Out);
        pub fn hasten_xmss_shake_new() -> *mut c_void;
        pub fn hasten_xmss_shake_free(unit: *mut c_void);
        pub fn hasten_xmss_shake_cycle(unit: *mut c_void, input: *const In, output: *mut Out);
    }
}

/// Stubs for a build without models: no engine is ever made.
#[cfg(not(verilated))]
mod shim {
    use super::{In, Out};
    use std::ffi::c_void;

    pub unsafe extern "C" fn hasten_xmss_engine_new() -> *mut c_void {
        std::ptr::null_mut()
    }
    pub unsafe extern "C" fn hasten_xmss_engine_free(_: *mut c_void) {}
    pub unsafe extern "C" fn hasten_xmss_engine_cycle(_: *mut c_void, _: *const In, _: *mut Out) {}
    pub use self::{
        hasten_xmss_engine_cycle as hasten_xmss_shake_cycle,
        hasten_xmss_engine_free as hasten_xmss_shake_free,
        hasten_xmss_engine_new as hasten_xmss_shake_new,
    };
}
