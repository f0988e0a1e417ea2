// SPDX-License-Identifier: Apache-2.0 OR MIT

//! Driver of `hbs_verify_axi`, for any platform: `core` only, no allocation, no unsafe code.
//!
//! The platform gives a [`Bus`]: the registers, and the stream, by DMA or word by word. Keys and
//! signatures are those of RFC 8554 and RFC 8391; the driver puts their parts into the order of the
//! stream.

use super::hbs_verify as regs;

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
    /// Puts a word into the stream, its first byte in the low bits, `last` as TLAST; waits until it
    /// is taken.
    ///
    /// # Errors
    /// Those of the platform.
    fn send(&mut self, word: [u8; 4], last: bool) -> Result<(), Self::Error>;
    /// Returns whether to ask the core once more, after so many times without an answer.
    fn goes_on(&mut self, times: u32) -> bool {
        times < 1 << 24
    }
}

/// Why there is no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error<E> {
    /// The bus failed.
    Bus(E),
    /// Another block, or another version of this one, answers.
    NotTheCore,
    /// The core gave no answer, or one answer and then another, or took no command.
    NoAnswer,
}

/// The form of key and signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Those of LMS.
    Lms,
    /// Those of HSS, with one or two levels.
    Hss,
    /// Those of XMSS, which a core without it refuses.
    Xmss,
}

/// The core's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Verdict {
    /// The signature is one of the message with the key.
    Good,
    /// It is not.
    Bad,
    /// Key or signature has another form, other typecodes or another length.
    Refused,
}

/// The core behind a bus.
#[derive(Debug)]
pub struct HbsVerify<B> {
    bus: B,
}

impl<B: Bus> HbsVerify<B> {
    /// Looks whether the core is there, and ends what it has in work.
    ///
    /// # Errors
    /// [`Error::NotTheCore`], [`Error::Bus`].
    pub fn new(mut bus: B) -> Result<Self, Error<B::Error>> {
        let id = bus.read(regs::ID).map_err(Error::Bus)?;
        let version = bus.read(regs::VERSION).map_err(Error::Bus)?;
        if id != u32::from_be_bytes(*b"HBSV") || version >> regs::VERSION_MAJOR_SHIFT != 1 {
            return Err(Error::NotTheCore);
        }
        let mut core = Self { bus };
        core.clear()?;
        Ok(core)
    }

    /// Returns true if the core was built to verify signatures of XMSS too.
    ///
    /// # Errors
    /// [`Error::Bus`].
    pub fn has_xmss(&mut self) -> Result<bool, Error<B::Error>> {
        let features = self.bus.read(regs::FEATURES).map_err(Error::Bus)?;
        Ok(features & regs::FEATURES_XMSS_MASK != 0)
    }

    /// Ends what the core has in work; its last answer is gone then.
    ///
    /// # Errors
    /// [`Error::Bus`].
    pub fn clear(&mut self) -> Result<(), Error<B::Error>> {
        self.write(regs::COMMAND, regs::COMMAND_OP_CLEAR << regs::COMMAND_OP_SHIFT)
    }

