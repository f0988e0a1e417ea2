//! Tests through the public interface.

mod acvp;
mod answers;
mod hss;
mod key;
mod keygen;
mod ladder;
mod lms;
mod sequential;
#[path = "../common/source.rs"]
mod source;
mod xmss_hostile;
mod xmss_kat;
mod xmssmt;
