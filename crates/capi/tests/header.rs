//! `include/hasten.h` is what cbindgen makes of the source: C programs see what is there.

use std::path::Path;

/// The files that hold what C programs see, in the order of the header.
const SOURCES: [&str; 3] = ["status.rs", "verify.rs", "key.rs"];

/// Returns the header as it must be.
fn generated() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let builder = cbindgen::Builder::new().with_config(config);
    let add = |builder: cbindgen::Builder, file| builder.with_src(root.join("src").join(file));
    let bindings = SOURCES.into_iter().fold(builder, add).generate().unwrap();
    let mut text = Vec::new();
    bindings.write(&mut text);
    String::from_utf8(text).unwrap()
}

#[test]
fn the_header_is_that_of_the_source() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/hasten.h");
    let made = generated();
    if std::env::var_os("HASTEN_WRITE_HEADER").is_some() {
        std::fs::write(&file, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(kept == made, "HASTEN_WRITE_HEADER=1 cargo test -p hasten-capi writes it anew");
}

#[test]
fn the_header_has_every_function() {
    let made = generated();
    for name in ["verify", "key_generate", "key_open", "key_sign", "key_public", "key_close"] {
        assert!(made.contains(&format!("hasten_{name}(")), "{name}");
    }
    assert!(made.contains("HASTEN_REFUSED = 7") && made.contains("HASTEN_FORM_LMS = 2"), "{made}");
}
