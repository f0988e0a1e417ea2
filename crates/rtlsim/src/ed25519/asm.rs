//! A small assembler: a list of instructions with named entry points.

use super::isa::{Control, Dst, Effect, Instr, Mode, Src};

/// Returns an instruction that computes the product `a * b` and writes nothing yet.
pub fn mul(a: Src, b: Src) -> Instr {
    Instr { issue: true, a, b, ..Instr::default() }
}

/// Returns an instruction that issues no product and takes one cycle.
pub fn pause() -> Instr {
    Instr::default()
}

impl Instr {
    /// Writes the product to `dr`.
    pub fn r(self, dr: Dst) -> Self {
        Self { dr, ..self }
    }
    /// Sets the term `c` of sum and difference.
    pub fn c(self, c: Src) -> Self {
        Self { c, ..self }
    }
    /// Writes `c + r` to `ds`.
    pub fn s(self, ds: Dst) -> Self {
        Self { ds, ..self }
    }
    /// Writes `c - r` to `dm`.
    pub fn m(self, dm: Dst) -> Self {
        Self { dm, ..self }
    }
    /// Doubles the product.
    pub fn twice(self) -> Self {
        Self { twice: true, ..self }
    }
    /// Lets the sign of `b` exchange sum and difference.
    pub fn signed(self) -> Self {
        Self { signed: true, ..self }
    }
    /// Sets the reduction.
    pub fn mode(self, mode: Mode) -> Self {
        Self { mode, ..self }
    }
    /// Sets the effect.
    pub fn effect(self, effect: Effect) -> Self {
        Self { effect, ..self }
    }
    /// Waits first for everything in flight.
    pub fn drained(self) -> Self {
        Self { drain: true, ..self }
    }
    /// Sets the control operation and its address, count or condition.
    pub fn then(self, control: Control, imm: u16) -> Self {
        debug_assert!(self.control == Control::Next, "one control operation per instruction");
        Self { control, imm, ..self }
    }
}

/// A program under construction.
#[derive(Debug, Default)]
pub struct Program {
    /// Instructions so far.
    pub code: Vec<Instr>,
    /// Named entry points.
    pub entries: Vec<(&'static str, u16)>,
}

impl Program {
    /// Returns the address of the next instruction.
    pub fn here(&self) -> u16 {
        u16::try_from(self.code.len()).expect("a program of less than 65,536 words")
    }
    /// Makes the next instruction an entry point with this name.
    pub fn entry(&mut self, name: &'static str) {
        self.entries.push((name, self.here()));
    }
    /// Returns the address of an entry.
    ///
    /// # Panics
    /// If the program has no such entry.
    pub fn address(&self, name: &str) -> u16 {
        let found = self.entries.iter().find(|entry| entry.0 == name);
        found.unwrap_or_else(|| panic!("no entry {name}")).1
    }
    /// Returns the number of checks and the number of marks of the operation that begins at an
    /// entry, modulo 16.
    ///
    /// # Panics
    /// If the program has no such entry.
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
    /// Sets the control operation of the last instruction.
    pub fn then(&mut self, control: Control, imm: u16) {
        let last = self.code.pop().expect("an instruction to continue from");
        self.code.push(last.then(control, imm));
    }
    /// Appends `body` to run `times` times, at least once. The instruction before it sets the
    /// counter.
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
