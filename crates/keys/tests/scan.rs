//! Signatures of one key in every form and with every scheme: an index that was used twice is
//! found, and nothing else is reported as reuse.
#![cfg(all(feature = "x509", feature = "sign"))]

use std::io::{Cursor, Read};

use ::cms::content_info::ContentInfo;
use ::cms::signed_data::{SignedData as Inner, SignerInfos};
use der::asn1::{Any, SetOfVec};
use der::{Decode, Encode};
use hasten_hbs::hazmat::Throwaway;
use hasten_hbs::{Set, Signer, SignerLevel, generate};
use hasten_kernels::Kernels;
use hasten_keys::boot::{self, Placed};
use hasten_keys::encoding::{PublicKey, read_public, to_pem};
use hasten_keys::scan::{
    Account, Form, Index, Ledger, Look, Other, Scanner, Verdict, check_path, reused_among,
};
use hasten_keys::stateful::Note;
use hasten_keys::x509::{self, CertificateSigner, New, Period, Role, Subject};
use hasten_keys::{Error, cms, cose, dual, registry, stateless, verify};

const LMS: &str = "LMS_SHA256_M24_H5_W8";
const HSS: &str = "HSS(LMS_SHA256_M24_H5_W8,LMS_SHA256_M24_H5_W8)";
const XMSS: &str = "XMSS-SHA2_10_192";
const XMSS_MT: &str = "XMSSMT-SHA2_20/4_256";

/// A key without persistent state: creating it again starts with the first index again.
struct Forgetful {
    signer: Signer<'static>,
    permits: Throwaway,
    public: PublicKey,
}

impl Forgetful {
    fn new(alg: &str, seed: u8) -> Self {
        let set = Set::named(alg).unwrap();
        let signer = generate(set, &vec![seed; set.seed_bytes()], Kernels::best()).unwrap();
        let own = signer.public_key().as_bytes();
        let public = match alg {
            LMS => read_public(&[&[0, 0, 0, 1], own].concat(), Some("HSS")),
            HSS => read_public(own, Some("HSS")),
            _ => read_public(own, Some(alg)),
        };
        Self { signer, permits: Throwaway::new(), public: public.unwrap() }
    }

    fn signature(&mut self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let prepared = self.signer.prepare(self.permits.permit(), SignerLevel::None)?;
        let signature = prepared.finish(message)?.into_bytes();
        let is_one_tree =
            self.public.raw.starts_with(&[0, 0, 0, 1, 0]) && signature[4..8] != [0; 4];
        let front: &[u8] = if is_one_tree { &[0; 4] } else { &[] };
        Ok([front, &signature].concat())
    }
}

impl CertificateSigner for Forgetful {
    fn public_key(&self) -> Result<PublicKey, Error> {
        Ok(self.public.clone())
    }

    fn sign(&mut self, message: &[u8], _: Note) -> Result<Vec<u8>, Error> {
        self.signature(message)
    }
}

/// Returns the forms of signatures that keys of a scheme support.
fn forms(alg: &str) -> &'static [Form] {
    use Form::{Boot, Cms, Cose, Dual, Raw, X509};
    match alg {
        LMS => &[Raw, Cms, Cose, Dual, Boot, X509],
        HSS => &[Raw, Cms, Cose, Dual, X509],
        XMSS => &[Raw, Dual, Boot, X509],
        _ => &[Raw, Dual, X509],
    }
}

/// Signs a message and returns the signature in this form.
fn signed(key: &mut Forgetful, form: Form, message: &[u8]) -> Vec<u8> {
    let public = key.public.clone();
    match form {
        Form::Raw => key.signature(message).unwrap(),
        Form::Cms => {
            let place = cms::Place::Attached;
            let content = cms::Content::read(&public, &mut &*message, place).unwrap();
            let unsigned = cms::Unsigned::new(&public, content, &cms::Signer::default()).unwrap();
            let signature = key.signature(unsigned.message()).unwrap();
            unsigned.finish(&signature).unwrap()
        }
        Form::Cose => {
            let unsigned = cose::Unsigned::new(&public, message.to_vec(), true).unwrap();
            let signature = key.signature(unsigned.message()).unwrap();
            unsigned.finish(&signature).unwrap()
        }
        Form::Dual => {
            let second = stateless::generate(registry::find("Ed25519").unwrap(), Kernels::best());
            let second = second.unwrap();
            let second = stateless::Signer::new(&second, Kernels::best()).unwrap();
            let pair = dual::Pair::new(&public, second.public_key()).unwrap();
            let bytes = pair.bytes(&mut &*message).unwrap();
            pair.seal(&key.signature(&bytes).unwrap(), &second.sign(&bytes).unwrap())
        }
        Form::Boot => {
            let at = Placed { version: 1, load: 0, entry: 0, key_number: 0 };
            let unsigned = boot::Unsigned::new(&public, verify::Form::Lms, message, &at).unwrap();
            let signature = key.signature(unsigned.message()).unwrap();
            unsigned.finish(&signature).unwrap()
        }
        _ => {
            let name = String::from_utf8(message.to_vec()).unwrap();
            let subject = Subject { name, ..Subject::default() };
            let period = Period { not_before: 1_800_000_000, not_after: 1_900_000_000 };
            x509::issue(&New { role: Role::Root, subject, period }, &public, None, key).unwrap()
        }
    }
}

