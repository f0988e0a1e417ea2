//! The search of `hasten explore`, over the machines that ship with it.

use hasten_hbs::{Set, SignerLevel, VerifierLevel};
use hasten_model::Delivery;
use hasten_model::explore::{Machine, Named, usual_sets};
use hasten_model::machines::{self, ASIP, COMPARED, HARDWARE, Reports};
use hasten_model::profile::{Kept, Profiles, keep};
use hasten_model::study::{Asked, File, Study};
use hasten_report::{Machine as On, Origin, Report};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::ladder::{self, Ladder};
use crate::operation;

/// Number of different message lengths after which the profiles computed so far are dropped.
const MESSAGES: usize = 16;

/// Results that describe machines, as shipped with the tool.
const CALIBRATED: &str = include_str!("../../../results/calibration.json");
const COMPARISON: &str = include_str!("../../../results/compared.json");
const CORES: &str = include_str!("../../../results/hardware.json");
const PROCESSORS: &str = include_str!("../../../results/asip.json");

/// A choice: a point of a study, given by set, machine and schedule.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spans {
    study: File,
    alg: String,
    machine: String,
    schedule: String,
}

/// State kept from one question to the next.
#[derive(Default)]
pub struct State {
    kept: Kept,
    profiles: Profiles,
    messages: Vec<usize>,
    machines: Vec<(String, Vec<Machine>)>,
    reports: [Vec<Value>; 2],
    ladders: Vec<Ladder>,
}

impl State {
    /// Loads stored recordings.
    pub(crate) fn keep(&mut self, file: &[u8]) -> Result<Value, String> {
        let text = std::str::from_utf8(file).map_err(|error| error.to_string())?;
        self.kept = Kept::read(text);
        self.ladders = Ladder::read(text);
        self.profiles = Profiles::of(self.kept.clone());
        Ok(json!({ "lines": text.lines().count() }))
    }

    /// Loads reports that take precedence over the shipped ones: those of the processor, and
    /// others.
    pub(crate) fn take(&mut self, file: &[u8]) -> Result<Value, String> {
        self.reports = serde_json::from_slice(file).map_err(|error| error.to_string())?;
        self.machines.clear();
        Ok(json!({ "reports": self.reports.concat().len() }))
    }

    /// Returns the output of `hasten explore --json`.
    pub(crate) fn explore(&mut self, file: &File) -> Result<String, String> {
        let study = self.study(file)?;
        let profiles = self.profiles(study.workload.message);
        let points = study.search(profiles, &mut |_| true).map_err(|error| error.to_string())?;
        let command = [&["hasten".to_owned(), "explore".to_owned()], &file.arguments()[..]];
        Ok(Report::new(
            "hasten.explore/1",
            command.concat().join(" "),
            origin(),
            On::this(),
            &points,
        )
        .line())
    }

    /// Returns the times at which each part of a choice is active.
    pub(crate) fn spans(&mut self, asked: &Spans) -> Result<Value, String> {
        let study = self.study(&asked.study)?;
        let Spans { alg, machine, schedule, .. } = asked;
        let spans =
            study.spans(self.profiles(study.workload.message), Named { alg, machine, schedule });
        Ok(json!({ "spans": spans.map_err(|error| error.to_string())? }))
    }

    fn study(&mut self, file: &File) -> Result<Study, String> {
        let asked = Asked::read(file).map_err(|wrong| wrong.to_string())?;
        let names = match &file.machines[..] {
            [] => machines::Named::USUAL.map(|named| named.to_string()).into(),
            names => names.to_vec(),
        };
        let mut machines = Vec::new();
        for name in &names {
            machines.extend(self.machines(name)?);
        }
        Ok(asked.study(machines))
    }

    /// Returns the ladder of a set.
    pub(crate) fn ladder(&mut self, asked: &ladder::Asked) -> Result<Value, String> {
        let set = Set::named(&asked.alg).map_err(|error| error.to_string())?;
        if !self.ladders.iter().any(|ladder| ladder.alg == set.name) {
            let made = Ladder::of(set, &Profiles::default());
            self.ladders.push(made.map_err(|error| error.to_string())?);
        }
        let cpu = self.machines("cpu")?;
        let ladder = self.ladders.iter().find(|ladder| ladder.alg == set.name);
        let timed = ladder.zip(cpu.first()).map(|(ladder, cpu)| ladder.timed(asked, set, cpu));
        timed.ok_or_else(|| "the processor was not measured".to_owned())
    }

    /// Returns the phases of an operation.
    pub(crate) fn operation(&mut self, asked: &operation::Asked) -> Result<Value, String> {
        operation::show(asked, self.profiles(asked.message))
    }

    fn profiles(&mut self, message: usize) -> &Profiles {
        if !self.messages.contains(&message) {
            self.messages.push(message);
        }
        if self.messages.len() > MESSAGES {
            self.messages = vec![message];
            self.profiles = Profiles::of(self.kept.clone());
        }
        &self.profiles
    }

    /// Returns the machines with a name. They are read from the results once.
    fn machines(&mut self, name: &str) -> Result<Vec<Machine>, String> {
        if let Some((_, known)) = self.machines.iter().find(|(known, _)| known == name) {
            return Ok(known.clone());
        }
        let named =
            machines::Named::read(name).ok_or_else(|| format!("unknown machine '{name}'"))?;
        let [processor, others] = self.reports.clone();
        let machines = Reports::new(processor, others, shipped).machines(named);
        let machines = machines.map_err(|error| error.to_string())?;
        if matches!(
            named,
            machines::Named::Cpu | machines::Named::Rtl(_) | machines::Named::Asip(_)
        ) {
            self.machines.push((name.to_owned(), machines.clone()));
        }
        Ok(machines)
    }
}

/// Records the operations of a set at the usual levels.
pub fn record(alg: &str) -> Result<String, String> {
    let set = Set::named(alg).map_err(|error| error.to_string())?;
    let kept = keep(&[set]).map_err(|error| error.to_string())?;
    // Operations that are already recorded are not recorded again.
    let profiles = Profiles::of(Kept::read(&kept));
    let ladder = Ladder::of(set, &profiles).map_err(|error| error.to_string())?;
    Ok(kept + &ladder.line())
}

fn shipped(name: &'static str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(match name {
        COMPARED => COMPARISON,
        HARDWARE => CORES,
        ASIP => PROCESSORS,
        _ => CALIBRATED,
    })
}

fn origin() -> Origin {
    Origin { version: Some(env!("CARGO_PKG_VERSION").to_owned()), ..Origin::default() }
}

/// Returns the names that a study may use, with the facts that the page shows about them.
pub fn choices() -> Value {
    let set = |set: &&'static Set| json!({ "name": set.name, "bytes": set.signature_bytes(), "w": set.w(), "n": set.n });
    json!({
        "sets": usual_sets().iter().map(set).collect::<Vec<_>>(),
        "signer": SignerLevel::ALL.map(SignerLevel::name),
        "verifier": VerifierLevel::ALL.map(VerifierLevel::name),
        "delivery": Delivery::ALL.map(Delivery::name),
        "version": env!("CARGO_PKG_VERSION"),
    })
}
