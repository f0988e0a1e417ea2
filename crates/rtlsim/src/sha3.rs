//! `sha3_unit`, cycle by cycle: what is put on its ports, and what it answers.

use crate::Error;
use crate::model::Model;

/// Says what a command asks for; see `sha3_pkg.sv`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Op {
    /// A message from the zero state.
    Hash,
    /// A message from the state the tag holds.
    Resume,
    /// 25 lanes of the stream become the tag's state.
    Load,
    /// The tag's state as 200 bytes of output.
    Save,
    /// `data` becomes the prefix of all chains.
    Prefix,
    /// A hash chain.
    Chain,
    /// Every tag and the prefix are forgotten.
    Clear,
}

/// How a beat of the message ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Ending {
    /// The message goes on.
    None,
    /// The message ends and is padded.
    Pad,
    /// Zeros to the end of the block, then the message goes on (SP 800-185, section 2.3.3
    /// (Padding)).
    Fill,
    /// The block is full and the state is kept.
    Pause,
}

/// Inputs of one cycle. All zero is: nothing is offered, and no output is taken.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct Inputs {
    /// Prefix or tweak.
    pub cmd_data: [u64; 4],
    /// A beat's bytes, little-endian.
    pub in_data: [u64; 2],
    /// Bytes of output.
    pub cmd_length: u32,
    /// Counter of a chain's first step.
    pub cmd_counter: u32,
    /// Steps of a chain.
    pub cmd_steps: u16,
    /// A command is offered.
    pub cmd_valid: bool,
    /// [`Op`].
    pub cmd_op: u8,
    /// 0 to 3.
    pub cmd_tag: u8,
    /// Rate in lanes.
    pub cmd_rate: u8,
    /// Domain and first padding bits.
    pub cmd_suffix: u8,
    /// Lanes of a chain's value.
    pub cmd_lanes: u8,
    /// A beat is offered.
    pub in_valid: bool,
    /// Its tag.
    pub in_tag: u8,
    /// [`Ending`].
    pub in_ending: u8,
    /// Bytes in it.
    pub in_bytes: u8,
    /// Output is taken.
    pub out_ready: bool,
    /// Reset.
    pub reset: bool,
    /// Everything is forgotten.
    pub zeroize: bool,
}

/// Outputs of one cycle.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct Outputs {
    /// Output bytes, little-endian.
    pub data: [u64; 2],
    /// The command is taken.
    pub cmd_ready: bool,
    /// The beat is taken.
    pub in_ready: bool,
    /// There is output.
    pub valid: bool,
    /// Its tag.
    pub tag: u8,
    /// It is the last of its message.
    pub last: bool,
    /// Bytes in it.
    pub bytes: u8,
}

/// The simulated unit.
pub struct Sha3Unit {
    model: Model,
}

impl Sha3Unit {
    /// Returns a unit of one's own, just reset.
    ///
    /// # Errors
    /// [`Error::NotBuilt`].
    pub fn new() -> Result<Self, Error> {
        // SAFETY: the shim's `new` gives null or a unit that its `free` accepts once; nobody else
        // has it.
        let model = unsafe { Model::own(shim::hasten_sha3_new(), shim::hasten_sha3_free) }?;
        Ok(Self { model })
    }

    /// Runs one clock cycle. A handshake happens where valid and ready are both set.
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

/// Without models: nothing is ever made.
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
