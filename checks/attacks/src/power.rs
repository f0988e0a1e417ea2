//! `power`: a real ext4 on a disk with a volatile cache, up to two signers at work, and the power
//! cut at any write or flush of the disk. The disk found afterwards is mounted, which replays its
//! journal, and used for signing. Every released signature must be there, and no one-time key may
//! be used twice.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use fuser::{BackgroundSession, Config, MountOption};
use hasten_report::number;
use hasten_store_sim::Dice;
use serde_json::json;

use crate::disk::{Cut, Disk, Files, Left, Loss, Shop};
use crate::ledger::Ledger;
use crate::namespace::NEEDS;
use crate::progress::Progress;
use crate::strikes::Tally;
use crate::yard::{Setup, Yard, adds_up};

const LOSSES: [Loss; 4] = [Loss::Nothing, Loss::All, Loss::Some, Loss::Some];

/// Cuts the power under a key of one tree, which changes only state when it signs, and under a key
/// of four layers, whose nodes change too. Needs FUSE, loop devices and mounts.
pub fn run(setup: &Setup) -> Tally {
    let mut tally = Tally::default();
    if let Err(why) = crate::namespace::enter() {
        hasten_report::skipped("power", why, NEEDS);
        return tally;
    }
    let one_tree = if setup.short { "LMS_SHA256_M24_H10_W4" } else { "LMS_SHA256_M24_H15_W4" };
    for alg in [one_tree, "XMSSMT-SHA2_20/4_192"] {
        match Plant::new(setup, alg) {
            Ok(plant) => cut_all(setup, &plant, &mut tally),
            Err(why) => hasten_report::skipped(&format!("power {alg}"), &why, NEEDS),
        }
    }
    tally
}

fn cut_all(setup: &Setup, plant: &Plant, tally: &mut Tally) {
    let begun = Instant::now();
    let mut sum = Sum::default();
    let progress = Progress::new("power");
    let mut dice = Dice(setup.seed);
    for cut in 0..number("--cuts", if setup.short { 4 } else { 250 }) {
        let left = plant.cut(&mut dice, cut);
        for loss in LOSSES {
            plant.judge(&left, loss, &mut dice, &mut sum);
            progress.step(sum.wrong.len());
        }
    }
    tally.rows.push(sum.row(plant, begun));
    tally.wrong.extend(sum.wrong);
}

/// Sums over the cuts.
#[derive(Default)]
struct Sum {
    disks: u64,
    refused: u64,
    at_risk: u64,
    released: u64,
    signatures: u64,
    lost: u64,
    wrong: Vec<String>,
}

impl Sum {
    fn row(&self, plant: &Plant, begun: Instant) -> serde_json::Value {
        let shop = plant.shop.lock().expect("no thread died");
        let twice = self.wrong.iter().filter(|text| text.contains("twice")).count();
        json!({
            "attack": "power cut of an ext4", "alg": plant.alg, "signers": "one or two", "cases": self.disks, "losses": "nothing, all since the last flush, some of it (twice)",
            "disk_writes": shop.writes, "disk_flushes": shop.flushes, "writes_at_risk": self.at_risk,
            "released_and_looked_for": self.released, "signatures": self.signatures, "refused_afterwards": self.refused,
            "lost_and_counted": self.lost, "used_twice": twice, "otherwise_wrong": self.wrong.len() - twice,
            "seconds": begun.elapsed().as_secs_f64().round(),
        })
    }
}

/// The disk in use with its file system and key, and a place for other disks.
struct Plant {
    alg: &'static str,
    yard: Yard,
    shop: Arc<Mutex<Shop>>,
    released: Arc<Mutex<Vec<String>>>,
    _device: Device,
    _served: BackgroundSession,
}

impl Plant {
    fn new(setup: &Setup, alg: &'static str) -> Result<Self, String> {
        let yard = Yard::new(setup, &format!("power-{}", alg.replace('/', "-")));
        for folder in ["disks", "fs", "kept", "found"] {
            std::fs::create_dir_all(yard.path(folder)).expect("made");
        }
        let shop = Arc::new(Mutex::new(Shop::default()));
        shop.lock().expect("new").disks = vec![Disk::new(), Disk::new()];
        let mut config = Config::default();
        config.mount_options = vec![MountOption::FSName("disks".to_owned())];
        let served = fuser::spawn_mount(Files(Arc::clone(&shop)), yard.path("disks"), &config);
        let served = served.map_err(|error| format!("no FUSE here: {error}"))?;
        let device = Device::new(&yard.path("disks/0"))?;
        if !device.has_volatile_cache() {
            return Err("the loop device does not pass flushes on".to_owned());
        }
        let lines = format!(
            "mkfs.ext4 -q -b 4096 -J size=4 {0} && mount -t ext4 {0} fs &&
             \"$HASTEN\" keygen --alg '{alg}' -k fs/key --guard fs/guard --threads 1 && cp fs/key/public.pem . && sync",
            device.0.display()
        );
        let answer = yard.shell(&lines);
        if !answer.good() {
            return Err(format!("no ext4 on a loop device here: {}", answer.err.trim()));
        }
        Ok(Self { alg, yard, shop, released: Arc::default(), _device: device, _served: served })
    }

