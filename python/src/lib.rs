//! The module `hasten._hasten`: the crate `hasten-pq` for Python. `docs/python.md` describes it,
//! and `hasten/_hasten.pyi` has its types.
//!
//! Every call that hashes or writes releases the interpreter, so that other threads of Python can
//! run meanwhile. No panic reaches Python.

mod border;
mod data;
mod errors;
mod key;
mod public;
mod secret;
mod stateful;

use pyo3::prelude::*;

/// Content of the module.
#[pymodule]
mod _hasten {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::{
        key::Key,
        public::{PublicKey, verify},
        secret::Secret,
        stateful::{Prepared, StatefulKey, Status},
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
