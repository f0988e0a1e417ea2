//! `hasten cert`: certificates with every algorithm, certificate requests and certificate paths.

mod authority;
mod issued;
mod new;
mod request;
mod show;
mod verify;

use std::process::ExitCode;

use clap::Subcommand;

use crate::error::Error;

/// The subcommands of `hasten cert`.
#[derive(Subcommand)]
pub enum Cert {
    /// Makes a root: an authority that signs itself.
    Root(new::Root),
    /// Makes an authority below another.
    Intermediate(new::Below),
    /// Makes the certificate of a server or a client.
    Leaf(new::Leaf),
    /// Makes a key, and a request for its certificate.
    Request(request::Args),
    /// Says what certificates and requests hold.
    Show(show::Args),
    /// Verifies the path from a certificate to a trusted root.
    Verify(verify::Args),
}

/// Runs the command and returns its exit status.
pub fn run(which: &Cert) -> Result<ExitCode, Error> {
    match which {
        Cert::Root(args) => new::root(args),
        Cert::Intermediate(args) => new::intermediate(args),
        Cert::Leaf(args) => new::leaf(args),
        Cert::Request(args) => request::run(args),
        Cert::Show(args) => show::run(args),
        Cert::Verify(args) => verify::run(args),
    }
}
