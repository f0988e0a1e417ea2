//! The store on a simulated disk: a scenario of signatures, crashes, old copies and clones. Every
//! question plays it again from the beginning, so it can be stored in a link and always has the
//! same outcome.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hasten_store::{Mark, NewKey, Options, Store, StoreError, Witness};
use hasten_store_sim::{Book, Fault, Loss, Machine, Mutation, Outcome, Wrong};
use serde::Deserialize;
use serde_json::{Value, json};

/// Maximum number of acts in a scenario.
const MOST: usize = 200;
const DIR: &str = "/key";
const GUARD: &str = "/key.guard";
/// Number of signatures that the key can make.
const CAPACITY: u64 = 32;

/// Parameters of a scenario.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    acts: Vec<Act>,
    /// True if a witness outside the machine remembers how far the key was used.
    #[serde(default)]
    witness: bool,
}

/// An act of a scenario.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Act {
    /// Signs, on the original machine or on the clone.
    Sign { clone: bool },
    /// Cuts the power at this call of the next signature.
    Crash { at: u64 },
    /// Copies the directory of the key.
    Backup {},
    /// Restores the copied directory.
    Restore {},
    /// Copies the whole machine.
    Clone {},
    /// Recovers a refused key by burning this many indices.
    Recover { burn: u64 },
}

/// A witness outside all machines, which holds the mark of the key.
#[derive(Clone, Default)]
struct Outside(Arc<Mutex<Option<Mark>>>);

impl Outside {
    /// Returns a separate witness with the same mark.
    fn copy(&self) -> Self {
        Self(Arc::new(Mutex::new(*self.0.lock().unwrap_or_else(PoisonError::into_inner))))
    }
}

