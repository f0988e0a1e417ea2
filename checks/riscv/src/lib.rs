//! Support for programs without an operating system on QEMU's machine `virt`: startup, heap, serial
//! port and exit, and the measurement of code, constants, stack, heap and instructions.
//!
//! Each program of `src/bin` verifies one known answer, checks that the message without its first
//! byte is refused, and prints one line of JSON. `cargo xtask riscv` runs them all.
#![cfg_attr(target_os = "none", no_std)]
#![cfg(target_os = "none")]

extern crate alloc;

mod heap;
mod machine;
mod measure;

pub use machine::end;
pub use measure::measure;

/// The bytes of a known answer, in a separate section that is not counted in any size.
#[macro_export]
macro_rules! answer {
    ($name:ident, $file:literal) => {
        #[unsafe(link_section = ".answers")]
        static $name: [u8; include_bytes!(concat!(env!("OUT_DIR"), "/", $file)).len()] =
            *include_bytes!(concat!(env!("OUT_DIR"), "/", $file));
    };
}

/// A program that verifies an SLH-DSA signature: the set, and its key, message and signature.
#[macro_export]
macro_rules! verify_slh_dsa {
    ($set:literal, $key:literal, $message:literal, $signature:literal) => {
        $crate::answer!(KEY, $key);
        $crate::answer!(MESSAGE, $message);
        $crate::answer!(SIGNATURE, $signature);

        #[unsafe(no_mangle)]
        extern "C" fn main() -> ! {
            $crate::measure(
                $set,
                || {
                    let set = hasten_hbs::Set::named(core::hint::black_box($set)).ok()?;
                    let kernels = hasten_kernels::Kernels::portable();
                    hasten_hbs::slhdsa::VerifyingKey::from_bytes(&kernels, set, &KEY).ok()
                },
                |key, message| key.verify_internal(&[message], &SIGNATURE).is_ok(),
                &MESSAGE,
            )
        }
    };
}

/// A program that uses the verifier for boot ROMs, which is the same for all its sets: the name of
/// the set, the form of its key, and key, message and signature. The signature is copied, because
/// its chains are overwritten. The copy counts as stack.
#[macro_export]
macro_rules! verify_in_rom {
    ($set:literal, $form:expr, $key:literal, $message:literal, $signature:literal) => {
        use hasten_hbs::sequential::{Form, Shape, Verification};

        $crate::answer!(KEY, $key);
        $crate::answer!(MESSAGE, $message);
        $crate::answer!(SIGNATURE, $signature);

        /// The sets of the ROM.
        const SHAPES: &[Shape] = &[
            Shape::named("LMS_SHA256_M24_H10/LMOTS_SHA256_N24_W4"),
            Shape::named("XMSS-SHA2_10_192"),
        ];

        #[unsafe(no_mangle)]
        extern "C" fn main() -> ! {
            $crate::measure($set, || Some(()), |(), message| good(message), &MESSAGE)
        }

        #[inline(never)]
        fn good(message: &[u8]) -> bool {
            let (form, mut signature) = (core::hint::black_box($form), SIGNATURE);
            let begun = Verification::begin::<1>(SHAPES, form, &KEY, &mut signature);
            let Some(mut verification) = begun else { return false };
            message.chunks(16).for_each(|part| verification.update(part));
            verification.finish().is_good()
        }
    };
}
