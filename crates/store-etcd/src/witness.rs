//! etcd as the outside witness of an embedded store.

use crate::client::{Client, Silent, Transaction};
use hasten_store::{Mark, StoreError, Witness};
use std::time::Duration;

/// One key of etcd that holds the newest mark of one store.
pub struct EtcdWitness {
    client: Client,
    key: String,
    lease: Duration,
}

impl EtcdWitness {
    /// `name`: of the store, unique among all that use this etcd. `lease`: see [`Witness::lease`].
    pub fn new(members: &[String], name: &str, lease: Duration) -> EtcdWitness {
        let client = Client::new(members, Duration::from_secs(2));
        EtcdWitness { client, key: format!("hasten/witness/{name}"), lease }
    }
}

impl Witness for EtcdWitness {
    fn read(&self) -> Result<Option<Mark>, StoreError> {
        let answer =
            self.client.look(&Transaction::default().read(&self.key)).map_err(unreachable)?;
        match answer.reads.first().and_then(|r| r.first()) {
            None => Ok(None),
            Some(pair) => decode(&pair.value).map(Some).ok_or(StoreError::WitnessUnreachable),
        }
    }

    fn swap(&self, from: Option<&Mark>, to: &Mark) -> Result<bool, StoreError> {
        let change = match from {
            Some(mark) => Transaction::default().holds(&self.key, &encode(mark)),
            None => Transaction::default().unchanged(&self.key, 0),
        };
        let answer = self.client.ask(&change.put(&self.key, &encode(to))).map_err(unreachable)?;
        Ok(answer.done)
    }

    fn lease(&self) -> Duration {
        self.lease
    }
}

fn unreachable(_: Silent) -> StoreError {
    StoreError::WitnessUnreachable
}

/// `GENERATION TAG USES`, the tag in hexadecimal.
fn encode(mark: &Mark) -> Vec<u8> {
    format!("{} {:032x} {}", mark.generation, u128::from_be_bytes(mark.tag), mark.uses).into_bytes()
}

fn decode(text: &[u8]) -> Option<Mark> {
    let mut words = std::str::from_utf8(text).ok()?.split(' ');
    let generation = words.next()?.parse().ok()?;
    let tag = u128::from_str_radix(words.next()?, 16).ok()?.to_be_bytes();
    Some(Mark { generation, tag, uses: words.next()?.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_survive_their_text() {
        let mark = Mark { generation: 7, tag: *b"0123456789abcdef", uses: 3 };
        assert_eq!(decode(&encode(&mark)), Some(mark));
        assert_eq!(decode(b"7 x 3"), None);
    }
}
