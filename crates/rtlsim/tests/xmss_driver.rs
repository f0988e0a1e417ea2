//! The driver of `xmss_engine_axi` on a bus with `hasten-hbs` in the place of the engine.

#[path = "support/alone.rs"]
mod alone;
#[path = "support/fault.rs"]
mod fault;

use std::collections::VecDeque;

use fault::Fault;
use hasten_hbs::{Signer, SignerLevel, Verifier, generate, hazmat::Throwaway};
use hasten_kernels::Kernels;
use hasten_rtlsim::registers::xmss as regs;
use hasten_rtlsim::registers::xmss_driver::{Bus, Error, Hash, Set, Stream, Xmss};

const KEY: [u8; 96] = [9; 96];
const SET: Set = Set { hash: Hash::Sha256, n: 32, lms: None, height: 10 };
const CHAINS: usize = 67;

/// A fake engine: its registers, and the data that went through its streams. It answers `busy` a
/// few times before it is done.
struct Fake {
    id: u32,
    features: u32,
    signer: Signer<'static>,
    permits: Throwaway,
    signature: Vec<u8>,
    /// Minor version of the register map: from 3 on it has `length_high`, from 4 on keys have a
    /// stream.
    minor: u32,
    /// Number of chains of a signature, and number of bytes before its randomizer.
    chains: usize,
    head: usize,
    written: [u32; 3],
    command: u32,
    stream: Vec<u8>,
    output: VecDeque<(u16, [u8; 8])>,
    result: u32,
    verdict: u32,
    answers: u8,
    busy: u32,
    /// Whether a command waits for its stream.
    open: bool,
    loaded: bool,
    /// Fault that occurs at this access to the registers, counted from 1.
    fault: Option<(Fault, usize)>,
    accesses: usize,
}

impl Fake {
    fn new() -> Self {
        let set = hasten_hbs::Set::named("XMSS-SHA2_10_256").unwrap();
        Self {
            id: u32::from_be_bytes(*b"XMSS"),
            features: 4,
            signer: generate(set, &KEY, Kernels::best()).unwrap(),
            permits: Throwaway::new(),
            signature: Vec::new(),
            minor: 6,
            chains: CHAINS,
            head: 4,
            written: [0; 3],
            command: 0,
            stream: Vec::new(),
            output: VecDeque::new(),
            result: regs::STATUS_RESULT_REFUSED,
            verdict: regs::STATUS_VERDICT_NONE,
            answers: 0,
            busy: 0,
            open: false,
            loaded: false,
            fault: None,
            accesses: 0,
        }
    }

    fn reset(&mut self) {
        self.result = regs::STATUS_RESULT_REFUSED;
        self.verdict = regs::STATUS_VERDICT_NONE;
        (self.answers, self.busy, self.open, self.loaded) = (0, 0, false, false);
        (self.stream, self.output, self.written) = Default::default();
    }

    /// Counts an access, and returns the fault that occurs at it.
    fn next_fault(&mut self) -> Option<Fault> {
        self.accesses += 1;
        let (fault, at) = self.fault?;
        (at == self.accesses).then_some(fault)
    }

    /// Returns an engine that also supports LMS with w = 1, with such a key.
    fn narrow() -> Self {
        let set = hasten_hbs::Set::named("LMS_SHA256_M32_H5_W1").unwrap();
        let signer = generate(set, &KEY[..48], Kernels::best()).unwrap();
        let features = regs::FEATURES_NARROW_MASK | 4;
        Self { features, signer, chains: 265, head: 8, ..Self::new() }
    }

    fn op(&self) -> u32 {
        self.command & regs::COMMAND_OP_MASK
    }

    /// Returns the message, or `None` if the stream is shorter.
    fn message(&self, at: usize) -> Option<Vec<u8>> {
        assert_eq!(self.written[2], 0);
        Some(self.stream.get(at..at + self.written[1] as usize)?.to_vec())
    }

    /// Executes a command once its stream is complete.
    fn work(&mut self) {
        self.result = regs::STATUS_RESULT_OK;
        match self.op() {
            regs::COMMAND_OP_LOAD_KEY | regs::COMMAND_OP_LOAD_PUBLIC => self.loaded = true,
            regs::COMMAND_OP_CLEAR => self.loaded = false,
            regs::COMMAND_OP_SIGN => self.sign(),
            regs::COMMAND_OP_VERIFY => self.verify(),
            regs::COMMAND_OP_LEAF => self.beside(0),
            regs::COMMAND_OP_NODE => self
                .beside((self.command & regs::COMMAND_HEIGHT_MASK) >> regs::COMMAND_HEIGHT_SHIFT),
            _ => (),
        }
        (self.busy, self.stream, self.open) = (3, Vec::new(), false);
        self.answers = self.answers.wrapping_add(1);
    }

