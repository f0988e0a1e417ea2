//! The exact model. It runs the microprogram word by word, with the issue rule of the hardware.

use num_bigint::BigUint;

use super::constants;
use super::digits::{Digit, Scalars};
use super::halve::{Halved, halve};
use super::isa::{Control, Effect, Instr, Mode, NONE, Src, src};
use super::operations::{ADDITION_WORDS, COMB_TABLES, COMB_TEETH, Config};
use super::point::TABLE;

/// Inputs of an operation.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The three 256-bit inputs.
    pub words: [BigUint; 3],
    /// Digests as little-endian numbers, in the order in which the program waits for them.
    pub digests: Vec<BigUint>,
}

/// Outcome of an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// All outputs in order.
    pub out: Vec<BigUint>,
    /// Whether a check failed.
    pub failed: bool,
    /// Number of checks that were made and of marks that were passed, modulo 16.
    pub counts: (u8, u8),
    /// Cycles from start to end, if inputs and digests are available at once.
    pub cycles: u64,
    /// Number of products that were issued.
    pub products: u64,
}

/// The core without its hash units.
#[derive(Debug)]
pub struct Model {
    config: Config,
    /// Number of cycles from the issue of a product to its use.
    latency: u64,
    /// Whether no window is skipped.
    fixed_time: bool,
    p: BigUint,
    l: BigUint,
    rom: Vec<[BigUint; 3]>,
    constants: Vec<(Src, BigUint)>,
}

struct Run<'a> {
    model: &'a Model,
    inputs: &'a Inputs,
    regs: Vec<BigUint>,
    due: Vec<u64>,
    carry: BigUint,
    counter: u16,
    digest: usize,
    roots: [bool; 2],
    flip: bool,
    parity: bool,
    last_issue: u64,
    scalars: Scalars,
    halved: Halved,
    /// Cycle from which on the half-size scalars are available.
    halved_at: u64,
    outcome: Outcome,
}

fn modulus_257(x: &BigUint) -> BigUint {
    x & &((BigUint::from(1u8) << 257u32) - 1u8)
}

impl Model {
    /// Returns a core of this configuration, multiplier latency and timing behaviour.
    pub fn new(config: Config, latency: u64, fixed_time: bool) -> Self {
        let tables = match config {
            Config::Paper => vec![constants::window_table()],
            Config::Fast | Config::Half => (0..COMB_TABLES).map(constants::comb_table).collect(),
        };
        let rom = tables.iter().flatten().map(constants::Affine::halved).collect();
        let constants =
            constants::values().into_iter().map(|(name, value)| (src(name), value)).collect();
        Self { config, latency, fixed_time, p: constants::p(), l: constants::l(), rom, constants }
    }

    /// Runs the operation that starts at `entry`.
    pub fn run(&self, program: &super::asm::Program, entry: &str, inputs: &Inputs) -> Outcome {
        let mut run = Run {
            model: self,
            inputs,
            regs: vec![BigUint::ZERO; usize::from(NONE)],
            due: vec![0; usize::from(NONE)],
            carry: BigUint::ZERO,
            counter: 0,
            digest: 0,
            roots: [false; 2],
            flip: false,
            parity: false,
            last_issue: 0,
            scalars: Scalars::new(self.config),
            halved: Halved::default(),
            halved_at: 0,
            outcome: Outcome::default(),
        };
        let mut pc = program.address(entry);
        while let Some(next) = run.step(&program.code[usize::from(pc)], pc) {
            pc = next;
        }
        run.outcome
    }
}

