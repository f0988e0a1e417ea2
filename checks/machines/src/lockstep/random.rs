//! Random programs for the machines of `rtl/asip`. The same seed gives the same program.
//!
//! A program has random instructions on random registers, more often on those written last. It has
//! loads and stores of all sizes at any address of two pages, branches and jumps forward, loops,
//! system calls, compressed instructions, and instructions of the unit's generic stage.

use super::encode::{self, AUIPC, BITS, CUSTOM, JALR, LOAD, LUI, OP, OP_IMM, PLAIN, SHIFTS};
use super::encode::{SYSTEM, UNARY, c_branch, i, jal, r, s, u};

/// Reserved registers: an address in the data, one for system calls, an address for compressed
/// instructions, and a loop counter.
const STACK: u32 = 2;
const TRAPS: u32 = 3;
const PLACE: u32 = 8;
const COUNT: u32 = 9;

/// Bytes of data. The addresses in registers are near its middle.
const DATA: usize = 0x4000;

const MSCRATCH: i32 = 0x340;
const MTVEC: i32 = 0x305;
const MEPC: i32 = 0x341;
const MCAUSE: i32 = 0x342;
const MCYCLE: i32 = 0xb00;
const CYCLE: i32 = 0xc00;
const MCOUNTINHIBIT: i32 = 0x320;

/// Edge cases of arithmetic.
const EDGES: [u32; 6] = [0, 1, u32::MAX, 1 << 31, i32::MAX as u32, 0xffff];

/// Extensions and limits of a program's machine, compared with RV32IMC.
#[derive(Clone, Copy)]
pub struct Extensions {
    /// Zba, Zbb and Zbs.
    pub bits: bool,
    /// The unit's generic stage.
    pub unit: bool,
    /// The small processor: loads and stores must be aligned, and of the system registers it has
    /// only counters.
    pub small: bool,
}

/// Returns the program of a seed as an ELF file, with about `len` instructions.
pub fn program(seed: u64, len: usize, with: Extensions) -> Vec<u8> {
    let mut writer = Writer { random: Random(seed), with, code: Vec::new(), recent: [10, 11, 12] };
    writer.begin();
    while writer.code.len() < 2 * len {
        writer.any(true);
    }
    writer.end();
    let data: Vec<u8> = (0..DATA).map(|_| writer.random.next() as u8).collect();
    encode::elf(&writer.code, &data)
}

/// A pseudo-random generator (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: u32) -> u32 {
        (self.next() % u64::from(limit)) as u32
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize]
    }
}

struct Writer {
    random: Random,
    with: Extensions,
    code: Vec<u16>,
    /// The registers that were written last.
    recent: [u32; 3],
}

impl Writer {
    fn word(&mut self, word: u32) {
        self.code.extend([word as u16, (word >> 16) as u16]);
    }

    fn set(&mut self, register: u32, value: u32) {
        self.word(u(LUI, register, value.wrapping_add(0x800)));
        self.word(i(OP_IMM, 0, register, register, value as i32));
    }

    /// Writes the handler of system calls, and fills the registers and the unit.
    fn begin(&mut self) {
        self.word(jal(0, 0x80));
        self.code.resize(0x40, 1);
        self.set(TRAPS, encode::CODE + 0x100);
        self.word(jal(0, 0x78));
        self.code.resize(0x80, 1);
        self.word(i(SYSTEM, 2, TRAPS, 0, MEPC));
        self.word(i(OP_IMM, 0, TRAPS, TRAPS, 4));
        self.word(i(SYSTEM, 1, 0, TRAPS, MEPC));
        self.word(i(SYSTEM, 2, TRAPS, 0, MCAUSE));
        self.word(encode::MRET);
        let over = 2 * (self.code.len() as i32 - 0x44);
        let jump = jal(0, over);
        (self.code[0x44], self.code[0x45]) = (jump as u16, (jump >> 16) as u16);
        if !self.with.small {
            self.word(i(SYSTEM, 1, 0, TRAPS, MTVEC));
            self.word(i(SYSTEM, 1, 0, 0, MCOUNTINHIBIT));
        }
        for register in (1..32).filter(|register| *register != TRAPS) {
            let value = self.random.next() as u32;
            self.set(register, value);
        }
        self.set(STACK, 0x1800);
        self.set(PLACE, 0x2800);
        if self.with.unit {
            for pair in 0..12 {
                let registers = [0, self.random.below(32), self.random.below(32)];
                self.word(r(CUSTOM, (pair, 0), registers));
            }
            self.word(r(CUSTOM, (1, 1), [0; 3]));
        }
    }