    /// Sends the values in another order than that of their numbers. An index signs only once.
    fn sign(&mut self) {
        let permit = self.permits.permit();
        let prepared = self.signer.prepare(permit, SignerLevel::None).unwrap();
        if prepared.index() != u64::from(self.written[0]) {
            self.result = regs::STATUS_RESULT_REFUSED;
            return;
        }
        let message = self.message(0).unwrap();
        self.signature = prepared.finish(&message).unwrap().as_bytes().to_vec();
        let value = |i: usize| self.signature[self.head + 32 * i..][..32].to_vec();
        let values: Vec<Vec<u8>> = (0..=self.chains).map(value).collect();
        self.put(if self.chains > 127 { 511 } else { 127 }, &values[0]);
        (1..=self.chains).rev().for_each(|i| self.put(i as u16 - 1, &values[i]));
    }

    /// Outputs the node of the authentication path at this height.
    fn beside(&mut self, height: u32) {
        let value = self.signature[4 + 32 * (1 + CHAINS + height as usize)..][..32].to_vec();
        self.put(0, &value);
    }

    fn put(&mut self, number: u16, value: &[u8]) {
        self.output.extend(value.chunks(8).map(|word| (number, word.try_into().unwrap())));
    }

    fn verify(&mut self) {
        let tail = 32 + (self.written[1] as usize).next_multiple_of(8);
        let mut signature = self.written[0].to_be_bytes().to_vec();
        signature.extend(&self.stream[..32]);
        signature.extend(self.stream.get(tail..).unwrap_or_default());
        let public = self.signer.public_key();
        let verifier = Verifier::new(public, Kernels::best());
        let message = self.message(32).filter(|_| self.loaded && signature.len() == 2500);
        (self.result, self.verdict) = match message.map(|m| verifier.verify(&m, &signature)) {
            Some(Ok(())) => (regs::STATUS_RESULT_OK, regs::STATUS_VERDICT_GOOD),
            Some(Err(_)) => (regs::STATUS_RESULT_BAD, regs::STATUS_VERDICT_BAD),
            None => (regs::STATUS_RESULT_REFUSED, regs::STATUS_VERDICT_REFUSED),
        };
    }
}

impl Bus for &mut Fake {
    type Error = ();

    fn read(&mut self, address: usize) -> Result<u32, ()> {
        match self.next_fault() {
            Some(Fault::Refused) => return Err(()),
            Some(Fault::Reset) => self.reset(),
            Some(Fault::Lost) | None => {}
        }
        match address {
            regs::ID => Ok(self.id),
            regs::VERSION => Ok(1 << 16 | self.minor),
            regs::FEATURES => Ok(self.features),
            regs::CYCLES => Ok(8483),
            regs::STATUS => {
                let busy = self.busy > 0;
                self.busy = self.busy.saturating_sub(1);
                let verdict = if self.minor < 6 { 0 } else { self.verdict };
                let answers = u32::from(self.answers) << regs::STATUS_ANSWERS_SHIFT;
                let result = self.result << regs::STATUS_RESULT_SHIFT;
                let busy = u32::from(busy || self.open);
                Ok(busy | result | answers | verdict << regs::STATUS_VERDICT_SHIFT)
            }
            _ => Err(()),
        }
    }

    fn write(&mut self, address: usize, value: u32) -> Result<(), ()> {
        match self.next_fault() {
            Some(Fault::Lost) => return Ok(()),
            Some(Fault::Refused) => return Err(()),
            Some(Fault::Reset) => self.reset(),
            None => {}
        }
        match address {
            regs::INDEX => self.written[0] = value,
            regs::LENGTH => self.written[1] = value,
            regs::LENGTH_HIGH if self.minor >= 3 => self.written[2] = value,
            regs::COMMAND => {
                if self.fault.is_none() {
                    assert!(self.stream.is_empty() && self.output.is_empty());
                }
                (self.command, self.open) = (value, true);
                self.verdict = regs::STATUS_VERDICT_NONE;
                let silent = [
                    regs::COMMAND_OP_PREPARE,
                    regs::COMMAND_OP_LEAF,
                    regs::COMMAND_OP_NODE,
                    regs::COMMAND_OP_CLEAR,
                ];
                let empty = self.op() == regs::COMMAND_OP_SIGN && self.written[1] == 0;
                if silent.contains(&self.op()) || empty {
                    self.work();
                }
            }
            _ => return Err(()),
        }
        Ok(())
    }

