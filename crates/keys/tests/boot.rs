//! Signed images for boot ROMs verify only with their key, and only unchanged.

#[allow(dead_code)] // the other tests of keys use the rest
mod common;

use std::io::Read;

use common::Place;
use hasten_hbs::SignerLevel;
use hasten_kernels::Kernels;
use hasten_keys::Error;
use hasten_keys::boot::{Placed, Signed, Unsigned};
use hasten_keys::encoding::{PublicKey, read_public};
use hasten_keys::stateful::read_public_of;
use hasten_keys::verify::Form;

const IMAGE: &[u8] = b"an image of odd length";
const AT: Placed = Placed { version: 7, load: 0x2000_0000, entry: 0x2000_0004, key_number: 1 };

/// Returns a key of this set, and an image signed with it.
fn signed(alg: &'static str, form: Form) -> (PublicKey, Vec<u8>) {
    let place = Place::of(alg, 1);
    place.generate(None);
    let public = read_public_of(&place.store()).unwrap();
    let unsigned = Unsigned::new(&public, form, IMAGE, &AT).unwrap();
    let mut key = place.open().unwrap();
    let (_, signature) = common::sign(&mut key, SignerLevel::None, unsigned.message());
    key.close().unwrap();
    (public, unsigned.finish(&signature).unwrap())
}

fn verdict(file: &[u8], key: &PublicKey, image: Option<&[u8]>) -> Result<(), Error> {
    let mut image = image;
    let given = image.as_mut().map(|image| image as &mut dyn Read);
    Signed::read(file)?.verify(key, given, Kernels::best())
}

const LMS: &str = "LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W8";

#[test]
fn an_image_is_good_by_its_key_and_as_the_file_that_was_signed() {
    for (alg, form) in [(LMS, Form::Lms), (LMS, Form::Hss), ("XMSS-SHA2_10_192", Form::Lms)] {
        let (key, file) = signed(alg, form);
        for image in [None, Some(IMAGE)] {
            assert_eq!(verdict(&file, &key, image), Ok(()), "{alg}");
        }
        let read = Signed::read(&file).unwrap();
        assert_eq!((read.header().version, &read.image()[..IMAGE.len()]), (7, IMAGE));
        for other in [&IMAGE[1..], &IMAGE[..IMAGE.len() - 4], b"", &[IMAGE, &[0; 9]].concat()] {
            assert_eq!(verdict(&file, &key, Some(other)), Err(Error::BadSignature), "{alg}");
        }
    }
}

#[test]
fn no_changed_bit_is_good() {
    let (key, file) = signed(LMS, Form::Hss);
    for bit in 0..8 * file.len() {
        let mut changed = file.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let said = verdict(&changed, &key, None);
        assert!(matches!(said, Err(Error::BadSignature | Error::NotBoot)), "bit {bit}: {said:?}");
    }
}

#[test]
fn another_key_is_refused() {
    let (_, file) = signed(LMS, Form::Lms);
    let (other, theirs) = signed(LMS, Form::Lms);
    assert_eq!(verdict(&file, &other, None), Err(Error::BadSignature));
    // Signature and image of one key, with the public key of another in the file.
    let mixed = [&theirs[..64 + 48], &file[64 + 48..]].concat();
    assert_eq!(verdict(&mixed, &other, None), Err(Error::BadSignature));
    let foreign = read_public(&[1; 32], Some("Ed25519")).unwrap();
    assert_eq!(verdict(&file, &foreign, None), Err(Error::NoBoot));
}

#[test]
fn bytes_of_another_length_are_no_image() {
    let (key, file) = signed(LMS, Form::Lms);
    for length in 0..file.len() {
        assert_eq!(verdict(&file[..length], &key, None), Err(Error::NotBoot), "{length}");
    }
    assert_eq!(verdict(&[&file[..], &[0]].concat(), &key, None), Err(Error::NotBoot));
    // Lengths that would overflow must not cause allocations.
    for at in [8, 32, 36] {
        let mut changed = file.clone();
        changed[at..at + 4].copy_from_slice(&[0xff; 4]);
        assert_eq!(verdict(&changed, &key, None), Err(Error::NotBoot), "{at}");
    }
}
