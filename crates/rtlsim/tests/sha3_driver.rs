//! The driver of `sha3_unit_axi` on a bus with the crate `sha3` in the place of the unit.

#[path = "support/alone.rs"]
mod alone;
#[path = "support/fault.rs"]
mod fault;

use std::collections::VecDeque;

use fault::Fault;
use hasten_rtlsim::registers::sha3 as regs;
use hasten_rtlsim::registers::sha3_driver::{Beat, Bus, Chain, Error, Function, Sha3};
use sha3::Digest;
use shake::digest::{ExtendableOutput, Update, XofReader};

/// A fake unit: its registers, and the data that went through its streams.
#[derive(Default)]
struct Fake {
    id: u32,
    held: std::collections::BTreeMap<usize, u32>,
    prefix: Vec<u8>,
    done: u32,
    taken: Option<u32>,
    message: Vec<u8>,
    output: VecDeque<(Vec<u8>, u8)>,
    fault: Option<(Fault, usize)>,
    accesses: usize,
}

impl Fake {
    fn new() -> Self {
        Self { id: u32::from_be_bytes(*b"SHA3"), ..Self::default() }
    }

    /// Counts an access, and returns the fault that occurs at it.
    fn next_fault(&mut self) -> Option<Fault> {
        self.accesses += 1;
        let fault = self.fault.filter(|(_, at)| *at == self.accesses)?.0;
        if fault == Fault::Reset {
            let Self { id, fault, accesses, .. } = *self;
            *self = Self { id, fault, accesses, ..Self::default() };
        }
        Some(fault)
    }

    fn at(&self, address: usize) -> u32 {
        self.held.get(&address).copied().unwrap_or(0)
    }

    fn data(&self) -> Vec<u8> {
        (0..8).flat_map(|i| self.at(regs::DATA[i]).to_le_bytes()).collect()
    }

    fn command(&mut self, value: u32) {
        match value & regs::COMMAND_OP_MASK {
            regs::COMMAND_OP_CLEAR => self.held.clear(),
            regs::COMMAND_OP_PREFIX => self.prefix = self.data(),
            _ => self.taken = Some(value),
        }
    }

    fn work(&mut self, command: u32) -> Vec<u8> {
        let message = std::mem::take(&mut self.message);
        if command & regs::COMMAND_OP_MASK == regs::COMMAND_OP_CHAIN {
            return self.walk(message);
        }
        let rate = (command & regs::COMMAND_RATE_MASK) >> regs::COMMAND_RATE_SHIFT;
        let shake = command >> regs::COMMAND_SUFFIX_SHIFT & 0xff == regs::COMMAND_SUFFIX_SHAKE;
        let length = self.at(regs::LENGTH) as usize;
        match rate {
            21 => xof::<shake::Shake128>(&message, length),
            17 if shake => xof::<shake::Shake256>(&message, length),
            18 => sha3::Sha3_224::digest(&message).to_vec(),
            17 => sha3::Sha3_256::digest(&message).to_vec(),
            13 => sha3::Sha3_384::digest(&message).to_vec(),
            _ => sha3::Sha3_512::digest(&message).to_vec(),
        }
    }

    fn walk(&self, mut value: Vec<u8>) -> Vec<u8> {
        let (first, n) = (self.at(regs::COUNTER), value.len());
        for counter in first..first + self.at(regs::STEPS) {
            let step =
                [&self.prefix[..n], &self.data()[..28], &counter.to_be_bytes(), &value].concat();
            value = xof::<shake::Shake256>(&step, n);
        }
        value
    }
}

fn xof<H: ExtendableOutput + Default + Update>(message: &[u8], length: usize) -> Vec<u8> {
    let mut hash = H::default();
    hash.update(message);
    let mut out = vec![0; length];
    hash.finalize_xof().read(&mut out);
    out
}

impl Bus for &mut Fake {
    type Error = ();

    fn read(&mut self, address: usize) -> Result<u32, ()> {
        if self.next_fault() == Some(Fault::Refused) {
            return Err(());
        }
        Ok(match address {
            regs::ID => self.id,
            regs::VERSION => 1 << regs::VERSION_MAJOR_SHIFT,
            regs::STATUS => 0,
            regs::DONE => self.done,
            _ => self.at(address),
        })
    }

    fn write(&mut self, address: usize, value: u32) -> Result<(), ()> {
        match self.next_fault() {
            Some(Fault::Lost) => return Ok(()),
            Some(Fault::Refused) => return Err(()),
            Some(Fault::Reset) | None => {}
        }
        if address == regs::DONE {
            self.done &= !value;
            return Ok(());
        }
        self.held.insert(address, value);
        if address == regs::COMMAND {
            self.command(value);
        }
        Ok(())
    }

