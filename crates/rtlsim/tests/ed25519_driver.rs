//! The driver of `ed25519_axi` against a bus with `ed25519-dalek` behind it, in the place of the
//! core.

#[path = "support/alone.rs"]
mod alone;
#[allow(dead_code)] // shared with other tests
mod support;

use std::collections::VecDeque;

use ed25519_dalek::{Signer, SigningKey};
use hasten_rtlsim::registers::ed25519_axi as regs;
use hasten_rtlsim::registers::ed25519_driver::{Bus, Ed25519, Error};

/// Holds what the core shows: registers, and what has gone through its streams. It answers `busy`
/// some times before it is done.
#[derive(Default)]
struct Fake {
    id: u32,
    op: Option<u32>,
    keys: Vec<u8>,
    messages: Vec<Vec<u8>>,
    part: Vec<u8>,
    output: VecDeque<[u8; 8]>,
    ok: bool,
    busy: u32,
    changes: bool,
}

impl Fake {
    fn new() -> Self {
        Self { id: u32::from_be_bytes(*b"ED25"), ..Self::default() }
    }

    fn words(&mut self, bytes: &[u8]) {
        self.output.extend(bytes.chunks(8).map(|word| <[u8; 8]>::try_from(word).unwrap()));
    }

    fn key(&self, i: usize) -> [u8; 32] {
        self.keys[32 * i..32 * i + 32].try_into().unwrap()
    }

    fn work(&mut self) {
        self.ok = true;
        match self.op {
            Some(regs::COMMAND_OP_KEYGEN) if self.keys.len() == 32 => {
                self.words(&support::keygen("", &self.key(0)).out);
            }
            Some(regs::COMMAND_OP_SIGN) if self.messages.len() == 2 => self.sign(),
            Some(regs::COMMAND_OP_VERIFY) if self.messages.len() == 1 => {
                let signature = [self.key(0), self.key(2)].concat().try_into().unwrap();
                self.ok = support::verdict(&self.key(1), &self.messages[0], &signature);
            }
            _ => return,
        }
        (self.op, self.busy) = (None, 3);
    }

    /// Finds the seed by its expanded key.
    fn sign(&mut self) {
        let secret = SEED;
        let (s, prefix) = support::expand(&secret);
        assert_eq!((self.key(0), self.key(2)), (s, prefix));
        let signature = SigningKey::from_bytes(&secret).sign(&self.messages[0]).to_bytes();
        self.ok = self.messages[0] == self.messages[1] && !self.changes;
        self.words(&signature[..if self.ok { 64 } else { 32 }]);
    }
}

const SEED: [u8; 32] = [7; 32];

impl Bus for &mut Fake {
    type Error = ();

    fn read(&mut self, address: usize) -> Result<u32, ()> {
        match address {
            regs::ID => Ok(self.id),
            regs::VERSION => Ok(1 << 16 | 1),
            regs::CYCLES => Ok(954),
            regs::STATUS => {
                let busy = self.op.is_some() || self.busy > 0;
                self.busy = self.busy.saturating_sub(1);
                Ok(u32::from(busy) | u32::from(self.ok) << regs::STATUS_OK_SHIFT)
            }
            _ => Err(()),
        }
    }

    fn write(&mut self, address: usize, value: u32) -> Result<(), ()> {
        assert!(address == regs::COMMAND && self.op.is_none() && self.output.is_empty());
        (self.op, self.keys, self.messages) = (Some(value), Vec::new(), Vec::new());
        if value == regs::COMMAND_OP_CLEAR {
            (self.op, self.busy, self.ok) = (None, 3, true);
        }
        Ok(())
    }

    fn send(&mut self, bytes: &[u8], last: bool) -> Result<(), ()> {
        let keys = if self.op == Some(regs::COMMAND_OP_KEYGEN) { 32 } else { 96 };
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

    fn receive(&mut self) -> Result<Option<[u8; 8]>, ()> {
        Ok(self.output.pop_front())
    }
}

#[test]
fn keys_signatures_and_verdicts_go_through_the_streams() {
    let mut fake = Fake::new();
    let mut core = Ed25519::new(&mut fake).unwrap();
    let key = core.keygen(&SEED).unwrap();
    assert_eq!(key.public, SigningKey::from_bytes(&SEED).verifying_key().to_bytes());
    for length in [0, 1, 7, 8, 9, 15, 16, 100] {
        let message = vec![length as u8; length];
        let mut signature = core.sign(&key, &message).unwrap();
        assert_eq!(signature, SigningKey::from_bytes(&SEED).sign(&message).to_bytes());
        assert!(core.verify(&key.public, &message, &signature).unwrap(), "{length} bytes");
        signature[3] ^= 1;
        assert!(!core.verify(&key.public, &message, &signature).unwrap(), "{length} bytes");
    }
    core.clear().unwrap();
    assert_eq!(core.cycles(), Ok(954));
    assert!(!format!("{key:?}").contains("prefix"));
}

#[test]
fn another_block_and_a_changed_message_are_refused() {
    let mut other = Fake { id: 0x5348_4133, ..Fake::default() };
    assert_eq!(Ed25519::new(&mut other).err(), Some(Error::NotTheCore));
    let mut fake = Fake { changes: true, ..Fake::new() };
    let mut core = Ed25519::new(&mut fake).unwrap();
    let key = core.keygen(&SEED).unwrap();
    assert_eq!(core.sign(&key, b"m"), Err(Error::Changed));
}

#[test]
fn the_driver_needs_core_alone() {
    alone::compiles(
        "ed25519",
        "",
        [("ed25519_axi", "gen/ed25519_axi_regs.rs"), ("ed25519_driver", "ed25519_driver.rs")],
    );
}
