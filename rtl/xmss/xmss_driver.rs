// SPDX-License-Identifier: Apache-2.0 OR MIT

//! Driver of `xmss_engine_axi`, for any platform: `core` only, no allocation, no unsafe code.
//!
//! The platform gives a [`Bus`]: the registers, and both streams, by DMA or word by word. The
//! engine makes what needs secrets; the path of a signature is the traversal's, and typecodes of
//! LMS are the caller's.

use super::xmss as regs;

/// Holds what the driver needs of the platform.
pub trait Bus {
    /// How an access fails.
    type Error;
    /// Returns a register, by its byte address.
    ///
    /// # Errors
    /// Those of the platform.
    fn read(&mut self, address: usize) -> Result<u32, Self::Error>;
    /// Writes a register.
    ///
    /// # Errors
    /// Those of the platform.
    fn write(&mut self, address: usize, value: u32) -> Result<(), Self::Error>;
    /// Puts a word into an input stream, `last` as TLAST; waits until it is taken.
    ///
    /// # Errors
    /// Those of the platform.
    fn send(&mut self, stream: Stream, word: [u8; 8], last: bool) -> Result<(), Self::Error>;
    /// Returns the next word of the output stream with its TID, if one is there.
    ///
    /// # Errors
    /// Those of the platform.
    fn receive(&mut self) -> Result<Option<(u16, [u8; 8])>, Self::Error>;
    /// Returns whether to ask the engine once more, after so many times without an answer. The node
    /// of a whole tree takes the longest: some 40,000 cycles for each leaf.
    fn goes_on(&mut self, times: u32) -> bool {
        times < 1 << 24
    }
}

/// The input streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Public keys, messages, signatures: `s_axis`.
    Data,
    /// Secret keys: `s_axis_key`.
    Key,
}

/// Why there is no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error<E> {
    /// The bus failed.
    Bus(E),
    /// Another block, or another version of this one, answers.
    NotTheEngine,
    /// No key, an index that is used up or beyond the tree, a wrong length.
    Refused,
    /// The engine put out other words than the command has.
    Length,
    /// The engine gave no answer, or none to this command: what it was asked is not known. After a
    /// signature the index counts as used.
    NoAnswer,
}

/// The hash functions of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hash {
    /// SHA-256: XMSS-SHA2, LMS_SHA256.
    Sha256,
    /// SHAKE128: XMSS-SHAKE_h_256.
    Shake128,
    /// SHAKE256: XMSS-SHAKE256_h_192 and _256.
    Shake256,
}

/// Which keys. An engine is built for SHA-256 or for SHAKE.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Set {
    /// For SHAKE there is no LMS.
    pub hash: Hash,
    /// Bytes of a value, 32 or 24.
    pub n: usize,
    /// LMS, and then w: 4 or 8, and 1 or 2 where `features.narrow` says so.
    pub lms: Option<u8>,
    /// Height of the tree, 1 to 20.
    pub height: u8,
}

impl Set {
    /// Returns the fields of a command that loads a key of it, where the engine knows it.
    const fn bits(self) -> Option<u32> {
        let mode = match (self.hash, self.lms, self.n) {
            (Hash::Sha256, None, 24) => regs::COMMAND_MODE_XMSS_N24,
            (Hash::Sha256, None, 32) => regs::COMMAND_MODE_XMSS_N32,
            (Hash::Sha256, Some(_), 24) => regs::COMMAND_MODE_LMS_N24,
            (Hash::Sha256, Some(_), 32) => regs::COMMAND_MODE_LMS_N32,
            (Hash::Shake128, None, 32) => regs::COMMAND_MODE_SHAKE_N32,
            (Hash::Shake256, None, 24) => regs::COMMAND_MODE_SHAKE256_N24,
            (Hash::Shake256, None, 32) => regs::COMMAND_MODE_SHAKE256_N32,
            _ => return None,
        };
        let width = match self.lms {
            None | Some(4) => 0,
            Some(8) => regs::COMMAND_OCTETS_MASK,
            Some(2) => regs::COMMAND_NARROW_MASK,
            Some(1) => regs::COMMAND_NARROW_MASK | regs::COMMAND_OCTETS_MASK,
            Some(_) => return None,
        };
        Some(
            mode << regs::COMMAND_MODE_SHIFT
                | width
                | (self.height as u32) << regs::COMMAND_HEIGHT_SHIFT,
        )
    }
}

/// The engine behind a bus.
#[derive(Debug)]
pub struct Xmss<B> {
    bus: B,
    n: usize,
    /// The map has `length_high`, and `length` 32 bits and not 16.
    long: bool,
    /// Secret keys have a stream of their own.
    apart: bool,
    /// LMS with w = 1 and 2, and numbers of values that have nine bits.
    narrow: bool,
    /// `status` has a verdict of its own for signatures.
    judges: bool,
    /// The number of the answer to the last command, modulo 256.
    due: u8,
}

