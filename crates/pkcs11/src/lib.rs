//! Hasten behind PKCS#11 3.2: `libhasten_pkcs11.so`, a token in software.
//!
//! A slot is a key of Hasten with a state (HSS, XMSS, XMSS^MT) in its directory, one without
//! (SLH-DSA, ML-DSA) in files, or one of each. The module keeps no state of its own: each index is
//! reserved, used and recorded by the store, with all its promises.
//!
//! - `lists`: the function lists, of 2.40, 3.0 and 3.2.
//! - `calls`: one file per chapter of the standard; each function checks its arguments.
//! - [`token`]: the process's sessions and slots, of which a forked child has none; a key's place,
//!   what the passphrase opens, signing.
//! - [`objects`]: the key pair as objects, their attributes.
//! - [`template`], [`named`]: templates checked strictly, and the parameter set that they name.
//! - [`sets`]: mechanisms, key types and parameter sets.
//! - [`config`]: the slots, from a file.
//! - `border`, [`fault`]: pointers become slices, panics and errors become a `CK_RV`.
//!
//! `docs/pkcs11.md` is for users.

#![cfg(unix)]
// The names of the standard.
#![allow(non_snake_case)]

mod border;
mod calls;
pub mod config;
pub mod fault;
mod lists;
pub mod named;
pub mod objects;
pub mod sets;
pub mod template;
pub mod token;

pub use lists::{C_GetFunctionList, C_GetInterface, C_GetInterfaceList};
