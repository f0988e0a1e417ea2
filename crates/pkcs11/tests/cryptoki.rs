//! The module behind the crate `cryptoki`, a client that others wrote. It knows neither HSS nor
//! XMSS: its mechanisms and key types are closed lists.

#![cfg(unix)]

mod common;

use common::client::Client;
use common::{PIN, apart, key};
use cryptoki::context::{CInitializeArgs, CInitializeFlags, Pkcs11};
use cryptoki::object::{Attribute, AttributeType, ObjectClass};
use cryptoki::session::UserType;
use cryptoki::types::AuthPin;

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
        assert!(module.get_mechanism_list(slot).unwrap().len() <= 6);

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
        let raw = hasten::keys::stateful::read_public_of(&place.store()).unwrap().raw;
        assert_eq!(told, [Attribute::Value(raw)]);
        assert_eq!(key::status(place).remaining, 32);
    });
}
