//! `sha3_unit`, cycle by cycle: its inputs and outputs.

use crate::Error;
use crate::model::Model;

/// Operation of a command; see `sha3_pkg.sv`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Op {
    /// Hash a message, beginning with the zero state.
    Hash,
    /// Hash a message, beginning with the state of the tag.
    Resume,
    /// Make 25 lanes of the stream the state of the tag.
    Load,
    /// Output the state of the tag as 200 bytes.
    Save,
    /// Make `data` the prefix of all chains.
    Prefix,
    /// Walk a hash chain.
    Chain,
    /// Erase all tags and the prefix.
    Clear,
}

/// End of a beat of the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Ending {
    /// The message goes on.
    None,
    /// The message ends and is padded.
    Pad,
    /// The block is filled with zeros, and then the message goes on (SP 800-185, section 2.3.3
    /// (Padding)).
    Fill,
    /// The block is full and the state is kept.
    Pause,
}

/// Inputs of one cycle. With all of them zero, nothing is offered and no output is taken.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct Inputs {
    /// Prefix or tweak.
    pub cmd_data: [u64; 4],
    /// Bytes of a beat, little-endian.
    pub in_data: [u64; 2],
    /// Number of output bytes.
    pub cmd_length: u32,
    /// Counter of a chain's first step.
    pub cmd_counter: u32,
    /// Number of steps of a chain.
    pub cmd_steps: u16,
    /// Whether a command is offered.
    pub cmd_valid: bool,
    /// [`Op`] of the command.
    pub cmd_op: u8,
    /// Tag of the command, 0 to 3.
    pub cmd_tag: u8,
    /// Rate in lanes.
    pub cmd_rate: u8,
    /// Domain bits and first padding bits.
    pub cmd_suffix: u8,
    /// Number of lanes of a chain's value.
    pub cmd_lanes: u8,
    /// Whether a beat is offered.
    pub in_valid: bool,
    /// Tag of the beat.
    pub in_tag: u8,
    /// [`Ending`] of the beat.
    pub in_ending: u8,
    /// Number of bytes in the beat.
    pub in_bytes: u8,
    /// Whether output is taken.
    pub out_ready: bool,
    /// Whether to reset the unit.
    pub reset: bool,
    /// Whether to erase everything.
    pub zeroize: bool,
}

/// Outputs of one cycle.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct Outputs {
    /// Output bytes, little-endian.
    pub data: [u64; 2],
    /// Whether the command is taken.
    pub cmd_ready: bool,
    /// Whether the beat is taken.
    pub in_ready: bool,
    /// Whether there is output.
    pub valid: bool,
    /// Tag of the output.
    pub tag: u8,
    /// Whether the output is the last of its message.
    pub last: bool,
    /// Number of bytes in the output.
    pub bytes: u8,
}

/// The simulated unit.
pub struct Sha3Unit {
    model: Model,
}

impl Sha3Unit {
    /// Returns a new unit, just reset.
    ///
    /// # Errors
    /// [`Error::NotBuilt`].
    pub fn new() -> Result<Self, Error> {
        // SAFETY: the shim's `new` gives null or a unit that its `free` accepts once; nobody else
        // has it.
        let model = unsafe { Model::own(shim::hasten_sha3_new(), shim::hasten_sha3_free) }?;
        Ok(Self { model })
    }

    /// Runs one clock cycle. A handshake happens if valid and ready are both set.
    pub fn cycle(&self, inputs: &Inputs) -> Outputs {
        let mut outputs = Outputs::default();
        // SAFETY: both structs have the shim's layout (`repr(C)`), live through the call, and the
        // shim writes only 0 and 1 into the flags.
        self.model.with(|unit| unsafe { shim::hasten_sha3_cycle(unit, inputs, &mut outputs) });
        outputs
    }
}

#[cfg(verilated)]
mod shim {
    use super::{Inputs, Outputs};
    use std::ffi::c_void;

    unsafe extern "C" {
        pub fn hasten_sha3_new() -> *mut c_void;
        pub fn hasten_sha3_free(unit: *mut c_void);
        pub fn hasten_sha3_cycle(unit: *mut c_void, inputs: *const Inputs, outputs: *mut Outputs);
    }
}

/// Stubs for a build without models: no unit is ever made.
#[cfg(not(verilated))]
mod shim {
    use super::{Inputs, Outputs};
    use std::ffi::c_void;

    pub unsafe fn hasten_sha3_new() -> *mut c_void {
        std::ptr::null_mut()
    }
    pub unsafe extern "C" fn hasten_sha3_free(_unit: *mut c_void) {}
    pub unsafe fn hasten_sha3_cycle(
        _unit: *mut c_void,
        _inputs: *const Inputs,
        _outputs: *mut Outputs,
    ) {
    }
}