    fn send(&mut self, beat: Beat<'_>) -> Result<(), ()> {
        let Some(command) = self.taken else { return Err(()) };
        let tag = (command >> regs::COMMAND_TAG_SHIFT & 3) as u8;
        assert!(beat.tag == tag && (beat.bytes.len() == 16 || beat.last), "{beat:?}");
        self.message.extend(beat.bytes);
        if beat.last {
            let out = self.work(command);
            self.output.extend(out.chunks(16).map(|beat| (beat.to_vec(), tag)));
            (self.taken, self.done) = (None, self.done | 1 << tag);
        }
        Ok(())
    }

    fn receive(&mut self, bytes: &mut [u8; 16]) -> Result<Option<(usize, u8)>, ()> {
        Ok(self.output.pop_front().map(|(beat, tag)| {
            bytes[..beat.len()].copy_from_slice(&beat);
            (beat.len(), tag)
        }))
    }

    fn goes_on(&mut self, times: u32) -> bool {
        times < 100
    }
}

#[test]
fn hashes_go_through_the_streams() {
    let mut fake = Fake::new();
    let mut unit = Sha3::new(&mut fake).unwrap();
    for length in [0, 1, 15, 16, 17, 32, 136, 300] {
        let message = vec![length as u8; length];
        let mut out = [0; 32];
        unit.hash(3, Function::Sha3_256, &message, &mut out).unwrap();
        assert_eq!(out, *sha3::Sha3_256::digest(&message), "{length} bytes");
        let mut out = [0; 48];
        unit.hash(0, Function::Sha3_384, &message, &mut out).unwrap();
        assert_eq!(out, *sha3::Sha3_384::digest(&message), "{length} bytes");
        let mut out = vec![0; length + 1];
        unit.hash(1, Function::Shake128, &message, &mut out).unwrap();
        assert_eq!(out, xof::<shake::Shake128>(&message, length + 1));
    }
    assert_eq!(unit.hash(0, Function::Sha3_224, b"", &mut [0; 32]), Err(Error::Length));
    assert_eq!(unit.hash(0, Function::Shake256, b"", &mut []), Err(Error::Length));
    assert_eq!(unit.hash(4, Function::Shake256, b"", &mut [0]), Err(Error::Length));
    unit.clear().unwrap();
}

#[test]
fn chains_are_walked() {
    let mut fake = Fake::new();
    let mut unit = Sha3::new(&mut fake).unwrap();
    let chain = Chain { tweak: [7; 32], counter: 2, steps: 3 };
    unit.prefix(&[5; 32]).unwrap();
    for n in [16, 24, 32] {
        let (mut value, mut wanted) = (vec![1; n], vec![1; n]);
        unit.chain(2, &chain, &mut value).unwrap();
        for counter in 2..5_u32 {
            let step = [&[5; 32][..n], &[7; 28], &counter.to_be_bytes(), &wanted].concat();
            wanted = xof::<shake::Shake256>(&step, n);
        }
        assert_eq!(value, wanted);
    }
    assert_eq!(unit.chain(2, &chain, &mut [0; 8]), Err(Error::Length));
}

/// Hashes two messages, with a fault at each access to the registers. The second message gets its
/// own digest or none.
#[test]
fn no_fault_of_the_bus_gives_another_digest() {
    let right = Ok::<_, Error<()>>(<[u8; 32]>::from(sha3::Sha3_256::digest(b"second")));
    let flow = |fake: &mut Fake| {
        let mut unit = Sha3::new(&mut *fake)?;
        let mut hash = |message: &[u8]| {
            let mut out = [0; 32];
            unit.hash(1, Function::Sha3_256, message, &mut out).map(|()| out)
        };
        let _ = hash(b"first");
        let second = hash(b"second");
        assert!(second.is_err() || second == right, "{:?}", fake.fault);
        second
    };
    let mut whole = Fake::new();
    assert_eq!(flow(&mut whole), right);
    for fault in [Fault::Lost, Fault::Refused, Fault::Reset] {
        let mut wrong = 0;
        for at in 1..=whole.accesses {
            let mut fake = Fake { fault: Some((fault, at)), ..Fake::new() };
            wrong += usize::from(flow(&mut fake) != right);
        }
        assert!(wrong >= 2, "{fault:?}: {wrong} of {}", whole.accesses);
    }
}

#[test]
fn another_block_is_refused() {
    let mut other = Fake { id: 1, ..Fake::default() };
    assert_eq!(Sha3::new(&mut other).err(), Some(Error::NotTheUnit));
}

#[test]
fn the_driver_needs_core_alone() {
    alone::compiles(
        "keccak",
        "",
        [("sha3", "gen/sha3_regs.rs"), ("sha3_driver", "sha3_driver.rs")],
    );
}
