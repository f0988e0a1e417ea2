//! Reasons why a handshake failed, as sentences.

use std::io;

use rustls::{
    AlertDescription as Alert, CertificateError as Cert, Error, InvalidMessage,
    PeerIncompatible as Incompatible,
};

/// Returns the reason of an I/O error of a connection.
pub fn of_io(error: &io::Error) -> String {
    if let Some(inner) = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) {
        return of(inner);
    }
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            "the peer kept silent too long".into()
        }
        io::ErrorKind::UnexpectedEof => "the peer closed the connection in the middle".into(),
        io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => {
            "the peer broke the connection off".into()
        }
        _ if error.to_string().contains("buffer full") => TOO_LONG.into(),
        _ => error.to_string(),
    }
}

const TOO_LONG: &str =
    "the peer's certificates and signature are longer than the 65,535 bytes that rustls takes";

/// Returns the reason of an error of rustls.
pub fn of(error: &Error) -> String {
    match error {
        Error::InvalidCertificate(cert) => format!("the peer's certificate {}", certificate(cert)),
        Error::AlertReceived(alert) => format!("the peer refused: {}", alert_text(*alert)),
        Error::NoCertificatesPresented => "the client showed no certificate".into(),
        Error::DecryptError => {
            "a record does not decrypt: its bytes were changed on the way".into()
        }
        Error::PeerIncompatible(what) => {
            format!("nothing in common with the peer: {}", incompatible(what))
        }
        Error::PeerMisbehaved(what) => format!("the peer does not keep to TLS: {what:?}"),
        Error::InvalidMessage(
            InvalidMessage::HandshakePayloadTooLarge | InvalidMessage::CertificatePayloadTooLarge,
        ) => TOO_LONG.into(),
        Error::InvalidMessage(what) => format!("a message cannot be read: {what:?}"),
        Error::Other(other) => other.0.to_string(),
        Error::InconsistentKeys(_) => "the private key is not the one of the certificate".into(),
        other => other.to_string(),
    }
}

fn incompatible(what: &Incompatible) -> String {
    match what {
        Incompatible::NoKxGroupsInCommon => "no group of the key exchange".into(),
        Incompatible::NoCipherSuitesInCommon => "no cipher suite".into(),
        Incompatible::NoSignatureSchemesInCommon => "no signature scheme".into(),
        Incompatible::SupportedVersionsExtensionRequired
        | Incompatible::Tls13RequiredForQuic
        | Incompatible::Tls12NotOffered
        | Incompatible::Tls12NotOfferedOrEnabled => "no version of TLS".into(),
        other => format!("{other:?}"),
    }
}

fn certificate(error: &Cert) -> String {
    match error {
        Cert::Expired | Cert::ExpiredContext { .. } => "has expired".into(),
        Cert::NotValidYet | Cert::NotValidYetContext { .. } => "is not valid yet".into(),
        Cert::UnknownIssuer => "leads to no authority that is trusted".into(),
        Cert::NotValidForNameContext { expected, presented } => format!(
            "does not bear the name that was asked for, {}: it bears {}",
            expected.to_str(),
            presented.iter().map(|name| bare(name)).collect::<Vec<_>>().join(", ")
        ),
        Cert::NotValidForName => "does not bear the name that was asked for".into(),
        Cert::BadSignature => "or its handshake bears a signature that does not verify".into(),
        Cert::InvalidPurpose | Cert::InvalidPurposeContext { .. } => {
            "is not meant for this use".into()
        }
        other => format!("cannot be used: {other}"),
    }
}

/// Returns a name without the wrapping of rustls, such as `DnsName("www.example")`.
fn bare(name: &str) -> &str {
    let within = name.split_once("(\"").and_then(|(_, rest)| rest.strip_suffix("\")"));
    within.unwrap_or(name)
}

fn alert_text(alert: Alert) -> &'static str {
    match alert {
        Alert::UnknownCA => "it trusts no authority of our certificate (unknown_ca)",
        Alert::CertificateRequired => "it asks for a certificate (certificate_required)",
        Alert::CertificateExpired => "our certificate has expired (certificate_expired)",
        Alert::HandshakeFailure => "nothing in common (handshake_failure)",
        Alert::ProtocolVersion => "it does not speak TLS 1.3 (protocol_version)",
        Alert::DecryptError => "a signature or a Finished does not verify (decrypt_error)",
        Alert::BadRecordMac => "a record does not decrypt (bad_record_mac)",
        Alert::BadCertificate => "our certificate does not hold (bad_certificate)",
        Alert::DecodeError => "a message cannot be read (decode_error)",
        Alert::IllegalParameter => "a message does not fit (illegal_parameter)",
        Alert::UnsupportedCertificate => {
            "our certificate is of no use to it (unsupported_certificate)"
        }
        _ => "an alert of another kind",
    }
}