    /// Returns the verdict on a signature of a message.
    ///
    /// # Errors
    /// [`Error::Bus`], [`Error::NoAnswer`].
    pub fn verify(
        &mut self,
        form: Form,
        key: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<Verdict, Error<B::Error>> {
        let Some(parts) = Parts::of(form, key, signature) else { return Ok(Verdict::Refused) };
        self.begin(form, 0, message.len() as u64)?;
        self.send(&parts.before)?;
        self.send(&[parts.randomizer, message])?;
        self.end(parts.behind)
    }

    /// Returns the verdict on a signature of whose message the caller knows the digest, and answers
    /// for it: Q of RFC 8554, Section 4.5 (Signature Generation), or what H_msg of XMSS makes (RFC
    /// 8391, Section 4.1.9 (XMSS Signature Generation)).
    ///
    /// # Errors
    /// [`Error::Bus`], [`Error::NoAnswer`].
    pub fn verify_digest(
        &mut self,
        form: Form,
        key: &[u8],
        digest: &[u8],
        signature: &[u8],
    ) -> Result<Verdict, Error<B::Error>> {
        let parts = Parts::of(form, key, signature);
        let Some(parts) = parts.filter(|parts| parts.randomizer.len() == digest.len()) else {
            return Ok(Verdict::Refused);
        };
        self.begin(form, regs::COMMAND_DIGEST_MASK, 0)?;
        self.send(&parts.before)?;
        self.send(&[digest])?;
        self.end(parts.behind)
    }

    /// Returns clock cycles of the last verification.
    ///
    /// # Errors
    /// [`Error::Bus`].
    pub fn cycles(&mut self) -> Result<u32, Error<B::Error>> {
        self.bus.read(regs::CYCLES).map_err(Error::Bus)
    }

    fn write(&mut self, address: usize, value: u32) -> Result<(), Error<B::Error>> {
        self.bus.write(address, value).map_err(Error::Bus)
    }

    /// Gives a command, to a core that has nothing in work: the bus may have failed in a stream. An
    /// answer that is still there is another one's, and this command could be lost as the last.
    fn begin(&mut self, form: Form, digest: u32, length: u64) -> Result<(), Error<B::Error>> {
        let form = match form {
            Form::Lms => 0,
            Form::Hss => regs::COMMAND_HSS_MASK,
            Form::Xmss => regs::COMMAND_XMSS_MASK,
        };
        self.clear()?;
        let status = self.bus.read(regs::STATUS).map_err(Error::Bus)?;
        if status & (regs::STATUS_BUSY_MASK | regs::STATUS_VERDICT_MASK) != 0 {
            return Err(Error::NoAnswer);
        }
        self.write(regs::LENGTH, length as u32)?;
        self.write(regs::LENGTH_HIGH, (length >> 32) as u32)?;
        self.write(regs::COMMAND, regs::COMMAND_OP_VERIFY | form | digest)
    }

    /// Sends parts, each filled up to whole words.
    fn send(&mut self, parts: &[&[u8]]) -> Result<(), Error<B::Error>> {
        let words = parts.iter().flat_map(|part| part.chunks(4));
        for word in words {
            self.bus.send(filled(word), false).map_err(Error::Bus)?;
        }
        Ok(())
    }

    /// Sends the last part, and returns the verdict.
    fn end(&mut self, part: &[u8]) -> Result<Verdict, Error<B::Error>> {
        let (most, last) = part.split_at(part.len() - 4);
        self.send(&[most])?;
        self.bus.send(filled(last), true).map_err(Error::Bus)?;
        let mut times = 0_u32;
        loop {
            let status = self.bus.read(regs::STATUS).map_err(Error::Bus)?;
            if status & regs::STATUS_BUSY_MASK == 0 {
                return self.verdict(status);
            }
            times = times.saturating_add(1);
            if !self.bus.goes_on(times) {
                return Err(Error::NoAnswer);
            }
        }
    }

    /// Returns what the status says, which the core decides once more for a second reading.
    fn verdict(&mut self, status: u32) -> Result<Verdict, Error<B::Error>> {
        let again = self.bus.read(regs::STATUS).map_err(Error::Bus)?;
        if again != status {
            return Err(Error::NoAnswer);
        }
        match (again & regs::STATUS_VERDICT_MASK) >> regs::STATUS_VERDICT_SHIFT {
            regs::STATUS_VERDICT_GOOD => Ok(Verdict::Good),
            regs::STATUS_VERDICT_BAD => Ok(Verdict::Bad),
            regs::STATUS_VERDICT_REFUSED => Ok(Verdict::Refused),
            _ => Err(Error::NoAnswer),
        }
    }
}

/// Returns a word of at most four bytes.
fn filled(bytes: &[u8]) -> [u8; 4] {
    let mut word = [0; 4];
    word[..bytes.len()].copy_from_slice(bytes);
    word
}

/// Holds key and signature in the order of the stream.
struct Parts<'a> {
    before: [&'a [u8]; 6],
    randomizer: &'a [u8],
    behind: &'a [u8],
}

impl<'a> Parts<'a> {
    /// Returns them, where all lengths are those that the typecodes of the keys ask for.
    fn of(form: Form, key: &'a [u8], signature: &'a [u8]) -> Option<Self> {
        let (mut tree, mut rest) = (key, signature);
        let mut before = [key, &[], &[], &[], &[], &[]];
        let mut levels = 1;
        if form == Form::Hss {
            levels = number(take(&mut tree, 4)?)?;
            before[1] = take(&mut rest, 4)?;
        }
        let mut shape = Shape::of(form, tree)?;
        if tree.len() != shape.key() || !(1..=2).contains(&levels) {
            return None;
        }
        if levels == 2 {
            before[2] = take(&mut rest, shape.head())?;
            before[4] = take(&mut rest, shape.behind())?;
            shape = Shape::of(form, rest)?;
            before[3] = take(&mut rest, shape.key())?;
        }
        before[5] = take(&mut rest, shape.head() - shape.n)?;
        let randomizer = take(&mut rest, shape.n)?;
        (rest.len() == shape.behind()).then_some(Self { before, randomizer, behind: rest })
    }
}

/// Holds the sizes of a set with SHA-256: RFC 8554, Section 4.1 (Parameters) and Section 5.1
/// (Parameters); for n = 24 SP 800-208, Section 4 (Leighton-Micali Signatures (LMS) Parameter
/// Sets). Those of XMSS are in RFC 8391, Section 5.3 (XMSS Parameters), and SP 800-208, Section 5.2
/// (XMSS and XMSS^MT Parameter Sets with SHA-256/192).
struct Shape {
    n: usize,
    chains: usize,
    height: usize,
    /// Bytes of a typecode: XMSS has one in the key alone.
    code: usize,
}

impl Shape {
    /// Returns those that the typecodes at the beginning of a key name.
    fn of(form: Form, key: &[u8]) -> Option<Self> {
        if form == Form::Xmss { Self::of_xmss(key) } else { Self::of_lms(key) }
    }

