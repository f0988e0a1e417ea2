//! The identity in a store: each tree takes one durable index, and no index is used twice.

use crate::memory::message;
use hasten_channel::{Error, Event, Identity, Preparer, Publisher, Subscriber};
use hasten_hbs::Set;
use hasten_kernels::Kernels;
use hasten_keys::stateful::{Generation, NewStateful, Sealed, Sessions, Stateful, read_public_of};
use hasten_keys::{Error as KeyError, verify::verify};
use hasten_store::{self as store, Options};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

#[path = "../../../hasten/tests/recorded/mod.rs"]
mod recorded;

pub const SESSION: &str = "LMS_SHA256_M24_H5_W4";

/// An identity in a temporary folder.
pub struct Place(TempDir);

impl Place {
    pub fn new(passphrase: Option<&[u8]>) -> Self {
        Self::of("LMS_SHA256_M24_H10_W4", passphrase)
    }

    /// Returns an identity whose levels above the session trees are `above`.
    pub fn of(above: &str, passphrase: Option<&[u8]>) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        let new = NewStateful { set: Set::named(above).unwrap(), reserve: 1, sectors: 1 };
        let session = Set::named(SESSION).unwrap();
        let begun =
            Generation::begin_for_sessions(&place.key(), place.options(), new, session, passphrase);
        begun.unwrap().run(Kernels::best(), 1, &mut |_| ControlFlow::Continue(())).unwrap();
        place
    }

    pub fn key(&self) -> PathBuf {
        self.0.path().join("key")
    }

    pub fn options(&self) -> Options {
        Options::new().guard(self.0.path().join("guard"))
    }
}

pub fn open(key: &Path, options: Options) -> Result<Sessions<'static>, KeyError> {
    let kept = Sealed::of_store(key)?.open(None)?;
    Sessions::open(key, options, &kept, Kernels::best())
}

fn publisher(place: &Place) -> Publisher<'static> {
    let identity = open(&place.key(), place.options()).unwrap();
    let set = identity.session_set();
    assert_eq!(set.name, Set::named(SESSION).unwrap().name);
    Publisher::new(Preparer::new(identity, set, Kernels::best()).unwrap(), 4)
}

/// Seals `count` messages. Returns the announcements and the sealed messages.
fn run(publisher: &mut Publisher<'_>, count: usize) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let (mut announced, mut sealed) = (Vec::new(), Vec::new());
    for number in 0..count {
        let mut out = vec![0; 4096];
        let bytes = publisher.seal(&number.to_be_bytes(), &mut out).unwrap();
        sealed.push(out[..bytes].to_vec());
        announced.extend(publisher.announcements().map(<[u8]>::to_vec));
    }
    (announced, sealed)
}

#[test]
fn each_run_takes_trees_of_its_own() {
    let place = Place::new(None);
    let public = read_public_of(&place.key()).unwrap();
    assert_eq!((public.row.name.as_str(), &public.raw[..4]), ("HSS", &[0, 0, 0, 2][..]));
    let key = hasten_hbs::PublicKey::from_hss_bytes(&public.raw).unwrap();
    let mut subscriber = Subscriber::new(&key, Kernels::best()).unwrap();
    let mut last = None;
    for _ in 0..3 {
        let mut publisher = publisher(&place);
        let (announced, sealed) = run(&mut publisher, 50);
        for datagram in &announced {
            let _ = subscriber.open(datagram);
        }
        for datagram in &sealed {
            let got = message(&mut subscriber, datagram).unwrap();
            assert!(last < Some(got.session), "a run begins with a tree of its own");
        }
        last = subscriber.newest_tree();
        for datagram in announced.iter().zip(&sealed) {
            let Some(made) = hasten_channel::export(&key, datagram.0, datagram.1) else { continue };
            let verdict =
                verify(&public, &mut &made.message[..], &made.signature, Kernels::portable());
            assert_eq!(verdict, Ok(()));
        }
    }
}

/// If an identity signed a chosen message, that would be a signature of a chosen tree.
#[test]
fn an_identity_signs_no_messages_and_other_keys_no_trees() {
    let place = Place::new(None);
    let kept = Sealed::of_store(&place.key()).unwrap().open(None).unwrap();
    let as_key = Stateful::open(&place.key(), place.options(), &kept, Kernels::best());
    assert_eq!(as_key.err(), Some(KeyError::OfSessions));
    let plain = tempfile::tempdir().unwrap();
    let (dir, options) = (plain.path().join("key"), Options::new().guard(plain.path().join("g")));
    let set = Set::named("LMS_SHA256_M24_H5_W8").unwrap();
    let new = NewStateful { set, reserve: 1, sectors: 1 };
    let begun = Generation::begin(&dir, options, new, None).unwrap();
    begun.run(Kernels::best(), 1, &mut |_| ControlFlow::Continue(())).unwrap();
    let options = Options::new().guard(plain.path().join("g"));
    assert_eq!(open(&dir, options).err(), Some(KeyError::NotOfSessions));
}

