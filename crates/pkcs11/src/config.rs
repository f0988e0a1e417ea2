//! The slots, from a TOML file. The environment variable `HASTEN_PKCS11_CONF` names the file;
//! otherwise it is `hasten/pkcs11.toml` in the user's configuration folder or in `/etc`. A process
//! with more privileges than its caller, for example a set-user-id program, ignores the caller's
//! environment and reads only the file in `/etc`. Without a file there are no slots.

use std::ffi::OsString;
use std::fs::{OpenOptions, read_to_string};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hasten_pq::store::{Os, UserFolder, visible};
use serde::Deserialize;

/// Maximum number of slots: object handles have one byte for the slot.
const MOST_SLOTS: usize = 256;

/// The contents of the configuration file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Number of wrong PINs after which this process rejects every PIN of the slot.
    #[serde(default = "tries")]
    pub tries: u32,
    /// Seconds to wait for another process that uses the key.
    #[serde(default = "wait")]
    pub wait: u64,
    /// Destination of error messages: `stderr`, `none`, or a file.
    #[serde(default = "log")]
    pub log: String,
    /// The slots, in the order of their numbers.
    #[serde(default, rename = "slot")]
    pub slots: Vec<Place>,
}

/// The configuration of a slot.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The label of the token, and of a key without a label of its own.
    pub label: String,
    /// The directory of a stateful key. C_GenerateKeyPair creates it if it does not exist.
    pub store: Option<PathBuf>,
    /// The common prefix of the file names of a stateless key. C_GenerateKeyPair creates the files.
    pub key: Option<PathBuf>,
    /// The guard for a key that C_GenerateKeyPair makes. An existing key knows its own guard.
    pub guard: Option<PathBuf>,
    /// True to keep the key open from the first signature until logout, instead of opening it for
    /// each signature.
    #[serde(default)]
    pub hold: bool,
    /// True to continue signing when few indices are left.
    #[serde(default)]
    pub acknowledge: bool,
}

impl Place {
    /// Returns the path of the slot's key; with two keys that of the stateful one.
    pub fn first(&self) -> Option<&Path> {
        self.store.as_deref().or(self.key.as_deref())
    }
}

impl Place {
    /// Describes a path that belongs to the other kind of key, or to one file of a key.
    fn mistaken(&self) -> Option<String> {
        let Self { store, key, .. } = self;
        if let Some(path) = store.as_ref().filter(|path| path.is_file()) {
            let place = path.display();
            return Some(format!("store = {place} is a file: 'key' names a key without a state"));
        }
        let path = key.as_ref()?;
        let place = path.display();
        if path.is_dir() {
            return Some(format!("key = {place} is a directory: 'store' names a key with a state"));
        }
        let is_half = path.extension().is_some_and(|ending| ending == "key" || ending == "pub");
        (is_half && path.is_file()).then(|| {
            let prefix = path.with_extension("");
            format!("key = {place} is one file of a pair: 'key' names both, {}", prefix.display())
        })
    }
}

fn tries() -> u32 {
    10
}

fn wait() -> u64 {
    10
}

fn log() -> String {
    "stderr".to_owned()
}

impl Config {
    /// Reads the configuration file; without one there are no slots. The error is a sentence.
    pub fn load() -> Result<Self, String> {
        let Some(path) = path()? else { return Self::parse("") };
        let fault = |why: String| format!("{}: {why}", path.display());
        let text = read_to_string(&path).map_err(|why| fault(why.to_string()))?;
        let config = Self::parse(&text).map_err(fault)?;
        match config.slots.iter().find_map(Place::mistaken) {
            Some(why) => Err(fault(why)),
            None => Ok(config),
        }
    }

    /// Parses the text of the configuration file.
    pub fn parse(text: &str) -> Result<Self, String> {
        let config: Self = toml::from_str(text).map_err(|why| why.to_string())?;
        match config.fault() {
            Some(why) => Err(why),
            None => Ok(config),
        }
    }

    fn fault(&self) -> Option<String> {
        let relative = |path: &Path| !path.is_absolute();
        if self.slots.len() > MOST_SLOTS {
            return Some(format!("more than {MOST_SLOTS} slots"));
        }
        if self.tries == 0 {
            return Some("tries is 0".to_owned());
        }
        let paths = self.slots.iter().flat_map(|slot| [&slot.store, &slot.key, &slot.guard]);
        let mut wrong = paths.flatten().filter(|path| relative(path));
        if let Some(path) = wrong.next() {
            return Some(format!("the path {} is not absolute", path.display()));
        }
        if let Some(slot) = self.slots.iter().find(|slot| slot.first().is_none()) {
            return Some(format!("the slot {:?} names neither store nor key", slot.label));
        }
        let long = self.slots.iter().find(|slot| slot.label.len() > 32);
        long.map(|slot| format!("the label {:?} is longer than 32 bytes", slot.label))
    }

    /// Returns how long to wait for another process.
    pub fn patience(&self) -> Duration {
        Duration::from_secs(self.wait)
    }

