//! The backends of x86-64: vector words, their outer functions, and SHA-NI's own rounds.

mod avx2;
mod avx512;
mod sha_ni;
mod sha_ni_rows;
mod word128;
mod word256;
mod word512;

pub use avx2::Avx2;
pub use avx512::Avx512;
pub use sha_ni::ShaNi;
