//! A witness over any cell that holds one word and replaces it by compare-and-set.
//!
//! The word of a mark is `1.GENERATION.TAG.USES`: version, two numbers, and between them the tag as
//! 32 hexadecimal digits. With a [`MacKey`], `.MAC` follows: the first 16 bytes of HMAC-SHA-256 of
//! the text before it. A stranger who can write to the cell can then only restore an old word, not
//! make a new one.

use super::{Mark, Witness};
use crate::error::StoreError;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// Largest length of a word that a cell must be able to hold.
#[cfg_attr(not(unix), allow(dead_code))]
pub(crate) const LONGEST: usize = 160;

/// A place outside the machine that holds one word of at most 160 digits, letters and dots.
pub trait Cell: Send + Sync {
    /// Returns the word; `None` if there is none.
    ///
    /// # Errors
    /// [`StoreError::WitnessUnreachable`] if the cell does not answer.
    fn read(&self) -> Result<Option<String>, StoreError>;

    /// Replaces `from` by `to` atomically. Returns false if the cell does not hold `from`.
    ///
    /// # Errors
    /// [`StoreError::WitnessUnreachable`] if the outcome is unknown.
    fn swap(&self, from: Option<&str>, to: &str) -> Result<bool, StoreError>;
}

/// Returns true if `text` has the form of a word that a [`CellWitness`] keeps, with or without a
/// MAC.
pub fn is_word(text: &str) -> bool {
    let body = text.rsplit_once('.').filter(|(_, mac)| mac.len() == 32 && hex(mac).is_some());
    [Some(text), body.map(|(body, _)| body)]
        .into_iter()
        .flatten()
        .any(|word| Mark::from_word(word).is_some())
}

/// The key for the MACs of words. `Debug` does not show it.
#[derive(Clone)]
pub struct MacKey(Hmac<Sha256>);

impl MacKey {
    /// Creates the key from 32 secret bytes, which belong to one signing key and have no other use.
    pub fn new(secret: &[u8; 32]) -> MacKey {
        MacKey(Hmac::new_from_slice(secret).expect("HMAC takes a key of any length"))
    }

    /// Returns the first 16 bytes of the HMAC-SHA-256 of `text`.
    pub fn mac(&self, text: &[u8]) -> [u8; 16] {
        let whole = self.0.clone().chain_update(text).finalize().into_bytes();
        let mut short = [0; 16];
        short.copy_from_slice(&whole[..16]);
        short
    }

    /// Returns true if `mac` belongs to `text`. The time does not depend on where they differ.
    pub fn fits(&self, text: &[u8], mac: &[u8]) -> bool {
        mac.len() == 16 && self.0.clone().chain_update(text).verify_truncated_left(mac).is_ok()
    }
}

impl std::fmt::Debug for MacKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MacKey")
    }
}

/// A witness that is kept in a cell.
pub struct CellWitness<C> {
    cell: C,
    key: OnceLock<MacKey>,
    find_key: FindKey,
    /// The mark and the word that were last read or written.
    last: Mutex<Option<(Mark, String)>>,
    lease: Duration,
}

/// Last generation whose word may have no MAC. The first commits of a store are made before its MAC
/// key exists.
const UNSIGNED: u64 = 4;

/// Function that finds the MAC key. It is called when a word is read or written, until it finds
/// one.
type FindKey = Box<dyn Fn() -> Result<Option<MacKey>, StoreError> + Send + Sync>;

impl<C: Cell> CellWitness<C> {
    /// Creates a witness that confirms before every use and writes words without a MAC.
    pub fn new(cell: C) -> CellWitness<C> {
        let find_key = Box::new(|| Ok(None));
        let (key, last) = (OnceLock::new(), Mutex::default());
        CellWitness { cell, key, find_key, last, lease: Duration::ZERO }
    }

    /// Adds a MAC to every word, and rejects words without one, as soon as `find` finds a key.
    /// Words of the first four generations are accepted without a MAC, because a store that is
    /// being created has no key yet.
    pub fn key(
        mut self,
        find: impl Fn() -> Result<Option<MacKey>, StoreError> + Send + Sync + 'static,
    ) -> CellWitness<C> {
        self.find_key = Box::new(find);
        self
    }