    fn send(&mut self, stream: Stream, word: [u8; 8], last: bool) -> Result<(), ()> {
        if !self.open {
            return Err(());
        }
        let key = self.minor >= 4 && self.op() == regs::COMMAND_OP_LOAD_KEY;
        assert_eq!(stream == Stream::Key, key);
        self.stream.extend(word);
        if last {
            self.work();
        }
        Ok(())
    }

    fn receive(&mut self) -> Result<Option<(u16, [u8; 8])>, ()> {
        Ok(self.output.pop_front())
    }

    fn goes_on(&mut self, times: u32) -> bool {
        times < 100
    }
}

fn root(fake: &Fake) -> Vec<u8> {
    fake.signer.public_key().as_bytes()[4..36].to_vec()
}

#[test]
fn keys_signatures_and_verdicts_go_through_the_streams() {
    let mut fake = Fake::new();
    let root = root(&fake);
    let mut engine = Xmss::new(&mut fake).unwrap();
    engine.load_key(SET, 0, &[&KEY[..32], &KEY[32..64], &KEY[64..], &root]).unwrap();
    engine.prepare(0, false).unwrap();
    let mut values = [0; 32 * (CHAINS + 1)];
    for (i, length) in [0, 1, 7, 8, 9, 65_537, 100].into_iter().enumerate() {
        let message = vec![length as u8; length];
        engine.sign(i as u32, &message, &mut values).unwrap();
        if i % 2 == 0 {
            engine.begin_to_prepare(i as u32 + 1, false).unwrap();
        } else {
            engine.prepare_table(i as u32 + 1).unwrap();
        }
    }
    assert_eq!(engine.cycles(), Ok(8483));
    let mut neighbour = [0; 32];
    engine.leaf(7, &mut neighbour).unwrap();
    let mut node = [0; 32];
    engine.node(3, 1, &mut node).unwrap();
    engine.clear().unwrap();
    let signature = fake.signature.clone();
    assert_eq!(values, signature[4..4 + values.len()]);
    assert_eq!(neighbour, signature[4 + values.len()..][..32]);
    assert_eq!(node, signature[4 + values.len()..][96..128]);
    verdicts(&mut fake, &values, &signature[4 + values.len()..]);
}

fn verdicts(fake: &mut Fake, values: &[u8], path: &[u8]) {
    let root = root(fake);
    let mut engine = Xmss::new(fake).unwrap();
    engine.load_public(SET, &KEY[64..], &root).unwrap();
    let (r, chains) = values.split_at(32);
    let message = [100; 100];
    assert_eq!(engine.verify(6, &message, [r, chains, path]), Ok(true));
    assert_eq!(engine.verify(4, &message, [r, chains, path]), Ok(false));
    assert_eq!(engine.verify(6, &message[1..], [r, chains, path]), Ok(false));
}

#[test]
fn what_is_wrong_is_refused() {
    let mut other = Fake { id: 0x5348_4133, ..Fake::new() };
    assert_eq!(Xmss::new(&mut other).err(), Some(Error::NotTheEngine));
    let mut fake = Fake::new();
    let mut engine = Xmss::new(&mut fake).unwrap();
    assert_eq!(engine.load_key(SET, 0, &[&KEY[..33]]), Err(Error::Refused));
    let shake = Set { hash: Hash::Shake128, ..SET };
    for set in [Set { n: 33, ..SET }, shake, Set { lms: Some(4), ..shake }] {
        assert_eq!(engine.load_public(set, &[], &[]), Err(Error::Refused));
    }
    let mut values = [0; 32 * (CHAINS + 1)];
    assert_eq!(engine.sign(3, b"m", &mut values), Err(Error::Refused));
    assert_eq!(engine.sign(1, b"m", &mut values[1..]), Err(Error::Length));
}

#[test]
fn more_chains_have_more_numbers() {
    let set = Set { lms: Some(1), height: 5, ..SET };
    let mut fake = Fake::narrow();
    let root = fake.signer.public_key().as_bytes()[24..].to_vec();
    let mut engine = Xmss::new(&mut fake).unwrap();
    engine.load_key(set, 0, &[&KEY[..32], &KEY[..16], &root]).unwrap();
    let mut values = [0; 32 * 266];
    engine.sign(0, b"m", &mut values).unwrap();
    assert_eq!(values, fake.signature[8..][..values.len()]);
    let narrow = regs::COMMAND_NARROW_MASK | regs::COMMAND_OCTETS_MASK;
    for (w, bits) in [(1, narrow), (2, regs::COMMAND_NARROW_MASK), (8, regs::COMMAND_OCTETS_MASK)] {
        let mut engine = Xmss::new(&mut fake).unwrap();
        engine.load_public(Set { lms: Some(w), ..set }, &KEY[..16], &root).unwrap();
        assert_eq!(fake.command & narrow, bits);
    }
    for (minor, features) in [(4, fake.features), (6, 4)] {
        let mut older = Fake { minor, features, ..Fake::new() };
        let mut engine = Xmss::new(&mut older).unwrap();
        assert_eq!(engine.load_public(set, &KEY[..16], &root), Err(Error::Refused));
    }
}

