//! The kernel and start state for the hash function of a parameter set.

/// Evaluates an expression with the kernel and the start state of a [`Hash`](crate::params::Hash).
macro_rules! over {
    ($hash:expr, $kernels:expr, |$kernel:ident, $start:ident| $make:expr) => {
        match $hash {
            $crate::params::Hash::Sha256 => {
                let ($kernel, $start) = ($kernels.sha256, hasten_kernels::Midstate::sha256());
                $make
            }
            $crate::params::Hash::Sha512 => {
                let ($kernel, $start) = ($kernels.sha512, hasten_kernels::Midstate::sha512());
                $make
            }
            $crate::params::Hash::Shake128 => {
                let ($kernel, $start) = ($kernels.keccak, hasten_kernels::Midstate::shake128());
                $make
            }
            $crate::params::Hash::Shake256 => {
                let ($kernel, $start) = ($kernels.keccak, hasten_kernels::Midstate::shake256());
                $make
            }
        }
    };
}

pub(crate) use over;
