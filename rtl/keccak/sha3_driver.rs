// SPDX-License-Identifier: Apache-2.0 OR MIT

//! Driver of `sha3_unit_axi`, for any platform: `core` only, no allocation, no unsafe code. Hashes
//! and extendable output (FIPS 202), and the chains of hash-based signatures, on one of four tags.
//!
//! The platform gives a [`Bus`]: the registers, and both streams, by DMA or word by word.

use super::sha3 as regs;

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
    /// Puts a beat of at most sixteen bytes into the input stream, and waits until it is taken.
    ///
    /// # Errors
    /// Those of the platform.
    fn send(&mut self, beat: Beat<'_>) -> Result<(), Self::Error>;
    /// Takes the next beat of the output stream, if one is there: its bytes and its TID. Returns
    /// how many bytes it has.
    ///
    /// # Errors
    /// Those of the platform.
    fn receive(&mut self, bytes: &mut [u8; 16]) -> Result<Option<(usize, u8)>, Self::Error>;
    /// Returns whether to ask the unit once more, after so many times without an answer.
    fn goes_on(&mut self, times: u32) -> bool {
        times < 1 << 24
    }
}

/// A beat of the input stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beat<'a> {
    /// The bytes: sixteen, or fewer in the last beat of a piece.
    pub bytes: &'a [u8],
    /// TID.
    pub tag: u8,
    /// TUSER, how the piece ends: 1 with padding, 0 a value of a chain.
    pub user: u8,
    /// TLAST.
    pub last: bool,
}

/// Why there is no output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error<E> {
    /// The bus failed.
    Bus(E),
    /// Another block, or another version of this one, answers.
    NotTheUnit,
    /// The unit took no command, or gave no answer to it.
    NoAnswer,
    /// The unit put out fewer or more bytes than were asked for, or those of another tag; or there
    /// is no such length.
    Length,
}

/// A function of FIPS 202.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// 28 bytes of output.
    Sha3_224,
    /// 32 bytes of output.
    Sha3_256,
    /// 48 bytes of output.
    Sha3_384,
    /// 64 bytes of output.
    Sha3_512,
    /// Output of any length.
    Shake128,
    /// Output of any length.
    Shake256,
}

impl Function {
    /// Returns the rate in lanes, the suffix, and the length of the output where it has one.
    const fn shape(self) -> (u32, u32, Option<usize>) {
        let (sha3, shake) = (regs::COMMAND_SUFFIX_SHA3, regs::COMMAND_SUFFIX_SHAKE);
        match self {
            Self::Sha3_224 => (regs::COMMAND_RATE_SHA3_224, sha3, Some(28)),
            Self::Sha3_256 => (regs::COMMAND_RATE_SHA3_256, sha3, Some(32)),
            Self::Sha3_384 => (regs::COMMAND_RATE_SHA3_384, sha3, Some(48)),
            Self::Sha3_512 => (regs::COMMAND_RATE_SHA3_512, sha3, Some(64)),
            Self::Shake128 => (regs::COMMAND_RATE_SHAKE128, shake, None),
            Self::Shake256 => (regs::COMMAND_RATE_SHAKE256, shake, None),
        }
    }

    const fn bits(self) -> u32 {
        let (rate, suffix, _) = self.shape();
        rate << regs::COMMAND_RATE_SHIFT | suffix << regs::COMMAND_SUFFIX_SHIFT
    }
}

/// A chain of SHAKE256: what a step hashes is the prefix, the tweak, whose last four bytes are a
/// counter, and the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chain {
    /// The tweak; its last four bytes are not looked at.
    pub tweak: [u8; 32],
    /// The counter of the first step.
    pub counter: u32,
    /// The steps.
    pub steps: u16,
}

/// The unit behind a bus.
#[derive(Debug)]
pub struct Sha3<B> {
    bus: B,
}

impl<B: Bus> Sha3<B> {
    /// Looks whether the unit is there.
    ///
    /// # Errors
    /// [`Error::NotTheUnit`], [`Error::Bus`].
    pub fn new(mut bus: B) -> Result<Self, Error<B::Error>> {
        let id = bus.read(regs::ID).map_err(Error::Bus)?;
        let version = bus.read(regs::VERSION).map_err(Error::Bus)?;
        if id == u32::from_be_bytes(*b"SHA3") && version >> regs::VERSION_MAJOR_SHIFT == 1 {
            Ok(Self { bus })
        } else {
            Err(Error::NotTheUnit)
        }
    }

    /// Hashes a message and fills `out`, whose length is that of the function where it has one.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NoAnswer`], [`Error::Bus`].
    pub fn hash(
        &mut self,
        tag: u8,
        function: Function,
        message: &[u8],
        out: &mut [u8],
    ) -> Result<(), Error<B::Error>> {
        if function.shape().2.is_some_and(|length| length != out.len()) {
            return Err(Error::Length);
        }
        let op = regs::COMMAND_OP_HASH << regs::COMMAND_OP_SHIFT;
        self.begin(tag, op | function.bits(), out.len())?;
        self.send(tag, 1, message)?;
        self.finish(tag, out)
    }

    /// Sets what precedes the tweak in each step of a chain: as many of its bytes as the value has.
    ///
    /// # Errors
    /// [`Error::NoAnswer`], [`Error::Bus`].
    pub fn prefix(&mut self, prefix: &[u8; 32]) -> Result<(), Error<B::Error>> {
        self.data(prefix)?;
        self.begin(0, regs::COMMAND_OP_PREFIX << regs::COMMAND_OP_SHIFT, 1)
    }

