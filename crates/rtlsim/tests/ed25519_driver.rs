//! The driver of `ed25519_axi` on a bus with `ed25519-dalek` in the place of the core.

#[path = "support/alone.rs"]
mod alone;
#[path = "support/fault.rs"]
mod fault;
#[allow(dead_code)] // shared with other tests
mod support;

use std::collections::VecDeque;

use ed25519_dalek::{Signer, SigningKey};
use fault::Fault;
use hasten_rtlsim::registers::ed25519_axi as regs;
use hasten_rtlsim::registers::ed25519_driver::{Bus, Ed25519, Error};

/// A fake core: its registers, and the data that went through its streams. It answers `busy` a few
/// times before it is done.
#[derive(Default)]
struct Fake {
    id: u32,
    op: Option<u32>,
    /// Seed of the key that the core holds.
    held: Option<[u8; 32]>,
    seed: Vec<u8>,
    keys: Vec<u8>,
    messages: Vec<Vec<u8>>,
    part: Vec<u8>,
    output: VecDeque<[u8; 8]>,
    verdict: u32,
    busy: u32,
    done: bool,
    changes: bool,
    /// Whether the held key is found to be damaged while the core signs.
    damaged: bool,
    /// Fault that occurs at this access to the registers, counted from 1.
    fault: Option<(Fault, usize)>,
    accesses: usize,
}

impl Fake {
    fn new() -> Self {
        Self { id: u32::from_be_bytes(*b"ED25"), ..Self::default() }
    }

    fn reset(&mut self) {
        let Self { id, changes, fault, accesses, .. } = *self;
        *self = Self { id, changes, fault, accesses, ..Self::default() };
    }

    /// Counts an access, and returns the fault that occurs at it.
    fn next_fault(&mut self) -> Option<Fault> {
        self.accesses += 1;
        let fault = self.fault.filter(|(_, at)| *at == self.accesses)?.0;
        if fault == Fault::Reset {
            self.reset();
        }
        Some(fault)
    }

    fn words(&mut self, bytes: &[u8]) {
        self.output.extend(bytes.chunks(8).map(|word| <[u8; 8]>::try_from(word).unwrap()));
    }

    fn key(&self, i: usize) -> [u8; 32] {
        self.keys[32 * i..32 * i + 32].try_into().unwrap()
    }

    fn work(&mut self) {
        let verdict = match self.op {
            Some(regs::COMMAND_OP_KEYGEN) if self.seed.len() == 32 => {
                let seed = std::mem::take(&mut self.seed).try_into().unwrap();
                self.words(&support::keygen("", &seed).out);
                self.held = Some(seed);
                regs::STATUS_VERDICT_DONE
            }
            Some(regs::COMMAND_OP_SIGN) if self.messages.len() == 2 => self.sign(),
            Some(regs::COMMAND_OP_VERIFY) if self.messages.len() == 1 => {
                let signature = [self.key(0), self.key(2)].concat().try_into().unwrap();
                match support::verdict(&self.key(1), &self.messages[0], &signature) {
                    true => regs::STATUS_VERDICT_GOOD,
                    false => regs::STATUS_VERDICT_BAD,
                }
            }
            _ => return,
        };
        (self.op, self.busy, self.done, self.verdict) = (None, 3, true, verdict);
    }

    fn sign(&mut self) -> u32 {
        let key = SigningKey::from_bytes(&self.held.unwrap());
        let signature = key.sign(&self.messages[0]).to_bytes();
        let same = self.messages[0] == self.messages[1] && !self.changes;
        let (length, verdict) = match (same, self.damaged) {
            (true, false) => (64, regs::STATUS_VERDICT_DONE),
            (_, true) => (32, regs::STATUS_VERDICT_REFUSED),
            _ => (32, regs::STATUS_VERDICT_BAD),
        };
        self.words(&signature[..length]);
        verdict
    }
}

const SEED: [u8; 32] = [7; 32];

impl Bus for &mut Fake {
    type Error = ();

    fn read(&mut self, address: usize) -> Result<u32, ()> {
        if self.next_fault() == Some(Fault::Refused) {
            return Err(());
        }
        match address {
            regs::DONE => Ok(u32::from(self.done)),
            regs::ID => Ok(self.id),
            regs::VERSION => Ok(2 << 16),
            regs::CYCLES => Ok(954),
            regs::STATUS => {
                let busy = self.op.is_some() || self.busy > 0;
                self.busy = self.busy.saturating_sub(1);
                let verdict = if self.op.is_some() { 0 } else { self.verdict };
                Ok(u32::from(busy)
                    | u32::from(self.held.is_some()) << regs::STATUS_KEY_SHIFT
                    | verdict << regs::STATUS_VERDICT_SHIFT)
            }
            _ => Err(()),
        }
    }

