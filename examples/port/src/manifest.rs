//! The dependency on pyo3-gc, and its features for the crates in use.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use cargo_metadata::semver::{Version, VersionReq};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, Value};

use crate::edits::Changes;
use crate::project::Crate;

/// Features of pyo3-gc, the packages that they are for, and the versions that they know.
const FEATURES: &[(&str, &str, &str)] = &[
    ("ahash", "ahash", "0.8"),
    ("arrayvec", "arrayvec", "0.7.3"),
    ("bigdecimal", "bigdecimal", "0.4.7"),
    ("bytes", "bytes", "1.10"),
    ("chrono", "chrono", "0.4.34"),
    ("chrono-tz", "chrono-tz", ">=0.10,<0.11"),
    ("either", "either", "1.9"),
    ("hashbrown", "hashbrown", ">=0.15,<0.18"),
    ("http", "http", "1"),
    ("indexmap", "indexmap", "2.5"),
    ("jiff", "jiff", "1"),
    ("jiff-02", "jiff", "0.2"),
    ("lock_api", "lock_api", "0.4.6"),
    ("num-bigint", "num-bigint", "0.4.4"),
    ("num-complex", "num-complex", "0.4.6"),
    ("num-rational", "num-rational", "0.4.1"),
    ("once_cell", "once_cell", "1.21"),
    ("ordered-float", "ordered-float", "5"),
    ("parking_lot", "parking_lot", "0.12"),
    ("petgraph", "petgraph", "0.8"),
    ("regex", "regex", "1.9"),
    ("rust_decimal", "rust_decimal", "1.15"),
    ("serde_json", "serde_json", "1.0.60"),
    ("smallvec", "smallvec", "1.13.1"),
    ("time", "time", "0.3.38"),
    ("tokio", "tokio", "1.36"),
    ("tokio-util", "tokio-util", "0.7"),
    ("url", "url", "2.5.4"),
    ("uuid", "uuid", "1.12"),
];

/// Where pyo3-gc comes from.
pub(crate) enum Origin {
    Version(String),
    Path(String),
}

impl Origin {
    /// A version, or the folder of the crate.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        if VersionReq::parse(text).is_ok() {
            return Ok(Self::Version(text.to_owned()));
        }
        let path = Path::new(text).canonicalize().with_context(|| format!("there is no {text}"))?;
        let manifest = fs::read_to_string(path.join("Cargo.toml")).unwrap_or_default();
        if !manifest.lines().any(|line| line.trim() == "name = \"pyo3-gc\"") {
            bail!("neither a version nor the folder of pyo3-gc: {text}");
        }
        Ok(Self::Path(path.display().to_string()))
    }
}

/// The features for what the crate depends on, at the version that cargo has settled on.
pub(crate) fn features(dependencies: &BTreeMap<String, Version>) -> Vec<&'static str> {
    let wanted = FEATURES.iter().filter(|(_, package, versions)| {
        let versions = VersionReq::parse(versions).expect("a constant");
        dependencies.get(*package).is_some_and(|version| versions.matches(version))
    });
    wanted.map(|(feature, ..)| *feature).collect()
}

/// Adds the dependency where that on PyO3 stands.
pub(crate) fn add(krate: &Crate, origin: &Origin, changes: &mut Changes) -> Result<()> {
    let text = fs::read_to_string(&krate.manifest)?;
    let mut document: DocumentMut = text.parse().with_context(|| format!("{}", krate.manifest.display()))?;
    let is_optional = {
        let table = table_with_pyo3(&mut document, &krate.pyo3)
            .with_context(|| format!("no dependency on PyO3 in {}", krate.manifest.display()))?;
        let pyo3 = table.iter().find(|(key, _)| key.replace('-', "_") == krate.pyo3).map(|(_, item)| item);
        let is_optional = pyo3.and_then(|item| item.get("optional")).and_then(Item::as_bool) == Some(true);
        table.insert("pyo3-gc", dependency(origin, &features(&krate.dependencies), is_optional));
        is_optional
    };
    if is_optional {
        turn_on_with_pyo3(&mut document);
    }
    changes.write(&krate.manifest, &document.to_string())
}

fn dependency(origin: &Origin, features: &[&str], is_optional: bool) -> Item {
    let mut table = InlineTable::new();
    match origin {
        Origin::Version(version) if features.is_empty() && !is_optional => return toml_edit::value(version),
        Origin::Version(version) => table.insert("version", version.as_str().into()),
        Origin::Path(path) => table.insert("path", path.as_str().into()),
    };
    if is_optional {
        table.insert("optional", true.into());
    }
    if !features.is_empty() {
        table.insert("features", Value::Array(features.iter().copied().collect::<Array>()));
    }
    toml_edit::value(table)
}