/// The minor version of the map from which on messages may be longer than 65,535 bytes.
const LONG_FROM: u32 = 3;

/// The minor version of the map from which on secret keys have a stream of their own.
const APART_FROM: u32 = 4;

/// The minor version of the map from which on `features.narrow` is there.
const NARROW_FROM: u32 = 5;

/// The minor version of the map from which on `status.verdict` is there.
const JUDGES_FROM: u32 = 6;

impl<B: Bus> Xmss<B> {
    /// Looks whether the engine is there, and has it forget everything.
    ///
    /// # Errors
    /// [`Error::NotTheEngine`], [`Error::Bus`]; [`Error::NoAnswer`] if it is in the middle of a
    /// command whose stream has not ended: then only a reset helps.
    pub fn new(mut bus: B) -> Result<Self, Error<B::Error>> {
        let id = bus.read(regs::ID).map_err(Error::Bus)?;
        let version = bus.read(regs::VERSION).map_err(Error::Bus)?;
        if id != u32::from_be_bytes(*b"XMSS") || version >> 16 != 1 {
            return Err(Error::NotTheEngine);
        }
        let minor = version & 0xffff;
        let features = bus.read(regs::FEATURES).map_err(Error::Bus)?;
        let narrow = minor >= NARROW_FROM && features & regs::FEATURES_NARROW_MASK != 0;
        let (long, apart) = (minor >= LONG_FROM, minor >= APART_FROM);
        let mut engine =
            Self { bus, n: 32, long, apart, narrow, judges: minor >= JUDGES_FROM, due: 0 };
        engine.idle()?;
        engine.clear()?;
        Ok(engine)
    }

    /// Returns the randomizer's TID, all ones.
    const fn randomizer(&self) -> u16 {
        if self.narrow { 511 } else { 127 }
    }

    /// Takes a key: SK_SEED, SK_PRF, PUB_SEED and root, of LMS SEED, I and root. Indices below
    /// `first` sign nothing.
    ///
    /// # Errors
    /// [`Error::Refused`], [`Error::Bus`].
    pub fn load_key(
        &mut self,
        set: Set,
        first: u32,
        parts: &[&[u8]],
    ) -> Result<(), Error<B::Error>> {
        self.load(regs::COMMAND_OP_LOAD_KEY, set, first, parts)
    }

    /// Takes a public key: PUB_SEED (of LMS I) and root.
    ///
    /// # Errors
    /// [`Error::Refused`], [`Error::Bus`].
    pub fn load_public(
        &mut self,
        set: Set,
        pub_seed: &[u8],
        root: &[u8],
    ) -> Result<(), Error<B::Error>> {
        self.load(regs::COMMAND_OP_LOAD_PUBLIC, set, 0, &[pub_seed, root])
    }

    /// Prepares the signature of `index`, or its verification, and waits for it.
    ///
    /// # Errors
    /// [`Error::Refused`], [`Error::Bus`].
    pub fn prepare(&mut self, index: u32, verification: bool) -> Result<(), Error<B::Error>> {
        let check = u32::from(verification) << regs::COMMAND_CHECK_SHIFT;
        self.begin(regs::COMMAND_OP_PREPARE | check, index, 0)?;
        self.done(&mut [])
    }

    /// Prepares the signature of `index` by a table of all chain values, and waits for it. The
    /// table is for one signature and is erased behind it. LMS has one with w = 4 only.
    ///
    /// # Errors
    /// [`Error::Refused`], [`Error::Bus`].
    pub fn prepare_table(&mut self, index: u32) -> Result<(), Error<B::Error>> {
        self.begin(regs::COMMAND_OP_PREPARE | regs::COMMAND_CHAIN_TABLE_MASK, index, 0)?;
        self.done(&mut [])
    }

    /// Has it prepared while nothing else is asked for: the next command ends a preparation that is
    /// not done.
    ///
    /// # Errors
    /// [`Error::Bus`].
    pub fn begin_to_prepare(
        &mut self,
        index: u32,
        verification: bool,
    ) -> Result<(), Error<B::Error>> {
        let check = u32::from(verification) << regs::COMMAND_CHECK_SHIFT;
        self.begin(regs::COMMAND_OP_PREPARE | regs::COMMAND_IDLE_MASK | check, index, 0)
    }

