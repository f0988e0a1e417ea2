//! From the hash function of a row to a kernel and its start state.

/// Evaluates an expression with the kernel and the start state of a [`Hash`](crate::params::Hash).
macro_rules! over {
    ($hash:expr, $kernels:expr, |$via:ident, $start:ident| $make:expr) => {
        match $hash {
            $crate::params::Hash::Sha256 => {
                let $via = hasten_kernels::ViaSha256($kernels.sha256);
                let $start = hasten_kernels::Midstate::sha256();
                $make
            }
            $crate::params::Hash::Sha512 => {
                let $via = hasten_kernels::ViaSha512($kernels.sha512);
                let $start = hasten_kernels::Midstate::sha512();
                $make
            }
            $crate::params::Hash::Shake128 => {
                let $via = hasten_kernels::ViaKeccak($kernels.keccak);
                let $start = hasten_kernels::Midstate::shake128();
                $make
            }
            $crate::params::Hash::Shake256 => {
                let $via = hasten_kernels::ViaKeccak($kernels.keccak);
                let $start = hasten_kernels::Midstate::shake256();
                $make
            }
        }
    };
}

pub(crate) use over;
