//! The driver of `hbs_verify_axi` on the simulated core, compared with the verdicts of
//! `hasten-hbs`.

#[path = "support/alone.rs"]
mod alone;
#[path = "support/fault.rs"]
mod fault;

use fault::Fault;
use hasten_hbs::{PublicKey, Set, SignerLevel, Verifier, generate, hazmat::Throwaway};
use hasten_kernels::Kernels;
use hasten_rtlsim::hbs_verify::RtlHbsVerify;
use hasten_rtlsim::registers::hbs_verify as regs;
use hasten_rtlsim::registers::hbs_verify_driver::{Bus, Error, Form, HbsVerify, Verdict};
use hasten_rtlsim::{BUILT, Error as NoCore};
use sha2::{Digest, Sha256};

/// Returns true if there are simulated cores.
fn has_cores() -> bool {
    hasten_report::is_built(BUILT, "simulated cores", &["rtl"])
}

fn core() -> Option<HbsVerify<RtlHbsVerify>> {
    if !has_cores() {
        assert_eq!(RtlHbsVerify::new().unwrap_err(), NoCore::NotBuilt);
        return None;
    }
    Some(HbsVerify::new(RtlHbsVerify::new().unwrap()).unwrap())
}

/// A key with a signature of a message.
struct Signed {
    form: Form,
    key: Vec<u8>,
    message: Vec<u8>,
    signature: Vec<u8>,
}

fn signed(set: &'static Set, form: Form, length: usize) -> Signed {
    let seed: Vec<u8> = (0..set.seed_bytes()).map(|i| i as u8).collect();
    let message: Vec<u8> = (0..length).map(|i| (i * i) as u8).collect();
    let mut signer = generate(set, &seed, Kernels::best()).unwrap();
    let mut permits = Throwaway::new();
    let prepared = signer.prepare(permits.permit(), SignerLevel::None).unwrap();
    let signature = prepared.finish(&message).unwrap().as_bytes().to_vec();
    let key = signer.public_key().as_bytes().to_vec();
    Signed { form, key, message, signature }
}

fn named(name: &str, length: usize) -> Signed {
    signed(Set::named(name).unwrap(), Form::Lms, length)
}

fn two_levels(high: &str, low: &str, length: usize) -> Signed {
    let sets = [high, low].map(|name| Set::named(name).unwrap());
    signed(Set::hss(&sets).unwrap(), Form::Hss, length)
}

impl Signed {
    /// Returns true if software finds the signature good.
    fn software(&self) -> bool {
        let key = match self.form {
            Form::Lms => PublicKey::from_lms_bytes(&self.key),
            Form::Hss => PublicKey::from_hss_bytes(&self.key),
            Form::Xmss => PublicKey::from_xmss_bytes(&self.key),
        };
        key.is_ok_and(|key| {
            Verifier::new(&key, Kernels::best()).verify(&self.message, &self.signature).is_ok()
        })
    }

    fn ask(&self, core: &mut HbsVerify<RtlHbsVerify>) -> Verdict {
        core.verify(self.form, &self.key, &self.message, &self.signature).unwrap()
    }

    /// Compares core and software after changing a bit at each of some places.
    fn changed(mut self, core: &mut HbsVerify<RtlHbsVerify>, places: usize) {
        for i in 0..places {
            let all = self.key.len() + self.signature.len();
            let (at, bit) = (i * all / places + i % 3, 1_u8 << (i % 8));
            self.flip(at.min(all - 1), bit);
            let good = self.ask(core) == Verdict::Good;
            assert_eq!((good, self.software()), (false, false), "byte {at}, bit {bit}");
            self.flip(at.min(all - 1), bit);
        }
        assert_eq!(self.ask(core), Verdict::Good);
    }

    fn flip(&mut self, at: usize, bit: u8) {
        match at.checked_sub(self.key.len()) {
            None => self.key[at] ^= bit,
            Some(at) => self.signature[at] ^= bit,
        }
    }
}

#[test]
fn signatures_of_every_form_are_good_and_no_changed_ones() {
    let Some(mut core) = core() else { return };
    for one in [
        named("LMS_SHA256_M24_H5_W1", 0),
        named("LMS_SHA256_M24_H5_W4", 61),
        named("LMS_SHA256_M32_H5_W2", 4),
        named("LMS_SHA256_M32_H5_W8", 1_001),
        two_levels("LMS_SHA256_M24_H5_W4", "LMS_SHA256_M32_H5_W2", 7),
        two_levels("LMS_SHA256_M32_H5_W4", "LMS_SHA256_M24_H5_W1", 64),
        signed(Set::named("XMSS-SHA2_10_192").unwrap(), Form::Xmss, 77),
        signed(Set::named("XMSS-SHA2_10_256").unwrap(), Form::Xmss, 0),
    ] {
        assert!(one.software());
        assert_eq!(one.ask(&mut core), Verdict::Good);
        // A verification of XMSS takes as long as ten of LMS.
        let places = if one.form == Form::Xmss { 8 } else { 24 };
        one.changed(&mut core, places);
    }
    assert!(core.cycles().unwrap() > 10_000);
}