    /// Sets the lease: [`Witness::lease`].
    pub fn lease(mut self, lease: Duration) -> CellWitness<C> {
        self.lease = lease;
        self
    }

    fn find(&self) -> Result<Option<&MacKey>, StoreError> {
        if self.key.get().is_none()
            && let Some(key) = (self.find_key)()?
        {
            let _ = self.key.set(key);
        }
        Ok(self.key.get())
    }

    /// Returns the word to be written for a mark.
    fn word(&self, mark: &Mark) -> Result<String, StoreError> {
        let body = mark.to_string();
        Ok(match self.find()? {
            None => body,
            Some(key) => with_mac(body, key),
        })
    }

    /// Returns the word that the cell holds for a mark.
    fn word_there(&self, mark: &Mark) -> Result<String, StoreError> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match last {
            Some((known, word)) if known == *mark => Ok(word),
            _ => self.word(mark),
        }
    }

    fn remember(&self, mark: Mark, word: String) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some((mark, word));
    }

    fn mark(&self, word: &str) -> Result<Mark, StoreError> {
        let key = self.find()?;
        let unsigned = Mark::from_word(word);
        let early = unsigned.filter(|mark| key.is_none() || mark.generation <= UNSIGNED);
        early.or_else(|| signed(word, key?)).ok_or(StoreError::WitnessForeign)
    }
}

fn signed(word: &str, key: &MacKey) -> Option<Mark> {
    Mark::from_word(signed_body(word, key)?)
}

/// Returns a word with its MAC appended.
pub(crate) fn with_mac(body: String, key: &MacKey) -> String {
    let mac = u128::from_be_bytes(key.mac(body.as_bytes()));
    format!("{body}.{mac:032x}")
}

/// Checks the MAC of a word, and returns the word without it.
pub(crate) fn signed_body<'w>(word: &'w str, key: &MacKey) -> Option<&'w str> {
    let (body, mac) = word.rsplit_once('.')?;
    (mac.len() == 32 && key.fits(body.as_bytes(), &hex(mac)?)).then_some(body)
}

impl<C: Cell + ?Sized> Cell for Box<C> {
    fn read(&self) -> Result<Option<String>, StoreError> {
        (**self).read()
    }

    fn swap(&self, from: Option<&str>, to: &str) -> Result<bool, StoreError> {
        (**self).swap(from, to)
    }
}

impl<C: Cell> Witness for CellWitness<C> {
    fn read(&self) -> Result<Option<Mark>, StoreError> {
        let Some(word) = self.cell.read()? else { return Ok(None) };
        let mark = self.mark(&word)?;
        self.remember(mark, word);
        Ok(Some(mark))
    }

    fn swap(&self, from: Option<&Mark>, to: &Mark) -> Result<bool, StoreError> {
        let from = from.map(|mark| self.word_there(mark)).transpose()?;
        let word = self.word(to)?;
        let done = self.cell.swap(from.as_deref(), &word)?;
        if done {
            self.remember(*to, word);
        }
        Ok(done)
    }

    fn lease(&self) -> Duration {
        self.lease
    }
}

impl std::fmt::Display for Mark {
    /// Writes the word without a MAC.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Mark { generation, tag, uses } = self;
        write!(f, "1.{generation}.{:032x}.{uses}", u128::from_be_bytes(*tag))
    }
}

impl Mark {
    /// Parses a word without a MAC. Accepts only the canonical form of a mark.
    fn from_word(word: &str) -> Option<Mark> {
        let mut parts = word.split('.');
        let (version, generation) = (parts.next()?, parts.next()?.parse().ok()?);
        let (tag, uses) = (hex(parts.next()?)?, parts.next()?.parse().ok()?);
        let mark = Mark { generation, tag, uses };
        (version == "1" && mark.to_string() == word).then_some(mark)
    }
}

