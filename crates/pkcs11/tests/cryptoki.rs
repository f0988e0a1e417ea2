//! The module used by the independent client crate `cryptoki`. It supports SLH-DSA and ML-DSA, but
//! neither HSS nor XMSS: its lists of mechanisms and key types are fixed.

#![cfg(unix)]

mod common;

use common::client::Client;
use common::{PIN, apart, key};
use cryptoki::context::{CInitializeArgs, CInitializeFlags, Pkcs11};
use cryptoki::mechanism::Mechanism;
use cryptoki::mechanism::dsa::{HedgeType, SignAdditionalContext};
use cryptoki::object::{
    Attribute, AttributeType, KeyType, ObjectClass, ParameterSetType, SlhDsaParameterSetType,
};
use cryptoki::session::UserType;
use cryptoki::types::AuthPin;

/// Generates a key pair, signs with and without a context, and verifies.
fn makes_and_signs(
    set: ParameterSetType,
    generate: &Mechanism,
    by: for<'a> fn(SignAdditionalContext<'a>) -> Mechanism<'a>,
    key_type: KeyType,
) {
    let module = Pkcs11::new(common::module()).unwrap();
    module.initialize(CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK)).unwrap();
    let slot = module.get_slots_with_token().unwrap()[0];
    let session = module.open_rw_session(slot).unwrap();
    let pin = AuthPin::new(String::from_utf8(PIN.to_vec()).unwrap().into());
    session.login(UserType::User, Some(&pin)).unwrap();
    let public = [Attribute::Token(true), Attribute::ParameterSet(set)];
    let (public, private) =
        session.generate_key_pair(generate, &public, &[Attribute::Token(true)]).unwrap();
    let wanted = [AttributeType::KeyType, AttributeType::ParameterSet];
    let told = session.get_attributes(private, &wanted).unwrap();
    assert_eq!(told, [Attribute::KeyType(key_type), Attribute::ParameterSet(set)]);
    let beside = |context| by(SignAdditionalContext::new(HedgeType::Preferred, context));
    for context in [None, Some(&b"firmware"[..])] {
        let signature = session.sign(&beside(context), private, b"m").unwrap();
        session.verify(&beside(context), public, b"m", &signature).unwrap();
        session.verify(&beside(context), public, b"n", &signature).unwrap_err();
        session.verify(&beside(Some(b"other")), public, b"m", &signature).unwrap_err();
    }
}

#[test]
fn another_client_signs_with_slh_dsa() {
    apart("another_client_signs_with_slh_dsa", "key = \"{dir}/plain\"", |_| {
        let set = SlhDsaParameterSetType::SHAKE_128F.into();
        fn by(beside: SignAdditionalContext<'_>) -> Mechanism<'_> {
            Mechanism::SlhDsa(beside)
        }
        makes_and_signs(set, &Mechanism::SlhDsaKeyPairGen, by, KeyType::SLH_DSA);
    });
}

#[cfg(feature = "aws-lc")]
#[test]
fn another_client_signs_with_ml_dsa() {
    apart("another_client_signs_with_ml_dsa", "key = \"{dir}/plain\"", |_| {
        let set = cryptoki::object::MlDsaParameterSetType::ML_DSA_65.into();
        fn by(beside: SignAdditionalContext<'_>) -> Mechanism<'_> {
            Mechanism::MlDsa(beside)
        }
        makes_and_signs(set, &Mechanism::MlDsaKeyPairGen, by, KeyType::ML_DSA);
    });
}

#[test]
fn another_client_lists_and_logs_in() {
    apart("another_client_lists_and_logs_in", "", |place| {
        let p = Client::new();
        let session = p.open(0);
        p.log_in(session, PIN).unwrap();
        p.hss(session, (&[0x0a], &[0x08])).unwrap();
        p.finalise().unwrap();

        let module = Pkcs11::new(common::module()).unwrap();
        module.initialize(CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK)).unwrap();
        let slot = module.get_slots_with_token().unwrap()[0];
        let token = module.get_token_info(slot).unwrap();
        assert_eq!((token.label(), token.model()), ("firmware", "software"));
        assert!(token.login_required() && token.user_pin_initialized());
        assert!(module.get_mechanism_list(slot).unwrap().len() <= 10);

        let session = module.open_rw_session(slot).unwrap();
        let of = |class| vec![Attribute::Class(class)];
        let private = of(ObjectClass::PRIVATE_KEY);
        assert!(session.find_objects(&private).unwrap().is_empty());
        let wrong = AuthPin::new("wrong".to_owned().into());
        assert!(session.login(UserType::User, Some(&wrong)).is_err());
        let pin = AuthPin::new(String::from_utf8(PIN.to_vec()).unwrap().into());
        session.login(UserType::User, Some(&pin)).unwrap();
        let found = session.find_objects(&private).unwrap();
        let wanted = [AttributeType::Sensitive, AttributeType::Extractable, AttributeType::Label];
        let told = session.get_attributes(found[0], &wanted).unwrap();
        let label = Attribute::Label(b"firmware".to_vec());
        assert_eq!(told, [Attribute::Sensitive(true), Attribute::Extractable(false), label]);
        let public = session.find_objects(&of(ObjectClass::PUBLIC_KEY)).unwrap();
        let told = session.get_attributes(public[0], &[AttributeType::Value]).unwrap();
        let raw = hasten_pq::keys::stateful::read_public_of(&place.store()).unwrap().raw;
        assert_eq!(told, [Attribute::Value(raw)]);
        assert_eq!(key::status(place).remaining, 32);
    });
}