#[test]
fn other_lengths_and_forms_are_refused() {
    let Some(mut core) = core() else { return };
    let one = named("LMS_SHA256_M24_H5_W4", 9);
    let (key, signature) = (&one.key[..], &one.signature[..]);
    let longer = [signature, &[0]].concat();
    for (form, key, signature) in [
        (Form::Hss, key, signature),
        (Form::Xmss, key, signature),
        (Form::Lms, &key[..key.len() - 1], signature),
        (Form::Lms, &[], signature),
        (Form::Lms, key, &signature[4..]),
        (Form::Lms, key, &[]),
        (Form::Lms, key, &longer),
    ] {
        let verdict = core.verify(form, key, &one.message, signature);
        assert_eq!(verdict, Ok(Verdict::Refused));
    }
    let mut other = one.message.clone();
    other[8] ^= 1;
    assert_eq!(core.verify(Form::Lms, key, &other, signature), Ok(Verdict::Bad));
    assert_eq!(core.verify(Form::Lms, key, &other[..8], signature), Ok(Verdict::Bad));
    assert_eq!(one.ask(&mut core), Verdict::Good);
}

#[test]
fn the_digest_serves_in_place_of_the_message() {
    let Some(mut core) = core() else { return };
    let one = named("LMS_SHA256_M32_H5_W4", 100);
    let head = [&one.key[8..24], &one.signature[..4], &[0x81, 0x81], &one.signature[8..40]];
    let digest = Sha256::digest([&head.concat()[..], &one.message].concat());
    let mut ask = |digest: &[u8]| core.verify_digest(Form::Lms, &one.key, digest, &one.signature);
    assert_eq!(ask(&digest), Ok(Verdict::Good));
    assert_eq!(ask(&digest[1..]), Ok(Verdict::Refused));
    assert_eq!(ask(&[7; 32]), Ok(Verdict::Bad));
}

/// A bus that passes everything on to the core, but fails once, after this number of words.
struct Failing {
    core: RtlHbsVerify,
    left: usize,
}

impl Bus for Failing {
    type Error = ();

    fn read(&mut self, address: usize) -> Result<u32, ()> {
        self.core.read(address).map_err(|_| ())
    }

    fn write(&mut self, address: usize, value: u32) -> Result<(), ()> {
        self.core.write(address, value).map_err(|_| ())
    }

    fn send(&mut self, word: [u8; 4], last: bool) -> Result<(), ()> {
        self.left = self.left.wrapping_sub(1);
        if self.left == 0 { Err(()) } else { self.core.send(word, last).map_err(|_| ()) }
    }
}

#[test]
fn a_stream_that_the_bus_broke_off_is_forgotten() {
    if !has_cores() {
        return;
    }
    let one = named("LMS_SHA256_M24_H5_W4", 9);
    for left in [1, 5, 20, 24, 200] {
        let bus = Failing { core: RtlHbsVerify::new().unwrap(), left };
        let mut core = HbsVerify::new(bus).unwrap();
        let mut ask = || core.verify(one.form, &one.key, &one.message, &one.signature);
        assert_eq!(ask(), Err(Error::Bus(())));
        assert_eq!(ask(), Ok(Verdict::Good), "after {left} words");
    }
}

/// A fake core whose status changes each time it is read. It has other values after the stream has
/// ended than before.
struct Fake {
    id: u32,
    before: [u32; 2],
    status: [u32; 2],
    ended: bool,
}

impl Fake {
    fn new(before: u32, status: [u32; 2]) -> Self {
        Self { id: u32::from_be_bytes(*b"HBSV"), before: [before; 2], status, ended: false }
    }
}

impl Bus for Fake {
    type Error = ();

    fn read(&mut self, address: usize) -> Result<u32, ()> {
        match address {
            regs::ID => Ok(self.id),
            regs::VERSION => Ok(1 << regs::VERSION_MAJOR_SHIFT),
            _ => {
                let shown = if self.ended { &mut self.status } else { &mut self.before };
                shown.rotate_left(1);
                Ok(shown[1])
            }
        }
    }