    /// Reports success to the host.
    fn end(&mut self) {
        self.word(u(LUI, 5, 1 << 31));
        self.word(s(2, 5, 0, 0));
        self.word(jal(0, 0));
    }

    fn source(&mut self) -> u32 {
        if self.random.below(2) == 0 { self.random.of(&self.recent) } else { self.random.below(32) }
    }

    /// Returns a register that may be written, or x0.
    fn target(&mut self) -> u32 {
        let register = loop {
            let register = self.random.below(32);
            if ![STACK, TRAPS, PLACE, COUNT].contains(&register) {
                break register;
            }
        };
        self.recent.rotate_right(1);
        self.recent[0] = register;
        register
    }

    /// Returns a register from x10 to x15. Compressed instructions can use these too.
    fn small(&mut self) -> u32 {
        let register = 10 + self.random.below(6);
        self.recent.rotate_right(1);
        self.recent[0] = register;
        register
    }

    /// Returns a 12-bit offset for an access of 2^`size` bytes. It is aligned on the small
    /// processor.
    fn offset(&mut self, size: u32) -> i32 {
        let number = self.random.below(0x1000) as i32 - 0x800;
        if self.with.small { number >> size << size } else { number }
    }

    /// Writes one instruction, or a few that belong together. If `outer` is true, they may contain
    /// others.
    fn any(&mut self, outer: bool) {
        match self.random.below(if outer { 24 } else { 20 }) {
            0..4 => self.registers(),
            4..7 => self.with_number(),
            7..9 => self.load(),
            9..11 => self.store(),
            11..17 => self.compressed(),
            17 => self.edge(),
            18 if self.with.unit => self.unit(),
            18 | 19 => self.system(),
            20..22 => self.branch(),
            22 => self.jump(),
            _ => self.repeat(),
        }
    }

    fn registers(&mut self) {
        let bits = self.with.bits && self.random.below(2) == 0;
        let functions = if bits { self.random.of(&BITS) } else { self.random.of(&PLAIN) };
        let registers = [self.source(), self.source()];
        let rd = self.target();
        self.word(r(OP, functions, [rd, registers[0], registers[1]]));
    }

    fn with_number(&mut self) {
        let (from, number, shift) = (self.source(), self.offset(0), self.random.below(32));
        let (rd, kind) = (self.target(), self.random.below(5));
        let functions = self.random.of(&SHIFTS[..if self.with.bits { 8 } else { 3 }]);
        let (high, unary, opcode) = self.random.of(&UNARY);
        let upper = self.random.of(&[LUI, AUIPC]);
        let funct3 = self.random.of(&[0, 2, 3, 4, 6, 7]);
        self.word(match kind {
            0 => u(upper, rd, (number as u32) << 12),
            1 => r(OP_IMM, functions, [rd, from, shift]),
            2 if self.with.bits => i(opcode, unary, rd, from, high),
            _ => i(OP_IMM, funct3, rd, from, number),
        });
    }

    fn load(&mut self) {
        let (place, size) = (self.random.of(&[STACK, PLACE]), self.random.of(&[0, 1, 2, 2, 4, 5]));
        let (number, rd) = (self.offset(size & 3), self.target());
        self.word(i(LOAD, size, rd, place, number));
    }

    fn store(&mut self) {
        let (place, size) = (self.random.of(&[STACK, PLACE]), self.random.of(&[0, 1, 2, 2]));
        let (number, value) = (self.offset(size), self.source());
        self.word(s(size, place, value, number));
    }

    fn edge(&mut self) {
        let (value, rd) = (self.random.of(&EDGES), self.target());
        self.set(rd, value);
    }

