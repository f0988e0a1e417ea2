//! The ladder: the work of each level before the message, and the work left after it.

use hasten_hbs::{Error, Set, SignerLevel, VerifierLevel};
use hasten_model::explore::Machine;
use hasten_model::profile::{Digits, Profiles, prepare_work};
use hasten_model::{Delivery, Link, Operation};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Length of the message in bytes.
const MESSAGE: usize = 64;

/// Start of a line that holds a ladder, among the lines of recordings.
pub const MARK: &str = "ladder\t";

/// Parameters of a ladder.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    pub alg: String,
    /// Rate of the link in bits per second.
    link: f64,
}

/// A level: compressions before the message, after the message, and on the critical path after the
/// message.
#[derive(Clone, Serialize, Deserialize)]
struct Rung {
    level: String,
    before: u64,
    after: u64,
    path: u64,
}

/// The levels of signer and verifier for one set.
#[derive(Clone, Serialize, Deserialize)]
pub struct Ladder {
    pub alg: String,
    signer: Vec<Rung>,
    verifier: Vec<Rung>,
}

impl Ladder {
    /// Records a set at all levels.
    pub fn of(set: &'static Set, profiles: &Profiles) -> Result<Self, Error> {
        let side = |operation| profiles.side(set, operation, Digits::Typical, MESSAGE);
        let sign = |level: SignerLevel| {
            let side = side(Operation::Sign(level))?;
            let before = match level {
                SignerLevel::None => 0,
                level => prepare_work(profiles, set, level, MESSAGE)?,
            };
            Ok(rung(level.name(), before, (side.work(), side.critical_path())))
        };
        let all = side(Operation::Verify(VerifierLevel::None))?.work();
        let verify = |level: VerifierLevel| {
            let side = side(Operation::Verify(level))?;
            let before = all.saturating_sub(side.work());
            Ok(rung(level.name(), before, (side.work(), side.critical_path())))
        };
        let signer = SignerLevel::ALL.map(sign).into_iter().collect::<Result<_, Error>>()?;
        let verifier = VerifierLevel::ALL.map(verify).into_iter().collect::<Result<_, Error>>()?;
        Ok(Self { alg: set.name.to_owned(), signer, verifier })
    }

    /// Returns the ladder as a line to be stored among recordings.
    pub fn line(&self) -> String {
        format!("{MARK}{}\n", json!(self))
    }

    /// Returns the ladders stored among recordings.
    pub fn read(text: &str) -> Vec<Self> {
        let lines = text.lines().filter_map(|line| line.strip_prefix(MARK));
        lines.filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// Returns the ladder with the median times measured on a machine, and the time on the link.
    pub fn timed(&self, asked: &Asked, set: &Set, machine: &Machine) -> Value {
        let link = Link { framed: true, ..Link::bare(asked.link.max(1.0)) };
        let wire = |way: Delivery| link.time(MESSAGE + way.bytes(set));
        let rungs = |rungs: &[Rung], op| -> Vec<Value> {
            rungs.iter().map(|rung| timed(rung, machine, (&self.alg, op))).collect()
        };
        json!({
            "alg": self.alg,
            "message": MESSAGE,
            "machine": machine.name,
            "signer": rungs(&self.signer, "sign"),
            "verifier": rungs(&self.verifier, "verify"),
            "wire_us": wire(Delivery::Sequential),
            "wire_ahead_us": wire(Delivery::OtsKey),
        })
    }
}

fn rung(level: &str, before: u64, (after, path): (u64, u64)) -> Rung {
    Rung { level: level.to_owned(), before, after, path }
}

/// Returns a level with the measured time of the work after the message, if there is one, and the
/// estimated time of the work before it.
fn timed(rung: &Rung, machine: &Machine, (alg, op): (&str, &str)) -> Value {
    let rows = machine.measured.iter().flat_map(|rows| rows.iter());
    let mut same = rows.filter(|row| {
        row.alg == alg && row.op == op && row.level.as_ref().is_some_and(|l| *l == rung.level)
    });
    json!({
        "level": rung.level,
        "before": rung.before,
        "after": rung.after,
        "path": rung.path,
        "before_us": rung.before as f64 * machine.bulk_us,
        "after_us": same.next().map(|row| row.time_us.p50),
    })
}
