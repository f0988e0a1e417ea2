//! The user who runs the process.

/// Returns the name of the user, if it is in the system's own list.
pub fn name() -> Option<String> {
    let uid = rustix::process::getuid().as_raw().to_string();
    let list = std::fs::read_to_string("/etc/passwd").ok()?;
    let mut names = list.lines().map(|line| line.split(':').collect::<Vec<_>>());
    names.find(|line| line.get(2) == Some(&&*uid)).map(|line| line[0].to_owned())
}