#[test]
fn an_older_engine_takes_shorter_messages() {
    let mut fake = Fake { minor: 2, ..Fake::new() };
    let root = root(&fake);
    let mut engine = Xmss::new(&mut fake).unwrap();
    engine.load_key(SET, 0, &[&KEY[..32], &KEY[32..64], &KEY[64..], &root]).unwrap();
    let mut values = [0; 32 * (CHAINS + 1)];
    assert_eq!(engine.sign(0, &[0; 65_536], &mut values), Err(Error::Refused));
    engine.sign(0, &[0; 65_535], &mut values).unwrap();
}

/// A bus whose status stays as it is, whatever is written.
struct Stuck(u32);

impl Bus for Stuck {
    type Error = ();

    fn read(&mut self, address: usize) -> Result<u32, ()> {
        Ok(match address {
            regs::ID => u32::from_be_bytes(*b"XMSS"),
            regs::VERSION => 1 << 16 | 6,
            regs::STATUS => self.0,
            _ => 0,
        })
    }

    fn write(&mut self, _: usize, _: u32) -> Result<(), ()> {
        Ok(())
    }

    fn send(&mut self, _: Stream, _: [u8; 8], _: bool) -> Result<(), ()> {
        Ok(())
    }

    fn receive(&mut self) -> Result<Option<(u16, [u8; 8])>, ()> {
        Ok(None)
    }

    fn goes_on(&mut self, times: u32) -> bool {
        times < 100
    }
}

#[test]
fn an_engine_that_takes_no_command_gives_no_answer() {
    let good = regs::STATUS_VERDICT_GOOD << regs::STATUS_VERDICT_SHIFT;
    for status in [0, good, regs::STATUS_BUSY_MASK, regs::STATUS_FULL_MASK | regs::STATUS_BUSY_MASK]
    {
        assert_eq!(Xmss::new(Stuck(status)).err(), Some(Error::NoAnswer), "{status:08x}");
    }
}

/// Verifies a good signature, then the same signature for another message, with a fault at each
/// access to the registers.
#[test]
fn no_fault_of_the_bus_makes_a_signature_good() {
    let mut fake = Fake::new();
    let root = root(&fake);
    let mut values = [0; 32 * (CHAINS + 1)];
    let mut engine = Xmss::new(&mut fake).unwrap();
    engine.load_key(SET, 0, &[&KEY[..32], &KEY[32..64], &KEY[64..], &root]).unwrap();
    engine.sign(0, b"genuine!", &mut values).unwrap();
    let signature = fake.signature.clone();
    let parts =
        [&signature[4..36], &signature[36..36 + 32 * CHAINS], &signature[36 + 32 * CHAINS..]];
    let flow = |fake: &mut Fake| {
        let mut engine = Xmss::new(&mut *fake)?;
        engine.load_public(SET, &KEY[64..], &root)?;
        let good = engine.verify(0, b"genuine!", parts);
        let evil = engine.verify(0, b"genuin3!", parts);
        assert_ne!(evil, Ok(true), "{:?}", fake.fault);
        Ok::<_, Error<()>>((good, evil))
    };
    fake.reset();
    fake.accesses = 0;
    let whole = Ok((Ok(true), Ok(false)));
    assert_eq!(flow(&mut fake), whole);
    let count = fake.accesses;
    assert!(count > 30);
    // A lost write matters only for commands, and for values that differ from the earlier ones.
    for (fault, least) in [(Fault::Lost, 4), (Fault::Refused, count), (Fault::Reset, count / 2)] {
        let mut wrong = 0;
        for at in 1..=count {
            fake.reset();
            (fake.fault, fake.accesses) = (Some((fault, at)), 0);
            wrong += usize::from(flow(&mut fake) != whole);
        }
        assert!(wrong >= least, "{fault:?}: {wrong} of {count}");
    }
}

#[test]
fn the_driver_needs_core_alone() {
    alone::compiles(
        "xmss",
        "#![forbid(unsafe_code)]",
        [("xmss", "gen/xmss_regs.rs"), ("xmss_driver", "xmss_driver.rs")],
    );
}
