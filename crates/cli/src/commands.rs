//! One module per command. A new command needs a module and a variant of `Command`. The module
//! contains its arguments and a `run` function that returns the exit status.

mod analyze;
mod assets;
mod audit;
#[cfg(feature = "measure")]
mod bench;
mod cert;
mod choose;
mod cms;
mod connect;
mod dual;
mod dual_sign;
mod dual_verify;
mod encaps;
mod explore;
mod export;
mod export_shard;
mod extract;
#[cfg(feature = "etcd")]
mod fleet;
mod import;
mod import_shard;
mod inspect;
mod keygen;
#[cfg(feature = "measure")]
mod latency;
mod list;
mod moved;
mod page;
mod pkcs11;
mod publish;
mod recover;
mod retire;
mod scan;
mod serve;
mod shard;
mod sign;
mod status;
mod subscribe;
#[cfg(feature = "measure")]
mod tables;
#[cfg(feature = "aws-lc")]
mod tls;
mod verify;

use std::process::ExitCode;

use clap::Subcommand;

use crate::error::Error;
use crate::memory;

#[cfg(feature = "aws-lc")]
pub use self::{
    connect::{Args as Connect, Wanted},
    serve::Args as Serve,
};

/// The subcommands of `hasten`.
#[derive(Subcommand)]
pub enum Command {
    /// Makes a key: stateful in a store, stateless in two files.
    Keygen(keygen::Args),
    /// Signs a file.
    Sign(sign::Args),
    /// Verifies a signature.
    Verify(verify::Args),
    /// Writes a public key in the form that another program reads.
    Export(export::Args),
    /// Writes the configuration by which the PKCS#11 module finds keys.
    Pkcs11(pkcs11::Args),
    /// Makes a secret and its ciphertext for a KEM's public key.
    Encaps(encaps::Encaps),
    /// Takes the secret out of a ciphertext.
    Decaps(encaps::Decaps),
    /// Shows the account of a stateful key.
    Status(status::Args),
    /// Shows what a stateful key has signed, and checks signatures against that record.
    #[command(subcommand)]
    Audit(audit::Audit),
    /// Finds the index of every signature of a key in files and folders, and any used twice.
    Scan(scan::Args),
    /// Gives a range of a stateful key's indices to a second directory.
    Shard(shard::Args),
    /// Gives a range of a stateful key's indices away, in a file for another machine.
    ExportShard(export_shard::Args),
    /// Makes a stateful key of such a file, with a guard of its own.
    ImportShard(import_shard::Args),
    /// Makes a stateful key of a private key that another program has used.
    Import(Box<import::Args>),
    /// Goes on with a stateful key that is refused, behind everything known to be used.
    Recover(recover::Args),
    /// Goes on with a stateful key whose guard or directory was moved on purpose.
    Moved(moved::Args),
    /// Ends a stateful key for good.
    Retire(retire::Args),
    /// Sends messages as datagrams, signed with keys that are prepared before they come.
    Publish(publish::Args),
    /// Receives such datagrams, and prints each good message once.
    Subscribe(subscribe::Args),
    /// Takes a message out of a recording, for other verifiers.
    Extract(extract::Args),
    /// Speaks of the fleet that a key takes its indices from.
    #[cfg(feature = "etcd")]
    #[command(subcommand)]
    Fleet(fleet::Fleet),
    /// Issues, requests, shows and verifies certificates.
    #[command(subcommand)]
    Cert(cert::Cert),
    /// Signs and verifies CMS SignedData.
    #[command(subcommand)]
    Cms(cms::Cms),
    /// Signs with two keys, and verifies both signatures.
    #[command(subcommand)]
    Dual(dual::Dual),
    /// Serves TLS 1.3: an echo, or files over HTTPS.
    Serve(serve::Args),
    /// Connects over TLS 1.3, and says what was agreed on.
    Connect(connect::Args),
    /// Makes the tables of wolfSSL's post-quantum appendix, measured here.
    #[cfg(feature = "measure")]
    Tables(tables::Args),
    /// Says what a file is: key, signature, certificate or store.
    Inspect(inspect::Args),
    /// Lists the parameter sets: sizes, capacity, and who approves them.
    List(list::Args),
    /// Signs, sends and verifies messages, and says whether a latency budget is met.
    #[cfg(feature = "measure")]
    Latency(latency::Args),
    /// Measures the kernels, or XMSS at every level, beside other implementations.
    #[cfg(feature = "measure")]
    Bench(bench::Args),
    /// Records an operation: what it computes, in what order it must, on how many units.
    Analyze(analyze::Args),
    /// Searches sets, machines, links and schedules for what meets a latency budget.
    Explore(Box<explore::Args>),
    /// Writes the search as a page for a browser, with verification beside it.
    Page(page::Args),
    /// Writes man pages and shell completions, as packages hold them.
    Assets(assets::Args),
}