    fn write(&mut self, _address: usize, _value: u32) -> Result<(), ()> {
        Ok(())
    }

    fn send(&mut self, _word: [u8; 4], last: bool) -> Result<(), ()> {
        self.ended |= last;
        Ok(())
    }

    fn goes_on(&mut self, times: u32) -> bool {
        times < 100
    }
}

#[test]
fn another_block_and_a_changing_answer_are_no_verdict() {
    let other = HbsVerify::new(Fake { id: 1, ..Fake::new(0, [0; 2]) });
    assert_eq!(other.err(), Some(Error::NotTheCore));
    let one = named("LMS_SHA256_M24_H5_W4", 9);
    let shown = |code: u32| code << regs::STATUS_VERDICT_SHIFT;
    let (good, busy) = (shown(regs::STATUS_VERDICT_GOOD), regs::STATUS_BUSY_MASK);
    for (before, status, wanted) in [
        (0, [good, good], Ok(Verdict::Good)),
        (0, [good, shown(regs::STATUS_VERDICT_BAD)], Err(Error::NoAnswer)),
        (0, [shown(regs::STATUS_VERDICT_BAD), good], Err(Error::NoAnswer)),
        (0, [shown(regs::STATUS_VERDICT_GOOD ^ 1); 2], Err(Error::NoAnswer)),
        (0, [shown(regs::STATUS_VERDICT_NONE); 2], Err(Error::NoAnswer)),
        (0, [busy; 2], Err(Error::NoAnswer)),
        // Neither the command that clears nor the one that verifies arrived.
        (good, [good; 2], Err(Error::NoAnswer)),
        (busy, [good; 2], Err(Error::NoAnswer)),
    ] {
        let mut core = HbsVerify::new(Fake::new(before, status)).unwrap();
        let found = core.verify(Form::Lms, &one.key, &one.message, &one.signature);
        assert_eq!(found, wanted, "{before:x} {status:x?}");
    }
}

/// A bus that passes everything on to the core, with one fault at an access to its registers,
/// counted from 1.
struct Faulty {
    core: RtlHbsVerify,
    fault: Fault,
    left: usize,
}

impl Faulty {
    fn is_due(&mut self) -> bool {
        self.left = self.left.wrapping_sub(1);
        self.left == 0
    }
}

impl Bus for Faulty {
    type Error = ();

    fn read(&mut self, address: usize) -> Result<u32, ()> {
        match (self.is_due(), self.fault) {
            (true, Fault::Refused) => return Err(()),
            (true, Fault::Reset) => self.core = RtlHbsVerify::new().unwrap(),
            _ => {}
        }
        self.core.read(address).map_err(|_| ())
    }

    fn write(&mut self, address: usize, value: u32) -> Result<(), ()> {
        match (self.is_due(), self.fault) {
            (true, Fault::Lost) => return Ok(()),
            (true, Fault::Refused) => return Err(()),
            (true, Fault::Reset) => self.core = RtlHbsVerify::new().unwrap(),
            (false, _) => {}
        }
        self.core.write(address, value).map_err(|_| ())
    }

    fn send(&mut self, word: [u8; 4], last: bool) -> Result<(), ()> {
        self.core.send(word, last).map_err(|_| ())
    }

    fn goes_on(&mut self, times: u32) -> bool {
        times < 200_000
    }
}

/// Verifies a good signature, then the same signature for another message. A fault occurs at each
/// of the first accesses, and at some of those that wait for an answer.
#[test]
fn no_fault_of_the_bus_makes_a_signature_good() {
    if !has_cores() {
        return;
    }
    let one = named("LMS_SHA256_M24_H5_W4", 9);
    let other: Vec<u8> = one.message.iter().map(|byte| byte ^ 1).collect();
    for fault in [Fault::Lost, Fault::Refused, Fault::Reset] {
        let waiting = (16..20_000).step_by(4_999);
        for left in (1..16).chain(waiting) {
            let bus = Faulty { core: RtlHbsVerify::new().unwrap(), fault, left };
            let Ok(mut core) = HbsVerify::new(bus) else { continue };
            let mut ask = |message: &[u8]| core.verify(one.form, &one.key, message, &one.signature);
            let _first = ask(&one.message);
            assert_ne!(ask(&other), Ok(Verdict::Good), "{fault:?} at {left}");
        }
    }
}

#[test]
fn the_driver_needs_core_alone() {
    alone::compiles(
        "hbs_verify",
        "#![forbid(unsafe_code)]",
        [("hbs_verify", "gen/hbs_verify_regs.rs"), ("hbs_verify_driver", "hbs_verify_driver.rs")],
    );
}
