//! A server that computes only a few signatures at a time, because they are costly.

use super::AT_ONCE;
use super::service::Service;
use hasten_chore::failure::Failure;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// Number of signatures at a time.
const SIGNING: usize = 1;

/// Lengths of the queue: too short for the clients, and long enough for all of them.
const QUEUES: [usize; 2] = [4, AT_ONCE];

/// An algorithm whose signature takes milliseconds.
const ALG: &str = "SLH-DSA-SHA2-128f";

/// Makes handshakes with as many clients at a time as elsewhere. Clients that find no place in the
/// queue are refused with a message, all others are served, and none is lost.
fn with(
    tool: &Path,
    queue: usize,
    count: usize,
    wrong: &mut Vec<String>,
) -> Result<Value, Failure> {
    let (most, places) = (SIGNING.to_string(), queue.to_string());
    let limits = ["--max-signing", &most, "--signing-queue", &places];
    let service = Service::start(tool, ALG, Duration::from_secs(60), &limits)?;
    let report = super::step(&service, count)?;
    let failed = report["rows"][0]["failed"].as_u64().unwrap_or(u64::MAX) as usize;
    let (served, refused) = (service.served(), service.refused());
    if served + refused != count || failed != refused {
        wrong.push(format!(
            "queue of {queue}: {count} handshakes, {failed} failed, the server counts {served} and {refused}"
        ));
    }
    let is_short = queue + SIGNING < AT_ONCE;
    if is_short != (refused > 0) || served == 0 {
        wrong.push(format!("queue of {queue}: {served} served, {refused} refused"));
    }
    if is_short && !service.said().contains("too many signatures") {
        wrong.push(format!("the server does not say why it refused: {}", service.said()));
    }
    let rate = report["rows"][0]["per_second"].as_f64().unwrap_or(0.0).round();
    Ok(json!({ "what": "limited signatures", "alg": ALG, "max_signing": SIGNING, "queue": queue,
        "at_once": AT_ONCE, "count": count, "served": served, "refused": refused,
        "per_second": rate, "resident_kb": [service.resident()?] }))
}

/// Runs both queue lengths.
pub fn run(tool: &Path, count: usize, wrong: &mut Vec<String>) -> Result<[Value; 2], Failure> {
    Ok([with(tool, QUEUES[0], count, wrong)?, with(tool, QUEUES[1], count, wrong)?])
}