    /// Writes a compressed instruction.
    fn compressed(&mut self) {
        let (number, any) = (self.random.below(32), self.source());
        let (small, other) = (self.small(), self.random.below(8));
        let split = (number & 0x1f) << 2 | (self.random.below(2)) << 12;
        let amount = number.max(1) << 2;
        let field = (self.random.below(64) << 7 & 0x1c00) | self.random.below(4) << 5;
        self.code.push(match self.random.below(14) {
            0 => 0x0001 | small << 7 | split,
            1 => 0x4001 | small << 7 | split,
            2 => 0x6001 | small << 7 | amount,
            3 => 0x8001 | (small - 8) << 7 | self.random.below(2) << 10 | amount,
            4 => 0x8801 | (small - 8) << 7 | split,
            5 => 0x8c01 | (small - 8) << 7 | self.random.below(4) << 5 | other << 2,
            6 => 0x0002 | small << 7 | amount,
            7 => 0x8002 | small << 7 | any.max(1) << 2,
            8 => 0x9002 | small << 7 | any.max(1) << 2,
            9 => 0x4000 | field | (small - 8) << 2,
            10 => 0xc000 | field | other << 2,
            11 => (1 + self.random.below(255)) << 5 | (small - 8) << 2,
            12 => 0x4002 | small << 7 | split,
            _ => 0xc002 | self.random.below(64) << 7 | any << 2,
        } as u16);
    }

    /// Writes a use of the unit: operands, a compression, words of its digest. A `nop` separates a
    /// division from instructions that read or write registers (rtl/asip/README.md).
    fn unit(&mut self) {
        self.word(encode::NOP);
        for _ in 0..self.random.below(4) {
            let pair = self.random.below(12) + 64 * self.random.below(2);
            let registers = [0, self.source(), self.source()];
            self.word(r(CUSTOM, (pair, 0), registers));
        }
        if self.random.below(2) == 0 {
            let from = self.random.below(3);
            self.word(r(CUSTOM, (from, 1), [0; 3]));
        }
        if self.random.below(2) == 0 {
            self.word(encode::NOP);
            for _ in 0..=self.random.below(3) {
                let (word, rd) = (self.random.below(8) + 64 * self.random.below(2), self.target());
                self.word(r(CUSTOM, (word, 2), [rd, 0, 0]));
            }
        }
    }

    /// Writes a system call, or an access to a system register.
    fn system(&mut self) {
        let (from, kind) = (self.source(), self.random.below(6));
        let rd = self.target();
        self.word(match kind {
            _ if self.with.small => i(SYSTEM, 2, rd, 0, CYCLE),
            0 => encode::ECALL,
            1 => i(SYSTEM, 2, rd, 0, MCYCLE),
            _ => i(SYSTEM, 1 + kind % 3, rd, from, MSCRATCH),
        });
    }

    /// Generates instructions that others may jump over, and returns them.
    fn some(&mut self) -> Vec<u16> {
        let before = self.code.len();
        for _ in 0..=self.random.below(4) {
            self.any(false);
        }
        self.code.split_off(before)
    }

    fn branch(&mut self) {
        let (one, other, kind) = (self.source(), self.source(), self.random.below(8));
        let some = self.some();
        let over = 2 * some.len() as i32;
        match kind {
            0 | 1 => {
                let small = 10 + self.random.below(6);
                self.code.push(c_branch(kind == 0, small, over + 2));
            }
            _ => {
                let funct3 = self.random.of(&[0, 1, 4, 5, 6, 7]);
                self.word(encode::b(funct3, one, other, over + 4));
            }
        }
        self.code.extend(some);
    }

    fn jump(&mut self) {
        let rd = self.target();
        let some = self.some();
        let over = 2 * some.len() as i32;
        if self.random.below(2) == 0 {
            self.word(jal(rd, over + 4));
        } else {
            let at = 10 + self.random.below(6);
            self.word(u(AUIPC, at, 0));
            self.word(i(JALR, 0, rd, at, over + 8));
        }
        self.code.extend(some);
    }

    fn repeat(&mut self) {
        let times = 1 + self.random.below(5);
        let some = self.some();
        self.word(i(OP_IMM, 0, COUNT, 0, times as i32));
        let back = 2 * some.len() as i32 + 4;
        self.code.extend(some);
        self.word(i(OP_IMM, 0, COUNT, COUNT, -1));
        self.word(encode::b(1, COUNT, 0, -back));
    }
}