    fn write(&mut self, address: usize, value: u32) -> Result<(), ()> {
        match self.next_fault() {
            Some(Fault::Lost) => return Ok(()),
            Some(Fault::Refused) => return Err(()),
            Some(Fault::Reset) | None => {}
        }
        if address == regs::DONE {
            self.done &= value & regs::DONE_RESPONSE_MASK == 0;
            return Ok(());
        }
        assert!(address == regs::COMMAND && (self.fault.is_some() || self.op.is_none()));
        self.output.clear();
        (self.op, self.keys, self.messages) = (Some(value), Vec::new(), Vec::new());
        if value == regs::COMMAND_OP_CLEAR {
            (self.op, self.busy, self.held, self.done) = (None, 3, None, true);
            self.verdict = regs::STATUS_VERDICT_DONE;
        }
        Ok(())
    }

    fn send(&mut self, bytes: &[u8], last: bool) -> Result<(), ()> {
        if self.op.is_none() {
            return Err(());
        }
        assert_ne!(self.op, Some(regs::COMMAND_OP_KEYGEN), "a seed has a stream of its own");
        let keys = if self.op == Some(regs::COMMAND_OP_SIGN) { 0 } else { 96 };
        assert!(bytes.len() == 8 || last, "only the last word may be short");
        match self.keys.len() < keys {
            true => self.keys.extend(bytes),
            false => self.part.extend(bytes),
        }
        if last {
            let message = std::mem::take(&mut self.part);
            self.messages.push(message);
        }
        self.work();
        Ok(())
    }

    fn send_key(&mut self, word: [u8; 8]) -> Result<(), ()> {
        if self.op != Some(regs::COMMAND_OP_KEYGEN) {
            return Err(());
        }
        self.seed.extend(word);
        self.work();
        Ok(())
    }

    fn receive(&mut self) -> Result<Option<[u8; 8]>, ()> {
        Ok(self.output.pop_front())
    }

    fn goes_on(&mut self, times: u32) -> bool {
        times < 100
    }
}

#[test]
fn keys_signatures_and_verdicts_go_through_the_streams() {
    let mut fake = Fake::new();
    let mut core = Ed25519::new(&mut fake).unwrap();
    assert_eq!(core.sign(b"no key yet"), Err(Error::NoKey));
    let key = core.keygen(&SEED).unwrap();
    assert_eq!(key, SigningKey::from_bytes(&SEED).verifying_key().to_bytes());
    for length in [0, 1, 7, 8, 9, 15, 16, 100] {
        let message = vec![length as u8; length];
        let mut signature = core.sign(&message).unwrap();
        assert_eq!(signature, SigningKey::from_bytes(&SEED).sign(&message).to_bytes());
        assert!(core.verify(&key, &message, &signature).unwrap(), "{length} bytes");
        signature[3] ^= 1;
        assert!(!core.verify(&key, &message, &signature).unwrap(), "{length} bytes");
    }
    core.clear().unwrap();
    assert_eq!(core.cycles(), Ok(954));
    assert_eq!(core.sign(b"no key any more"), Err(Error::NoKey));
}

#[test]
fn another_block_and_a_changed_message_are_refused() {
    let mut other = Fake { id: 0x5348_4133, ..Fake::default() };
    assert_eq!(Ed25519::new(&mut other).err(), Some(Error::NotTheCore));
    for (damaged, error) in [(false, Error::Changed), (true, Error::NoKey)] {
        let mut fake = Fake { changes: true, damaged, ..Fake::new() };
        let mut core = Ed25519::new(&mut fake).unwrap();
        core.keygen(&SEED).unwrap();
        assert_eq!(core.sign(b"m"), Err(error));
    }
}

/// Verifies a good signature, then the same signature for another message, with a fault at each
/// access to the registers.
#[test]
fn no_fault_of_the_bus_makes_a_signature_good() {
    let public = SigningKey::from_bytes(&SEED).verifying_key().to_bytes();
    let signature = SigningKey::from_bytes(&SEED).sign(b"genuine").to_bytes();
    let flow = |fake: &mut Fake| {
        let mut core = Ed25519::new(&mut *fake)?;
        let good = core.verify(&public, b"genuine", &signature);
        let evil = core.verify(&public, b"genuin3", &signature);
        assert_ne!(evil, Ok(true), "{:?}", fake.fault);
        Ok::<_, Error<()>>((good, evil))
    };
    let (mut whole, right) = (Fake::new(), Ok((Ok(true), Ok(false))));
    assert_eq!(flow(&mut whole), right);
    for (fault, least) in
        [(Fault::Lost, 2), (Fault::Refused, whole.accesses), (Fault::Reset, whole.accesses / 2)]
    {
        let mut wrong = 0;
        for at in 1..=whole.accesses {
            let mut fake = Fake { fault: Some((fault, at)), ..Fake::new() };
            wrong += usize::from(flow(&mut fake) != right);
        }
        assert!(wrong >= least, "{fault:?}: {wrong} of {}", whole.accesses);
    }
}

#[test]
fn the_driver_needs_core_alone() {
    alone::compiles(
        "ed25519",
        "",
        [("ed25519_axi", "gen/ed25519_axi_regs.rs"), ("ed25519_driver", "ed25519_driver.rs")],
    );
}