    /// Runs one or two signers until the power is cut.
    fn cut(&self, dice: &mut Dice, serial: u64) -> Left {
        // Three of four cuts wait for a write at risk. In half of the cuts a single signer works.
        let (after, at_risk, signers) = (dice.below(120), dice.below(4) > 0, 1 + dice.below(2));
        let cut = Cut { after, at_risk, released: Arc::clone(&self.released) };
        self.shop.lock().expect("no thread died").cut = Some(cut);
        std::thread::scope(|scope| {
            for signer in 0..signers {
                scope.spawn(move || {
                    for round in 0.. {
                        self.release(&format!("c{serial}.{signer}.{round}"));
                        if self.shop.lock().expect("no thread died").left.is_some() {
                            return;
                        }
                    }
                });
            }
        });
        self.shop.lock().expect("no thread died").left.take().expect("the cut has fallen")
    }

    /// Signs a message. If the tool reports success, keeps a copy of the signature outside the
    /// disk, as if it had been released.
    fn release(&self, name: &str) {
        self.yard.message(name);
        let out = format!("fs/{name}.sig");
        let answer =
            self.yard.hasten(&["sign", "-k", "fs/key", name, "--out", &out, "--wait", "60s"]);
        if answer.good() {
            std::fs::copy(self.yard.path(&out), self.yard.path(&format!("kept/{name}.sig")))
                .expect("kept");
            std::fs::copy(self.yard.path(name), self.yard.path(&format!("kept/{name}")))
                .expect("kept");
            self.released.lock().expect("no thread died").push(name.to_owned());
        }
    }

    /// Mounts the disk found after a cut in place of the other, in its own namespace, and signs
    /// twice.
    fn judge(&self, left: &Left, loss: Loss, dice: &mut Dice, sum: &mut Sum) {
        self.shop.lock().expect("no thread died").disks[1] = left.disk.after(loss, dice);
        let device = Device::new(&self.yard.path("disks/1")).expect("a second loop device");
        let lines = format!(
            "rm -rf found; mkdir found; mount -t ext4 {} fs || exit 97; cp fs/*.sig found; cd found
             for n in x1 x2; do echo message $n >$n; \"$HASTEN\" sign -k ../fs/key $n; done
             \"$HASTEN\" status -k ../fs/key --json >status.json; umount ../fs",
            device.0.display()
        );
        let answer =
            self.yard.shell(&format!("exec unshare -m --propagation private sh -c '{lines}'"));
        drop(device);
        sum.disks += 1;
        sum.at_risk += left.disk.unsafe_writes() as u64;
        if answer.status == 97 {
            sum.wrong
                .push(format!("{loss:?}: the file system does not mount: {}", answer.err.trim()));
            return;
        }
        let wrong = self.look(left, sum, &answer.err);
        sum.wrong.extend(wrong.iter().map(|text| format!("{loss:?}: {text}")));
    }

    fn look(&self, left: &Left, sum: &mut Sum, said: &str) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut ledger = Ledger::new(self.alg, &self.yard.path("public.pem")).expect("a key");
        let released = self.released.lock().expect("no thread died")[..left.released].to_vec();
        for name in &released {
            let kept = self.yard.path(&format!("kept/{name}.sig"));
            let bytes = std::fs::read(&kept).unwrap_or_default();
            if std::fs::read(self.yard.path(&format!("found/{name}.sig"))).ok() != Some(bytes) {
                wrong.push(format!("released with status 0 and gone: {name}.sig"));
            }
            ledger.enter(&kept);
        }
        let before = ledger.good;
        for name in ["x1.sig", "x2.sig"] {
            ledger.enter(&self.yard.path(&format!("found/{name}")));
        }
        if ledger.good < before + 2 {
            sum.refused += 1;
            wrong.push(format!("signs no more: {}", said.trim()));
        }
        let text = std::fs::read_to_string(self.yard.path("found/status.json")).unwrap_or_default();
        let report: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        let row = &report["rows"][0];
        if !adds_up(row) {
            wrong.push(format!("the account does not add up: {row}"));
        }
        sum.lost += row["lost"].as_u64().unwrap_or(0);
        sum.released += released.len() as u64;
        sum.signatures += ledger.good - before;
        wrong.append(&mut ledger.wrong);
        wrong
    }
}

impl Drop for Plant {
    fn drop(&mut self) {
        drop(self.yard.shell("umount fs"));
    }
}

/// A loop device over a disk.
struct Device(PathBuf);

impl Device {
    fn new(file: &Path) -> Result<Self, String> {
        let output =
            std::process::Command::new("losetup").args(["-f", "--show"]).arg(file).output();
        let output = output.map_err(|error| format!("no losetup here: {error}"))?;
        let name = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if name.is_empty() {
            let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(format!("loop devices are not allowed here: {why}"));
        }
        Ok(Self(PathBuf::from(name)))
    }

    /// Returns true if the kernel knows that the device must be flushed.
    fn has_volatile_cache(&self) -> bool {
        let name = self.0.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let cache = std::fs::read_to_string(format!("/sys/block/{name}/queue/write_cache"));
        cache.is_ok_and(|kind| kind.trim() == "write back")
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        drop(std::process::Command::new("losetup").arg("-d").arg(&self.0).status());
    }
}
