//! Declares the cfg switches of the crate sha2 to the compiler. Rows of results use them to record
//! that sha2 ran its portable code.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for switch in ["sha2_backend", "sha2_256_backend", "sha2_512_backend"] {
        println!("cargo::rustc-check-cfg=cfg({switch}, values(\"soft\"))");
    }
}
