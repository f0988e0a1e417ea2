//! The contents of a certificate besides its key: names, times, and permitted uses of the key.

use std::{net::IpAddr, str::FromStr, time::Duration};

use der::{
    DateTime,
    asn1::{GeneralizedTime, Ia5String, ObjectIdentifier},
    flagset::FlagSet,
};
use spki::SubjectPublicKeyInfoRef;
use x509_cert::{
    TbsCertificate,
    builder::{self, profile::BuilderProfile},
    ext::{
        Extension, ToExtension,
        pkix::{
            AuthorityKeyIdentifier, BasicConstraints, ExtendedKeyUsage, KeyUsage, KeyUsages,
            SubjectAltName, SubjectKeyIdentifier, name::GeneralName,
        },
    },
    name::Name,
    time::{Time, Validity},
};

use super::times::Period;
use crate::Error;

/// The role of a certificate in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Signs itself and other certificates.
    Root,
    /// An authority certified by another authority.
    Intermediate,
    /// For a server or a client; does not sign certificates.
    Leaf,
    /// For a key that signs code; does not sign certificates.
    CodeSigner,
}

impl Role {
    /// Returns true if the key signs certificates.
    fn is_authority(self) -> bool {
        matches!(self, Self::Root | Self::Intermediate)
    }

    /// Returns the purposes of RFC 5280, section 4.2.1.12 (Extended Key Usage): TLS server and
    /// client, or code signing.
    fn purposes(self) -> &'static [&'static str] {
        match self {
            Self::Root | Self::Intermediate => &[],
            Self::Leaf => &["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"],
            Self::CodeSigner => &["1.3.6.1.5.5.7.3.3"],
        }
    }
}

/// The names in a certificate.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// A common name, or several attributes in the syntax of RFC 4514 (`CN=a,O=b`).
    pub name: String,
    /// DNS names.
    pub dns: Vec<String>,
    /// IP addresses.
    pub ip: Vec<IpAddr>,
}

impl Subject {
    /// Rejects names that a certificate cannot contain, so that no key is made for them.
    ///
    /// # Errors
    /// `BadName`.
    pub fn check(&self) -> Result<(), Error> {
        self.to_name().and(self.alternatives()).map(drop)
    }

    pub(super) fn to_name(&self) -> Result<Name, Error> {
        let escaped = |c: char| if ",+\"\\<>;#=".contains(c) { format!("\\{c}") } else { c.into() };
        let common = || format!("CN={}", self.name.chars().map(escaped).collect::<String>());
        let text = if self.name.contains('=') { self.name.clone() } else { common() };
        let usable = !self.name.is_empty() && !self.name.chars().any(char::is_control);
        usable.then(|| Name::from_str(&text).ok()).flatten().ok_or(Error::BadName)
    }

    /// Returns the alternative names; `None` if there are none.
    pub(super) fn alternatives(&self) -> Result<Option<SubjectAltName>, Error> {
        let dns = self.dns.iter().map(|name| {
            let plain = rustls_pki_types::DnsName::try_from(name.trim_start_matches("*."));
            let name = plain.map_err(|_| Error::BadName).and(Ok(name))?;
            Ia5String::new(name).map(GeneralName::DnsName).map_err(|_| Error::BadName)
        });
        let all: Vec<_> =
            dns.chain(self.ip.iter().map(|ip| Ok((*ip).into()))).collect::<Result<_, _>>()?;
        Ok((!all.is_empty()).then_some(SubjectAltName(all)))
    }
}

/// The parameters of a new certificate.
#[derive(Clone, Debug)]
pub struct New {
    /// The role in the chain.
    pub role: Role,
    /// The names.
    pub subject: Subject,
    /// The validity period.
    pub period: Period,
}

impl New {
    pub(super) fn validity(&self) -> Result<Validity, Error> {
        let time = |seconds| {
            let time = DateTime::from_unix_duration(Duration::from_secs(seconds));
            time.map(|time| Time::from(GeneralizedTime::from(time))).map_err(|_| Error::BadTime)
        };
        Ok(Validity::new(time(self.period.not_before)?, time(self.period.not_after)?))
    }
}

/// The extensions of a role (RFC 5280).
pub(super) struct Profile {
    pub role: Role,
    pub subject: Name,
    /// The name of the authority; for a root the same as the subject.
    pub issuer: Name,
    pub alternatives: Option<SubjectAltName>,
}

impl Profile {
    fn usages(&self) -> FlagSet<KeyUsages> {
        match self.role.is_authority() {
            true => KeyUsages::KeyCertSign | KeyUsages::CRLSign,
            false => KeyUsages::DigitalSignature.into(),
        }
    }
}

impl BuilderProfile for Profile {
    fn get_issuer(&self, _subject: &Name) -> Name {
        self.issuer.clone()
    }

    fn get_subject(&self) -> Name {
        self.subject.clone()
    }

    fn build_extensions(
        &self,
        own: SubjectPublicKeyInfoRef<'_>,
        issuer: SubjectPublicKeyInfoRef<'_>,
        tbs: &TbsCertificate,
    ) -> builder::Result<Vec<Extension>> {
        let mut made: Vec<Extension> = Vec::new();
        let ca = self.role.is_authority();
        let name = tbs.subject();
        made.push((&BasicConstraints { ca, path_len_constraint: None }).to_extension(name, &made)?);
        made.push((&KeyUsage(self.usages())).to_extension(name, &made)?);
        made.push((&SubjectKeyIdentifier::try_from(own)?).to_extension(name, &made)?);
        if self.role != Role::Root {
            made.push((&AuthorityKeyIdentifier::try_from(issuer)?).to_extension(name, &made)?);
        }
        if !ca {
            let named = self.role.purposes().iter();
            let purposes = named.map(|oid| ObjectIdentifier::new_unwrap(oid)).collect();
            made.push((&ExtendedKeyUsage(purposes)).to_extension(name, &made)?);
        }
        if let Some(alternatives) = &self.alternatives {
            made.push(alternatives.to_extension(name, &made)?);
        }
        Ok(made)
    }
}
