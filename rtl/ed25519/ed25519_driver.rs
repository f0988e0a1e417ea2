// SPDX-License-Identifier: Apache-2.0 OR MIT

//! Driver of `ed25519_axi`, for any platform: `core` only, no allocation, no unsafe code.
//!
//! The platform gives a [`Bus`]: the registers, and the streams, by DMA or word by word.

use super::ed25519_axi as regs;

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
    /// Puts a beat of at most eight bytes into the input stream, `last` as TLAST; waits until it is
    /// taken.
    ///
    /// # Errors
    /// Those of the platform.
    fn send(&mut self, bytes: &[u8], last: bool) -> Result<(), Self::Error>;
    /// Puts a word into the stream of keys; waits until it is taken.
    ///
    /// # Errors
    /// Those of the platform.
    fn send_key(&mut self, word: [u8; 8]) -> Result<(), Self::Error>;
    /// Returns the next word of the output stream, if one is there.
    ///
    /// # Errors
    /// Those of the platform.
    fn receive(&mut self) -> Result<Option<[u8; 8]>, Self::Error>;
    /// Returns whether to ask the core once more, after so many times without an answer.
    fn goes_on(&mut self, times: u32) -> bool {
        times < 1 << 24
    }
}

/// Why there is no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error<E> {
    /// The bus failed.
    Bus(E),
    /// Another block, or another version of this one, answers.
    NotTheCore,
    /// Both readings of the message of a signature differed: no S was given out.
    Changed,
    /// The core holds no key, or one that is damaged: no S was given out.
    NoKey,
    /// The core put out fewer or more words than the operation has.
    Length,
    /// The core took no command, or gave no answer to it.
    NoAnswer,
}

/// The core behind a bus.
#[derive(Debug)]
pub struct Ed25519<B> {
    bus: B,
}

impl<B: Bus> Ed25519<B> {
    /// Looks whether the core is there.
    ///
    /// # Errors
    /// [`Error::NotTheCore`], [`Error::Bus`].
    pub fn new(mut bus: B) -> Result<Self, Error<B::Error>> {
        let id = bus.read(regs::ID).map_err(Error::Bus)?;
        let version = bus.read(regs::VERSION).map_err(Error::Bus)?;
        if id == u32::from_be_bytes(*b"ED25") && version >> 16 == 2 {
            Ok(Self { bus })
        } else {
            Err(Error::NotTheCore)
        }
    }

    /// Makes the key of a seed, which the core holds and signs with until another one is made or it
    /// is wiped; returns the public key. No private key leaves the core.
    ///
    /// # Errors
    /// [`Error::Bus`], [`Error::Length`], [`Error::NoAnswer`].
    pub fn keygen(&mut self, seed: &[u8; 32]) -> Result<[u8; 32], Error<B::Error>> {
        self.begin(regs::COMMAND_OP_KEYGEN)?;
        for i in 0..4 {
            let word = core::array::from_fn(|j| seed[8 * i + j]);
            self.bus.send_key(word).map_err(Error::Bus)?;
        }
        let (public, verdict) = self.finish()?;
        self.done(verdict)?;
        Ok(public)
    }

    /// Returns the signature of a message, which the core reads twice.
    ///
    /// # Errors
    /// [`Error::NoKey`], [`Error::Changed`], [`Error::Bus`], [`Error::Length`],
    /// [`Error::NoAnswer`].
    pub fn sign(&mut self, message: &[u8]) -> Result<[u8; 64], Error<B::Error>> {
        if self.bus.read(regs::STATUS).map_err(Error::Bus)? & regs::STATUS_KEY_MASK == 0 {
            return Err(Error::NoKey);
        }
        self.begin(regs::COMMAND_OP_SIGN)?;
        self.message(message)?;
        self.message(message)?;
        let (signature, verdict) = self.finish()?;
        match verdict {
            regs::STATUS_VERDICT_BAD => Err(Error::Changed),
            regs::STATUS_VERDICT_REFUSED => Err(Error::NoKey),
            _ => self.done(verdict).map(|()| signature),
        }
    }

