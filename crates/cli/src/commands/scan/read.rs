//! Parallel reading of files, and the ledger of the signatures in them.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, Instant};

use hasten_keys::Error as KeyError;
use hasten_keys::fit::{Unfit, fit};
use hasten_keys::scan::{Account, Ledger, Look, Other, Scanner, Verdict};

use crate::files::{MOST, Names, NotRead, PassedOver, Walk, open_regular, read_regular};
use crate::found::{names_signature, signed_file};
use crate::progress::Progress;

/// Maximum number of threads, each of which reads one file at a time.
const MOST_THREADS: usize = 8;

/// A file that contributes nothing to the result.
pub struct Passed {
    /// Name of the file.
    pub file: PathBuf,
    /// The verdict: `other-key`, `other-set`, `no-signature`, `passed-over`, `unread`.
    pub verdict: &'static str,
    /// The reason.
    pub reason: String,
}

/// Counts of indices, signatures and files.
#[derive(Clone, Copy, Default)]
pub struct Counts {
    /// Indices that signed. For a key without indices, the number of signatures.
    pub used: u64,
    /// Indices with an unverified signature.
    pub unverified: u64,
    /// Indices that were used twice.
    pub reused: u64,
    /// Indices that are claimed twice.
    pub claimed: u64,
    /// Indices of upper levels that were used twice, and those that are claimed twice.
    pub upper_reused: u64,
    pub upper_claimed: u64,
    /// Ranges of indices without a signature.
    pub gaps: u64,
    pub files: u64,
    pub files_with_signatures: u64,
    pub other_key: u64,
    pub other_set: u64,
    pub no_signature: u64,
    pub passed_over: u64,
    pub unread: u64,
}

/// Result of the scan.
pub struct Scanned<'s> {
    pub scanner: &'s Scanner<'s>,
    pub names: Names,
    pub account: Account,
    /// Files that contribute nothing, sorted by name.
    pub passed: Vec<Passed>,
    pub counts: Counts,
}

impl Scanned<'_> {
    /// Whether an index was used twice or is claimed twice, or the signature limit is exceeded.
    pub fn is_wrong(&self) -> bool {
        let Counts { reused, claimed, upper_reused, upper_claimed, .. } = self.counts;
        reused + claimed + upper_reused + upper_claimed > 0 || self.account.is_over_limit()
    }

    /// Whether any file has a signature that may be of the key.
    pub fn has_any(&self) -> bool {
        self.counts.files_with_signatures > 0
    }

    /// Whether every file could be read.
    pub fn is_whole(&self) -> bool {
        self.counts.unread == 0
    }
}

/// Content of one file.
struct Content {
    look: Look,
    /// How the file is cut short, if its name is that of a signature.
    cut: Option<Unfit>,
}

/// Number of a file, and its content.
type Said = (usize, Result<Content, NotRead>);

/// Reads all files.
pub fn all<'s>(scanner: &'s Scanner<'s>, walk: Walk) -> Scanned<'s> {
    let Walk { files: names, passed: not_read } = walk;
    let mut ledger = Ledger::new(scanner.capacity());
    let mut passed: Vec<Passed> = not_read.into_iter().map(no_file).collect();
    let mut with_signatures = vec![false; names.len()];
    each(scanner, &names, &mut |(number, said)| {
        let name = names.name(number);
        match said {
            Ok(Content { look, cut }) => {
                with_signatures[number] = !look.signatures.is_empty();
                look.signatures.iter().for_each(|one| ledger.add(number as u32, one));
                passed.extend(unread_message(name, &look));
                passed.extend(none_of_key(name, &look, cut));
            }
            Err(why) => passed.push(not_looked_at(name, why)),
        }
    });
    let account = ledger.finish();
    for file in account.refuted() {
        with_signatures[*file as usize] = false;
        passed.push(Passed::new(names.name(*file as usize), "other-key", REFUTED));
    }
    passed.sort_unstable_by(|one, other| one.file.cmp(&other.file));
    let counts = counts(&account, &passed, &with_signatures);
    Scanned { scanner, names, account, passed, counts }
}

/// Reason for a signature that does not verify although its message is available.
const NOT_GOOD: &str =
    "does not verify by this key: another key's, or message or signature changed";

/// Reason for a signature without a message that is proved not to be of the key.
const REFUTED: &str = "its path is not that of a verified signature with its index";

impl Passed {
    fn new(file: &Path, verdict: &'static str, reason: &str) -> Self {
        Self { file: file.to_owned(), verdict, reason: reason.to_owned() }
    }
}

