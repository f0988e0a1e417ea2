//! etcd's v3 API over its JSON gateway: ranges and transactions, one blocking request each.
//!
//! The gRPC client crate is not used, because it brings tokio and needs `protoc` to build. Three
//! calls with small JSON bodies need neither.

use crate::access::{Access, BadAccess};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The cluster did not answer, or its answer was not usable. The outcome of a transaction is then
/// unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Silent;

/// The cluster that answered, and the position of the answer in its history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Identity of the cluster.
    pub cluster: u64,
    /// Revision of its store.
    pub revision: u64,
    /// Raft term of the member that answered. The term of a live cluster never decreases.
    pub term: u64,
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The key.
    pub key: String,
    /// The value.
    pub value: Vec<u8>,
    /// Revision of its last change.
    pub changed: u64,
}

/// The answer to a transaction.
#[derive(Debug)]
pub struct Answer {
    /// Cluster and revision.
    pub header: Header,
    /// True if every condition held.
    pub done: bool,
    /// The results of its reads, in order.
    pub reads: Vec<Vec<Pair>>,
}

/// A transaction: if all conditions hold, all steps are executed, otherwise none.
#[derive(Clone, Debug, Default)]
pub struct Transaction {
    conditions: Vec<Value>,
    steps: Vec<Value>,
}

impl Transaction {
    /// Requires that `key` was last changed at `revision` (0: does not exist).
    pub fn unchanged(mut self, key: &str, revision: u64) -> Transaction {
        let revision = revision.to_string();
        self.conditions.push(json!({ "key": encode(key), "target": "MOD", "result": "EQUAL", "mod_revision": revision }));
        self
    }

    /// Requires that `key` has exactly this value.
    pub fn holds(mut self, key: &str, value: &[u8]) -> Transaction {
        let value = STANDARD.encode(value);
        self.conditions.push(
            json!({ "key": encode(key), "target": "VALUE", "result": "EQUAL", "value": value }),
        );
        self
    }

    /// Writes `value` to `key`.
    pub fn put(mut self, key: &str, value: &[u8]) -> Transaction {
        self.steps.push(
            json!({ "request_put": { "key": encode(key), "value": STANDARD.encode(value) } }),
        );
        self
    }

    /// Removes `key`.
    pub fn delete(mut self, key: &str) -> Transaction {
        self.steps.push(json!({ "request_delete_range": { "key": encode(key) } }));
        self
    }

    /// Reads `key`.
    pub fn read(mut self, key: &str) -> Transaction {
        self.steps.push(json!({ "request_range": { "key": encode(key) } }));
        self
    }

    /// Reads every key that begins with `prefix` (whose last byte is not 255).
    pub fn read_all(mut self, prefix: &str) -> Transaction {
        let mut end = prefix.as_bytes().to_vec();
        if let Some(last) = end.last_mut() {
            *last += 1;
        }
        self.steps.push(json!({ "request_range": { "key": encode(prefix), "range_end": STANDARD.encode(end) } }));
        self
    }
}

const AUTHENTICATE: &str = "auth/authenticate";
/// Largest length of an answer that is read, in bytes.
const LONGEST: u64 = 16 << 20;

fn encode(key: &str) -> String {
    STANDARD.encode(key)
}

/// A client for the members of a cluster. It asks one member at a time.
pub struct Client {
    agent: ureq::Agent,
    members: Vec<String>,
    current: AtomicUsize,
    access: Access,
    /// The token that etcd returned for the user's password.
    token: Mutex<Option<String>>,
}

/// Outcome of one request.
enum Outcome {
    Good(Value),
    /// The token is unknown or has expired. Nothing was done.
    NotAuthenticated,
}

impl Client {
    /// Creates a client for `members`, which are URLs such as `https://10.0.0.1:2379`. `patience`
    /// is the time that one request may take.
    ///
    /// # Errors
    /// If a member must not be accessed in this way.
    pub fn new(
        members: &[String],
        access: &Access,
        patience: Duration,
    ) -> Result<Client, BadAccess> {
        Ok(Client {
            agent: access.agent(members, patience)?,
            members: members.to_vec(),
            current: AtomicUsize::new(0),
            access: access.clone(),
            token: Mutex::default(),
        })
    }

    /// Executes a transaction of reads only, and tries one member after the other.
    ///
    /// # Errors
    /// No member answered.
    pub fn look(&self, reads: &Transaction) -> Result<Answer, Silent> {
        for _ in 0..self.members.len().max(1) {
            match self.ask(reads) {
                Ok(answer) => return Ok(answer),
                Err(Silent) => self.turn(),
            }
        }
        Err(Silent)
    }