    /// Writes a line to the log. Errors of writing the log are ignored.
    pub fn note(&self, line: &str) {
        let line = format!("hasten-pkcs11[{}]: {}\n", std::process::id(), visible(line));
        let _unwritten = match self.log.as_str() {
            "none" => Ok(()),
            "stderr" => std::io::stderr().write_all(line.as_bytes()),
            file => OpenOptions::new().create(true).append(true).open(file).and_then(|mut file| {
                let end = file.metadata()?.len().saturating_add(line.len() as u64);
                Os::may_reach(end).map_err(|_| std::io::ErrorKind::FileTooLarge)?;
                file.write_all(line.as_bytes())
            }),
        };
    }
}

/// Returns the path of the configuration file, if there is one. An error of looking for a file ends
/// the search, because the next place may name other keys.
fn path() -> Result<Option<PathBuf>, String> {
    let trusted = |name: &str| if has_more_rights() { None } else { std::env::var_os(name) };
    let places = match named(trusted) {
        Ok(named) => return Ok(Some(named)),
        Err(places) => places,
    };
    for path in places {
        match path.try_exists() {
            Ok(true) => return Ok(Some(path)),
            Ok(false) => {}
            Err(why) => return Err(format!("{}: {why}", path.display())),
        }
    }
    Ok(None)
}

/// Returns true if this process has more privileges than its caller (getauxval(3), AT_SECURE).
#[cfg(target_os = "linux")]
fn has_more_rights() -> bool {
    // SAFETY: it reads a value that the kernel gave this process, and takes no pointer.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

/// Returns true if this process runs with the rights of another user or group than its caller.
#[cfg(not(target_os = "linux"))]
fn has_more_rights() -> bool {
    // SAFETY: these four read numbers of this process, and cannot fail.
    unsafe { libc::getuid() != libc::geteuid() || libc::getgid() != libc::getegid() }
}

/// Returns the file named in the environment, or else the files to look for, in order.
fn named(variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, Vec<PathBuf>> {
    if let Some(named) = variable("HASTEN_PKCS11_CONF").filter(|named| !named.is_empty()) {
        return Ok(named.into());
    }
    let user = UserFolder::Config.path(&variable);
    let places = user.into_iter().chain([PathBuf::from("/etc")]);
    Err(places.map(|dir| dir.join("hasten/pkcs11.toml")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_names_slots() {
        let text = "tries = 3\n[[slot]]\nlabel = \"fw\"\nstore = \"/a/b\"\nhold = true\n";
        let config = Config::parse(text).unwrap();
        assert_eq!((config.tries, config.wait, config.slots.len()), (3, 10, 1));
        assert!(config.slots[0].hold && config.slots[0].guard.is_none());
    }

    #[test]
    fn the_environment_names_a_file_or_none() {
        let etc = PathBuf::from("/etc/hasten/pkcs11.toml");
        let of = |set: &[(&str, &str)]| {
            let value = |name: &str| set.iter().find(|(known, _)| *known == name).map(|v| v.1);
            named(|name| value(name).map(OsString::from))
        };
        assert_eq!(of(&[("HASTEN_PKCS11_CONF", "a")]), Ok("a".into()));
        assert_eq!(of(&[]), Err(vec![etc.clone()]));
        let home = Err(vec!["/h/.config/hasten/pkcs11.toml".into(), etc.clone()]);
        assert_eq!(of(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "c")]), home);
        assert_eq!(of(&[("HOME", "/h"), ("HASTEN_PKCS11_CONF", "")]), home);
        assert_eq!(of(&[("HOME", "h")]), Err(vec![etc]));
    }

    #[test]
    fn a_key_of_the_other_kind_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::create_dir(at("store")).unwrap();
        std::fs::write(at("web.key"), "").unwrap();
        std::fs::write(at("web.pub"), "").unwrap();
        let of = |setting: &str, name: &str| {
            let path = at(name);
            let text = format!("[[slot]]\nlabel = \"a\"\n{setting} = \"{}\"", path.display());
            Config::parse(&text).unwrap().slots[0].mistaken()
        };
        for (setting, name) in
            [("store", "store"), ("store", "new"), ("key", "web"), ("key", "new")]
        {
            assert_eq!(of(setting, name), None);
        }
        let said = |setting, name, way: &str| of(setting, name).unwrap().contains(way);
        assert!(said("store", "web.key", "'key' names"));
        assert!(said("key", "store", "'store' names"));
        assert!(said("key", "web.key", &at("web").display().to_string()));
        assert!(said("key", "web.pub", "one file of a pair"));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, said) in [
            ("tries = 0", "tries is 0"),
            ("trys = 1", "trys"),
            ("[[slot]]\nlabel = \"a\"\nstore = \"b\"", "not absolute"),
            ("[[slot]]\nlabel = \"a\"\nstore = \"/b\"\nguard = \"c\"", "not absolute"),
            ("[[slot]]\nlabel = \"a\"", "neither store nor key"),
            ("[[slot]]\nlabel = \"a\"\nkey = \"b\"", "not absolute"),
            ("[[slot]]\nlabel = \"123456789012345678901234567890123\"\nstore = \"/b\"", "32"),
        ] {
            let fault = Config::parse(text).unwrap_err();
            assert!(fault.contains(said), "{text}: {fault}");
        }
    }
}