#[test]
fn an_identity_of_xmss_signs_trees_and_no_messages() {
    for above in ["XMSS-SHA2_10_192", "XMSSMT-SHA2_20/4_192"] {
        let place = Place::of(above, None);
        let public = read_public_of(&place.key()).unwrap();
        assert_eq!(public.row.name, Set::named(above).unwrap().name);
        let kept = Sealed::of_store(&place.key()).unwrap().open(None).unwrap();
        let as_key = Stateful::open(&place.key(), place.options(), &kept, Kernels::best());
        assert_eq!(as_key.err(), Some(KeyError::OfSessions));
        let identity = open(&place.key(), place.options()).unwrap();
        let key = Identity::public_key(&identity).unwrap();
        assert_eq!(key.as_bytes(), public.raw);
        drop(identity);
        let mut subscriber = Subscriber::new(&key, Kernels::best()).unwrap();
        // The third tree is signed when half of the second is used.
        for session in [0, 3] {
            let (announced, sealed) = run(&mut publisher(&place), 50);
            for datagram in announced {
                let _ = subscriber.open(&datagram);
            }
            for (sequence, datagram) in (0..).zip(&sealed) {
                let got = message(&mut subscriber, datagram).unwrap();
                assert_eq!((got.session, got.sequence), (session, sequence));
            }
        }
    }
}

#[test]
fn only_trees_of_lms_are_signed() {
    let place = Place::new(None);
    let mut identity = open(&place.key(), place.options()).unwrap();
    let hss = hasten_hbs::PublicKey::from_hss_bytes(&identity.public_key().unwrap().raw).unwrap();
    assert_eq!(identity.sign_tree(&hss).err(), Some(KeyError::WrongAlgorithm));
    assert_eq!(identity.status().used, 0);
}

#[test]
fn a_sealed_identity_opens_with_its_passphrase() {
    let place = Place::new(Some(b"word"));
    let sealed = || Sealed::of_store(&place.key()).unwrap();
    assert_eq!(sealed().sessions(), Some(Set::named(SESSION).unwrap().name));
    assert_eq!(sealed().open(Some(b"other")).err(), Some(KeyError::Passphrase));
    let kept = sealed().open(Some(b"word")).unwrap();
    let opened = Sessions::open(&place.key(), place.options(), &kept, Kernels::best());
    assert_eq!(opened.unwrap().status().remaining, 1024);
}

/// The signing record of an identity has an entry for each session tree, and is confirmed at the
/// end.
#[test]
fn session_trees_are_recorded() {
    for above in ["LMS_SHA256_M24_H10_W4", "XMSS-SHA2_10_256"] {
        let place = Place::of(above, None);
        let mut publisher = publisher(&place);
        run(&mut publisher, 1);
        drop(publisher);
        recorded::must_tell(&place.key(), &["session tree"], None);
    }
}

/// The index is durable before its tree signs anything. So a publisher that is dropped loses it.
#[test]
fn a_publisher_that_ends_costs_no_more_than_its_trees() {
    let place = Place::new(None);
    for round in 1..=3 {
        let mut publisher = publisher(&place);
        run(&mut publisher, 1);
        drop(publisher);
        let status = open(&place.key(), place.options()).unwrap().close().unwrap();
        assert_eq!(status.remaining, 1024 - round);
    }
}

#[test]
fn an_event_says_what_it_is() {
    let place = Place::new(None);
    let mut publisher = publisher(&place);
    let key = hasten_hbs::PublicKey::from_hss_bytes(&read_public_of(&place.key()).unwrap().raw);
    let mut subscriber = Subscriber::new(&key.unwrap(), Kernels::best()).unwrap();
    publisher.prepare(1000).unwrap();
    assert_eq!(publisher.ready(), 4);
    let first = publisher.announcements().next().unwrap().to_vec();
    assert_eq!(subscriber.open(&first), Ok(Event::NewTree(0)));
    let refused = publisher.seal(b"", &mut []);
    assert!(matches!(refused, Err(Error::ShortBuffer { .. })));
}