    /// Reads the randomizer and the chain values, n bytes each, into `values`.
    ///
    /// # Errors
    /// [`Error::Refused`], [`Error::Length`], [`Error::Bus`].
    pub fn sign(
        &mut self,
        index: u32,
        message: &[u8],
        values: &mut [u8],
    ) -> Result<(), Error<B::Error>> {
        let length = self.length(message)?;
        self.begin(regs::COMMAND_OP_SIGN, index, length)?;
        self.words(Stream::Data, message, true)?;
        self.done(values)
    }

    /// Checks whether randomizer, chain values and path are a signature of the message.
    ///
    /// # Errors
    /// [`Error::Refused`], [`Error::Bus`].
    pub fn verify(
        &mut self,
        index: u32,
        message: &[u8],
        signature: [&[u8]; 3],
    ) -> Result<bool, Error<B::Error>> {
        let length = self.length(message)?;
        let [r, chains, path] = signature;
        self.begin(regs::COMMAND_OP_VERIFY, index, length)?;
        for part in [r, message, chains] {
            self.words(Stream::Data, part, false)?;
        }
        self.words(Stream::Data, path, true)?;
        let (status, _) = self.finish(&mut [])?;
        self.verdict(status)
    }

    /// Computes the leaf `index`.
    ///
    /// # Errors
    /// [`Error::Refused`], [`Error::Length`], [`Error::Bus`].
    pub fn leaf(&mut self, index: u32, value: &mut [u8]) -> Result<(), Error<B::Error>> {
        self.begin(regs::COMMAND_OP_LEAF, index, 0)?;
        self.done(value)
    }

    /// Computes the node `index` of height `height` of the tree, from its leaves.
    ///
    /// # Errors
    /// [`Error::Refused`], [`Error::Length`], [`Error::Bus`].
    pub fn node(
        &mut self,
        height: u8,
        index: u32,
        value: &mut [u8],
    ) -> Result<(), Error<B::Error>> {
        let height = u32::from(height.min(31)) << regs::COMMAND_HEIGHT_SHIFT;
        self.begin(regs::COMMAND_OP_NODE | height, index, 0)?;
        self.done(value)
    }

    /// Has the engine forget everything.
    ///
    /// # Errors
    /// [`Error::Bus`].
    pub fn clear(&mut self) -> Result<(), Error<B::Error>> {
        self.begin(regs::COMMAND_OP_CLEAR, 0, 0)?;
        self.done(&mut [])
    }

    /// Returns clock cycles of the last answered command.
    ///
    /// # Errors
    /// [`Error::Bus`].
    pub fn cycles(&mut self) -> Result<u32, Error<B::Error>> {
        self.bus.read(regs::CYCLES).map_err(Error::Bus)
    }

    fn load(
        &mut self,
        op: u32,
        set: Set,
        first: u32,
        parts: &[&[u8]],
    ) -> Result<(), Error<B::Error>> {
        let bits = set.bits().ok_or(Error::Refused)?;
        let shake = self.bus.read(regs::FEATURES).map_err(Error::Bus)? & regs::FEATURES_SHAKE_MASK;
        let hash_differs = (shake == 0) != (set.hash == Hash::Sha256);
        let too_narrow = bits & regs::COMMAND_NARROW_MASK != 0 && !self.narrow;
        if hash_differs || too_narrow || parts.iter().any(|part| part.len() > set.n) {
            return Err(Error::Refused);
        }
        self.n = set.n;
        self.begin(op | bits, first, 0)?;
        let secret = self.apart && op == regs::COMMAND_OP_LOAD_KEY;
        let stream = if secret { Stream::Key } else { Stream::Data };
        for (i, part) in parts.iter().enumerate() {
            self.filled(stream, part, i + 1 == parts.len())?;
        }
        self.done(&mut [])
    }

    /// Returns the length of a message, where the engine takes so long a one.
    fn length(&self, message: &[u8]) -> Result<u64, Error<B::Error>> {
        let bits = if self.long { 60 } else { 16 };
        let length = u64::try_from(message.len()).map_err(|_| Error::Refused)?;
        if length >> bits == 0 { Ok(length) } else { Err(Error::Refused) }
    }

    /// Gives a command when no other one waits.
    fn begin(&mut self, command: u32, index: u32, length: u64) -> Result<(), Error<B::Error>> {
        self.until(regs::STATUS_FULL_MASK)?;
        if self.long {
            self.bus.write(regs::LENGTH_HIGH, (length >> 32) as u32).map_err(Error::Bus)?;
        }
        let low = length as u32;
        let writes = [(regs::INDEX, index), (regs::LENGTH, low), (regs::COMMAND, command)];
        writes
            .iter()
            .try_for_each(|(at, value)| self.bus.write(*at, *value))
            .map_err(Error::Bus)?;
        self.due = self.due.wrapping_add(1);
        Ok(())
    }

