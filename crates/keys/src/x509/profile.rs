//! Tells what a certificate says besides its key: names, times, and what the key may be used for.

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

/// Where in a chain a certificate stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Signs itself, and others.
    Root,
    /// An authority below another.
    Intermediate,
    /// For a server or a client; signs no certificates.
    Leaf,
    /// For a key that signs code; signs no certificates.
    CodeSigner,
}

impl Role {
    /// Returns whether its key signs certificates.
    fn is_authority(self) -> bool {
        matches!(self, Self::Root | Self::Intermediate)
    }

    /// Returns the purposes of RFC 5280, section 4.2.1.12 (Extended Key Usage): server and client
    /// of TLS, or the signing of code.
    fn purposes(self) -> &'static [&'static str] {
        match self {
            Self::Root | Self::Intermediate => &[],
            Self::Leaf => &["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"],
            Self::CodeSigner => &["1.3.6.1.5.5.7.3.3"],
        }
    }
}

/// Whom a certificate names.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// A common name, or several attributes as RFC 4514 writes them (`CN=a,O=b`).
    pub name: String,
    /// DNS names.
    pub dns: Vec<String>,
    /// IP addresses.
    pub ip: Vec<IpAddr>,
}

impl Subject {
    /// Refuses names that no certificate can carry, before a key is made for them.
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

    /// Returns the alternative names; `None` when there are none.
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

/// Holds what is to be issued.
#[derive(Clone, Debug)]
pub struct New {
    /// Where it stands.
    pub role: Role,
    /// Whom it names.
    pub subject: Subject,
    /// When it holds.
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

/// The extensions that belong to a role (RFC 5280).
pub(super) struct Profile {
    pub role: Role,
    pub subject: Name,
    /// For the authority; the subject itself for a root.
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