fn look(key: &PublicKey, file: &[u8], beside: Option<&[u8]>) -> Look {
    let scanner = Scanner::new(key, Kernels::best()).unwrap();
    scanner.look(file, &mut || {
        let message =
            beside.map(|message| Box::new(Cursor::new(message.to_vec())) as Box<dyn Read>);
        Ok(message)
    })
}

/// Returns the account of some files, each with its detached message if it has one.
fn scan(key: &PublicKey, files: &[(Vec<u8>, Option<&[u8]>)]) -> Account {
    let mut ledger = Ledger::new(Scanner::new(key, Kernels::best()).unwrap().capacity());
    for (number, (file, beside)) in files.iter().enumerate() {
        let look = look(key, file, *beside);
        assert!(!look.signatures.is_empty(), "file {number}: {:?}", look.other);
        look.signatures.iter().for_each(|signature| ledger.add(number as u32, signature));
    }
    ledger.finish()
}

fn twice(account: &Account) -> Vec<Index> {
    account.indices().filter(|index| index.verdict.is_twice()).collect()
}

#[test]
fn an_index_with_two_messages_is_found_in_every_form_of_every_scheme() {
    for alg in [LMS, HSS, XMSS, XMSS_MT] {
        let key = Forgetful::new(alg, 5).public;
        for form in forms(alg) {
            let case = format!("{alg} {form:?}");
            let (mut first, mut copy) = (Forgetful::new(alg, 5), Forgetful::new(alg, 5));
            let message = |text: &'static str| Some(text.as_bytes());
            let one = (signed(&mut first, *form, b"first"), message("first"));
            let two = (signed(&mut first, *form, b"second"), message("second"));
            let again = (signed(&mut copy, *form, b"other"), message("other"));
            let good = scan(&key, &[one.clone(), two.clone(), one.clone()]);
            let verdicts: Vec<_> = good.indices().map(|index| index.verdict).collect();
            assert_eq!(verdicts, [Verdict::Good; 2], "{case}");
            assert_eq!((good.highest(), good.gaps().count()), (Some((1, true)), 0), "{case}");

            let files = [one, two, again];
            let found = twice(&scan(&key, &files));
            assert_eq!(found.len(), 1, "{case}");
            assert_eq!((found[0].index, found[0].level), (Some(0), 0), "{case}");
            assert_eq!(found[0].verdict, Verdict::Reused, "{case}");
            let named: Vec<_> = found[0].files.iter().map(|file| (file.file, file.form)).collect();
            assert_eq!(named, [(0, *form), (2, *form)], "{case}");

            // If the message is neither in the file nor given, the reuse is only claimed.
            let unseen = files.map(|(file, _)| (file, None));
            let found = twice(&scan(&key, &unseen));
            let claimed = Verdict::Claimed { is_one_path: true };
            let needs_message = matches!(form, Form::Raw | Form::Dual);
            let expected = if needs_message { claimed } else { Verdict::Reused };
            assert_eq!(found.iter().map(|i| i.verdict).collect::<Vec<_>>(), [expected], "{case}");
        }
    }
}

#[test]
fn an_upper_key_of_hss_that_signed_two_trees_is_found_without_any_message() {
    let tree = |seed: u8| {
        let set = Set::named(LMS).unwrap();
        generate(set, &vec![seed; set.seed_bytes()], Kernels::best()).unwrap()
    };
    let sign = |seed, message: &[u8]| {
        let prepared = tree(seed).prepare(Throwaway::new().permit(), SignerLevel::None).unwrap();
        prepared.finish(message).unwrap().into_bytes()
    };
    let top = tree(1).public_key().as_bytes().to_vec();
    let key = read_public(&[&[0, 0, 0, 2], &top[..]].concat(), Some("HSS")).unwrap();
    let under = |seed, message: &[u8]| {
        let lower = tree(seed).public_key().as_bytes().to_vec();
        [&[0, 0, 0, 1], &sign(1, &lower)[..], &lower, &sign(seed, message)].concat()
    };
    let (one, two) = (under(2, b"one"), under(3, b"two"));
    for (file, message) in [(&one, b"one"), (&two, b"two")] {
        verify::verify(&key, &mut &message[..], file, Kernels::best()).unwrap();
    }
    let account = scan(&key, &[(one.clone(), None), (two, None), (one, None)]);
    let found = twice(&account);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].level, found[0].index), (1, Some(0)));
    assert_eq!(found[0].verdict, Verdict::Reused);
    assert_eq!(found[0].files.iter().map(|file| file.file).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(account.capacity(), Some(32 * 32));
}

