//! Keeps the versions that a project has settled on.
//!
//! Once pyo3-gc comes in, cargo resolves PyO3 and its dependencies anew. Where several versions of a crate are allowed, it may
//! take another one than before, and PyO3's conversions are then for types that aren't the project's.

use std::collections::{BTreeMap, BTreeSet};

use toml_edit::{DocumentMut, Item, Table};

/// The lock file `new`, with the dependencies that its packages have in `old`. `wanted` are the versions for those of pyo3-gc.
pub(crate) fn settle(old: &str, new: &str, wanted: &BTreeMap<String, String>) -> Option<String> {
    let (old, mut new) = (old.parse::<DocumentMut>().ok()?, new.parse::<DocumentMut>().ok()?);
    let before = Locked::of(&old)?;
    let after = Locked::of(&new)?;
    for package in new.get_mut("package")?.as_array_of_tables_mut()?.iter_mut() {
        let (Some(name), Some(version)) = (text(package, "name"), text(package, "version")) else { continue };
        let kept = before.dependencies.get(&(name.clone(), version));
        let Some(list) = package.get_mut("dependencies").and_then(Item::as_array_mut) else { continue };
        for entry in list.iter_mut() {
            let Some(dependency) =
                entry.as_str().map(|entry| entry.split(' ').next().unwrap_or(entry).to_owned())
            else {
                continue;
            };
            // Several versions of one dependency, by other names, are left as they are.
            let version = if name == "pyo3-gc" {
                wanted.get(&dependency)
            } else {
                kept.and_then(|kept| kept.get(&dependency))
            };
            let versions = after.versions.get(&dependency);
            if let (Some(version), Some(versions)) = (version, versions) {
                if versions.len() > 1 && versions.contains(version) {
                    let decor = entry.decor().clone();
                    *entry = format!("{dependency} {version}").into();
                    *entry.decor_mut() = decor;
                }
            }
        }
    }
    Some(new.to_string())
}

struct Locked {
    versions: BTreeMap<String, BTreeSet<String>>,
    /// Of each package, by name and version: its dependencies, each with its version, but for those that it has in several.
    dependencies: BTreeMap<(String, String), BTreeMap<String, String>>,
}

impl Locked {
    fn of(lock: &DocumentMut) -> Option<Self> {
        let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let packages = lock.get("package")?.as_array_of_tables()?;
        for package in packages {
            versions.entry(text(package, "name")?).or_default().insert(text(package, "version")?);
        }
        let mut dependencies = BTreeMap::new();
        for package in packages {
            let entries = package.get("dependencies").and_then(Item::as_array).into_iter().flatten();
            let mut found: BTreeMap<String, Option<String>> = BTreeMap::new();
            for entry in entries.filter_map(|entry| entry.as_str()) {
                let mut words = entry.split(' ');
                let name = words.next()?.to_owned();
                let only = versions.get(&name).and_then(|versions| versions.first()).cloned();
                let version = words.next().map(str::to_owned).or(only);
                found.entry(name).and_modify(|known| *known = None).or_insert(version);
            }
            let found = found.into_iter().filter_map(|(name, version)| Some((name, version?))).collect();
            dependencies.insert((text(package, "name")?, text(package, "version")?), found);
        }
        Some(Self { versions, dependencies })
    }
}

fn text(package: &Table, key: &str) -> Option<String> {
    package.get(key)?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(packages: &[(&str, &str, &[&str])]) -> String {
        let package = |(name, version, dependencies): &(&str, &str, &[&str])| {
            let list: Vec<_> = dependencies.iter().map(|name| format!(" \"{name}\",\n")).collect();
            let list = list.concat();
            format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\ndependencies = [\n{list}]\n\n")
        };
        packages.iter().map(package).collect()
    }

    #[test]
    fn packages_keep_the_versions_of_their_dependencies() {
        let old = lock(&[
            ("hashbrown", "0.15.5", &[]),
            ("project", "1.0.0", &["hashbrown", "pyo3"]),
            ("pyo3", "0.29.0", &["hashbrown"]),
        ]);
        let new = |pyo3: &str, gc: &str| {
            lock(&[
                ("hashbrown", "0.15.5", &[]),
                ("hashbrown", "0.17.1", &[]),
                ("project", "1.0.0", &["hashbrown 0.15.5", "pyo3", "pyo3-gc"]),
                ("pyo3", "0.29.0", &[pyo3]),
                ("pyo3-gc", "0.1.0", &[gc, "pyo3"]),
            ])
        };
        let wanted = BTreeMap::from([("hashbrown".to_owned(), "0.15.5".to_owned())]);
        let settled = settle(&old, &new("hashbrown 0.17.1", "hashbrown 0.17.1"), &wanted).unwrap();
        assert_eq!(settled, new("hashbrown 0.15.5", "hashbrown 0.15.5"));
    }
}
