//! Wycheproof's verifications (`vectors/ed25519/wycheproof.json`).

/// A verification.
pub struct Verification {
    /// Number of the case.
    pub id: u32,
    /// Public key.
    pub public: [u8; 32],
    /// The message.
    pub message: Vec<u8>,
    /// Signature, which does not always have 64 bytes.
    pub signature: Vec<u8>,
    /// Verdict of Wycheproof.
    pub valid: bool,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    test_groups: Vec<Group>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Group {
    public_key: Public,
    tests: Vec<Case>,
}

#[derive(serde::Deserialize)]
struct Public {
    pk: String,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    tc_id: u32,
    msg: String,
    sig: String,
    result: String,
}

fn unhex(text: &str) -> Vec<u8> {
    let digit = |i| u8::from_str_radix(&text[i..i + 2], 16).expect("hexadecimal digits");
    (0..text.len()).step_by(2).map(digit).collect()
}

impl Group {
    fn verifications(&self) -> impl Iterator<Item = Verification> {
        let public = unhex(&self.public_key.pk).try_into().expect("32 bytes of key");
        self.tests.iter().map(move |case| Verification {
            id: case.tc_id,
            public,
            message: unhex(&case.msg),
            signature: unhex(&case.sig),
            valid: case.result == "valid",
        })
    }
}

/// Returns all verifications of the file.
pub fn verifications() -> Vec<Verification> {
    let text = include_str!("../../../../vectors/ed25519/wycheproof.json");
    let file: File = serde_json::from_str(text).expect("the file is JSON");
    file.test_groups.iter().flat_map(Group::verifications).collect()
}