    /// Sends one transaction, once, to the member that answered last. Like every etcd transaction
    /// and every read in it, it is linearizable.
    ///
    /// # Errors
    /// No usable answer: the transaction may have been executed, may be executed later, or never.
    pub fn ask(&self, transaction: &Transaction) -> Result<Answer, Silent> {
        let body = json!({ "compare": transaction.conditions, "success": transaction.steps });
        decode(&self.call("kv/txn", &body)?).ok_or(Silent)
    }

    /// Returns the index of the newest Raft log entry that the last answering member knows to be
    /// committed. After a linearizable read by the same member, this index is not below any that
    /// was reported to anybody before.
    ///
    /// # Errors
    /// No usable answer.
    pub fn committed(&self) -> Result<u64, Silent> {
        number(&self.call("maintenance/status", &json!({}))?["raftIndex"]).ok_or(Silent)
    }

    /// Sends one request. If etcd does not know the token (nothing was done then), gets a new token
    /// and tries once more.
    fn call(&self, path: &str, body: &Value) -> Result<Value, Silent> {
        for _ in 0..2 {
            match self.post(path, body)? {
                Outcome::Good(answer) => return Ok(answer),
                Outcome::NotAuthenticated => self.authenticate()?,
            }
        }
        Err(Silent)
    }

    fn post(&self, path: &str, body: &Value) -> Result<Outcome, Silent> {
        let token = self.token.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if token.is_none() && self.access.user.is_some() && path != AUTHENTICATE {
            return Ok(Outcome::NotAuthenticated);
        }
        let mut request = self.agent.post(format!("{}/v3/{path}", self.member()?));
        if let Some(token) = token.filter(|_| path != AUTHENTICATE) {
            request = request.header("Authorization", token);
        }
        let mut response = request.send(body.to_string()).map_err(|_| Silent)?;
        match response.status().as_u16() {
            200 => {}
            401 => return Ok(Outcome::NotAuthenticated),
            _ => return Err(Silent),
        }
        let text = response.body_mut().with_config().limit(LONGEST).read_to_string();
        let text = text.map_err(|_| Silent)?;
        serde_json::from_str(&text).map(Outcome::Good).map_err(|_| Silent)
    }

    fn authenticate(&self) -> Result<(), Silent> {
        let user = self.access.user.as_ref().ok_or(Silent)?;
        let body = json!({ "name": user.name, "password": *user.password });
        let Outcome::Good(answer) = self.post(AUTHENTICATE, &body)? else { return Err(Silent) };
        let token = answer["token"].as_str().ok_or(Silent)?.to_owned();
        *self.token.lock().unwrap_or_else(PoisonError::into_inner) = Some(token);
        Ok(())
    }

    fn member(&self) -> Result<&str, Silent> {
        let current = self.current.load(Ordering::Relaxed) % self.members.len().max(1);
        self.members.get(current).map(String::as_str).ok_or(Silent)
    }

    /// Uses another member from now on.
    pub fn turn(&self) {
        self.current.fetch_add(1, Ordering::Relaxed);
    }
}

fn decode(answer: &Value) -> Option<Answer> {
    let header = Header {
        cluster: number(&answer["header"]["cluster_id"])?,
        revision: number(&answer["header"]["revision"])?,
        term: number(&answer["header"]["raft_term"])?,
    };
    let responses = answer["responses"].as_array().map(Vec::as_slice).unwrap_or_default();
    let reads = responses
        .iter()
        .filter_map(|r| r.get("response_range"))
        .map(pairs)
        .collect::<Option<_>>()?;
    Some(Answer { header, done: answer["succeeded"].as_bool().unwrap_or(false), reads })
}

fn pairs(range: &Value) -> Option<Vec<Pair>> {
    range["kvs"].as_array().map(Vec::as_slice).unwrap_or_default().iter().map(pair).collect()
}

fn pair(kv: &Value) -> Option<Pair> {
    let bytes = |name: &str| STANDARD.decode(kv[name].as_str().unwrap_or_default()).ok();
    Some(Pair {
        key: String::from_utf8(bytes("key")?).ok()?,
        value: bytes("value")?,
        changed: number(&kv["mod_revision"])?,
    })
}

/// Parses a 64-bit number, which is a string in this JSON.
fn number(value: &Value) -> Option<u64> {
    value.as_str()?.parse().ok()
}
