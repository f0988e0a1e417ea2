//! One row: a thread that signs, a thread that verifies, and a socket between them. With a flood,
//! another thread sends bogus datagrams.

use std::net::{Ipv4Addr, UdpSocket};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::net::sockopt::set_socket_recv_buffer_size;

use super::flood::{self, Overheard};
use super::plan::{Case, Plan};
use super::receiver::{self, UNKNOWN};
use super::row::Row;
use super::sender::{self, Load};
use super::subject::Subject;
use crate::{Error, Watch, clock, pin};

/// Requested size in bytes of the receive buffer, which holds datagrams while the receiver is not
/// running.
const QUEUE: usize = 4 << 20;

/// Measures one row.
pub fn run(
    plan: &Plan<'_>,
    case: &Case,
    subject: &Subject,
    watch: Watch<'_>,
) -> Result<Row, Error> {
    let Case { pace, size, wait } = case;
    let (name, rate, wait) = (subject.alg.name(), pace.rate(), wait.name());
    let windows = subject.windows(plan.batch);
    let load = Load { case, windows, time: plan.time };
    let label = format!("{name}, {rate}/s, {size} B, {wait}");
    let step = watch.step(&label, load.messages() as u64, "messages");
    let (mut seal, mut open) = subject.ends(plan.batch.is_some())?;
    let (from, to) = sockets(case)?;
    let all = AtomicUsize::new(UNKNOWN);
    let (used, epoch, overheard) = (clock::process_time(), Instant::now(), Overheard::default());
    let (sent, received, flooded) = thread::scope(|scope| {
        let flood = plan.flood.map(|rate| {
            let to_all = (&overheard, &all);
            let from = from.try_clone();
            scope.spawn(move || {
                let from = from.map_err(Error::system("opening sockets of the loopback"))?;
                flood::run(subject.forge(plan.forgeries), rate, &from, to_all)
            })
        });
        let receiver = scope.spawn(|| {
            pin::pin(plan.cores, 1);
            receiver::run(&mut *open, &to, (&all, epoch))
        });
        let sender = scope.spawn(|| {
            pin::pin(plan.cores, 0);
            let heard = plan.flood.map(|_| &overheard);
            let line = sender::Line { socket: &from, overheard: heard, epoch };
            let sent = sender::run(&mut *seal, &line, load, &step);
            all.store(sent.as_ref().map_or(0, |sent| sent.messages.len()), Ordering::Release);
            sent
        });
        (sender.join(), receiver.join(), flood.map(thread::ScopedJoinHandle::join).transpose())
    });
    let used = clock::process_time().saturating_sub(used);
    let sent = sent.unwrap_or_else(|panic| resume_unwind(panic))?;
    let received = received.unwrap_or_else(|panic| resume_unwind(panic))?;
    let flooded = flooded.unwrap_or_else(|panic| resume_unwind(panic)).transpose()?;
    let flooding = flooded.as_ref().map_or(Duration::ZERO, |flooded| flooded.used);
    let beside = used.saturating_sub(sent.used + received.used + flooding);
    let bogus = flooded.map(|flooded| flooded.bogus);
    Ok(Row { bogus, ..Row::new(plan, case, subject, (&sent, &received), beside) })
}

/// Returns a sending socket, and the receiving socket that it is connected to.
fn sockets(case: &Case) -> Result<(UdpSocket, UdpSocket), Error> {
    let open = || {
        let to = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        let from = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        from.connect(to.local_addr()?)?;
        // The system may grant less; lost datagrams show in `verified`.
        let _ = set_socket_recv_buffer_size(&to, QUEUE);
        Ok((from, to))
    };
    let (from, to) = open().map_err(Error::system("opening sockets of the loopback"))?;
    case.wait.set(&to)?;
    Ok((from, to))
}
