//! Register maps of the AXI wrappers as software sees them: byte addresses, masks and values.
//! `cargo xtask hw registers` writes them from `rtl/NAME/registers.toml`. They contain only
//! constants, so that the files can also be used without `std`. The drivers are [`ed25519_driver`],
//! [`hbs_verify_driver`], [`sha3_driver`] and [`xmss_driver`].

#[path = "../../../rtl/keccak/gen/sha3_regs.rs"]
pub mod sha3;

#[path = "../../../rtl/keccak/sha3_driver.rs"]
pub mod sha3_driver;

#[path = "../../../rtl/ed25519/gen/ed25519_axi_regs.rs"]
pub mod ed25519_axi;

#[path = "../../../rtl/ed25519/ed25519_driver.rs"]
pub mod ed25519_driver;

#[path = "../../../rtl/hbs_verify/gen/hbs_verify_regs.rs"]
pub mod hbs_verify;

#[path = "../../../rtl/hbs_verify/hbs_verify_driver.rs"]
pub mod hbs_verify_driver;

#[path = "../../../rtl/xmss/gen/xmss_regs.rs"]
pub mod xmss;

#[path = "../../../rtl/xmss/xmss_driver.rs"]
pub mod xmss_driver;

#[cfg(test)]
mod tests {
    use super::sha3 as regs;
    use crate::sha3::{Ending, Op};

    #[test]
    fn the_register_map_and_the_port_driver_name_the_same_operations() {
        let pairs = [
            (Op::Hash, regs::COMMAND_OP_HASH),
            (Op::Resume, regs::COMMAND_OP_RESUME),
            (Op::Load, regs::COMMAND_OP_LOAD),
            (Op::Save, regs::COMMAND_OP_SAVE),
            (Op::Prefix, regs::COMMAND_OP_PREFIX),
            (Op::Chain, regs::COMMAND_OP_CHAIN),
        ];
        assert!(pairs.iter().all(|(op, value)| *op as u32 == *value));
        assert_eq!(Ending::Pad as u32, 1);
    }
}
