//! Names of the program's functions, by address.

use object::{Object, ObjectSymbol, SymbolKind};

/// The start address and name of each function, sorted.
pub struct Symbols(Vec<(u64, String)>);

/// Prefixes of functions that only pass an allocation on; the allocation is attributed to their
/// caller.
const PASS_ON: [&str; 14] = [
    "alloc::",
    "<alloc::",
    "core::",
    "<core::",
    "std::",
    "<std::",
    "hashbrown",
    "__rust",
    "__rdl",
    "OPENSSL_",
    "CRYPTO_",
    "<T as alloc",
    "<[",
    "<&",
];

/// Returns the name of a C function of aws-lc without its version prefix.
fn plain(name: &str) -> &str {
    let Some(rest) = name.strip_prefix("aws_lc_") else { return name };
    rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_')
}

/// Returns the last two components of a function's path, without generic arguments.
fn short(name: &str) -> String {
    let (mut out, mut depth) = (String::new(), 0);
    for c in plain(name).chars() {
        depth += i32::from(c == '<');
        if depth == 0 || c == ' ' && depth == 1 && out.ends_with("as") {
            out.push(c);
        }
        depth -= i32::from(c == '>');
    }
    let parts: Vec<_> = out.split("::").filter(|part| !part.is_empty()).collect();
    let last = parts[parts.len().saturating_sub(2)..].join("::");
    if last.is_empty() { plain(name).to_owned() } else { last }
}

impl Symbols {
    /// Returns the symbols of the running program, or none if they cannot be read.
    pub fn own() -> Self {
        Self::of(read_own().unwrap_or_default())
    }

    /// Returns the table of these symbols, given in any order.
    pub fn of(mut named: Vec<(u64, String)>) -> Self {
        named.sort();
        Self(named)
    }

    fn at(&self, address: u64) -> Option<&str> {
        let next = self.0.partition_point(|(begin, _)| *begin <= address);
        self.0.get(next.checked_sub(1)?).map(|(_, name)| name.as_str())
    }

    /// Returns the name of the innermost function in a chain of callers that does not merely pass
    /// the allocation on.
    pub fn who(&self, frames: &[u64]) -> String {
        // A return address may be the start of the next function, so look up the byte before it.
        let names = frames.iter().filter_map(|frame| self.at(frame.saturating_sub(1)));
        let passes_on = |name: &str| PASS_ON.iter().any(|with| name.starts_with(with));
        let meant = |name: &&str| !passes_on(plain(name));
        let mut names = names.filter(meant);
        names.next().map_or_else(|| "others".to_owned(), short)
    }
}

fn read_own() -> Option<Vec<(u64, String)>> {
    let bytes = std::fs::read(std::env::current_exe().ok()?).ok()?;
    let file = object::File::parse(&*bytes).ok()?;
    let functions = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text);
    let name = |name: &str| format!("{:#}", rustc_demangle::demangle(name));
    Some(functions.filter_map(|s| Some((s.address(), name(s.name().ok()?)))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_meant() {
        let named = [
            (0, "main"),
            (10, "rustls::deframer::Buffer<T>::grow"),
            (20, "alloc::vec::Vec::push"),
            (30, "aws_lc_0_47_0_EVP_PKEY_new"),
        ];
        let symbols = Symbols::of(named.map(|(at, name)| (at, name.to_owned())).to_vec());
        assert_eq!(symbols.who(&[25, 15, 5]), "Buffer::grow");
        assert_eq!(symbols.who(&[31, 5]), "EVP_PKEY_new");
        assert_eq!(symbols.who(&[]), "others");
    }
}