    /// Walks a chain from a value of 16, 24 or 32 bytes and leaves its end there. Prefix and tweak
    /// cannot be read back.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NoAnswer`], [`Error::Bus`].
    pub fn chain(
        &mut self,
        tag: u8,
        chain: &Chain,
        value: &mut [u8],
    ) -> Result<(), Error<B::Error>> {
        if !matches!(value.len(), 16 | 24 | 32) {
            return Err(Error::Length);
        }
        self.set(regs::STEPS, u32::from(chain.steps))?;
        self.set(regs::COUNTER, chain.counter)?;
        self.data(&chain.tweak)?;
        let lanes = (value.len() as u32 / 8) << regs::COMMAND_LANES_SHIFT;
        let op = regs::COMMAND_OP_CHAIN << regs::COMMAND_OP_SHIFT;
        self.begin(tag, op | lanes | Function::Shake256.bits(), value.len())?;
        self.send(tag, 0, value)?;
        self.finish(tag, value)
    }

    /// Wipes the unit: its registers, and the states of all tags.
    ///
    /// # Errors
    /// [`Error::NoAnswer`], [`Error::Bus`].
    pub fn clear(&mut self) -> Result<(), Error<B::Error>> {
        self.write(regs::LENGTH, 1)?;
        self.write(regs::COMMAND, regs::COMMAND_OP_CLEAR << regs::COMMAND_OP_SHIFT)?;
        self.idle()?;
        match self.read(regs::LENGTH)? {
            0 => Ok(()),
            _ => Err(Error::NoAnswer),
        }
    }

    /// Gives a command for output of so many bytes, and waits until it is taken. Registers are read
    /// back where they can be, so a write that is lost gives no answer, and not another one's
    /// output. A tag that takes a command has put out all of the one before, which may have been
    /// given up; that output goes, and its event.
    fn begin(&mut self, tag: u8, command: u32, length: usize) -> Result<(), Error<B::Error>> {
        let length = u32::try_from(length).ok().filter(|length| *length > 0 && tag < 4);
        self.set(regs::LENGTH, length.ok_or(Error::Length)?)?;
        let command = command | u32::from(tag) << regs::COMMAND_TAG_SHIFT;
        self.write(regs::COMMAND, command)?;
        self.idle()?;
        self.is(regs::COMMAND, command)?;
        let (mut bytes, mut times) = ([0; 16], 0_u32);
        while self.bus.receive(&mut bytes).map_err(Error::Bus)?.is_some() {
            self.again(&mut times)?;
        }
        self.write(regs::DONE, 1 << tag)?;
        match self.read(regs::DONE)? >> tag & 1 {
            0 => Ok(()),
            _ => Err(Error::NoAnswer),
        }
    }

    /// Counts a question without an answer.
    fn again(&mut self, times: &mut u32) -> Result<(), Error<B::Error>> {
        *times = times.saturating_add(1);
        match self.bus.goes_on(*times) {
            true => Ok(()),
            false => Err(Error::NoAnswer),
        }
    }

    fn idle(&mut self) -> Result<(), Error<B::Error>> {
        let mut times = 0_u32;
        while self.read(regs::STATUS)? & regs::STATUS_BUSY_MASK != 0 {
            self.again(&mut times)?;
        }
        Ok(())
    }

    fn send(&mut self, tag: u8, user: u8, piece: &[u8]) -> Result<(), Error<B::Error>> {
        let whole = piece.len().saturating_sub(1) / 16 * 16;
        for bytes in piece[..whole].chunks(16) {
            self.bus.send(Beat { bytes, tag, user, last: false }).map_err(Error::Bus)?;
        }
        let bytes = &piece[whole..];
        self.bus.send(Beat { bytes, tag, user, last: true }).map_err(Error::Bus)
    }

    fn finish(&mut self, tag: u8, out: &mut [u8]) -> Result<(), Error<B::Error>> {
        let (mut bytes, mut came, mut times) = ([0; 16], 0, 0_u32);
        loop {
            let done = self.read(regs::DONE)?;
            while let Some((count, id)) = self.bus.receive(&mut bytes).map_err(Error::Bus)? {
                let to = out.get_mut(came..came + count).filter(|_| id == tag);
                to.ok_or(Error::Length)?.copy_from_slice(&bytes[..count]);
                came += count;
            }
            if done >> tag & 1 != 0 {
                return if came == out.len() { Ok(()) } else { Err(Error::Length) };
            }
            self.again(&mut times)?;
        }
    }

    fn data(&mut self, data: &[u8; 32]) -> Result<(), Error<B::Error>> {
        for i in 0..8 {
            let word = u32::from_le_bytes(core::array::from_fn(|j| data[4 * i + j]));
            self.write(regs::DATA[i], word)?;
        }
        Ok(())
    }

    fn set(&mut self, address: usize, value: u32) -> Result<(), Error<B::Error>> {
        self.write(address, value)?;
        self.is(address, value)
    }

    fn is(&mut self, address: usize, value: u32) -> Result<(), Error<B::Error>> {
        match self.read(address)? == value {
            true => Ok(()),
            false => Err(Error::NoAnswer),
        }
    }

    fn read(&mut self, address: usize) -> Result<u32, Error<B::Error>> {
        self.bus.read(address).map_err(Error::Bus)
    }

    fn write(&mut self, address: usize, value: u32) -> Result<(), Error<B::Error>> {
        self.bus.write(address, value).map_err(Error::Bus)
    }
}
