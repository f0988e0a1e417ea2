//! Command line of `hw`.

use hasten_chore::failure::Failure;
use std::path::PathBuf;

/// Options of all steps. Each step uses those that it knows.
#[derive(Debug, Default, Clone)]
pub struct Options {
    /// Name of the core; all cores if absent.
    pub core: Option<String>,
    /// Top module of the only unit to use.
    pub unit: Option<String>,
    /// Parameters that chosen points must have.
    pub point: Vec<(String, i64)>,
    /// Liberty files.
    pub liberty: Vec<PathBuf>,
    /// Liberty files of macros.
    pub macros: Vec<PathBuf>,
    /// FPGA family.
    pub family: Option<String>,
    /// Description outside `rtl/`.
    pub core_file: Option<PathBuf>,
    /// Folder with the files of `core_file`; by default the folder of `core_file` itself.
    pub dir: Option<PathBuf>,
    /// Routing: maximum CPU time in minutes.
    pub minutes: Option<u32>,
    /// Placement: maximum utilisation of a region, from 0 to 1.
    pub density: Option<f64>,
    /// Placement: seed of its random numbers, 1 by default.
    pub seed: Option<u32>,
    /// Only compare or check; keep nothing.
    pub check: bool,
    /// Measure only cycles, without synthesis.
    pub cycles: bool,
    /// Update only the labels of kept rows.
    pub labels: bool,
    /// Number of random cases, cycles or runs, depending on the step.
    pub count: Option<u64>,
    /// Print JSON.
    pub json: bool,
}

impl Options {
    /// Parses the arguments after the name of the step.
    pub fn parse(args: &[String], usage: &str) -> Result<Self, Failure> {
        let mut options = Self::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || {
                args.next()
                    .cloned()
                    .ok_or_else(|| Failure::Usage(format!("{arg} needs a value\n{usage}")))
            };
            match arg.as_str() {
                "--unit" => options.unit = Some(value()?),
                "--point" => options.point = parse_point(&value()?, usage)?,
                "--liberty" => options.liberty.push(value()?.into()),
                "--macro" => options.macros.push(value()?.into()),
                "--family" => options.family = Some(value()?),
                "--minutes" => options.minutes = Some(number(arg, &value()?, usage)?),
                "--density" => options.density = Some(number(arg, &value()?, usage)?),
                "--seed" => options.seed = Some(number(arg, &value()?, usage)?),
                "--core-file" => options.core_file = Some(value()?.into()),
                "--dir" => options.dir = Some(value()?.into()),
                "--count" | "--traces" => options.count = Some(number(arg, &value()?, usage)?),
                "--check" => options.check = true,
                "--cycles" => options.cycles = true,
                "--labels" => options.labels = true,
                "--json" => options.json = true,
                name if !name.starts_with('-') && options.core.is_none() => {
                    options.core = Some(name.into())
                }
                other => return Err(Failure::Usage(format!("no such option: {other}\n{usage}"))),
            }
        }
        Ok(options)
    }

    /// Returns the arguments that select a core: its name, or the path of its description.
    fn named(&self, core: &str) -> String {
        match &self.core_file {
            Some(file) => format!("--core-file {} --dir .", file.display()),
            None => core.into(),
        }
    }

    /// Returns the command `what` for a unit of a core at the chosen points.
    pub fn command(&self, what: &str, core: &str, unit: &str) -> String {
        format!("cargo xtask hw {what} {} --unit {unit}{}", self.named(core), self.chosen())
    }

    /// Returns the options of the router, as they were given.
    pub fn of_router(&self) -> String {
        let all = [
            self.seed.map(|seed| format!(" --seed {seed}")),
            self.density.map(|density| format!(" --density {density}")),
            self.minutes.map(|minutes| format!(" --minutes {minutes}")),
        ];
        all.into_iter().flatten().collect()
    }

    /// Returns the option that chose the points, or an empty string if all were chosen.
    pub fn chosen(&self) -> String {
        let pairs: Vec<String> =
            self.point.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if pairs.is_empty() { String::new() } else { format!(" --point {}", pairs.join(",")) }
    }
}

fn number<N: std::str::FromStr>(option: &str, text: &str, usage: &str) -> Result<N, Failure> {
    text.parse()
        .map_err(|_| Failure::Usage(format!("{option} wants a number, not {text}\n{usage}")))
}

fn parse_point(text: &str, usage: &str) -> Result<Vec<(String, i64)>, Failure> {
    text.split(',')
        .map(|pair| {
            let (name, value) = pair.split_once('=')?;
            Some((name.trim().to_string(), value.trim().parse().ok()?))
        })
        .collect::<Option<_>>()
        .ok_or_else(|| Failure::Usage(format!("--point wants NAME=NUMBER,...\n{usage}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, Failure> {
        Options::parse(&line.split(' ').map(String::from).collect::<Vec<_>>(), "")
    }

    #[test]
    fn a_line_is_parsed_and_a_wrong_one_refused() {
        let good = parse("keccak --point unroll=2,inner=1 --check").unwrap();
        assert_eq!(good.core.as_deref(), Some("keccak"));
        assert_eq!(good.point, [("unroll".into(), 2), ("inner".into(), 1)]);
        assert!(good.check && !good.json);
        assert_eq!(good.chosen(), " --point unroll=2,inner=1");
        assert_eq!(Options::default().chosen(), "");
        assert_eq!(good.named("keccak"), "keccak");
        let file = parse("--core-file a.toml --dir .").unwrap();
        assert_eq!(file.named("keccak"), "--core-file a.toml --dir .");
        let command = good.command("lec", "keccak", "keccak_core");
        let lec = "cargo xtask hw lec keccak --unit keccak_core --point unroll=2,inner=1";
        assert_eq!(command, lec);
        let router = " --seed 2 --density 0.5 --minutes 60";
        assert_eq!(parse(&router[1..]).unwrap().of_router(), router);
        for wrong in ["--minutes x", "--point unroll", "--count many", "--nope", "--unit", "a b"] {
            assert_eq!(parse(wrong).unwrap_err().status(), 2, "{wrong}");
        }
    }
}
