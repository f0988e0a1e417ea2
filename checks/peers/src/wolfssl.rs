//! wolfSSL, as the program `benchmark` of its own sources. It is under the GPL: it is built aside
//! and run as a program, and nothing of it is linked or kept here. `HASTEN_WOLFSSL` names it.
//!
//! The program prints the mean of an operation over a second. So ours is that mean too, in turn
//! with it.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hasten_hbs::Set;
use hasten_kernels::Kernels;
use hasten_report::Summary;

use crate::report::Row;
use crate::{OPERATIONS, ours};

/// Names of the sets, the program's option for each, and the words a row of it begins with.
const SETS: [(&str, &str, &str); 13] = [
    ("XMSS-SHA2_10_256", "-xmss_xmssmt_sha256", "XMSS-SHA2_10_256,"),
    ("XMSS-SHA2_10_192", "-xmss_xmssmt_sha256", "XMSS-SHA2_10_192,"),
    ("XMSSMT-SHA2_20/2_256", "-xmss_xmssmt_sha256", "XMSSMT-SHA2_20/2_256,"),
    ("XMSSMT-SHA2_20/4_256", "-xmss_xmssmt_sha256", "XMSSMT-SHA2_20/4_256,"),
    ("L2_H10_W2", "-lms_hss", "LMS/HSS L2_H10_W2,"),
    ("L2_H10_W4", "-lms_hss", "LMS/HSS L2_H10_W4,"),
    ("L3_H5_W8", "-lms_hss", "LMS/HSS L3_H5_W8,"),
    ("SLH-DSA-SHA2-128s", "-slhdsa-sha2-128s", "SLH-DSA-SHA2-S,128,"),
    ("SLH-DSA-SHA2-128f", "-slhdsa-sha2-128f", "SLH-DSA-SHA2-F,128,"),
    ("SLH-DSA-SHA2-192f", "-slhdsa-sha2-192f", "SLH-DSA-SHA2-F,192,"),
    ("SLH-DSA-SHA2-256f", "-slhdsa-sha2-256f", "SLH-DSA-SHA2-F,256,"),
    ("SLH-DSA-SHAKE-128s", "-slhdsa-shake128s", "SLH-DSA-SHAKE-S,128,"),
    ("SLH-DSA-SHAKE-128f", "-slhdsa-shake128f", "SLH-DSA-SHAKE-F,128,"),
];

/// Runs of the program for each set.
const ROUNDS: usize = 3;
/// Time of one of ours, which is that of one of the program's.
const WINDOW: Duration = Duration::from_secs(1);

/// The program, and the version that it prints.
pub struct Benchmark {
    program: String,
    version: String,
}

impl Benchmark {
    /// Finds the program.
    ///
    /// # Errors
    /// A sentence, if none is named or it does not run.
    pub fn find() -> Result<Self, String> {
        let program = std::env::var("HASTEN_WOLFSSL")
            .map_err(|_| "HASTEN_WOLFSSL names no program: wolfSSL's `benchmark`".to_owned())?;
        let said = Command::new(&program).arg("-?").output();
        let said = said.map_err(|error| format!("{program}: {error}"))?;
        let text = String::from_utf8_lossy(&said.stdout).into_owned();
        let version = text.lines().find_map(|line| line.trim().strip_prefix("wolfSSL version "));
        let version = version.ok_or_else(|| format!("{program} prints no version of wolfSSL"))?;
        Ok(Self { version: version.trim().to_owned(), program })
    }

    /// Returns the microseconds of each operation, by one run.
    fn run(&self, option: &str, label: &str) -> Result<[f64; 3], String> {
        let mut command = Command::new(&self.program);
        let command = command.args(["-csv", option]).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("{}: {error}", self.program))?;
        let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let mut found = [None; 3];
        for line in lines.map_while(Result::ok) {
            note(&line, label, &mut found);
            if found.iter().all(Option::is_some) {
                break;
            }
        }
        // It goes on with other sets, which nobody asked for.
        let _ = child.kill();
        let _ = child.wait();
        let all = || found.into_iter().collect::<Option<Vec<f64>>>()?.try_into().ok();
        all().ok_or_else(|| format!("{} {option} says nothing of {label}", self.program))
    }
}

