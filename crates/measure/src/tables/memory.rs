//! Heap and stack of each side of a handshake, with the heap counted at the C `malloc`.
//!
//! Client and server run in separate processes joined by a socket. Each loads the library `count.c`
//! in front of `malloc`, so allocations by Rust and by C libraries are counted alike, from reading
//! the certificates to the end of the connection.

mod counted;
mod side;
mod symbols;

use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

pub use self::side::run as run_side;

use self::counted::Counted;
use self::symbols::Symbols;
use super::appendix::memory::{Figures, HELD, HELD_NOW};
use super::binary::checkout;
use super::round_three;
use super::sheet::{Cell, Sheet};
use super::wire::Known;
use crate::Error;

/// Sources of the counting library, relative to a checkout.
const SOURCES: [&str; 2] = ["crates/measure/memory/count.c", "crates/measure/memory/depth.c"];

/// Names of the two sides, the server first.
const SIDES: [&str; 2] = ["server", "client"];

/// The data that a run records. Naming functions itself uses stack, so the figures come from a
/// separate run without it.
#[derive(Clone, Copy)]
enum Watched {
    Figures,
    /// The callers of every allocation.
    Sites,
    /// The functions on the stack of server and client when the stack was this many bytes deep.
    Depth([usize; 2]),
}

/// The folder with the certificates of a handshake, and the function that starts one of its sides.
#[derive(Clone, Copy)]
struct Sides<'s> {
    place: &'s Path,
    again: &'s Again,
}

/// Returns the command that calls [`run_side`] with these arguments in a separate process.
pub type Again = dyn Fn(&str, &Path) -> std::io::Result<Command>;

fn start(
    sides: Sides<'_>,
    side: usize,
    with: &str,
    end: UnixStream,
    watched: Watched,
) -> Result<Child, Error> {
    let name = SIDES[side];
    let failed = Error::system("starting a side of the handshake");
    let again = (sides.again)(&format!("{name}:{with}"), sides.place);
    let mut child = again.map_err(Error::system("starting a side of the handshake"))?;
    child
        .env("LD_PRELOAD", sides.place.join("count.so"))
        .env("HASTEN_COUNT", sides.place.join(name))
        .stdin(Stdio::from(OwnedFd::from(end)));
    match watched {
        Watched::Figures => &mut child,
        Watched::Sites => child.env("HASTEN_COUNT_SITES", "1"),
        Watched::Depth(bytes) => child.env("HASTEN_COUNT_DEPTH", bytes[side].to_string()),
    };
    child.spawn().map_err(failed)
}

/// Runs a handshake and returns the accounts of server and client.
fn handshake(sides: Sides<'_>, with: &str, watched: Watched) -> Result<[Counted; 2], Error> {
    let failed = Error::system("joining the sides of a handshake");
    let (server_end, client_end) = UnixStream::pair().map_err(failed)?;
    let mut server = start(sides, 0, with, server_end, watched)?;
    let mut client = start(sides, 1, with, client_end, watched)?;
    for child in [&mut client, &mut server] {
        let status = child.wait().map_err(Error::system("waiting for a side of a handshake"))?;
        if !status.success() {
            return Err(Error::Side { with: with.to_owned() });
        }
    }
    let read = |side| {
        let text = fs::read_to_string(sides.place.join(side))
            .map_err(Error::system("reading what was counted"))?;
        Counted::read(&text).ok_or_else(|| Error::Table("what was counted cannot be read"))
    };
    Ok([read(SIDES[0])?, read(SIDES[1])?])
}

/// The account of one side's first connection in a process, and of its second.
type Both = [Counted; 2];

/// Returns the accounts of both sides, with the functions that caused their figures.
fn named(sides: Sides<'_>, with: &str) -> Result<[Counted; 2], Error> {
    let [server, client] = handshake(sides, with, Watched::Figures)?;
    let deepest = Watched::Depth([server.stack(), client.stack()]);
    let [server_sites, client_sites] = handshake(sides, with, Watched::Sites)?;
    // A system call that writes to a guarded page fails. A run in which that happens fails too; its
    // frames are then missing.
    let frames = handshake(sides, with, deepest);
    let [server_stack, client_stack] = frames.map_or([None, None], |sides| sides.map(Some));
    Ok([server.explained(server_sites, server_stack), client.explained(client_sites, client_stack)])
}

/// Returns the accounts of both sides, each for the first connection and for the next.
fn measured(sides: Sides<'_>, group: &str) -> Result<[Both; 2], Error> {
    let [server, client] = named(sides, group)?;
    let [server_again, client_again] = named(sides, &format!("{group}:again"))?;
    Ok([[server, server_again], [client, client_again]])
}