    fn of_xmss(key: &[u8]) -> Option<Self> {
        let oid = number(key)?;
        let n = if oid < 13 { 32 } else { 24 };
        let height = match oid {
            1 | 13 => 10,
            2 | 14 => 16,
            3 | 15 => 20,
            _ => return None,
        };
        Some(Self { n, chains: 2 * n + 3, height, code: 0 })
    }

    fn of_lms(key: &[u8]) -> Option<Self> {
        let (tree, ots) = (number(key)?, number(key.get(4..)?)?);
        let (n, first) = if tree < 10 { (32, 5) } else { (24, 10) };
        if !(5..=14).contains(&tree) || !(1..=8).contains(&ots) || (ots > 4) != (n == 24) {
            return None;
        }
        let w = 1_usize << ((ots - 1) % 4);
        let digits = 8 * n / w;
        let bits = (digits * ((1 << w) - 1)).ilog2() as usize + 1;
        let height = 5 * (tree - first + 1) as usize;
        Some(Self { n, chains: digits + bits.div_ceil(w), height, code: 4 })
    }

    /// Returns the bytes of a public key.
    const fn key(&self) -> usize {
        if self.code == 0 { 4 + 2 * self.n } else { 24 + self.n }
    }

    /// Returns the bytes of a signature before its message: the index, typecode and randomizer.
    const fn head(&self) -> usize {
        4 + self.code + self.n
    }

    /// Returns those behind it: chains, typecode and path.
    const fn behind(&self) -> usize {
        self.code + self.n * (self.chains + self.height)
    }
}

/// Returns the number at the beginning.
fn number(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.first_chunk()?))
}

/// Takes bytes off the beginning.
fn take<'a>(from: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = from.split_at_checked(count)?;
    *from = rest;
    Some(taken)
}
