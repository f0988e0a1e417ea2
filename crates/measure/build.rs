//! Names the switches of the crate sha2, which say in a row that its code is portable.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for switch in ["sha2_backend", "sha2_256_backend", "sha2_512_backend"] {
        println!("cargo::rustc-check-cfg=cfg({switch}, values(\"soft\"))");
    }
}