#[test]
fn a_changed_upper_part_of_xmssmt_is_a_claim_and_with_its_message_none() {
    let mut key = Forgetful::new(XMSS_MT, 5);
    let (one, mut two) = (key.signature(b"one").unwrap(), key.signature(b"two").unwrap());
    let at = 3 + 32 + 67 * 32 + 5 * 32;
    two[at] ^= 1;
    let found = twice(&scan(&key.public, &[(one, Some(b"one")), (two.clone(), None)]));
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].level, found[0].index), (1, Some(0)));
    assert_eq!(found[0].verdict, Verdict::Claimed { is_one_path: true });
    let judged = look(&key.public, &two, Some(b"two"));
    assert!(judged.signatures.is_empty() && judged.other == Other::Key);
}

/// One file is genuine; the other contains arbitrary bytes with its index.
#[test]
fn garbage_under_a_used_index_accuses_nobody() {
    let mut key = Forgetful::new(LMS, 5);
    let (one, two) = (key.signature(b"one").unwrap(), key.signature(b"two").unwrap());
    let mut garbage = two.clone();
    garbage[4..8].copy_from_slice(&one[4..8]);
    let account = scan(&key.public, &[(one.clone(), Some(b"one")), (garbage.clone(), None)]);
    assert!(twice(&account).is_empty(), "its path is another one's");
    assert_eq!(account.refuted(), [1]);
    let account = scan(&key.public, &[(one.clone(), None), (garbage.clone(), None)]);
    assert_eq!(twice(&account)[0].verdict, Verdict::Claimed { is_one_path: false });
    assert_eq!(look(&key.public, &garbage, Some(b"two")).other, Other::Key);
    // A signature of the message's digest counts as a signature of another message.
    let digest = hasten_keys::prehash::sha384(&mut &b"one"[..], &mut |_| ()).unwrap();
    let of_digest = Forgetful::new(LMS, 5).signature(&digest).unwrap();
    let account = scan(&key.public, &[(one, Some(b"one")), (of_digest, Some(b"one"))]);
    assert_eq!(twice(&account)[0].verdict, Verdict::Reused);
}

#[test]
fn what_is_of_another_key_or_set_is_said_to_be() {
    let key = Forgetful::new(LMS, 5).public;
    let other = |alg, form: Form, message| {
        look(&key, &signed(&mut Forgetful::new(alg, 6), form, b"m"), message)
    };
    for form in [Form::Cms, Form::Cose, Form::Boot, Form::X509] {
        let found = other(LMS, form, None);
        assert!(found.signatures.is_empty() && found.other == Other::Key, "{form:?}: {found:?}");
    }
    assert_eq!(other(LMS, Form::Raw, Some(b"m")).other, Other::Key);
    assert!(
        matches!(other(HSS, Form::Raw, None).other, Other::Set(name) if name.starts_with("HSS"))
    );
    assert!(matches!(other(XMSS, Form::Raw, None).other, Other::Set(_)));
    assert!(matches!(other(XMSS, Form::X509, None).other, Other::Set(_)));
    let several = Forgetful::new(HSS, 5).public;
    let found = look(&several, &Forgetful::new(HSS, 6).signature(b"m").unwrap(), None);
    assert_eq!(found.other, Other::Key, "its upper level needs no message");
    for bytes in [&b""[..], b"m", &[0; 1000], &[0x30; 4000], &[0x84; 100]] {
        let found = look(&key, bytes, None);
        assert!(found.signatures.is_empty() && found.other == Other::Nothing, "{found:?}");
    }
    let ed25519 = read_public(&[1; 32], Some("Ed25519")).unwrap();
    assert_eq!(Scanner::new(&ed25519, Kernels::best()).err(), Some(Error::NoState));
}

