//! The microinstruction of the Ed25519 point unit: one product, one reduction, one butterfly.
//!
//! `r = a * b` (reduced as `mode` says), then `s = c + r` and `m = c - r`, each written or dropped.
//! All results of one instruction are written together, `MUL_LATENCY` cycles after issue, in
//! program order; so only `a` and `b` can meet a value that is still on its way.

/// A register of the file, a constant, a table port or an input, as the 7-bit number the hardware
/// decodes.
pub type Src = u8;
/// A register of the file, or [`NONE`].
pub type Dst = u8;

/// No destination.
pub const NONE: Dst = 63;

/// Sources beyond the register file. The names are also the SystemVerilog names.
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
/// When the name is not in the table: a mistake in a program of this crate.
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
    /// Says what the reduction makes of the product.
    Mode {
        /// Modulo p, canonical.
        Field,
        /// The low 257 bits; the carry out of them is kept for the next `High`.
        Low,
        /// The bits from 257 up, with the kept carry.
        High,
        /// `a` as a signed 257-bit number, modulo L, canonical, where `b` is 1; sum and difference
        /// are modulo L.
        Scalar,
    }
);

coded!(
    /// Says what else happens when the results are written.
    Effect {
        /// Nothing.
        Plain,
        /// The operation fails unless `m` is zero.
        FailUnlessZero,
        /// The operation fails when `m` is negative.
        FailIfNegative,
        /// Remember whether `s` is zero for `SrcRoot0`; fail when neither `s` nor `m` is.
        Root0,
        /// The same for `SrcRoot1`.
        Root1,
        /// Remember for `SrcSign` whether the parity of `r` differs from the sign bit of input 0;
        /// fail for a zero with the sign set.
        Sign0,
        /// The same with the sign bit of input 1.
        Sign1,
        /// The same with the opposite of the sign bit of input 1: the negated point.
        SignNegated1,
        /// Load scalar register 0 with `r`.
        Scalar0,
        /// Load scalar register 1 with `r`.
        Scalar1,
        /// Keep bit 0 of `r` as the sign of the next `OutPoint`.
        Parity,
        /// Put `r` out as a compressed point.
        OutPoint,
        /// Put `s` out as a scalar.
        OutScalar,
        /// Begin to make half-size scalars of `r`.
        Halve,
        /// The operation fails when `m` is zero.
        FailIfZero,
    }
);

coded!(
    /// Says what comes next.
    Control {
        /// The next address.
        Next,
        /// Set the loop counter to `imm`.
        Set,
        /// Count down and go to `imm`, unless the counter is zero.
        Loop,
        /// As `Loop`, and the scalar registers advance by a window.
        Window,
        /// As `Window` when the digit is zero and skipping is allowed; the last window is never
        /// skipped.
        Skip,
        /// Go to `imm`.
        Jump,
        /// Stay until condition `imm` holds.
        Wait,
        /// Recode the scalar registers into signed digits.
        Recode,
        /// Done.
        End,
        /// Set the loop counter to `imm` and the bits of u beyond 128.
        SetMore,
        /// As `Window`; where a second multiple is due at this position, the addition before is
        /// done once more instead.
        WindowMore,
    }
);

/// Conditions of [`Control::Wait`]: the inputs, the digest, or the half-size scalars are there.
pub const CONDITIONS: &[(&str, u16)] = &[("CondInputs", 0), ("CondDigest", 1), ("CondHalved", 2)];

/// One microinstruction. `Default` does nothing for one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instr {
    /// Issue a product.
    pub issue: bool,
    /// Wait until nothing of this operation is in flight.
    pub drain: bool,
    /// The reduction.
    pub mode: Mode,
    /// The product is `2 a b`.
    pub twice: bool,
    /// Exchange the destinations of `s` and `m` when the source `b` is negative: a table digit, or
    /// `SrcSign`.
    pub signed: bool,
    /// The effect.
    pub effect: Effect,
    /// The control operation.
    pub control: Control,
    /// Its address, count or condition.
    pub imm: u16,
    /// First factor.
    pub a: Src,
    /// Second factor.
    pub b: Src,
    /// The term of sum and difference.
    pub c: Src,
    /// Where the product goes.
    pub dr: Dst,
    /// Where the sum goes.
    pub ds: Dst,
    /// Where the difference goes.
    pub dm: Dst,
}

impl Instr {
    /// Returns true if it checks a result: a verification is good only where as many checks have
    /// passed as its program has.
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

    /// Returns true if every run carries it out once, so that their number says that a run went
    /// through its program from its entry to its end.
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
    /// Returns the word the hardware reads.
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