    /// Waits until nothing runs, and takes the number of the last answer.
    fn idle(&mut self) -> Result<(), Error<B::Error>> {
        self.due = number(self.until(regs::STATUS_BUSY_MASK)?);
        Ok(())
    }

    /// Returns the status once a bit of it is low.
    fn until(&mut self, mask: u32) -> Result<u32, Error<B::Error>> {
        let mut times = 0;
        loop {
            let status = self.bus.read(regs::STATUS).map_err(Error::Bus)?;
            if status & mask == 0 {
                return Ok(status);
            }
            self.again(&mut times)?;
        }
    }

    /// Counts one more time without an answer.
    fn again(&mut self, times: &mut u32) -> Result<(), Error<B::Error>> {
        *times = times.saturating_add(1);
        if self.bus.goes_on(*times) { Ok(()) } else { Err(Error::NoAnswer) }
    }

    /// Sends a value of the key, filled up to n bytes: I has 16. Whatever is left of it here is
    /// cleared.
    fn filled(&mut self, stream: Stream, part: &[u8], last: bool) -> Result<(), Error<B::Error>> {
        let mut value = [0; 32];
        value[..part.len()].copy_from_slice(part);
        let sent = self.words(stream, &value[..self.n], last);
        value.fill(0);
        core::hint::black_box(&value);
        sent
    }

    /// Sends whole words, the last one filled up.
    fn words(&mut self, stream: Stream, bytes: &[u8], last: bool) -> Result<(), Error<B::Error>> {
        let count = bytes.len().div_ceil(8);
        for (i, chunk) in bytes.chunks(8).enumerate() {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.bus.send(stream, word, last && i + 1 == count).map_err(Error::Bus)?;
        }
        Ok(())
    }

    /// Takes output until nothing runs, and checks that the command was done.
    fn done(&mut self, values: &mut [u8]) -> Result<(), Error<B::Error>> {
        let (status, count) = self.finish(values)?;
        match (status & regs::STATUS_RESULT_MASK) >> regs::STATUS_RESULT_SHIFT {
            regs::STATUS_RESULT_OK if count == values.len() => Ok(()),
            regs::STATUS_RESULT_OK => Err(Error::Length),
            _ => Err(Error::Refused),
        }
    }

    /// Returns what the status says of a signature.
    fn verdict(&self, status: u32) -> Result<bool, Error<B::Error>> {
        let result = (status & regs::STATUS_RESULT_MASK) >> regs::STATUS_RESULT_SHIFT;
        let code = (status & regs::STATUS_VERDICT_MASK) >> regs::STATUS_VERDICT_SHIFT;
        match (result, code) {
            (regs::STATUS_RESULT_OK, regs::STATUS_VERDICT_GOOD) => Ok(true),
            (regs::STATUS_RESULT_BAD, regs::STATUS_VERDICT_BAD) => Ok(false),
            (regs::STATUS_RESULT_REFUSED, regs::STATUS_VERDICT_REFUSED) => Err(Error::Refused),
            _ if self.judges => Err(Error::NoAnswer),
            (regs::STATUS_RESULT_OK, _) => Ok(true),
            (regs::STATUS_RESULT_BAD, _) => Ok(false),
            _ => Err(Error::Refused),
        }
    }

    /// Takes output until nothing runs: `values` in the order of their numbers, the randomizer
    /// first. Returns the status, which is that of this command's answer, and the bytes that came.
    fn finish(&mut self, values: &mut [u8]) -> Result<(u32, usize), Error<B::Error>> {
        let (mut filled, mut count, mut times) = ([0_u8; 512], 0, 0);
        let randomizer = self.randomizer();
        let single = values.len() == self.n;
        loop {
            let status = self.bus.read(regs::STATUS).map_err(Error::Bus)?;
            while let Some((number, word)) = self.bus.receive().map_err(Error::Bus)? {
                let slot = usize::from(number & randomizer);
                let place = if single || number == randomizer { 0 } else { slot + 1 };
                let at = self.n * place + 8 * usize::from(filled[slot]);
                values.get_mut(at..at + 8).ok_or(Error::Length)?.copy_from_slice(&word);
                filled[slot] += 1;
                count += 8;
            }
            if status & regs::STATUS_BUSY_MASK == 0 {
                let again = self.bus.read(regs::STATUS).map_err(Error::Bus)?;
                let due = core::mem::replace(&mut self.due, number(again));
                return match again == status && number(status) == due {
                    true => Ok((status, count)),
                    false => Err(Error::NoAnswer),
                };
            }
            self.again(&mut times)?;
        }
    }
}

/// Returns the number of the last answer.
const fn number(status: u32) -> u8 {
    ((status & regs::STATUS_ANSWERS_MASK) >> regs::STATUS_ANSWERS_SHIFT) as u8
}
