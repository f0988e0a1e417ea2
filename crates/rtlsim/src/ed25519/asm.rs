//! A small assembler: instructions in order, and labels for the addresses among them.

use super::isa::{Control, Dst, Effect, Instr, Mode, Src};

/// A product `a * b`, with nothing written yet.
pub fn mul(a: Src, b: Src) -> Instr {
    Instr { issue: true, a, b, ..Instr::default() }
}

/// A cycle without a product.
pub fn pause() -> Instr {
    Instr::default()
}

impl Instr {
    /// Write the product to `dr`.
    pub fn r(self, dr: Dst) -> Self {
        Self { dr, ..self }
    }
    /// The term of sum and difference.
    pub fn c(self, c: Src) -> Self {
        Self { c, ..self }
    }
    /// Write `c + r` to `ds`.
    pub fn s(self, ds: Dst) -> Self {
        Self { ds, ..self }
    }
    /// Write `c - r` to `dm`.
    pub fn m(self, dm: Dst) -> Self {
        Self { dm, ..self }
    }
    /// Twice the product.
    pub fn twice(self) -> Self {
        Self { twice: true, ..self }
    }
    /// Let the sign of `b` exchange sum and difference.
    pub fn signed(self) -> Self {
        Self { signed: true, ..self }
    }
    /// The reduction.
    pub fn mode(self, mode: Mode) -> Self {
        Self { mode, ..self }
    }
    /// The effect.
    pub fn effect(self, effect: Effect) -> Self {
        Self { effect, ..self }
    }
    /// Wait for everything in flight first.
    pub fn drained(self) -> Self {
        Self { drain: true, ..self }
    }
    /// The control operation.
    pub fn then(self, control: Control, imm: u16) -> Self {
        debug_assert!(self.control == Control::Next, "one control operation per instruction");
        Self { control, imm, ..self }
    }
}

/// A program under construction.
#[derive(Debug, Default)]
pub struct Program {
    /// The instructions so far.
    pub code: Vec<Instr>,
    /// Named entry points.
    pub entries: Vec<(&'static str, u16)>,
}

impl Program {
    /// The address of the next instruction.
    pub fn here(&self) -> u16 {
        u16::try_from(self.code.len()).expect("a program of less than 65,536 words")
    }
    /// Names the next instruction.
    pub fn entry(&mut self, name: &'static str) {
        self.entries.push((name, self.here()));
    }
    /// The address of an entry.
    ///
    /// # Panics
    /// When the program has no such entry.
    pub fn address(&self, name: &str) -> u16 {
        let found = self.entries.iter().find(|entry| entry.0 == name);
        found.unwrap_or_else(|| panic!("no entry {name}")).1
    }
    /// Appends instructions.
    pub fn add(&mut self, code: impl IntoIterator<Item = Instr>) {
        self.code.extend(code);
    }
    /// Gives the last instruction a control operation.
    pub fn then(&mut self, control: Control, imm: u16) {
        let last = self.code.pop().expect("an instruction to continue from");
        self.code.push(last.then(control, imm));
    }
    /// Appends `body` to run `times` times (at least once); the counter is set on the instruction before it.
    pub fn repeat(&mut self, times: u16, body: Vec<Instr>) {
        if times > 1 {
            self.then(Control::Set, times - 1);
        }
        let start = self.here();
        self.add(body);
        if times > 1 {
            self.then(Control::Loop, start);
        }
    }
}
