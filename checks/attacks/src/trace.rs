//! Runs the tool under `ptrace`, counts its calls on files of the yard, and strikes at one of them.
//! Hasten's calls go to the kernel without the C library, so nothing that is loaded before that
//! would see them.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use nix::errno::Errno;
use nix::libc::user_regs_struct;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use crate::calls::{self, Kind};
use crate::yard::{Answer, Yard};

/// How a call is struck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blow {
    /// It does not take place, and is answered with an error.
    Fail(Errno),
    /// It and every later one of its kind, as on a disk that is full or gone.
    FailOn(Errno),
    /// It takes place, and is answered with an error.
    Hide(Errno),
    /// Half of it takes place, and the answer says so.
    Half,
    /// The process is killed before it.
    KillBefore,
    /// The process is killed when it has taken place.
    KillAfter,
    /// The process stands still before it while something else happens.
    Pause,
}

/// Strike at the `at`th call on a file, counted from 0.
#[derive(Clone, Copy, Debug)]
pub struct Strike {
    /// Which call.
    pub at: usize,
    /// How.
    pub blow: Blow,
}

/// A call on a file of the yard.
#[derive(Clone, Debug)]
pub struct Call {
    /// Its kind.
    pub kind: Kind,
    /// The file, as far as it can be told.
    pub path: PathBuf,
}

/// Holds what came of a run.
pub struct Traced {
    /// The calls in their order.
    pub calls: Vec<Call>,
    /// True if the blow fell.
    pub struck: bool,
    /// How the process ended.
    pub answer: Answer,
}

/// Runs the tool with `arguments` in the yard; `meanwhile` happens at a pause.
pub fn run(
    yard: &Yard,
    arguments: &[&str],
    strike: Option<Strike>,
    meanwhile: &mut dyn FnMut(),
) -> Traced {
    let mut child = start(yard, arguments);
    let root = Pid::from_raw(child.id() as i32);
    let watch = Options::PTRACE_O_TRACESYSGOOD
        | Options::PTRACE_O_TRACEEXEC
        | Options::PTRACE_O_TRACECLONE
        | Options::PTRACE_O_TRACEFORK
        | Options::PTRACE_O_TRACEVFORK
        | Options::PTRACE_O_EXITKILL;
    ptrace::seize(root, watch).expect("this process may trace its child");
    ptrace::interrupt(root).expect("stopped");
    drop(child.stdin.take().map(|mut stdin| stdin.write_all(b"go\n")));
    let mut tracer = Tracer::new(yard.dir(), root, strike, meanwhile);
    let status = tracer.follow();
    // It has been waited for already: this ends the pipe alone.
    drop(child.wait());
    let read = |name: &str| {
        String::from_utf8_lossy(&std::fs::read(yard.path(name)).unwrap_or_default()).into_owned()
    };
    let answer = Answer { status, out: read("out"), err: read("err") };
    Traced { calls: tracer.calls, struck: tracer.struck, answer }
}

/// Returns a shell that waits for a line, so that the tracer is there before the tool is. Thirty
/// seconds of CPU are its bound.
fn start(yard: &Yard, arguments: &[&str]) -> Child {
    let mut command = yard.start(Path::new("/bin/sh"));
    let line = "ulimit -t 30; read go; exec \"$0\" \"$@\" </dev/null >out 2>err";
    command.args(["-c", line]).arg(yard.tool()).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("a shell")
}

/// Says what is done when a call that was struck returns.
enum Due {
    Answer(Errno),
    Kill,
}

struct Tracer<'t> {
    dir: &'t Path,
    root: Pid,
    strike: Option<Strike>,
    meanwhile: &'t mut dyn FnMut(),
    calls: Vec<Call>,
    /// The kind that keeps failing.
    failing: Option<Kind>,
    /// True from the moment at which the tool has taken the shell's place.
    begun: bool,
    struck: bool,
    due: HashMap<Pid, Due>,
}

/// Holds what the kernel leaves in the place of the answer until a call has one.
const NO_ANSWER_YET: u64 = -(Errno::ENOSYS as i64) as u64;

impl<'t> Tracer<'t> {
    fn new(
        dir: &'t Path,
        root: Pid,
        strike: Option<Strike>,
        meanwhile: &'t mut dyn FnMut(),
    ) -> Self {
        let (calls, due) = (Vec::new(), HashMap::new());
        let (failing, begun, struck) = (None, false, false);
        Self { dir, root, strike, meanwhile, calls, failing, begun, struck, due }
    }