fn no_file(PassedOver { path, why, is_missed }: PassedOver) -> Passed {
    let verdict = if is_missed { "unread" } else { "passed-over" };
    Passed { file: path, verdict, reason: why.to_string() }
}

/// Returns why a file was not examined. A file that is too long for a signature contains none.
fn not_looked_at(file: &Path, why: NotRead) -> Passed {
    let verdict = match why {
        NotRead::TooLong(_) => "no-signature",
        NotRead::Special(_) => "passed-over",
        _ => "unread",
    };
    Passed::new(file, verdict, &why.to_string())
}

fn unread_message(file: &Path, look: &Look) -> Option<Passed> {
    let why = look.unread_message.as_ref()?;
    Some(Passed::new(file, "unread", &format!("the message beside it: {why}")))
}

fn none_of_key(file: &Path, look: &Look, cut: Option<Unfit>) -> Option<Passed> {
    if !look.signatures.is_empty() {
        return None;
    }
    Some(match &look.other {
        Other::Nothing => {
            let why = cut.map_or(String::new(), |cut| format!("named as a signature: {cut}"));
            Passed::new(file, "no-signature", &why)
        }
        Other::Key => Passed::new(file, "other-key", NOT_GOOD),
        Other::Set(name) if name.is_empty() => {
            Passed::new(file, "other-set", "signed with another algorithm")
        }
        Other::Set(name) => Passed::new(file, "other-set", name),
    })
}

fn counts(account: &Account, passed: &[Passed], with_signatures: &[bool]) -> Counts {
    let files = with_signatures.len() as u64;
    let mut counts = Counts { files, gaps: account.gaps().count() as u64, ..Counts::default() };
    for index in account.indices() {
        let (reused, claimed) = match index.level {
            0 => {
                counts.used += 1;
                counts.unverified += u64::from(index.files.iter().any(|file| !file.is_verified));
                (&mut counts.reused, &mut counts.claimed)
            }
            _ => (&mut counts.upper_reused, &mut counts.upper_claimed),
        };
        match index.verdict {
            Verdict::Reused => *reused += 1,
            Verdict::Claimed { .. } => *claimed += 1,
            Verdict::Good | Verdict::Unseen => {}
        }
    }
    counts.files_with_signatures = with_signatures.iter().filter(|has| **has).count() as u64;
    for one in passed {
        match one.verdict {
            "other-key" => counts.other_key += 1,
            "other-set" => counts.other_set += 1,
            "no-signature" => counts.no_signature += 1,
            "passed-over" => counts.passed_over += 1,
            _ => counts.unread += 1,
        }
    }
    counts
}

/// Reads all files on several threads. Calls `take` on this thread with the content of each.
fn each(scanner: &Scanner<'_>, names: &Names, take: &mut dyn FnMut(Said)) {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get().min(MOST_THREADS));
    let (next, (sender, said)) = (AtomicUsize::new(0), sync_channel(16 * threads));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || some(scanner, names, next, &sender));
        }
        drop(sender);
        let (begun, mut bar) = (Instant::now(), None);
        for (done, said) in said.iter().enumerate() {
            take(said);
            if begun.elapsed() > Duration::from_secs(1) {
                let begin = || Progress::new("scanning".to_owned(), names.len() as u64, "files");
                bar.get_or_insert_with(begin).at(done as u64);
            }
        }
    });
}

/// Reads files until none is left or the receiver is gone.
fn some(scanner: &Scanner<'_>, names: &Names, next: &AtomicUsize, to: &SyncSender<Said>) {
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= names.len() {
            return;
        }
        let name = names.name(number);
        let content = read_regular(name, MOST).map(|bytes| {
            let look = scanner.look(&bytes, &mut || match signed_file(name) {
                Some(message) => opened(&message).map(Some),
                None => Ok(None),
            });
            let is_cut = |unfit: &Unfit| match unfit {
                Unfit::Empty | Unfit::Cut { .. } => true,
                Unfit::Length { bytes, of } => bytes < of,
                _ => false,
            };
            let unfit = names_signature(name).then(|| fit(scanner.key(), &bytes).err()).flatten();
            Content { look, cut: unfit.filter(is_cut) }
        });
        if to.send((number, content)).is_err() {
            return;
        }
    }
}

fn opened(message: &Path) -> Result<Box<dyn Read>, KeyError> {
    let file = open_regular(message).map_err(|why| KeyError::Io(why.kind()))?;
    Ok(Box::new(file))
}
