//! A small assembler: instructions in order, and labels for the addresses among them.

use super::isa::{Control, Dst, Effect, Instr, Mode, Src};

/// Returns a product `a * b`, with nothing written yet.
pub fn mul(a: Src, b: Src) -> Instr {
    Instr { issue: true, a, b, ..Instr::default() }
}

/// Returns a cycle without a product.
pub fn pause() -> Instr {
    Instr::default()
}

impl Instr {
    /// Returns write the product to `dr`.
    pub fn r(self, dr: Dst) -> Self {
        Self { dr, ..self }
    }
    /// Returns the term of sum and difference.
    pub fn c(self, c: Src) -> Self {
        Self { c, ..self }
    }
    /// Returns write `c + r` to `ds`.
    pub fn s(self, ds: Dst) -> Self {
        Self { ds, ..self }
    }
    /// Returns write `c - r` to `dm`.
    pub fn m(self, dm: Dst) -> Self {
        Self { dm, ..self }
    }
    /// Returns twice the product.
    pub fn twice(self) -> Self {
        Self { twice: true, ..self }
    }
    /// Returns let the sign of `b` exchange sum and difference.
    pub fn signed(self) -> Self {
        Self { signed: true, ..self }
    }
    /// Returns the reduction.
    pub fn mode(self, mode: Mode) -> Self {
        Self { mode, ..self }
    }
    /// Returns the effect.
    pub fn effect(self, effect: Effect) -> Self {
        Self { effect, ..self }
    }
    /// Returns wait for everything in flight first.
    pub fn drained(self) -> Self {
        Self { drain: true, ..self }
    }
    /// Returns the control operation.
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
    /// Returns the address of the next instruction.
    pub fn here(&self) -> u16 {
        u16::try_from(self.code.len()).expect("a program of less than 65,536 words")
    }
    /// Names the next instruction.
    pub fn entry(&mut self, name: &'static str) {
        self.entries.push((name, self.here()));
    }
    /// Returns the address of an entry.
    ///
    /// # Panics
    /// When the program has no such entry.
    pub fn address(&self, name: &str) -> u16 {
        let found = self.entries.iter().find(|entry| entry.0 == name);
        found.unwrap_or_else(|| panic!("no entry {name}")).1
    }
    /// Returns the checks and the marks of the operation that starts at an entry, modulo 16.
    ///
    /// # Panics
    /// When the program has no such entry.
    #[must_use]
    pub fn counts(&self, name: &str) -> (u8, u8) {
        let code = &self.code[usize::from(self.address(name))..];
        let end = code.iter().position(|instr| instr.control == Control::End);
        let code = &code[..=end.expect("every operation ends")];
        let count = |is: fn(&Instr) -> bool| code.iter().filter(|instr| is(instr)).count();
        let (checks, marks) = (count(Instr::is_check), count(Instr::is_mark));
        ((checks % 16) as u8, (marks % 16) as u8)
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
    /// Appends `body` to run `times` times (at least once); the counter is set on the instruction
    /// before it.
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
