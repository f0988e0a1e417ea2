//! PKCS#11 3.2 module of Hasten: `libhasten_pkcs11.so`, a software token.
//!
//! A slot contains a stateful key (HSS, XMSS, XMSS^MT) in its directory, a stateless key (SLH-DSA,
//! ML-DSA) in files, or one of each. The module has no state of its own: the store reserves, uses
//! and records every index, with all its guarantees.
//!
//! - `lists`: the function lists of 2.40, 3.0 and 3.2.
//! - `calls`: one file per chapter of the standard; each function checks its arguments.
//! - [`token`]: sessions and slots of the process, which a forked child does not inherit; the
//!   places of keys, login, signing.
//! - [`objects`]: the key pair as objects with attributes.
//! - [`template`], [`named`]: strict checks of templates, and the parameter set that they request.
//! - [`sets`]: mechanisms, key types and parameter sets.
//! - [`config`]: the slots, from a configuration file.
//! - `border`, [`fault`]: conversion of pointers to slices, and of panics and errors to a `CK_RV`.
//!
//! `docs/pkcs11.md` is the documentation for users.

#![cfg(unix)]
// The standard defines these names.
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
