//! Runs the tool under `ptrace`, counts its calls on files of the yard, and strikes one of them.
//! Hasten calls the kernel without the C library, so a preloaded library would not see these calls.

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

/// The way a call is struck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blow {
    /// The call has no effect and returns an error.
    Fail(Errno),
    /// The call and every later one of its kind fail, as on a disk that is full or gone.
    FailOn(Errno),
    /// The call takes effect and returns an error.
    Hide(Errno),
    /// Half of the call takes effect, and its result reports this.
    Half,
    /// The process is killed before the call.
    KillBefore,
    /// The process is killed after the call.
    KillAfter,
    /// The process is paused before the call while something else happens.
    Pause,
}

/// A strike at the `at`th call on a file, counted from 0.
#[derive(Clone, Copy, Debug)]
pub struct Strike {
    /// Number of the call.
    pub at: usize,
    /// The way it is struck.
    pub blow: Blow,
}

/// A call on a file of the yard.
#[derive(Clone, Debug)]
pub struct Call {
    /// Its kind.
    pub kind: Kind,
    /// The file, as far as it can be determined.
    pub path: PathBuf,
}

/// The result of a run.
pub struct Traced {
    /// The calls, in order.
    pub calls: Vec<Call>,
    /// Whether the blow struck.
    pub struck: bool,
    /// Status and output of the process.
    pub answer: Answer,
}

/// Runs the tool with `arguments` in the yard. `meanwhile` is called during a pause.
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
    // The process has been waited for already. This only closes the pipe.
    drop(child.wait());
    let read = |name: &str| {
        String::from_utf8_lossy(&std::fs::read(yard.path(name)).unwrap_or_default()).into_owned()
    };
    let answer = Answer { status, out: read("out"), err: read("err") };
    Traced { calls: tracer.calls, struck: tracer.struck, answer }
}

/// Starts a shell that waits for a line before it becomes the tool, so that the tracer is attached
/// in time. The tool may use thirty seconds of CPU time.
fn start(yard: &Yard, arguments: &[&str]) -> Child {
    let mut command = yard.start(Path::new("/bin/sh"));
    let line = "ulimit -t 30; read go; exec \"$0\" \"$@\" </dev/null >out 2>err";
    command.args(["-c", line]).arg(yard.tool()).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("a shell")
}

/// What is done when a struck call returns.
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
    /// The kind of call that keeps failing.
    failing: Option<Kind>,
    /// Whether the tool has replaced the shell.
    begun: bool,
    struck: bool,
    due: HashMap<Pid, Due>,
}

/// Value of the result register before a call has a result.
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
            // Waits only for children of this thread, because another thread traces another tool.
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
        // A process killed meanwhile has no registers any more. Its end is waited for.
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

    /// Makes the kernel skip the call, and sets its error when it returns.
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

/// Returns true for pipes, sockets and similar descriptors, which have no path.
fn is_no_file(path: &Path) -> bool {
    path.to_str().is_some_and(|text| text.contains(":[") || text.starts_with("anon_inode"))
}

fn go_on(pid: Pid, signal: Option<Signal>) {
    let _ = ptrace::syscall(pid, signal);
}
