//! RISC-V instructions as words, and a program of them as an ELF file.

/// The register-to-register instructions of RV32IM: funct7 and funct3.
pub const PLAIN: [(u32, u32); 18] = [
    (0, 0),
    (0x20, 0),
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (0, 5),
    (0x20, 5),
    (0, 6),
    (0, 7),
    (1, 0),
    (1, 1),
    (1, 2),
    (1, 3),
    (1, 4),
    (1, 5),
    (1, 6),
    (1, 7),
];

/// The register-to-register instructions of Zba, Zbb and Zbs.
pub const BITS: [(u32, u32); 16] = [
    (0x10, 2),
    (0x10, 4),
    (0x10, 6),
    (0x20, 7),
    (0x20, 6),
    (0x20, 4),
    (0x05, 6),
    (0x05, 7),
    (0x05, 4),
    (0x05, 5),
    (0x30, 1),
    (0x30, 5),
    (0x24, 1),
    (0x24, 5),
    (0x34, 1),
    (0x14, 1),
];

/// The instructions of Zbb with one operand: bits 31 to 20, funct3 and opcode.
pub const UNARY: [(i32, u32, u32); 8] = [
    (0x600, 1, OP_IMM),
    (0x601, 1, OP_IMM),
    (0x602, 1, OP_IMM),
    (0x604, 1, OP_IMM),
    (0x605, 1, OP_IMM),
    (0x287, 5, OP_IMM),
    (0x698, 5, OP_IMM),
    (0x080, 4, OP),
];

/// Shifts by a constant, and other instructions of Zbb and Zbs with a constant: funct7 and funct3.
pub const SHIFTS: [(u32, u32); 8] =
    [(0, 1), (0, 5), (0x20, 5), (0x30, 5), (0x24, 1), (0x24, 5), (0x34, 1), (0x14, 1)];

pub const OP: u32 = 0x33;
pub const OP_IMM: u32 = 0x13;
pub const LUI: u32 = 0x37;
pub const AUIPC: u32 = 0x17;
pub const LOAD: u32 = 0x03;
pub const JALR: u32 = 0x67;
pub const SYSTEM: u32 = 0x73;
pub const CUSTOM: u32 = 0x0b;
pub const ECALL: u32 = 0x0000_0073;
pub const MRET: u32 = 0x3020_0073;
pub const NOP: u32 = 0x0000_0013;

/// Returns an instruction with three registers.
pub fn r(opcode: u32, (funct7, funct3): (u32, u32), [rd, rs1, rs2]: [u32; 3]) -> u32 {
    funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode
}

/// Returns an instruction with two registers and a 12-bit number.
pub fn i(opcode: u32, funct3: u32, rd: u32, rs1: u32, number: i32) -> u32 {
    (number as u32 & 0xfff) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode
}

/// Returns an instruction with one register and the upper 20 bits of a number.
pub fn u(opcode: u32, rd: u32, number: u32) -> u32 {
    number & 0xffff_f000 | rd << 7 | opcode
}

/// Returns a store instruction.
pub fn s(funct3: u32, rs1: u32, rs2: u32, number: i32) -> u32 {
    let bits = number as u32;
    (bits >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (bits & 0x1f) << 7 | 0x23
}

/// Returns a branch by `bytes` bytes.
pub fn b(funct3: u32, rs1: u32, rs2: u32, bytes: i32) -> u32 {
    let bits = bytes as u32;
    let high = (bits >> 12 & 1) << 31 | (bits >> 5 & 0x3f) << 25;
    let low = (bits >> 1 & 0xf) << 8 | (bits >> 11 & 1) << 7;
    high | rs2 << 20 | rs1 << 15 | funct3 << 12 | low | 0x63
}

/// Returns a jump by `bytes` bytes that stores the return address in `rd`.
pub fn jal(rd: u32, bytes: i32) -> u32 {
    let bits = bytes as u32;
    let high = (bits >> 20 & 1) << 31 | (bits >> 1 & 0x3ff) << 21;
    high | (bits >> 11 & 1) << 20 | (bits >> 12 & 0xff) << 12 | rd << 7 | 0x6f
}

/// Returns a compressed branch by `bytes` bytes, taken if a register from x8 on is zero, or if not.
pub fn c_branch(zero: bool, register: u32, bytes: i32) -> u16 {
    let bits = bytes as u32;
    let high = (bits >> 8 & 1) << 12 | (bits >> 3 & 3) << 10 | (register - 8) << 7;
    let low = (bits >> 6 & 3) << 5 | (bits >> 1 & 3) << 3 | (bits >> 5 & 1) << 2;
    (if zero { 0xc001 } else { 0xe001 } | high | low) as u16
}

/// Start address of a program's code.
pub const CODE: u32 = 0x0010_0000;

/// Returns an ELF file with the data at address 0 and the code at [`CODE`].
pub fn elf(code: &[u16], data: &[u8]) -> Vec<u8> {
    let code: Vec<u8> = code.iter().flat_map(|parcel| parcel.to_le_bytes()).collect();
    let (data_at, code_at) = (116, 116 + data.len() as u32);
    let mut words = vec![0x464c_457f, 0x0001_0101, 0, 0, 0x00f3_0002, 1, CODE, 52, 0, 0];
    words.extend([0x0020_0034, 0x0028_0002, 0]);
    for (at, address, len) in [(data_at, 0, data.len()), (code_at, CODE, code.len())] {
        words.extend([1, at, address, address, len as u32, len as u32, 7, 4]);
    }
    let head = words.iter().flat_map(|word| word.to_le_bytes());
    head.chain(data.iter().copied()).chain(code).collect()
}
