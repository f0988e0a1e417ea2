//! Connects over TLS 1.3 with post-quantum groups, sends a line and prints the answer.
//!
//!     cargo run -p rustls-hasten --example tls_client -- root.pem 127.0.0.1:8443 localhost hello

use std::io::{BufRead, BufReader, Write};
use std::{env, error::Error, net::TcpStream, sync::Arc};

use rustls::pki_types::{CertificateDer, ServerName, pem::PemObject};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned, version::TLS13};

fn config(root: &str) -> Result<Arc<ClientConfig>, Box<dyn Error>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(root)?)?;
    let config = ClientConfig::builder_with_provider(Arc::new(rustls_hasten::provider()))
        .with_protocol_versions(&[&TLS13])?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Arc::new(config))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [root, address, name, line] = &arguments[..] else {
        return Err("usage: tls_client ROOT.pem ADDRESS NAME LINE".into());
    };
    let name = ServerName::try_from(name.clone())?;
    let client = ClientConnection::new(config(root)?, name)?;
    let mut stream = BufReader::new(StreamOwned::new(client, TcpStream::connect(address)?));
    stream.get_mut().write_all(format!("{line}\n").as_bytes())?;
    let mut answer = String::new();
    stream.read_line(&mut answer)?;
    print!("{answer}");
    let group = stream.get_ref().conn.negotiated_key_exchange_group().ok_or("no group")?;
    println!("{:?}", group.name());
    Ok(())
}