fn hex(text: &str) -> Option<[u8; 16]> {
    Some(u128::from_str_radix(text, 16).ok()?.to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Held(Mutex<Option<String>>);

    impl Cell for Held {
        fn read(&self) -> Result<Option<String>, StoreError> {
            Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone())
        }

        fn swap(&self, from: Option<&str>, to: &str) -> Result<bool, StoreError> {
            let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let same = held.as_deref() == from;
            if same {
                *held = Some(to.to_owned());
            }
            Ok(same)
        }
    }

    const MARK: Mark = Mark { generation: 7, tag: *b"0123456789abcdef", uses: u64::MAX };

    fn holding(word: &str, key: Option<[u8; 32]>) -> CellWitness<Held> {
        let witness = CellWitness::new(Held(Mutex::new(Some(word.to_owned()))));
        witness.key(move || Ok(key.as_ref().map(MacKey::new)))
    }

    #[test]
    fn a_mark_survives_its_word_with_and_without_a_mac() {
        for key in [None, Some([7; 32])] {
            let witness = holding("", key);
            let word = witness.word(&MARK).expect("a word");
            assert!(word.len() <= LONGEST);
            assert!(is_word(&word), "{word}");
            assert_eq!(holding(&word, key).read(), Ok(Some(MARK)), "{word}");
            assert_eq!(holding(&word, key).swap(Some(&MARK), &MARK), Ok(true));
        }
    }

    #[test]
    fn a_word_that_the_key_did_not_make_is_no_mark() {
        let word = holding("", Some([7; 32])).word(&MARK).expect("a word");
        let plain = MARK.to_string();
        assert_eq!(holding(&word, Some([8; 32])).read(), Err(StoreError::WitnessForeign));
        assert_eq!(holding(&plain, Some([7; 32])).read(), Err(StoreError::WitnessForeign));
        for at in 0..word.len() {
            let mut forged = word.clone().into_bytes();
            forged[at] = if forged[at] == b'0' { b'1' } else { b'0' };
            let forged = String::from_utf8(forged).expect("digits");
            let read = holding(&forged, Some([7; 32])).read();
            assert_eq!(read, Err(StoreError::WitnessForeign), "{forged}");
        }
    }

    /// The first commit of a store is made before the store can have a MAC key.
    #[test]
    fn a_key_that_comes_after_the_first_words_covers_the_next() {
        let found = std::sync::Arc::new(Mutex::new(None));
        let finds = std::sync::Arc::clone(&found);
        let find = move || Ok(finds.lock().unwrap_or_else(PoisonError::into_inner).clone());
        let witness = CellWitness::new(Held(Mutex::new(None))).key(find);
        let mark = |generation| Mark { generation, tag: [1; 16], uses: 0 };
        assert_eq!(witness.swap(None, &mark(1)), Ok(true));
        *found.lock().unwrap_or_else(PoisonError::into_inner) = Some(MacKey::new(&[7; 32]));
        assert_eq!(witness.read(), Ok(Some(mark(1))));
        assert_eq!(witness.swap(Some(&mark(1)), &mark(2)), Ok(true));
        assert_eq!(witness.read(), Ok(Some(mark(2))));
        assert_eq!(witness.swap(Some(&mark(2)), &mark(9)), Ok(true));
        let held = witness.cell.read().ok().flatten().expect("a word");
        assert_eq!(holding(&held, Some([7; 32])).read(), Ok(Some(mark(9))));
        let bare = mark(9).to_string();
        assert_eq!(holding(&bare, Some([7; 32])).read(), Err(StoreError::WitnessForeign));
    }

    #[test]
    fn what_is_no_word_of_ours_is_refused() {
        for word in [
            "",
            "1",
            "2.7.00000000000000000000000000000001.3",
            "1.7.1.3",
            "1.+7.00000000000000000000000000000001.3",
            "1.7.00000000000000000000000000000001.3.",
            "1.7.00000000000000000000000000000001",
        ] {
            assert!(!is_word(word), "{word}");
            assert_eq!(holding(word, None).read(), Err(StoreError::WitnessForeign), "{word}");
        }
    }
}
