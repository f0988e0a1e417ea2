//! The microinstruction of the Ed25519 point unit: one product, one reduction, one butterfly.
//!
//! `r = a * b`, reduced as `mode` says, then `s = c + r` and `m = c - r`. Each result is written or
//! dropped. All results of one instruction are written together, `MUL_LATENCY` cycles after issue
//! and in program order. So only `a` and `b` can depend on a value that is still in flight.

/// A register of the file, a constant, a table port or an input, as the 7-bit number that the
/// hardware decodes.
pub type Src = u8;
/// A register of the file, or [`NONE`].
pub type Dst = u8;

/// No destination.
pub const NONE: Dst = 63;

/// Sources beyond the register file. SystemVerilog uses the same names.
pub const SOURCES: &[(&str, Src)] = &[
    ("SrcZero", 64),
    ("SrcOne", 65),
    ("SrcFour", 66),
    ("SrcD", 67),
    ("SrcD2", 68),
    ("SrcBarrett", 69),
    ("SrcEightL", 70),
    ("SrcLMinus1", 71),
    ("SrcRoot0", 72),
    ("SrcRoot1", 73),
    ("SrcSign", 74),
    ("SrcPMinus1", 75),
    ("SrcIn0", 80),
    ("SrcIn1", 81),
    ("SrcIn2", 82),
    ("SrcDigestHigh", 84),
    ("SrcDigestLow", 85),
    ("SrcClamped", 86),
    ("SrcMultiplier", 87),
    ("SrcTable", 96),
    ("SrcRom", 100),
];

/// Returns the number of a source of [`SOURCES`].
///
/// # Panics
/// If the name is not in the table, which is a mistake in a program of this crate.
pub fn src(name: &str) -> Src {
    let row = SOURCES.iter().find(|row| row.0 == name);
    row.unwrap_or_else(|| panic!("no source {name}")).1
}