/// Notes what a line says of an operation, if it is of the set.
fn note(line: &str, label: &str, found: &mut [Option<f64>; 3]) {
    let Some(fields) = line.strip_prefix(label) else { return };
    let mut fields = fields.split(',');
    // Between the name and the operation lies a size, where the name does not end with it.
    let Some(op) = fields.find(|field| field.parse::<u64>().is_err()) else { return };
    let place = match op {
        "gen" | "keygen" => 0,
        "sign" => 1,
        "verify" => 2,
        _ => return,
    };
    let millis = fields.next().and_then(|millis| millis.parse::<f64>().ok());
    found[place] = found[place].or(millis.map(|millis| millis * 1000.0));
}

/// Measures the sets asked for, or all, in turn with the program.
///
/// # Errors
/// A sentence, if the program does not do as expected.
pub fn rows(asked: &[&'static Set], kernels: Kernels<'static>) -> Result<Vec<Row>, String> {
    let program = Benchmark::find()?;
    let mut rows = Vec::new();
    for (name, option, label) in SETS {
        let set = Set::named(name).map_err(|_| format!("no set {name}"))?;
        if asked.is_empty() || asked.contains(&set) {
            rows.extend(of_set(&program, set, (option, label), kernels)?);
        }
    }
    Ok(rows)
}

fn of_set(
    program: &Benchmark,
    set: &'static Set,
    (option, label): (&str, &str),
    kernels: Kernels<'static>,
) -> Result<Vec<Row>, String> {
    let mut own = ours::side(set, kernels);
    let (mut ours, mut theirs) = ([const { Vec::new() }; 3], [const { Vec::new() }; 3]);
    for round in 0..ROUNDS {
        eprintln!("{}: round {} of {ROUNDS}", set.name, round + 1);
        for (times, time) in theirs.iter_mut().zip(program.run(option, label)?) {
            times.push(time);
        }
        for (times, work) in ours.iter_mut().zip(&mut own.work) {
            times.push(mean(work));
        }
    }
    let row = |i: usize| {
        let spread: Vec<f64> =
            theirs[i].iter().zip(&ours[i]).map(|(theirs, ours)| theirs / ours).collect();
        let (ours, theirs) = (Summary::of(&ours[i]), Summary::of(&theirs[i]));
        Row {
            alg: set.name,
            op: OPERATIONS[i],
            time_us: ours,
            peer: format!("wolfSSL {}", program.version),
            peer_built: "its own assembly, chosen at run time, and -march=native".to_owned(),
            ratio: (theirs.min / ours.min * 100.0).round() / 100.0,
            peer_time_us: theirs,
            ratio_spread: Summary::of(&spread),
            windows: ROUNDS,
        }
    };
    Ok((0..OPERATIONS.len()).map(row).collect())
}

/// Returns the mean of an operation over a second, in microseconds.
fn mean(work: &mut Box<dyn FnMut()>) -> f64 {
    let (begun, mut count) = (Instant::now(), 0_u32);
    while begun.elapsed() < WINDOW {
        work();
        count += 1;
    }
    begun.elapsed().as_secs_f64() * 1e6 / f64::from(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_program() {
        let text = "Algorithm,key size,operation,avg ms,ops/sec,\n\
            SLH-DSA-SHA2-F,192,gen,7.000,1.0,\n\
            SLH-DSA-SHA2-F,128,gen,0.861,1161.759,\n\
            SLH-DSA-SHA2-F,128,sign,21.206,47.157,\n\
            SLH-DSA-SHA2-F,128,verify,1.264,790.955,\n\
            SLH-DSA-SHA2-F,128,sign-msg,20.310,49.237,\n";
        let mut found = [None; 3];
        text.lines().for_each(|line| note(line, "SLH-DSA-SHA2-F,128,", &mut found));
        assert_eq!(found, [Some(861.0), Some(21206.0), Some(1264.0)]);
        let mut found = [None; 3];
        note("LMS/HSS L2_H10_W4,20,keygen,262.887,3.804,", "LMS/HSS L2_H10_W4,", &mut found);
        note("LMS/HSS L2_H10_W4,64,load,253.279,3.948,", "LMS/HSS L2_H10_W4,", &mut found);
        assert_eq!(found, [Some(262_887.0), None, None]);
    }

    #[test]
    fn every_set_is_ours_too() {
        for (name, ..) in SETS {
            assert!(Set::named(name).is_ok(), "{name}");
        }
    }
}
