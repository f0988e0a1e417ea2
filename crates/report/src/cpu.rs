//! The processor as the operating system describes it.

/// Returns the name of the processor, or of its architecture if the system gives none.
pub fn cpu() -> String {
    field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// Returns the clock rate of the processor in MHz, or 0 if the system gives none.
///
/// A virtual machine reports the rate of the time-stamp counter, other machines the current rate.
pub fn mhz() -> f64 {
    field("cpu MHz").and_then(|text| text.parse().ok()).unwrap_or(0.0)
}

/// Returns the number of cores that this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns a field of the first processor in `/proc/cpuinfo`.
fn field(name: &str) -> Option<String> {
    let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    value(&info, name).map(str::to_owned)
}

fn value<'i>(info: &'i str, name: &str) -> Option<&'i str> {
    let mut lines = info.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = lines.find(|(key, _)| key.trim_end() == name)?;
    Some(value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_found_by_its_whole_name() {
        let info = "model\t\t: 143\nmodel name\t: Some CPU: fast\ncpu MHz\t\t: 2100.5\n";
        assert_eq!(value(info, "model name"), Some("Some CPU: fast"));
        assert_eq!(value(info, "cpu MHz"), Some("2100.5"));
        assert_eq!(value(info, "cache size"), None);
    }

    #[test]
    fn this_machine_has_a_name_and_cores() {
        assert!(!cpu().is_empty() && cores() > 0 && mhz() >= 0.0);
    }
}
