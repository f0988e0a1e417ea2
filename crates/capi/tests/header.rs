//! The headers of C are what cbindgen makes of the sources: C programs see what is there.

use std::path::{Path, PathBuf};

/// A header, and the files that hold what it declares, in its order.
struct Header {
    /// The crate's folder, beside this crate's.
    folder: &'static str,
    name: &'static str,
    sources: &'static [&'static str],
}

const HASTEN: Header =
    Header { folder: "capi", name: "hasten.h", sources: &["status.rs", "verify.rs", "key.rs"] };

/// The library for boot loaders, which is a workspace of its own.
const BOOT: Header = Header { folder: "boot", name: "hasten_boot.h", sources: &["lib.rs"] };

impl Header {
    fn root(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(self.folder)
    }

    /// Returns the header as it must be.
    fn generated(&self) -> String {
        let root = self.root();
        let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
        let builder = cbindgen::Builder::new().with_config(config);
        let add = |builder: cbindgen::Builder, file| builder.with_src(root.join("src").join(file));
        let bindings = self.sources.iter().fold(builder, add).generate().unwrap();
        let mut text = Vec::new();
        bindings.write(&mut text);
        String::from_utf8(text).unwrap()
    }

    fn must_be_kept(&self) {
        let file = self.root().join("include").join(self.name);
        let made = self.generated();
        if std::env::var_os("HASTEN_WRITE_HEADER").is_some() {
            std::fs::write(&file, &made).unwrap();
        }
        let kept = std::fs::read_to_string(&file).unwrap();
        assert!(kept == made, "HASTEN_WRITE_HEADER=1 cargo test -p hasten-capi writes it anew");
    }
}

#[test]
fn the_headers_are_those_of_the_sources() {
    HASTEN.must_be_kept();
    BOOT.must_be_kept();
}

#[test]
fn the_headers_have_every_function() {
    let made = HASTEN.generated();
    for name in ["verify", "key_generate", "key_open", "key_sign", "key_public", "key_close"] {
        assert!(made.contains(&format!("hasten_{name}(")), "{name}");
    }
    assert!(made.contains("HASTEN_REFUSED = 7") && made.contains("HASTEN_FORM_LMS = 2"), "{made}");
    let made = BOOT.generated();
    for name in ["memory", "signature_len", "verify", "verify_slh_dsa", "defect"] {
        assert!(made.contains(&format!("hasten_boot_{name}(")), "{name}");
    }
    assert!(made.contains("HASTEN_BOOT_TOO_SMALL = 3") && made.contains("HASTEN_BOOT_HSS = 2"));
}
