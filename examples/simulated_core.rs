//! Makes a small XMSS key, signs and verifies, all in the simulated engine of `rtl/xmss`.
//!
//!     cargo xtask hw tools
//!     cargo run --release -p hasten-rtlsim --example simulated_core
//!
//! The engine is the SystemVerilog itself, which Verilator makes a program of. It tells how many
//! clock cycles each operation takes. It computes nodes of the tree, and keeps none: the program
//! keeps the authentication path, as a processor beside the engine would.

use hasten_rtlsim::xmss::{Refusal, SecretKey, XmssCore};

/// Height of the tree, with 2^4 one-time keys. XMSS-SHA2_10_256 has 10.
const HEIGHT: u8 = 4;

/// Returns the authentication path of index 0: its neighbour, and the neighbours of its ancestors.
fn path(engine: &XmssCore) -> Result<Vec<u8>, Refusal> {
    let mut path = engine.leaf(1)?.value;
    for height in 1..HEIGHT {
        path.extend(engine.node(height, 1)?.value);
    }
    Ok(path)
}

fn show(engine: &XmssCore) -> Result<(), Refusal> {
    // A fixed key, for tests alone. The root comes from a first look at the seeds without it.
    let seeds = |root| SecretKey { sk_seed: &[1; 32], sk_prf: &[2; 32], pub_seed: &[3; 32], root };
    engine.load_key(&seeds(&[0; 32]), 0)?;
    let root = engine.node(HEIGHT, 0)?;
    println!("key generation: {} cycles", root.cycles);
    engine.load_key(&seeds(&root.value), 0)?;
    let path = path(engine)?;

    let prepared = engine.prepare(0, false)?;
    println!("prepare:        {} cycles, before the message exists", prepared.cycles);
    let signed = engine.sign(0, b"firmware 1.2")?;
    let signature = [&0u32.to_be_bytes()[..], &signed.value, &path].concat();
    println!("sign:           {} cycles, {} bytes", signed.cycles, signature.len());

    let verified = engine.verify(b"firmware 1.2", &signature)?;
    println!("verify:         {} cycles", verified.cycles);
    assert_eq!(engine.verify(b"firmware 6.6", &signature), Err(Refusal::Bad));
    assert_eq!(engine.sign(0, b"firmware 1.3"), Err(Refusal::Refused), "the index is used up");
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = XmssCore::new(HEIGHT)?;
    show(&engine).map_err(|refusal| format!("the engine refuses: {refusal:?}").into())
}
