//! The group ffdhe2048 (RFC 7919): powers of 2 modulo a prime of 2,048 bits. aws-lc-rs does not
//! have such a group, so `crypto-bigint` computes the powers, with the same steps for every secret
//! exponent.

use std::cmp::Ordering;
use std::sync::LazyLock;

use aws_lc_rs::rand;
use crypto_bigint::modular::{FixedMontyForm, FixedMontyParams};
use crypto_bigint::{Odd, U256, U2048};
use rustls::crypto::{ActiveKeyExchange, SharedSecret, SupportedKxGroup};
use rustls::ffdhe_groups::{self, FfdheGroup};
use rustls::{Error, NamedGroup, ProtocolVersion};
use zeroize::Zeroizing;

use super::{bad_share, failed};

/// Diffie-Hellman in the group ffdhe2048, for comparison and for peers that support nothing else.
/// For TLS 1.3 only, and never among the offered groups.
pub static FFDHE2048: &dyn SupportedKxGroup = &FiniteField;

/// Length of a share and of the secret, in bytes. It is that of the prime, as TLS 1.3 (RFC 9846)
/// requires.
const BYTES: usize = 256;

/// The modulus, taken from rustls.
static PRIME: LazyLock<FixedMontyParams<{ U2048::LIMBS }>> = LazyLock::new(|| {
    let prime = Odd::new(U2048::from_be_slice(ffdhe_groups::FFDHE2048.p));
    FixedMontyParams::new_vartime(prime.expect("the prime is odd"))
});

#[derive(Debug)]
struct FiniteField;

impl SupportedKxGroup for FiniteField {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let mut bytes = Zeroizing::new([0; U256::BYTES]);
        rand::fill(&mut *bytes).map_err(failed)?;
        let exponent = Zeroizing::new(U256::from_be_slice(&*bytes));
        Ok(Box::new(Active::new(exponent)))
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        Some(ffdhe_groups::FFDHE2048)
    }

    fn name(&self) -> NamedGroup {
        NamedGroup::FFDHE2048
    }

    fn usable_for_version(&self, version: ProtocolVersion) -> bool {
        version == ProtocolVersion::TLSv1_3
    }
}

/// A secret exponent of 256 bits, where RFC 7919 requires at least 225, and the share that was
/// computed from it.
struct Active {
    exponent: Zeroizing<U256>,
    share: [u8; BYTES],
}

impl Active {
    fn new(exponent: Zeroizing<U256>) -> Self {
        let share = *power(&U2048::from_u8(2), &exponent);
        Self { exponent, share }
    }
}

impl ActiveKeyExchange for Active {
    fn complete(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, Error> {
        let secret = power(&read(peer).ok_or(()).map_err(bad_share)?, &self.exponent);
        Ok(SharedSecret::from(&secret[..]))
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        Some(ffdhe_groups::FFDHE2048)
    }

    fn pub_key(&self) -> &[u8] {
        &self.share
    }

    fn group(&self) -> NamedGroup {
        NamedGroup::FFDHE2048
    }
}

/// Parses a peer's share. Returns `None` unless it has the length of the prime and is greater than
/// 1 and less than the prime minus one (RFC 7919).
fn read(share: &[u8]) -> Option<U2048> {
    let share: &[u8; BYTES] = share.try_into().ok()?;
    let number = U2048::from_be_slice(share);
    let last = PRIME.modulus().as_ref().wrapping_sub(&U2048::ONE);
    let inside = number.cmp_vartime(&U2048::ONE) == Ordering::Greater
        && number.cmp_vartime(&last) == Ordering::Less;
    inside.then_some(number)
}

/// Returns a power as bytes, including leading zeros.
fn power(base: &U2048, exponent: &U256) -> Zeroizing<[u8; BYTES]> {
    let raised = Zeroizing::new(FixedMontyForm::new(base, &PRIME).pow(exponent));
    let number = Zeroizing::new(raised.retrieve());
    let mut bytes = Zeroizing::new([0; BYTES]);
    bytes.copy_from_slice(Zeroizing::new(number.to_be_bytes()).as_ref());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First and last bytes of 2 to the power of the number whose 32 bytes are all 7, computed with
    /// Python's `pow`.
    const FIRST: u128 = 0x9e7f781a201f2dee19674e3ca756f2fe;
    const LAST: u128 = 0xf24a59dc0a58a354590c4fbea666ba9e;

    fn active(exponent: U256) -> Box<Active> {
        Box::new(Active::new(Zeroizing::new(exponent)))
    }

    /// Returns the power 2 to the `bit`, which is below the prime.
    fn power_of_two(bit: usize) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        bytes[BYTES - 1 - bit / 8] = 1 << (bit % 8);
        bytes
    }

    #[test]
    fn powers_are_reduced() {
        let share = active(U256::from_be_slice(&[7; 32])).share;
        assert_eq!(share[..16], FIRST.to_be_bytes());
        assert_eq!(share[BYTES - 16..], LAST.to_be_bytes());
    }

    /// Both sides get 2 to the product of their exponents, with all of its 256 bytes.
    #[test]
    fn secrets_agree_and_keep_their_zeros() {
        for (one, other) in [(3, 5), (8, 255), (40, 50)] {
            let [one, other] = [one, other].map(|exponent| active(U256::from_u32(exponent)));
            let shares = [one.share, other.share];
            assert_eq!(shares[0], power_of_two(one.exponent.as_words()[0] as usize));
            let product = one.exponent.as_words()[0] * other.exponent.as_words()[0];
            let secrets = [one.complete(&shares[1]), other.complete(&shares[0])];
            for secret in secrets {
                assert_eq!(secret.unwrap().secret_bytes(), power_of_two(product as usize));
            }
        }
        let [one, other] = [FFDHE2048.start().unwrap(), FFDHE2048.start().unwrap()];
        let shares = [one.pub_key().to_vec(), other.pub_key().to_vec()];
        assert_ne!(shares[0], shares[1]);
        let secrets = [one.complete(&shares[1]).unwrap(), other.complete(&shares[0]).unwrap()];
        assert_eq!(secrets[0].secret_bytes(), secrets[1].secret_bytes());
    }

    #[test]
    fn shares_out_of_range_are_refused() {
        let prime = *PRIME.modulus().as_ref();
        let [one, two] = [U2048::ONE, U2048::from_u8(2)];
        let minus = |less: &U2048| prime.wrapping_sub(less);
        let bytes = |number: U2048| number.to_be_bytes().as_ref().to_vec();
        let refused = [U2048::ZERO, one, minus(&one), prime, prime.wrapping_add(&one), U2048::MAX];
        let mut refused: Vec<_> = refused.map(bytes).into();
        refused.extend([vec![], vec![2], [&[0], &bytes(two)[..]].concat(), vec![5; BYTES - 1]]);
        for share in refused {
            assert!(FFDHE2048.start().unwrap().complete(&share).is_err(), "{share:?}");
            assert!(FFDHE2048.start_and_complete(&share).is_err(), "{share:?}");
        }
        for share in [two, minus(&two)].map(bytes) {
            assert!(FFDHE2048.start_and_complete(&share).is_ok(), "{share:?}");
        }
    }
}
