//! A service on loopback that implements the part of etcd's JSON gateway that a signer uses.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

/// The content of the service: values by name, each with the revision of its last change.
#[derive(Default)]
struct Held {
    revision: u64,
    values: BTreeMap<Vec<u8>, (Vec<u8>, u64)>,
}

/// The running service.
#[derive(Clone)]
pub struct Service {
    held: Arc<Mutex<Held>>,
    url: String,
}

impl Service {
    pub fn start() -> Service {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let service = Service { held: Arc::default(), url };
        let serving = service.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let serving = serving.clone();
                std::thread::spawn(move || serving.talk(&stream));
            }
        });
        service
    }

    pub fn urls(&self) -> Vec<String> {
        vec![self.url.clone()]
    }

    /// Returns all values in the service, by name.
    pub fn values(&self) -> BTreeMap<String, Vec<u8>> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let text = |name: &Vec<u8>| String::from_utf8_lossy(name).into_owned();
        held.values.iter().map(|(name, (value, _))| (text(name), value.clone())).collect()
    }

    /// Answers one request after the other, until the signer closes the connection.
    fn talk(&self, stream: &TcpStream) {
        let (mut reader, mut writer) = (BufReader::new(stream), stream);
        while let Some((path, body)) = request(&mut reader) {
            let answer = match path.as_str() {
                "/v3/kv/txn" => self.transaction(&body),
                _ => json!({ "raftIndex": "9" }),
            };
            let text = answer.to_string();
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", text.len());
            if writer.write_all(format!("{head}{text}").as_bytes()).is_err() {
                return;
            }
        }
    }

    fn transaction(&self, body: &Value) -> Value {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let conditions = body["compare"].as_array().cloned().unwrap_or_default();
        let done = conditions.iter().all(|condition| {
            let changed = held.values.get(&bytes(&condition["key"])).map_or(0, |(_, at)| *at);
            condition["mod_revision"].as_str() == Some(&changed.to_string())
        });
        let steps = body["success"].as_array().filter(|_| done).cloned().unwrap_or_default();
        held.revision += u64::from(steps.iter().any(|step| step.get("request_range").is_none()));
        let responses: Vec<_> = steps.iter().map(|step| held.step(step)).collect();
        let revision = held.revision.to_string();
        let header = json!({ "cluster_id": "1", "revision": revision, "raft_term": "2" });
        json!({ "header": header, "succeeded": done, "responses": responses })
    }
}

impl Held {
    fn step(&mut self, step: &Value) -> Value {
        if let Some(put) = step.get("request_put") {
            self.values.insert(bytes(&put["key"]), (bytes(&put["value"]), self.revision));
            return json!({ "response_put": {} });
        }
        if let Some(delete) = step.get("request_delete_range") {
            self.values.remove(&bytes(&delete["key"]));
            return json!({ "response_delete_range": {} });
        }
        let range = &step["request_range"];
        let (from, to) = (bytes(&range["key"]), bytes(&range["range_end"]));
        let inside = |name: &Vec<u8>| *name == from || (*name > from && *name < to);
        let pair = |(name, (value, at)): (&Vec<u8>, &(Vec<u8>, u64))| {
            let (key, value) = (STANDARD.encode(name), STANDARD.encode(value));
            json!({ "key": key, "value": value, "mod_revision": at.to_string() })
        };
        let found: Vec<_> = self.values.iter().filter(|(name, _)| inside(name)).map(pair).collect();
        json!({ "response_range": { "kvs": found } })
    }
}

fn bytes(value: &Value) -> Vec<u8> {
    STANDARD.decode(value.as_str().unwrap_or_default()).expect("base64")
}

/// Reads path and body of one request. Returns `None` at the end.
fn request(reader: &mut impl BufRead) -> Option<(String, Value)> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|n| *n > 0)?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok().filter(|n| *n > 0)?;
        let header = header.trim().to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((path, serde_json::from_slice(&body).ok()?))
}
