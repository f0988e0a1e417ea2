//! Known answers: liboqs' files for XMSS.

use crate::answers::{Answer, answers, field};
use crate::source::{source_of, vectors};
use hasten_hbs::{PublicKey, Set, SignerLevel, Verifier, generate, hazmat::Throwaway};
use hasten_kernels::Kernels;

fn verify(answer: &Answer) -> PublicKey {
    let key = PublicKey::from_xmss_bytes(&answer.pk).unwrap();
    assert_eq!(key.set().name, answer.name);
    assert_eq!(key.as_bytes(), answer.pk);
    let verifier = Verifier::new(&key, Kernels::best());
    verifier.verify(&answer.msg, &answer.sm).expect(&answer.name);
    key
}

/// Returns SK_SEED ‖ SK_PRF ‖ PUB_SEED from the private key OID ‖ index ‖ SK_SEED ‖ SK_PRF ‖ root ‖
/// PUB_SEED ‖ state.
fn seed(answer: &Answer, n: usize) -> Vec<u8> {
    let sk = field(&answer.path, "sk");
    [&sk[8..8 + 2 * n], &sk[8 + 3 * n..8 + 4 * n]].concat()
}

fn generate_and_sign(answer: &Answer) {
    let set = Set::named(&answer.name).unwrap();
    let mut signer = generate(set, &seed(answer, set.n), Kernels::best()).unwrap();
    assert_eq!(signer.public_key().as_bytes(), answer.pk, "{}", answer.name);
    let permit = Throwaway::new().permit();
    let signature = signer.prepare(permit, SignerLevel::EarlyAuth).unwrap().finish(&answer.msg);
    assert_eq!(signature.unwrap().as_bytes(), answer.sm, "{}", answer.name);
}

#[test]
fn the_committed_selection() {
    let all = answers(&vectors().join("xmss"), "XMSS-");
    assert_eq!(all.len(), 9);
    for answer in &all {
        if verify(answer).set().h == 10 {
            generate_and_sign(answer);
        }
    }
}

#[test]
fn every_set_of_liboqs_verifies() {
    let all =
        answers(&source_of("oqs", "oqs-sys").join("liboqs/tests/KATs/sig_stfl/xmss"), "XMSS-");
    assert_eq!(all.len(), 21);
    all.iter().for_each(|answer| drop(verify(answer)));
}