/// Returns the row of one side: its figures, those of the appendix, and the functions that cause
/// the figures above those of the appendix.
fn row(
    with: [&str; 2],
    side: usize,
    [first, again]: &Both,
    symbols: &Symbols,
    theirs: Option<&Figures>,
) -> Vec<Cell> {
    let mut row: Vec<Cell> = vec![with[0].into(), with[1].into(), SIDES[side].into()];
    row.extend(first.figures().map(Cell::from));
    row.extend(again.figures().into_iter().take(3).map(Cell::from));
    row.push(again.at_peak(symbols).as_str().into());
    let figures = theirs.map(|theirs| if side == 0 { theirs.server } else { theirs.client });
    row.push(theirs.map(|theirs| theirs.name).into());
    row.extend((0..4).map(|at| Cell::from(figures.map(|figures| figures[at]))));
    let above = figures.map(|figures| first.above(&figures, symbols));
    row.push(above.as_deref().unwrap_or_default().into());
    row
}

/// Returns a temporary folder with the counting library, compiled from its sources by a C compiler.
fn place() -> Result<tempfile::TempDir, Error> {
    let root = checkout().ok_or_else(|| {
        Error::Table("what counts allocations is built in a checkout: run this in one")
    })?;
    let place = tempfile::tempdir().map_err(Error::system("making a folder"))?;
    let cc = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let made = Command::new(cc)
        .args(["-O2", "-shared", "-fPIC", "-o"])
        .arg(place.path().join("count.so"))
        .args(SOURCES.map(|source| root.join(source)))
        .status()
        .map_err(Error::system("running the C compiler"))?;
    match made.success() {
        true => Ok(place),
        false => Err(Error::Table("what counts allocations takes Linux and a C compiler")),
    }
}

/// Returns a pair of rows for each combination of the appendix, and for combinations used today.
pub fn sheet(known: &mut Known, again: &Again) -> Result<Sheet, Error> {
    let (place, symbols) = (place()?, Symbols::own());
    let then = HELD.iter().flat_map(|row| {
        let (auth, group) = row.theirs();
        let own = round_three::built_in(auth, group, row.ours);
        [Some(row.ours), own].into_iter().flatten().map(move |pair| (pair, Some(row)))
    });
    let now = HELD_NOW.iter().map(|ours| (*ours, None));
    let sides = Sides { place: place.path(), again };
    let mut rows = Vec::new();
    for ((alg, group), theirs) in then.chain(now) {
        let Some(identity) = known.of(alg) else { continue };
        identity.save(place.path()).map_err(Error::system("writing certificates"))?;
        for (side, both) in measured(sides, group)?.iter().enumerate() {
            rows.push(row([alg, group], side, both, &symbols, theirs));
        }
    }
    Ok(Sheet {
        name: "memory",
        title: "Heap and stack of each side: a handshake with a certificate of the server, one message each way (TLS_AES_256_GCM_SHA384)",
        columns: vec![
            ("alg", "Authentication"),
            ("group", "Key exchange"),
            ("side", "Side"),
            ("allocations", "Allocations"),
            ("total_bytes", "Heap, total"),
            ("peak_bytes", "Heap, peak"),
            ("stack_bytes", "Stack"),
            ("again_allocations", "Next connection: allocations"),
            ("again_total_bytes", "total"),
            ("again_peak_bytes", "peak"),
            ("largest", "Largest at that peak"),
            ("theirs_name", "Appendix"),
            ("theirs_allocations", "allocations"),
            ("theirs_total", "total"),
            ("theirs_peak", "peak"),
            ("theirs_stack", "stack"),
            ("theirs_exceeded", "Ours above, and what is behind it"),
        ],
        rows,
        notes: vec![NOTE.into()],
    })
}

const NOTE: &str = "Counted at malloc, each side in a process of its own, from reading its certificates to the end of the connection, what libraries set up once included; a realloc counts as one allocation. Next connection: the second of the same process, without what is set up once. The stack is that of the thread that does all of this, painted beforehand; what is behind it are the frames that were on it when it was deepest. The appendix's figures are of wolfSSL built with -Os, counted at its own allocator. What is behind a figure: the functions that take most, as far as the compiler left them apart. Once in a process come the pool of aws-lc's source of randomness (jent_zalloc) and the registry of Hasten's algorithms; with each connection rustls' buffers, which hold a whole flight where wolfSSL has a record, its cache of sessions, and the parsed certificates.";
