//! The token with which a new signer joins: the newest state that the fleet is known to have
//! reached.

use crate::client::Header;
use crate::ledger::Values;
use crate::raft::Raft;
use hasten_store::Identity;

/// Cluster, revision, Raft term and log, and next index. As text: `hf1.`, these five as 16
/// hexadecimal digits each, a dot, and the MAC of all that together with the fleet's name and key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub header: Header,
    pub raft: Raft,
    pub next: u64,
}

impl Token {
    pub fn of(header: Header, raft: Raft, next: u64) -> Token {
        Token { header, raft: Raft { term: header.term, ..raft }, next }
    }

    fn body(&self) -> String {
        let Token { header, raft, next } = self;
        let fields = [header.cluster, header.revision, raft.term, raft.committed, *next];
        let digits: String = fields.iter().map(|field| format!("{field:016x}")).collect();
        format!("hf1.{digits}")
    }

    pub fn write(&self, name: &str, key: &Identity, values: &Values) -> String {
        let body = self.body();
        let mac = u128::from_be_bytes(mac(&body, name, key, values));
        format!("{body}.{mac:032x}")
    }

    /// Parses the text that `write` returned for the same name and key. Returns `None` for any
    /// other text.
    pub fn read(text: &str, name: &str, key: &Identity, values: &Values) -> Option<Token> {
        let digits = text.trim().strip_prefix("hf1.")?.get(..80)?;
        let field = |n: usize| u64::from_str_radix(digits.get(16 * n..16 * (n + 1))?, 16).ok();
        let (cluster, revision, term) = (field(0)?, field(1)?, field(2)?);
        let header = Header { cluster, revision, term };
        let raft = Raft { term, committed: field(3)? };
        let token = Token { header, raft, next: field(4)? };
        let (given, made) = (text.trim().as_bytes(), token.write(name, key, values));
        (given == made.as_bytes()).then_some(token)
    }
}

/// Returns the MAC of a token; all zero in a fleet without a MAC key.
fn mac(body: &str, name: &str, key: &Identity, values: &Values) -> [u8; 16] {
    let Some(secret) = &values.0 else { return [0; 16] };
    let public = u128::from_be_bytes(key.key_id);
    let mut text = format!("join\n{name}\n{public:032x}\n{body}\n").into_bytes();
    text.extend(key.public);
    secret.mac(&text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasten_store::MacKey;

    #[test]
    fn a_token_is_taken_by_its_own_fleet_alone() {
        let header = Header { cluster: u64::MAX, revision: 7, term: 3 };
        let token = Token::of(header, Raft { term: 0, committed: 9 }, 5);
        let values = Values(Some(MacKey::new(&[7; 32])));
        let key = Identity { key_id: [1; 16], public: [2; 32] };
        let text = token.write("fw", &key, &values);
        assert_eq!(Token::read(&format!("{text}\n"), "fw", &key, &values), Some(token));
        let others = [Identity { key_id: [3; 16], ..key }, Identity { public: [3; 32], ..key }];
        assert!(others.iter().all(|other| Token::read(&text, "fw", other, &values).is_none()));
        assert_eq!(Token::read(&text, "other", &key, &values), None);
        assert_eq!(Token::read(&text, "fw", &key, &Values(Some(MacKey::new(&[8; 32])))), None);
        assert_eq!(Token::read(&text, "fw", &key, &Values(None)), None);
        for at in 0..text.len() {
            let mut forged = text.clone().into_bytes();
            forged[at] ^= 1;
            let forged = String::from_utf8(forged).expect("ASCII");
            assert_eq!(Token::read(&forged, "fw", &key, &values), None, "{forged}");
        }
    }
}