    /// Checks whether the signature is one of the message.
    ///
    /// # Errors
    /// [`Error::Bus`], [`Error::Length`], [`Error::NoAnswer`].
    pub fn verify(
        &mut self,
        public: &[u8; 32],
        message: &[u8],
        signature: &[u8; 64],
    ) -> Result<bool, Error<B::Error>> {
        self.begin(regs::COMMAND_OP_VERIFY)?;
        self.words(&signature[..32])?;
        self.words(public)?;
        self.words(&signature[32..])?;
        self.message(message)?;
        match self.finish::<0>()?.1 {
            regs::STATUS_VERDICT_GOOD => Ok(true),
            regs::STATUS_VERDICT_BAD => Ok(false),
            _ => Err(Error::NoAnswer),
        }
    }

    /// Wipes the core and both streams of all that keys and messages left there.
    ///
    /// # Errors
    /// [`Error::Bus`], [`Error::Length`], [`Error::NoAnswer`].
    pub fn clear(&mut self) -> Result<(), Error<B::Error>> {
        self.begin(regs::COMMAND_OP_CLEAR)?;
        let (_, verdict) = self.finish::<0>()?;
        self.done(verdict)
    }

    /// Returns clock cycles of the last operation.
    ///
    /// # Errors
    /// [`Error::Bus`].
    pub fn cycles(&mut self) -> Result<u32, Error<B::Error>> {
        self.bus.read(regs::CYCLES).map_err(Error::Bus)
    }

    /// Gives a command. One that the core does not take leaves the last response as it was, so the
    /// core must be busy: an operation waits for its stream, but `clear`, which has none.
    fn begin(&mut self, op: u32) -> Result<(), Error<B::Error>> {
        self.bus.write(regs::DONE, regs::DONE_RESPONSE_MASK).map_err(Error::Bus)?;
        self.bus.write(regs::COMMAND, op).map_err(Error::Bus)?;
        let status = self.bus.read(regs::STATUS).map_err(Error::Bus)?;
        match status & regs::STATUS_BUSY_MASK != 0 || op == regs::COMMAND_OP_CLEAR {
            true => Ok(()),
            false => Err(Error::NoAnswer),
        }
    }

    fn words(&mut self, bytes: &[u8]) -> Result<(), Error<B::Error>> {
        bytes.chunks(8).try_for_each(|word| self.bus.send(word, false)).map_err(Error::Bus)
    }

    /// Sends a message, which ends with its last word, which is empty where the message is.
    fn message(&mut self, message: &[u8]) -> Result<(), Error<B::Error>> {
        let whole = message.len().saturating_sub(1) / 8 * 8;
        self.words(&message[..whole])?;
        self.bus.send(&message[whole..], true).map_err(Error::Bus)
    }

    /// Looks whether an answer is that of an operation which is no verification.
    fn done(&self, verdict: u32) -> Result<(), Error<B::Error>> {
        match verdict {
            regs::STATUS_VERDICT_DONE => Ok(()),
            _ => Err(Error::NoAnswer),
        }
    }

    /// Takes output until the operation has ended, and returns it with the verdict; where that is
    /// good or done, the output is whole.
    fn finish<const N: usize>(&mut self) -> Result<([u8; N], u32), Error<B::Error>> {
        let (mut out, mut count, mut times) = ([0; N], 0, 0_u32);
        loop {
            let status = self.bus.read(regs::STATUS).map_err(Error::Bus)?;
            while let Some(word) = self.bus.receive().map_err(Error::Bus)? {
                out.get_mut(count..count + 8).ok_or(Error::Length)?.copy_from_slice(&word);
                count += 8;
            }
            if status & regs::STATUS_BUSY_MASK == 0 {
                let done = self.bus.read(regs::DONE).map_err(Error::Bus)?;
                let again = self.bus.read(regs::STATUS).map_err(Error::Bus)?;
                if done & regs::DONE_RESPONSE_MASK == 0 || again != status {
                    return Err(Error::NoAnswer);
                }
                let verdict = (status & regs::STATUS_VERDICT_MASK) >> regs::STATUS_VERDICT_SHIFT;
                let whole =
                    matches!(verdict, regs::STATUS_VERDICT_GOOD | regs::STATUS_VERDICT_DONE);
                return if whole && count != N { Err(Error::Length) } else { Ok((out, verdict)) };
            }
            times = times.saturating_add(1);
            if !self.bus.goes_on(times) {
                return Err(Error::NoAnswer);
            }
        }
    }
}
