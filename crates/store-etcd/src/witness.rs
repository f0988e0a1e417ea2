//! etcd as the outside witness of an embedded store.

use crate::access::{Access, BadAccess};
use crate::client::{Client, Silent, Transaction};
use hasten_store::{Cell, StoreError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A key in etcd that holds the newest word of one store.
pub struct EtcdCell {
    client: Client,
    key: String,
    /// A word that was read in the form of an older version (`GENERATION TAG USES`), and its
    /// original bytes.
    older: Mutex<Option<(String, Vec<u8>)>>,
}

impl EtcdCell {
    /// Creates a cell. `name` is the name of the store, unique among all stores that use this etcd.
    /// `patience` is the time that one request may take.
    ///
    /// # Errors
    /// If a member must not be accessed in this way.
    pub fn new(
        members: &[String],
        access: &Access,
        name: &str,
        patience: Duration,
    ) -> Result<EtcdCell, BadAccess> {
        let client = Client::new(members, access, patience)?;
        Ok(EtcdCell { client, key: format!("hasten/witness/{name}"), older: Mutex::default() })
    }

    /// Returns the bytes in etcd for the word `word`.
    fn bytes(&self, word: &str) -> Vec<u8> {
        let older = self.older.lock().unwrap_or_else(PoisonError::into_inner);
        let same = older.as_ref().filter(|(read, _)| read == word);
        same.map_or_else(|| word.as_bytes().to_vec(), |(_, bytes)| bytes.clone())
    }
}

impl Cell for EtcdCell {
    fn read(&self) -> Result<Option<String>, StoreError> {
        let read = Transaction::default().read(&self.key);
        let answer = self.client.look(&read).map_err(unreachable)?;
        let Some(pair) = answer.reads.first().and_then(|pairs| pairs.first()) else {
            return Ok(None);
        };
        let text = std::str::from_utf8(&pair.value).map_err(|_| StoreError::WitnessUnreachable)?;
        let word = newer(text);
        if word != text {
            let mut older = self.older.lock().unwrap_or_else(PoisonError::into_inner);
            *older = Some((word.clone(), pair.value.clone()));
        }
        Ok(Some(word))
    }

    fn swap(&self, from: Option<&str>, to: &str) -> Result<bool, StoreError> {
        let change = match from {
            Some(word) => Transaction::default().holds(&self.key, &self.bytes(word)),
            None => Transaction::default().unchanged(&self.key, 0),
        };
        let answer = self.client.ask(&change.put(&self.key, to.as_bytes()));
        Ok(answer.map_err(unreachable)?.done)
    }
}

fn unreachable(_: Silent) -> StoreError {
    StoreError::WitnessUnreachable
}

/// Converts a word of an older version to the current form.
fn newer(text: &str) -> String {
    match text.split(' ').collect::<Vec<_>>()[..] {
        [generation, tag, uses] => format!("1.{generation}.{tag}.{uses}"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_an_older_version_are_read() {
        assert_eq!(newer("7 00ff 3"), "1.7.00ff.3");
        assert_eq!(newer("1.7.00ff.3"), "1.7.00ff.3");
    }
}
