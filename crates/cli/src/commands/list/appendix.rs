//! The tables of parameter sets in wolfSSL's appendix on post-quantum cryptography: its named sets
//! of LMS/HSS, and XMSS/XMSS^MT with SHA-256. Every figure is computed from the parameter set.

use std::process::ExitCode;

use hasten_hbs::Set;
use hasten_hbs::params::{Hash, SETS, Scheme};
use hasten_report::{Table, numbers, words};
use serde::Serialize;

use crate::error::Error;
use crate::output::print;
use crate::report;

/// The table asked for.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
pub enum Which {
    /// wc_LmsParm: levels, height, Winternitz, signature, signatures.
    LmsHss,
    /// XMSS and XMSS^MT with SHA-256 and n = 32.
    Xmss,
}

/// The names of wolfSSL's enumeration, the default first.
const LMS_PARM: [&str; 11] = [
    "WC_LMS_PARM_NONE",
    "WC_LMS_PARM_L1_H15_W2",
    "WC_LMS_PARM_L1_H15_W4",
    "WC_LMS_PARM_L2_H10_W2",
    "WC_LMS_PARM_L2_H10_W4",
    "WC_LMS_PARM_L2_H10_W8",
    "WC_LMS_PARM_L3_H5_W2",
    "WC_LMS_PARM_L3_H5_W4",
    "WC_LMS_PARM_L3_H5_W8",
    "WC_LMS_PARM_L3_H10_W4",
    "WC_LMS_PARM_L4_H5_W8",
];

/// One named set of LMS/HSS. A single tree counts as HSS with one level.
#[derive(Serialize)]
struct LmsHss {
    alg: &'static str,
    set: &'static str,
    levels: u32,
    height: u32,
    winternitz: u32,
    signature_bytes: usize,
    capacity: u64,
}

#[derive(Serialize)]
struct Xmss {
    alg: &'static str,
    oid: u32,
    n: usize,
    w: usize,
    height: u32,
    layers: u32,
    tree_height: u32,
    signature_bytes: usize,
}

/// Prints the table.
pub fn run(which: Which, json: bool) -> Result<ExitCode, Error> {
    print(&match (which, json) {
        (Which::LmsHss, true) => report::new("hasten.list-lms-hss/1", None, &lms_hss()?).json(),
        (Which::LmsHss, false) => lms_hss_table(&lms_hss()?),
        (Which::Xmss, true) => report::new("hasten.list-xmss/1", None, &xmss()).json(),
        (Which::Xmss, false) => xmss_table(&xmss()),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn lms_hss() -> Result<Vec<LmsHss>, Error> {
    let row = |alg: &'static str| {
        let set = Set::named(alg)?;
        let whole = Set::hss(&set.levels())?;
        Ok(LmsHss {
            alg,
            set: set.name,
            levels: whole.d,
            height: whole.tree_height(),
            winternitz: whole.lg_w,
            signature_bytes: whole.signature_bytes(),
            capacity: whole.capacity(),
        })
    };
    LMS_PARM.into_iter().map(row).collect()
}

fn xmss() -> Vec<Xmss> {
    let sets = SETS.iter().filter(|set| matches!(set.scheme, Scheme::Xmss | Scheme::XmssMt));
    let row = |set: &Set| Xmss {
        alg: set.name,
        oid: set.number.get(),
        n: set.n,
        w: set.w(),
        height: set.h,
        layers: set.d,
        tree_height: set.tree_height(),
        signature_bytes: set.signature_bytes(),
    };
    sets.filter(|set| set.hash == Hash::Sha256 && set.n == 32).map(row).collect()
}

fn lms_hss_table(rows: &[LmsHss]) -> String {
    let columns = ["levels", "height", "Winternitz", "signature", "signatures"].map(numbers);
    let cells = |row: &LmsHss| {
        let (height, w) = (row.height.to_string(), row.winternitz.to_string());
        let (bytes, most) = (row.signature_bytes.to_string(), row.capacity.to_string());
        vec![row.alg.to_owned(), row.levels.to_string(), height, w, bytes, most]
    };
    let columns = [words("parameter set")].into_iter().chain(columns).collect();
    Table::new(columns).print(&rows.iter().map(cells).collect::<Vec<_>>())
}

fn xmss_table(rows: &[Xmss]) -> String {
    let columns = ["Oid", "n", "w", "h", "d", "h/d", "Sig len"].map(numbers);
    let cells = |row: &Xmss| {
        let sizes = [row.n, row.w, row.height as usize, row.layers as usize];
        let rest = [row.tree_height as usize, row.signature_bytes];
        let numbers = sizes.into_iter().chain(rest).map(|number| number.to_string());
        [row.alg.to_owned(), format!("0x{:08x}", row.oid)].into_iter().chain(numbers).collect()
    };
    let columns = [words("parameter set name")].into_iter().chain(columns).collect();
    Table::new(columns).print(&rows.iter().map(cells).collect::<Vec<Vec<String>>>())
}