/// `[dependencies]`, or that of a target.
fn table_with_pyo3<'a>(document: &'a mut DocumentMut, pyo3: &str) -> Option<&'a mut Table> {
    let has_pyo3 = |item: &Item| {
        item.as_table().is_some_and(|table| table.iter().any(|(key, _)| key.replace('-', "_") == pyo3))
    };
    if document.get("dependencies").is_some_and(has_pyo3) {
        return document.get_mut("dependencies")?.as_table_mut();
    }
    let targets = document.get_mut("target")?.as_table_mut()?;
    targets.iter_mut().find_map(|(_, target)| {
        let dependencies = target.get_mut("dependencies")?;
        if has_pyo3(dependencies) { dependencies.as_table_mut() } else { None }
    })
}

/// Where a feature brings an optional PyO3, it brings pyo3-gc as well.
fn turn_on_with_pyo3(document: &mut DocumentMut) {
    let features = document.entry("features").or_insert(toml_edit::table());
    let Some(features) = features.as_table_mut() else { return };
    let mut is_named = false;
    for (_, feature) in features.iter_mut() {
        let Some(list) = feature.as_array_mut() else { continue };
        let names: Vec<_> = list.iter().filter_map(|entry| entry.as_str().map(str::to_owned)).collect();
        let brings = |name: &String| name == "dep:pyo3" || name == "pyo3" || name.starts_with("pyo3/");
        is_named |= names.iter().any(|name| name == "dep:pyo3");
        if names.iter().any(brings) {
            list.push("dep:pyo3-gc");
        }
    }
    // Until now the dependency was a feature of its own name.
    if !is_named && !features.contains_key("pyo3") {
        features.insert("pyo3", toml_edit::value(["dep:pyo3", "dep:pyo3-gc"].into_iter().collect::<Array>()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_of_another_crate_is_known_with_its_versions() {
        let read = |path: &str| -> DocumentMut {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
            fs::read_to_string(path).unwrap().parse().unwrap()
        };
        let (gc, workspace) = (read("pyo3-gc/Cargo.toml"), read("Cargo.toml"));
        let mut found = Vec::new();
        for (feature, list) in gc["features"].as_table().unwrap() {
            if !list.as_array().unwrap().iter().any(|entry| entry.as_str() == Some(&format!("dep:{feature}")))
            {
                continue;
            }
            if feature == "serde" {
                continue;
            }
            let dependency = &workspace["workspace"]["dependencies"][feature];
            let package = dependency.get("package").and_then(Item::as_str).unwrap_or(feature);
            found.push((
                feature.to_owned(),
                package.to_owned(),
                dependency["version"].as_str().unwrap().to_owned(),
            ));
        }
        let known = FEATURES.iter().map(|(feature, package, versions)| {
            ((*feature).to_owned(), (*package).to_owned(), (*versions).to_owned())
        });
        let mut known: Vec<_> = known.collect();
        known.sort();
        found.sort();
        assert_eq!(known, found);
    }

    #[test]
    fn features_follow_the_version_in_use() {
        let with = |package: &str, version: &str| {
            features(&BTreeMap::from([(package.to_owned(), version.parse().unwrap())]))
        };
        assert_eq!(with("hashbrown", "0.16.1"), ["hashbrown"]);
        assert_eq!(with("hashbrown", "0.14.5"), Vec::<&str>::new());
        assert_eq!(with("jiff", "0.2.4"), ["jiff-02"]);
        assert_eq!(with("anything", "1.0.0"), Vec::<&str>::new());
    }

    #[test]
    fn an_optional_pyo3_brings_an_optional_pyo3_gc() {
        let mut document: DocumentMut = "[features]\npython = [\"dep:pyo3\"]\n".parse().unwrap();
        turn_on_with_pyo3(&mut document);
        assert_eq!(document.to_string(), "[features]\npython = [\"dep:pyo3\", \"dep:pyo3-gc\"]\n");
        let mut document = DocumentMut::new();
        turn_on_with_pyo3(&mut document);
        assert_eq!(document.to_string(), "[features]\npyo3 = [\"dep:pyo3\", \"dep:pyo3-gc\"]\n");
    }
}
