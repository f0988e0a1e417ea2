//! A proxy in front of one member. It swallows the request or the answer of the next writing
//! transaction, or forwards it late.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Pass,
    SwallowRequest,
    SwallowAnswer,
    Late(Duration),
}

#[derive(Clone)]
pub struct Proxy {
    pub url: String,
    mode: Arc<Mutex<Mode>>,
}

impl Proxy {
    /// Starts a proxy in front of the member at `target`.
    pub fn before(target: &str) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let proxy = Proxy { url, mode: Arc::new(Mutex::new(Mode::Pass)) };
        let (serving, target) = (proxy.clone(), target.trim_start_matches("http://").to_owned());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (serving, target) = (serving.clone(), target.clone());
                std::thread::spawn(move || serving.serve(stream, &target));
            }
        });
        proxy
    }

    /// Sets the treatment of the next transaction that writes.
    pub fn next(&self, mode: Mode) {
        *self.mode.lock().expect("not poisoned") = mode;
    }

    fn serve(&self, mut stream: TcpStream, target: &str) {
        let Some(request) = read_message(&mut stream) else { return };
        let writes = String::from_utf8_lossy(&request).contains("request_put");
        let mode = if writes {
            std::mem::replace(&mut *self.mode.lock().expect("not poisoned"), Mode::Pass)
        } else {
            Mode::Pass
        };
        if mode == Mode::SwallowRequest {
            return;
        }
        let late = match mode {
            Mode::Late(time) => Some((time, stream.try_clone().expect("a clone"))),
            _ => None,
        };
        if let Some((time, early)) = late {
            early.shutdown(std::net::Shutdown::Both).expect("closed");
            std::thread::sleep(time);
        }
        let answer = forward(&request, target);
        if mode == Mode::Pass {
            drop(stream.write_all(&answer));
        }
    }
}

/// Reads one request or answer with its body. Our client and etcd both send its length.
fn read_message(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let (mut message, mut chunk) = (Vec::new(), [0; 4096]);
    loop {
        let n = stream.read(&mut chunk).ok().filter(|n| *n > 0)?;
        message.extend_from_slice(&chunk[..n]);
        let text = String::from_utf8_lossy(&message).to_lowercase();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head
            .lines()
            .find_map(|l| l.strip_prefix("content-length: ")?.trim().parse::<usize>().ok());
        if body.len() >= length.unwrap_or(0) {
            return Some(message);
        }
    }
}

/// Sends a request on a separate connection and reads until the member closes it.
fn forward(request: &[u8], target: &str) -> Vec<u8> {
    let text = String::from_utf8_lossy(request).replacen("\r\n", "\r\nConnection: close\r\n", 1);
    let mut member = TcpStream::connect(target).expect("the member");
    member.write_all(text.as_bytes()).expect("sent");
    let mut answer = Vec::new();
    drop(member.read_to_end(&mut answer));
    answer
}
