//! One row: two threads, and a socket between them.

use std::net::{Ipv4Addr, UdpSocket};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rustix::net::sockopt::set_socket_recv_buffer_size;

use super::plan::{Case, Plan};
use super::receiver::{self, UNKNOWN};
use super::row::Row;
use super::sender;
use super::subject::Subject;
use crate::{Error, Watch, clock, pin};

/// Bytes that the system is asked to keep for a receiver that does not run at the moment.
const QUEUE: usize = 4 << 20;

/// Measures one row.
pub fn run(
    plan: &Plan<'_>,
    case: &Case,
    subject: &Subject,
    watch: Watch<'_>,
) -> Result<Row, Error> {
    let Case { rate, size, wait } = case;
    let label = format!("{}, {rate}/s, {size} B, {}", subject.alg.name(), wait.name());
    let step = watch.step(&label, sender::messages(*rate, plan.time) as u64, "messages");
    let (mut seal, mut open) = subject.ends()?;
    let (from, to) = sockets(case)?;
    let all = AtomicUsize::new(UNKNOWN);
    let used = clock::process_time();
    let (sent, received) = thread::scope(|scope| {
        let receiver = scope.spawn(|| {
            pin::pin(plan.cores, 1);
            receiver::run(&mut *open, &to, &all)
        });
        let sender = scope.spawn(|| {
            pin::pin(plan.cores, 0);
            let sent = sender::run(&mut *seal, &from, (case, plan.time), &step);
            all.store(sent.as_ref().map_or(0, |sent| sent.sign_us.len()), Ordering::Release);
            sent
        });
        (sender.join(), receiver.join())
    });
    let used = clock::process_time().saturating_sub(used);
    let sent = sent.unwrap_or_else(|panic| resume_unwind(panic))?;
    let received = received.unwrap_or_else(|panic| resume_unwind(panic))?;
    let beside = used.saturating_sub(sent.used + received.used);
    Ok(Row::new(plan, case, subject, (&sent, &received), beside))
}

/// Returns a socket that sends, and the one that it sends to.
fn sockets(case: &Case) -> Result<(UdpSocket, UdpSocket), Error> {
    let open = || {
        let to = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        let from = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        from.connect(to.local_addr()?)?;
        // The system may allow less; `verified` tells of what is lost.
        let _ = set_socket_recv_buffer_size(&to, QUEUE);
        Ok((from, to))
    };
    let (from, to) = open().map_err(Error::system("opening sockets of the loopback"))?;
    case.wait.set(&to)?;
    Ok((from, to))
}
