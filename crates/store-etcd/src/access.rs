//! Access to the members of a cluster: TLS, a client certificate, a user.
//!
//! Without TLS only members on loopback are accessed: an attacker between signer and member could
//! otherwise show each signer another history.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use ureq::tls::{Certificate, ClientCert, PemItem, PrivateKey, RootCerts, TlsConfig, parse_pem};
use zeroize::Zeroizing;

/// Reason why a cluster must not be accessed in this way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadAccess {
    /// Not `http://HOST[:PORT]` or `https://HOST[:PORT]`.
    NotAUrl,
    /// Plain HTTP to a host that is not loopback.
    PlainHttp,
    /// HTTPS without the certificates of a certification authority.
    NoAuthority,
    /// No certificate in the file.
    NoCertificate,
    /// No private key in the file.
    NoKey,
}

impl fmt::Display for BadAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotAUrl => "a member of etcd is http://HOST:PORT or https://HOST:PORT",
            Self::PlainHttp => "etcd on another host is reached over https only",
            Self::NoAuthority => "https needs the certificate of the authority that etcd's is from",
            Self::NoCertificate => "the file holds no certificate in PEM",
            Self::NoKey => "the file holds no private key in PEM",
        })
    }
}

impl std::error::Error for BadAccess {}

/// A user of etcd. `Debug` shows only the name.
#[derive(Clone)]
pub(crate) struct User {
    pub name: String,
    pub password: Zeroizing<String>,
}

/// The certificates and the user with which a client authenticates, and the authorities that it
/// trusts.
#[derive(Clone, Default)]
pub struct Access {
    roots: Option<Arc<Vec<Certificate<'static>>>>,
    client: Option<ClientCert>,
    pub(crate) user: Option<User>,
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let user = self.user.as_ref().map(|user| &user.name);
        f.debug_struct("Access").field("user", &user).finish_non_exhaustive()
    }
}

impl Access {
    /// Returns an access without TLS and without a user, for members on loopback.
    pub fn new() -> Access {
        Access::default()
    }

    /// Trusts members whose certificate comes from one of these authorities, and no others.
    ///
    /// # Errors
    /// [`BadAccess::NoCertificate`].
    pub fn authority(mut self, pem: &[u8]) -> Result<Access, BadAccess> {
        self.roots = Some(Arc::new(certificates(pem)?));
        Ok(self)
    }

    /// Authenticates with a client certificate, its chain and its key.
    ///
    /// # Errors
    /// [`BadAccess::NoCertificate`], [`BadAccess::NoKey`].
    pub fn certificate(mut self, chain: &[u8], key: &[u8]) -> Result<Access, BadAccess> {
        let key = PrivateKey::from_pem(key).map_err(|_| BadAccess::NoKey)?;
        self.client = Some(ClientCert::new_with_certs(&certificates(chain)?, key));
        Ok(self)
    }

    /// Authenticates as a user.
    pub fn user(mut self, name: &str, password: Zeroizing<String>) -> Access {
        self.user = Some(User { name: name.to_owned(), password });
        self
    }

    /// Returns an HTTP client for these members, if they may be accessed in this way.
    pub(crate) fn agent(
        &self,
        members: &[String],
        patience: Duration,
    ) -> Result<ureq::Agent, BadAccess> {
        members.iter().try_for_each(|url| self.may_reach(url))?;
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(patience))
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None);
        Ok(config.tls_config(self.tls()).build().into())
    }

    fn may_reach(&self, url: &str) -> Result<(), BadAccess> {
        let (scheme, rest) = url.split_once("://").ok_or(BadAccess::NotAUrl)?;
        let host = host(rest).ok_or(BadAccess::NotAUrl)?;
        match scheme {
            "https" if self.roots.is_none() => Err(BadAccess::NoAuthority),
            "https" => Ok(()),
            "http" if is_loopback(host) => Ok(()),
            "http" => Err(BadAccess::PlainHttp),
            _ => Err(BadAccess::NotAUrl),
        }
    }

    fn tls(&self) -> TlsConfig {
        let roots: Vec<_> = self.roots.as_deref().cloned().unwrap_or_default();
        TlsConfig::builder()
            .root_certs(RootCerts::new_with_certs(&roots))
            .client_cert(self.client.clone())
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .build()
    }
}

fn certificates(pem: &[u8]) -> Result<Vec<Certificate<'static>>, BadAccess> {
    let items = parse_pem(pem).filter_map(|item| match item {
        Ok(PemItem::Certificate(one)) => Some(one),
        _ => None,
    });
    let found: Vec<_> = items.collect();
    if found.is_empty() { Err(BadAccess::NoCertificate) } else { Ok(found) }
}

/// Returns the host of `HOST[:PORT]`. An IPv6 address is in brackets.
fn host(text: &str) -> Option<&str> {
    let host = match text.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?.0,
        None => text.split(':').next()?,
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-:_".contains(c);
    (!host.is_empty() && text.chars().all(|c| plain(c) || "[]".contains(c))).then_some(host)
}

fn is_loopback(host: &str) -> bool {
    let address = host.parse::<std::net::IpAddr>();
    address.map_or(host == "localhost", |address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_http_reaches_loopback_alone() {
        let reach = |url: &str| Access::new().may_reach(url);
        for url in
            ["http://127.0.0.1:2379", "http://127.9.9.9", "http://[::1]:2379", "http://localhost:1"]
        {
            assert_eq!(reach(url), Ok(()), "{url}");
        }
        for url in [
            "http://10.0.0.1:2379",
            "http://etcd",
            "http://127.0.0.1.example.org",
            "http://[::2]:1",
            "http://localhost.example.org",
        ] {
            assert_eq!(reach(url), Err(BadAccess::PlainHttp), "{url}");
        }
        for url in [
            "ftp://127.0.0.1",
            "127.0.0.1:2379",
            "http://",
            "http://127.0.0.1@example.org",
            "http://127.0.0.1/x",
            "http://[::1",
        ] {
            assert_eq!(reach(url), Err(BadAccess::NotAUrl), "{url}");
        }
        assert_eq!(reach("https://10.0.0.1:2379"), Err(BadAccess::NoAuthority));
    }

    #[test]
    fn files_without_certificates_or_keys_are_said() {
        assert_eq!(Access::new().authority(b"x").err(), Some(BadAccess::NoCertificate));
        assert_eq!(Access::new().certificate(b"x", b"x").err(), Some(BadAccess::NoKey));
    }
}
