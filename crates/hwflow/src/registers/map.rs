//! `rtl/NAME/registers.toml`: the only description of a core's registers.

use serde::Deserialize;
use std::collections::BTreeMap;

/// A block of 32-bit registers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Map {
    /// Stem of every generated name: `sha3` gives `sha3_regs`.
    pub name: String,
    /// Description of one sentence.
    pub description: String,
    /// Registers in the order of their offsets.
    pub register: Vec<Register>,
}

/// A register, or an array of `count` registers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Register {
    /// Name in lower case with underscores.
    pub name: String,
    /// Offset in bytes from the beginning of the block, a multiple of four.
    pub offset: u32,
    /// Who writes the register.
    pub access: Access,
    /// Description of one sentence.
    pub description: String,
    /// Number of registers in the array; a single register if absent.
    #[serde(default)]
    pub count: Option<u32>,
    /// Whether the core sees in which cycle the register was written.
    #[serde(default)]
    pub strobe: bool,
    /// Fields of the register. Without any, it has one field of 32 bits named `value`.
    #[serde(default)]
    pub field: Vec<Field>,
}

/// Who writes a register, and what a write does.
#[derive(Debug, Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// Software writes it and reads it back; the core reads it.
    Rw,
    /// Like `Rw`, but the register reads as zero. For secrets.
    Wo,
    /// Software reads a signal of the core.
    Ro,
    /// The register always reads as its reset value.
    Const,
    /// Writing a one gives a one for one cycle. The register reads as zero.
    Pulse,
    /// The core sets bits, and software clears the bits to which it writes a one.
    W1c,
}

/// Bits of a register.
#[derive(Debug, Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// Name in lower case with underscores.
    pub name: String,
    /// Range of bits, such as `7:0`, or `3` for one bit.
    pub bits: String,
    /// Description of one sentence.
    pub description: String,
    /// Value after reset.
    #[serde(default)]
    pub reset: u32,
    /// Names of values of the field.
    #[serde(default)]
    pub values: BTreeMap<String, u32>,
}

impl Access {
    /// Returns true if software may write the register.
    pub fn writable(self) -> bool {
        matches!(self, Self::Rw | Self::Wo | Self::Pulse | Self::W1c)
    }

    /// Returns true if the block keeps the register in flip-flops.
    pub fn stored(self) -> bool {
        self.writable()
    }

    /// Returns true if the core drives the register.
    pub fn driven(self) -> bool {
        matches!(self, Self::Ro | Self::W1c)
    }

    /// Returns the word for the access in the documentation.
    pub fn word(self) -> &'static str {
        match self {
            Self::Rw => "rw",
            Self::Wo => "wo",
            Self::Ro => "ro",
            Self::Const => "const",
            Self::Pulse => "pulse",
            Self::W1c => "w1c",
        }
    }
}

impl Register {
    /// Returns the fields, at least one.
    pub fn fields(&self) -> Vec<Field> {
        if !self.field.is_empty() {
            return self.field.clone();
        }
        vec![Field {
            name: "value".into(),
            bits: "31:0".into(),
            description: self.description.clone(),
            reset: 0,
            values: BTreeMap::new(),
        }]
    }

    /// Returns the index and byte offset of each word. The index is `None` if the register is not
    /// an array.
    pub fn words(&self) -> Vec<(Option<u32>, u32)> {
        match self.count {
            None => vec![(None, self.offset)],
            Some(count) => (0..count).map(|i| (Some(i), self.offset + 4 * i)).collect(),
        }
    }
}

impl Field {
    /// Returns the highest and the lowest bit, or `None` if the range is invalid.
    pub fn range(&self) -> Option<(u32, u32)> {
        let (high, low) = self.bits.split_once(':').unwrap_or((&self.bits, &self.bits));
        let (high, low) = (high.trim().parse().ok()?, low.trim().parse().ok()?);
        (low <= high && high < 32).then_some((high, low))
    }

    /// Returns a mask with the bits of the field set.
    pub fn mask(&self) -> u32 {
        self.range().map_or(0, |(high, low)| (u32::MAX >> (31 - high + low)) << low)
    }

    /// Returns the lowest bit of the field.
    pub fn shift(&self) -> u32 {
        self.range().map_or(0, |(_, low)| low)
    }

    /// Returns the number of bits of the field.
    pub fn width(&self) -> u32 {
        self.mask().count_ones()
    }
}

impl Map {
    /// Returns the number of bits of a byte address in the block.
    pub fn address_bits(&self) -> u32 {
        let last = self.register.iter().flat_map(Register::words).map(|(_, at)| at).max();
        (last.unwrap_or(0) + 4).next_power_of_two().trailing_zeros().max(3)
    }

    /// Returns the faults of the description, one line each.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut next = 0;
        for register in &self.register {
            let name = &register.name;
            if register.offset % 4 != 0 || register.offset < next {
                faults.push(format!("{name}: offset {:#x} is not free", register.offset));
            }
            next = register.offset + 4 * register.count.unwrap_or(1);
            let mut used = 0;
            for field in register.fields() {
                let mask = field.mask();
                let fits = |value: u32| value <= mask >> field.shift();
                if mask == 0 || used & mask != 0 {
                    faults.push(format!("{name}.{}: bits {} are not free", field.name, field.bits));
                }
                if !fits(field.reset) || !field.values.values().all(|value| fits(*value)) {
                    faults.push(format!("{name}.{}: a value is too wide", field.name));
                }
                used |= mask;
            }
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(text: &str) -> Map {
        toml::from_str(&format!("name='t'\ndescription='d'\n{text}")).unwrap()
    }

    #[test]
    fn addresses_masks_and_widths_follow_from_the_description() {
        let map = map(
            "[[register]]\nname='a'\noffset=0\naccess='rw'\ndescription=''\nfield=[{name='x',bits='6:4',description=''}]
            [[register]]\nname='b'\noffset=0x10\ncount=3\naccess='wo'\ndescription=''",
        );
        assert!(map.faults().is_empty());
        assert_eq!(map.address_bits(), 5);
        let x = &map.register[0].fields()[0];
        assert_eq!((x.mask(), x.shift(), x.width()), (0x70, 4, 3));
        assert_eq!(map.register[1].words(), [(Some(0), 16), (Some(1), 20), (Some(2), 24)]);
        assert_eq!(map.register[1].fields()[0].mask(), u32::MAX);
    }

    #[test]
    fn overlaps_and_wide_values_are_faults() {
        let faults = map(
            "[[register]]\nname='a'\noffset=0\ncount=2\naccess='rw'\ndescription=''
            [[register]]\nname='b'\noffset=4\naccess='ro'\ndescription=''
            field=[{name='x',bits='3:0',description='',values={big=16}},{name='y',bits='3',description=''},{name='z',bits='40',description=''}]",
        )
        .faults();
        assert_eq!(faults.len(), 4, "{faults:?}");
    }
}