impl Command {
    /// Runs the command and returns its exit status.
    pub fn run(self) -> Result<ExitCode, Error> {
        if self.holds_secrets() {
            memory::protect();
        }
        match self {
            Self::Keygen(args) => keygen::run(&args),
            Self::Sign(args) => sign::run(&args),
            Self::Verify(args) => verify::run(&args),
            Self::Export(args) => export::run(&args),
            Self::Pkcs11(args) => pkcs11::run(&args),
            Self::Encaps(args) => encaps::encaps(&args),
            Self::Decaps(args) => encaps::decaps(&args),
            Self::Status(args) => status::run(&args),
            Self::Audit(which) => audit::run(&which),
            Self::Scan(args) => scan::run(&args),
            Self::Shard(args) => shard::run(&args),
            Self::ExportShard(args) => export_shard::run(&args),
            Self::ImportShard(args) => import_shard::run(&args),
            Self::Import(args) => import::run(&args),
            Self::Recover(args) => recover::run(&args),
            Self::Moved(args) => moved::run(&args),
            Self::Retire(args) => retire::run(&args),
            Self::Publish(args) => publish::run(&args),
            Self::Subscribe(args) => subscribe::run(&args),
            Self::Extract(args) => extract::run(&args),
            #[cfg(feature = "etcd")]
            Self::Fleet(which) => fleet::run(&which),
            Self::Cert(which) => cert::run(&which),
            Self::Cms(which) => cms::run(which),
            Self::Dual(which) => dual::run(&which),
            Self::Serve(args) => serve::run(&args),
            Self::Connect(args) => connect::run(&args),
            #[cfg(feature = "measure")]
            Self::Tables(args) => tables::run(&args),
            Self::Inspect(args) => inspect::run(&args),
            Self::List(args) => list::run(&args),
            #[cfg(feature = "measure")]
            Self::Latency(args) => latency::run(&args),
            #[cfg(feature = "measure")]
            Self::Bench(args) => bench::run(&args),
            Self::Analyze(args) => analyze::run(&args),
            Self::Explore(args) => explore::run(&args),
            Self::Page(args) => page::run(&args),
            Self::Assets(args) => assets::run(&args),
        }
    }
    /// Whether the process will have a private key, a seed or a shared secret in its memory.
    fn holds_secrets(&self) -> bool {
        #[cfg(feature = "measure")]
        if matches!(self, Self::Latency(_) | Self::Bench(_)) {
            return true;
        }
        matches!(
            self,
            Self::Keygen(_)
                | Self::Sign(_)
                | Self::Encaps(_)
                | Self::Decaps(_)
                | Self::Shard(_)
                | Self::ExportShard(_)
                | Self::ImportShard(_)
                | Self::Import(_)
                | Self::Publish(_)
                | Self::Cert(_)
                | Self::Cms(cms::Cms::Sign(_))
                | Self::Dual(dual::Dual::Sign(_))
                | Self::Serve(_)
                | Self::Connect(_)
        )
    }
}