    /// Follows the process and its threads to the end, and returns its status.
    fn follow(&mut self) -> i32 {
        loop {
            // Only the children of this thread: another thread traces another tool.
            let status = waitpid(None, Some(WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD));
            match status.expect("the child is there until it has been waited for") {
                WaitStatus::Exited(pid, status) if pid == self.root => return status,
                WaitStatus::Signaled(pid, signal, _) if pid == self.root => {
                    return 128 + signal as i32;
                }
                WaitStatus::PtraceSyscall(pid) => self.syscall(pid),
                WaitStatus::PtraceEvent(pid, _, event) => {
                    self.begun |= event == nix::libc::PTRACE_EVENT_EXEC;
                    go_on(pid, None);
                }
                WaitStatus::Stopped(pid, Signal::SIGTRAP) => go_on(pid, None),
                WaitStatus::Stopped(pid, signal) => go_on(pid, Some(signal)),
                _ => {}
            }
        }
    }

    fn syscall(&mut self, pid: Pid) {
        // A process killed meanwhile has no registers any more; its end is waited for.
        let Ok(registers) = ptrace::getregs(pid) else { return };
        match self.due.remove(&pid) {
            Some(due) => self.leave(pid, registers, &due),
            None if self.begun && registers.rax == NO_ANSWER_YET => self.enter(pid, registers),
            None => {}
        }
        go_on(pid, None);
    }

    fn enter(&mut self, pid: Pid, registers: user_regs_struct) {
        let r = &registers;
        let arguments = [r.rdi, r.rsi, r.rdx, r.r10, r.r8, r.r9];
        let Some(kind) = calls::kind(r.orig_rax, &arguments) else { return };
        let path = calls::path(pid, r.orig_rax, &arguments).unwrap_or_default();
        if path.is_absolute() && !path.starts_with(self.dir) || is_no_file(&path) {
            return;
        }
        let number = self.calls.len();
        self.calls.push(Call { kind, path });
        let Some(strike) = self.strike else { return };
        if strike.at == number {
            self.struck = true;
            self.fall(pid, registers, kind, strike.blow);
        } else if self.failing == Some(kind)
            && let Blow::FailOn(errno) = strike.blow
        {
            self.skip(pid, registers, errno);
        }
    }

    fn fall(&mut self, pid: Pid, mut registers: user_regs_struct, kind: Kind, blow: Blow) {
        match blow {
            Blow::Fail(errno) => self.skip(pid, registers, errno),
            Blow::FailOn(errno) => {
                self.failing = Some(kind);
                self.skip(pid, registers, errno);
            }
            Blow::Hide(errno) => drop(self.due.insert(pid, Due::Answer(errno))),
            Blow::Half => {
                registers.rdx = registers.rdx.div_ceil(2);
                ptrace::setregs(pid, registers).expect("a stopped process has registers");
            }
            Blow::KillBefore => self.kill(),
            Blow::KillAfter => drop(self.due.insert(pid, Due::Kill)),
            Blow::Pause => (self.meanwhile)(),
        }
    }

    /// Lets the kernel find no such call, and answers for it when it comes back.
    fn skip(&mut self, pid: Pid, mut registers: user_regs_struct, errno: Errno) {
        registers.orig_rax = u64::MAX;
        ptrace::setregs(pid, registers).expect("a stopped process has registers");
        self.due.insert(pid, Due::Answer(errno));
    }

    fn leave(&self, pid: Pid, mut registers: user_regs_struct, due: &Due) {
        match due {
            Due::Answer(errno) => {
                registers.rax = -(*errno as i64) as u64;
                ptrace::setregs(pid, registers).expect("a stopped process has registers");
            }
            Due::Kill => self.kill(),
        }
    }

    fn kill(&self) {
        let _ = kill(self.root, Signal::SIGKILL);
    }
}

/// Pipes, sockets and the like have no path.
fn is_no_file(path: &Path) -> bool {
    path.to_str().is_some_and(|text| text.contains(":[") || text.starts_with("anon_inode"))
}

fn go_on(pid: Pid, signal: Option<Signal>) {
    let _ = ptrace::syscall(pid, signal);
}
