//! The bill of materials in CycloneDX 1.6.

use crate::Wanted;
use crate::crates::Crate;
use crate::tree::{Id, Tree};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Author of the tool and of this list.
const AUTHOR: &str = "The Hasten authors";

/// Returns the list as JSON; `written` is the time of the commit.
pub fn text(
    tree: &Tree,
    crates: &BTreeMap<Id, Crate>,
    wanted: &Wanted,
    written: Option<String>,
) -> String {
    let refs: BTreeMap<&Id, String> = crates.iter().map(|(id, one)| (id, name(id, one))).collect();
    let others = crates.iter().filter(|(id, _)| **id != tree.root);
    let components: Vec<Value> =
        others.map(|(id, one)| component("library", &refs[id], id, one)).collect();
    let dependencies = tree.uses.iter().map(|(id, uses)| {
        let below: Vec<&String> = uses.iter().map(|id| &refs[id]).collect();
        json!({"ref": refs[id], "dependsOn": below})
    });
    let bom = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": metadata(tree, crates, &refs[&tree.root], wanted, written),
        "components": components,
        "dependencies": dependencies.collect::<Vec<_>>(),
    });
    format!("{bom:#}\n")
}

fn metadata(
    tree: &Tree,
    crates: &BTreeMap<Id, Crate>,
    reference: &str,
    wanted: &Wanted,
    written: Option<String>,
) -> Value {
    let mut tool = component("application", reference, &tree.root, &crates[&tree.root]);
    let property = |name: &str, value: &str| json!({"name": name, "value": value});
    let mut properties = vec![property("cargo:features", &wanted.features)];
    properties.extend(wanted.target.iter().map(|target| property("cargo:target", target)));
    tool["properties"] = properties.into();
    let version = env!("CARGO_PKG_VERSION");
    let maker = json!({"type": "application", "name": "cargo xtask bom", "version": version});
    let mut metadata = Map::new();
    metadata.extend(written.map(|time| ("timestamp".to_owned(), time.into())));
    metadata.insert("authors".into(), json!([{"name": AUTHOR}]));
    metadata.insert("supplier".into(), json!({"name": AUTHOR}));
    metadata.insert("tools".into(), json!({"components": [maker]}));
    metadata.insert("component".into(), tool);
    metadata.into()
}

/// Returns the name of a crate in this list: its package URL, or name and version for a crate of
/// this repository.
fn name(id: &Id, one: &Crate) -> String {
    match one.is_ours() {
        true => format!("{}@{}", id.name, id.version),
        false => format!("pkg:cargo/{}@{}", id.name, id.version.replace('+', "%2B")),
    }
}

fn component(kind: &str, reference: &str, id: &Id, one: &Crate) -> Value {
    let mut component = json!({
        "type": kind,
        "bom-ref": reference,
        "name": id.name,
        "version": id.version,
        "scope": "required",
    });
    let mut add = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            component[key] = value;
        }
    };
    add("description", one.description.as_deref().map(|text| text.trim().into()));
    add("licenses", one.expression().map(|expression| json!([{"expression": expression}])));
    add("purl", (!one.is_ours()).then(|| reference.into()));
    add("hashes", one.checksum.as_ref().map(|sum| json!([{"alg": "SHA-256", "content": sum}])));
    add("externalReferences", one.repository.as_ref().map(|u| json!([{"type": "vcs", "url": u}])));
    component
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crates::sample;
    use std::path::Path;

    #[test]
    fn every_crate_is_named_with_its_origin() {
        let (tree, crates) = sample::crates(Path::new("/secret/place"));
        let text = text(&tree, &crates, &Wanted::default(), None);
        assert!(!text.contains("/secret"), "a path of this machine");
        let bom: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(bom["metadata"]["component"]["name"], "tool");
        assert!(bom["metadata"].get("timestamp").is_none());
        let components = bom["components"].as_array().unwrap();
        assert_eq!(components.len(), 2);
        assert_eq!(components[1]["purl"], "pkg:cargo/b@2.0.0%2Bc");
        assert_eq!(components[1]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(components[1]["hashes"][0]["content"], "00".repeat(32));
        let used = json!({"ref": "tool@0.1.0", "dependsOn": ["pkg:cargo/a@1.0.0", "pkg:cargo/b@2.0.0%2Bc"]});
        assert!(bom["dependencies"].as_array().unwrap().contains(&used));
    }
}
