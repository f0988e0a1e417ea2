//! Serves TLS 1.3 with post-quantum groups, and echoes a line to each client.
//!
//!     cargo run -p rustls-hasten --example tls_server -- leaf.pem leaf.key 127.0.0.1:8443
//!
//! `docs/tls.md` shows how `hasten cert` issues the certificates. A stateful key does not belong
//! in a handshake: the peer decides how often it signs.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::{env, error::Error, sync::Arc, time::Duration};

use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};
use rustls::{ServerConfig, ServerConnection, StreamOwned, version::TLS13};

fn config(chain: &str, key: &str) -> Result<Arc<ServerConfig>, Box<dyn Error>> {
    let chain = CertificateDer::pem_file_iter(chain)?.collect::<Result<Vec<_>, _>>()?;
    let config = ServerConfig::builder_with_provider(Arc::new(rustls_hasten::provider()))
        .with_protocol_versions(&[&TLS13])?
        .with_no_client_auth()
        .with_single_cert(chain, PrivateKeyDer::from_pem_file(key)?)?;
    Ok(Arc::new(config))
}

fn echo(config: Arc<ServerConfig>, socket: TcpStream) -> Result<(), Box<dyn Error>> {
    socket.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut stream = BufReader::new(StreamOwned::new(ServerConnection::new(config)?, socket));
    let mut line = String::new();
    stream.read_line(&mut line)?;
    let stream = stream.get_mut();
    stream.write_all(line.as_bytes())?;
    stream.conn.send_close_notify();
    Ok(stream.flush()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [chain, key, address] = &arguments[..] else {
        return Err("usage: tls_server CHAIN.pem KEY.pem ADDRESS".into());
    };
    let (config, listener) = (config(chain, key)?, TcpListener::bind(address)?);
    println!("listening on {}", listener.local_addr()?);
    for socket in listener.incoming() {
        if let Err(error) = echo(config.clone(), socket?) {
            eprintln!("{error}");
        }
    }
    Ok(())
}