impl Run<'_> {
    fn step(&mut self, instr: &Instr, pc: u16) -> Option<u16> {
        for source in [instr.a, instr.b] {
            let register = usize::from(self.register(source).unwrap_or(NONE));
            self.outcome.cycles =
                self.outcome.cycles.max(self.due.get(register).copied().unwrap_or(0));
        }
        if instr.drain {
            self.outcome.cycles = self.outcome.cycles.max(self.last_issue + self.model.latency + 1);
        }
        if instr.issue {
            self.issue(instr);
        }
        let (checks, marks) = self.outcome.counts;
        self.outcome.counts =
            ((checks + u8::from(instr.is_check())) % 16, (marks + u8::from(instr.is_mark())) % 16);
        self.outcome.cycles += 1;
        self.control(instr, pc)
    }

    fn control(&mut self, instr: &Instr, pc: u16) -> Option<u16> {
        let mut next = pc + 1;
        let more = self.counter > 0;
        let skip = !self.model.fixed_time || self.model.config != Config::Paper;
        match instr.control {
            Control::Set => self.counter = instr.imm,
            Control::SetMore => self.counter = instr.imm + self.halved.more,
            Control::Loop if more => (self.counter, next) = (self.counter - 1, instr.imm),
            Control::WindowMore if self.scalars.again() => next = pc + 1 - ADDITION_WORDS,
            Control::Window | Control::WindowMore => {
                self.scalars.shift();
                if more {
                    (self.counter, next) = (self.counter - 1, instr.imm);
                }
            }
            Control::Skip if more && skip && self.digit_is_zero() => {
                self.scalars.shift();
                (self.counter, next) = (self.counter - 1, instr.imm);
            }
            Control::Jump => next = instr.imm,
            Control::Wait if instr.imm == 1 => self.digest += 1,
            Control::Wait if instr.imm == 2 => {
                self.outcome.cycles = self.outcome.cycles.max(self.halved_at);
            }
            Control::Recode if instr.imm == 0 => self.scalars.recode_comb(&self.model.l),
            Control::Recode => self.scalars.recode_naf(&self.halved),
            Control::End => return None,
            _ => {}
        }
        Some(next)
    }

    fn digit_is_zero(&self) -> bool {
        match self.model.config {
            Config::Paper => self.scalars.window() == 0,
            Config::Fast | Config::Half => self.scalars.sparse().is_none(),
        }
    }

    /// Returns the entry of the register table (none for the neutral element) and its sign.
    fn table_digit(&self) -> (Option<u8>, bool) {
        match self.model.config {
            Config::Paper => (self.scalars.window().checked_sub(1), false),
            Config::Fast | Config::Half => {
                self.scalars.sparse().map_or((None, false), |(e, n): Digit| (Some(e), n))
            }
        }
    }

    fn rom_digit(&self, q: usize) -> (usize, bool) {
        match self.model.config {
            Config::Paper => (usize::from(self.scalars.window()), false),
            Config::Fast | Config::Half => {
                let (entry, negative) = self.scalars.comb(q);
                (entry + (q << (COMB_TEETH - 1)), negative)
            }
        }
    }

    fn negative(&self, source: Src) -> bool {
        let rom = src("SrcRom");
        if source == src("SrcSign") {
            return self.flip;
        }
        if source >= rom {
            self.rom_digit(usize::from(source - rom) / 3).1
        } else {
            source >= src("SrcTable") && self.table_digit().1
        }
    }

    /// Returns the register that a source reads, also through the table port.
    fn register(&self, source: Src) -> Option<Src> {
        let table = src("SrcTable");
        if source < NONE {
            return Some(source);
        }
        if !(table..table + 4).contains(&source) {
            return None;
        }
        let (entry, negative) = self.table_digit();
        let part = source - table;
        let part = if negative && part < 2 { 1 - part } else { part };
        entry.map(|entry| TABLE + 4 * entry + part)
    }

    fn read(&self, source: Src) -> BigUint {
        if let Some(register) = self.register(source) {
            return self.regs[usize::from(register)].clone();
        }
        let digest = || self.inputs.digests[self.digest - 1].clone();
        let (table, rom, in0) = (src("SrcTable"), src("SrcRom"), src("SrcIn0"));
        let low_255 = (BigUint::from(1u8) << 255u32) - 1u8;
        match source {
            s if s == src("SrcDigestHigh") => digest() >> 255u32,
            s if s == src("SrcDigestLow") => modulus_257(&digest()),
            s if s == src("SrcClamped") => clamp(&digest()),
            s if s == src("SrcSign") => BigUint::from(1u8),
            s if s == src("SrcMultiplier") => self.halved.v.clone(),
            s if s == src("SrcIn2") => self.inputs.words[2].clone(),
            s if s == in0 || s == in0 + 1 => &self.inputs.words[usize::from(s - in0)] & low_255,
            s if s == src("SrcRoot0") && self.roots[0] => BigUint::from(1u8),
            s if s == src("SrcRoot1") => match self.roots[1] {
                true => BigUint::from(1u8),
                false => self.constant(src("SrcRoot0")),
            },
            s if (rom..rom + 12).contains(&s) => self.read_rom(usize::from(s - rom)),
            s if (table..table + 4).contains(&s) => {
                BigUint::from([1u8, 1, 1, 0][usize::from(s - table)])
            }
            s => self.constant(s),
        }
    }

    fn read_rom(&self, port: usize) -> BigUint {
        let (entry, negative) = self.rom_digit(port / 3);
        let part = port % 3;
        let part = if negative && part < 2 { 1 - part } else { part };
        self.model.rom[entry][part].clone()
    }

    fn constant(&self, source: Src) -> BigUint {
        let found = self.model.constants.iter().find(|row| row.0 == source);
        found.unwrap_or_else(|| panic!("source {source} is not a constant")).1.clone()
    }

    fn issue(&mut self, instr: &Instr) {
        let now = self.outcome.cycles;
        self.outcome.products += 1;
        self.last_issue = now;
        let (a, b) = (self.read(instr.a), self.read(instr.b) << u32::from(instr.twice));
        let r = self.reduced(instr.mode, &a, &b);
        let c = self.read(instr.c);
        let modulus = match instr.mode {
            Mode::Field => self.model.p.clone(),
            Mode::Scalar => self.model.l.clone(),
            Mode::Low | Mode::High => BigUint::from(1u8) << 257u32,
        };
        assert!(c < modulus || self.outcome.failed, "a term that is not reduced");
        let (mut s, mut m) = sum_and_difference(&c, &r, &modulus);
        if instr.signed && self.negative(instr.b) {
            std::mem::swap(&mut s, &mut m);
        }
        self.effect(instr.effect, &r, &s, &m);
        for (to, value) in [(instr.dr, r), (instr.ds, s), (instr.dm, m)] {
            if to != NONE {
                self.regs[usize::from(to)] = value;
                self.due[usize::from(to)] = now + self.model.latency;
            }
        }
    }

    fn reduced(&mut self, mode: Mode, a: &BigUint, b: &BigUint) -> BigUint {
        let product = a * b;
        match mode {
            Mode::Field => product % &self.model.p,
            Mode::Low => {
                let low = modulus_257(&product);
                self.carry = &product >> 257u32;
                low
            }
            Mode::High => {
                assert_eq!(self.carry, &product >> 257u32, "High without its Low");
                product >> 257u32
            }
            Mode::Scalar => {
                assert_eq!(*b, BigUint::from(1u8), "modulo L only a single number is reduced");
                let lift = if a.bit(256) { &self.model.l * 32u8 } else { BigUint::ZERO };
                let wrap = if a.bit(256) { BigUint::from(1u8) << 257u32 } else { BigUint::ZERO };
                (a + lift - wrap) % &self.model.l
            }
        }
    }

    fn effect(&mut self, effect: Effect, r: &BigUint, s: &BigUint, m: &BigUint) {
        let zero = BigUint::ZERO;
        match effect {
            Effect::Plain => {}
            Effect::FailUnlessZero => self.outcome.failed |= *m != zero,
            Effect::FailIfNegative => self.outcome.failed |= m.bit(256),
            Effect::FailIfZero => self.outcome.failed |= *m == zero,
            Effect::Root0 | Effect::Root1 => {
                self.roots[usize::from(effect == Effect::Root1)] = *s == zero;
                self.outcome.failed |= *m != zero && *s != zero;
            }
            Effect::Sign0 => self.sign(0, false, r),
            Effect::Sign1 => self.sign(1, false, r),
            Effect::SignNegated1 => self.sign(1, true, r),
            Effect::Scalar0 => self.scalars.plain = r.clone(),
            Effect::Scalar1 => self.scalars.single = r.clone(),
            Effect::Parity => self.parity = r.bit(0),
            Effect::Halve => {
                self.halved = halve(r);
                self.halved_at = self.last_issue + self.model.latency + self.halved.cycles;
            }
            Effect::OutPoint => {
                self.outcome.out.push(r | BigUint::from(u8::from(self.parity)) << 255u32);
            }
            Effect::OutScalar => self.outcome.out.push(s.clone()),
        }
    }

    fn sign(&mut self, input: usize, negated: bool, r: &BigUint) {
        let sign = self.inputs.words[input].bit(255);
        self.outcome.failed |= sign && *r == BigUint::ZERO;
        self.flip = r.bit(0) != (sign != negated);
    }
}

fn sum_and_difference(c: &BigUint, r: &BigUint, modulus: &BigUint) -> (BigUint, BigUint) {
    let sum = c + r;
    let sum = if sum >= *modulus { sum - modulus } else { sum };
    let difference = if c >= r { c - r } else { c + modulus - r };
    (modulus_257(&sum), modulus_257(&difference))
}

/// Follows RFC 8032, Section 5.1.5 (Key Generation), step 2.
fn clamp(digest: &BigUint) -> BigUint {
    let low = digest & &((BigUint::from(1u8) << 254u32) - 8u8);
    low | BigUint::from(1u8) << 254u32
}