#[test]
fn a_file_of_many_certificates_and_both_forms_of_lms_are_read() {
    let mut key = Forgetful::new(LMS, 5);
    let public = key.public.clone();
    let blocks: Vec<String> = (0..3)
        .map(|_| to_pem("CERTIFICATE", &signed(&mut key, Form::X509, b"m")).unwrap().to_string())
        .collect();
    let account = scan(&public, &[(blocks.concat().into_bytes(), None)]);
    let indices: Vec<_> = account.indices().map(|index| index.index).collect();
    assert_eq!(indices, [Some(0), Some(1), Some(2)]);
    let request = x509::request(&Subject { name: "r".into(), ..Subject::default() }, &mut key);
    let account = scan(&public, &[(request.unwrap(), None)]);
    assert_eq!(
        account.indices().map(|i| (i.index, i.verdict)).collect::<Vec<_>>(),
        [(Some(3), Verdict::Good)]
    );
    assert_eq!(account.gaps().collect::<Vec<_>>(), [0..=2]);
    let bare_key = read_public(&public.raw[4..], None).unwrap();
    let signature = key.signature(b"m").unwrap();
    for key in [&public, &bare_key] {
        for file in [&signature[..], &signature[4..]] {
            let account = scan(key, &[(file.to_vec(), Some(b"m"))]);
            assert_eq!(account.highest(), Some((4, true)));
        }
    }
}

/// Returns a SignedData with the signers of both inputs.
fn joined(one: &[u8], two: &[u8]) -> Vec<u8> {
    let [(outer, mut inner), (_, other)] = [one, two].map(|der| {
        let outer = ContentInfo::from_der(der).unwrap();
        let inner: Inner = outer.content.decode_as().unwrap();
        (outer, inner)
    });
    let signers = [inner.signer_infos.0.into_vec(), other.signer_infos.0.into_vec()].concat();
    inner.signer_infos = SignerInfos(SetOfVec::try_from(signers).unwrap());
    ContentInfo { content: Any::encode_from(&inner).unwrap(), ..outer }.to_der().unwrap()
}

#[test]
fn signers_of_one_file_with_one_index_are_compared() {
    let signed = |key: &mut Forgetful, time| {
        let content = cms::Content::read(&key.public, &mut &b"m"[..], cms::Place::Attached);
        let who = cms::Signer { time: Some(time), ..cms::Signer::default() };
        let unsigned = cms::Unsigned::new(&key.public, content.unwrap(), &who).unwrap();
        let signature = key.signature(unsigned.message()).unwrap();
        unsigned.finish(&signature).unwrap()
    };
    let (mut key, mut copy) = (Forgetful::new(LMS, 5), Forgetful::new(LMS, 5));
    let (one, two) = (signed(&mut key, 1_800_000_000), signed(&mut key, 1_800_000_001));
    let again = signed(&mut copy, 1_800_000_002);
    for (other, reused) in [(two, vec![]), (again, vec![Some(0)])] {
        let file = joined(&one, &other);
        let read = cms::SignedData::read(&file).unwrap();
        let by = cms::By::Key(&key.public);
        let alone = read.verify(by, None, Kernels::best());
        assert_eq!(alone.err(), Some(Error::SeveralSigners));
        let each = read.verify_each(by, &mut || Ok(None), Kernels::best());
        let good: Vec<_> = each.into_iter().map(|verdict| verdict.unwrap().signature).collect();
        let found = reused_among(&key.public, good.iter().map(Vec::as_slice)).unwrap();
        assert_eq!(found.iter().map(|index| index.index).collect::<Vec<_>>(), reused);
        let found = twice(&scan(&key.public, &[(file, None)]));
        assert_eq!(found.iter().map(|index| index.index).collect::<Vec<_>>(), reused);
    }
}

#[test]
fn a_path_whose_root_and_certificate_have_one_index_is_refused() {
    let ed25519 = stateless::generate(registry::find("Ed25519").unwrap(), Kernels::best()).unwrap();
    let leaf = stateless::Signer::new(&ed25519, Kernels::best()).unwrap();
    let under = |root: &[u8], key: &mut Forgetful| {
        let subject = Subject { name: "leaf".into(), ..Subject::default() };
        let period = Period { not_before: 1_800_000_000, not_after: 1_900_000_000 };
        let new = New { role: Role::Leaf, subject, period };
        x509::issue(&new, leaf.public_key(), Some(root), key).unwrap()
    };
    for alg in [LMS, HSS, XMSS] {
        let mut key = Forgetful::new(alg, 5);
        let root = signed(&mut key, Form::X509, b"root");
        let good = [under(&root, &mut key), root.clone()];
        assert_eq!(check_path(&good), Ok(()), "{alg}");
        let reused = [under(&root, &mut Forgetful::new(alg, 5)), root];
        let refused = Err(Error::Reused { index: Some(0), level: 0 });
        assert_eq!(check_path(&reused), refused, "{alg}");
    }
}
