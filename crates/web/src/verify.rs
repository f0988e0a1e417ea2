//! Verification and identification of files: `hasten verify` and `hasten inspect` on bytes.

use hasten_kernels::Kernels;
use hasten_keys::encoding::{PublicKey, read_public};
use hasten_keys::inspect::{Finding, Value as Fact, inspect};
use hasten_keys::{Error, registry, verify};
use serde_json::{Value, json};

/// Verifies a signature with a public key in PEM, DER or raw bytes, and returns the verdict.
pub fn verify(
    key: &[u8],
    message: &[u8],
    signature: &[u8],
    alg: Option<&str>,
) -> Result<Value, String> {
    let key = public(key, alg).map_err(|error| error.to_string())?;
    let verdict = verify::verify(&key, &mut &*message, signature, Kernels::portable());
    let good = match verdict {
        Ok(()) => true,
        Err(Error::BadSignature) => false,
        Err(error) => return Err(error.to_string()),
    };
    Ok(json!({ "good": good, "alg": key.name_in(signature), "index": key.index_in(signature) }))
}

/// Reads a public key. The name `alg` decides if the bytes fit several algorithms; an error is
/// returned if the key is of another algorithm.
fn public(bytes: &[u8], alg: Option<&str>) -> Result<PublicKey, Error> {
    let Some(alg) = alg else { return read_public(bytes, None) };
    let row = registry::find(alg)?;
    let key = match read_public(bytes, None) {
        Err(Error::Ambiguous) => read_public(bytes, Some(alg)),
        read => read,
    }?;
    if key.is_of(row) { Ok(key) } else { Err(Error::WrongAlgorithm) }
}

/// Returns every interpretation of a file.
pub fn inspected(file: &[u8]) -> Value {
    json!({ "readings": inspect(file).iter().map(reading).collect::<Vec<_>>() })
}

fn reading(finding: &Finding) -> Value {
    let fact = |(key, value): &(&str, Fact)| match value {
        Fact::Number(number) => json!([key, number]),
        Fact::Text(text) => json!([key, text]),
    };
    json!({
        "what": finding.what.name(),
        "encoding": finding.encoding,
        "alg": finding.algorithm,
        "facts": finding.facts.iter().map(fact).collect::<Vec<_>>(),
        "notes": finding.notes,
    })
}