impl Witness for Outside {
    fn read(&self) -> Result<Option<Mark>, StoreError> {
        Ok(*self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn swap(&self, from: Option<&Mark>, to: &Mark) -> Result<bool, StoreError> {
        let mut mark = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same = mark.as_ref() == from;
        if same {
            *mark = Some(*to);
        }
        Ok(same)
    }

    fn lease(&self) -> Duration {
        Duration::ZERO
    }
}

struct Story {
    machine: Machine,
    clone: Option<Machine>,
    backup: Option<Vec<(String, Vec<u8>)>>,
    outside: Option<Outside>,
    book: Book,
}

/// Plays all acts. Returns the outcome of each act and the final contents of the disks.
pub fn tell(asked: &Asked) -> Result<Value, String> {
    if asked.acts.len() > MOST {
        return Err(format!("a story has {MOST} acts at most"));
    }
    let mut story = Story {
        machine: Machine::new(1, Mutation::Honest),
        clone: None,
        backup: None,
        outside: asked.witness.then(Outside::default),
        book: Book::default(),
    };
    let key = NewKey { threshold: 0, ..NewKey::new(CAPACITY) };
    let made = story.options(&story.machine).create(DIR, &key).and_then(Store::close);
    made.map_err(|error| error.to_string())?;
    let told: Vec<Value> = asked.acts.iter().map(|act| story.act(*act)).collect();
    let clone = story.clone.as_ref().map(|clone| story.disk(clone));
    Ok(json!({
        "told": told,
        "disk": story.disk(&story.machine),
        "clone": clone,
        "backup": story.backup.is_some(),
        "writes": story.writes(),
        "signatures": story.book.signatures(),
    }))
}

impl Story {
    fn options(&self, machine: &Machine) -> Options {
        options(machine, self.outside.clone())
    }

    fn act(&mut self, act: Act) -> Value {
        match act {
            Act::Sign { clone } => self.sign(clone),
            Act::Crash { at } => self.crash(at),
            Act::Backup {} => {
                self.backup = Some(self.machine.copy_dir(Path::new(DIR)));
                done("The key's directory was copied. Its guard lies elsewhere, and was not.")
            }
            Act::Restore {} => match &self.backup {
                Some(copy) => {
                    self.machine.restore_dir(Path::new(DIR), copy);
                    done("The copy was put back over the key's directory.")
                }
                None => refused("There is no copy."),
            },
            Act::Clone {} => {
                let clone = self.machine.fork_world(self.book.signatures() + 2);
                clone.restart();
                self.clone = Some(clone);
                done("The whole machine was copied: directory, guard and all.")
            }
            Act::Recover { burn } => self.recover(burn),
        }
    }

    fn sign(&mut self, on_clone: bool) -> Value {
        let (machine, place) = match (&self.clone, on_clone) {
            (Some(clone), true) => (clone, "on the clone"),
            (None, true) => return refused("There is no clone."),
            _ => (&self.machine, "here"),
        };
        let signed = signature(self.options(machine), &mut self.book);
        match signed {
            Ok(index) if self.book.wrong.contains(&Wrong::UsedTwice(index)) => {
                self.book.wrong.clear();
                json!({
                    "what": "twice",
                    "words": format!(
                        "Index {index} signed {place}, and had signed before: the key is broken. \
                         A clone of a whole machine looks the same from within. Only a witness \
                         outside tells."
                    ),
                })
            }
            Ok(index) => done(&format!("Index {index} signed {place}.")),
            Err(error) => {
                let words = error.to_string();
                let words = words.trim_start_matches("REFUSED: ").trim_end_matches('.');
                refused(&format!("Refused {place}: {words}."))
            }
        }
    }

    fn crash(&mut self, at: u64) -> Value {
        let what = self.writes().into_iter().find(|(call, _)| *call == at);
        self.machine.arm(Some(Fault { at, outcome: Outcome::CrashBefore }));
        let signed = signature(self.options(&self.machine), &mut self.book);
        let struck = self.machine.struck().is_some();
        self.machine.arm(None);
        self.machine.power_cut(Loss::All);
        let made = match signed {
            Ok(index) => format!("Index {index} had signed"),
            Err(_) => "Nothing had signed".to_owned(),
        };
        let before = match what {
            Some((_, what)) => format!("before '{what}'"),
            None if struck => format!("at call {at}"),
            None => "behind the signature".to_owned(),
        };
        let words =
            format!("The power went {before}. {made}; writes that were not synced are lost.");
        json!({ "what": "cut", "words": words })
    }

    fn recover(&mut self, burn: u64) -> Value {
        let opened = self.options(&self.machine).burn(burn).open(DIR).and_then(Store::close);
        match opened {
            Ok(status) => done(&format!(
                "The key goes on at index {}; {} indices are burned. {burn} is this page's number: \
                 the guard knows every signature made here, and nobody knows what a clone signed.",
                status.next, status.burned
            )),
            Err(error) => refused(&format!("Not recovered: {error}.")),
        }
    }

    /// Returns the writes and syncs of the next signature with their call numbers, found by signing
    /// on a copy of the disk.
    fn writes(&self) -> Vec<(u64, String)> {
        let copy = self.machine.fork_world(0);
        let options = options(&copy, self.outside.as_ref().map(Outside::copy));
        copy.listen(|| drop(signature(options, &mut Book::default())))
    }

    /// Returns the status of the key, its records and its files on the disk of a machine.
    fn disk(&self, machine: &Machine) -> Value {
        // Reading makes calls that would count towards the call of a later crash, so a copy is
        // read.
        let copy = machine.fork_world(0);
        let options = self.options(&copy);
        let files = copy.copy_dir(Path::new(DIR));
        let files: Vec<_> = files.into_iter().map(|(name, bytes)| (name, bytes.len())).collect();
        let record = |entry: hasten_store::Entry| {
            json!([entry.seq, entry.what, entry.first, entry.count, entry.generation])
        };
        let audit = options.peek_audit(DIR).map(|all| all.into_iter().map(record).collect());
        let status = options.peek(DIR).map(|status| {
            json!({
                "next": status.next, "used": status.used, "lost": status.lost,
                "burned": status.burned, "remaining": status.remaining,
            })
        });
        json!({
            "files": files,
            "records": audit.unwrap_or_else(|error| Value::from(error.to_string())),
            "status": status.unwrap_or_else(|error| Value::from(error.to_string())),
        })
    }
}

fn options(machine: &Machine, outside: Option<Outside>) -> Options {
    let options = Options::new().env(machine.process()).guard(GUARD);
    match outside {
        Some(outside) => options.witness(outside),
        None => options,
    }
}

/// Opens the key, reserves an index, signs with it, and closes the key.
fn signature(options: Options, book: &mut Book) -> Result<u64, StoreError> {
    let mut store = options.open(DIR)?;
    let mut index = None;
    for permit in store.reserve(1)? {
        let at = permit.index();
        permit.check()?;
        book.sign(permit, false);
        // The index counts as used even if recording it fails.
        drop(store.record(at));
        index = Some(at);
    }
    drop(store.close());
    index.ok_or(StoreError::Exhausted { remaining: 0 })
}

fn done(words: &str) -> Value {
    json!({ "what": "done", "words": words })
}

fn refused(words: &str) -> Value {
    json!({ "what": "refused", "words": words })
}