macro_rules! coded {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[repr(u8)]
        pub enum $name { #[default] $($(#[$vdoc])* $variant),* }
        impl $name {
            /// Every value, in the order of its code.
            pub const ALL: &[(&'static str, $name)] = &[$((stringify!($variant), $name::$variant)),*];
        }
    };
}

coded!(
    /// Reduction of the product.
    Mode {
        /// Modulo p, canonical.
        Field,
        /// The low 257 bits. The carry out of them is kept for the next `High`.
        Low,
        /// The bits from 257 up, with the kept carry.
        High,
        /// `a` as a signed 257-bit number, modulo L, canonical; `b` must be 1. Sum and difference
        /// are modulo L.
        Scalar,
    }
);

coded!(
    /// Additional effect when the results are written.
    Effect {
        /// No effect.
        Plain,
        /// The operation fails unless `m` is zero.
        FailUnlessZero,
        /// The operation fails when `m` is negative.
        FailIfNegative,
        /// Remember for `SrcRoot0` whether `s` is zero; fail if neither `s` nor `m` is zero.
        Root0,
        /// Like `Root0`, for `SrcRoot1`.
        Root1,
        /// Remember for `SrcSign` whether the parity of `r` differs from the sign bit of input 0;
        /// fail if `r` is zero and the sign bit is set.
        Sign0,
        /// Like `Sign0`, with the sign bit of input 1.
        Sign1,
        /// Like `Sign1`, with the opposite sign bit, for the negated point.
        SignNegated1,
        /// Load scalar register 0 with `r`.
        Scalar0,
        /// Load scalar register 1 with `r`.
        Scalar1,
        /// Keep bit 0 of `r` as the sign of the next `OutPoint`.
        Parity,
        /// Output `r` as a compressed point.
        OutPoint,
        /// Output `s` as a scalar.
        OutScalar,
        /// Begin to make half-size scalars from `r`.
        Halve,
        /// The operation fails when `m` is zero.
        FailIfZero,
    }
);

coded!(
    /// Choice of the next instruction.
    Control {
        /// Go to the next address.
        Next,
        /// Set the loop counter to `imm`.
        Set,
        /// Count down and go to `imm`, unless the counter is zero.
        Loop,
        /// Like `Loop`, and the scalar registers advance by a window.
        Window,
        /// Like `Window` if the digit is zero and skipping is allowed. The last window is never
        /// skipped.
        Skip,
        /// Go to `imm`.
        Jump,
        /// Stay until condition `imm` holds.
        Wait,
        /// Recode the scalar registers into signed digits.
        Recode,
        /// End the operation.
        End,
        /// Set the loop counter to `imm` plus the number of bits of u beyond 128.
        SetMore,
        /// Like `Window`. But if a second multiple is due at this position, repeat the addition
        /// before this instruction instead.
        WindowMore,
    }
);

/// Conditions of [`Control::Wait`]: the inputs, the digest or the half-size scalars are available.
pub const CONDITIONS: &[(&str, u16)] = &[("CondInputs", 0), ("CondDigest", 1), ("CondHalved", 2)];

/// One microinstruction. `Default` does nothing for one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instr {
    /// Whether to issue a product.
    pub issue: bool,
    /// Whether to wait until nothing of this operation is in flight.
    pub drain: bool,
    /// Reduction of the product.
    pub mode: Mode,
    /// Whether the product is `2 a b`.
    pub twice: bool,
    /// Whether to exchange the destinations of `s` and `m` if the source `b` is negative: a table
    /// digit, or `SrcSign`.
    pub signed: bool,
    /// Additional effect.
    pub effect: Effect,
    /// Control operation.
    pub control: Control,
    /// Address, count or condition of the control operation.
    pub imm: u16,
    /// First factor.
    pub a: Src,
    /// Second factor.
    pub b: Src,
    /// Term of sum and difference.
    pub c: Src,
    /// Destination of the product.
    pub dr: Dst,
    /// Destination of the sum.
    pub ds: Dst,
    /// Destination of the difference.
    pub dm: Dst,
}

impl Instr {
    /// Returns true if the instruction checks a result. A verification is only good if as many
    /// checks have passed as its program has.
    #[must_use]
    pub const fn is_check(&self) -> bool {
        matches!(
            self.effect,
            Effect::FailUnlessZero
                | Effect::FailIfNegative
                | Effect::FailIfZero
                | Effect::Root0
                | Effect::Root1
                | Effect::Sign0
                | Effect::Sign1
                | Effect::SignNegated1
        )
    }

    /// Returns true if every run executes the instruction exactly once. The number of these marks
    /// shows that a run went through its program from the entry to the end.
    #[must_use]
    pub const fn is_mark(&self) -> bool {
        matches!(self.control, Control::Set | Control::SetMore | Control::Recode | Control::Jump)
    }
}

impl Default for Instr {
    fn default() -> Self {
        Self {
            issue: false,
            drain: false,
            mode: Mode::Field,
            twice: false,
            signed: false,
            effect: Effect::Plain,
            control: Control::Next,
            imm: 0,
            a: 64,
            b: 64,
            c: 64,
            dr: NONE,
            ds: NONE,
            dm: NONE,
        }
    }
}

/// Width of the encoded word in bits.
pub const WORD_BITS: usize = 63;

/// Field widths in the encoded word, most significant first.
pub const FIELDS: &[(&str, usize)] = &[
    ("issue", 1),
    ("drain", 1),
    ("mode", 2),
    ("twice", 1),
    ("is_signed", 1),
    ("effect", 4),
    ("control", 4),
    ("imm", 10),
    ("a", 7),
    ("b", 7),
    ("c", 7),
    ("dr", 6),
    ("ds", 6),
    ("dm", 6),
];

impl Instr {
    /// Returns the word that the hardware reads.
    #[must_use]
    pub fn encode(&self) -> u128 {
        let values = [
            u16::from(self.issue),
            u16::from(self.drain),
            self.mode as u16,
            u16::from(self.twice),
            u16::from(self.signed),
            self.effect as u16,
            self.control as u16,
            self.imm,
            u16::from(self.a),
            u16::from(self.b),
            u16::from(self.c),
            u16::from(self.dr),
            u16::from(self.ds),
            u16::from(self.dm),
        ];
        let fields = FIELDS.iter().zip(values);
        fields.fold(0, |word, (field, value)| {
            debug_assert!(u32::from(value) >> field.1 == 0, "{} too wide", field.0);
            word << field.1 | u128::from(value)
        })
    }
}
