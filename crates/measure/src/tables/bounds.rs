//! Handshakes whose time has a bound.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hasten_report::{Summary, micros};

use super::handshake::{Pair, only};
use super::sheet::{Cell, Sheet};
use super::wire::{Known, failed};
use crate::Error;

/// Handshakes whose time has a bound: those of this provider and of stock rustls in alternation,
/// and the CPU time with SLH-DSA.
pub fn sheet(known: &mut Known, time: Duration) -> Result<Sheet, Error> {
    let stock = rustls::crypto::aws_lc_rs::default_provider;
    let mut rows = Vec::new();
    for (alg, mutual) in [
        ("ML-DSA-65", true),
        ("ECDSA-P-256", true),
        ("ML-DSA-65", false),
        ("ECDSA-P-256", false),
        ("SLH-DSA-SHA2-128f", false),
        ("SLH-DSA-SHA2-128s", false),
    ] {
        let Some(identity) = known.of(alg) else { continue };
        let with = |provider| -> Result<_, Error> {
            let provider = only(provider, "X25519MLKEM768")?;
            let client = Arc::new(identity.client(&provider, mutual).map_err(failed)?);
            Ok((client, Arc::new(identity.server(&provider, mutual).map_err(failed)?)))
        };
        let (ours, theirs) = (with(rustls_hasten::provider())?, with(stock()).ok());
        let theirs = theirs.filter(|(client, server)| Pair::shake(client, server).is_ok());
        let (mut taken, mut ratios): ([Vec<f64>; 2], Vec<f64>) = Default::default();
        let one = |(client, server): &(Arc<_>, Arc<_>)| -> Result<f64, Error> {
            Ok(Pair::shake(client, server).map_err(failed)?.time.iter().map(|t| micros(*t)).sum())
        };
        let begun = Instant::now();
        while begun.elapsed() < time * 4 || taken[0].len() < 3 {
            taken[0].push(one(&ours)?);
            if let Some(theirs) = &theirs {
                taken[1].push(one(theirs)?);
                ratios.push(taken[0][taken[0].len() - 1] / taken[1][taken[1].len() - 1]);
            }
        }
        let (ours, stock, ratio) =
            (Summary::of(&taken[0]), Summary::of(&taken[1]), Summary::of(&ratios));
        let beside = !ratios.is_empty();
        let when = |cell: Cell| if beside { cell } else { Cell::Empty };
        rows.push(vec![
            alg.into(),
            if mutual { "both" } else { "server" }.into(),
            taken[0].len().into(),
            Cell::Time(ours),
            Cell::Number(ours.min, 1),
            when(Cell::Time(stock)),
            when(Cell::Number(ours.p50 / stock.p50, 3)),
            when(Cell::Number(ratio.p50, 3)),
        ]);
    }
    Ok(Sheet {
        name: "bounds",
        title: "Handshakes beside stock rustls in the same run (X25519MLKEM768): CPU time of both sides",
        columns: vec![
            ("alg", "Certificates"),
            ("who", "Who shows one"),
            ("handshakes", "Handshakes"),
            ("handshake_us", "Ours, us"),
            ("least", "Least, us"),
            ("stock_us", "Stock, us"),
            ("over_stock", "Ours over stock, medians"),
            ("paired", "Ours over stock, in pairs"),
        ],
        rows,
        notes: vec![
            "Stock rustls has no SLH-DSA. The two sides take turns, one handshake each.".into(),
        ],
    })
}
